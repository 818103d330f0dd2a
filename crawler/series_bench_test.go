package crawler

import (
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hashcrawl/hashcrawl/crawler/fetch"
	"github.com/hashcrawl/hashcrawl/frontier"
	"github.com/hashcrawl/hashcrawl/storage"
	"github.com/hashcrawl/hashcrawl/urlnorm"
)

// BenchmarkReadPage measures all that is done with the body of one page, and
// what a pager on it adds.
func BenchmarkReadPage(b *testing.B) {
	for _, pager := range []string{"yes", "no"} {
		body := newsPage(pager == "yes")
		b.Run("pager="+pager, func(b *testing.B) {
			settings := &Settings{
				Seeds: []string{"http://a.test/news/"}, Scope: ScopeHost, MaxDepth: -1, AJAX: AJAXAuto, Ugly: UglyCount,
				Traps: map[string]int{"same-body": 0, "same-text": 0},
			}
			norm, err := settings.Normalizer()
			if err != nil {
				b.Fatal(err)
			}
			db, err := storage.Open(filepath.Join(b.TempDir(), "crawl.db"), storage.Options{Create: true, Norm: norm.ID()})
			if err != nil {
				b.Fatal(err)
			}
			defer db.Close()
			c, err := New(db, &web{}, settings, Options{})
			if err != nil {
				b.Fatal(err)
			}
			u, err := c.norm.Resolve(nil, "http://a.test/news/", urlnorm.Charset{})
			if err != nil {
				b.Fatal(err)
			}
			resp := &fetch.Response{
				URL: u.Fetch, Status: 200, Header: http.Header{"Content-Type": {"text/html; charset=utf-8"}}, Body: []byte(body),
				Start: time.Now(), End: time.Now(),
			}
			b.ReportAllocs()
			b.SetBytes(int64(len(body)))
			for b.Loop() {
				p := &page{Lease: &frontier.Lease{Entry: frontier.Entry{URL: u.Display}, Host: u.Host()}, at: u, resp: resp}
				p.record = recordOf(p)
				c.read(p)
			}
		})
	}
}

// newsPage returns a page of 20 KB with some 75 links.
func newsPage(withPager bool) string {
	var b strings.Builder
	b.WriteString("<!DOCTYPE html><html lang=en><head><title>News</title></head><body><nav class=menu><ul>")
	for i := range 20 {
		fmt.Fprintf(&b, "<li class=menu-item><a href=\"/section/%d\">Section of the paper</a></li>\n", i)
	}
	b.WriteString("</ul></nav><main><ul class=list>\n")
	for i := range 20 {
		fmt.Fprintf(&b, `<li class="item post-%d"><h2 class=title><a href="/2026/03/story-%d.html">A headline of a story of the day, number %d</a></h2>`+
			`<span class=meta>by <a href="/author/%d">An Author</a>, <time datetime="2026-03-%02dT10:00:00Z">%d March 2026</time></span>`+
			"<p class=teaser>%s</p></li>\n", i, i, i, i%7, 28-i, 28-i, strings.Repeat("The beginning of the story in some words. ", 12))
	}
	b.WriteString("</ul>")
	if withPager {
		b.WriteString("<div class=pager><b>1</b> ")
		for n := 2; n < 10; n++ {
			fmt.Fprintf(&b, "<a href=\"/news/?page=%d\">%d</a> ", n, n)
		}
		b.WriteString("<a href=\"/news/?page=2\">Next</a></div>")
	}
	b.WriteString("</main><footer>")
	for i := range 8 {
		fmt.Fprintf(&b, "<a href=\"/about/%d\">About</a> ", i)
	}
	return b.String() + "</footer></body></html>"
}
