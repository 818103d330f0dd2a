package crawler

import (
	"slices"
	"time"

	"github.com/hashcrawl/hashcrawl/frontier"
	"github.com/hashcrawl/hashcrawl/pagination"
	"github.com/hashcrawl/hashcrawl/pagination/listing"
	"github.com/hashcrawl/hashcrawl/storage"
)

// This file holds page 2 of a list against page 1.
//
// A list whose first page has dates, and too few of them to decide, is a
// candidate: its rows are stored, in the commit of the page, and nothing else is
// kept or asked for. When page 2 comes as an ordinary page of the crawl, the two
// decide together. It may come first; a kill between the two changes nothing.
//
// A block that shows on page 2 what it showed on page 1 is not the one that the
// pager drives, or the list has moved by a page in between: page 1 is read once
// more, and if it is as it was, the series is refuted.

// maxCandidatesPerHost is how many candidates are stored on one host at most.
const maxCandidatesPerHost = 100

// noCandidate marks a list that is no series, and does not wait for a page to
// come by: it is to be visited, or two pages together did not find it ordered.
const noCandidate = 3

// maxCandidateTries is how often in a row the visit fails that is to decide what
// a list is.
const maxCandidateTries = 3

// A proof is what a walk keeps of page 1 until page 2 was held against it.
type proof struct {
	first  *listing.Page       // page 1; nil if there is nothing to prove
	seen   pagination.PageSeen // the rows of the list on it
	second *listing.Page       // page 2 that shows the same, until page 1 is read again; nil if none does
	origin *pagination.Series  // as it was, while the two pages are to decide the order; nil if it is decided

	succeeded bool // another block was found to be the list
}

// wants returns what the walk is to do next.
func (w *walk) wants() pagination.Action {
	if w.proof.second != nil {
		return pagination.Action{Page: 1}
	}
	return w.pass.Next()
}

// fail tells the pass that the page which the walk wants cannot be had.
func (w *walk) fail(why pagination.Reason) {
	w.proof.second = nil
	w.pass.Fail(why)
}

// found begins a series with its first page, or notes a candidate. It returns
// nil if there is no series yet.
func (c *Crawler) found(p *page, l *listing.Listing) *seriesState {
	if c.series.onHost[l.ID.Host] >= maxSeriesPerHost {
		return nil
	}
	if d := l.Order.Direction(); l.Number == 1 && d != pagination.Undecided {
		return c.foundAs(p, l, d)
	}
	if p.listing.MayJoin(l.Block) && (l.Number == 1 && l.Next.Key != "" || l.Number == 2 && l.ID.Numbered()) {
		c.noteCandidate(p, l)
	}
	return nil
}

// foundAs begins a series whose first page is p. If it is not decided how it is
// ordered, it is no series yet: its first walk decides.
func (c *Crawler) foundAs(p *page, l *listing.Listing, d pagination.Direction) *seriesState {
	s := storage.Series{
		Series: pagination.Series{ID: l.ID, Direction: d}, First: p.URL, Depth: p.Depth, Snapshot: p.Snapshot,
		Entry: p.ID,
	}
	if d == pagination.Undecided {
		s.Candidate, s.NextVisit = noCandidate, p.resp.End
	}
	st := c.series.add(&s)
	st.walk = &walk{Series: s, pass: pagination.Begin(s.Series, p.resp.End, c.opts.Pass)}
	return st
}

// noteCandidate stores the rows of a page that may decide together with the
// other one of the first two.
func (c *Crawler) noteCandidate(p *page, l *listing.Listing) {
	if c.series.candidates[l.ID.Host] >= maxCandidatesPerHost {
		return
	}
	seg := pagination.Segment{Begun: p.resp.End}
	if !l.ID.Numbered() {
		seg.NextURL = l.Next.Display
	}
	for i := range p.listing.Blocks[l.Block].Rows {
		r := &p.listing.Blocks[l.Block].Rows[i]
		it := pagination.Item{Key: r.URL.Key, Date: r.Date}
		if r.Pinned { // its date says nothing of the order
			it.Date = pagination.Interval{}
		}
		seg.Front = append(seg.Front, it)
	}
	s := storage.Series{
		Series: pagination.Series{
			ID: l.ID, Segments: []pagination.Segment{seg}, Tried: p.resp.End, Deep: pagination.Backlog{Read: l.Next.Key == ""},
		},
		First: p.URL, Depth: p.Depth, Snapshot: p.Snapshot, Evidence: p.listing.Blocks[l.Block].Evidence, Candidate: l.Number,
		Entry: p.ID,
	}
	if l.Number > 1 {
		s.First, s.Entry, s.Depth = "", frontier.ID{}, max(p.Depth, 1)-1
	}
	c.series.add(&s)
	p.series = append(p.series, s)
}

// recalled returns what a candidate has kept of its page.
func recalled(s *storage.Series) (page *listing.Page, seen pagination.PageSeen) {
	seg := &s.Segments[0]
	seen = pagination.PageSeen{HasNext: !s.Deep.Read, NextURL: seg.NextURL}
	for _, it := range seg.Front {
		seen.Rows = append(seen.Rows, pagination.Row(it))
	}
	return listing.Recall(s.ID.Block, seen.Rows), seen
}

