package listing_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/hashcrawl/hashcrawl/pagination/listing"
)

// FuzzRead holds what the crawl relies on: links and blocks exist, no item
// stands twice in a block, rows follow one another, and the same page gives the
// same listings.
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
		again := s.read(listing.Options{Always: always})
		if describe(&again) != describe(&page) {
			t.Fatalf("read twice:\n%s\n%s", describe(&page), describe(&again))
		}
		listing.Difference(&page, &again)
	})
}
