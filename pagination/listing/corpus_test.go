package listing_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/hashcrawl/hashcrawl/pagination"
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

// notByTime are pages of the corpus that list by something else than time:
// shops, catalogues and events to come, as judged by eye.
var notByTime = []string{
	"6", "7", "8", "17", "18", "19", "52", "53", "88", "108", "109", "114", "115", "117", "118", "119", "121", "122", "128", "134", "140",
	"141", "166", "167", "188", "197", "198", "199", "200",
}

// TestCorpusOrder holds that no page of a shop and the like is called ordered
// by time, and that most of those that are ordered so are. With -v it lists all
// listings with their evidence, to be checked by eye.
func TestCorpusOrder(t *testing.T) {
	pages, err := labelled.Read(corpus(t, "pagination", "autopager"))
	if err != nil {
		t.Fatal(err)
	}
	norm, err := urlnorm.New(urlnorm.Config{})
	if err != nil {
		t.Fatal(err)
	}
	reader := listing.NewReader(pager.New(nil))
	count := make(map[listing.Order]int)
	for _, p := range pages {
		at, err := norm.Resolve(nil, p.URL, urlnorm.Charset{})
		if err != nil {
			t.Fatal(err)
		}
		got := reader.Read(p.Doc, at, p.URLs, listing.Options{Now: time.Date(2016, 6, 1, 0, 0, 0, 0, time.UTC)})
		for i, l := range got.Listings {
			b := &got.Blocks[l.Block]
			t.Logf("page %s %s: %s | %s | %d rows | next %s, page %d of %d\n%q", p.Name, p.URL, l.Order, b.Path, len(b.Rows), l.Next.Display,
				l.Number, l.Last, b.Evidence)
			if i == 0 {
				count[l.Order]++
			}
			if l.Order.Direction() != pagination.Undecided && slices.Contains(notByTime, p.Name) {
				t.Errorf("page %s %s is called %s: %q", p.Name, p.URL, l.Order, b.Evidence)
			}
		}
	}
	t.Logf("pages by order: %v", count)
	if count[listing.NewestFirst] < 58 {
		t.Errorf("%d pages are called newest-first, want at least 58", count[listing.NewestFirst])
	}
}
