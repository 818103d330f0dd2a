package storage

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestInOrderIsSorted(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for _, hosts := range []uint32{1, 3, 1 << digit, 1<<digit + 1, 1 << (2 * digit), 1<<32 - 1} {
		for _, n := range []int{0, 1, 2, 20, 5000} {
			keys := make([]idPlace, n)
			for i := range keys {
				keys[i].key = idKey{host: rnd.Uint32N(hosts), class: uint8(rnd.IntN(3)), seq: rnd.Uint32N(1000)}
				keys[i].at = uint32(i)
			}
			before, want := slices.Clone(keys), slices.Clone(keys)
			slices.SortStableFunc(want, func(a, b idPlace) int { return a.key.compare(b.key) })
			got := sortedIDs(keys)
			same := func(a, b idPlace) bool { return a.key == b.key } // of two with one key any may be first
			if !slices.EqualFunc(got, want, same) {
				t.Errorf("%d keys of %d hosts are not in order", n, hosts)
			}
			slices.SortFunc(got, func(a, b idPlace) int { return cmp.Compare(a.at, b.at) })
			if !slices.Equal(got, before) || !slices.Equal(keys, before) {
				t.Errorf("%d keys of %d hosts are not those that were there", n, hosts)
			}
		}
	}
	for _, n := range []int{0, 1, 100_000} {
		hs := make([]uint64, n)
		for i := range hs {
			hs[i] = rnd.Uint64() >> (rnd.IntN(2) * 40) // many begin alike
		}
		want := slices.Sorted(slices.Values(hs))
		if got := sortedHashes(hs); !slices.Equal(got, want) {
			t.Errorf("%d hashes are not in order", n)
		}
	}
}

func BenchmarkInOrder(b *testing.B) {
	const n = 400_000
	rnd := rand.New(rand.NewPCG(1, 2))
	for _, hosts := range []uint32{1, 1000, 100_000, 10_000_000} {
		b.Run(fmt.Sprintf("hosts=%d", hosts), func(b *testing.B) {
			tail := map[uint32]uint32{}
			var keys []idPlace
			for len(keys) < n {
				h := rnd.Uint32N(hosts)
				for range 5 {
					keys = append(keys, idPlace{key: idKey{host: h, class: 4, seq: tail[h]}})
					tail[h]++
				}
			}
			for b.Loop() {
				sortedIDs(keys)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/record")
		})
	}
	b.Run("hashes", func(b *testing.B) {
		hs := make([]uint64, n)
		for i := range hs {
			hs[i] = rnd.Uint64()
		}
		for b.Loop() {
			sortedHashes(hs)
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/record")
	})
}
