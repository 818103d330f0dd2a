package pagination

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

var day0 = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// numbered is a series whose pages have numbers, newest first.
func numbered() Series {
	return Series{
		Direction: NewestFirst,
		ID:        Identity{Host: "list.test", Pattern: Pattern{Before: "http://list.test/?page=", Step: 1}},
	}
}

// rows returns one row for each key, undated.
func rows(keys ...string) []Row {
	out := make([]Row, len(keys))
	for i, k := range keys {
		out[i].Key = k
	}
	return out
}

// count returns the keys prefix+from, …, prefix+to, falling if from > to.
func count(prefix string, from, to int) []string {
	step := 1
	if from > to {
		step = -1
	}
	var out []string
	for i := from; i != to+step; i += step {
		out = append(out, fmt.Sprintf("%s%d", prefix, i))
	}
	return out
}

// A shelf is a list cut into pages, by the number of rows on a page.
type shelf struct {
	keys []string
	size int
}

func (s shelf) page(n int) PageSeen {
	from, to := min((n-1)*s.size, len(s.keys)), min(n*s.size, len(s.keys))
	return PageSeen{
		URL: fmt.Sprint("/", n), Rows: rows(s.keys[from:to]...),
		HasNext: to < len(s.keys), Last: (len(s.keys) + s.size - 1) / s.size,
	}
}

// A read answers an action: with a page, or with the reason for none.
type read func(a Action) (PageSeen, Reason)

// of answers with the pages of s.
func of(s shelf) read { return func(a Action) (PageSeen, Reason) { return s.page(a.Page), Running } }

// outcome is what a pass led to.
type outcome struct {
	series  Series
	pages   []int // asked for, in order
	emitted []string
	reason  Reason
}

// walk makes a pass over s and stops if it asks for more than 500 pages.
func walk(t *testing.T, s Series, now time.Time, limits Limits, answer read) outcome {
	t.Helper()
	return drive(t, Begin(s, now, limits), answer)
}

// walker is what a Pass and a Backfill have in common.
type walker interface {
	Next() Action
	Page(PageSeen) Verdict
	Fail(Reason) Verdict
	Series() Series
}

func drive(t *testing.T, p walker, answer read) outcome {
	t.Helper()
	var o outcome
	for range 500 {
		a := p.Next()
		if a.Done {
			return o
		}
		o.pages = append(o.pages, a.Page)
		page, why := answer(a)
		var v Verdict
		if why != Running {
			v = p.Fail(why)
		} else {
			v = p.Page(page)
		}
		o.emitted = append(o.emitted, itemKeys(v.New)...)
		o.reason = v.Reason
		o.series = stored(t, p.Series())
	}
	t.Fatal("the pass does not end")
	return o
}

func itemKeys(items []Item) (keys []string) {
	for _, it := range items {
		keys = append(keys, it.Key)
	}
	return keys
}

// stored returns s as it comes out of the crawl file.
func stored(t *testing.T, s Series) Series {
	t.Helper()
	b, err := s.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	var back Series
	if err := back.UnmarshalBinary(b); err != nil {
		t.Fatal(err)
	}
	return back
}

// known returns a series that knows the list of items 200 … 1, twenty on a
// page, after so many quiet passes.
func known(t *testing.T, passes int) Series {
	t.Helper()
	s := numbered()
	list := shelf{count("i", 200, 1), 20}
	for i := range passes + 1 {
		s = walk(t, s, day0.Add(time.Duration(i-passes-1)*time.Hour), Limits{}, of(list)).series
	}
	return s
}

func TestPassReadsUntilItMeetsTheBase(t *testing.T) {
	for _, tc := range []struct {
		name  string
		news  int
		pages []int
	}{
		{"nothing new", 0, []int{1}},
		{"one item", 1, []int{1}},
		{"all but four rows of page 1", 16, []int{1}},
		{"all of page 1", 20, []int{1, 2}},
		{"two pages and a half", 50, []int{1, 2, 3}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			list := shelf{count("i", 200+tc.news, 1), 20}
			o := walk(t, known(t, 0), day0, Limits{}, of(list))
			if !slices.Equal(o.pages, tc.pages) || !o.series.Complete {
				t.Errorf("read pages %v, complete %v; want %v, true", o.pages, o.series.Complete, tc.pages)
			}
			if want := count("i", 200+tc.news, 201); tc.news > 0 && !slices.Equal(o.emitted[:tc.news], want) {
				t.Errorf("emitted %v, want %v first", o.emitted, want)
			}
		})
	}
}

