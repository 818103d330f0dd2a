package pagination

import "testing"

// BenchmarkPass is a pass of one page with five new items, over a series that
// remembers all it can, with the bytes to be stored.
func BenchmarkPass(b *testing.B) {
	s := numbered()
	for _, k := range count("http://forum.test/thread/", 9300, 9001) {
		s.Head = append(s.Head, Item{Key: k})
	}
	for i := range OlderMax {
		s.Older = append(s.Older, uint32(i)*2654435761)
	}
	s.Begun, s.Complete = day0, true
	page := PageSeen{Rows: rows(count("http://forum.test/thread/", 9305, 9286)...), HasNext: true}
	b.ReportAllocs()
	for b.Loop() {
		p := Begin(s, day0, Limits{})
		if v := p.Page(page); v.Reason != Overlap {
			b.Fatalf("stopped for %v", v.Reason)
		}
		if _, err := p.Series().MarshalBinary(); err != nil {
			b.Fatal(err)
		}
	}
}
