package listing_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hashcrawl/hashcrawl/crawler/htmldoc"
	"github.com/hashcrawl/hashcrawl/pagination/listing"
	"github.com/hashcrawl/hashcrawl/pagination/pager"
	"github.com/hashcrawl/hashcrawl/urlnorm"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// fetched is when the pages of testdata were fetched.
var fetched = time.Date(2024, 6, 15, 12, 0, 0, 0, time.UTC)

// folder holds pages that begin with a comment that names their URL.
var folder = filepath.Join("..", "..", "testdata", "pagination", "listing")

// A site is a page with what Read is told of it.
type site struct {
	doc     *htmldoc.Page
	at      urlnorm.URL
	urls    []urlnorm.URL
	resolve func(string) (urlnorm.URL, error)
}

func parse(t testing.TB, url string, body []byte) site {
	t.Helper()
	norm, err := urlnorm.New(urlnorm.Config{})
	if err != nil {
		t.Fatal(err)
	}
	s := site{doc: htmldoc.Parse(body, htmldoc.Options{Outline: true})}
	if s.at, err = norm.Resolve(nil, url, urlnorm.Charset{}); err != nil {
		t.Fatal(err)
	}
	base, err := norm.Base(s.at.Display)
	if err != nil {
		t.Fatal(err)
	}
	s.resolve = func(ref string) (urlnorm.URL, error) { return norm.Resolve(base, ref, urlnorm.Charset{}) }
	s.urls = make([]urlnorm.URL, len(s.doc.Links))
	for i := range s.doc.Links {
		s.urls[i], _ = s.resolve(s.doc.Links[i].Href) // the zero URL where a link has none
	}
	return s
}

func (s site) read(o listing.Options) listing.Page {
	return s.readBy(listing.NewReader(pager.New(nil)), o)
}

// readBy reads the page with the memory that rd has left of pages before.
func (s site) readBy(rd *listing.Reader, o listing.Options) listing.Page {
	if o.Now.IsZero() {
		o.Now = fetched
	}
	o.Resolve = s.resolve
	return rd.Read(s.doc, s.at, s.urls, o)
}

// load reads a page of testdata.
func load(t testing.TB, name string) site {
	t.Helper()
	body, err := os.ReadFile(filepath.Join(folder, name+".html"))
	if err != nil {
		t.Fatal(err)
	}
	url, _, ok := strings.Cut(strings.TrimPrefix(string(body), "<!-- "), " -->")
	if !ok {
		t.Fatalf("%s does not begin with its URL", name)
	}
	return parse(t, url, body)
}

// describe writes what a page is to us.
func describe(p *listing.Page) string {
	var b strings.Builder
	for _, l := range p.Listings {
		fmt.Fprintf(&b, "listing %s%s, page %d of %d, next %s, slack %v\n", l.ID.Pattern.URL(2), l.ID.Sort, l.Number, l.Last, l.Next.Display, l.Slack)
	}
	for i := range p.Blocks {
		k := &p.Blocks[i]
		if !k.Pager {
			continue
		}
		fmt.Fprintf(&b, "block %s\n  signature %s\n  %s\n", k.Path, k.Signature, k.Order)
		for _, e := range k.Evidence {
			fmt.Fprintf(&b, "  because %s\n", e)
		}
		for _, r := range k.Rows {
			pin := ""
			if r.Pinned {
				pin = "  pinned"
			}
			fmt.Fprintf(&b, "    %s  %s  [%s]%s\n", r.URL.Display, r.Text, r.DateText, pin)
		}
	}
	return b.String()
}

func TestPagesAreReadAsAPersonWould(t *testing.T) {
	pages, err := filepath.Glob(filepath.Join(folder, "*.html"))
	if err != nil || len(pages) == 0 {
		t.Fatalf("no pages in %s: %v", folder, err)
	}
	reader := listing.NewReader(pager.New(nil))
	for _, file := range pages {
		name := strings.TrimSuffix(filepath.Base(file), ".html")
		t.Run(name, func(t *testing.T) {
			s := load(t, name)
			page := s.read(listing.Options{})
			got := describe(&page)
			if page := s.readBy(reader, listing.Options{}); describe(&page) != got {
				t.Errorf("after other pages, Read(%s) =\n%s\nalone it is\n%s", name, describe(&page), got)
			}
			golden := filepath.Join(folder, name+".golden")
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("Read(%s) =\n%s\nwant\n%s", name, got, want)
			}
		})
	}
}
