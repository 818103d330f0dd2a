package storage

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestIDTableIsAMap compares a table with a map, with keys as crawls have them.
func TestIDTableIsAMap(t *testing.T) {
	for _, reserved := range []int{0, 1, 20_000} {
		rnd := rand.New(rand.NewPCG(1, uint64(reserved)))
		var table idTable
		if reserved > 0 {
			table.reserve(reserved)
		}
		want := map[idKey]place{}
		var order []idKey
		for n := range uint32(30_000) {
			k := idKey{host: rnd.Uint32N(200), class: uint8(rnd.IntN(8)), seq: rnd.Uint32N(40)}
			if _, known := want[k]; !known {
				order = append(order, k)
			}
			if _, known := table.get(k); known != (want[k] != place{}) {
				t.Fatalf("get(%v) says %v", k, known)
			}
			p := place{block: 1, at: n, size: n + 1}
			want[k] = p
			table.set(k, p)
		}
		if len(table.records) != len(want) {
			t.Fatalf("%d records, want %d", len(table.records), len(want))
		}
		for k, p := range want {
			if got, known := table.get(k); !known || got != p {
				t.Fatalf("get(%v) = %v, %v; want %v", k, got, known, p)
			}
		}
		if !slices.EqualFunc(table.records, order, func(r idPlace, k idKey) bool { return r.key == k }) {
			t.Error("the records are not in the order in which their keys came")
		}
	}
}
