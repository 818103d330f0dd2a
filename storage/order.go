package storage

import (
	"cmp"
	"math/bits"
	"slices"
)

// digit is how many bits of a number inOrder looks at in one pass: so many that two
// passes mostly do, and so few that what is written at one time stays in the
// processor's cache.
const digit = 11

// inOrder returns a copy of vs in the order of compare, which must be that of their
// leading numbers where these differ. Most of a large table differ in them, and it
// takes a fraction of what it would take to compare them with each other.
func inOrder[T any](vs []T, leading func(*T) uint32, compare func(a, b T) int) []T {
	most := uint32(0)
	for i := range vs {
		most = max(most, leading(&vs[i]))
	}
	sorted := slices.Clone(vs)
	other := make([]T, len(vs))
	for shift := 0; shift < bits.Len32(most); shift += digit {
		at := func(v *T) uint32 { return leading(v) >> shift % (1 << digit) }
		var next [1 << digit]int // where the next of a digit goes
		for i := range sorted {
			next[at(&sorted[i])]++
		}
		before := 0
		for d, n := range next {
			next[d] = before
			before += n
		}
		for i := range sorted {
			n := &next[at(&sorted[i])]
			other[*n] = sorted[i]
			*n++
		}
		sorted, other = other, sorted
	}
	for from := 0; from < len(sorted); {
		to := from + 1
		for to < len(sorted) && leading(&sorted[to]) == leading(&sorted[from]) {
			to++
		}
		slices.SortFunc(sorted[from:to], compare)
		from = to
	}
	return sorted
}

// sortedIDs returns records in the order of their keys.
func sortedIDs(rs []idPlace) []idPlace {
	return inOrder(rs, func(r *idPlace) uint32 { return r.key.host }, func(a, b idPlace) int { return a.key.compare(b.key) })
}

// sortedHashes returns hashes in order. Two digits of them tell nearly all apart.
func sortedHashes(hs []uint64) []uint64 {
	return inOrder(hs, func(h *uint64) uint32 { return uint32(*h >> (64 - 2*digit)) }, cmp.Compare[uint64])
}
