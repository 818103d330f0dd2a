package pagination

import "slices"

// lastPage is the part of a pass that walks a series whose newest items stand
// on its last page: it begins at the last page known, goes back until it meets
// the base, and then forward to the end. What it reads forward joins the head
// page by page, since nothing can lie between.
type lastPage struct {
	low, high int  // pages read, without a hole; 0 before the first
	met       bool // the oldest page read meets the base
	more      bool // page high has a next page
	nextURL   string
	step      int // pages to go back when the last page known is gone
}

// page judges a page. Its rows stand in the order of the page, oldest first.
func (l *lastPage) page(p *Pass, seen PageSeen) Verdict {
	number := p.next.Page
	if p.pages == 1 && number == 1 && p.base.len() == 0 && seen.Last > 1 {
		// The first pass was given page 1, where the oldest items stand.
		p.next = Action{Page: seen.Last}
		return Verdict{}
	}
	rows := slices.Clone(seen.Rows)
	slices.Reverse(rows)
	sifted := p.sift(rows)
	p.rowsPage = max(p.rowsPage, len(sifted.fresh)+len(sifted.repeats))
	if len(sifted.fresh) == 0 && len(sifted.repeats) == 0 && l.high == 0 && number > 1 {
		l.gone(p)
		return Verdict{}
	}
	l.take(p, seen, p.rowsOf(sifted.fresh))
	v := p.emit(sifted.fresh)
	l.judge(p, seen)
	return v
}

// take puts the rows of the page before the walk or, on the way back, after it.
func (l *lastPage) take(p *Pass, seen PageSeen, added []walkRow) {
	switch number := p.next.Page; {
	case l.high == 0:
		l.low, l.high = number, number
		l.more, l.nextURL = seen.HasNext, seen.NextURL
		p.pageOne = rowsHash(seen.Rows)
		p.setWalk(added)
	case number < l.high:
		l.low = number
		p.setWalk(slices.Concat(p.walk, added))
	case len(added) == 0:
		l.more = false // beyond the end, or a page that repeats: nothing follows
	default:
		l.high = number
		l.more, l.nextURL = seen.HasNext, seen.NextURL
		p.pageOne = rowsHash(seen.Rows)
		p.setWalk(slices.Concat(added, p.walk))
		p.proof.from += len(added)
		p.proof.to += len(added)
	}
	for _, w := range added {
		p.meet(w.Key)
	}
}

// judge decides which page is next.
func (l *lastPage) judge(p *Pass, seen PageSeen) {
	if !l.met {
		l.met = l.meets(p, seen)
	}
	switch {
	case !l.met && l.low > 1:
		p.next = Action{Page: l.low - 1}
	case l.more:
		p.next = Action{Page: l.high + 1, URL: l.nextURL}
	case p.series.Begun.IsZero():
		p.stop(First)
		return
	case p.proof.evidence > 0:
		p.stop(Overlap)
		return
	default:
		p.stop(End)
		return
	}
	l.bound(p)
}

// bound stops a pass that has read enough. On the way back that leaves a gap;
// on the way forward nothing but pages for the next pass.
func (l *lastPage) bound(p *Pass) {
	switch {
	case l.met:
	case p.pages >= p.limits.MaxPages:
		p.stop(Capped)
	case p.impatient():
		p.stop(Patience)
	}
}

// enoughBack is the evidence that suffices on a last page: such lists are
// read in the order they were written in, and nothing moves to their end.
const enoughBack = 3.0

// meets tells whether the oldest page read reaches into what is known.
func (l *lastPage) meets(p *Pass, seen PageSeen) bool {
	if p.base.len() == 0 {
		enough := p.series.Begun.IsZero() && l.high-l.low+1 >= p.limits.FirstPages
		return enough || l.low == 1
	}
	t := p.base.tail(p.walk, newWeigher(Order{Above: 1000}), p.settled(p.series.Begun, seen.Slack))
	if t.evidence >= enoughBack {
		p.proof = t
		return true
	}
	return l.low == 1 || p.pastWatermark(seen.Slack)
}

// gone goes back when the last page known does not exist any more, in growing
// steps, and tells whether it could.
func (l *lastPage) gone(p *Pass) bool {
	if l.high > 0 || p.next.Page <= 1 {
		return false
	}
	l.step = max(1, 2*l.step)
	p.next = Action{Page: max(1, p.next.Page-l.step)}
	return true
}

// close writes what the pass has reached into s. Once the base is met, every
// page read forward is known for good; before, nothing is.
func (l *lastPage) close(p *Pass, s *Series) {
	if p.reason.Broken() {
		p.countFailure(s)
	}
	if l.high == 0 || !l.met && !p.reason.Gap() {
		return
	}
	s.Last = l.high
	p.newHead(s, p.walk)
	l.deepen(p, s)
	if p.reason.Complete() || p.reason.Gap() {
		s.Failures, s.Broke = 0, 0
		s.PageOne = p.pageOne
		s.Gaps = p.openGaps()
		if l.low == 1 {
			s.Gaps = nil
		}
		p.learnPace(s, p.walk)
		s.Begun = p.now
	}
}

// deepen notes what lies below all that was read, once: what comes later stands
// above.
func (l *lastPage) deepen(p *Pass, s *Series) {
	switch {
	case l.low == 1:
		s.Deep = Backlog{Read: true}
	case s.Deep.Read || len(s.Deep.Above) > 0:
	case p.base.len() == 0:
		s.Deep = Backlog{Hole: p.holeBelow()}
	default: // passes before did not note it
		s.Deep = Backlog{Hole: Hole{
			Above: slices.Clone(s.Head[max(0, len(s.Head)-deepMax):]), Page: max(1, l.high-len(s.Head)/max(p.rowsPage, 1)),
		}}
	}
}

// decideDirection takes the direction of a series that has none from the dates
// of the first page read: five or more neighbours, all of them rising.
func (p *Pass) decideDirection(rows []Row) {
	if p.series.Direction != Undecided {
		return
	}
	p.series.Direction = DirectionOf(rows)
}

// DirectionOf returns what the dates of rows, in the order of page 1, say of
// the direction: NewestLast if at least five neighbours differ and all but one
// in ten of them rise, NewestFirst if they fall, Undecided without enough
// dates. One page cannot tell a list that begins with its oldest items from
// one whose pages are turned around; the series that continues on page 2 with
// newer items does.
func DirectionOf(rows []Row) Direction {
	rise, fall := 0, 0
	var above Interval
	for _, r := range rows {
		if r.Date.IsZero() {
			continue
		}
		if !above.IsZero() {
			switch {
			case !r.Date.From.Before(above.To):
				rise++
			case !above.From.Before(r.Date.To):
				fall++
			}
		}
		above = r.Date
	}
	switch n := rise + fall; {
	case n < 5:
		return Undecided
	case fall*10 <= n:
		return NewestLast
	case rise*10 <= n:
		return NewestFirst
	default:
		return Undecided
	}
}
