package pagination

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// fill makes one backfill of s, and stops if it asks for more than 500 pages.
func fill(t *testing.T, s Series, limits Limits, all bool, answer read) outcome {
	t.Helper()
	o := drive(t, BeginBackfill(s, s.Tried.Add(time.Minute), limits, all, false), answer)
	if len(o.pages) == 0 {
		o.series = s
	}
	return o
}

// capped returns a series of a list of items that the numbers 1 to 200 began,
// whose next pass had to stop after the given number of pages.
func capped(t *testing.T, list shelf, pages int) (Series, outcome) {
	t.Helper()
	o := walk(t, known(t, 5), day0, Limits{MaxPages: pages, Patience: -1}, of(list))
	if o.reason != Capped || len(o.series.Gaps) != 1 {
		t.Fatalf("stopped for %v with %d gaps, want cap and one", o.reason, len(o.series.Gaps))
	}
	return o.series, o
}

// missing returns which of the numbers from low to high were not emitted.
func missing(low, high int, emitted ...[]string) (none []string) {
	all := slices.Concat(emitted...)
	for _, k := range count("i", low, high) {
		if !slices.Contains(all, k) {
			none = append(none, k)
		}
	}
	return none
}

func TestBackfillGoesOnWhereItStopped(t *testing.T) {
	list := shelf{count("i", 200, 1), 20}
	s := known(t, 0)
	emitted := make(map[string]bool)
	var pages [][]int
	for i := range 5 {
		list.keys = count("i", 200+7*i, 1)
		s = walk(t, s, day0.Add(time.Duration(2*i)*time.Hour), Limits{}, of(list)).series
		o := fill(t, s, Limits{MaxPages: 4}, true, of(list))
		s = o.series
		for _, k := range o.emitted {
			emitted[k] = true
		}
		pages = append(pages, o.pages)
	}
	for _, k := range count("i", 1, 160) {
		if !emitted[k] {
			t.Errorf("%s was not emitted; pages %v", k, pages)
		}
	}
	if !s.Deep.Read || !s.Complete {
		t.Errorf("backlog read %v, complete %v, want true, true; pages %v", s.Deep.Read, s.Complete, pages)
	}
}

// TestBackfillClosesTheGap leaves a gap of 300 items below 100 new ones, changes
// the list, and lets a backfill read the gap.
func TestBackfillClosesTheGap(t *testing.T) {
	without := func(keys []string, low, high int) []string {
		gone := count("i", low, high)
		return slices.DeleteFunc(slices.Clone(keys), func(k string) bool { return slices.Contains(gone, k) })
	}
	all := count("i", 600, 1)
	for _, tc := range []struct {
		name   string
		keys   []string
		answer func(shelf, Action) (PageSeen, Reason)
		reason Reason
		most   int // pages asked for
	}{
		{"as it was", all, nil, Overlap, 17},
		{"forty more at the head", count("i", 640, 1), nil, Overlap, 21},
		{"ten pages more at the head", count("i", 800, 1), nil, Overlap, 35},
		{"the last ones above it are gone", without(all, 501, 530), nil, Overlap, 20},
		{"half of what is above it is gone", without(all, 551, 600), nil, Overlap, 20},
		{"all that is above it is gone", without(all, 501, 600), nil, Overlap, 20},
		{"the first ones below it are gone", without(all, 175, 200), nil, Overlap, 20},
		{"more than is known below it is gone", without(all, 150, 200), nil, End, 24},
		{"all below it is gone", without(all, 1, 200), nil, End, 19},
		{"all below it is gone, and the end repeats", without(all, 1, 200), func(list shelf, a Action) (PageSeen, Reason) {
			p := list.page(min(a.Page, 20))
			p.HasNext = true
			return p, Running
		}, Echo, 22},
		{"all below it is gone, and empty pages follow", without(all, 1, 200), func(list shelf, a Action) (PageSeen, Reason) {
			p := list.page(a.Page)
			p.HasNext = true
			return p, Running
		}, Echo, 22},
		{"the list ends above it", count("i", 600, 501), func(list shelf, a Action) (PageSeen, Reason) {
			if a.Page > 5 {
				return PageSeen{}, NotFound
			}
			return list.page(a.Page), Running
		}, End, 6},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s, first := capped(t, shelf{all, 20}, 5)
			list := shelf{tc.keys, 20}
			answer := of(list)
			if tc.answer != nil {
				answer = func(a Action) (PageSeen, Reason) { return tc.answer(list, a) }
			}
			o := fill(t, s, Limits{}, false, answer)
			if o.reason != tc.reason || len(o.series.Gaps) != 0 || o.series.Certificate.Gap != nil || len(o.pages) > tc.most {
				t.Errorf("stopped for %v after %d pages %v with gaps %+v; want %v after %d at most, and none", o.reason, len(o.pages), o.pages, o.series.Gaps, tc.reason, tc.most)
			}
			low, high := 201, 500
			if len(tc.keys) == 100 {
				low, high = 0, -1
			}
			if none := missing(low, high, first.emitted, o.emitted); low > 0 && len(none) > 0 {
				t.Errorf("%v were not emitted", none)
			}
			if want := (Filling{Tried: o.series.Filling.Tried, Reason: tc.reason}); o.series.Filling != want {
				t.Errorf("filling %+v, want %+v", o.series.Filling, want)
			}
			kept := o.series
			kept.Gaps, kept.Certificate.Gap, kept.Filling, kept.Deep.Rows = s.Gaps, s.Certificate.Gap, s.Filling, s.Deep.Rows
			if a, b := bytesOf(t, kept), bytesOf(t, s); a != b {
				t.Error("the backfill has changed more than the gap")
			}
		})
	}
}

