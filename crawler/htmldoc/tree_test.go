package htmldoc

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/net/html"
)

// treeHrefs returns the values of a[href] in the tree that x/net/html builds
// without scripting, in document order, templates left out.
func treeHrefs(tb testing.TB, doc []byte) []string {
	tb.Helper()
	root, err := html.ParseWithOptions(bytes.NewReader(doc), html.ParseOptionEnableScripting(false))
	if err != nil {
		tb.Skipf("the tree parser declines the page: %v", err)
	}
	var hrefs []string
	var walk func(*html.Node)
	walk = func(n *html.Node) {
		if n.Type == html.ElementNode && n.Data == "template" && n.Namespace == "" {
			return
		}
		if n.Type == html.ElementNode && n.Data == "a" {
			for _, a := range n.Attr {
				if a.Key == "href" && a.Namespace == "" {
					hrefs = append(hrefs, a.Val)
					break
				}
			}
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c)
		}
	}
	walk(root)
	return hrefs
}

// anchorHrefs returns the references of the indexed links, and fails the test
// unless their indices count from 0.
func anchorHrefs(tb testing.TB, p *Page) []string {
	tb.Helper()
	var hrefs []string
	for _, l := range p.Links {
		if l.Index < 0 {
			continue
		}
		if l.Index != len(hrefs) {
			tb.Errorf("link %q has index %d, want %d", l.Href, l.Index, len(hrefs))
		}
		hrefs = append(hrefs, l.Href)
	}
	return hrefs
}

// TestAnchorsAreThoseOfTheTree holds on ordinary pages exactly; a tree with
// copies of anchors that were left open is compared in the next test.
func TestAnchorsAreThoseOfTheTree(t *testing.T) {
	for _, name := range []string{"news", "article", "gbk", "windows-1251", "euc-kr", "big5"} {
		body, err := os.ReadFile("../../testdata/htmldoc/" + name + ".html")
		if err != nil {
			t.Fatal(err)
		}
		doc, _ := Decode(body, "", "")
		if got, want := anchorHrefs(t, Parse(doc, Options{})), treeHrefs(t, doc); !slices.Equal(got, want) {
			t.Errorf("anchors of %s = %q, want %q", name, got, want)
		}
	}
}

func corpusPages(t *testing.T) []string {
	pages, err := filepath.Glob(corpus("pagination/autopager/html/*.html"))
	if err != nil || len(pages) == 0 {
		t.Skip("the corpus is not here")
	}
	return pages
}

func TestAnchorsAreThoseOfTheTreeOnRealPages(t *testing.T) {
	for _, file := range corpusPages(t) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			body, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			doc, _ := Decode(body, "", "utf-8")
			got := anchorHrefs(t, Parse(doc, Options{}))
			// The tree holds copies of anchors that were left open.
			got, want := slices.Compact(got), slices.Compact(treeHrefs(t, doc))
			if !slices.Equal(got, want) {
				t.Errorf("%d links, the tree has %d", len(got), len(want))
				for i := range min(len(got), len(want)) {
					if got[i] != want[i] {
						t.Errorf("first difference at %d: %q, want %q", i, got[i], want[i])
						break
					}
				}
			}
		})
	}
}
