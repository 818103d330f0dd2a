package crawler

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hashcrawl/hashcrawl/crawler/fetch"
	"github.com/hashcrawl/hashcrawl/pagination"
	"github.com/hashcrawl/hashcrawl/storage"
)

// visit lets time pass until the series is due, and carries out a run. It
// returns the index pages that were requested.
func (c *crawl) visit() (pages []string) {
	c.t.Helper()
	before := len(c.web.log)
	for _, s := range c.allSeries() {
		time.Sleep(max(0, time.Until(s.NextVisit)))
	}
	c.run(Options{Pass: pagination.Limits{MaxPages: 12}})
	for _, url := range c.web.since(before) {
		if !strings.HasPrefix(url, "/item/") && url != "/robots.txt" {
			pages = append(pages, url)
		}
	}
	return pages
}

// wantItems checks that every item up to the given number was requested, and
// none twice.
func (c *crawl) wantItems(last int) {
	c.t.Helper()
	for n := 1; n <= last; n++ {
		if got := c.web.count(fmt.Sprintf("http://a.test/item/%d", n)); got != 1 {
			c.t.Errorf("item %d was requested %d times; want once", n, got)
		}
	}
}

// numbers returns the numbers from high down to low.
func numbers(high, low int) (ns []int) {
	for n := high; n >= low; n-- {
		ns = append(ns, n)
	}
	return ns
}

// fill gives every index page from 1 to last the answer that make returns.
func (r *roll) fill(last int, make func(page int) answer) {
	for p := 1; p <= last; p++ {
		r.web.answers[r.url(p)] = make(p)
	}
}

// TestBadListsStopTheWalk shows lists that are broken in one way each to a crawl
// that knows the list as it was, with items 1 to 35. Each ends the pass for a
// reason that has a name; none does so as complete, but for those that are.
func TestBadListsStopTheWalk(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 1))
	for _, tc := range []struct {
		name     string
		spoil    func(c *crawl, r *roll)
		stop     pagination.Reason
		complete bool
		pages    int // requested
	}{
		{"endless next", func(_ *crawl, r *roll) {
			r.fill(40, func(p int) answer { return answer{body: r.html(numbers(900-p*10, 891-p*10), p, 1000)} })
		}, pagination.Capped, false, 12},
		{"pager that leads back", func(_ *crawl, r *roll) {
			r.fill(40, func(p int) answer { return answer{body: r.html(numbers(900-p%3*10, 891-p%3*10), p, 1000)} })
		}, pagination.Loop, false, 5},
		{"echo beyond the end", func(_ *crawl, r *roll) {
			r.fill(40, func(p int) answer { return answer{body: r.html(numbers(90-min(p, 3)*10, 81-min(p, 3)*10), p, p+1)} })
		}, pagination.Echo, true, 6},
		{"304 that nobody asked for", func(_ *crawl, r *roll) {
			r.publish(24)
			r.web.answers[r.url(2)] = answer{status: 304}
		}, pagination.ServerError, false, 2},
		{"304 without a validator", func(c *crawl, r *roll) {
			for p := 1; p <= 4; p++ { // a visit without validators, and then
				a := r.web.answers[r.url(p)]
				a.header = nil
				r.web.answers[r.url(p)] = a
			}
			c.visit()
			r.web.answers[r.url(1)] = answer{status: 304}
		}, pagination.ServerError, false, 1},
		{"404", func(_ *crawl, r *roll) {
			r.publish(24)
			r.web.answers[r.url(2)] = answer{status: 404}
		}, pagination.NotFound, false, 2},
		{"500", func(_ *crawl, r *roll) {
			r.publish(24)
			r.web.answers[r.url(2)] = answer{status: 500}
		}, pagination.ServerError, false, 2},
		{"stale page 1", func(_ *crawl, r *roll) {
			r.web.answers[r.url(1)] = answer{body: r.html(numbers(31, 22), 1, 4)}
		}, pagination.StalePage, false, 1},
		{"order of its own for each visitor", func(_ *crawl, r *roll) {
			order := rnd.Perm(35)
			r.fill(4, func(p int) answer {
				var shown []int
				for _, i := range order[(p-1)*10 : min(p*10, 35)] {
					shown = append(shown, i+1)
				}
				return answer{body: r.html(shown, p, 4)}
			})
		}, pagination.Unordered, false, 1},
		{"login page in place of page 1", func(_ *crawl, r *roll) {
			r.web.answers[r.url(1)] = answer{status: 302, location: "/login?from=/news/"}
			r.web.answers["http://a.test/login?from=/news/"] = answer{body: "<title>Log in</title><form><input name=user></form>"}
		}, pagination.Redirected, false, 2},
		{"login page in place of page 2", func(_ *crawl, r *roll) {
			r.publish(24)
			r.web.answers[r.url(2)] = answer{body: "<title>Log in</title><form><input name=user></form>"}
		}, pagination.NoBlock, false, 2},
		{"redirects without end", func(_ *crawl, r *roll) {
			r.web.answers[r.url(1)] = answer{status: 302, location: "/hop/1"}
			for n := range 20 {
				r.web.answers[fmt.Sprintf("http://a.test/hop/%d", n)] = answer{status: 302, location: fmt.Sprintf("/hop/%d", n+1)}
			}
		}, pagination.Redirected, false, 1 + indexHops},
		{"no items", func(_ *crawl, r *roll) {
			r.web.answers[r.url(1)] = answer{body: r.html(nil, 1, 4)}
		}, pagination.EmptyPage, false, 1},
		{"no HTML", func(_ *crawl, r *roll) {
			r.web.answers[r.url(1)] = answer{body: "%PDF-1.7 and so on"}
		}, pagination.EmptyPage, false, 1},
		{"page 1 without end", func(_ *crawl, r *roll) {
			r.publish(3)
			a := r.web.answers[r.url(1)]
			a.cut = fetch.CutSize
			r.web.answers[r.url(1)] = a
		}, pagination.CutShort, false, 1},
		{"page 2 not to be followed", func(_ *crawl, r *roll) {
			r.publish(24)
			a := r.web.answers[r.url(1)]
			a.body = strings.NewReplacer("<a rel=next ", "<a rel='next nofollow' ", "<a href=\"/news/", "<a rel=nofollow href=\"/news/").Replace(a.body)
			r.web.answers[r.url(1)] = a
		}, pagination.NoFollow, false, 1},
		{"page 2 outside the crawl", func(c *crawl, r *roll) {
			r.publish(24)
			c.settings.Exclude = []string{"*page=2"}
		}, pagination.OutOfScope, false, 1},
		{"page 1 outside the crawl", func(c *crawl, r *roll) {
			r.publish(24)
			c.settings.Exclude = []string{"*/news/"}
		}, pagination.OutOfScope, false, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c, r := newRollCrawl(t, 35)
				r.begun = r.begun.Add(-2000 * time.Hour) // so that item 900 is not dated in the future
				r.write()
				c.run(Options{})
				tc.spoil(c, r)
				pages := c.visit()
				s := c.series()
				if s.Certificate.Reason != tc.stop || s.Complete != tc.complete || len(pages) != tc.pages {
					t.Errorf("the pass stopped by %v, complete %v, after %v; want %v, complete %v, %d pages",
						s.Certificate.Reason, s.Complete, pages, tc.stop, tc.complete, tc.pages)
				}
				if !s.Complete && s.Certificate.Gap == nil {
					t.Error("the pass is not complete and tells of no gap")
				}
				for range 2 { // and it stays so
					if pages := c.visit(); len(pages) > tc.pages+1 {
						t.Errorf("a later visit requested %v", pages)
					}
				}
			})
		})
	}
}

