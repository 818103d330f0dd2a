package listing_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/hashcrawl/hashcrawl/pagination/listing"
	"github.com/hashcrawl/hashcrawl/pagination/pager"
)

// FuzzRead holds what the crawl relies on: links and blocks exist, no item
// stands twice in a block, rows follow one another, and the same page gives the
// same listings to a reader that has read others.
func FuzzRead(f *testing.F) {
	pages, err := filepath.Glob(filepath.Join(folder, "*.html"))
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range pages {
		body, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(body, true)
	}
	reader := listing.NewReader(pager.New(nil))
	f.Fuzz(func(t *testing.T, body []byte, always bool) {
		s := parse(t, "http://a.test/list?page=1", body)
		page := s.read(listing.Options{Always: always})
		for _, l := range page.Listings {
			if l.Block < 0 || l.Block >= len(page.Blocks) || !page.Blocks[l.Block].Pager || l.NextLink >= len(s.doc.Links) {
				t.Fatalf("listing %+v of %d blocks", l, len(page.Blocks))
			}
		}
		for _, b := range page.Blocks {
			seen := make(map[string]bool)
			last := -1
			for _, r := range b.Rows {
				if seen[r.URL.Key] || r.Node <= last || r.Node >= len(s.doc.Outline.Nodes) || s.urls[r.Link].Key != r.URL.Key {
					t.Fatalf("row %+v of block %s", r, b.Path)
				}
				seen[r.URL.Key], last = true, r.Node
			}
		}
		for i := range page.Listings {
			page.Seen(i)
		}
		again := s.readBy(reader, listing.Options{Always: always})
		if describe(&again) != describe(&page) {
			t.Fatalf("read twice:\n%s\n%s", describe(&page), describe(&again))
		}
		listing.Difference(&page, &again)
	})
}

// FuzzParseMarkers holds that a file of markers is read or refused, and that
// what is read can be used.
func FuzzParseMarkers(f *testing.F) {
	f.Add([]byte("hosts:\n  - host: a.test\n    row: li\n    pager: .pager\n    order: newest-first\n    order-when: ul\n"))
	f.Add([]byte("hosts:\n  - host: \"*.test\"\n    block: ul\n    link: a\n    date: i\n"))
	f.Add([]byte("hosts: [{host: a, row: \"p[\"}]"))
	s := parse(f, "http://a.test/l?page=1", list(1, "2024-06-14", "2024-06-12", "2024-06-11"))
	f.Fuzz(func(_ *testing.T, file []byte) {
		if m, err := listing.ParseMarkers(file); err == nil {
			s.read(listing.Options{Markers: m})
		}
	})
}
