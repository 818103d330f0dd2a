package crawler

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hashcrawl/hashcrawl/pagination"
	"github.com/hashcrawl/hashcrawl/storage"
)

// newGapCrawl returns a crawl of a roll of which 120 new items were too many for
// a visit of three pages: items 36 to 125 are unknown.
func newGapCrawl(t *testing.T) (*crawl, *roll) {
	c, r := newRollCrawl(t, 35)
	r.begun = r.begun.Add(-2000 * time.Hour)
	r.write()
	c.run(Options{})
	r.publish(120)
	time.Sleep(time.Until(c.series().NextVisit))
	c.run(Options{Pass: pagination.Limits{MaxPages: 3}})
	if s := c.series(); len(s.Gaps) != 1 || s.Complete || s.Certificate.Reason != pagination.Capped {
		t.Fatalf("the visit stopped by %v with %d gaps; want cap, and one", s.Certificate.Reason, len(s.Gaps))
	}
	return c, r
}

// indexPages returns the index pages that were requested after the first n
// requests.
func (c *crawl) indexPages(n int) (pages []string) {
	for _, url := range c.web.since(n) {
		if strings.HasPrefix(url, "/news/") {
			pages = append(pages, url)
		}
	}
	return pages
}

// quiet is a schedule by which nothing is due for a visit.
var quiet = pagination.Schedule{Min: 1000 * time.Hour, Max: 2000 * time.Hour}

// TestBackfillReadsTheGapThatAVisitHasLeft asks for a backfill. Without that, the
// gap stands.
func TestBackfillReadsTheGapThatAVisitHasLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, _ := newGapCrawl(t)
		before := len(c.web.log)
		c.run(Options{Visits: quiet})
		if got := c.web.since(before); len(got) > 0 {
			t.Errorf("without a backfill, the run requested %v", got)
		}
		c.run(Options{Visits: quiet, Backfill: BackfillGaps})
		s := c.series()
		if len(s.Gaps) > 0 || s.Certificate.Gap != nil || s.Filling.Reason != pagination.Overlap {
			t.Errorf("the backfill stopped by %v with gaps %+v", s.Filling.Reason, s.Gaps)
		}
		if pages := c.indexPages(before); len(pages) != 11 { // 3 to 13: the last one above the gap, nine in it, one below
			t.Errorf("the backfill requested %v; want 11 pages", pages)
		}
		c.wantItems(155)
		before = len(c.web.log)
		c.run(Options{Visits: quiet, Backfill: BackfillGaps})
		if got := c.web.since(before); len(got) > 0 {
			t.Errorf("with nothing left, the run requested %v", got)
		}
	})
}

// TestKilledBackfillGoesOn kills a backfill at each page. The gap is told until
// all of it was read, and no item is fetched twice.
func TestKilledBackfillGoesOn(t *testing.T) {
	for n := 1; n <= 12; n++ {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c, r := newGapCrawl(t)
				r.slow(time.Second)
				before := len(c.web.log)
				opts := Options{Visits: quiet, Backfill: BackfillGaps}
				kills := 0
				for ; kills < 20 && len(c.series().Gaps) > 0; kills++ {
					c.runAndKillWith(n, opts)
					if s := c.series(); len(s.Gaps) == 0 {
						c.wantAll(155, "and no gap is told")
					}
					if n <= 2 {
						break // it would be killed at the same page again and again
					}
				}
				c.run(opts)
				if s := c.series(); len(s.Gaps) > 0 {
					t.Errorf("after %d kills the gap stands: %+v", kills, s.Gaps)
				}
				c.wantAll(155, "in the end")
				if pages := c.indexPages(before); len(pages) > 11+2*(kills+1) {
					t.Errorf("with %d kills, %d index pages were requested: %v", kills, len(pages), pages)
				}
			})
		})
	}
}

// TestBackfillNeitherStarvesNorIsStarved lets a backfill wait behind other pages
// of its host: it goes on a page in each turn.
func TestBackfillNeitherStarvesNorIsStarved(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, _ := newGapCrawl(t)
		var more []string
		for n := range 200 {
			more = append(more, fmt.Sprintf("/else/%d", n))
			c.web.answers["http://a.test"+more[n]] = answer{body: fmt.Sprintf("<title>Else %d</title>Something else, %d", n, n)}
		}
		c.web.answers["http://a.test/start"] = links(more...)
		c.settings.Seeds = append(c.settings.Seeds, "http://a.test/start")
		before := len(c.web.log)
		c.run(Options{Workers: 1, Visits: quiet, Backfill: BackfillGaps})
		var order strings.Builder
		for _, url := range c.web.since(before) {
			switch {
			case strings.HasPrefix(url, "/news/"):
				order.WriteByte('B')
			case strings.HasPrefix(url, "/else/"):
				order.WriteByte('.')
			}
		}
		first := strings.IndexByte(order.String(), 'B')
		last := strings.LastIndexByte(order.String(), '.')
		if among := strings.Count(order.String()[:last], "B"); first < fillTurn-2 || among < 5 || among > 200/fillTurn+8 {
			t.Errorf("pages of the backfill among others: %s", order.String())
		}
		if s := c.series(); len(s.Gaps) > 0 {
			t.Errorf("the gap stands: %v", s.Filling)
		}
	})
}