// TestMendedListsAreReadToTheirKnownPart breaks a list as above, and mends it
// with more news: what was missed is read.
func TestMendedListsAreReadToTheirKnownPart(t *testing.T) {
	for name, spoil := range map[string]func(c *crawl, r *roll){
		"stale":    func(_ *crawl, r *roll) { r.web.answers[r.url(1)] = answer{body: r.html(numbers(31, 22), 1, 4)} },
		"empty":    func(_ *crawl, r *roll) { r.web.answers[r.url(1)] = answer{body: r.html(nil, 1, 4)} },
		"excluded": func(c *crawl, _ *roll) { c.settings.Exclude = []string{"*page=2"} },
		"cut": func(_ *crawl, r *roll) {
			a := r.web.answers[r.url(2)]
			a.cut, a.body = fetch.CutShort, a.body[:len(a.body)/2]
			r.web.answers[r.url(2)] = a
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c, r := newRollCrawl(t, 35)
				c.run(Options{})
				r.publish(13)
				spoil(c, r)
				c.visit()
				if s := c.series(); s.Complete {
					t.Errorf("the spoilt list is complete by %v", s.Certificate.Reason)
				}
				c.settings.Exclude = nil
				r.publish(11)
				c.visit()
				if s := c.series(); !s.Complete {
					t.Errorf("the mended list is not complete: stopped by %v", s.Certificate.Reason)
				}
				c.wantItems(59)
			})
		})
	}
}

