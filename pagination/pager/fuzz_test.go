package pager_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/hashcrawl/hashcrawl/crawler/htmldoc"
	"github.com/hashcrawl/hashcrawl/pagination/pager"
	"github.com/hashcrawl/hashcrawl/pagination/pager/labelled"
)

// FuzzLabel holds what every result promises, whatever the page: roles fit the
// links, pagers hold links that have roles, and a pattern finds its own pages.
func FuzzLabel(f *testing.F) {
	files, err := filepath.Glob(testdata("pagination", "pager", "held", "*.html"))
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add("https://x.test/list?page=2", src)
	}
	f.Fuzz(func(t *testing.T, url string, src []byte) {
		p, err := labelled.Parse(url, src)
		if err != nil {
			return // no page stands at such a URL
		}
		r := pager.Label(p.Doc, p.URL, p.URLs)
		if len(r.Labels) != len(p.Doc.Links) {
			t.Fatalf("%d labels for %d links", len(r.Labels), len(p.Doc.Links))
		}
		if !pager.MayContinue(p.Doc) && len(r.Pagers) > 0 {
			t.Errorf("a page that may not continue has the pagers %+v", r.Pagers)
		}
		for _, g := range r.Pagers {
			checkPager(t, p.Doc, &r, &g)
		}
	})
}

func checkPager(t *testing.T, doc *htmldoc.Page, r *pager.Result, g *pager.Pager) {
	t.Helper()
	if len(g.Links) == 0 || len(g.Links) != len(g.Numbers) {
		t.Fatalf("pager with %d links and %d numbers", len(g.Links), len(g.Numbers))
	}
	n := doc.Outline.Nodes[g.Node]
	for i, link := range g.Links {
		if r.Labels[link] == pager.Other {
			t.Errorf("link %d is in a pager but has no role", link)
		}
		if g.Numbers[i] < 0 || g.Last < 0 || g.Current < 0 {
			t.Errorf("a negative number in %+v", g)
		}
		if l := doc.Outline.Nodes[g.Node:n.End]; len(l) == 0 {
			t.Errorf("an empty element in %+v", g)
		}
	}
	for page := 2; page < 5 && g.Pattern.Slope > 0; page++ {
		if u := g.Pattern.URL(page); g.Pattern.Page(u) != page {
			t.Errorf("Page(%q) = %d, want %d, by %+v", u, g.Pattern.Page(u), page, g.Pattern)
		}
	}
}
