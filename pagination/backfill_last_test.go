package pagination

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

// lastKnown returns a series with its newest items on the last page, of which
// the first pass has read the last two of ten pages: the items 161 to 200.
func lastKnown(t *testing.T) Series {
	t.Helper()
	s := numbered()
	s.Direction = NewestLast
	o := walk(t, s, day0, Limits{}, of(shelf{count("i", 1, 200), 20}))
	if o.reason != First || !slices.Equal(o.pages, []int{1, 10, 9}) {
		t.Fatalf("the first pass stopped for %v after pages %v", o.reason, o.pages)
	}
	return o.series
}

// TestBackfillReadsDownToPageOne lets all be read that lies below the first pass
// of a list with its newest items on the last page.
func TestBackfillReadsDownToPageOne(t *testing.T) {
	s := lastKnown(t)
	if MayBackfill(&s, false) || !MayBackfill(&s, true) {
		t.Fatal("there is a gap, or nothing below the first pass")
	}
	for _, tc := range []struct {
		name      string
		keys      []string
		following bool
		limit     int // pages for one backfill
		pages     [][]int
	}{
		{"at once", count("i", 1, 200), true, 0, [][]int{{8, 7, 6, 5, 4, 3, 2, 1}}},
		{"later", count("i", 1, 200), false, 0, [][]int{{9, 8, 7, 6, 5, 4, 3, 2, 1}}},
		{"with news", count("i", 1, 290), false, 0, [][]int{{9, 8, 7, 6, 5, 4, 3, 2, 1}}},
		{"in parts", count("i", 1, 290), false, 4, [][]int{{9, 8, 7, 6}, {6, 5, 4, 3}, {3, 2, 1}}},
		{"forty are deleted", count("i", 41, 200), false, 0, [][]int{{8, 7, 6, 5, 4, 3, 2, 1}}},
		{"all that was read is deleted", count("i", 1, 160), false, 0, [][]int{nil}}, // the visit looks for it down to page 1
		{"and more came", slices.Concat(count("i", 1, 160), count("i", 201, 300)), false, 0, [][]int{nil}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := s
			list := shelf{tc.keys, 20}
			var emitted []string
			for i, want := range tc.pages {
				now := day0.Add(time.Duration(i+1) * time.Hour)
				visit := walk(t, s, now, Limits{}, of(list))
				s = visit.series
				o := drive(t, BeginBackfill(s, now, Limits{MaxPages: tc.limit}, true, tc.following), of(list))
				if len(o.pages) > 0 {
					s = o.series
				}
				emitted = slices.Concat(emitted, visit.emitted, o.emitted)
				if !slices.Equal(o.pages, want) {
					t.Errorf("backfill %d read %v, stopped for %v; want %v", i, o.pages, o.reason, want)
				}
			}
			if !s.Deep.Read || tc.pages[0] != nil && s.Filling.Reason != End || !s.Complete || MayBackfill(&s, true) {
				t.Errorf("read to page 1: %v, stopped for %v; the series is complete %v", s.Deep.Read, s.Filling.Reason, s.Complete)
			}
			for _, k := range tc.keys {
				if slices.Contains(count("i", 1, 160), k) && !slices.Contains(emitted, k) {
					t.Errorf("%s was not emitted", k)
				}
			}
		})
	}
}