// TestListsWithoutOrderAreLeftAlone lets a list be sorted by something else from
// one day on: after two visits it is not completed any more, and says so, until
// it has an order again.
func TestListsWithoutOrderAreLeftAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, r := newRollCrawl(t, 35)
		c.run(Options{})
		r.publish(5)
		items := slices.Clone(r.items)
		rand.New(rand.NewPCG(1, 1)).Shuffle(len(items), func(i, j int) { items[i], items[j] = items[j], items[i] })
		r.fill(4, func(p int) answer { return answer{body: r.html(items[(p-1)*10:p*10], p, 4)} })
		for range 2 {
			c.visit()
			if s := c.series(); s.Complete || s.Certificate.Reason != pagination.Unordered {
				t.Errorf("the pass stopped by %v, complete %v; want unordered, not complete", s.Certificate.Reason, s.Complete)
			}
		}
		s := c.series()
		if last := s.Evidence[len(s.Evidence)-1]; s.Direction != pagination.Undecided || !strings.Contains(last, "not completed until") {
			t.Errorf("the series is %v, because %q; want undecided, not completed", s.Direction, last)
		}
		if wait := time.Until(s.NextVisit); wait < 6*24*time.Hour {
			t.Errorf("it is visited again in %v", wait)
		}
		if pages := c.visit(); len(pages) != 1 {
			t.Errorf("requested %v of a list that has no order; want one page", pages)
		}
		r.publish(10)
		c.visit()
		if s := c.series(); !s.Complete || s.Direction != pagination.NewestFirst {
			t.Errorf("the list that has an order again is %v, complete %v, stopped by %v", s.Direction, s.Complete, s.Certificate.Reason)
		}
		c.wantItems(50)
	})
}

// TestEndlessListRests meets a list without end, whose every visit ends at the
// page limit: after the second it is left alone for a week.
func TestEndlessListRests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, r := newRollCrawl(t, 35)
		r.begun = r.begun.Add(-5000 * time.Hour)
		r.write()
		c.run(Options{})
		for visit := 1; visit <= 2; visit++ {
			r.fill(40, func(p int) answer {
				top := 1000 + visit*1000 - p*10
				return answer{body: r.html(numbers(top, top-9), p, 1000)}
			})
			c.visit()
			if s := c.series(); s.Complete || s.Certificate.Reason != pagination.Capped {
				t.Errorf("visit %d stopped by %v, complete %v; want cap", visit, s.Certificate.Reason, s.Complete)
			}
		}
		if wait := time.Until(c.series().NextVisit); wait < 6*24*time.Hour {
			t.Errorf("the next visit is in %v; want a week", wait)
		}
		if gaps := c.series().Gaps; len(gaps) != 2 {
			t.Errorf("%d gaps are told; want one of each visit", len(gaps))
		}
	})
}

// TestRedesignedListGoesOn changes the mark-up of a list, and later its address:
// it is the same series all the same, and nothing is missed.
func TestRedesignedListGoesOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, r := newRollCrawl(t, 35)
		c.run(Options{})

		r.publish(13)
		r.fill(5, func(p int) answer {
			items := r.items[(p-1)*10 : min(p*10, len(r.items))]
			return answer{body: "<title>News</title><div id=content>" +
				r.rows(items, "<article class=teaser><a class=title href=%q>%s</a> %s</article>\n") + r.pager(p, 5) + "</div>"}
		})
		c.visit()
		c.wantItems(48)
		now := c.atWork()
		if !now.Complete || now.Certificate.Reason != pagination.Overlap {
			t.Errorf("after the redesign the pass stopped by %v, complete %v; want overlap, complete", now.Certificate.Reason, now.Complete)
		}
		for _, s := range c.allSeries() {
			if s.Direction == pagination.Undecided && !strings.Contains(strings.Join(s.Evidence, "\n"), now.ID.Key()) {
				t.Errorf("the old series does not say that %s goes on with it: %q", now.ID.Key(), s.Evidence)
			}
		}

		before := len(c.web.log)
		r.publish(3)
		for p := 1; p <= 6; p++ {
			target := strings.Replace(r.url(p), "/news/", "/notices/", 1)
			a := r.web.answers[r.url(p)]
			a.body = strings.ReplaceAll(a.body, `"/news/`, `"/notices/`)
			r.web.answers[target] = a
			r.web.answers[r.url(p)] = answer{status: 301, location: target}
		}
		c.visit()
		c.visit()
		c.wantItems(51)
		if s := c.atWork(); s.First != "http://a.test/notices/" || !s.Complete {
			t.Errorf("after the move the series is at %s, complete %v; want /notices/, complete; requests %v", s.First, s.Complete, c.web.since(before))
		}
		if n := len(c.allSeries()); n != 3 {
			t.Errorf("the crawl knows %d series; want one, and the two that it was", n)
		}
	})
}

