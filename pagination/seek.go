package pagination

// A seek looks for the page on which the upper end of the hole stands.
type seek struct {
	done     bool
	from, to int // pages that end above it, and begin below it; 0 for none
	step     int
	last     int // page read last
}

// A side tells where a row stands.
type side uint8

const (
	inside  side = iota // in the hole, or nothing is known
	atop                // among the last above it
	higher              // above these
	beneath             // below it
)

func (b *Backfill) side(r Row) side {
	if _, ok := b.above[r.Key]; ok {
		return atop
	}
	switch {
	case b.depth(r) >= 0:
		return beneath
	case b.known.find(r.Key) >= 0:
		return higher
	}
	last := b.hole.Above[len(b.hole.Above)-1].Date
	if b.series.Order.byDate() && !last.IsZero() && !r.Date.IsZero() && r.Date.From.After(last.To) {
		return higher
	}
	return inside
}

// find looks for the upper end of the hole on a page, and returns true if the
// reading begins with it: the end stands on it, or the page above ended above
// it. Otherwise the next page to look at is chosen.
func (b *Backfill) find(rows []Row, hasNext bool) bool {
	n := b.next.Page
	before := b.seek.last
	b.seek.last = n
	for _, r := range rows {
		if b.side(r) == atop {
			b.seek.done = true
			return true
		}
	}
	switch {
	case len(rows) == 0 || b.side(rows[0]) != higher:
		// All of it lies in the hole or below. The page above is the end if it
		// was read before this one: rows move down while it is looked for.
		if n == 1 || b.seek.from == n-1 && before == n-1 {
			b.seek.done = true
			return true
		}
		b.lookUp()
	case b.side(rows[len(rows)-1]) != higher:
		b.seek.done = true // it has the end, and the items at it are gone
		return true
	case !hasNext:
		b.stop(End) // the list ends above what was the hole
	default:
		b.seek.from = n
		b.setTop(n) // should the next one have to look for it
		if b.seek.to > n {
			b.next = Action{Page: max(n+1, (n+b.seek.to)/2)}
			break
		}
		b.seek.to = 0
		b.next = Action{Page: n + b.seek.step}
		if b.mirror > 0 {
			b.next.Page = min(b.next.Page, b.mirror-1) // page 1
		}
		b.seek.step *= 2
	}
	return false
}

// lookUp looks for the upper end above the page in hand.
func (b *Backfill) lookUp() {
	n := b.next.Page
	b.seek.to = n
	b.setTop(n - 1)
	if b.seek.from > 0 && b.seek.from < n {
		b.next = Action{Page: (b.seek.from + n) / 2}
		return
	}
	b.seek.from = 0
	b.next = Action{Page: max(1, n-b.seek.step)}
	b.seek.step *= 2
}