// TestBackfillAndVisitsTakeTurns lets visits be due all the time, and news come
// in between.
func TestBackfillAndVisitsTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, r := newGapCrawl(t)
		r.slow(time.Minute)
		before := len(c.web.log)
		go func() {
			for range 10 {
				time.Sleep(2 * time.Minute)
				c.web.mu.Lock()
				r.publish(3)
				r.slow(time.Minute)
				c.web.mu.Unlock()
			}
		}()
		always := pagination.Schedule{Min: time.Millisecond, Max: time.Millisecond}
		for range 3 {
			c.run(Options{Visits: always, Backfill: BackfillGaps})
		}
		time.Sleep(time.Hour)
		c.run(Options{Visits: always, Backfill: BackfillGaps})
		if s := c.series(); len(s.Gaps) > 0 || !s.Complete {
			t.Errorf("complete %v by %v, backfill %+v, gaps %+v", s.Complete, s.Certificate.Reason, s.Filling, s.Gaps)
		}
		c.wantItems(185)
		if pages := c.indexPages(before); len(pages) > 35 {
			t.Errorf("%d index pages were requested: %v", len(pages), pages)
		}
	})
}

// TestWatchBackfills watches a roll with a gap: page 9 fails at first. The
// backfill tries again later, and visits go on.
func TestWatchBackfills(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, r := newGapCrawl(t)
		whole := c.web.answers[r.url(9)]
		c.web.answers[r.url(9)] = answer{status: 500}
		before := len(c.web.log)
		go func() {
			time.Sleep(50 * time.Hour)
			c.web.mu.Lock()
			c.web.answers[r.url(9)] = whole
			c.web.mu.Unlock()
		}()
		db := c.open(storage.Options{})
		cr, err := New(db, c.web, &c.settings, Options{Visits: pagination.Schedule{Min: time.Hour, Max: 24 * time.Hour}, Backfill: BackfillGaps})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 7*24*time.Hour)
		defer cancel()
		if _, err := cr.Watch(ctx); err != nil {
			t.Fatal(err)
		}
		c.close(db)
		if s := c.series(); len(s.Gaps) > 0 || s.Filling.Failures != 0 {
			t.Errorf("backfill %+v, gaps %+v", s.Filling, s.Gaps)
		}
		c.wantItems(155)
		tries := 0
		for _, url := range c.indexPages(before) {
			if url == "/news/?page=9" {
				tries++
			}
		}
		if tries < 4 || tries > 8 { // after 1, 2, 4, 8, 16 and 24 hours
			t.Errorf("page 9 was requested %d times", tries)
		}
	})
}

// TestBackfillOfTheFirstCrawl asks for all from the beginning. Pages that the
// crawl fetches anyway are not asked for; those that it does not are.
func TestBackfillOfTheFirstCrawl(t *testing.T) {
	for _, tc := range []struct {
		name  string
		depth int
		items int
	}{
		{"all pages are fetched anyway", -1, 120},
		{"three pages are within the depth", 2, 110}, // the third one at its limit, without its items
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c, r := newRollCrawl(t, 120)
				c.settings.MaxDepth = tc.depth
				for p := 1; p <= 12; p++ { // a pager that leads a page on
					a := c.web.answers[r.url(p)]
					from := strings.Index(a.body, "<nav class=pagination>")
					a.body = a.body[:from] + "<nav class=pagination>"
					if p > 1 {
						a.body += fmt.Sprintf("<a rel=prev href=%q>%d</a> ", strings.TrimPrefix(r.url(p-1), "http://a.test"), p-1)
					}
					a.body += fmt.Sprintf("<span class=current>%d</span> ", p)
					if p < 12 {
						a.body += fmt.Sprintf("<a rel=next href=%q>%d</a>", strings.TrimPrefix(r.url(p+1), "http://a.test"), p+1)
					}
					a.body += "</nav></main>"
					c.web.answers[r.url(p)] = a
				}
				c.run(Options{Backfill: BackfillAll})
				s := c.series()
				if !s.Deep.Read || s.Filling.Reason != pagination.End {
					t.Errorf("the backlog is read %v, backfill %+v", s.Deep.Read, s.Filling)
				}
				seen := map[string]int{}
				for _, url := range c.indexPages(0) {
					if seen[url]++; seen[url] > 1 {
						t.Errorf("%s was requested again", url)
					}
				}
				if len(seen) != 12 {
					t.Errorf("%d index pages were requested; want 12", len(seen))
				}
				if n := len(c.web.requested()) - 12; n != tc.items {
					t.Errorf("%d items were requested; want %d", n, tc.items)
				}
			})
		})
	}
}

// TestBackfillKeepsTheCertificateHonest lets part of the gap be forbidden: it is
// told as long as it was not read.
func TestBackfillKeepsTheCertificateHonest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, r := newGapCrawl(t)
		c.settings.Exclude = []string{"*page=8"}
		c.run(Options{Visits: quiet, Backfill: BackfillGaps})
		s := c.series()
		if len(s.Gaps) != 1 || s.Filling.Reason != pagination.OutOfScope || s.Gaps[0].Page != 8 || !s.Gaps[0].Same(s.Certificate.Gap) || s.Complete {
			t.Fatalf("complete %v, backfill %+v, gaps %+v, certificate %+v", s.Complete, s.Filling, s.Gaps, s.Certificate.Gap)
		}
		if slices.ContainsFunc(c.web.since(0), func(url string) bool { return url == "/news/?page=8" && c.web.count(r.url(8)) > 0 }) {
			t.Error("page 8 was requested")
		}
		c.settings.Exclude = nil
		time.Sleep(2000 * time.Hour)
		c.run(Options{Visits: quiet, Backfill: BackfillGaps})
		if s := c.series(); len(s.Gaps) > 0 {
			t.Errorf("backfill %+v, gaps %+v", s.Filling, s.Gaps)
		}
		c.wantItems(155)
	})
}
