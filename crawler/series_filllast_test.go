package crawler

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hashcrawl/hashcrawl/pagination"
)

// A gazette is a roll whose page 1 has the oldest items.
type gazette struct{ *roll }

func (g *gazette) publish(n int) {
	g.roll.publish(n)
	g.write()
}

// remove takes out the items from low to high.
func (g *gazette) remove(low, high int) {
	g.items = slices.DeleteFunc(g.items, func(n int) bool { return low <= n && n <= high })
	g.write()
}

func (g *gazette) write() {
	g.roll.write() // the items
	pages := (len(g.items) + 9) / 10
	for p := 1; p <= pages+20; p++ {
		if p > pages {
			delete(g.web.answers, g.url(p))
			continue
		}
		var shown []int
		for i := (p - 1) * 10; i < min(p*10, len(g.items)); i++ {
			shown = append(shown, g.items[len(g.items)-1-i])
		}
		body := "<title>Gazette</title><main><ul class=roll>\n" +
			g.rows(shown, "<li class=item><h2><a href=%q>%s</a></h2>%s<p>Something happened.</p></li>\n") + "</ul>" + g.pager(p, pages) + "</main>"
		g.web.answers[g.url(p)] = answer{body: body}
	}
}

// newGazetteCrawl returns a crawl of a gazette of ten pages. Pages 3 to 7 were
// forbidden when the crawl met them, so that it will not fetch them itself: of
// the items 21 to 70 nothing is known. Now they are allowed.
func newGazetteCrawl(t *testing.T) (*crawl, *gazette) {
	c, r := newRollCrawl(t, 100)
	r.begun = r.begun.Add(-5000 * time.Hour)
	g := &gazette{r}
	g.write()
	const robots = "http://a.test/robots.txt"
	c.web.answers[robots] = answer{body: "User-agent: *\nDisallow: /*page=3\nDisallow: /*page=4\nDisallow: /*page=5\nDisallow: /*page=6\nDisallow: /*page=7\n"}
	c.run(Options{})
	delete(c.web.answers, robots)
	time.Sleep(25 * time.Hour)
	s := c.series()
	if s.Direction != pagination.NewestLast || s.Last != 10 || s.Certificate.Reason != pagination.First || s.Deep.Page != 9 || s.Deep.Read {
		t.Fatalf("the series is %v, stopped by %v at page %d, with a backlog below page %d", s.Direction, s.Certificate.Reason, s.Last, s.Deep.Page)
	}
	return c, g
}

// TestBackfillReadsTheOlderPagesOfAGazette reads what lies below the first visit,
// page by page down to page 1, and no more when that was read.
func TestBackfillReadsTheOlderPagesOfAGazette(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, g := newGazetteCrawl(t)
		before := len(c.web.log)
		c.run(Options{Visits: quiet, Backfill: BackfillGaps})
		if got := c.indexPages(before); !slices.Equal(got, []string{"/news/?page=10"}) {
			t.Errorf("without a gap, %v were requested; want the page of the visit", got)
		}
		before = len(c.web.log)
		c.run(Options{Visits: quiet, Backfill: BackfillAll})
		want := []string{g.url(9), g.url(8), g.url(7), g.url(6), g.url(5), g.url(4), g.url(3), g.url(2), g.url(1)}
		for i := range want {
			want[i] = strings.TrimPrefix(want[i], "http://a.test")
		}
		if got := c.indexPages(before); !slices.Equal(got, want) {
			t.Errorf("the backfill requested %v; want %v", got, want)
		}
		if s := c.series(); !s.Deep.Read || s.Filling.Reason != pagination.End {
			t.Errorf("read to page 1: %v, stopped by %v", s.Deep.Read, s.Filling.Reason)
		}
		c.wantItems(100)
		before = len(c.web.log)
		g.publish(14)
		time.Sleep(2 * time.Hour)
		c.run(Options{Backfill: BackfillAll, Visits: pagination.Schedule{Min: time.Millisecond, Max: time.Hour}})
		c.wantItems(114)
		if got := c.indexPages(before); len(got) > 3 {
			t.Errorf("a visit with news requested %v", got)
		}
	})
}