func TestCertificateNamesWhatWasMet(t *testing.T) {
	o := walk(t, known(t, 0), day0, Limits{}, of(shelf{count("i", 204, 1), 20}))
	c := o.series.Certificate
	if c.Reason != Overlap || c.New != 4 || c.Gap != nil || len(c.Met) != 16 {
		t.Fatalf("certificate = %+v; want overlap, 4 new, 16 met, no gap", c)
	}
	if got, want := c.Met[0], (Met{Key: "i200", Page: 1, Rank: 0}); got != want {
		t.Errorf("first met = %+v, want %+v", got, want)
	}
}

func TestBadInputEndsForANamedReason(t *testing.T) {
	list := shelf{count("i", 320, 1), 20} // six pages of news
	endless := func(a Action) (PageSeen, Reason) {
		return PageSeen{URL: fmt.Sprint("/", a.Page), Rows: rows(count(fmt.Sprintf("x%d-", a.Page), 1, 20)...), HasNext: true}, Running
	}
	calendar := func(a Action) (PageSeen, Reason) {
		p, _ := endless(a)
		for i := range p.Rows {
			from := day0.AddDate(0, a.Page, i)
			p.Rows[i].Date = Interval{from, from.AddDate(0, 0, 1)}
		}
		p.NextURL = fmt.Sprint("/", a.Page+1)
		return p, Running
	}
	at := func(page int, answer read) read {
		return func(a Action) (PageSeen, Reason) {
			if a.Page == page {
				return answer(a)
			}
			return list.page(a.Page), Running
		}
	}
	fail := func(why Reason) read { return func(Action) (PageSeen, Reason) { return PageSeen{}, why } }
	seed := 0
	shuffled := func(a Action) (PageSeen, Reason) {
		seed++
		keys := slices.Clone(shelf{count("i", 200, 1), 20}.keys)
		for i := len(keys) - 1; i > 0; i-- { // a fixed, but for each request different, exchange
			j := (i*7919 + seed*104729) % (i + 1)
			keys[i], keys[j] = keys[j], keys[i]
		}
		return shelf{keys, 20}.page(a.Page), Running
	}
	for _, tc := range []struct {
		name   string
		answer read
		want   Reason
		pages  int // read, at most
	}{
		{"endless next", endless, Capped, 12},
		{"calendar", calendar, Capped, 12},
		{"pager that loops to page 1", at(4, func(a Action) (PageSeen, Reason) {
			p := list.page(4)
			p.NextURL = "/1"
			return p, Running
		}), Loop, 4},
		{"page number without effect", func(Action) (PageSeen, Reason) {
			p := list.page(1)
			p.URL = ""
			return p, Running
		}, Loop, 3},
		{"304 though rows were asked for", at(2, func(Action) (PageSeen, Reason) {
			return PageSeen{NotModified: true}, Running
		}), ServerError, 2},
		{"304 on page 1", at(1, func(Action) (PageSeen, Reason) {
			return PageSeen{NotModified: true}, Running
		}), Unchanged, 1},
		{"404 on page 3", at(3, fail(NotFound)), NotFound, 3},
		{"500 on page 3", at(3, fail(ServerError)), ServerError, 3},
		{"robots forbid page 2", at(2, fail(Robots)), Robots, 2},
		{"no request left", at(2, fail(Budget)), Budget, 2},
		{"page 1 is an old copy", func(Action) (PageSeen, Reason) {
			return shelf{count("i", 190, 1), 20}.page(1), Running
		}, StalePage, 1},
		{"page 1 is empty", func(Action) (PageSeen, Reason) { return PageSeen{HasNext: true}, Running }, EmptyPage, 1},
		{"an order for each visitor", shuffled, Unordered, 12},
	} {
		t.Run(tc.name, func(t *testing.T) {
			o := walk(t, known(t, 0), day0, Limits{MaxPages: 12}, tc.answer)
			if o.reason != tc.want || len(o.pages) > tc.pages {
				t.Fatalf("stopped for %v after pages %v; want %v after %d at most", o.reason, o.pages, tc.want, tc.pages)
			}
			if o.series.Complete != tc.want.Complete() || o.series.Complete == (o.series.Certificate.Gap != nil) {
				t.Errorf("complete = %v with gap %v", o.series.Complete, o.series.Certificate.Gap)
			}
			if tc.want.Broken() && !slices.Equal(itemKeys(o.series.Head), itemKeys(known(t, 0).Head)) {
				t.Errorf("a broken pass moved the head")
			}
		})
	}
}

