package pagination

import (
	"math"
	"time"
)

// A reference is a known, ordered part of the list against which a pass
// compares what it reads: the base, or a segment.
type reference struct {
	items     []Item // by rank
	rank      map[string]int
	olderRank map[uint32]int // of links known by their short hash only
	seen      []bool         // by rank: the pass has met the link, in whatever version
	omitted   int            // links that were not kept
	hole      int            // the rank before which they stood
}

func newReference(items []Item, older []uint32) *reference {
	r := &reference{
		items:     items,
		rank:      make(map[string]int, len(items)),
		olderRank: make(map[uint32]int, len(older)),
		seen:      make([]bool, len(items)+len(older)),
	}
	for i, it := range items {
		r.rank[it.Key] = i
	}
	for i, h := range older {
		r.olderRank[h] = len(items) + i
	}
	return r
}

// len returns the number of ranks.
func (r *reference) len() int { return len(r.seen) }

// find returns the rank of key, or -1.
func (r *reference) find(key string) int {
	if i, ok := r.rank[key]; ok {
		return i
	}
	if i, ok := r.olderRank[shortKey(key)]; ok {
		return i
	}
	return -1
}

// match returns the rank of the very version it, or -1 for an item that is
// unknown or has changed since.
func (r *reference) match(it Item) int {
	i := r.find(it.Key)
	if i >= 0 && i < len(r.items) && !sameVersion(it, r.items[i]) {
		return -1
	}
	return i
}

// meet notes that key was seen, at whatever place.
func (r *reference) meet(key string) {
	if i := r.find(key); i >= 0 {
		r.seen[i] = true
	}
}

// place returns how far rank i stands below rank 0 when nothing is deleted.
func (r *reference) place(i int) int {
	if r.omitted > 0 && i >= r.hole {
		return i + r.omitted
	}
	return i
}

// unseen counts the ranks from lo to hi, hi excluded, that were not met.
func (r *reference) unseen(lo, hi int) int {
	n := 0
	for _, seen := range r.seen[lo:hi] {
		if !seen {
			n++
		}
	}
	return n
}

// What is assumed of lists when the evidence of a tail is weighed, as chances.
// The values are deliberately unkind: half of them would do for most lists.
const (
	chanceDeleted = 0.10 // a known item is deleted between two passes
	chancePurged  = 0.03 // the newest known items are all gone
	chanceHidden  = 0.02 // a row with a settled date has moved all the same
	chanceLeast   = 5e-4 // whatever was learned

	// An item that moves up is one of so many: fewer where items often do,
	// since there the newest do most.
	calmSpread = 30.0
	busySpread = 10.0
	busyShare  = 0.05

	// enough is the evidence, in nats, at which a tail is believed: the rows
	// are then 8,000 times likelier if they are a tail than if they moved.
	enough = 9.0
	// tailLook is how many rows are looked at: more cannot change a verdict.
	tailLook = 60
)

// A weigher turns ranks into evidence for a tail against the chance that the
// same rows are known items that moved up one by one.
type weigher struct {
	moved  float64 // chance that a row above the tail is a known item
	spread float64 // how many items it could have been
}

// newWeigher returns a weigher for a list on which a share of the rows above
// the tail is known items that moved up.
func newWeigher(share float64) weigher {
	w := weigher{moved: max(share, chanceLeast), spread: calmSpread}
	if share > busyShare {
		w.spread = busySpread
	}
	return w
}

// step is the evidence of one more row of the run, after absent ranks that the
// pass has not met.
func (w weigher) step(absent int, settled bool) float64 {
	return math.Log((1-chanceDeleted)*w.spread/w.chance(settled)) + float64(absent)*math.Log(chanceDeleted)
}

// start is the evidence of the run's first row, with absent ranks above it out
// of above. If they are too many for deletions one by one, the whole head is
// gone, which is rarer, or the row is not of a tail.
func (w weigher) start(absent, above int, settled bool) float64 {
	purged := math.Log(chancePurged / w.chance(settled))
	if unexplained(absent, above) {
		return purged
	}
	return max(purged, w.step(0, settled)-0.7*float64(absent))
}

// chance returns the chance that a row above the tail is a known item.
func (w weigher) chance(settled bool) float64 {
	if settled {
		return min(w.moved, chanceHidden)
	}
	return w.moved
}

// unexplained tells whether absent ranks out of above are too many to have
// been deleted one by one.
func unexplained(absent, above int) bool { return absent > 3+above/4 }

// A tail is the end of a walk that lies in a reference: rows that have not
// moved since, so that nothing below them is new.
type tail struct {
	from, to int // rows of the walk, both included
	rank     int // of the row to
	absent   int // ranks above it that the walk has not met
	evidence float64
}

// tail returns the strongest tail of walk in r. settled is the time before
// which a date must lie to prove that the item did not move since r was read;
// it is zero where dates do not order the list.
//
// It is sound because an item new since r was read stood, when it came, above
// all of r: whatever of r stands above it now has moved. A tail is therefore
// false only if every row of it moved up in exactly its old order, and so did,
// or vanished, all that is missing above. The weigher says how likely that is.
func (r *reference) tail(walk []walkRow, w weigher, settled time.Time) tail {
	best := tail{evidence: math.Inf(-1)}
	last := len(walk) - 1
	if last < 0 {
		return best
	}
	rank := r.match(walk[last].Item)
	if rank < 0 {
		return best
	}
	end, sum := rank, 0.0
	for i := last; i >= 0 && last-i < tailLook; i-- {
		fixed := walk[i].settled(settled)
		absent := r.unseen(0, rank)
		score := sum + w.start(absent, rank, fixed)
		if score > best.evidence && r.anchored(walk, i, absent, rank) {
			best = tail{from: i, to: last, rank: end, evidence: score}
		}
		if i == 0 {
			break
		}
		above := r.match(walk[i-1].Item)
		if above < 0 || above >= rank {
			break
		}
		sum += w.step(r.unseen(above+1, rank), fixed)
		rank = above
	}
	best.absent = r.unseen(0, end)
	return best
}

// anchored tells whether a run that starts at row i may be believed. Where the
// head is gone without explanation it must reach over the end of a page: a
// group of links that stands on page 1 only looks the same until page 2 has
// none of them.
func (r *reference) anchored(walk []walkRow, i, absent, above int) bool {
	return !unexplained(absent, above) || walk[i].page != walk[len(walk)-1].page
}

// settled tells whether the row's date lies before t, so that a later move
// would have changed it.
func (w walkRow) settled(t time.Time) bool {
	return !t.IsZero() && !w.Date.IsZero() && !w.Date.To.After(t)
}
