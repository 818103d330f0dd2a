package pagination

import (
	"cmp"
	"slices"
)

// Series returns the state of the series as far as the pass has come, to be
// committed together with the page just judged. While the pass runs, and after
// a broken one, the base is as it was and the walk is a segment; after a
// complete pass, and after one that leaves a gap, the head begins with the
// walk.
func (p *Pass) Series() Series {
	s := p.series.clone()
	s.Tried = p.now
	s.Complete = p.reason.Complete()
	if p.reason != Unchanged && !p.scrambled() {
		s.Constants = p.constants()
	}
	s.Certificate = p.certificate()
	switch {
	case p.reason == Unchanged:
		p.closeUnchanged(&s)
	case s.Direction == NewestLast:
		p.last.close(p, &s)
	case p.reason == Running || p.reason.Broken():
		p.closeBroken(&s)
	default:
		p.closeWhole(&s)
	}
	return s
}

// closeUnchanged keeps everything: the pace alone learns.
func (p *Pass) closeUnchanged(s *Series) {
	s.Failures, s.Broke = 0, 0
	s.Pace.add(p.now.Sub(s.Begun), 0, 0)
	s.Begun = p.now
}

// closeBroken keeps the base and remembers the walk as a segment.
func (p *Pass) closeBroken(s *Series) {
	s.Segments = p.leftSegments()
	s.Complete = false
	p.countFailure(s)
}

// countFailure counts a broken pass: anew if it broke elsewhere, or for another
// reason, than the one before.
func (p *Pass) countFailure(s *Series) {
	if p.reason == Running {
		return
	}
	if s.Broke != p.broke || p.series.Certificate.Reason != p.reason {
		s.Failures = 0
	}
	s.Failures++
	s.Broke = p.broke
}

// closeWhole makes the walk the head.
func (p *Pass) closeWhole(s *Series) {
	p.newHead(s, p.walk)
	p.deepen(s)
	s.Gaps = p.openGaps()
	s.Segments = nil
	s.PageOne = 0
	if s.Complete {
		s.PageOne = p.pageOne
	}
	s.Failures, s.Broke = 0, 0
	s.Order.add(p.order)
	p.learnPace(s, p.walk)
	s.Begun = p.now
}

// newHead puts walk before what is left of the base. What stood above the
// proof and was not met is gone.
func (p *Pass) newHead(s *Series, walk []walkRow) {
	rest := 0
	if p.reason == Overlap {
		rest = p.proof.rank + 1
	}
	head := itemsOf(walk)
	var older []uint32
	for i := rest; i < p.base.len(); i++ {
		switch {
		case p.base.seen[i]:
		case i >= len(p.base.items):
			older = append(older, s.Older[i-len(p.base.items)])
		case p.constant[p.base.items[i].Key]:
		default:
			head = append(head, p.base.items[i])
		}
	}
	cut := min(len(head), HeadMax)
	let := make([]uint32, 0, len(head)-cut+len(older))
	for _, it := range head[cut:] {
		let = append(let, shortKey(it.Key))
	}
	s.Older = slices.Concat(let, older)
	s.Older = s.Older[:min(len(s.Older), OlderMax)]
	s.Head = head[:cut]
	s.Watermark = p.newWatermark(walk)
}

// newWatermark returns the newest date of the walk or of the passes before.
// Dates in the future announce something and are left out; of the others the
// second counts, so that one item with a wrong date does not.
func (p *Pass) newWatermark(walk []walkRow) Interval {
	var first, second Interval
	for _, w := range walk {
		if w.Date.IsZero() || w.Date.From.After(p.now) {
			continue
		}
		switch {
		case w.Date.From.After(first.From):
			first, second = w.Date, first
		case w.Date.From.After(second.From):
			second = w.Date
		}
	}
	if second.From.Before(p.series.Watermark.From) {
		return p.series.Watermark
	}
	return second
}

// orderFade is what a pass leaves of the weight of those before it.
const orderFade = 0.98

// add counts what one more pass taught.
func (o *Order) add(pass Order) {
	const most = 1 << 20 // old evidence fades beyond it
	o.Moved = o.Moved*orderFade + pass.Moved
	o.Above = o.Above*orderFade + pass.Above
	o.Ranks = o.Ranks*orderFade + pass.Ranks
	o.DatePairs += pass.DatePairs
	o.Inversions += pass.Inversions
	if o.DatePairs > most {
		o.DatePairs /= 2
		o.Inversions = (o.Inversions + 1) / 2
	}
}

