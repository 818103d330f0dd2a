package crawler

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/hashcrawl/hashcrawl/frontier"
	"github.com/hashcrawl/hashcrawl/pagination"
	"github.com/hashcrawl/hashcrawl/pagination/listing"
	"github.com/hashcrawl/hashcrawl/storage"
)

// maxSeriesPerHost is how many series are founded on one host at most: a site
// that makes up lists without end fills neither memory nor the crawl file.
const maxSeriesPerHost = 500

// restInterval is after how long a series is looked at again that brought
// nothing but work in two passes in a row: it has lost its order, and the clock
// of this machine may have been wrong; or it has no end that the page limit of a
// pass comes to.
const restInterval = 7 * 24 * time.Hour

// A seriesBook knows the series of a crawl and the walks that are under way.
type seriesBook struct {
	mu         sync.Mutex
	known      map[string]*seriesState // by the key of the identity
	onHost     map[string]int          // how many each host has, candidates apart
	candidates map[string]int          // and how many of these were stored
	refuted    int                     // of the known ones
	fills      fillBook
}

// A seriesState is what the book keeps of a series: little between two walks,
// because a crawl of many hosts knows many. mu of the book guards it.
type seriesState struct {
	key       string
	first     string    // display URL of the page that a pass begins with
	off       bool      // another one has taken its place, or it is none
	refuted   bool      // its pager does not drive its block
	candidate int       // the page, 1 or 2, that it has kept of a list that may be one; 0 if it does not wait for the other
	counted   bool      // among those of its host
	hole      bool      // a part of it is to be read by a backfill
	fillAt    time.Time // not before then
	next      time.Time // when its next visit is due; zero for at once
	tried     time.Time // when the last one was
	walk      *walk     // under way; nil if none is
}

// A walk is a pass under way, with the series as it will be stored. While sent
// is false it waits for its next page, from whatever lease it comes.
type walk struct {
	storage.Series
	pass   passer
	before pagination.Reason // for which the last pass stopped
	read   int               // pages
	paged  bool              // one of them names others in a pager
	barred bool              // the last page asks not to follow its link to the next one
	sent   bool              // an errand for its next page is on its way
	moved  bool              // all redirects of that errand so far are permanent
	proof  proof

	fill    bool // it is a backfill
	backlog bool // of what lies below the first visit
}

// A passer is a [pagination.Pass] or a [pagination.Backfill].
type passer interface {
	Next() pagination.Action
	Page(pagination.PageSeen) pagination.Verdict
	Fail(pagination.Reason) pagination.Verdict
	Series() pagination.Series
}

// loadSeries reads which series the crawl knows.
func (c *Crawler) loadSeries() error {
	c.series.known, c.series.onHost, c.series.candidates = map[string]*seriesState{}, map[string]int{}, map[string]int{}
	c.series.fills = fillBook{mode: c.opts.Backfill, visits: c.opts.Visits, hosts: map[string]*hostFills{}}
	if c.opts.Backfill == "" {
		c.series.fills.mode = BackfillNone
	}
	return c.store.AllSeries(func(s storage.Series) error {
		c.series.add(&s)
		return nil
	})
}

// add notes a series that has no walk.
func (b *seriesBook) add(s *storage.Series) *seriesState {
	st := &seriesState{key: s.ID.Key()}
	b.known[st.key] = st
	if s.Candidate != 0 {
		b.candidates[s.ID.Host]++
	}
	b.note(st, s)
	return st
}

// note takes over what the book keeps of a series.
func (b *seriesBook) note(st *seriesState, s *storage.Series) {
	undecided := s.Direction == pagination.Undecided
	st.first, st.off = s.First, undecided && s.NextVisit.IsZero()
	st.next, st.tried = s.NextVisit, s.Tried
	st.candidate = s.Candidate
	if s.Candidate == noCandidate {
		st.candidate = 0
	}
	if s.Candidate == 0 && !st.counted {
		st.counted = true
		b.onHost[s.ID.Host]++
	}
	st.hole, st.fillAt = b.fills.wanted(s), b.fills.at(s)
	was := st.refuted
	if st.refuted = undecided && s.Certificate.Reason == pagination.NotDriven; st.refuted != was {
		b.refuted++
		if was {
			b.refuted -= 2
		}
	}
}

// noteSeries tells the book an ordinary page of the crawl. A first page founds
// its series, whose first pass then reads the pages that the crawl fetches
// anyway.
func (c *Crawler) noteSeries(p *page) {
	if p.Errand != nil {
		return
	}
	known := p.listing != nil && isWhole(p)
	if !known && c.series.fills.mode == BackfillNone {
		return
	}
	c.series.mu.Lock()
	defer c.series.mu.Unlock()
	defer c.takeTurn(p.Host)
	if !known {
		return
	}
	for i := range p.listing.Listings {
		l := &p.listing.Listings[i]
		st := c.series.known[l.ID.Key()]
		if st == nil {
			st = c.found(p, l)
		}
		switch {
		case st == nil:
		case st.candidate != 0:
			c.join(st, p, i)
		case st.waitsFor(l.Number):
			c.step(st, p, i)
			p.series = append(p.series, c.conclude(st))
		}
	}
}

