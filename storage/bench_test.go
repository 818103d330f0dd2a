package storage

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	bolt "go.etcd.io/bbolt"

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
		c.Hashes = append(c.Hashes, hashNumber(uint64(5*n+i+1)))
	}
	c.Page = &Page{
		ID: c.Entries[0].ID, Outcome: frontier.Indexed, Status: 200, Fetched: now, Took: 80 * time.Millisecond, Attempts: 1,
		Bytes: 40_000, ContentType: "text/html; charset=utf-8", Title: fmt.Sprintf("Article %d of a site", n), Lang: "en",
		ETag: `"5f3a-61b2c"`, BodyHash: uint64(n), TextHash: uint64(n), Links: 75,
	}
	return c
}

// hashNumber scatters numbers as the hash of keys does: a multiplication alone
// would spread them better than chance, and no two would meet in the seen set.
func hashNumber(n uint64) uint64 {
	n *= 0x9e3779b97f4a7c15
	n = (n ^ n>>30) * 0xbf58476d1ce4e5b9
	n = (n ^ n>>27) * 0x94d049bb133111eb
	return n ^ n>>31
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

// fill makes a crawl file of that many pages.
func fill(b *testing.B, pages uint32) (db *DB, path string) {
	b.Helper()
	path = filepath.Join(b.TempDir(), "crawl.db")
	db = create(b, path)
	for n := range pages {
		c := pageCommit(n)
		c.Counts[frontier.Waiting], c.Counts[frontier.Indexed] = 4*uint64(n+1), uint64(n+1)
		db.Append(c)
	}
	if err := db.Sync(); err != nil {
		b.Fatal(err)
	}
	return db, path
}

// filled makes a crawl file of that many pages, and closes it.
func filled(b *testing.B, pages uint32) (path string) {
	b.Helper()
	db, path := fill(b, pages)
	if err := db.Close(); err != nil {
		b.Fatal(err)
	}
	return path
}

// filledAndKilled makes a crawl file of that many pages, as kill -9 leaves it: what
// is in the log stays there.
func filledAndKilled(b *testing.B, pages uint32) (path string) {
	b.Helper()
	db, path := fill(b, pages)
	if err := db.bolt.Close(); err != nil {
		b.Fatal(err)
	}
	db.Close()
	return path
}

// inRuns returns how many entries of a file are packed in runs, and how many
// hashes stand beside them. The others are in its log.
func inRuns(b *testing.B, path string) (entries, hashes uint64) {
	b.Helper()
	db, err := Open(path, Options{ReadOnly: true})
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	err = db.view(func(tx *bolt.Tx) error {
		runs, err := runsOf(tx, tableURL)
		for _, r := range runs {
			entries += r.records
		}
		if err != nil {
			return err
		}
		return tx.Bucket(bucketHash).ForEach(func(_, v []byte) error {
			hashes += uint64(len(v)-crcSize) / 8
			return nil
		})
	})
	if err != nil {
		b.Fatal(err)
	}
	return entries, hashes
}

// BenchmarkOpen opens a file and reads what a frontier needs of it: after a crawl
// that was closed all hashes stand beside the runs, after one that was killed some
// are in the log, with all that was not carried to the runs yet.
func BenchmarkOpen(b *testing.B) {
	sizes := []int{5_000, 500_000}
	if n := scaleNumber(scaleURLs, 0); n > 0 {
		sizes = []int{n}
	}
	for _, urls := range sizes {
		for _, end := range []struct {
			name string
			fill func(*testing.B, uint32) string
		}{{"closed", filled}, {"killed", filledAndKilled}} {
			b.Run(fmt.Sprintf("urls=%d/end=%s", urls, end.name), func(b *testing.B) {
				path := end.fill(b, uint32(urls/5))
				entries, hashes := inRuns(b, path)
				if urls >= 500_000 && min(entries, hashes) < uint64(urls)/2 { // a small file may be a log alone
					b.Fatalf("%d entries and %d hashes of %d are packed", entries, hashes, urls)
				}
				for b.Loop() {
					openForFrontier(b, path)
				}
				each := float64(b.Elapsed().Nanoseconds()) / float64(b.N) / float64(urls)
				b.ReportMetric(each, "ns/url")
				b.ReportMetric(1e9/each, "urls/s")
				b.ReportMetric(100-100*float64(hashes)/float64(urls), "%in-log")
			})
		}
	}
}

// openForFrontier opens a file, which stays as it is.
func openForFrontier(b *testing.B, path string) {
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

// BenchmarkMerge merges the runs of half a million entries, and keeps nothing.
func BenchmarkMerge(b *testing.B) {
	db := reopen(b, filled(b, 100_000))
	forget := func(_, _ []byte) error { return nil }
	records := uint64(0)
	b.ReportAllocs()
	err := db.view(func(tx *bolt.Tx) error {
		runs, err := runsOf(tx, tableURL)
		if err != nil || len(runs) < 2 {
			return fmt.Errorf("%d runs: %w", len(runs), err)
		}
		for b.Loop() {
			c, err := openRuns(tx, tableURL, runs, idKey{})
			if err != nil {
				return err
			}
			w := newRunWriter(tableURL, run{}, packedPlain)
			for {
				k, v, ok, err := c.next()
				if err != nil {
					return err
				}
				if !ok {
					break
				}
				if err := w.add(forget, k, v); err != nil {
					return err
				}
			}
			records += w.run.records
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(records), "ns/record")
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
