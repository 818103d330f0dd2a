package crawler

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hashcrawl/hashcrawl/crawler/fetch"
	"github.com/hashcrawl/hashcrawl/pagination"
	"github.com/hashcrawl/hashcrawl/storage"
	"github.com/hashcrawl/hashcrawl/urlnorm"
)

// A roll is a news roll in a web: items numbered from 1, the newest first, ten
// a page.
type roll struct {
	web   *web
	items []int // newest first
	begun time.Time
}

func newRoll(w *web, n int, begun time.Time) *roll {
	r := &roll{web: w, begun: begun}
	for i := 1; i <= n; i++ {
		r.items = slices.Insert(r.items, 0, i)
	}
	r.write()
	return r
}

// publish puts n new items at the head.
func (r *roll) publish(n int) {
	for range n {
		r.items = slices.Insert(r.items, 0, r.items[0]+1)
	}
	r.write()
}

func (r *roll) url(page int) string {
	if page == 1 {
		return "http://a.test/news/"
	}
	return fmt.Sprintf("http://a.test/news/?page=%d", page)
}

func (r *roll) write() {
	pages := (len(r.items) + 9) / 10
	for p := 1; p <= pages; p++ {
		items := r.items[(p-1)*10 : min(p*10, len(r.items))]
		for _, n := range items {
			r.web.answers[fmt.Sprintf("http://a.test/item/%d", n)] = answer{body: fmt.Sprintf("<title>Notice %d</title>text", n)}
		}
		r.web.answers[r.url(p)] = answer{body: r.html(items, p, pages), header: http.Header{"Etag": {fmt.Sprintf(`"%d"`, r.items[0])}}}
	}
}

// html renders an index page that shows the items.
func (r *roll) html(items []int, page, pages int) string {
	return "<title>News</title><main><ul class=roll>\n" + r.rows(items, "<li class=item><h2><a href=%q>%s</a></h2>%s<p>Something happened.</p></li>\n") +
		"</ul>" + r.pager(page, pages) + "</main>"
}

// rows renders items by a format for address, title and date.
func (r *roll) rows(items []int, format string) string {
	var b strings.Builder
	for _, n := range items {
		date := r.begun.Add(time.Duration(n) * time.Hour)
		fmt.Fprintf(&b, format, fmt.Sprintf("/item/%d", n), fmt.Sprintf("Notice of the day number %d", n),
			fmt.Sprintf("<time datetime=%q>%s</time>", date.Format(time.RFC3339), date.Format("2 January 2006 15:04")))
	}
	return b.String()
}

func (r *roll) pager(page, pages int) string {
	var b strings.Builder
	b.WriteString("<nav class=pagination>")
	for q := 1; q <= pages; q++ {
		if q == page {
			fmt.Fprintf(&b, "<span class=current>%d</span> ", q)
		} else {
			fmt.Fprintf(&b, "<a href=%q>%d</a> ", strings.TrimPrefix(r.url(q), "http://a.test"), q)
		}
	}
	if page < pages {
		fmt.Fprintf(&b, "<a rel=next href=%q>Next</a>", strings.TrimPrefix(r.url(page+1), "http://a.test"))
	}
	b.WriteString("</nav>")
	return b.String()
}

// newRollCrawl returns a crawl of a roll with n items.
func newRollCrawl(t *testing.T, n int) (*crawl, *roll) {
	c := newCrawl(t, map[string]answer{}, "http://a.test/news/")
	c.settings.NoSitemaps = true
	return c, newRoll(c.web, n, time.Now().Add(-time.Duration(n)*time.Hour))
}

// allSeries returns the series of the crawl.
func (c *crawl) allSeries() []storage.Series {
	c.t.Helper()
	db := c.open(storage.Options{ReadOnly: true})
	defer c.close(db)
	var all []storage.Series
	if err := db.AllSeries(func(s storage.Series) error { all = append(all, s); return nil }); err != nil {
		c.t.Fatal(err)
	}
	return all
}

// series returns the only series of the crawl.
func (c *crawl) series() storage.Series {
	c.t.Helper()
	all := c.allSeries()
	if len(all) != 1 {
		c.t.Fatalf("the crawl knows %d series; want 1", len(all))
	}
	return all[0]
}

// seriesRate returns how many arrivals a day the only series is taken to have.
func (c *crawl) seriesRate() float64 {
	s := c.series()
	return s.Pace.Rate() * (24 * time.Hour).Seconds()
}

// since returns the URLs that were requested after the first n requests.
func (w *web) since(n int) []string {
	var urls []string
	for _, v := range w.log[n:] {
		urls = append(urls, strings.TrimPrefix(v.url, "http://a.test"))
	}
	return urls
}

