package listing_test

import (
	"net/http/httptest"
	"testing"
	"time"

	"github.com/hashcrawl/hashcrawl/cmd/hashcrawl/demosite"
	"github.com/hashcrawl/hashcrawl/pagination/listing"
)

// TestDemonstrationSiteIsReadRight reads its news roll, which has a pinned
// notice on every page, and the keeper's log, whose pages are states.
func TestDemonstrationSiteIsReadRight(t *testing.T) {
	demo := demosite.New(demosite.Options{})
	for _, tc := range []struct {
		target, url string
		number      int
		next        string
		pinned      int
	}{
		{"/news/", "http://demo.test/news/", 1, "http://demo.test/news/?page=2", 1},
		{"/news/?page=2", "http://demo.test/news/?page=2", 2, "http://demo.test/news/?page=3", 1},
		{"/log?_escaped_fragment_=", "http://demo.test/log", 1, "http://demo.test/log#!page=2", 0},
		{"/log?_escaped_fragment_=page=2", "http://demo.test/log#!page=2", 2, "http://demo.test/log#!page=3", 0},
	} {
		t.Run(tc.url, func(t *testing.T) {
			w := httptest.NewRecorder()
			demo.ServeHTTP(w, httptest.NewRequest("GET", tc.target, nil))
			page := parse(t, tc.url, w.Body.Bytes()).read(listing.Options{Now: time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)})
			if len(page.Listings) != 1 {
				t.Fatalf("%d listings, want 1\n%s", len(page.Listings), describe(&page))
			}
			l := page.Listings[0]
			pinned := 0
			for _, r := range page.Blocks[l.Block].Rows {
				if r.Pinned {
					pinned++
				}
			}
			if l.Order != listing.NewestFirst || l.Number != tc.number || l.Next.Display != tc.next || pinned != tc.pinned {
				t.Errorf("order %v, page %d, next %s, %d pinned; want newest-first, %d, %s, %d\n%s",
					l.Order, l.Number, l.Next.Display, pinned, tc.number, tc.next, tc.pinned, describe(&page))
			}
		})
	}
}
