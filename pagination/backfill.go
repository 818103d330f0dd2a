package pagination

import (
	"slices"
	"time"
)

// maxFillPages is how many pages are read for one hole in all: a pager without
// an end is not followed for ever.
const maxFillPages = 2000

// A Backfill reads a hole of a series: page by page downwards from where its
// upper end stands now, until it meets what lies below, or the end. It is to a
// series what a [Pass] is, and asks and is told the same, but changes nothing
// of the series but the hole. What it has read is no part of the hole any more
// after each page; the hole is gone when it was read through, not before.
//
// Where the newest items stand on the last page, downwards is towards page 1,
// which is the end. Pages are counted from the last one known then, in here: the
// first is the newest in either direction. Deletions move rows downwards there,
// as news do elsewhere, and so do not matter; news do not move anything.
type Backfill struct {
	series Series
	limits Limits
	gap    int // in series.Gaps; -1 for what lies below all that was read
	hole   Hole
	stood  int // Rows of the hole when the backfill began
	mirror int // of a NewestLast series: the number of a page and its number in here make this; or else 0

	above, below map[string]int // places in the hole's lists
	known        *reference     // what the series remembers
	floor        int            // rank in known from which on items lie below the hole
	constant     map[string]bool

	next   Action
	seek   seek
	pages  int
	turn   turn
	reason Reason
}

// A turn is what is remembered of the pages read since the upper end was found.
type turn struct {
	seen  map[string]bool // item links
	sum   uint64          // hash of those of the page before
	stale int             // pages in a row that repeated it
	first int             // page that showed them first
	check bool            // that one is read again
	met   int             // place in the hole's lower list of the last item met; -1 before the first
	count int             // how many were met in that order
	old   int             // rows in a row that are older than the lower list
}

// BeginBackfill starts a backfill of the newest gap of s, or if it has none and
// all is set of what lies below all that was read. Next says that nothing is to
// be done if [MayBackfill] does. Following tells that the last page read is the
// one above the hole, just now: the next one is read without looking for it.
func BeginBackfill(s Series, now time.Time, limits Limits, all, following bool) *Backfill {
	b := &Backfill{series: s.clone(), limits: limits.withDefaults(), gap: -1}
	hole := holeOf(&b.series, all)
	if hole == nil {
		b.reason = End
		return b
	}
	for i := range b.series.Gaps {
		if hole == &b.series.Gaps[i].Hole {
			b.gap = i
		}
	}
	b.hole, b.stood = *hole, hole.Rows
	b.series.Filling.Tried, b.series.Filling.Reason = storedTime(now), Running
	b.above, b.below = places(b.hole.Above), places(b.hole.Below)
	b.known = newReference(s.Head, s.Older)
	b.floor = b.known.len()
	for _, it := range b.hole.Below {
		if rank := b.known.find(it.Key); rank >= 0 {
			b.floor = rank
			break
		}
	}
	b.constant = map[string]bool{}
	for _, c := range s.Constants {
		b.constant[c.Key] = true
	}
	b.turn = turn{seen: map[string]bool{}, met: -1}
	if s.Direction == NewestLast {
		b.mirror = max(s.Last, 1) + 1
	}
	b.next = Action{Page: b.top()}
	if b.seek.step = 1; following || !s.ID.Numbered() {
		b.next = Action{Page: b.next.Page + 1, URL: b.hole.NextURL}
		b.seek.done = true
	}
	return b
}

func places(items []Item) map[string]int {
	m := make(map[string]int, len(items))
	for i, it := range items {
		m[it.Key] = i
	}
	return m
}

// page returns the page on which a row stands, about.
func (b *Backfill) page(row int) int {
	size := max(b.series.Pace.Rows, 1)
	return max(1, (row+size-1)/size)
}

// real returns the number that page n has on the site; or the number in here of
// the page that has the number n on the site.
func (b *Backfill) real(n int) int {
	if b.mirror > 0 {
		return b.mirror - n
	}
	return n
}

// top returns the page on which the upper end of the hole stood.
func (b *Backfill) top() int {
	if b.mirror > 0 {
		return max(1, b.real(b.hole.Page))
	}
	return b.page(b.hole.Rows)
}

// setTop notes that the upper end of the hole stands on page n, at its end as far
// as is known.
func (b *Backfill) setTop(n int) {
	if b.mirror > 0 {
		b.hole.Page = b.real(n)
		return
	}
	b.hole.Rows = n * max(b.series.Pace.Rows, 1)
}

// Next returns what to do next: the same until Page or Fail is called.
func (b *Backfill) Next() Action {
	if b.reason != Running {
		return Action{Done: true}
	}
	a := b.next
	a.Page = b.real(a.Page)
	return a
}

// Fail tells that the page which Next named cannot be read, and why.
func (b *Backfill) Fail(why Reason) Verdict {
	switch {
	case b.reason != Running:
	case why == NotFound && b.mirror == 0 && !b.seek.done && b.next.Page > 1 && b.seek.from != b.next.Page-1 && b.pages < b.limits.MaxPages:
		b.pages++
		b.lookUp() // the list is shorter than it was
	default:
		b.stop(why)
	}
	return Verdict{Reason: b.reason}
}