func bytesOf(t *testing.T, s Series) string {
	t.Helper()
	b, err := s.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestBrokenBackfillLeavesTheGap ends a backfill in every way that proves
// nothing.
func TestBrokenBackfillLeavesTheGap(t *testing.T) {
	all := count("i", 600, 1)
	for _, tc := range []struct {
		name     string
		answer   func(shelf, Action) (PageSeen, Reason)
		reason   Reason
		failures int
	}{
		{"an error", func(list shelf, a Action) (PageSeen, Reason) {
			if a.Page == 9 {
				return PageSeen{}, ServerError
			}
			return list.page(a.Page), Running
		}, ServerError, 1},
		{"not found", func(list shelf, a Action) (PageSeen, Reason) {
			if a.Page == 9 {
				return PageSeen{}, NotFound
			}
			return list.page(a.Page), Running
		}, NotFound, 1},
		{"the run ends", func(list shelf, a Action) (PageSeen, Reason) {
			if a.Page == 9 {
				return PageSeen{}, Interrupted
			}
			return list.page(a.Page), Running
		}, Interrupted, 0},
		{"a pager that leads back", func(list shelf, a Action) (PageSeen, Reason) { return list.page(min(a.Page, 7+a.Page%2)), Running }, Loop, 1},
		{"a pager without an end", func(_ shelf, a Action) (PageSeen, Reason) {
			return PageSeen{Rows: rows(count(fmt.Sprint("p", a.Page, "-"), 1, 20)...), HasNext: true}, Running
		}, Capped, 0},
		{"304", func(list shelf, a Action) (PageSeen, Reason) {
			if a.Page == 8 {
				return PageSeen{NotModified: true}, Running
			}
			return list.page(a.Page), Running
		}, ServerError, 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			list := shelf{all, 20}
			s, first := capped(t, list, 5)
			o := fill(t, s, Limits{MaxPages: 40}, false, func(a Action) (PageSeen, Reason) { return tc.answer(list, a) })
			if o.reason != tc.reason || len(o.series.Gaps) != 1 || o.series.Filling.Failures != tc.failures || !o.series.Gaps[0].Same(o.series.Certificate.Gap) {
				t.Errorf("stopped for %v after %v with gaps %+v, filling %+v", o.reason, o.pages, o.series.Gaps, o.series.Filling)
			}
			// The next one goes on, and finds all of it.
			again := fill(t, o.series, Limits{}, false, of(list))
			if tc.reason == Capped {
				return // what the pager made up is no part of the list
			}
			if again.reason != Overlap || len(again.series.Gaps) != 0 {
				t.Errorf("the next one stopped for %v after %v", again.reason, again.pages)
			}
			if len(o.pages)+len(again.pages) > 22 {
				t.Errorf("the two read %v and %v", o.pages, again.pages)
			}
			if none := missing(201, 500, first.emitted, o.emitted, again.emitted); len(none) > 0 {
				t.Errorf("%v were not emitted", none)
			}
		})
	}
}

