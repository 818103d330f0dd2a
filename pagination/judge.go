package pagination

import (
	"math"
	"time"
)

// judge decides after a page whether the pass stops, jumps or reads the next
// page. Progress counts its rows new to the walk, sum is the hash of its item
// links. The order of the questions is that of docs/pagination.md.
func (p *Pass) judge(seen PageSeen, progress int, sum uint64) {
	if p.landing.from > 0 {
		return // the page is not joined to the walk yet: nothing follows from it
	}
	p.follows = seen.NextURL
	if p.pages == 1 {
		p.learnPinned()
	}
	p.observeOrder(len(p.walk))
	switch {
	case p.pages == 1 && p.firstPageFault():
	case progress > 0 && p.proved(seen.Slack):
	case progress > 0 && p.jump(seen):
	case p.ended(seen, progress, sum):
	case p.exhausted():
	default:
		p.next = Action{Page: p.next.Page + 1, URL: seen.NextURL}
	}
}

// breakAt stops the pass for why at a page. What stops three passes in a row
// at the same place, page 1 apart, will stop all others: it is taken for the
// end, and the gap is told. A series with the newest items last goes on from
// the page before, which costs little.
func (p *Pass) breakAt(page int, why Reason) {
	p.broke = page
	s := p.series
	again := s.Failures >= 2 && s.Broke == page && s.Certificate.Reason == why
	if again && page > 1 && s.Direction != NewestLast && why != Budget && why != Interrupted {
		why = DeadEnd
	}
	p.stop(why)
}

// firstPageFault stops the pass when page 1 is not what it must be: empty
// although the series had items, or older than the last pass.
func (p *Pass) firstPageFault() bool {
	switch {
	case p.base.len() == 0:
		return false
	case len(p.walk) == 0 && len(p.constantMet) == 0:
		p.breakAt(1, EmptyPage)
	case p.stalePageOne() && p.series.Certificate.Reason != StalePage:
		p.breakAt(1, StalePage)
	default:
		return false
	}
	return true
}

// staleRun is how many known items in a row must be missing from a page 1
// without news before it is taken for an old copy.
const staleRun = 3

// stalePageOne tells whether page 1 has no news and misses several of the
// newest known items in a row: an old copy rather than deletions. If the next
// pass finds the same, it is believed.
func (p *Pass) stalePageOne() bool {
	if p.fresh+p.changed > 0 || !p.series.Complete {
		return false
	}
	run, end := 0, 0
	for _, w := range p.walk {
		end = max(end, p.base.match(w.Item))
	}
	for _, met := range p.base.seen[:end] {
		if met {
			run = 0
			continue
		}
		if run++; run >= staleRun {
			return true
		}
	}
	return false
}

// proved stops the pass if the walk has met the base, or is older than the
// watermark.
func (p *Pass) proved(slack time.Duration) bool {
	if t := p.base.tail(p.walk, p.weigher(), p.settled(p.series.Begun, slack)); t.evidence >= p.enough() {
		p.proof = t
		p.observeOrder(t.from)
		p.stop(Overlap)
		return true
	}
	if p.pastWatermark(slack) {
		p.stop(Watermark)
		return true
	}
	return false
}

// enough returns the evidence at which a tail is believed: more, the more news
// is still expected below it.
func (p *Pass) enough() float64 {
	pace := &p.series.Pace
	if pace.Passes < 3 {
		return enough
	}
	found := 0
	for _, w := range p.walk {
		if p.base.find(w.Key) < 0 {
			found++
		}
	}
	more := math.Log(moreExpected(pace.Rate()*p.now.Sub(p.series.Begun).Seconds(), found))
	return leastEnough + min(max(more, 0), mostExpected)
}

// moreExpected returns, of a number of items of which mean are expected, how
// much likelier it is that there are more than found than that there are just
// so many.
func moreExpected(mean float64, found int) float64 {
	sum, term := 0.0, 1.0
	for k := 1; k <= 1000; k++ {
		term *= mean / float64(found+k)
		sum += term
		if term < sum/1e6 {
			break
		}
	}
	return sum
}

// weigher returns how rows are weighed, by what this pass and those before
// have learned of items that move.
func (p *Pass) weigher() weigher { return newWeigher(p.learnedOrder()) }

// settled returns the time before which a date proves that an item has not
// moved since begun, or zero where dates do not order the list.
func (p *Pass) settled(begun time.Time, slack time.Duration) time.Time {
	if begun.IsZero() || !p.learnedOrder().byDate() {
		return time.Time{}
	}
	return begun.Add(-slack)
}

// learnedOrder returns what all passes and this one have learned of the order.
func (p *Pass) learnedOrder() Order {
	o := p.series.Order
	o.Moved += p.order.Moved
	o.Above += p.order.Above
	o.Ranks += p.order.Ranks
	o.DatePairs += p.order.DatePairs
	o.Inversions += p.order.Inversions
	return o
}

