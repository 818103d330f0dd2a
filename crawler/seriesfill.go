package crawler

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hashcrawl/hashcrawl/pagination"
	"github.com/hashcrawl/hashcrawl/storage"
)

// A Backfill says which unread parts of series are read when nothing is more
// urgent.
type Backfill string

// The backfills.
const (
	BackfillNone Backfill = "none"
	BackfillGaps Backfill = "gaps" // that visits have left
	BackfillAll  Backfill = "all"  // and what lies below the first visit
)

// Check returns an error for a word that is none.
func (b Backfill) Check() error {
	switch b {
	case "", BackfillNone, BackfillGaps, BackfillAll:
		return nil
	}
	return fmt.Errorf("crawler: backfill is none, gaps or all, not %q", string(b))
}

const (
	// fillTurn is how many pages of a host are fetched for each page of a
	// backfill, while there are any: neither waits for the other for ever.
	fillTurn = 16
	// fillSlice is how many pages of backfills are read before visits that have
	// become due in the meantime. To go on costs a backfill a page or two.
	fillSlice = 10
	// maxFills is how many backfills are under way at a time.
	maxFills = 1000
)

// A fillBook knows the backfills that are under way. mu of the series book
// guards it.
type fillBook struct {
	mode   Backfill
	visits pagination.Schedule
	hosts  map[string]*hostFills // that have some
	count  int
	slice  int  // pages sent for since visits were looked at
	ending bool // none is begun any more
}

// hostFills are the backfills of one host.
type hostFills struct {
	states []*seriesState
	pages  int // of the host since one of them had its turn
}

// wanted reports whether a series has a part that is to be read.
func (b *fillBook) wanted(s *storage.Series) bool {
	return b.mode != BackfillNone && s.Candidate == 0 && pagination.MayBackfill(&s.Series, b.mode == BackfillAll)
}

// at returns when the next backfill of a series is due: at once, or later and
// later after failures.
func (b *fillBook) at(s *storage.Series) time.Time {
	f := &s.Filling
	if f.Failures == 0 {
		return time.Time{}
	}
	least, most := b.visits.Min, b.visits.Max
	if least <= 0 {
		least = 15 * time.Minute
	}
	if most <= 0 {
		most = restInterval
	}
	return f.Tried.Add(min(least<<min(f.Failures, 10), most))
}

// begin makes the next backfill of a series ready, if one is wanted and due.
// following tells that the page above what is to be read was read just now.
func (b *fillBook) begin(st *seriesState, s *storage.Series, now time.Time, following bool) {
	if !b.wanted(s) || b.ending || b.count >= maxFills || b.at(s).After(now) {
		return
	}
	w := &walk{Series: *s, fill: true, backlog: len(s.Gaps) == 0}
	w.pass = pagination.BeginBackfill(s.Series, now, pagination.Limits{}, b.mode == BackfillAll, following)
	if w.wants().Done {
		return
	}
	st.walk = w
	h := b.hosts[s.ID.Host]
	if h == nil {
		h = &hostFills{}
		b.hosts[s.ID.Host] = h
	}
	h.states = append(h.states, st)
	b.count++
}

// end notes that the backfill of a series is not under way any more.
func (b *fillBook) end(st *seriesState) {
	host := st.walk.ID.Host
	st.walk = nil
	h := b.hosts[host]
	h.states = slices.DeleteFunc(h.states, func(o *seriesState) bool { return o == st })
	if len(h.states) == 0 {
		delete(b.hosts, host)
	}
	b.count--
}

// concludeFill is conclude for a backfill. When one has ended, the next part of
// the series may follow.
func (c *Crawler) concludeFill(st *seriesState) storage.Series {
	w := st.walk
	w.Series.Series = w.pass.Series()
	if !w.wants().Done {
		return w.Series
	}
	s := w.Series
	c.opts.Log.Info("backfill read", "url", s.First, "stopped", s.Filling.Reason, "pages", w.read)
	c.series.fills.end(st)
	c.series.note(st, &s)
	if s.Filling.Reason.Complete() || s.Filling.Reason == pagination.Capped {
		c.series.fills.begin(st, &s, time.Now(), false)
	}
	return s
}

// beginFills makes the backfills ready that are due.
func (c *Crawler) beginFills(now time.Time) error {
	if c.series.fills.mode == BackfillNone {
		return nil
	}
	for _, st := range c.series.known {
		if !st.hole || st.walk != nil || st.off || st.fillAt.After(now) || c.series.fills.count >= maxFills {
			continue
		}
		s, found, err := c.store.Series(st.key)
		if err != nil {
			return err
		}
		if found {
			c.series.fills.begin(st, &s, now, false)
		}
	}
	return nil
}

// sendForFills sends for one page of every backfill. It is called when nothing
// else is left to be done, and lets visits go first that have become due, now
// and then. It returns false if there is no backfill.
func (c *Crawler) sendForFills(now time.Time) (bool, error) {
	c.series.mu.Lock()
	defer c.series.mu.Unlock()
	b := &c.series.fills
	if err := c.beginFills(now); err != nil || b.count == 0 {
		return false, err
	}
	if b.slice >= fillSlice {
		b.slice = 0
		c.giveWay(now)
		if begun, err := c.beginDue(now); err != nil || begun {
			return c.sendForAll(), err
		}
	}
	var waiting []*seriesState
	for _, h := range b.hosts {
		for _, st := range h.states {
			if !st.walk.sent {
				waiting = append(waiting, st)
			}
		}
	}
	b.slice++
	return c.sendFor(waiting), nil
}

// giveWay ends the backfills of series that are due for a visit. What they have
// read is stored.
func (c *Crawler) giveWay(now time.Time) {
	for _, h := range c.series.fills.hosts {
		for _, st := range slices.Clone(h.states) {
			if !st.walk.sent && !c.dueAt(st).After(now) {
				c.series.fills.end(st)
			}
		}
	}
}

// takeTurn counts a page of a host, and sends for a page of a backfill if it is
// its turn. What lies below a first visit waits: the crawl mostly fetches it.
func (c *Crawler) takeTurn(host string) {
	h := c.series.fills.hosts[host]
	if h == nil {
		return
	}
	if h.pages++; h.pages < fillTurn {
		return
	}
	for _, st := range h.states {
		if !st.walk.sent && !st.walk.backlog {
			h.pages = 0
			c.sendFor([]*seriesState{st})
			return
		}
	}
}

// sendFor sends for the pages that the walks of series want.
func (c *Crawler) sendFor(waiting []*seriesState) bool {
	slices.SortFunc(waiting, func(a, b *seriesState) int { return strings.Compare(a.key, b.key) })
	errands, concluded := c.errandsOf(waiting)
	for _, e := range errands {
		c.frontier.Send(e)
	}
	c.commitSeries(concluded)
	return len(errands) > 0
}