// TestBackfillGivesUpOnEndlessPagers holds that no number of backfills reads for
// ever.
func TestBackfillGivesUpOnEndlessPagers(t *testing.T) {
	s, _ := capped(t, shelf{count("i", 600, 1), 20}, 5)
	read := 0
	for range 50 {
		o := fill(t, s, Limits{MaxPages: 100}, true, func(a Action) (PageSeen, Reason) {
			read++
			return PageSeen{Rows: rows(count(fmt.Sprint("n", read, "-"), 1, 20)...), HasNext: true}, Running
		})
		s = o.series
	}
	if read > maxFillPages || MayBackfill(&s, true) || len(s.Gaps) != 1 {
		t.Errorf("%d pages were read, and there are %d gaps; want %d at most, and one", read, len(s.Gaps), maxFillPages)
	}
}

// TestVisitsAndBackfillsTakeTurns lets the list grow between the pages of a
// backfill that a visit ends again and again.
func TestVisitsAndBackfillsTakeTurns(t *testing.T) {
	s, first := capped(t, shelf{count("i", 600, 1), 20}, 5)
	emitted := first.emitted
	newest := 600
	for i := range 40 {
		newest += 13
		list := shelf{count("i", newest, 1), 20}
		o := walk(t, s, day0.Add(time.Duration(i+1)*time.Hour), Limits{}, of(list))
		if !o.series.Complete {
			t.Fatalf("visit %d stopped for %v", i, o.reason)
		}
		s = o.series
		emitted = append(emitted, o.emitted...)
		if len(s.Gaps) == 0 {
			break
		}
		o = fill(t, s, Limits{MaxPages: 3}, false, of(list))
		s = o.series
		emitted = append(emitted, o.emitted...)
	}
	if len(s.Gaps) != 0 {
		t.Errorf("the gap stands after forty turns: %+v", s.Gaps)
	}
	if none := missing(201, newest, emitted); len(none) > 0 {
		t.Errorf("%v were not emitted", none)
	}
}