func TestEndOfTheListIsComplete(t *testing.T) {
	// A list that is all new: nothing known is left.
	list := shelf{count("n", 50, 1), 20}
	echo := func(a Action) (PageSeen, Reason) {
		p := list.page(min(a.Page, 3))
		p.HasNext, p.URL = true, ""
		return p, Running
	}
	empty := func(a Action) (PageSeen, Reason) {
		p := list.page(a.Page)
		p.HasNext, p.URL = true, ""
		return p, Running
	}
	for _, tc := range []struct {
		name   string
		answer read
		want   Reason
		pages  []int
	}{
		{"no next link", of(list), End, []int{1, 2, 3}},
		{"pages that echo the last", echo, Echo, []int{1, 2, 3, 4, 5, 1}},
		{"empty pages", empty, Echo, []int{1, 2, 3, 4, 5, 1}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			o := walk(t, known(t, 0), day0, Limits{}, tc.answer)
			if o.reason != tc.want || !slices.Equal(o.pages, tc.pages) || !o.series.Complete {
				t.Errorf("stopped for %v after %v, complete %v; want %v after %v, true",
					o.reason, o.pages, o.series.Complete, tc.want, tc.pages)
			}
		})
	}
}

func TestStalePageIsBelievedTheSecondTime(t *testing.T) {
	old := of(shelf{count("i", 190, 1), 20})
	first := walk(t, known(t, 0), day0, Limits{}, old)
	second := walk(t, first.series, day0.Add(time.Hour), Limits{}, old)
	if first.reason != StalePage || second.reason != Overlap || second.series.Head[0].Key != "i190" {
		t.Errorf("stopped for %v, then %v with head %s; want stale-page, then overlap with i190",
			first.reason, second.reason, second.series.Head[0].Key)
	}
}

func TestPageThatFailsThreeTimesIsADeadEnd(t *testing.T) {
	list := shelf{count("i", 320, 1), 20}
	s := known(t, 0)
	var got []Reason
	var pages [][]int
	for i := range 3 {
		o := walk(t, s, day0.Add(time.Duration(i)*time.Hour), Limits{}, func(a Action) (PageSeen, Reason) {
			if a.Page == 4 {
				return PageSeen{}, ServerError
			}
			return list.page(a.Page), Running
		})
		s = o.series
		got, pages = append(got, o.reason), append(pages, o.pages)
	}
	if want := []Reason{ServerError, ServerError, DeadEnd}; !slices.Equal(got, want) {
		t.Errorf("stopped for %v, want %v", got, want)
	}
	if want := []int{1, 3, 4}; !slices.Equal(pages[1], want) {
		t.Errorf("the second pass read %v, want %v: it knows pages 1 to 3, and page 3 proves where they end", pages[1], want)
	}
	if s.Complete || s.Certificate.Gap == nil {
		t.Errorf("complete %v, gap %v; want an open gap", s.Complete, s.Certificate.Gap)
	}
}