// join holds the page against that of a candidate, if it is the other one of
// the first two. The series has a walk then, to which both are given.
func (c *Crawler) join(st *seriesState, p *page, i int) {
	s, found, err := c.store.Series(st.key)
	if err != nil || !found || len(s.Segments) == 0 {
		c.opts.Log.Error("the first two pages of a list cannot be compared", "url", p.URL, "error", err)
		return
	}
	l := &p.listing.Listings[i]
	known, seen := recalled(&s)
	second := l.Number == 2 || l.Number == 0 && seen.NextURL != "" && seen.NextURL == p.at.Display
	if s.Candidate == 1 && !second || s.Candidate == 2 && l.Number != 1 {
		return
	}
	w := &walk{Series: s}
	w.Segments, w.Deep, w.Candidate = nil, pagination.Backlog{}, noCandidate
	st.walk, st.candidate = w, 0
	seen.Slack, seen.Last = l.Slack, l.Last
	if second {
		w.read = 1
		w.decideTogether(s.Segments[0].Begun, c.opts.Pass)
		w.proof.first, w.proof.seen = known, seen
		w.pass.Page(seen)
		c.step(st, p, i)
	} else {
		w.First, w.Entry, w.Depth, w.Snapshot = p.URL, p.ID, p.Depth, p.Snapshot
		w.pass = pagination.Begin(w.Series.Series, p.resp.End, c.opts.Pass)
		c.step(st, p, i)
		if w.wants().Page == 2 {
			c.turn(w, known, l.ID.Block, seen)
			w.barred = false
		}
	}
	p.series = append(p.series, c.conclude(st))
}

// decideTogether begins a pass that reads the first two pages. What the series
// knows cannot end it, because its order is not known.
func (w *walk) decideTogether(now time.Time, limits pagination.Limits) {
	origin := w.Series.Series
	s := origin
	s.Direction = pagination.NewestFirst // which is to say: from page 1 on
	s.Head, s.Older, s.Segments, s.Begun, s.Complete = nil, nil, nil, time.Time{}, false
	limits.FirstPages = max(limits.FirstPages, 2)
	w.proof.origin, w.pass = &origin, pagination.Begin(s, now, limits)
}

// open judges page 1, with which a walk begins. It returns false if the page
// tells of another order than the series has, or of none.
func (c *Crawler) open(w *walk, read *listing.Page, l *listing.Listing, seen pagination.PageSeen, now time.Time) bool {
	block := &read.Blocks[l.Block]
	w.Evidence = block.Evidence
	undecided := w.Direction == pagination.Undecided && l.Order == listing.Undecided
	switch {
	case undecided && (!read.MayJoin(l.Block) || !seen.HasNext):
		return false
	case undecided:
		w.decideTogether(now, c.opts.Pass)
	case !w.agrees(l.Order, now, c.opts.Pass):
		return false
	}
	if undecided || w.wants().Page == 1 && w.isUnproved(seen.Rows) {
		w.proof.first, w.proof.seen = read.Detach(), seen
	}
	return true
}

// isUnproved reports whether all that is known of the list stands on the page:
// no pass has met anything on another one.
func (w *walk) isUnproved(rows []pagination.Row) bool {
	if len(w.Older) > 0 || len(w.Head) > len(rows) {
		return false
	}
	for _, it := range w.Head {
		if !slices.ContainsFunc(rows, func(r pagination.Row) bool { return r.Key == it.Key }) {
			return false
		}
	}
	return true
}

// turn gives a page after the first to the pass, and holds page 2 against page
// 1 before.
func (c *Crawler) turn(w *walk, read *listing.Page, block string, seen pagination.PageSeen) pagination.Verdict {
	first := w.proof.first
	if first == nil || w.wants().Page != 2 {
		return w.pass.Page(seen)
	}
	if listing.ChangeOf(first, read, block).Same() {
		w.proof.second = read.Detach()
		return pagination.Verdict{}
	}
	if w.proof.origin != nil {
		i := slices.IndexFunc(first.Blocks, func(b listing.Block) bool { return b.Signature == block })
		order, why := listing.Together(first, i, read)
		if why != "" {
			w.Evidence = append(slices.Clone(w.Evidence), why)
		}
		if order.Direction() == pagination.Undecided {
			return w.pass.Fail(pagination.Unordered)
		}
		w.decide(order.Direction(), seen, c.opts.Pass)
	}
	w.proof = proof{}
	if w.wants().Page != 2 {
		return pagination.Verdict{} // page 1 was enough, or the newest items are on the last page
	}
	return w.pass.Page(seen)
}