// TestBackfillClosesTheGapBeforeTheLastPage leaves a gap in such a list, by
// taking out the end that was known while more came than a pass may read, and
// lets a backfill read it.
func TestBackfillClosesTheGapBeforeTheLastPage(t *testing.T) {
	all := slices.Concat(count("i", 1, 170), count("i", 201, 500)) // the newest page and a half known are gone
	for _, tc := range []struct {
		name   string
		keys   []string
		reason Reason
		pages  []int
		low    int // the oldest item that is to be emitted
	}{
		{"as it was", all, Overlap, []int{21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9}, 201},
		{"forty more at the end", slices.Concat(all, count("i", 501, 540)), Overlap, []int{21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9}, 201},
		{"forty deleted below", all[40:], Overlap, []int{21, 20, 18, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7}, 201}, // it looks for the place
		{"all that was known is gone", slices.Concat(all[:150], all[170:]), End, nil, 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := lastKnown(t)
			s.Last = 24 // a pass that was broken off has come so far
			capped := walk(t, s, day0.Add(time.Hour), Limits{MaxPages: 4, Patience: -1}, of(shelf{all, 20}))
			s = capped.series
			if capped.reason != Capped || len(s.Gaps) != 1 || !slices.Equal(capped.pages, []int{24, 23, 22, 21}) {
				t.Fatalf("stopped for %v after pages %v with gaps %+v; want cap, and one", capped.reason, capped.pages, s.Gaps)
			}
			o := fill(t, s, Limits{}, false, of(shelf{tc.keys, 20}))
			if o.reason != tc.reason || len(o.series.Gaps) != 0 || o.series.Certificate.Gap != nil || tc.pages != nil && !slices.Equal(o.pages, tc.pages) {
				t.Errorf("stopped for %v after %v with gaps %+v; want %v after %v, and none", o.reason, o.pages, o.series.Gaps, tc.reason, tc.pages)
			}
			for _, k := range tc.keys {
				if n := number(k); n >= tc.low && n <= 430 && (n <= 160 || n > 200) && !slices.Contains(o.emitted, k) && !slices.Contains(capped.emitted, k) {
					t.Errorf("%s was not emitted", k)
				}
			}
			if o.series.Deep.Read != (tc.reason == End) {
				t.Errorf("read down to page 1: %v, after a stop for %v", o.series.Deep.Read, tc.reason)
			}
		})
	}
}

// number returns the number in the name of an item.
func number(key string) (n int) {
	fmt.Sscanf(key, "i%d", &n)
	return n
}

// TestBrokenBackfillBeforeTheLastPageGoesOn ends such a backfill in every way
// that proves nothing. The next one finds the rest.
func TestBrokenBackfillBeforeTheLastPageGoesOn(t *testing.T) {
	for _, tc := range []struct {
		name     string
		answer   func(shelf, Action) (PageSeen, Reason)
		reason   Reason
		failures int
	}{
		{"an error", func(list shelf, a Action) (PageSeen, Reason) {
			if a.Page == 4 {
				return PageSeen{}, ServerError
			}
			return list.page(a.Page), Running
		}, ServerError, 1},
		{"not found", func(list shelf, a Action) (PageSeen, Reason) {
			if a.Page == 4 {
				return PageSeen{}, NotFound
			}
			return list.page(a.Page), Running
		}, NotFound, 1},
		{"the run ends", func(list shelf, a Action) (PageSeen, Reason) {
			if a.Page == 4 {
				return PageSeen{}, Interrupted
			}
			return list.page(a.Page), Running
		}, Interrupted, 0},
		{"one page whatever the number", func(list shelf, _ Action) (PageSeen, Reason) { return list.page(9), Running }, Loop, 1},
		{"pages that lead back", func(list shelf, a Action) (PageSeen, Reason) { return list.page(8 + a.Page%2), Running }, Loop, 1},
		{"empty pages", func(list shelf, a Action) (PageSeen, Reason) {
			if a.Page < 6 {
				return PageSeen{HasNext: true}, Running
			}
			return list.page(a.Page), Running
		}, Loop, 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			list := shelf{count("i", 1, 200), 20}
			o := fill(t, lastKnown(t), Limits{}, true, func(a Action) (PageSeen, Reason) { return tc.answer(list, a) })
			if f := o.series.Filling; o.reason != tc.reason || o.series.Deep.Read || f.Failures != tc.failures {
				t.Errorf("stopped for %v after %v, read down to page 1 %v, filling %+v", o.reason, o.pages, o.series.Deep.Read, f)
			}
			again := fill(t, o.series, Limits{}, true, of(list))
			if again.reason != End || !again.series.Deep.Read {
				t.Errorf("the next one stopped for %v after %v", again.reason, again.pages)
			}
			if none := missing(1, 160, o.emitted, again.emitted); len(none) > 0 {
				t.Errorf("%v were not emitted", none)
			}
		})
	}
}
