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
	first     int            // ranks that may have stood on page 1
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

// What is assumed of lists when the evidence of a tail is weighed, as chances.
// The values are deliberately unkind: half of them would do for most lists.
const (
	chanceDeleted = 0.10 // a known item is deleted between two passes
	chancePurged  = 0.03 // the newest known items are all gone
	chanceHidden  = 0.02 // a row with a settled date has moved all the same
	chanceNever   = 2e-3 // the same, where no date ever stood in the wrong place
	chanceStray   = 0.01 // a row of the tail is out of place: unpinned, late, an advertisement
	chanceLeast   = 5e-4 // whatever was learned

	// An item that moves up is one of so many, before anything is learned of
	// those that do: fewer where many do, since there it is the newest.
	calmSpread = 30.0
	busySpread = 10.0
	busyShare  = 0.05
	// leastSpread and spreadPerRank make a spread of the mean rank that items
	// moved up from: the newest move most.
	leastSpread   = 3.0
	spreadPerRank = 0.6

	// enough is the evidence, in nats, at which a tail is believed: the rows
	// are then 22,000 times likelier if they are a tail than if they moved.
	enough = 10.0
	// leastEnough is the same where the pace of the series is known and no
	// more news is expected; mostExpected is what the expectation adds.
	leastEnough  = 6.0
	mostExpected = 3.0
	// tailLook is how many rows are looked at: more cannot change a verdict.
	tailLook = 60
)

// A weigher turns ranks into evidence for a tail against the chance that the
// same rows are known items that moved up one by one.
type weigher struct {
	moved  float64 // chance that a row above the tail is a known item
	hidden float64 // chance that it is one although its date is settled
	spread float64 // how many items it could have been
}

// newWeigher returns a weigher for a list of which order is known.
func newWeigher(o Order) weigher {
	w := weigher{moved: max(o.share(), chanceLeast), hidden: chanceHidden, spread: calmSpread}
	switch {
	case o.Moved >= 5:
		w.spread = min(max(o.Ranks/o.Moved*spreadPerRank, leastSpread), calmSpread)
	case w.moved > busyShare:
		w.spread = busySpread
	}
	if o.strictly() {
		w.hidden = chanceNever
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

// stray is the evidence, never for a tail, of a row below the run's first that
// is not of the run.
func (w weigher) stray(known bool) float64 {
	if known {
		return min(0, math.Log(chanceStray/w.moved))
	}
	return min(0, math.Log(chanceStray/(1-w.moved)))
}

// chance returns the chance that a row above the tail is a known item.
func (w weigher) chance(settled bool) float64 {
	if settled {
		return min(w.moved, w.hidden)
	}
	return w.moved
}

// unexplained tells whether absent ranks out of above are too many to have
// been deleted one by one.
func unexplained(absent, above int) bool { return absent > 3+above/4 }

// A tail is the end of a walk that lies in a reference: rows that have not
// moved since, so that nothing below them is new. A few rows among them may be
// out of place.
type tail struct {
	from, to int // first and last row of the walk that belong to the run
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
	first := max(0, len(walk)-tailLook)
	runs := r.runs(walk, first, w, settled)
	best := tail{evidence: math.Inf(-1)}
	strays := 0.0
	for i := len(runs) - 1; i >= 0; i-- {
		if score := runs[i].evidence + strays; score > best.evidence {
			best = tail{from: runs[i].from, to: first + i, rank: runs[i].rank, evidence: score}
		}
		strays += w.stray(runs[i].rank >= 0)
	}
	if !math.IsInf(best.evidence, -1) {
		best.absent = r.missing()[best.rank]
	}
	return best
}

// A run is the strongest evidence of rows of a tail that end with one row.
type run struct {
	rank     int // of that row, -1 if it is not in the reference
	from     int // first row
	evidence float64
}

// runs returns the strongest run that ends with each row of walk from first
// on.
func (r *reference) runs(walk []walkRow, first int, w weigher, settled time.Time) []run {
	missing := r.missing()
	runs := make([]run, len(walk)-first)
	for j := range runs {
		row := walk[first+j]
		b := run{rank: r.match(row.Item), from: first + j, evidence: math.Inf(-1)}
		if b.rank >= 0 {
			fixed := row.settled(settled)
			if r.anchored(walk, first+j, missing[b.rank], b.rank) {
				b.evidence = w.start(missing[b.rank], b.rank, fixed)
			}
			strays := 0.0
			for i := j - 1; i >= 0; i-- {
				a := runs[i]
				if a.rank >= 0 && a.rank < b.rank {
					score := a.evidence + strays + w.step(missing[b.rank]-missing[a.rank+1], fixed)
					if score > b.evidence {
						b.from, b.evidence = a.from, score
					}
				}
				strays += w.stray(a.rank >= 0)
			}
		}
		runs[j] = b
	}
	return runs
}

// missing returns, for each rank, how many ranks above it were not met, with
// one entry more for the end.
func (r *reference) missing() []int {
	out := make([]int, len(r.seen)+1)
	for i, seen := range r.seen {
		out[i+1] = out[i]
		if !seen {
			out[i+1]++
		}
	}
	return out
}

// anchored tells whether a run that starts at row i may be believed. Where the
// head is gone without explanation, a group of links that stands on page 1
// only looks the same, until page 2 has none of them: the run must reach over
// the end of a page, or come from ranks that were not on page 1.
func (r *reference) anchored(walk []walkRow, i, absent, above int) bool {
	return !unexplained(absent, above) || above >= r.first || walk[i].page != walk[len(walk)-1].page
}

// settled tells whether the row's date lies before t, so that a later move
// would have changed it.
func (w walkRow) settled(t time.Time) bool {
	return !t.IsZero() && !w.Date.IsZero() && !w.Date.To.After(t)
}
