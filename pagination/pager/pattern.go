package pager

import (
	"strconv"
	"strings"
)

// A Pattern is how the addresses of a pager's pages are made: Prefix, then
// Slope × page + Shift, then Suffix. The zero Pattern is unknown.
type Pattern struct {
	Prefix, Suffix string
	Slope, Shift   int

	// First is the address of page 1 where it is made differently, mostly
	// without a number; else "".
	First string
}

// String returns the pattern with {page}, or {offset} where rows are counted,
// in place of the number; "" if the pattern is unknown.
func (p Pattern) String() string {
	switch {
	case p.Slope == 0:
		return ""
	case p.Slope == 1:
		return p.Prefix + "{page}" + p.Suffix
	}
	return p.Prefix + "{offset}" + p.Suffix
}

// URL returns the address of a page, "" if the pattern is unknown or page is
// less than 1.
func (p Pattern) URL(page int) string {
	switch {
	case p.Slope == 0 || page < 1:
		return ""
	case page == 1 && p.First != "":
		return p.First
	}
	return p.Prefix + strconv.Itoa(p.Slope*page+p.Shift) + p.Suffix
}

// Page returns the number of the page at the display URL u, 0 if u is not made
// by the pattern.
func (p Pattern) Page(u string) int {
	if p.Slope == 0 {
		return 0
	}
	if p.First != "" && u == p.First {
		return 1
	}
	rest, ok := strings.CutPrefix(u, p.Prefix)
	if !ok {
		return 0
	}
	digits, ok := strings.CutSuffix(rest, p.Suffix)
	if !ok || digits == "" || digitsEnd(digits, 0) < len(digits) {
		return 0
	}
	v := int(numberAt(digits)) - p.Shift
	if v <= 0 || v%p.Slope != 0 {
		return 0
	}
	return v / p.Slope
}

// export returns the pattern of a fit. Addresses whose numbers differ in two
// places have none, nor have scripts.
func (f *fit) export() Pattern {
	if !f.ok || f.slots > 1 || isScript(f.sample) {
		return Pattern{}
	}
	return Pattern{Prefix: f.sample[:f.from], Suffix: f.sample[f.to:], Slope: int(f.slope), Shift: int(f.shift)}
}