// TestFirstCrawlOfAGazetteReadsAll asks for all from the beginning: the backfill
// goes on from the first visit.
func TestFirstCrawlOfAGazetteReadsAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, r := newRollCrawl(t, 100)
		r.begun = r.begun.Add(-5000 * time.Hour)
		g := &gazette{r}
		g.write()
		c.run(Options{Backfill: BackfillAll})
		if s := c.series(); !s.Deep.Read || !s.Complete {
			t.Errorf("complete %v, read to page 1: %v, backfill %+v", s.Complete, s.Deep.Read, s.Filling)
		}
		c.wantItems(100)
		for p := 1; p <= 10; p++ { // as a page of the crawl, and for the series
			if n := c.web.count(g.url(p)); n < 1 || n > 2 {
				t.Errorf("page %d was requested %d times", p, n)
			}
		}
	})
}

// TestKilledBackfillOfAGazetteGoesOn kills a backfill at each page. What lies
// below is told as unread until it was read, and no item is fetched twice.
func TestKilledBackfillOfAGazetteGoesOn(t *testing.T) {
	for n := 1; n <= 10; n++ {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c, g := newGazetteCrawl(t)
				g.slow(time.Second)
				before := len(c.web.log)
				opts := Options{Visits: quiet, Backfill: BackfillAll}
				kills := 0
				for ; kills < 20 && !c.series().Deep.Read; kills++ {
					c.runAndKillWith(n, opts)
					if c.series().Deep.Read {
						c.wantAll(100, "and nothing is unread")
					}
					if n <= 2 {
						break // it would be killed at the same page again and again
					}
				}
				c.run(opts)
				if s := c.series(); !s.Deep.Read {
					t.Errorf("after %d kills the backfill stopped by %v, below page %d", kills, s.Filling.Reason, s.Deep.Page)
				}
				c.wantItems(100)
				if pages := c.indexPages(before); len(pages) > 9+2*(kills+1) {
					t.Errorf("with %d kills, %d index pages were requested: %v", kills, len(pages), pages)
				}
			})
		})
	}
}

// TestBackfillAndVisitsOfAGazetteTakeTurns lets news come and old items go while
// a backfill is under way and visits are due all the time.
func TestBackfillAndVisitsOfAGazetteTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, g := newGazetteCrawl(t)
		g.slow(time.Minute)
		before := len(c.web.log)
		go func() {
			for i := range 6 {
				time.Sleep(90 * time.Second)
				c.web.mu.Lock()
				g.publish(7)
				g.remove(2*i+1, 2*i+2) // read long ago
				g.slow(time.Minute)
				c.web.mu.Unlock()
			}
		}()
		always := pagination.Schedule{Min: time.Millisecond, Max: time.Millisecond}
		for range 3 {
			c.run(Options{Visits: always, Backfill: BackfillAll})
		}
		time.Sleep(time.Hour)
		c.run(Options{Visits: always, Backfill: BackfillAll})
		if s := c.series(); !s.Deep.Read || !s.Complete {
			t.Errorf("complete %v by %v, backfill %+v below page %d", s.Complete, s.Certificate.Reason, s.Filling, s.Deep.Page)
		}
		c.wantItems(142)
		if pages := c.indexPages(before); len(pages) > 30 {
			t.Errorf("%d index pages were requested: %v", len(pages), pages)
		}
	})
}