// learnPace counts what the pass found since the last complete one.
func (p *Pass) learnPace(s *Series, walk []walkRow) {
	s.Pace.Rows = cmp.Or(p.rowsPage, s.Pace.Rows)
	if s.Begun.IsZero() {
		s.Pace.fromDates(walk)
		return
	}
	depth := len(walk)
	if p.reason == Overlap {
		depth = p.proof.from
	}
	items := 0
	for _, w := range walk {
		if p.base.find(w.Key) < 0 {
			items++
		}
	}
	if p.reason.Gap() {
		// What was read beyond the news is not news: the pace stays.
		return
	}
	s.Pace.add(p.now.Sub(s.Begun), min(items, depth), depth)
}

// certificate tells what the pass can prove.
func (p *Pass) certificate() Certificate {
	c := Certificate{Reason: p.reason, Pages: p.pages, Rows: len(p.walk), New: p.fresh}
	switch {
	case p.reason == Overlap:
		c.Absent = p.proof.absent
		from := max(p.proof.from, p.proof.to-metMax+1)
		for _, w := range p.walk[from : p.proof.to+1] {
			c.Met = append(c.Met, Met{Key: w.Key, Page: w.page, Rank: p.base.match(w.Item)})
		}
	case !p.reason.Complete():
		c.Gap = p.gap()
	}
	return c
}

// deepen notes after a whole pass how far all passes have come: the first one
// to its end, later ones as far as before, which has moved down by what is new.
func (p *Pass) deepen(s *Series) {
	switch {
	case p.reason == End || p.reason == Echo:
		s.Deep = Backlog{Read: true}
	case s.Deep.Read:
	case p.series.Begun.IsZero():
		s.Deep = Backlog{Hole: p.holeBelow()}
	default:
		s.Deep.Rows = p.moved(s.Deep.Rows)
	}
}

// moved returns how far below the head a row stands that stood so far below it
// before the pass.
func (p *Pass) moved(rows int) int {
	if p.reason == Overlap {
		return p.walked() + max(0, rows-p.proof.rank-1)
	}
	return rows + p.walked()
}

// holeBelow returns what lies between the walk and the base. Segments in between
// are let go: what lies below them is unread too.
func (p *Pass) holeBelow() Hole {
	h := Hole{Above: itemsOf(p.walk[max(0, len(p.walk)-deepMax):]), Rows: p.walked(), NextURL: p.follows}
	if p.series.Direction == NewestLast {
		h.Rows, h.Page, h.NextURL = 0, p.last.low, ""
	}
	for i, it := range p.base.items {
		if !p.base.seen[i] && len(h.Below) < deepMax {
			h.Below = append(h.Below, it)
		}
	}
	return h
}

// openGaps returns the gaps that stand after a whole pass: what this one leaves,
// and of those before what it has not read through.
func (p *Pass) openGaps() []Gap {
	var open []Gap
	for _, g := range p.series.Gaps {
		_, after := p.place[g.After]
		_, before := p.place[g.Before]
		if !(after && before) && p.reason != End && p.reason != Echo {
			if p.series.Direction != NewestLast {
				g.Hole.Rows = p.moved(g.Hole.Rows)
			}
			open = append(open, g)
		}
	}
	if p.reason.Gap() {
		g := *p.gap()
		g.Hole = p.holeBelow()
		open = append(open, g)
	}
	for len(open) > gapsMax {
		upper, lower := open[1], open[0]
		upper.Before, upper.Since, upper.Hole.Below = lower.Before, lower.Since, lower.Hole.Below
		open[1] = upper
		open = open[1:]
	}
	return open
}

// gap returns what the pass has not read.
func (p *Pass) gap() *Gap {
	g := &Gap{Page: p.next.Page, Since: p.now}
	if len(p.walk) > 0 {
		g.After = p.walk[len(p.walk)-1].Key
	}
	for _, s := range p.segments {
		if first := s.ref.items; len(first) > 0 && !p.reason.Gap() { // a whole pass lets them go
			g.Before = first[0].Key
			return g
		}
	}
	for i, it := range p.base.items {
		if !p.base.seen[i] {
			g.Before = it.Key
			return g
		}
	}
	return g
}