// FuzzBackfillClosesOnlyWhatItHasRead leaves a gap in a random list, lets items
// come and go between backfills, and kills these at random. When the gap is told
// no more, every item that stood in it all the time was emitted.
func FuzzBackfillClosesOnlyWhatItHasRead(f *testing.F) {
	for seed := range uint64(200) {
		f.Add(seed, false)
		f.Add(seed, true)
	}
	f.Fuzz(func(t *testing.T, seed uint64, newestLast bool) {
		rnd := rand.New(rand.NewPCG(seed, 7))
		size := 3 + rnd.IntN(20)
		keys := count("i", 200, 1)
		dated := rnd.IntN(2) == 0
		newest := 200
		publish := func(n int) {
			keys = slices.Concat(count("i", newest+n, newest+1), keys)
			newest += n
		}
		purge := func(share float64) {
			keys = slices.DeleteFunc(keys, func(string) bool { return rnd.Float64() < share })
		}
		answer := func(a Action) (PageSeen, Reason) {
			shown := keys
			if newestLast {
				shown = slices.Clone(keys)
				slices.Reverse(shown)
			}
			p := shelf{shown, size}.page(a.Page)
			if len(p.Rows) == 0 && a.Page > 1 && rnd.IntN(2) == 0 {
				return p, NotFound
			}
			if !dated {
				return p, Running
			}
			p.Slack = time.Minute
			for i := range p.Rows {
				var n int
				fmt.Sscanf(p.Rows[i].Key, "i%d", &n)
				from := day0.Add(time.Duration(n-20000) * time.Hour)
				p.Rows[i].Date = Interval{from, from.Add(time.Minute)}
			}
			return p, Running
		}
		now := day0
		s := numbered()
		s.Direction = directions[newestLast]
		s = walk(t, s, now, Limits{}, answer).series
		emitted := map[string]bool{}
		take := func(o outcome) {
			for _, k := range o.emitted {
				emitted[k] = true
			}
		}
		if rnd.IntN(4) == 0 {
			purge(0.1)
		}
		publish(size*3 + rnd.IntN(size*40))
		stood := map[string]bool{}
		for _, k := range keys {
			var n int
			fmt.Sscanf(k, "i%d", &n)
			stood[k] = n > 200
		}
		now = now.Add(time.Hour)
		o := walk(t, s, now, Limits{MaxPages: 2 + rnd.IntN(4), Patience: -1}, answer)
		s = o.series
		take(o)
		if len(s.Gaps) == 0 {
			return
		}
		for range 30 {
			publish(rnd.IntN(2 * size))
			switch rnd.IntN(12) {
			case 0:
				purge(0.2)
			case 1:
				keys = keys[min(len(keys), rnd.IntN(5*size)):]
			}
			for k := range stood {
				stood[k] = stood[k] && slices.Contains(keys, k)
			}
			now = now.Add(time.Hour)
			if rnd.IntN(2) == 0 {
				o := walk(t, s, now, Limits{}, answer)
				s = o.series
				take(o)
				continue
			}
			b := BeginBackfill(s, now, Limits{MaxPages: 1 + rnd.IntN(20)}, false, false)
			for kill := rnd.IntN(30); kill > 0 && !b.Next().Done; kill-- {
				seen, why := answer(b.Next())
				v := Verdict{}
				if why == Running {
					v = b.Page(seen)
				} else {
					b.Fail(why)
				}
				for _, it := range v.New {
					emitted[it.Key] = true
				}
				s = stored(t, b.Series())
			}
			if len(s.Gaps) > 0 || len(s.Segments) > 0 {
				continue
			}
			if newestLast { // such a pass reads on from the last page another day, and no gap is told of that
				for range 3 {
					now = now.Add(time.Hour)
					o := walk(t, s, now, Limits{}, answer)
					s = o.series
					take(o)
				}
			}
			for k, was := range stood {
				if was && !emitted[k] {
					t.Fatalf("no gap is told, and %s was never emitted", k)
				}
			}
			return
		}
	})
}

// TestHoleNamesThePageBelowIt stops passes over pages that lead to one another,
// and begins a backfill: it reads the page after the last one that was read.
func TestHoleNamesThePageBelowIt(t *testing.T) {
	led := func(list shelf) read {
		return func(a Action) (PageSeen, Reason) {
			p := list.page(a.Page)
			if p.HasNext {
				p.NextURL = fmt.Sprint("/", a.Page+1)
			}
			return p, Running
		}
	}
	s := numbered()
	s.ID.Pattern.Step = 0
	first := walk(t, s, day0, Limits{}, led(shelf{count("i", 200, 1), 20}))
	if got := first.series.Deep.NextURL; got != "/3" {
		t.Errorf("after two pages, what is below begins at %q; want /3", got)
	}
	capped := walk(t, first.series, day0.Add(time.Hour), Limits{MaxPages: 4, Patience: -1}, led(shelf{count("i", 600, 1), 20}))
	if gaps := capped.series.Gaps; capped.reason != Capped || len(gaps) != 1 || gaps[0].Hole.NextURL != "/5" {
		t.Errorf("stopped for %v with gaps %+v; want cap, and one that begins at /5", capped.reason, gaps)
	}
	o := fill(t, capped.series, Limits{}, false, led(shelf{count("i", 600, 1), 20}))
	if o.reason != Overlap || len(o.series.Gaps) != 0 || len(o.pages) != 17 {
		t.Errorf("the backfill stopped for %v after pages %v", o.reason, o.pages)
	}
}
