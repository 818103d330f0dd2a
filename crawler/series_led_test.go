package crawler

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hashcrawl/hashcrawl/pagination"
	"github.com/hashcrawl/hashcrawl/storage"
)

// leads are ways in which a page leads to the next one without a link that a
// person could click. Each returns the mark-up of a page of several, with the
// addresses of all of them.
var leads = []struct {
	name string
	html func(urls []string, page int) string
}{
	{"button that loads more", next(`<button hx-get=%q hx-target="ul.roll" hx-swap=beforeend>Load more</button>`)},
	{"element that loads more when it is seen", next(`<div class=sentinel data-hx-get=%q data-hx-trigger=revealed></div>`)},
	{"address that is named as the next one", next(`<div id=roll-foot data-next-url=%q></div>`)},
	{"anchor without a link", next(`<a class=more up-href=%q up-target=main>Show more</a>`)},
	{"head", next(`<link rel=next href=%q>`)},
	{"list of pages", func(urls []string, _ int) string {
		var b strings.Builder
		b.WriteString(`<select onchange="location = this.value">`)
		for i, url := range urls {
			fmt.Fprintf(&b, "<option value=%q>%d</option>", url, i+1)
		}
		return b.String() + "</select>"
	}},
}

// next returns what leads to the next page by a format for its address.
func next(format string) func([]string, int) string {
	return func(urls []string, page int) string {
		if page == len(urls) {
			return ""
		}
		return fmt.Sprintf(format, urls[page])
	}
}

// lead takes the pager off every page of the roll, and puts in its place what
// html says.
func (r *roll) lead(html func(urls []string, page int) string) {
	r.write()
	pages := (len(r.items) + 9) / 10
	var urls []string
	for p := 1; p <= pages; p++ {
		urls = append(urls, strings.TrimPrefix(r.url(p), "http://a.test"))
	}
	for p := 1; p <= pages; p++ {
		a := r.web.answers[r.url(p)]
		before, _, _ := strings.Cut(a.body, "<nav class=pagination>")
		a.body = before + html(urls, p) + "</main>"
		r.web.answers[r.url(p)] = a
	}
}

// TestListsWithoutPagerAreCompleted crawls a list that has no pager, with all that
// lies below its first pages, and again when there is news. No page and no item
// is requested twice.
func TestListsWithoutPagerAreCompleted(t *testing.T) {
	for _, lead := range leads {
		t.Run(lead.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c, r := newRollCrawl(t, 45)
				r.lead(lead.html)
				c.run(Options{Backfill: BackfillAll})
				s := c.series()
				if s.Certificate.Reason != pagination.First || !s.Complete || !s.Deep.Read || s.Filling.Reason != pagination.End {
					t.Errorf("the first pass stopped by %v, the backfill by %v; read to the end: %v", s.Certificate.Reason, s.Filling.Reason, s.Deep.Read)
				}
				want := "[/news/ /news/?page=2 /news/?page=3 /news/?page=4 /news/?page=5]"
				if lead.name == "head" { // the crawl follows these links, and the last page does not say what it is
					want = strings.Replace(want, "]", " /news/?page=5]", 1)
				}
				if got := fmt.Sprint(c.indexPages(0)); got != want {
					t.Errorf("index pages requested: %s; want %s", got, want)
				}
				c.wantItems(45)

				before := len(c.web.log)
				r.publish(14)
				r.lead(lead.html)
				time.Sleep(time.Until(c.series().NextVisit))
				c.run(Options{Backfill: BackfillAll})
				if s := c.series(); s.Certificate.Reason != pagination.Overlap || !s.Complete || s.Certificate.New != 14 {
					t.Errorf("the visit stopped by %v, complete %v, with %d new items; want overlap, 14", s.Certificate.Reason, s.Complete, s.Certificate.New)
				}
				if got, want := fmt.Sprint(c.indexPages(before)), "[/news/ /news/?page=2]"; got != want {
					t.Errorf("the visit requested %s; want %s", got, want)
				}
				c.wantItems(59)
			})
		})
	}
}