func TestKilledPassIsMendedFromAnyPage(t *testing.T) {
	for killed := 1; killed <= 7; killed++ {
		for _, more := range []int{0, 3, 20, 45} {
			t.Run(fmt.Sprintf("at page %d, %d more items", killed, more), func(t *testing.T) {
				list := shelf{count("i", 330, 1), 20}
				s := known(t, 0)
				emitted := make(map[string]bool)
				p := Begin(s, day0, Limits{})
				for p.Next().Page < killed {
					for _, it := range p.Page(list.page(p.Next().Page)).New {
						emitted[it.Key] = true
					}
					if s = stored(t, p.Series()); s.Complete {
						t.Fatalf("complete after page %d of 7", p.Next().Page)
					}
				}
				list.keys = count("i", 330+more, 1)
				o := walk(t, s, day0.Add(time.Hour), Limits{}, of(list))
				for _, k := range o.emitted {
					emitted[k] = true
				}
				for _, k := range count("i", 201, 330+more) {
					if !emitted[k] {
						t.Errorf("%s was never emitted", k)
					}
				}
				// At most: the new rows, the rest from the page of the kill on, one page to prove each.
				if most := more/20 + 1 + (7 - killed + 1) + 2; len(o.pages) > most || !o.series.Complete {
					t.Errorf("the second pass read %v, complete %v; want %d pages at most, true", o.pages, o.series.Complete, most)
				}
			})
		}
	}
}

func TestJumpGoesBackWhenItMissesTheSegment(t *testing.T) {
	list := shelf{count("i", 360, 1), 20}
	s := known(t, 0)
	p := Begin(s, day0, Limits{})
	for range 6 {
		p.Page(list.page(p.Next().Page))
	}
	s = p.Series()
	// Thirty items of the segment are deleted: its end is nearer than it was.
	list.keys = slices.Concat(count("i", 362, 330), count("i", 299, 1))
	o := walk(t, s, day0.Add(time.Hour), Limits{}, of(list))
	for _, k := range count("i", 201, 240) {
		if !slices.Contains(o.emitted, k) {
			t.Errorf("%s, below the segment, was not emitted", k)
		}
	}
	if !o.series.Complete {
		t.Errorf("stopped for %v", o.reason)
	}
}

func TestPinnedAndFrameLinksEndNoPass(t *testing.T) {
	pinned, frame := count("pin", 1, 5), count("frame", 1, 8)
	page := func(newest int) read {
		list := shelf{count("i", newest, 1), 20}
		return func(a Action) (PageSeen, Reason) {
			p := list.page(a.Page)
			p.Rows = slices.Concat(rows(pinned...), p.Rows, rows(frame...))
			return p, Running
		}
	}
	s := walk(t, numbered(), day0, Limits{}, page(200)).series
	if got := len(s.Constants); got != 13 {
		t.Errorf("%d constants after the first pass, want 13", got)
	}
	o := walk(t, s, day0.Add(time.Hour), Limits{}, page(250))
	if want := []int{1, 2, 3}; !slices.Equal(o.pages, want) || !o.series.Complete {
		t.Errorf("read %v, complete %v; want %v, true", o.pages, o.series.Complete, want)
	}
}

func TestWatermarkEndsAPassAfterAPurge(t *testing.T) {
	dated := func(newest, oldest int) read {
		list := shelf{count("i", newest, oldest), 20}
		return func(a Action) (PageSeen, Reason) {
			p := list.page(a.Page)
			p.Slack = time.Minute
			for i := range p.Rows {
				var n int
				fmt.Sscanf(p.Rows[i].Key, "i%d", &n)
				from := day0.Add(time.Duration(n-1000) * time.Hour)
				p.Rows[i].Date = Interval{from, from.Add(time.Minute)}
			}
			return p, Running
		}
	}
	s := walk(t, numbered(), day0, Limits{}, dated(800, 1)).series
	list := dated(700, 1) // the 100 newest are gone, more than is known
	o := walk(t, s, day0.Add(time.Hour), Limits{}, list)
	if o.reason != Watermark || len(o.pages) != 1 {
		t.Errorf("stopped for %v after %v, want watermark after page 1", o.reason, o.pages)
	}
}

