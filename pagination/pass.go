package pagination

import (
	"cmp"
	"slices"
	"time"
)

// Limits bound a pass. The zero value is the default.
type Limits struct {
	// MaxPages is how many pages a pass reads at most. 0 means 100.
	MaxPages int
	// FirstPages is how many pages the first pass reads, 1 to 3. The second
	// page shows what stands on every page. 0 means 2.
	FirstPages int
	// Patience is how many pages a pass reads beyond twice what the
	// series ever had of news, without meeting anything known: its head is
	// purged, and there may be nothing left to meet. 0 means 6; negative
	// means that only MaxPages bounds it.
	Patience int
}

func (l Limits) withDefaults() Limits {
	l.MaxPages = cmp.Or(l.MaxPages, 100)
	l.FirstPages = cmp.Or(l.FirstPages, 2)
	l.Patience = cmp.Or(l.Patience, 6)
	return l
}

// A walkRow is one item link of a walk.
type walkRow struct {
	Item
	page    int // on which it was read; 0 for a link taken from a segment
	omitted int // links before it that its segment did not keep
}

// A Pass is one walk over a series. It is not safe for concurrent use.
type Pass struct {
	series Series // as begun; its base stays frozen
	now    time.Time
	limits Limits

	base     *reference
	segments []segmentRef // not yet reached, newest first

	walk  []walkRow      // newest first, contiguous from the head of the list
	place map[string]int // of each link in walk

	constant    map[string]bool
	constantMet map[string]bool
	learned     []string // constants found by this pass

	next    Action
	follows string // address of the page after the one judged last, where pages tell it
	landing landing

	pages     int             // read
	rowsPage  int             // most item rows on one page
	visited   map[string]bool // addresses read
	pageOne   uint64          // hash of all rows of the first page read
	firstSum  uint64          // hash of its item links, constants apart
	firstKeys uint64          // and with them
	echoed    int             // page that repeated, to be confirmed by page 1; 0 if none is
	lastSum   uint64          // and of those of the page before
	stale     int             // pages in a row without a row new to the walk
	fresh     int             // links new to base and segments
	changed   int             // known links with another date
	order     Order           // of this pass
	proof     tail            // that stopped the pass
	reason    Reason
	broke     int // page at which it broke

	last lastPage // of a NewestLast series
}

// A segmentRef is a segment with its reference.
type segmentRef struct {
	Segment
	ref *reference
}

// Begin starts a pass over s at now. It keeps no part of s.
func Begin(s Series, now time.Time, limits Limits) *Pass {
	p := &Pass{
		series: s.clone(), now: storedTime(now), limits: limits.withDefaults(),
		base:        newReference(s.Head, s.Older),
		place:       make(map[string]int),
		constant:    make(map[string]bool),
		constantMet: make(map[string]bool),
		visited:     make(map[string]bool),
	}
	// What one pass inserts or takes out does not change a page by half.
	p.base.first = s.Pace.Rows * 3 / 2
	for _, c := range s.Constants {
		p.constant[c.Key] = true
	}
	for _, seg := range p.series.Segments {
		ref := newReference(slices.Concat(seg.Front, seg.Back), nil)
		ref.first = p.base.first
		ref.omitted, ref.hole = seg.Omitted, len(seg.Front)
		p.segments = append(p.segments, segmentRef{seg, ref})
	}
	p.next = Action{Page: 1, Conditional: s.Complete && s.PageOne != 0}
	if s.Direction == NewestLast && s.Last > 0 {
		p.next = Action{Page: s.Last, Conditional: s.Complete}
	}
	return p
}

// Next returns what to do next: the same until Page or Fail is called.
func (p *Pass) Next() Action {
	if p.reason != Running {
		return Action{Done: true}
	}
	return p.next
}

// Fail tells that the page which Next named cannot be read, and why: one of
// the broken reasons. What was read stays as a segment. Unordered says that the
// page tells of another order than the series has.
func (p *Pass) Fail(why Reason) Verdict {
	if p.reason != Running {
		return Verdict{Reason: p.reason}
	}
	if (!why.Broken() || why == Running) && why != Unordered {
		why = ServerError
	}
	if p.stepBack(why) {
		return Verdict{}
	}
	p.breakAt(p.next.Page, why)
	return Verdict{Reason: p.reason}
}

// stepBack goes on a page nearer to the head when a page jumped to does not
// exist, or the stored last page does not any more.
func (p *Pass) stepBack(why Reason) bool {
	if why != NotFound {
		return false
	}
	if p.series.Direction == NewestLast {
		return p.last.gone(p)
	}
	if p.landing.from == 0 || p.next.Page-1 <= p.landing.from {
		return false
	}
	p.next = Action{Page: p.next.Page - 1}
	if !p.landing.tried {
		p.landing.to = p.next.Page
	}
	return true
}

