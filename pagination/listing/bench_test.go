package listing_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashcrawl/hashcrawl/pagination/listing"
	"github.com/hashcrawl/hashcrawl/pagination/pager"
)

// ordinaryPage is an index page of 20 KB with 75 links.
func ordinaryPage(withPager bool) []byte {
	var b strings.Builder
	b.WriteString("<!DOCTYPE html><html lang=en><head><title>Notices</title></head><body><header><nav class=menu><ul>")
	for i := range 12 {
		fmt.Fprintf(&b, "<li class=menu-item><a href=/section/%d>Section number %d</a></li>", i, i)
	}
	b.WriteString("</ul></nav></header><main id=content><div class=list>")
	for i := range 20 {
		fmt.Fprintf(&b, `<article class="post type-post"><h2 class="entry-title"><a href="/2024/notice-%d">What there is to say of notice number %d</a></h2>
<div class="meta"><span class="date">%d May 2024</span> by <a rel=author href=/author/%d>author %d</a></div><p class=excerpt>%s</p></article>
`, 900-i, 900-i, 28-i, i%3, i%3, strings.Repeat("Some words of the notice itself. ", 20))
	}
	b.WriteString("</div>")
	if withPager {
		b.WriteString("<div class=pagination><span class=current>1</span>")
		for n := 2; n < 11; n++ {
			fmt.Fprintf(&b, "<a href=/?page=%d>%d</a> ", n, n)
		}
		b.WriteString("<a href=/?page=2>Next</a></div>")
	}
	b.WriteString("</main><aside class=sidebar><h3>Recent posts</h3><ul>")
	for i := range 13 {
		fmt.Fprintf(&b, "<li><a href=/old/%d>An older notice, number %d</a></li>", i, i)
	}
	b.WriteString("</ul></aside></body></html>")
	return []byte(b.String())
}

func BenchmarkRead(b *testing.B) {
	for _, withPager := range []bool{true, false} {
		body := ordinaryPage(withPager)
		s := parse(b, "http://a.test/", body)
		b.Run(fmt.Sprintf("pager=%t/links=%d", withPager, len(s.doc.Links)), func(b *testing.B) {
			reader := listing.NewReader(pager.New(nil))
			options := listing.Options{Now: fetched, Resolve: s.resolve}
			b.ReportAllocs()
			b.SetBytes(int64(len(body)))
			for b.Loop() {
				reader.Read(s.doc, s.at, s.urls, options)
			}
		})
	}
}
