package crawler

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hashcrawl/hashcrawl/pagination"
	"github.com/hashcrawl/hashcrawl/storage"
)

// A blog is a list whose pages are too short to decide by themselves, if size
// is below seven.
type blog struct {
	*roll
	size  int
	box   string            // between the list and the pager of every page
	row   string            // format of a row; "" for that of a roll
	order func(pos int) int // the item at a place, from 0; nil for newest first
}

func newBlog(t *testing.T, size, items int) (*crawl, *blog) {
	c := newCrawl(t, map[string]answer{}, "http://a.test/news/")
	c.settings.NoSitemaps = true
	b := &blog{roll: &roll{web: c.web, begun: time.Now().Add(-time.Duration(items) * time.Hour)}, size: size}
	b.items = numbers(items, 1)
	b.write()
	return c, b
}

func (b *blog) publish(n int) {
	for range n {
		b.items = slices.Insert(b.items, 0, len(b.items)+1)
	}
	b.write()
}

func (b *blog) write() {
	pages := (len(b.items) + b.size - 1) / b.size
	for p := 1; p <= pages; p++ {
		var shown []int
		for pos := (p - 1) * b.size; pos < min(p*b.size, len(b.items)); pos++ {
			n := b.items[pos]
			if b.order != nil {
				n = b.order(pos)
			}
			b.web.answers[fmt.Sprintf("http://a.test/item/%d", n)] = answer{body: fmt.Sprintf("<title>Notice %d</title>text", n)}
			shown = append(shown, n)
		}
		row := b.row
		if row == "" {
			row = "<li class=item><h2><a href=%q>%s</a></h2>%s<p>Something happened.</p></li>\n"
		}
		b.web.answers[b.url(p)] = answer{takes: time.Second, body: "<title>News</title><main><ul class=roll>\n" + b.rows(shown, row) + "</ul>" + b.box + b.pager(p, pages) + "</main>"}
	}
}

// best returns a box of items with dates that go back in time.
func (b *blog) best(first, n int) string {
	var s strings.Builder
	s.WriteString("<ol class=best>")
	for i := range n {
		date := b.begun.Add(-time.Duration(first+i) * 24 * time.Hour)
		fmt.Fprintf(&s, "<li class=hit><h3><a href=/best/%d>What most people have read this week, number %d</a></h3><time datetime=%q>%s</time></li>\n",
			first+i, first+i, date.Format(time.RFC3339), date.Format("2 January 2006 15:04"))
		b.web.answers[fmt.Sprintf("http://a.test/best/%d", first+i)] = answer{body: "<title>Best</title>text"}
	}
	s.WriteString("</ol>")
	return s.String()
}

// found returns the series of the crawl, candidates apart, by the name of their
// blocks.
func (c *crawl) found() map[string]storage.Series {
	all := map[string]storage.Series{}
	for _, s := range c.allSeries() {
		if s.Candidate == 0 {
			name := "list"
			if strings.Contains(s.ID.Block, "best") {
				name = "box"
			}
			all[name] = s
		}
	}
	return all
}

// wantNoneTwice checks that no page was requested twice.
func (c *crawl) wantNoneTwice(but ...string) {
	c.t.Helper()
	for _, url := range c.web.requested() {
		if n := c.web.count(url); n > 1 && !slices.Contains(but, url) {
			c.t.Errorf("%s was requested %d times; want once", url, n)
		}
	}
}