// atWork returns the only series that is completed.
func (c *crawl) atWork() (at storage.Series) {
	c.t.Helper()
	n := 0
	for _, s := range c.allSeries() {
		if s.Direction != pagination.Undecided {
			at = s
			n++
		}
	}
	if n != 1 {
		c.t.Errorf("%d series are completed; want 1", n)
	}
	return at
}

// TestRedirectsOfPageOneAreFollowed sends page 1 elsewhere for the time being:
// the list is read there, and asked for at its own address again.
func TestRedirectsOfPageOneAreFollowed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, r := newRollCrawl(t, 35)
		c.run(Options{})
		r.publish(3)
		r.web.answers["http://a.test/news/?from=home"] = r.web.answers[r.url(1)]
		r.web.answers[r.url(1)] = answer{status: 302, location: "/news/?from=home"}
		for range 2 {
			if got, want := c.visit(), []string{"/news/", "/news/?from=home"}; !slices.Equal(got, want) {
				t.Errorf("requested %v; want %v", got, want)
			}
			if s := c.series(); !s.Complete || s.First != r.url(1) {
				t.Errorf("the pass at %s stopped by %v, complete %v", s.First, s.Certificate.Reason, s.Complete)
			}
		}
		c.wantItems(38)
	})
}

// TestTwoSeriesUnderOnePageParameter shows two lists on each page: two series,
// and each page is requested once for both.
func TestTwoSeriesUnderOnePageParameter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, r := newRollCrawl(t, 35)
		other := &roll{web: r.web, begun: r.begun.Add(-1020 * time.Hour)}
		for n := 1001; n <= 1040; n++ {
			other.items = slices.Insert(other.items, 0, n)
		}
		show := func() {
			r.fill(4, func(p int) answer {
				return answer{body: "<title>News</title><main><section><h2>Notices</h2><ul class=roll>" +
					r.rows(r.items[(p-1)*10:min(p*10, len(r.items))], "<li class=item><a href=%q>%s</a> %s</li>\n") + "</ul>" + r.pager(p, 4) +
					"</section><section><h2>Minutes</h2><div class=minutes>" +
					other.rows(other.items[(p-1)*10:min(p*10, len(other.items))], "<article class=minute><h3><a href=%q>%s</a></h3>%s</article>\n") + "</div>" + r.pager(p, 4) + "</section></main>"}
			})
		}
		show()
		c.run(Options{})
		if n := len(c.allSeries()); n != 2 {
			t.Fatalf("the crawl knows %d series; want 2", n)
		}
		before := len(c.web.log)
		r.items = append(numbers(38, 36), r.items...)
		other.items = append(numbers(1055, 1041), other.items...)
		show()
		for _, s := range c.allSeries() {
			time.Sleep(max(0, time.Until(s.NextVisit)))
		}
		c.run(Options{})
		index := 0
		for _, url := range c.web.since(before) {
			if strings.HasPrefix(url, "/news/") {
				index++
			}
		}
		if index != 2 {
			t.Errorf("%d index pages were requested; want page 1 for both series, and page 2 for one: %v", index, c.web.since(before))
		}
		for _, s := range c.allSeries() {
			if !s.Complete || s.Certificate.Reason != pagination.Overlap {
				t.Errorf("series %v stopped by %v, complete %v", s.ID.Block, s.Certificate.Reason, s.Complete)
			}
		}
		for n := 1041; n <= 1055; n++ {
			if c.web.count(fmt.Sprintf("http://a.test/item/%d", n)) != 1 {
				t.Errorf("item %d was not requested once", n)
			}
		}
	})
}

// TestCalendarIsNoSeries crawls a calendar whose months lead to each other: it
// is not taken as a list of news.
func TestCalendarIsNoSeries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCrawl(t, map[string]answer{}, "http://a.test/calendar")
		c.settings.NoSitemaps = true
		c.web.site = func(path, query string) string {
			month := 0
			if path != "/calendar" {
				return "<title>A day</title>"
			}
			fmt.Sscanf(query, "month=%d", &month)
			first := time.Date(2000, time.Month(1+month), 1, 0, 0, 0, 0, time.UTC)
			var b strings.Builder
			fmt.Fprintf(&b, "<title>%s</title><a rel=prev href=?month=%d>Previous month</a> <a rel=next href=?month=%d>Next month</a><ul>", first.Format("January 2006"), month-1, month+1)
			for d := range 28 {
				at := first.AddDate(0, 0, d)
				fmt.Fprintf(&b, "<li><a href=/day/%s>%s</a> <span>Evening of songs and stories</span></li>", at.Format(time.DateOnly), at.Format("2 January 2006"))
			}
			return b.String()
		}
		c.run(Options{MaxPages: 300})
		for _, s := range c.allSeries() {
			t.Errorf("the calendar is a series: %s %+v", s.First, s.ID)
		}
	})
}