// TestBackfillOfAGazetteIsHonest keeps a backfill from a page. What lies below is
// told as unread, and read when it may be.
func TestBackfillOfAGazetteIsHonest(t *testing.T) {
	for _, tc := range []struct {
		name   string
		spoil  func(c *crawl, g *gazette)
		reason pagination.Reason
	}{
		{"robots", func(c *crawl, _ *gazette) {
			c.web.answers["http://a.test/robots.txt"] = answer{body: "User-agent: *\nDisallow: /*page=5"}
		}, pagination.Robots},
		{"excluded", func(c *crawl, _ *gazette) { c.settings.Exclude = []string{"*page=5"} }, pagination.OutOfScope},
		{"500", func(c *crawl, g *gazette) { c.web.answers[g.url(5)] = answer{status: 500} }, pagination.ServerError},
		{"404", func(c *crawl, g *gazette) { c.web.answers[g.url(5)] = answer{status: 404} }, pagination.NotFound},
		{"another page", func(c *crawl, g *gazette) {
			c.web.answers[g.url(5)] = answer{body: "<title>Sorry</title>Please come back later."}
		}, pagination.NoBlock},
		{"the last page in place of all others", func(c *crawl, g *gazette) {
			for p := 1; p <= 8; p++ {
				c.web.answers[g.url(p)] = c.web.answers[g.url(9)]
			}
		}, pagination.Loop},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c, g := newGazetteCrawl(t)
				tc.spoil(c, g)
				time.Sleep(25 * time.Hour)
				before := len(c.web.log)
				c.run(Options{Visits: quiet, Backfill: BackfillAll})
				s := c.series()
				if s.Deep.Read || s.Filling.Reason != tc.reason || s.Filling.Failures != 1 {
					t.Errorf("read to page 1: %v, filling %+v; want a stop by %v", s.Deep.Read, s.Filling, tc.reason)
				}
				if got := c.indexPages(before); (tc.name == "robots" || tc.name == "excluded") && slices.Contains(got, "/news/?page=5") || len(got) > 6 {
					t.Errorf("requested %v", got)
				}
				c.settings.Exclude = nil
				delete(c.web.answers, "http://a.test/robots.txt")
				g.write()
				time.Sleep(2000 * time.Hour)
				c.run(Options{Visits: quiet, Backfill: BackfillAll})
				if s := c.series(); !s.Deep.Read {
					t.Errorf("the next backfill stopped by %v", s.Filling.Reason)
				}
				c.wantItems(100)
			})
		})
	}
}

// TestBackfillReadsTheGapOfAGazette takes out what was known of a gazette while
// more came than a visit may read: on its way back it leaves a gap, which is
// read when that is asked for.
func TestBackfillReadsTheGapOfAGazette(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, g := newGazetteCrawl(t)
		g.publish(80)
		c.run(Options{Pass: pagination.Limits{MaxPages: 100}, Visits: pagination.Schedule{Min: time.Millisecond, Max: time.Hour}})
		g.roll.publish(110)
		g.remove(98, 180)
		time.Sleep(2 * time.Hour)
		c.run(Options{Pass: pagination.Limits{MaxPages: 3}, Visits: pagination.Schedule{Min: time.Millisecond, Max: time.Hour}})
		if s := c.series(); len(s.Gaps) != 1 || s.Complete {
			t.Fatalf("the visit stopped by %v with %d gaps; want one", s.Certificate.Reason, len(s.Gaps))
		}
		c.run(Options{Visits: quiet, Backfill: BackfillGaps})
		s := c.series()
		if len(s.Gaps) > 0 || s.Certificate.Gap != nil {
			t.Errorf("the backfill stopped by %v with gaps %+v", s.Filling.Reason, s.Gaps)
		}
		for range 2 {
			time.Sleep(2 * time.Hour)
			c.run(Options{Visits: pagination.Schedule{Min: time.Millisecond, Max: time.Hour}})
		}
		for n := 181; n <= 290; n++ {
			if got := c.web.count(fmt.Sprintf("http://a.test/item/%d", n)); got != 1 {
				t.Errorf("item %d was requested %d times; want once", n, got)
			}
		}
	})
}
