package pagination

import (
	"math"
	"slices"
)

// jump leaves out what an unfinished segment has read, if the end of the walk
// lies in one. The segment's links become part of the walk, and the page where
// it ends is read next.
func (p *Pass) jump(seen PageSeen) bool {
	for i, s := range p.segments {
		t := s.ref.tail(p.walk, p.weigher(), p.settled(s.Begun, seen.Slack))
		if t.evidence < enough {
			continue
		}
		left := p.enter(s, t.rank)
		// Segments above the match lie within the walk.
		p.segments = p.segments[i+1:]
		p.jumpTo(s, left, seen)
		return true
	}
	return false
}

// enter appends the links of s below rank to the walk and returns how many
// rows they take, omitted ones included.
func (p *Pass) enter(s segmentRef, rank int) int {
	before := len(p.walk)
	var rows []walkRow
	omitted := 0
	for i := rank + 1; i < s.ref.len(); i++ {
		if i == s.ref.hole {
			omitted = s.Omitted
		}
		if s.ref.seen[i] {
			continue
		}
		rows = append(rows, walkRow{Item: s.ref.items[i], omitted: omitted})
		omitted = 0
	}
	p.join(rows)
	left := len(p.walk) - before
	for _, w := range p.walk[before:] {
		left += w.omitted
	}
	return left
}

// jumpTo sets the next page: the one on which the last of left links below the
// page seen stands. A few may have been deleted, and a page too near costs no
// more than one too far.
func (p *Pass) jumpTo(s segmentRef, left int, seen PageSeen) {
	if !p.series.ID.Numbered() && s.NextURL != "" {
		// Addresses that name an item instead of a number do not shift.
		p.next = Action{Page: p.next.Page + 1, URL: s.NextURL}
		return
	}
	from := p.next.Page
	left -= left / 20
	pages := max(1, int(math.Ceil(float64(left)/float64(max(1, p.rowsPage)))))
	if seen.Last > from {
		pages = min(pages, seen.Last-from)
	}
	p.next = Action{Page: from + pages}
	if pages == 1 {
		p.next.URL = seen.NextURL
		return
	}
	p.landing = landing{from: from, to: from + pages}
}

// A landing is a jump that is to be proved.
type landing struct {
	from  int       // page before the jump; 0 if there is nothing to prove
	to    int       // page jumped to
	rows  []walkRow // read since, from the page reached downwards
	deep  PageSeen  // page to, for what follows it
	tried bool      // page to was read
}

// land judges a page after a jump and returns the page after which the pass is
// to go on, with the number of fresh rows so far. The rows are joined to the
// walk only if one of the segment's links stands at their head; or else links
// may lie between, and the page before is read first.
func (p *Pass) land(seen PageSeen, fresh []Item, repeats []repeat) (PageSeen, int) {
	l := &p.landing
	if !l.tried {
		l.deep, l.tried = seen, true
	}
	l.rows = append(p.rowsOf(fresh), l.rows...)
	joined := len(repeats) > 0 && !repeats[0].below || p.next.Page-1 <= l.from
	if !joined {
		p.next = Action{Page: p.next.Page - 1}
		return seen, len(fresh)
	}
	before := len(p.walk)
	p.join(l.rows)
	p.next.Page = l.to
	deep := l.deep
	*l = landing{}
	progress := len(p.walk) - before
	return deep, progress
}

// asSegment returns the walk as a segment.
func (p *Pass) asSegment() Segment {
	seg := Segment{NextURL: p.next.URL, Begun: p.now}
	total, firstHole, lastHole := p.walked(), len(p.walk), 0
	for i, w := range p.walk {
		if w.omitted > 0 {
			firstHole, lastHole = min(firstHole, i), i
		}
	}
	if total == len(p.walk) && total <= segmentMax {
		seg.Front = itemsOf(p.walk)
		return seg
	}
	front := min(firstHole, segmentMax/2)
	back := max(lastHole, front, len(p.walk)-segmentMax/2)
	seg.Front, seg.Back = itemsOf(p.walk[:front]), itemsOf(p.walk[back:])
	seg.Omitted = total - len(seg.Front) - len(seg.Back)
	return seg
}

// walked returns how many rows the walk has, with those that segments have not
// kept.
func (p *Pass) walked() int {
	n := len(p.walk)
	for _, w := range p.walk {
		n += w.omitted
	}
	return n
}

func itemsOf(walk []walkRow) []Item {
	items := make([]Item, len(walk))
	for i, w := range walk {
		items[i] = w.Item
	}
	return items
}

// leftSegments returns the segments of a pass that did not end well: what it
// walked, and those it did not reach. The smallest go if they are too many:
// what they spared is read again, and nothing is lost.
func (p *Pass) leftSegments() []Segment {
	var out []Segment
	if len(p.walk) > 0 {
		out = append(out, p.asSegment())
	}
	for _, s := range p.segments {
		out = append(out, s.Segment)
	}
	for len(out) > SegmentsMax {
		small := len(out) - 1
		for i, s := range out {
			if s.size() < out[small].size() {
				small = i
			}
		}
		out = slices.Delete(out, small, small+1)
	}
	return out
}

// size returns how many item links were read.
func (s Segment) size() int { return len(s.Front) + s.Omitted + len(s.Back) }