// waitsFor reports whether a walk is under way that wants the page with the
// given number, and has not sent for it.
func (st *seriesState) waitsFor(number int) bool {
	return st.walk != nil && !st.walk.sent && st.walk.wants().Page == number
}

// beginWalk makes the next walk of a known series ready.
func (c *Crawler) beginWalk(st *seriesState, now time.Time) error {
	s, found, err := c.store.Series(st.key)
	if err != nil {
		return err
	}
	if !found {
		return fmt.Errorf("crawler: series %s is not in the crawl file", st.key)
	}
	st.walk = &walk{Series: s, pass: pagination.Begin(s.Series, now, c.opts.Pass), before: s.Certificate.Reason}
	return nil
}

// step gives listing i of the page to the walk that asked for it. New items go
// before other links.
func (c *Crawler) step(st *seriesState, p *page, i int) {
	l, w := &p.listing.Listings[i], st.walk
	number, seen := w.wants().Page, seenOn(p.listing, i)
	w.paged = w.paged || l.Pager >= 0
	var v pagination.Verdict
	switch {
	case w.proof.second != nil:
		if c.reopen(st, p, i) {
			return
		}
	case w.fill:
		w.read++
		v = w.pass.Page(seen)
	case w.read == 0:
		w.read = 1
		if !c.open(w, p.listing, l, seen, p.resp.End) {
			w.pass.Fail(pagination.Unordered)
			return
		}
		v = w.pass.Page(seen)
	default:
		w.read++
		v = c.turn(w, p.listing, l.ID.Block, seen)
	}
	if !w.fill {
		w.validators(p, number)
	}
	w.barred = w.proof.second == nil && mayNotFollow(p, l)
	fresh := map[string]bool{}
	for _, it := range v.New {
		fresh[it.Key] = true
	}
	for i := range p.links {
		switch link := &p.links[i]; {
		case link.Refusal != frontier.Waiting || link.Class != frontier.ClassLink:
		case fresh[link.Key]:
			link.Class = frontier.ClassItem
		case link.Key == l.Next.Key:
			link.Class = frontier.ClassSeries
		}
	}
}

// agrees reports whether what the first page of a pass says of its order is that
// of the series, or nothing. A series that had lost its order takes a new one.
func (w *walk) agrees(order listing.Order, now time.Time, limits pagination.Limits) bool {
	switch d := order.Direction(); {
	case order == listing.Unordered:
		return false
	case d == w.Direction:
		return d != pagination.Undecided
	case d == pagination.Undecided:
		return true
	case w.Direction == pagination.Undecided:
		w.Direction = d
		w.pass = pagination.Begin(w.Series.Series, now, limits)
		return true
	}
	return false
}

// validators keeps those of the page that the next pass begins with.
func (w *walk) validators(p *page, number int) {
	if w.Direction == pagination.NewestLast && number != w.pass.Series().Last || w.Direction != pagination.NewestLast && number != 1 {
		return
	}
	w.ETag, w.Modified = p.record.ETag, p.record.Modified // without those that say nothing of a state
}

// conclude returns the series as it is to be stored with the page just judged,
// and ends a walk that has stopped.
func (c *Crawler) conclude(st *seriesState) storage.Series {
	w := st.walk
	if w.fill {
		return c.concludeFill(st)
	}
	w.note()
	if !w.pass.Next().Done {
		return w.Series
	}
	reason := w.Certificate.Reason
	w.NextVisit = c.opts.Visits.Next(w.Series.Series)
	switch {
	case w.settled(reason):
	case reason == pagination.Budget || reason == pagination.Interrupted: // no fault of the site: the next run goes on at once
		w.NextVisit = w.Tried
	case reason == pagination.Unordered && w.before == reason:
		w.turnOff("two passes in a row found no order: it is not completed until it has one again")
		w.NextVisit = w.Tried.Add(restInterval)
	case reason == pagination.Capped && w.before == reason:
		w.NextVisit = w.Tried.Add(restInterval)
	}
	c.opts.Log.Info("series read", "url", w.First, "stopped", reason, "pages", w.Certificate.Pages, "new", w.Certificate.New)
	c.series.note(st, &w.Series)
	st.walk = nil
	if !st.off {
		c.series.fills.begin(st, &w.Series, time.Now(), reason == pagination.First)
	}
	return w.Series
}