// TestTwoPagesTogetherFoundASeries crawls a blog with five posts a page. No page
// is asked for twice, and the series is completed like any other.
func TestTwoPagesTogetherFoundASeries(t *testing.T) {
	for _, tc := range []struct {
		name  string
		seeds []string
	}{
		{"page 1 first", []string{"http://a.test/news/"}},
		{"page 2 first", []string{"http://a.test/news/?page=2", "http://a.test/news/"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c, b := newBlog(t, 5, 23)
				c.settings.Seeds = tc.seeds
				c.run(Options{})
				s := c.series()
				if s.First != b.url(1) || s.Direction != pagination.NewestFirst || !s.Complete || s.Certificate.Reason != pagination.First || len(s.Head) != 10 || s.Candidate != 0 {
					t.Fatalf("series %s is %v, complete %v by %v with %d items, candidate %d", s.First, s.Direction, s.Complete, s.Certificate.Reason, len(s.Head), s.Candidate)
				}
				if last := s.Evidence[len(s.Evidence)-1]; !strings.HasPrefix(last, "both pages together: 10 dates run newest first") {
					t.Errorf("evidence %q", s.Evidence)
				}
				c.wantNoneTwice()
				for _, news := range []struct {
					n     int
					pages []string
				}{
					{0, []string{"/news/"}},
					{2, []string{"/news/"}},
					{7, []string{"/news/", "/news/?page=2"}},
				} {
					b.publish(news.n)
					if got := c.visit(); !slices.Equal(got, news.pages) {
						t.Errorf("with %d new posts the visit requested %v; want %v", news.n, got, news.pages)
					}
					if s := c.series(); !s.Complete || s.Certificate.New != news.n {
						t.Errorf("the pass stopped by %v, complete %v, %d new; want %d", s.Certificate.Reason, s.Complete, s.Certificate.New, news.n)
					}
				}
				c.wantItems(32)
			})
		})
	}
}

// TestKillBetweenTheFirstTwoPages kills a crawl at each of its first pages. The
// blog is found in the next run, and no page that was read is asked for again.
func TestKillBetweenTheFirstTwoPages(t *testing.T) {
	for _, seeds := range [][]string{{"http://a.test/news/"}, {"http://a.test/news/?page=2", "http://a.test/news/"}} {
		for n := 1; n <= 2; n++ {
			t.Run(fmt.Sprint(seeds[0], n), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					c, b := newBlog(t, 5, 10)
					c.settings.Seeds = seeds
					c.runAndKill(n)
					if s := c.found(); len(s) > 0 {
						t.Errorf("killed at page %d, there are %d series", n, len(s))
					}
					time.Sleep(time.Minute)
					c.run(Options{})
					if s := c.found()["list"]; !s.Complete || len(s.Head) != 10 {
						t.Errorf("the series is complete %v by %v, with %d items", s.Complete, s.Certificate.Reason, len(s.Head))
					}
					c.wantNoneTwice()
					b.publish(3)
					c.visit()
					if s := c.found()["list"]; !s.Complete || s.Certificate.New != 3 {
						t.Errorf("the next pass stopped by %v, complete %v, %d new", s.Certificate.Reason, s.Complete, s.Certificate.New)
					}
				})
			})
		}
	}
}

// TestNoSeriesOfWhatTimeDoesNotOrder crawls short lists that are in no order.
// They cost no request.
func TestNoSeriesOfWhatTimeDoesNotOrder(t *testing.T) {
	const undated = "<li class=item><h2><a href=%[1]q>%[2]s</a></h2><b>$19.99</b></li>\n"
	for name, spoil := range map[string]func(*blog, *rand.Rand){
		"shop": func(b *blog, _ *rand.Rand) { b.row = undated },
		"shuffled": func(b *blog, rnd *rand.Rand) {
			order := rnd.Perm(len(b.items))
			b.order = func(pos int) int { return order[pos] + 1 }
		},
		"each page in order, and not the two": func(b *blog, _ *rand.Rand) {
			b.order = func(pos int) int { return 30 - pos%b.size*6 - (pos/b.size+3)%6 }
		},
	} {
		for seed := range uint64(6) {
			t.Run(fmt.Sprint(name, seed), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					c, b := newBlog(t, 5, 30)
					spoil(b, rand.New(rand.NewPCG(seed, 0)))
					b.write()
					c.run(Options{})
					if s := c.found(); len(s) > 0 {
						t.Errorf("series %+v; want none", s)
					}
					c.wantNoneTwice()
					before := len(c.web.log)
					time.Sleep(20 * 24 * time.Hour)
					c.run(Options{})
					if got := c.web.since(before); len(got) > 0 {
						t.Errorf("the next run requested %v", got)
					}
				})
			})
		}
	}
}