// stop ends the backfill for why, and counts failures.
func (b *Backfill) stop(why Reason) {
	b.reason = why
	f := &b.series.Filling
	f.Reason = why
	switch {
	case why.Complete():
		*f = Filling{Tried: f.Tried, Reason: why}
	case why.Broken() && why != Budget && why != Interrupted:
		f.Failures++
	case why == Capped && !b.seek.done:
		f.Failures++ // it has only looked for the hole
	case why == Capped:
		f.Failures = 0
	}
}

// Page judges the page that Next named.
func (b *Backfill) Page(seen PageSeen) Verdict {
	if b.reason != Running {
		return Verdict{Reason: b.reason}
	}
	if seen.NotModified {
		return b.Fail(ServerError)
	}
	b.pages++
	b.series.Filling.Pages++
	rows := slices.DeleteFunc(slices.Clone(seen.Rows), func(r Row) bool { return r.Key == "" || b.constant[r.Key] })
	if b.mirror > 0 {
		slices.Reverse(rows)
		seen.HasNext, seen.URL, seen.NextURL = b.next.Page < b.mirror-1, "", ""
	}
	v := b.emit(rows)
	switch {
	case b.turn.check:
		b.confirm(rows)
	case b.seek.done || b.find(rows, seen.HasNext):
		b.read(rows, seen)
	}
	if b.reason == Running && (b.pages >= b.limits.MaxPages || b.series.Filling.Pages >= maxFillPages) {
		b.stop(Capped)
	}
	v.Reason = b.reason
	return v
}

// emit returns the item links that nobody knows.
func (b *Backfill) emit(rows []Row) (v Verdict) {
	for _, r := range rows {
		_, above := b.above[r.Key]
		_, below := b.below[r.Key]
		if !above && !below && !b.turn.seen[r.Key] && b.known.find(r.Key) < 0 {
			v.New = append(v.New, r.item())
		}
	}
	return v
}

// read takes a page of the hole, and goes on to the next one.
func (b *Backfill) read(rows []Row, seen PageSeen) {
	t := &b.turn
	sum := keysHash(rows)
	fresh := slices.ContainsFunc(rows, func(r Row) bool { return !t.seen[r.Key] })
	switch {
	case fresh || len(t.seen) == 0:
		t.stale, t.first, t.sum = 0, b.next.Page, sum
	case len(rows) > 0 && sum != t.sum:
		b.stop(Loop)
		return
	default:
		t.stale++
	}
	if b.meets(rows, seen.Slack) {
		return
	}
	b.hole.NextURL = seen.NextURL
	switch {
	case !seen.HasNext || seen.NextURL != "" && seen.NextURL == seen.URL:
		b.stop(End)
	case t.stale >= 2 && b.mirror > 0:
		b.stop(Loop) // the end is page 1
	case t.stale >= 2:
		// A list that moves by a page in the time of a request looks the same.
		t.check = true
		b.next = Action{Page: t.first}
	default:
		b.next = Action{Page: b.next.Page + 1, URL: seen.NextURL}
	}
}

// metEnough is how many of the items below the hole are to be met in their
// order, or how many rows in a row are to be older than these: a single one may
// have moved up.
const metEnough = 3

// meets goes through the rows of a page, which are no part of the hole any
// more, and stops if they reach what lies below it.
func (b *Backfill) meets(rows []Row, slack time.Duration) bool {
	t := &b.turn
	read := 0
	for _, r := range rows {
		if t.seen[r.Key] {
			continue
		}
		t.seen[r.Key] = true
		read++
		at := b.depth(r)
		switch {
		case at < 0:
			t.met, t.count = -1, 0
			b.hole.Above = append(b.hole.Above, r.item())
		case at > t.met:
			t.met = at
			t.count++
		default:
			t.met, t.count = at, 1 // out of its order
		}
		if t.old++; !b.isOlder(r, slack) {
			t.old = 0
		}
		switch {
		case t.count > 0 && t.count >= min(metEnough, len(b.hole.Below)):
			b.stop(Overlap)
			return true
		case t.old >= metEnough:
			b.stop(Watermark)
			return true
		}
	}
	b.hole.Above = slices.Clone(b.hole.Above[max(0, len(b.hole.Above)-deepMax):])
	if b.mirror > 0 {
		b.setTop(b.next.Page)
	} else {
		b.hole.Rows = max(b.hole.Rows, (b.next.Page-1)*max(b.series.Pace.Rows, 1)+read)
	}
	return false
}

// depth returns how deep an item stands that is known to lie below the hole; -1
// if it is not.
func (b *Backfill) depth(r Row) int {
	if at, ok := b.below[r.Key]; ok {
		return at
	}
	if rank := b.known.find(r.Key); rank >= b.floor {
		return deepMax + rank
	}
	return -1
}

// isOlder tells whether the date of a row lies before that of the first item
// below the hole, where dates order the list.
func (b *Backfill) isOlder(r Row, slack time.Duration) bool {
	if len(b.hole.Below) == 0 || !b.series.Order.byDate() || r.Date.IsZero() {
		return false
	}
	first := b.hole.Below[0].Date
	return !first.IsZero() && r.Date.To.Before(first.From.Add(-slack))
}

// confirm judges the first page of those that repeated, read again: as it was,
// it is the last one of a list that answers beyond its end.
func (b *Backfill) confirm(rows []Row) {
	if keysHash(rows) == b.turn.sum {
		b.stop(Echo)
		return
	}
	b.stop(Loop)
}