// note takes over the state of the pass, as far as it may be stored: without an
// order nothing follows for what is known.
func (w *walk) note() {
	after := w.pass.Series()
	if w.proof.origin == nil {
		w.Series.Series = after
		return
	}
	s := *w.proof.origin
	s.Tried, s.Certificate, s.Failures, s.Broke, s.Complete = after.Tried, after.Certificate, after.Failures, after.Broke, false
	if !s.Certificate.Reason.Broken() { // it has come to the end of the list, or of what a first pass reads
		s.Certificate.Reason = pagination.Unordered
	}
	s.NextVisit = s.Tried // at once, should the run end here
	w.Series.Series = s
}

// turnOff ends the completion of a series, and says why.
func (w *walk) turnOff(why string) {
	w.Direction, w.Complete = pagination.Undecided, false
	w.Evidence = append(slices.Clone(w.Evidence), why)
}

// visitDue begins the visits that are due and sends for their first pages, and
// makes the backfills ready that are due.
func (c *Crawler) visitDue(now time.Time) error {
	c.series.mu.Lock()
	defer c.series.mu.Unlock()
	if _, err := c.beginDue(now); err != nil {
		return err
	}
	c.sendForAll()
	return c.beginFills(now)
}

// beginDue begins the visits that are due, and reports whether there are any.
func (c *Crawler) beginDue(now time.Time) (begun bool, err error) {
	for _, st := range c.series.known {
		if st.walk != nil || st.off || c.dueAt(st).After(now) {
			continue
		}
		if err := c.beginWalk(st, now); err != nil {
			return begun, err
		}
		begun = true
	}
	return begun, nil
}

// sendForWaiting sends for the pages that walks wait for. It is called when
// nothing else is under way, so that they will not come by themselves. It
// returns false if none waits.
func (c *Crawler) sendForWaiting() bool {
	c.series.mu.Lock()
	defer c.series.mu.Unlock()
	return c.sendForAll()
}

// sendForAll sends one errand for every page that a walk waits for, backfills
// apart.
func (c *Crawler) sendForAll() (sent bool) {
	var waiting []*seriesState
	for _, st := range c.series.known {
		if st.walk != nil && !st.walk.sent && !st.walk.fill {
			waiting = append(waiting, st)
		}
	}
	return c.sendFor(waiting)
}

// commitSeries stores series that no lease has changed.
func (c *Crawler) commitSeries(series []storage.Series) {
	if len(series) > 0 {
		c.frontier.Add(nil, func(ch frontier.Changes) { c.store.Append(storage.Commit{Changes: ch, Series: series}) })
	}
}

// endWalks ends the walks that are still under way when a run ends: why says
// for what reason. Those whose host was given up wait for an answer that does
// not come.
func (c *Crawler) endWalks(why pagination.Reason) {
	c.series.mu.Lock()
	defer c.series.mu.Unlock()
	c.series.fills.ending = true
	var concluded []storage.Series
	for _, st := range c.series.known {
		if st.walk != nil {
			st.walk.fail(why)
			concluded = append(concluded, c.conclude(st))
		}
	}
	c.commitSeries(concluded)
}

// dueAt returns when a series is due: as was decided after its last visit, but
// not later than the bounds of this run have it.
func (c *Crawler) dueAt(st *seriesState) time.Time {
	if most := c.opts.Visits.Max; most > 0 && st.next.After(st.tried.Add(most)) {
		return st.tried.Add(most)
	}
	return st.next
}

// nextVisit returns when the next series is due; zero if there is none.
func (c *Crawler) nextVisit() (next time.Time) {
	c.series.mu.Lock()
	defer c.series.mu.Unlock()
	for _, st := range c.series.known {
		due := c.dueAt(st)
		switch {
		case st.off:
			continue
		case st.walk != nil: // its host was given up, and is to have another chance
			due = time.Now().Add(cmp.Or(c.opts.Visits.Min, time.Minute))
		case st.hole && st.fillAt.Before(due):
			due = st.fillAt
			if soon := time.Now(); due.Before(soon) { // it could not be begun
				due = soon.Add(cmp.Or(c.opts.Visits.Min, time.Minute))
			}
		}
		if next.IsZero() || due.Before(next) {
			next = due
		}
	}
	return next
}

// Watch crawls as Run does, and then stays: it visits every series when news is
// due, until ctx is done. It returns at once if the crawl has no series.
func (c *Crawler) Watch(ctx context.Context) (Summary, error) {
	return c.run(ctx, func(ctx context.Context, due time.Time) bool {
		if due.IsZero() {
			return false
		}
		wait := time.NewTimer(time.Until(due))
		defer wait.Stop()
		c.opts.Log.Info(fmt.Sprintf("next visit at %s", due.Local().Format(time.DateTime)))
		select {
		case <-wait.C:
			return true
		case <-ctx.Done():
			return false
		}
	})
}