// TestListsWithoutNumbersAreCompleted crawls a list whose pages are named by the
// last item before them.
func TestListsWithoutNumbersAreCompleted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, r := newRollCrawl(t, 45)
		newest, index := 45, 0
		c.web.answers = map[string]answer{}
		c.web.site = func(path, query string) string {
			if path != "/news/" {
				return "<title>Notice</title>text of " + path
			}
			index++
			from := newest
			if _, err := fmt.Sscanf(query, "before=%d", &from); err == nil {
				from--
			}
			last := max(from-9, 1)
			body := "<title>News</title><main><ul class=roll>\n" + r.rows(numbers(from, last), "<li class=item><h2><a href=%q>%s</a></h2>%s</li>\n") + "</ul>"
			if last > 1 {
				body += fmt.Sprintf("<button data-next-url='?before=%d'>More</button>", last)
			}
			return body + "</main>"
		}
		c.run(Options{Backfill: BackfillAll})
		if s := c.series(); s.ID.Numbered() || !s.Complete || !s.Deep.Read || index != 5 {
			t.Errorf("numbered %v, complete %v, read to the end %v after %d pages; want 5", s.ID.Numbered(), s.Complete, s.Deep.Read, index)
		}
		c.wantItems(45)
		newest, index = 59, 0
		time.Sleep(time.Until(c.series().NextVisit))
		c.run(Options{})
		if s := c.series(); s.Certificate.Reason != pagination.Overlap || !s.Complete || index != 2 {
			t.Errorf("the visit stopped by %v, complete %v, after %d pages; want overlap, 2 pages", s.Certificate.Reason, s.Complete, index)
		}
		c.wantItems(59)
	})
}

// TestPageThatHasLostItsPagerIsNotTheLast tells lists whose pages lead to one
// another by nothing but addresses from those that a pager has named once: there
// a page without one proves nothing.
func TestPageThatHasLostItsPagerIsNotTheLast(t *testing.T) {
	s := storage.Series{Series: pagination.Series{Direction: pagination.NewestFirst}}
	s.Deep.Above, s.Deep.NextURL = []pagination.Item{{Key: "http://a.test/item/9"}}, "http://a.test/news/?before=i9"
	for _, paged := range []bool{false, true} {
		w := &walk{Series: s, pass: pagination.BeginBackfill(s.Series, time.Now(), pagination.Limits{}, true, false), paged: paged}
		if w.isLed() == paged {
			t.Errorf("isLed of a walk that was paged %v = %v", paged, !paged)
		}
	}
}

// TestKillsOfListsWithoutPagerMissNothing kills the first crawl of a list without
// a pager at each of its pages, backfill and all.
func TestKillsOfListsWithoutPagerMissNothing(t *testing.T) {
	for _, lead := range leads {
		for kill := 1; kill <= 5; kill++ {
			t.Run(fmt.Sprint(lead.name, " ", kill), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					c, r := newRollCrawl(t, 45)
					r.slow(time.Second)
					r.lead(lead.html)
					opts := Options{Backfill: BackfillAll, Visits: pagination.Schedule{Min: time.Minute, Max: time.Hour}}
					c.runAndKillWith(kill, opts)
					for _, s := range c.allSeries() {
						if s.Deep.Read {
							t.Error("after the kill the list is read to its end")
						}
					}
					for range 2 {
						time.Sleep(2 * time.Hour)
						c.run(opts)
					}
					if s := c.series(); !s.Complete || !s.Deep.Read {
						t.Errorf("the pass stopped by %v, the backfill by %v", s.Certificate.Reason, s.Filling.Reason)
					}
					c.wantAll(45, "in the end")
				})
			})
		}
	}
}

