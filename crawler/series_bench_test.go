package crawler

import (
	"fmt"
	"net/http"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/hashcrawl/hashcrawl/crawler/fetch"
	"github.com/hashcrawl/hashcrawl/frontier"
	"github.com/hashcrawl/hashcrawl/storage"
	"github.com/hashcrawl/hashcrawl/urlnorm"
)

// BenchmarkReadPage measures all that is done with the body of one page, and
// what a pager on it adds: "rarely" for the first index page after many others.
func BenchmarkReadPage(b *testing.B) {
	for _, bc := range []struct {
		pager      string
		continuing float64
	}{{"yes", 1}, {"rarely", 0}, {"no", 0}} {
		body := newsPage(bc.pager != "no")
		b.Run("pager="+bc.pager, func(b *testing.B) {
			c, fetched := newsCrawler(b, body)
			rd := c.reader()
			b.ReportAllocs()
			b.SetBytes(int64(len(body)))
			for b.Loop() {
				rd.continuing = bc.continuing
				c.readContent(fetched(), rd)
			}
		})
	}
}

// TestIndexPagesAreReadAlike holds that it makes no difference to what is read
// whether a page is parsed with its outline at once or twice.
func TestIndexPagesAreReadAlike(t *testing.T) {
	for _, withPager := range []bool{true, false} {
		c, fetched := newsCrawler(t, newsPage(withPager))
		twice, once := fetched(), fetched()
		rd := c.reader()
		rd.continuing = 0
		c.readContent(twice, rd)
		rd.continuing = 1
		c.readContent(once, rd)
		if (once.listing != nil) != withPager {
			t.Errorf("pager %t: listing %v", withPager, once.listing)
		}
		if !reflect.DeepEqual(twice, once) {
			t.Errorf("pager %t: read twice\n%+v\nonce\n%+v", withPager, twice, once)
		}
	}
}

// newsCrawler returns a crawler and a function that returns the page with the
// body as it was just fetched.
func newsCrawler(tb testing.TB, body string) (*Crawler, func() *page) {
	settings := &Settings{
		Seeds: []string{"http://a.test/news/"}, Scope: ScopeHost, MaxDepth: -1, AJAX: AJAXAuto, Ugly: UglyCount,
		Traps: map[string]int{"same-body": 0, "same-text": 0},
	}
	norm, err := settings.Normalizer()
	if err != nil {
		tb.Fatal(err)
	}
	db, err := storage.Open(filepath.Join(tb.TempDir(), "crawl.db"), storage.Options{Create: true, Norm: norm.ID()})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { db.Close() })
	c, err := New(db, &web{}, settings, Options{})
	if err != nil {
		tb.Fatal(err)
	}
	u, err := c.norm.Resolve(nil, "http://a.test/news/", urlnorm.Charset{})
	if err != nil {
		tb.Fatal(err)
	}
	resp := &fetch.Response{
		URL: u.Fetch, Status: 200, Header: http.Header{"Content-Type": {"text/html; charset=utf-8"}}, Body: []byte(body),
		Start: time.Now(), End: time.Now(),
	}
	return c, func() *page {
		p := &page{Lease: &frontier.Lease{Entry: frontier.Entry{URL: u.Display}, Host: u.Host()}, at: u, resp: resp}
		p.record = recordOf(p)
		return p
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