// Page judges the page that Next named.
func (p *Pass) Page(seen PageSeen) Verdict {
	if p.reason != Running {
		return Verdict{Reason: p.reason}
	}
	p.pages++
	sum := rowsHash(seen.Rows)
	if p.unchanged(seen, sum) {
		return Verdict{Reason: p.stop(Unchanged)}
	}
	if seen.NotModified {
		// Rows were asked for without conditions, and none came.
		return p.Fail(ServerError)
	}
	if p.pages == 1 {
		p.pageOne = sum
		p.decideDirection(seen.Rows)
	}
	var v Verdict
	if p.series.Direction == NewestLast {
		v = p.last.page(p, seen)
	} else {
		v = p.pageFirst(seen)
	}
	if p.reason == Running && p.pages >= p.limits.MaxPages {
		// Asked for more than was allowed, on the way to something that cannot
		// be called a gap: a seam to be closed, page 1 to be compared.
		p.breakAt(p.next.Page, Budget)
	}
	v.Reason = p.reason
	return v
}

// unchanged tells whether the page proves by itself that nothing is new.
func (p *Pass) unchanged(seen PageSeen, sum uint64) bool {
	if !p.next.Conditional {
		return false
	}
	if seen.NotModified {
		return true
	}
	// The last page may be as it was and have a next one now.
	grown := p.series.Direction == NewestLast && seen.HasNext
	return sum == p.series.PageOne && len(seen.Rows) > 0 && !grown
}

// pageFirst judges a page of a series that begins with the newest items.
func (p *Pass) pageFirst(seen PageSeen) Verdict {
	if p.echoed > 0 {
		p.confirm(seen)
		return Verdict{}
	}
	rows := p.sift(seen.Rows)
	p.rowsPage = max(p.rowsPage, len(rows.fresh)+len(rows.repeats))
	progress := len(rows.fresh)
	if p.landing.from > 0 {
		seen, progress = p.land(seen, rows.fresh, rows.repeats)
	} else {
		if progress > 0 {
			p.learnConstants(rows.repeats)
		}
		p.join(p.rowsOf(rows.fresh))
	}
	v := p.emit(rows.fresh)
	progress += p.reach(rows.repeats)
	if p.pages == 1 {
		p.firstSum, p.firstKeys = rows.sum, keysHash(seen.Rows)
	}
	p.judge(seen, progress, rows.sum)
	p.lastSum = rows.sum
	return v
}

// reach notes that links taken from a segment were read where they were
// expected, and returns how many: a page of them is progress.
func (p *Pass) reach(repeats []repeat) int {
	n := 0
	for _, r := range repeats {
		if at, ok := p.place[r.key]; ok && p.walk[at].page == 0 {
			p.walk[at].page = p.next.Page
			n++
		}
	}
	return n
}

func (p *Pass) rowsOf(items []Item) []walkRow {
	rows := make([]walkRow, 0, len(items))
	for _, it := range items {
		rows = append(rows, walkRow{Item: it, page: p.next.Page})
	}
	return rows
}

// join appends rows to the walk.
func (p *Pass) join(rows []walkRow) {
	for _, w := range rows {
		if _, ok := p.place[w.Key]; ok {
			continue
		}
		p.place[w.Key] = len(p.walk)
		p.walk = append(p.walk, w)
		p.meet(w.Key)
	}
}

// setWalk makes walk the walk.
func (p *Pass) setWalk(walk []walkRow) {
	p.walk = walk
	clear(p.place)
	for i, w := range walk {
		p.place[w.Key] = i
	}
}

func (p *Pass) meet(key string) {
	p.base.meet(key)
	for _, s := range p.segments {
		s.ref.meet(key)
	}
}

// emit divides fresh rows into new links and new versions of known ones.
func (p *Pass) emit(fresh []Item) Verdict {
	var v Verdict
	for _, it := range fresh {
		switch known, same := p.known(it); {
		case !known:
			v.New = append(v.New, it)
			p.fresh++
		case !same:
			v.Changed = append(v.Changed, it)
			p.changed++
		}
	}
	return v
}

// known tells whether it is a link of the base or of a segment, and whether
// in the same version.
func (p *Pass) known(it Item) (known, same bool) {
	refs := make([]*reference, 0, 1+SegmentsMax)
	for _, s := range p.segments {
		refs = append(refs, s.ref)
	}
	for _, ref := range append(refs, p.base) {
		if ref.find(it.Key) >= 0 {
			return true, ref.match(it) >= 0
		}
	}
	return false, false
}

// stop ends the pass for why.
func (p *Pass) stop(why Reason) Reason {
	p.reason = why
	return why
}