// TestCrawlFoundsSeries crawls a news roll for the first time: the series is
// found, its first pass reads pages that the crawl fetches anyway.
func TestCrawlFoundsSeries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, _ := newRollCrawl(t, 35)
		c.run(Options{})
		s := c.series()
		if s.First != "http://a.test/news/" || s.Direction != pagination.NewestFirst || !s.Complete || s.Certificate.Reason != pagination.First {
			t.Errorf("series %s is %v, complete %v, stopped by %v; want newest first, complete, stopped by first",
				s.First, s.Direction, s.Complete, s.Certificate.Reason)
		}
		if len(s.Head) < 20 || s.Head[0].Key != "http://a.test/item/35" || len(s.Evidence) == 0 || !s.NextVisit.After(time.Now()) {
			t.Errorf("head of %d items from %v, evidence %q, next visit %v", len(s.Head), s.Head[:1], s.Evidence, s.NextVisit)
		}
		for _, v := range c.web.log {
			if n := c.web.count(v.url); n > 1 {
				t.Errorf("%s was requested %d times; want once", v.url, n)
			}
		}
	})
}

// TestRevisitReadsUntilItMeetsWhatIsKnown lets news appear between two runs.
// The second run reads exactly the pages that it must, and the new items.
func TestRevisitReadsUntilItMeetsWhatIsKnown(t *testing.T) {
	for _, tc := range []struct {
		news  int
		pages []string
		stop  pagination.Reason
	}{
		{0, []string{"/news/"}, pagination.Unchanged},
		{3, []string{"/news/"}, pagination.Overlap},
		{14, []string{"/news/", "/news/?page=2"}, pagination.Overlap},
	} {
		t.Run(fmt.Sprint(tc.news), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c, r := newRollCrawl(t, 35)
				c.run(Options{})
				before := len(c.web.log)
				r.publish(tc.news)
				time.Sleep(time.Until(c.series().NextVisit))
				c.run(Options{})
				var want []string
				want = append(want, tc.pages...)
				for n := 36; n < 36+tc.news; n++ {
					want = append(want, fmt.Sprintf("/item/%d", n))
				}
				slices.Sort(want)
				got := c.web.since(before)
				if i := slices.Index(got, "/robots.txt"); i >= 0 { // a day has passed
					got = slices.Delete(got, i, i+1)
				}
				slices.Sort(got)
				if !slices.Equal(got, want) {
					t.Errorf("the second run requested %v; want %v", got, want)
				}
				if s := c.series(); s.Certificate.Reason != tc.stop || !s.Complete || s.Certificate.New != tc.news {
					t.Errorf("the pass stopped by %v, complete %v, %d new; want %v, complete, %d new",
						s.Certificate.Reason, s.Complete, s.Certificate.New, tc.stop, tc.news)
				}
				if n := len(c.indexed()); n != 35+4+tc.news { // index pages and items
					t.Errorf("%d pages are indexed; want %d", n, 35+tc.news+4)
				}
			})
		})
	}
}

// TestItemsOfAVisitHaveAParent asks where an item was found that a visit brought.
func TestItemsOfAVisitHaveAParent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, r := newRollCrawl(t, 35)
		c.settings.Seeds = []string{"http://a.test/"}
		c.web.answers["http://a.test/"] = links("/news/")
		c.run(Options{})
		r.publish(14)
		time.Sleep(time.Until(c.series().NextVisit))
		c.run(Options{})
		db := c.open(storage.Options{ReadOnly: true})
		defer c.close(db)
		for item, parent := range map[int]string{1: "http://a.test/news/?page=4", 36: "http://a.test/news/", 49: "http://a.test/news/"} {
			u, err := c.norm().Resolve(nil, fmt.Sprintf("http://a.test/item/%d", item), urlnorm.Charset{})
			if err != nil {
				t.Fatal(err)
			}
			records, err := History(db, c.norm(), u)
			if err != nil || len(records) != 1 || records[0].Parent != parent {
				t.Errorf("records of item %d = %+v, %v; want one, found on %s", item, records, err, parent)
			}
		}
	})
}

// TestRevisitIsNotDueYet runs a crawl again before news can be expected.
func TestRevisitIsNotDueYet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, r := newRollCrawl(t, 35)
		c.run(Options{})
		before := len(c.web.log)
		r.publish(5)
		c.run(Options{})
		if got := c.web.since(before); len(got) > 0 {
			t.Errorf("requested %v before the visit is due", got)
		}
	})
}