// TestBoxInPlaceOfTheListIsFoundOut crawls lists with a box that looks more like
// what the pager drives, in order as it is. It is refuted, and the list found.
func TestBoxInPlaceOfTheListIsFoundOut(t *testing.T) {
	for _, tc := range []struct {
		name string
		size int // of the list's pages
		box  int // rows of the box
		on   func(page int) bool
	}{
		{"on every page", 10, 8, func(int) bool { return true }},
		{"on every page, both short", 5, 5, func(int) bool { return true }},
		{"on every page, the list short", 5, 8, func(int) bool { return true }},
		{"on page 1", 10, 8, func(page int) bool { return page == 1 }},
		{"on page 1, the list short", 5, 8, func(page int) bool { return page == 1 }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c, b := newBlog(t, tc.size, 35)
				box := b.best(1, tc.box)
				write := func() {
					b.box = box
					b.write()
					for url, a := range b.web.answers {
						if _, number, ok := strings.Cut(url, "?page="); ok && !tc.on(int(number[0]-'0')) {
							a.body = strings.Replace(a.body, box, "", 1)
							b.web.answers[url] = a
						}
					}
				}
				write()
				c.run(Options{})
				found := c.found()
				if s, ok := found["box"]; ok && (s.Direction != pagination.Undecided || s.Certificate.Reason != pagination.NotDriven || s.Complete || len(s.Head) > 0) {
					t.Errorf("the box is %v by %v, complete %v, evidence %q", s.Direction, s.Certificate.Reason, s.Complete, s.Evidence)
				}
				s, ok := found["list"]
				if !ok || s.Direction != pagination.NewestFirst || !s.Complete || s.First != b.url(1) || len(s.Head) != 2*tc.size {
					t.Fatalf("of %d series, the list is %v at %s, complete %v by %v with %d items, evidence %q; want it complete, with two pages",
						len(found), s.Direction, s.First, s.Complete, s.Certificate.Reason, len(s.Head), s.Evidence)
				}
				c.wantNoneTwice(b.url(1), b.url(2))
				if one, two := c.web.count(b.url(1)), c.web.count(b.url(2)); one+two > 5 {
					t.Errorf("page 1 was requested %d times, page 2 %d", one, two)
				}
				b.publish(tc.size + 2)
				write()
				if pages := c.visit(); !slices.Equal(pages, []string{"/news/", "/news/?page=2"}) {
					t.Errorf("the visit requested %v; want two pages", pages)
				}
				if s := c.found()["list"]; !s.Complete || s.Certificate.New != tc.size+2 || s.Certificate.Reason != pagination.Overlap {
					t.Errorf("the visit stopped by %v, complete %v, %d new", s.Certificate.Reason, s.Complete, s.Certificate.New)
				}
				c.wantItems(35 + tc.size + 2)
			})
		})
	}
}

// TestListThatMovesByAPageIsNotRefuted lets as much appear between the requests
// for pages 1 and 2 that both show the same.
func TestListThatMovesByAPageIsNotRefuted(t *testing.T) {
	for _, size := range []int{5, 10} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c, b := newBlog(t, size, 35)
				b.begun = b.begun.Add(-100 * time.Hour)
				b.write()
				one := b.web.answers[b.url(1)]
				b.publish(size)
				late := b.web.answers[b.url(1)]
				one.then = &late
				b.web.answers[b.url(1)] = one
				c.run(Options{})
				s := c.found()["list"]
				if s.Direction != pagination.NewestFirst || !s.Complete {
					t.Fatalf("the series is %v, complete %v by %v, evidence %q", s.Direction, s.Complete, s.Certificate.Reason, s.Evidence)
				}
				for range 2 { // page 1 was seen as it was before
					c.visit()
				}
				c.wantItems(35 + size)
			})
		})
	}
}

