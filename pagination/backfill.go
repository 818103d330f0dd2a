package pagination

import "time"

// BeginBackfill starts a pass that reads the older part of the list, from
// where all passes before have come to, to the end. It begins at page 1, to
// learn how far the list has moved, and jumps. It changes nothing of s but the
// backlog, and is of no use before a first pass, while a pass is to be mended,
// and for series whose newest items stand on the last page: nothing is to be
// done then, and Next says so.
func BeginBackfill(s Series, now time.Time, limits Limits) *Pass {
	known := s.clone()
	known.Head, known.Older, known.Watermark = nil, nil, Interval{}
	known.Complete = false
	front := s.Head[:min(len(s.Head), segmentMax/2)]
	known.Segments = []Segment{{
		Front: front, Back: s.Deep.Last, Begun: s.Begun, NextURL: s.Deep.NextURL,
		Omitted: max(0, s.Deep.Rows-len(front)-len(s.Deep.Last)),
	}}
	p := Begin(known, now, limits)
	p.series = s.clone()
	p.backfill = true
	if s.Deep.Read || len(s.Deep.Last) == 0 || len(s.Segments) > 0 || s.Direction == NewestLast {
		p.stop(End)
	}
	return p
}

// backfilled returns the series with the backlog as far as the pass has read.
func (p *Pass) backfilled() Series {
	s := p.series.clone()
	if p.landing.from > 0 || len(p.segments) > 0 {
		return s // what was read is not joined to what was known
	}
	if p.pages > 0 {
		s.Deep = p.backlog()
	}
	return s
}

// backlog returns what the walk has left below it.
func (p *Pass) backlog() Backlog {
	if p.reason == End || p.reason == Echo {
		return Backlog{Read: true}
	}
	lowest := p.walk[max(0, len(p.walk)-deepMax):]
	return Backlog{Last: itemsOf(lowest), Rows: p.walked(), NextURL: p.next.URL}
}

// deepen notes after a whole pass how far all passes have come: the first one
// to its end, later ones as far as before, which has moved down by what is new.
func (p *Pass) deepen(s *Series) {
	switch {
	case p.reason == End || p.reason == Echo:
		s.Deep = Backlog{Read: true}
	case s.Deep.Read:
	case p.series.Begun.IsZero():
		s.Deep = p.backlog()
	case p.reason == Overlap:
		s.Deep.Rows = p.walked() + max(0, s.Deep.Rows-p.proof.rank-1)
	default:
		s.Deep.Rows += p.walked()
	}
}
