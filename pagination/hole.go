package pagination

import (
	"slices"
	"time"
)

// A Hole is a part of the list that no pass has read and later ones will not,
// because it lies below what they meet: what a backfill is for.
type Hole struct {
	Above   []Item // the item links above it, at most deepMax, in the order of the list
	Below   []Item // those below it, likewise; none if it reaches to the end
	Rows    int    // how far the last of Above stands below the head, about; 0 in a NewestLast series
	Page    int    // of a NewestLast series: where the last of Above stands
	NextURL string // of the page that follows Above, where pages have no numbers
}

// A Filling is how far the backfill of a series has come.
type Filling struct {
	Tried    time.Time // when the last one began; zero before the first
	Reason   Reason    // why it stopped
	Pages    int       // read for the hole in hand, by all of them
	Failures int       // that broke in a row
}

// MayBackfill tells whether s has a hole that can be read: a gap, or if all is
// set also what lies below all that was read.
func MayBackfill(s *Series, all bool) bool { return holeOf(s, all) != nil }

// holeOf returns the hole that is to be read next, the newest first; nil if
// there is none.
func holeOf(s *Series, all bool) *Hole {
	if s.Direction == Undecided || len(s.Segments) > 0 || s.Filling.Pages >= maxFillPages {
		return nil
	}
	for i := len(s.Gaps) - 1; i >= 0; i-- {
		if h := &s.Gaps[i].Hole; h.usable(s) {
			return h
		}
	}
	if h := &s.Deep.Hole; all && !s.Deep.Read && h.usable(s) {
		return h
	}
	return nil
}

// usable tells whether the page can be named with which the reading begins.
func (h *Hole) usable(s *Series) bool {
	if s.Direction == NewestLast {
		return len(h.Above) > 0 && h.Page > 0 && s.ID.Numbered()
	}
	return len(h.Above) > 0 && (s.ID.Numbered() || h.NextURL != "")
}

// Series returns the series with the hole as far as it was read, to be
// committed together with the page just judged.
func (b *Backfill) Series() Series {
	s := b.series.clone()
	closed := b.reason.Complete() && b.pages > 0
	switch {
	case b.pages == 0:
	case b.gap < 0:
		s.Deep = Backlog{Hole: b.hole, Read: closed}
		if closed {
			s.Deep.Hole = Hole{}
		}
	default:
		b.tellGap(&s, closed)
	}
	return s
}

// tellGap writes what is left of the gap. The last pass's certificate tells of
// it too, if that pass has left it.
func (b *Backfill) tellGap(s *Series, closed bool) {
	g := &s.Gaps[b.gap]
	own := s.Certificate.Gap != nil && s.Certificate.Gap.Same(g)
	if closed {
		// How far it was through the hole is now known for those below. Where
		// page 1 is the oldest, these do not move.
		if deeper := b.next.Page*max(s.Pace.Rows, 1) - b.stood; deeper > 0 && b.mirror == 0 {
			for i := range b.gap {
				s.Gaps[i].Hole.Rows += deeper
			}
			s.Deep.Rows += deeper
		}
		s.Gaps = slices.Delete(s.Gaps, b.gap, b.gap+1)
		if b.mirror > 0 && b.reason == End { // page 1 was read, and all above it
			s.Gaps = slices.Delete(s.Gaps, 0, b.gap)
			s.Deep = Backlog{Read: true}
		}
		if own {
			s.Certificate.Gap = nil
		}
		return
	}
	g.Hole = b.hole
	g.After = b.hole.Above[len(b.hole.Above)-1].Key
	g.Page = b.page(b.hole.Rows + 1) // the page of the first unread row
	if b.mirror > 0 {
		g.Page = max(1, b.hole.Page-1)
	}
	if own {
		told := *g
		told.Hole = Hole{}
		s.Certificate.Gap = &told
	}
}

// Same tells whether two gaps lie in the same place.
func (g *Gap) Same(o *Gap) bool { return g.After == o.After && g.Before == o.Before }
