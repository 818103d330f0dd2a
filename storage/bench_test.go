package storage

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/hashcrawl/hashcrawl/frontier"
)

// pageCommit is the commit of page n: its record, and 5 new entries of which
// the last is of another host.
func pageCommit(n uint32) Commit {
	const hosts = 100
	var c Commit
	now := time.Unix(int64(n), 0)
	id := func(h, seq uint32) frontier.ID {
		return frontier.ID{Host: frontier.HostID(h + 1), Class: frontier.ClassLink, Seq: seq}
	}
	own, other := n%hosts, (n+1)%hosts
	if own > other {
		own, other = other, own
	}
	for _, h := range []uint32{own, other} {
		host := frontier.Host{ID: frontier.HostID(h + 1), Name: fmt.Sprintf("www.host-%d.test", h), Next: now, Gap: 2 * time.Second}
		host.Tail[frontier.ClassLink] = 5 * n
		c.Hosts = append(c.Hosts, host)
	}
	for i := range uint32(5) {
		h := c.Hosts[i/4]
		c.Entries = append(c.Entries, frontier.Entry{
			ID: id(uint32(h.ID)-1, 5*n+i), URL: fmt.Sprintf("https://%s/category/%d/article-%d.html", h.Name, n%17, 5*n+i),
			Via: frontier.ViaLink, Depth: 3, Parent: id(own, n), Found: now,
		})
		c.Hashes = append(c.Hashes, uint64(5*n+i+1)*0x9e3779b97f4a7c15)
	}
	c.Page = &Page{
		ID: c.Entries[0].ID, Outcome: frontier.Indexed, Status: 200, Fetched: now, Took: 80 * time.Millisecond, Attempts: 1,
		Bytes: 40_000, ContentType: "text/html; charset=utf-8", Title: fmt.Sprintf("Article %d of a site", n), Lang: "en",
		ETag: `"5f3a-61b2c"`, BodyHash: uint64(n), TextHash: uint64(n), Links: 75,
	}
	return c
}

func BenchmarkAppend(b *testing.B) {
	db := create(b, filepath.Join(b.TempDir(), "crawl.db"))
	commits := make([]Commit, 20_000)
	at := uint32(0)
	more := func() {
		for i := range commits {
			commits[i] = pageCommit(at)
			at++
		}
	}
	n := len(commits)
	b.ReportAllocs()
	for b.Loop() {
		if n == len(commits) {
			b.StopTimer()
			more()
			n = 0
			b.StartTimer()
		}
		db.Append(commits[n])
		n++
	}
	if err := db.Sync(); err != nil { // timed with the rest: a page is done when it is durable
		b.Fatal(err)
	}
}

// filled makes a closed crawl file of that many pages.
func filled(b *testing.B, pages uint32) (path string) {
	b.Helper()
	path = filepath.Join(b.TempDir(), "crawl.db")
	db := create(b, path)
	for n := range pages {
		db.Append(pageCommit(n))
	}
	if err := db.Close(); err != nil {
		b.Fatal(err)
	}
	return path
}

// BenchmarkOpen opens a file and reads what a frontier needs of it.
func BenchmarkOpen(b *testing.B) {
	for _, pages := range []uint32{1_000, 100_000} {
		b.Run(fmt.Sprintf("urls=%d", 5*pages), func(b *testing.B) {
			path := filled(b, pages)
			for b.Loop() {
				db, err := Open(path, Options{ReadOnly: true})
				if err != nil {
					b.Fatal(err)
				}
				if _, err := frontier.Open(db, frontier.Options{}); err != nil {
					b.Fatal(err)
				}
				if err := db.Close(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(5*pages), "ns/url")
		})
	}
}

func BenchmarkPages(b *testing.B) {
	const pages = 100_000
	db := reopen(b, filled(b, pages))
	b.ReportAllocs()
	for b.Loop() {
		n := 0
		if err := db.Pages(func(frontier.Entry, Page) error { n++; return nil }); err != nil || n != pages {
			b.Fatalf("Pages found %d, %v; want %d", n, err, pages)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/pages, "ns/page")
}

// BenchmarkEntries reads waiting entries of one of 100 hosts, as the frontier does.
func BenchmarkEntries(b *testing.B) {
	const pages = 100_000
	db := reopen(b, filled(b, pages))
	for _, limit := range []int{1, 4} {
		b.Run(fmt.Sprintf("limit=%d", limit), func(b *testing.B) {
			b.ReportAllocs()
			n := uint32(0)
			for b.Loop() {
				n = n*1664525 + 1013904223
				h := n >> 8 % 99
				es, err := db.Entries(frontier.HostID(h+1), frontier.ClassLink, 5*(h+n>>16%1000*100), limit)
				if err != nil || len(es) < min(limit, 4) {
					b.Fatalf("%d entries, %v", len(es), err)
				}
			}
		})
	}
}