// pastWatermark tells whether the last rows of the walk are all older than the
// newest item of the last complete pass.
func (p *Pass) pastWatermark(slack time.Duration) bool {
	order := p.learnedOrder()
	if p.series.Watermark.IsZero() || !order.byDate() {
		return false
	}
	need := 5
	if order.strictly() {
		need = 3
	}
	if len(p.walk) < need {
		return false
	}
	limit := p.series.Watermark.From.Add(-slack)
	for _, w := range p.walk[len(p.walk)-need:] {
		if w.page == 0 || w.Date.IsZero() || w.Date.To.After(limit) {
			return false
		}
	}
	return true
}

// ended stops the pass at the end of the list, or where the pager turns back.
func (p *Pass) ended(seen PageSeen, progress int, sum uint64) bool {
	p.visited[seen.URL] = true
	p.stale++
	if progress > 0 {
		p.stale = 0
	}
	switch {
	case !seen.HasNext || seen.NextURL != "" && seen.NextURL == seen.URL:
		p.stop(p.ordered(End))
	case p.stale >= 2 && p.repeated(sum):
		// A list that moves a page in the time of a fetch looks the same.
		p.echoed = p.next.Page
		p.next = Action{Page: 1}
	case p.stale >= 2 || seen.NextURL != "" && p.visited[seen.NextURL]:
		p.breakAt(p.next.Page, Loop)
	case p.firstPassDone():
		p.stop(p.ordered(First))
	default:
		return false
	}
	return true
}

// ordered returns why, or Unordered if the pages do not belong to one list.
func (p *Pass) ordered(why Reason) Reason {
	if p.scrambled() {
		return Unordered
	}
	return why
}

// scrambled tells whether so many links came again on a later page that they
// cannot all be constants: each page is shown in an order of its own, and
// reading all of them proves nothing.
func (p *Pass) scrambled() bool { return len(p.learned) > max(10, p.rowsPage/2) }

// repeated tells whether two pages in a row without anything new are a list
// that answers beyond its end: they are empty, or repeat a page that was not
// the first. Page 1 again may be that, or a server that does not know the page
// number; and rows from here and there are a pager that loops, or a list that
// moves as fast as it is read.
func (p *Pass) repeated(sum uint64) bool {
	return sum == rowsHash(nil) || sum == p.lastSum && sum != p.firstSum
}

// confirm judges page 1, read again after pages that repeated: if it is as it
// was, the list has not moved, and they were its end.
func (p *Pass) confirm(seen PageSeen) {
	if keysHash(seen.Rows) == p.firstKeys {
		p.stop(p.ordered(Echo))
		return
	}
	p.breakAt(p.echoed, Loop)
}

// firstPassDone tells whether the first pass has read enough.
func (p *Pass) firstPassDone() bool {
	return p.series.Begun.IsZero() && len(p.segments) == 0 && p.pages >= p.limits.FirstPages
}

// exhausted stops the pass when it has read enough and found no end.
func (p *Pass) exhausted() bool {
	switch {
	case p.pages < p.limits.MaxPages && !p.impatient():
		return false
	case p.disordered() || p.scrambled():
		p.stop(Unordered)
	case p.pages >= p.limits.MaxPages:
		p.stop(Capped)
	default:
		p.stop(Patience)
	}
	return true
}

// impatient tells whether far more was read than the series ever had of news.
func (p *Pass) impatient() bool {
	pace := p.series.Pace
	if p.limits.Patience < 0 || pace.Passes < 3 || p.series.Begun.IsZero() {
		return false
	}
	expected := pace.depth(p.now.Sub(p.series.Begun))
	return len(p.walk) >= p.limits.Patience*p.rowsPage+int(2*expected)
}

// observeOrder counts what the walk shows of the order of the list: what moved
// among the first above rows, the tail not being among them, and the dates of
// all. It counts from the beginning.
func (p *Pass) observeOrder(above int) {
	p.order = Order{}
	moved, ranks := 0.0, 0.0
	for i, w := range p.walk {
		if w.page == 0 {
			continue
		}
		if i > 0 && p.walk[i-1].page > 0 {
			p.order.pair(p.walk[i-1].Date, w.Date)
		}
		if i >= above {
			continue
		}
		if rank := p.base.match(w.Item); rank >= 0 {
			moved++
			ranks += float64(rank)
			continue
		}
		p.order.Moved, p.order.Ranks, p.order.Above = moved, ranks, float64(i+1)
	}
}

// pair counts two dated neighbours.
func (o *Order) pair(upper, lower Interval) {
	if upper.IsZero() || lower.IsZero() {
		return
	}
	o.DatePairs++
	if !lower.From.Before(upper.To) {
		o.Inversions++
	}
}

// disordered tells whether known items stand in an order that has nothing to
// do with the one they had: a third of the neighbours among them, or more,
// are exchanged.
func (p *Pass) disordered() bool {
	pairs, wrong, rank := 0, 0, -1
	for _, w := range p.walk {
		r := p.base.find(w.Key)
		if r < 0 {
			continue
		}
		if rank >= 0 {
			pairs++
			if r < rank {
				wrong++
			}
		}
		rank = r
	}
	return pairs >= 20 && wrong*3 >= pairs
}
