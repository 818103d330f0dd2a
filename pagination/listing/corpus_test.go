package listing_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/hashcrawl/hashcrawl/pagination/listing"
	"github.com/hashcrawl/hashcrawl/pagination/pager"
	"github.com/hashcrawl/hashcrawl/pagination/pager/labelled"
	"github.com/hashcrawl/hashcrawl/urlnorm"
)

// corpus returns the path of a part of the shared corpus, or skips the test.
func corpus(t testing.TB, parts ...string) string {
	t.Helper()
	root := os.Getenv("HASHCRAWL_CORPUS")
	if root == "" {
		root = filepath.Join("..", "..", "..", "shared", "corpus")
	}
	path := filepath.Join(append([]string{root}, parts...)...)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("no corpus: %v", err)
	}
	return path
}

// TestCorpusOrder lists, with -v, every page that is called ordered by time.
func TestCorpusOrder(t *testing.T) {
	pages, err := labelled.Read(corpus(t, "pagination", "autopager"))
	if err != nil {
		t.Fatal(err)
	}
	norm, err := urlnorm.New(urlnorm.Config{})
	if err != nil {
		t.Fatal(err)
	}
	labeler := pager.New(nil)
	for _, p := range pages {
		at, err := norm.Resolve(nil, p.URL, urlnorm.Charset{})
		if err != nil {
			t.Fatal(err)
		}
		got := listing.Read(p.Doc, at, p.URLs, listing.Options{Now: time.Date(2016, 6, 1, 0, 0, 0, 0, time.UTC), Labeler: labeler})
		for _, l := range got.Listings {
			b := &got.Blocks[l.Block]
			t.Logf("page %s %s: %s | %s | %d rows | next %s %d/%d\n\t%q", p.Name, p.URL, l.Order, b.Path, len(b.Rows), l.Next.Display, l.Number, l.Last, b.Evidence)
			for i, r := range b.Rows {
				if i < 3 {
					t.Logf("\t\t%.60s | %s | %v", r.Text, r.DateText, r.Pinned)
				}
			}
		}
		if len(got.Listings) == 0 && got.Pager.Main >= 0 {
			t.Logf("page %s %s: pager but NO LISTING, %d blocks", p.Name, p.URL, len(got.Blocks))
		}
	}
}
