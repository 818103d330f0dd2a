package crawler

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hashcrawl/hashcrawl/pagination"
)

// TestSeriesOfStatesIsCompleted crawls a log whose pages are states of a page
// that opted in: snapshots are read, and the log is completed like any other.
func TestSeriesOfStatesIsCompleted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const page = "http://a.test/log"
		c := newCrawl(t, map[string]answer{}, page)
		c.settings.NoSitemaps = true
		shell := `<title>Log</title><meta name="fragment" content="!"><div id=app></div><script src=/app.js></script>`
		c.web.answers[page] = answer{body: shell}
		begun := time.Now().Add(-2000 * time.Hour)
		entries := 0
		publish := func(n int) {
			entries += n
			pages := (entries + 9) / 10
			for p := 1; p <= pages; p++ {
				var b strings.Builder
				fmt.Fprintf(&b, "<title>The log, page %d</title><h1>The log</h1>", p)
				for e := entries - (p-1)*10; e > max(0, entries-p*10); e-- {
					fmt.Fprintf(&b, "<div class=entry><h2><a href=\"#!entry=%d\">Entry %d of the log</a></h2><p>%s</p></div>\n",
						e, e, begun.Add(time.Duration(e)*24*time.Hour).Format("2 January 2006"))
				}
				b.WriteString("<p class=pager>")
				for q := 1; q <= pages; q++ {
					switch {
					case q == p:
						fmt.Fprintf(&b, "<b>%d</b> ", q)
					case q == 1:
						b.WriteString("<a href=/log>1</a> ")
					default:
						fmt.Fprintf(&b, "<a href=\"#!page=%d\">%d</a> ", q, q)
					}
				}
				b.WriteString("</p>")
				at := page + "?_escaped_fragment_="
				if p > 1 {
					at += fmt.Sprintf("page=%d", p)
				}
				c.web.answers[at] = answer{body: b.String()}
			}
			for e := 1; e <= entries; e++ {
				c.web.answers[fmt.Sprintf("%s?_escaped_fragment_=entry=%d", page, e)] = answer{body: fmt.Sprintf("<title>Entry %d</title>What happened on day %d.", e, e)}
			}
		}
		publish(32)
		c.run(Options{})
		if s := c.series(); s.First != page || !s.Snapshot || !s.Complete {
			t.Fatalf("the series at %s, of snapshots %v, is complete %v", s.First, s.Snapshot, s.Complete)
		}

		before := len(c.web.log)
		publish(13)
		time.Sleep(time.Until(c.series().NextVisit))
		c.run(Options{})
		s := c.series()
		if !s.Complete || s.Certificate.Reason != pagination.Overlap || s.Certificate.New != 13 {
			t.Errorf("the pass stopped by %v, complete %v, %d new; want overlap, complete, 13 new", s.Certificate.Reason, s.Complete, s.Certificate.New)
		}
		want := []string{"/log?_escaped_fragment_=", "/log?_escaped_fragment_=page=2"}
		for e := 45; e > 32; e-- {
			want = append(want, fmt.Sprintf("/log?_escaped_fragment_=entry=%d", e))
		}
		var got []string
		for _, url := range c.web.since(before) {
			if strings.HasPrefix(url, "/log") {
				got = append(got, url)
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("requested\n%v\nwant\n%v", got, want)
		}
		if n := len(c.indexed()); n != 4+45 {
			t.Errorf("%d pages are indexed; want the log's 4 pages of the first crawl, and 45 entries", n)
		}
	})
}

// TestPageThatOptsInLaterIsReadAsSnapshot lets a list become an application
// between two visits.
func TestPageThatOptsInLaterIsReadAsSnapshot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, r := newRollCrawl(t, 35)
		c.run(Options{})
		r.publish(3)
		c.web.answers["http://a.test/news/?_escaped_fragment_="] = c.web.answers[r.url(1)]
		c.web.answers[r.url(1)] = answer{body: `<title>News</title><meta name="fragment" content="!"><div id=app></div>`}
		c.visit()
		if s := c.series(); !s.Complete || !s.Snapshot || s.Certificate.New != 3 {
			t.Errorf("the pass stopped by %v, complete %v, snapshots %v, %d new", s.Certificate.Reason, s.Complete, s.Snapshot, s.Certificate.New)
		}
		c.wantItems(38)
	})
}

// TestRevisitIsConditional shows by the server's log that page 1 is requested
// conditionally, and no other page.
func TestRevisitIsConditional(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, r := newRollCrawl(t, 35)
		c.run(Options{})
		r.publish(24)
		before := len(c.web.log)
		c.visit()
		for _, v := range c.web.log[before:] {
			want := ""
			if v.url == r.url(1) {
				want = `"35"`
			}
			if v.fields.IfNoneMatch != want {
				t.Errorf("%s was requested with If-None-Match %q; want %q", v.url, v.fields.IfNoneMatch, want)
			}
		}
		c.web.answers[r.url(1)] = answer{status: 304}
		c.visit()
		if s := c.series(); !s.Complete || s.Certificate.Reason != pagination.Unchanged {
			t.Errorf("after 304 the pass stopped by %v, complete %v", s.Certificate.Reason, s.Complete)
		}
		if v := c.web.log[len(c.web.log)-1]; v.fields.IfNoneMatch != `"59"` {
			t.Errorf("the last request has If-None-Match %q; want that of the list as it was", v.fields.IfNoneMatch)
		}
	})
}

// TestNewItemsAreFetchedBeforeOtherLinks lets a visit find news while a thousand
// links wait.
func TestNewItemsAreFetchedBeforeOtherLinks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, r := newRollCrawl(t, 35)
		c.run(Options{})
		r.publish(4)
		a := r.web.answers[r.url(1)]
		for n := range 100 {
			a.body += fmt.Sprintf("<a href=/else/%d>Something else</a>", n)
		}
		r.web.answers[r.url(1)] = a
		before := len(c.web.log)
		c.visit()
		var got []string
		for _, url := range c.web.since(before) {
			if url != "/robots.txt" {
				got = append(got, url)
			}
		}
		if want := "[/news/ /item/39 /item/38 /item/37 /item/36 /else/0"; !strings.HasPrefix(fmt.Sprint(got), want) {
			t.Errorf("requested %v; want %s …", got[:min(6, len(got))], want)
		}
	})
}

// TestSeriesOfOneHostAreBounded crawls a site that makes up lists.
func TestSeriesOfOneHostAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, r := newRollCrawl(t, 25)
		list := r.html(r.items[:10], 1, 3)
		c.web.site = func(path, _ string) string {
			n := 0
			if _, err := fmt.Sscanf(path, "/tag/%d/", &n); err != nil {
				return "<title>x</title>"
			}
			return strings.ReplaceAll(list, "/news/", path) + fmt.Sprintf("<a href=/tag/%d/>next tag</a>", n+1)
		}
		c.settings.Seeds = []string{"http://a.test/tag/1/"}
		c.settings.Traps = map[string]int{"same-text": 0, "same-body": 0}
		c.settings.Include = []string{"*/tag/*/"}
		c.run(Options{MaxPages: maxSeriesPerHost + 100})
		if n := len(c.allSeries()); n != maxSeriesPerHost {
			t.Errorf("the crawl knows %d series; want %d", n, maxSeriesPerHost)
		}
	})
}