// decide gives the series its direction, and begins the pass anew with page 1,
// as it was before page 2 was seen.
func (w *walk) decide(d pagination.Direction, second pagination.PageSeen, limits pagination.Limits) {
	s := *w.proof.origin
	s.Direction = d
	w.pass = pagination.Begin(s, w.pass.Series().Tried, limits)
	first := w.proof.seen
	first.Slack, first.Last = max(first.Slack, second.Slack), max(first.Last, second.Last)
	w.pass.Page(first)
	w.Candidate = 0
}

// reopen judges page 1, read again because page 2 showed the same items in the
// block of listing i. It returns false if the list has moved in between, which
// looks the same: page 2 is to be read again then.
func (c *Crawler) reopen(st *seriesState, p *page, i int) bool {
	w := st.walk
	first, second, block := w.proof.first, w.proof.second, w.ID.Block
	w.proof.second = nil
	if !listing.ChangeOf(first, p.listing, block).Same() {
		w.proof.first = nil // the same once more is the business of the pass
		if w.proof.origin != nil {
			w.proof.first, w.proof.seen = p.listing.Detach(), p.listing.Seen(i)
		}
		return false
	}
	w.refute("page 2 shows the same items: the pager does not drive this block", c.succeed(w, p, i, second))
	return true
}

// refute ends a series whose block the pager does not drive. If no other one is
// the list, it is looked at again.
func (w *walk) refute(why string, succeeded bool) {
	if succeeded {
		why += "; another one changes, and has a series of its own"
	}
	w.Evidence = append(slices.Clone(w.Evidence), why)
	w.proof.succeeded = succeeded
	w.pass.Fail(pagination.NotDriven)
}

// succeed begins a series of the best block that is another one on page 2 than
// on page 1, which is p, and that time orders or may order. It reports whether
// there is one.
func (c *Crawler) succeed(w *walk, p *page, i int, second *listing.Page) bool {
	for _, change := range listing.Difference(p.listing, second) {
		if !change.Changed() || p.listing.Listings[i].Block == change.Block {
			continue
		}
		l := p.listing.Transfer(i, change.Block)
		if c.mayFound(p.listing, &l) {
			p.listing.Listings = append(p.listing.Listings, l)
			c.foundAs(p, &l, l.Order.Direction()).walk.Entry = w.Entry // it waits for page 1, and takes this one
			return true
		}
	}
	return false
}

// mayFound reports whether a series may begin with a list: none has, and time
// may order it.
func (c *Crawler) mayFound(read *listing.Page, l *listing.Listing) bool {
	st := c.series.known[l.ID.Key()]
	return (st == nil || st.candidate != 0) && (l.Order.Direction() != pagination.Undecided || read.MayJoin(l.Block))
}

// misplaced refutes the series of a walk that has read page 1 and was sent for
// page 2, p, which does not have the block: if another block of page 1 has
// changed, that one is the list. It returns false if none is.
func (c *Crawler) misplaced(st *seriesState, p *page) bool {
	w := st.walk
	if w.proof.first == nil || w.wants().Page != 2 {
		return false
	}
	for i := range p.listing.Listings {
		l := &p.listing.Listings[i]
		same := l.ID
		same.Block = w.ID.Block
		if l.Number != 2 || same.Key() != st.key || !c.mayFound(p.listing, l) {
			continue
		}
		if change := listing.ChangeOf(w.proof.first, p.listing, l.ID.Block); change.Block < 0 || !change.Changed() {
			continue
		}
		other := c.foundAs(p, l, l.Order.Direction())
		other.first, other.walk.First, other.walk.Entry, other.walk.Depth = w.First, w.First, w.Entry, w.Depth
		p.series = append(p.series, c.conclude(other))
		w.refute("page 2 does not have this block", true)
		return true
	}
	return false
}

// isRefuted reports whether a series was found not to be driven by its pager.
// That which an errand is for is read all the same: it may have changed.
func (c *Crawler) isRefuted(id pagination.Identity, errand *frontier.Errand) bool {
	c.series.mu.Lock()
	defer c.series.mu.Unlock()
	if c.series.refuted == 0 {
		return false
	}
	st := c.series.known[id.Key()]
	return st != nil && st.refuted && (errand == nil || errand.For != seriesErrand+st.key)
}

// settled returns when the series is looked at again whose walk has ended, and
// what is kept of it, if page 2 had a say in that; false if it had none.
func (w *walk) settled(reason pagination.Reason) bool {
	switch {
	case reason == pagination.NotDriven:
		w.Series.Series = pagination.Series{ID: w.ID, Tried: w.Tried, Certificate: w.Certificate}
		w.Certificate.Gap = nil
		if w.NextVisit = w.Tried.Add(restInterval); w.proof.succeeded || w.Candidate != 0 {
			w.NextVisit = time.Time{}
		}
	case w.Candidate != 0 && (reason == pagination.Unordered || w.Failures >= maxCandidateTries):
		w.NextVisit = time.Time{}
	default:
		return false
	}
	return true
}

// inDoubt reports whether an errand reads page 1 again, to be held against page
// 2: all its blocks are of interest then.
func (c *Crawler) inDoubt(e *frontier.Errand) bool {
	st := c.seriesOf(e)
	return st.walk.proof.second != nil
}
