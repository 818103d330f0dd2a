package htmldoc

import (
	"bytes"
	"os"
	"testing"

	"golang.org/x/net/html"
)

// typicalPage is an index page of 20 KB with 80 links.
func typicalPage(tb testing.TB) []byte {
	tb.Helper()
	page, err := os.ReadFile("../../testdata/htmldoc/news.html")
	if err != nil {
		tb.Fatal(err)
	}
	return page
}

// BenchmarkTokenizer is the floor: the tokens of the page, and the attributes
// of <a>, read and thrown away.
func BenchmarkTokenizer(b *testing.B) {
	page := typicalPage(b)
	b.SetBytes(int64(len(page)))
	b.ReportAllocs()
	for b.Loop() {
		z := html.NewTokenizer(bytes.NewReader(page))
		for tt := z.Next(); tt != html.ErrorToken; tt = z.Next() {
			if tt != html.StartTagToken {
				continue
			}
			for name, more := z.TagName(); more && string(name) == "a"; {
				_, _, more = z.TagAttr()
			}
		}
	}
}

func BenchmarkParse(b *testing.B) {
	page := typicalPage(b)
	for _, bc := range []struct {
		name string
		o    Options
	}{
		{"want=links", Options{}},
		{"want=outline", Options{Outline: true}},
	} {
		b.Run(bc.name, func(b *testing.B) {
			b.SetBytes(int64(len(page)))
			b.ReportAllocs()
			var p Parser
			for b.Loop() {
				p.Parse(page, bc.o)
			}
		})
	}
}

func BenchmarkDecode(b *testing.B) {
	page := typicalPage(b)
	for _, bc := range []struct{ name, contentType string }{
		{"declared=header", "text/html; charset=utf-8"},
		{"declared=meta", "text/html"},
	} {
		b.Run(bc.name, func(b *testing.B) {
			b.SetBytes(int64(len(page)))
			b.ReportAllocs()
			for b.Loop() {
				Decode(page, bc.contentType, "")
			}
		})
	}
}