// TestBrokenRevisitIsNeverComplete fails a page in mid-pass: what was read is
// kept as a segment, and the next pass closes the gap.
func TestBrokenRevisitIsNeverComplete(t *testing.T) {
	for _, tc := range []struct {
		name string
		page answer
		stop pagination.Reason
	}{
		{"500", answer{status: 500}, pagination.ServerError},
		{"404", answer{status: 404}, pagination.NotFound},
		{"a redirect to a login page", answer{status: 302, location: "/login"}, pagination.Redirected},
		{"a redirect out of the crawl", answer{status: 302, location: "http://b.test/"}, pagination.OutOfScope},
		{"no block", answer{body: "<title>Sorry</title>Please come back later."}, pagination.NoBlock},
		{"cut short", answer{body: "<title>News</title><main><ul", cut: fetch.CutShort}, pagination.CutShort},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c, r := newRollCrawl(t, 35)
				c.run(Options{})
				c.web.answers["http://a.test/login"] = answer{body: "<title>Log in</title><form><input name=user></form>"}
				r.publish(24)
				whole := c.web.answers[r.url(2)]
				c.web.answers[r.url(2)] = tc.page
				time.Sleep(time.Until(c.series().NextVisit))
				c.run(Options{})
				s := c.series()
				if s.Complete || s.Certificate.Reason != tc.stop {
					t.Errorf("the pass stopped by %v, complete %v; want %v, not complete", s.Certificate.Reason, s.Complete, tc.stop)
				}
				c.web.answers[r.url(2)] = whole
				time.Sleep(time.Until(s.NextVisit))
				c.run(Options{})
				if s := c.series(); !s.Complete {
					t.Errorf("the next pass stopped by %v and is not complete", s.Certificate.Reason)
				}
				for n := 1; n <= 59; n++ {
					if c.web.count(fmt.Sprintf("http://a.test/item/%d", n)) != 1 {
						t.Errorf("item %d was requested %d times; want once", n, c.web.count(fmt.Sprintf("http://a.test/item/%d", n)))
					}
				}
			})
		})
	}
}

// TestRobotsForbidPageTwo keeps a pass from a page that robots.txt forbids.
func TestRobotsForbidPageTwo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, r := newRollCrawl(t, 35)
		c.run(Options{})
		r.publish(24)
		c.web.answers["http://a.test/robots.txt"] = answer{body: "User-agent: *\nDisallow: /*?page=2"}
		time.Sleep(max(time.Until(c.series().NextVisit), 25*time.Hour))
		before := len(c.web.log)
		c.run(Options{})
		if slices.Contains(c.web.since(before), "/news/?page=2") {
			t.Error("a page was requested that robots.txt forbids")
		}
		if s := c.series(); s.Complete || s.Certificate.Reason != pagination.Robots {
			t.Errorf("the pass stopped by %v, complete %v; want robots, not complete", s.Certificate.Reason, s.Complete)
		}
	})
}

// TestWatchVisitsWhenNewsIsDue stays with a roll for weeks of virtual time.
func TestWatchVisitsWhenNewsIsDue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, r := newRollCrawl(t, 35)
		db := c.open(storage.Options{Create: true, Norm: c.norm().ID()})
		cr, err := New(db, c.web, &c.settings, Options{Visits: pagination.Schedule{Min: time.Hour, Max: 24 * time.Hour}})
		if err != nil {
			t.Fatal(err)
		}
		days := 10
		go func() {
			for range days {
				time.Sleep(24 * time.Hour)
				c.web.mu.Lock()
				r.publish(4)
				c.web.mu.Unlock()
			}
		}()
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(days+2)*24*time.Hour)
		defer cancel()
		if _, err := cr.Watch(ctx); err != nil {
			t.Fatal(err)
		}
		c.close(db)
		for n := 36; n <= 35+4*days; n++ {
			if got := c.web.count(fmt.Sprintf("http://a.test/item/%d", n)); got != 1 {
				t.Errorf("item %d was requested %d times; want once", n, got)
			}
		}
		if perDay := c.seriesRate(); perDay < 2.5 || perDay > 6 {
			t.Errorf("the arrival rate is %.1f a day; want about 4", perDay)
		}
		if n := c.web.count(r.url(1)); n < days || n > 24*(days+2) {
			t.Errorf("page 1 was requested %d times in %d days", n, days+2)
		}
	})
}

// TestWatchOutlivesAnOutage watches a roll whose host answers nothing for two
// days: the host is given up, and tried again at the next visit.
func TestWatchOutlivesAnOutage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, r := newRollCrawl(t, 35)
		db := c.open(storage.Options{Create: true, Norm: c.norm().ID()})
		cr, err := New(db, c.web, &c.settings, Options{Visits: pagination.Schedule{Min: time.Hour, Max: 6 * time.Hour}})
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			time.Sleep(12 * time.Hour)
			c.web.mu.Lock()
			r.publish(5)
			working := c.web.answers
			c.web.answers = map[string]answer{}
			for url := range working {
				c.web.answers[url] = answer{status: 503}
			}
			c.web.mu.Unlock()
			time.Sleep(48 * time.Hour)
			c.web.mu.Lock()
			c.web.answers = working
			c.web.mu.Unlock()
		}()
		ctx, cancel := context.WithTimeout(t.Context(), 6*24*time.Hour)
		defer cancel()
		if _, err := cr.Watch(ctx); err != nil {
			t.Fatal(err)
		}
		c.close(db)
		for n := 36; n <= 40; n++ {
			if c.web.count(fmt.Sprintf("http://a.test/item/%d", n)) == 0 {
				t.Errorf("item %d was never requested", n)
			}
		}
		if s := c.series(); !s.Complete {
			t.Errorf("the last pass stopped by %v and is not complete", s.Certificate.Reason)
		}
	})
}
