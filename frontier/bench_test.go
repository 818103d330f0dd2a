package frontier_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/hashcrawl/hashcrawl/frontier"
	"github.com/hashcrawl/hashcrawl/frontier/storetest"
)

// A shelf is a store that costs as little as can be: entries of one class in
// slices.
type shelf struct {
	storetest.Memory
	entries [][]frontier.Entry // by host
}

func (s *shelf) Append(ch frontier.Changes) {
	for _, e := range ch.Entries {
		for len(s.entries) <= int(e.Host) {
			s.entries = append(s.entries, nil)
		}
		s.entries[e.Host] = append(s.entries[e.Host], e)
	}
}

func (s *shelf) Entries(h frontier.HostID, _ frontier.Class, from uint32, limit int) ([]frontier.Entry, error) {
	es := s.entries[h][from:]
	return append([]frontier.Entry(nil), es[:min(limit, len(es))]...), nil
}

// BenchmarkFinish is a page's part in the frontier: one lease, and 75 links of
// which 5 are new, on a crawl of a hundred hosts.
func BenchmarkFinish(b *testing.B) {
	store := &shelf{}
	f, err := frontier.Open(store, unspaced())
	if err != nil {
		b.Fatal(err)
	}
	const known, fresh, hosts = 70, 5, 100
	var urls []string // of links that are new, generated before they are timed
	names := make([]string, hosts)
	for i := range names {
		names[i] = fmt.Sprintf("www.host-%d.test", i)
	}
	next := 0
	more := func() {
		urls = urls[:0]
		for range 10_000 * fresh {
			urls = append(urls, fmt.Sprintf("https://%s/category/%d/article-%d.html", names[next%hosts], next%17, next))
			next++
		}
	}
	more()
	page := make([]frontier.Link, known+fresh)
	for i := range page {
		page[i] = frontier.Link{URL: urls[i], Key: urls[i], Host: names[i%hosts], Class: frontier.ClassLink}
	}
	f.Add(page, store.Append)
	at, now := len(page), time.Now()
	b.ReportAllocs()
	for b.Loop() {
		if at+fresh > len(urls) {
			b.StopTimer()
			more()
			at = 0
			b.StartTimer()
		}
		for i := known; i < known+fresh; i++ {
			page[i].URL, page[i].Key, page[i].Host = urls[at], urls[at], names[at%hosts]
			at++
		}
		l, err := f.Acquire(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		f.Finish(l, frontier.Result{
			Outcome: frontier.Indexed, Links: page, Request: &frontier.Request{Start: now, End: now, Status: 200},
		}, store.Append)
	}
}
