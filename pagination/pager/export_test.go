package pager

import "strings"

// SamePattern reports whether u is a page of the pattern of which sample is
// page 8, or its first page.
func SamePattern(u, sample string) bool {
	at := strings.LastIndexByte(sample, '8')
	f := fit{ok: true, sample: sample, from: at, to: at + 1, slope: 1}
	n, _ := f.pageOf(u)
	return n > 0
}

// Continues reports whether sample, which is page 8 of a series, is made from
// the address of page.
func Continues(sample, page string) bool {
	return relate(sample, page).is != unrelated && !hasDay(sample, 8)
}