// TestBadListsWithoutPagerStopTheWalk breaks a list without a pager in one way
// each. Every walk and backfill stops, for a reason that has a name.
func TestBadListsWithoutPagerStopTheWalk(t *testing.T) {
	more := leads[0].html
	to := func(page int, url string) func([]string, int) string {
		return func(urls []string, p int) string {
			if p == page {
				urls = append(urls[:p:p], url)
			}
			return more(urls, p)
		}
	}
	for _, tc := range []struct {
		name     string
		spoil    func(c *crawl, r *roll)
		stop     pagination.Reason // of the visit
		complete bool
		pages    int // requested
	}{
		{"without an end", func(c *crawl, r *roll) {
			c.web.site = func(path, query string) string {
				if path != "/news/" {
					return "<title>Notice</title>text of " + path
				}
				p := 1
				fmt.Sscanf(query, "page=%d", &p)
				before, _, _ := strings.Cut(r.html(numbers(900-p*10, 891-p*10), p, 1000), "<nav class=pagination>")
				return before + fmt.Sprintf("<button hx-get='/news/?page=%d'>Load more</button></main>", p+1)
			}
			c.web.answers = map[string]answer{}
		}, pagination.Capped, false, 12},
		{"back to page 2", func(_ *crawl, r *roll) { r.lead(to(3, "/news/?page=2")) }, pagination.Loop, false, 3},
		{"back to page 1", func(_ *crawl, r *roll) { r.lead(to(3, "/news/")) }, pagination.Loop, false, 3},
		{"to itself", func(_ *crawl, r *roll) { r.lead(to(3, "/news/?page=3")) }, pagination.End, true, 3},
		{"to another host", func(_ *crawl, r *roll) { r.lead(to(3, "http://b.test/news/?page=4")) }, pagination.OutOfScope, false, 3},
		{"to no address", func(_ *crawl, r *roll) { r.lead(to(3, "javascript:more(/4/)")) }, pagination.End, true, 3},
		{"to a page that forbids it", func(c *crawl, r *roll) {
			c.web.answers["http://a.test/robots.txt"] = answer{body: "User-agent: *\nDisallow: /*?page=2"}
		}, pagination.Robots, false, 1},
		{"not to be followed", func(_ *crawl, r *roll) {
			a := r.web.answers[r.url(1)]
			a.body = "<meta name=robots content=nofollow>" + a.body
			r.web.answers[r.url(1)] = a
		}, pagination.NoFollow, false, 1},
		{"to a page without the list", func(_ *crawl, r *roll) {
			r.web.answers[r.url(2)] = answer{body: "<title>Log in</title><form><input name=user></form>"}
		}, pagination.NoBlock, false, 2},
		{"to rows alone", func(_ *crawl, r *roll) {
			r.web.answers[r.url(2)] = answer{body: r.rows(numbers(49, 40), "<li class=item><h2><a href=%q>%s</a></h2>%s</li>\n")}
		}, pagination.NoBlock, false, 2},
		{"to a redirect", func(_ *crawl, r *roll) {
			r.web.answers[r.url(2)] = answer{status: 302, location: "/login"}
			r.web.answers["http://a.test/login"] = answer{body: "<title>Log in</title>"}
		}, pagination.Redirected, false, 3},
		{"to the same page again", func(_ *crawl, r *roll) {
			for p := 3; p <= 9; p++ {
				r.web.answers[r.url(p)] = answer{body: strings.Replace(r.web.answers[r.url(2)].body, "?page=3", fmt.Sprintf("?page=%d", p+1), 1)}
			}
		}, pagination.Echo, true, 5},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c, r := newRollCrawl(t, 35)
				r.begun = r.begun.Add(-2000 * time.Hour)
				r.write()
				r.lead(more)
				c.run(Options{})
				r.publish(44)
				r.lead(more)
				tc.spoil(c, r)
				time.Sleep(25 * time.Hour) // for robots.txt
				pages := c.visit()
				s := c.series()
				if s.Certificate.Reason != tc.stop || s.Complete != tc.complete || len(pages) != tc.pages {
					t.Errorf("the pass stopped by %v, complete %v, after %v; want %v, complete %v, %d pages", s.Certificate.Reason, s.Complete, pages, tc.stop, tc.complete, tc.pages)
				}
				if !s.Complete && s.Certificate.Gap == nil {
					t.Error("the pass is not complete and tells of no gap")
				}
				if tc.stop == pagination.Capped {
					return // TestBackfillGivesUpOnEndlessPagers
				}
				before := len(c.web.log)
				c.run(Options{Visits: quiet, Backfill: BackfillAll})
				if s := c.series(); len(c.indexPages(before)) > 12 || s.Filling.Reason == pagination.Running && !s.Filling.Tried.IsZero() {
					t.Errorf("the backfill stopped by %v after %d pages", s.Filling.Reason, len(c.indexPages(before)))
				}
			})
		})
	}
}

// TestLaterPagesOfListsWithoutPagerFoundNothing links to page 2 and 3 of a list
// without a pager: they belong to the list of page 1, whichever comes first.
func TestLaterPagesOfListsWithoutPagerFoundNothing(t *testing.T) {
	for _, order := range [][]string{{"/news/", "/news/?page=2", "/news/?page=3"}, {"/news/?page=3", "/news/?page=2", "/news/"}} {
		synctest.Test(t, func(t *testing.T) {
			c, r := newRollCrawl(t, 45)
			r.lead(leads[0].html)
			c.web.answers["http://a.test/"] = links(order...)
			c.settings.Seeds = []string{"http://a.test/"}
			c.run(Options{Workers: 1, Backfill: BackfillAll})
			if s := c.series(); s.First != r.url(1) || !s.Complete || !s.Deep.Read {
				t.Errorf("links %v: the series begins at %s, is complete %v, read to the end %v", order, s.First, s.Complete, s.Deep.Read)
			}
			c.wantItems(45)
		})
	}
}
