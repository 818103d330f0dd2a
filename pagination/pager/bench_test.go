package pager_test

import (
	"os"
	"path/filepath"
	"testing"

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