func TestNewestLastResumesAtTheLastPage(t *testing.T) {
	s := numbered()
	s.Direction = NewestLast
	list := shelf{count("i", 1, 130), 20}
	s = walk(t, s, day0, Limits{}, of(list)).series
	if s.Last != 7 || !s.Complete {
		t.Fatalf("first pass: last page %d, complete %v; want 7, true", s.Last, s.Complete)
	}
	for _, tc := range []struct {
		name  string
		keys  []string
		pages []int
		news  []string
	}{
		{"two on the same page", count("i", 1, 132), []int{7}, count("i", 131, 132)},
		{"over two more pages", count("i", 1, 170), []int{7, 8, 9}, count("i", 131, 170)},
		{"after thirty were deleted", count("i", 31, 140), []int{7, 6, 5}, count("i", 131, 140)},
	} {
		t.Run(tc.name, func(t *testing.T) {
			o := walk(t, s, day0.Add(time.Hour), Limits{}, of(shelf{tc.keys, 20}))
			slices.Sort(o.emitted)
			if !slices.Equal(o.pages, tc.pages) || !slices.Equal(o.emitted, tc.news) || !o.series.Complete {
				t.Errorf("read %v, emitted %v, complete %v; want %v, %v, true", o.pages, o.emitted, o.series.Complete, tc.pages, tc.news)
			}
		})
	}
}

func TestPatienceEndsAWalkThroughAPurgedList(t *testing.T) {
	s := known(t, 5)
	o := walk(t, s, day0, Limits{}, of(shelf{count("old", 900, 1), 20}))
	if o.reason != Patience || len(o.pages) > 8 || o.series.Complete {
		t.Errorf("stopped for %v after %d pages, complete %v; want patience after 8 at most, false", o.reason, len(o.pages), o.series.Complete)
	}
}

func TestLoopingPagerIsPassedOrGivenUp(t *testing.T) {
	for _, tc := range []struct {
		name  string
		page  func(list shelf, n int) PageSeen
		given bool // up, with a gap; or else the page numbers lead past the loop
	}{
		{"page number without effect", func(list shelf, _ int) PageSeen {
			p := list.page(1)
			p.URL = ""
			return p
		}, true},
		{"page 3 leads to page 1", func(list shelf, n int) PageSeen {
			p := list.page(n)
			if n == 3 {
				p.NextURL = "/1"
			}
			return p
		}, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := known(t, 0)
			var got []Reason
			for i := range 6 {
				list := shelf{count("i", 400+2*i, 1), 20}
				o := walk(t, s, day0.Add(time.Duration(i)*time.Hour), Limits{}, func(a Action) (PageSeen, Reason) {
					return tc.page(list, a.Page), Running
				})
				s = o.series
				got = append(got, o.reason)
			}
			if got[0] != Loop || slices.Contains(got, DeadEnd) != tc.given || got[5] != Overlap || (len(s.Gaps) > 0) != tc.given {
				t.Errorf("stopped for %v with %d gaps; want loop first, overlap last, dead-end and a gap: %v", got, len(s.Gaps), tc.given)
			}
		})
	}
}

func TestForbiddenSecondPageLeavesOneSegment(t *testing.T) {
	s := known(t, 0)
	for i := range 8 {
		list := shelf{count("i", 400+5*i, 1), 20}
		o := walk(t, s, day0.Add(time.Duration(i)*time.Hour), Limits{}, func(a Action) (PageSeen, Reason) {
			if a.Page > 1 {
				return PageSeen{}, Robots
			}
			return list.page(1), Running
		})
		s = o.series
		if o.reason == DeadEnd {
			break
		}
		if o.reason != Robots || len(o.pages) > 2 || len(s.Segments) != 1 || s.Complete {
			t.Fatalf("visit %d: %v after %v, %d segments, complete %v; want robots after page 2, one segment, false", i, o.reason, o.pages, len(s.Segments), s.Complete)
		}
	}
	if len(s.Gaps) != 1 {
		t.Errorf("%d gaps, want 1", len(s.Gaps))
	}
}