// TestEchoOfPageOneIsNoList crawls a site that shows page 1 whatever page is
// asked for. It is looked at again a week later, and completed once it has pages.
func TestEchoOfPageOneIsNoList(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, b := newBlog(t, 10, 35)
		echo := func() {
			for p := 2; p <= 4; p++ {
				b.web.answers[b.url(p)] = b.web.answers[b.url(1)]
			}
		}
		echo()
		c.run(Options{})
		for range 2 {
			s := c.found()["list"]
			if s.Direction != pagination.Undecided || s.Complete || s.Certificate.Reason != pagination.NotDriven || s.NextVisit.Before(time.Now().Add(restInterval-time.Hour)) {
				t.Fatalf("the series is %v, complete %v by %v, next visit in %v", s.Direction, s.Complete, s.Certificate.Reason, time.Until(s.NextVisit))
			}
			b.publish(3)
			echo()
			before := len(c.web.log)
			c.visit()
			if n := len(c.web.log) - before; n > 3+1+3 { // pages, robots.txt, items
				t.Errorf("the visit made %d requests: %v", n, c.web.since(before))
			}
		}
		b.write()
		c.visit()
		if s := c.found()["list"]; s.Direction != pagination.NewestFirst || !s.Complete || s.Certificate.Reason != pagination.First {
			t.Errorf("with pages of its own, the series is %v, complete %v by %v", s.Direction, s.Complete, s.Certificate.Reason)
		}
	})
}

// TestKillsWhileABoxIsFoundOut kills a crawl at each of the pages that it takes
// to refute a box and to found the list.
func TestKillsWhileABoxIsFoundOut(t *testing.T) {
	for n := 1; n <= 6; n++ {
		for _, size := range []int{5, 10} {
			t.Run(fmt.Sprint(n, " ", size), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					c, b := newBlog(t, size, 2*size)
					b.box = b.best(1, size)
					b.write()
					c.runAndKill(n)
					time.Sleep(time.Hour)
					c.run(Options{Visits: pagination.Schedule{Min: time.Minute, Max: time.Minute}})
					found := c.found()
					if s := found["list"]; s.Direction != pagination.NewestFirst || !s.Complete {
						t.Errorf("the list is %v, complete %v by %v, evidence %q", s.Direction, s.Complete, s.Certificate.Reason, s.Evidence)
					}
					if s, ok := found["box"]; ok && (s.Complete || s.Direction != pagination.Undecided) {
						t.Errorf("the box is %v, complete %v by %v", s.Direction, s.Complete, s.Certificate.Reason)
					}
				})
			})
		}
	}
}

// TestRandomShortLists crawls short lists of every kind, with and without a box
// beside them, kills the first run at random, and lets news appear. What is
// called ordered is, what is complete has missed nothing, and a list that has an
// order is found.
func TestRandomShortLists(t *testing.T) {
	for seed := range uint64(60) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				rnd := rand.New(rand.NewPCG(seed, 1))
				size := 4 + rnd.IntN(6)
				items := size*2 + rnd.IntN(3*size)
				c, b := newBlog(t, size, items)
				b.begun = b.begun.Add(-2000 * time.Hour)
				kind := []string{"newest first", "newest first", "oldest first", "shuffled"}[rnd.IntN(4)]
				switch kind {
				case "oldest first":
					b.order = func(pos int) int { return pos + 1 }
				case "shuffled":
					order := rnd.Perm(200)
					b.order = func(pos int) int { return order[pos] + 1 }
				}
				if rnd.IntN(2) == 0 {
					b.box = b.best(1, 3+rnd.IntN(7))
				}
				b.write()
				if rnd.IntN(2) == 0 {
					c.runAndKill(1 + rnd.IntN(6))
				}
				schedule := Options{Visits: pagination.Schedule{Min: time.Minute, Max: 240 * time.Hour}}
				for range 4 {
					c.run(schedule)
					n := rnd.IntN(2 * size)
					b.publish(n)
					items += n
					time.Sleep(240 * time.Hour)
				}
				c.run(schedule)
				found := c.found()
				if s, ok := found["box"]; ok && s.Direction != pagination.Undecided {
					t.Errorf("the box is %v, complete %v by %v, evidence %q", s.Direction, s.Complete, s.Certificate.Reason, s.Evidence)
				}
				s := found["list"]
				want := map[string]pagination.Direction{"newest first": pagination.NewestFirst, "oldest first": pagination.NewestLast}[kind]
				if s.Direction != want || s.Complete != (want != pagination.Undecided) {
					t.Errorf("the list, %s with %d items a page, is %v, complete %v by %v, evidence %q", kind, size, s.Direction, s.Complete, s.Certificate.Reason, s.Evidence)
				}
				if s.Complete && len(s.Gaps) == 0 {
					c.wantAll(items, "of the list that is complete")
				}
			})
		})
	}
}
