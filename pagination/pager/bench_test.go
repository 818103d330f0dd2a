package pager_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/hashcrawl/hashcrawl/crawler/htmldoc"
	"github.com/hashcrawl/hashcrawl/pagination/pager"
	"github.com/hashcrawl/hashcrawl/pagination/pager/labelled"
)

// testdata returns a path below the repository's testdata.
func testdata(parts ...string) string {
	return filepath.Join(append([]string{"..", "..", "testdata"}, parts...)...)
}

func readPage(tb testing.TB, url string, file string) *labelled.Page {
	tb.Helper()
	src, err := os.ReadFile(file)
	if err != nil {
		tb.Fatal(err)
	}
	p, err := labelled.Parse(url, src)
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

func BenchmarkLabel(b *testing.B) {
	for _, bc := range []struct{ name, url, file string }{
		{"page=news", "https://news.test/?page=2", testdata("htmldoc", "news.html")},
		{"page=article", "https://news.test/a/1", testdata("htmldoc", "article.html")},
		{"page=forum", "https://forum.test/viewforum.php?f=8&start=25", testdata("pagination", "pager", "held", "phpbb-nl.html")},
	} {
		p := readPage(b, bc.url, bc.file)
		b.Run(bc.name, func(b *testing.B) {
			b.ReportAllocs()
			l := pager.New(nil)
			for b.Loop() {
				l.Label(p.Doc, p.URL, p.URLs)
			}
			b.ReportMetric(float64(len(p.Doc.Links)), "links")
		})
	}
}

// BenchmarkMayContinue reads all links of a page, less those of its pager.
func BenchmarkMayContinue(b *testing.B) {
	p := readPage(b, "https://news.test/?page=2", testdata("htmldoc", "news.html"))
	doc := &htmldoc.Page{}
	for _, l := range p.Doc.Links {
		if !pager.MayContinue(&htmldoc.Page{Links: []htmldoc.Link{l}}) {
			doc.Links = append(doc.Links, l)
		}
	}
	for b.Loop() {
		if pager.MayContinue(doc) {
			b.Fatal("one of the links is a pager's among others only")
		}
	}
	b.ReportMetric(float64(len(doc.Links)), "links")
}
