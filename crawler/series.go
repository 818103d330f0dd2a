package crawler

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hashcrawl/hashcrawl/crawler/htmldoc"
	"github.com/hashcrawl/hashcrawl/frontier"
	"github.com/hashcrawl/hashcrawl/pagination"
	"github.com/hashcrawl/hashcrawl/pagination/listing"
	"github.com/hashcrawl/hashcrawl/pagination/pager"
	"github.com/hashcrawl/hashcrawl/storage"
	"github.com/hashcrawl/hashcrawl/urlnorm"
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
	mu     sync.Mutex
	known  map[string]*seriesState // by the key of the identity
	onHost map[string]int          // how many each host has
}

// A seriesState is what the book keeps of a series: little between two walks,
// because a crawl of many hosts knows many. mu of the book guards it.
type seriesState struct {
	key   string
	first string    // display URL of the page that a pass begins with
	off   bool      // another one has taken its place
	next  time.Time // when its next visit is due; zero for at once
	tried time.Time // when the last one was
	walk  *walk     // under way; nil if none is
}

// A walk is a pass under way, with the series as it will be stored. While sent
// is false it waits for its next page, from whatever lease it comes.
type walk struct {
	storage.Series
	pass   *pagination.Pass
	before pagination.Reason // for which the last pass stopped
	read   int               // pages
	barred bool              // the last page asks not to follow its link to the next one
	sent   bool              // an errand for its next page is on its way
	moved  bool              // all redirects of that errand so far are permanent
}

// loadSeries reads which series the crawl knows.
func (c *Crawler) loadSeries() error {
	c.series.known, c.series.onHost = map[string]*seriesState{}, map[string]int{}
	return c.store.AllSeries(func(s storage.Series) error {
		c.series.add(&s)
		return nil
	})
}

// add notes a series that has no walk.
func (b *seriesBook) add(s *storage.Series) *seriesState {
	st := &seriesState{key: s.ID.Key()}
	st.note(s)
	b.known[st.key] = st
	b.onHost[s.ID.Host]++
	return st
}

// note takes over what the book keeps of a series.
func (st *seriesState) note(s *storage.Series) {
	st.first, st.off = s.First, s.Direction == pagination.Undecided && s.NextVisit.IsZero()
	st.next, st.tried = s.NextVisit, s.Tried
}

// A reader holds the buffers with which one worker reads pages.
type reader struct {
	parser  htmldoc.Parser
	labeler *pager.Labeler
	urls    []urlnorm.URL // of the links of the page

	// continuing is the share of pages that may be index pages, among those
	// read last. Where they are many, pages are parsed with their outline at
	// once; where they are few, those few are parsed twice.
	continuing float64
}

// outlineShare is where both cost the same: the outline takes a fifth of the
// time of a page's parsing without it.
const outlineShare = 0.2

// continuingWeight is how much of continuing one page makes.
const continuingWeight = 1. / 32

// mayContinue reports whether a page may be an index page.
func (rd *reader) mayContinue(doc *htmldoc.Page) bool {
	may := pager.MayContinue(doc)
	rd.continuing -= rd.continuing * continuingWeight
	if may {
		rd.continuing += continuingWeight
	}
	return may
}

func (c *Crawler) reader() *reader {
	if r, ok := c.readers.Get().(*reader); ok {
		return r
	}
	return &reader{labeler: pager.New(nil)}
}

// readListing finds out what a page is to series. Only a page with a link that
// may be a pager's needs its outline, and is parsed again if doc has none.
func (c *Crawler) readListing(p *page, rd *reader, text []byte, doc *htmldoc.Page, base *urlnorm.Base, charset string) {
	if c.markers == nil && !rd.mayContinue(doc) {
		return
	}
	if doc.Outline == nil {
		doc = rd.parser.Parse(text, htmldoc.Options{Agent: productToken, Outline: true})
	}
	cs, _ := urlnorm.CharsetByLabel(charset)
	options := listing.Options{
		Now: p.resp.End, Labeler: rd.labeler, Markers: c.markers,
		Resolve: func(ref string) (urlnorm.URL, error) { return c.resolve(base, ref, cs) },
	}
	if p.Errand != nil { // the last page of a series may have few rows
		options.Block = c.blockOf(p.Errand)
	}
	read := listing.Read(doc, p.at, rd.urls, options)
	p.listing = &read
	if p.Errand != nil {
		leavePages(p, &read, rd.urls)
	}
}

// leavePages keeps the links to further pages of a series that is visited again
// out of the queue: the pass asks for those that it needs.
func leavePages(p *page, read *listing.Page, urls []urlnorm.URL) {
	pages := map[string]bool{}
	for i, label := range read.Pager.Labels {
		if label != pager.Other {
			pages[urls[i].Key] = true
		}
	}
	for i := range p.links {
		if l := &p.links[i]; l.Refusal == frontier.Waiting && pages[l.Key] {
			l.Refusal = frontier.SeriesPage
		}
	}
}

// noteSeries tells the book an ordinary page of the crawl. A first page founds
// its series, whose first pass then reads the pages that the crawl fetches
// anyway.
func (c *Crawler) noteSeries(p *page) {
	if p.listing == nil || p.Errand != nil || !isWhole(p) {
		return
	}
	c.series.mu.Lock()
	defer c.series.mu.Unlock()
	for i := range p.listing.Listings {
		l := &p.listing.Listings[i]
		st := c.series.known[l.ID.Key()]
		if st == nil {
			st = c.found(p, l)
		}
		if st != nil && st.waitsFor(l.Number) {
			c.step(st, p, i)
			p.series = append(p.series, c.conclude(st))
		}
	}
}

// isWhole reports whether a page is one of the crawl, with all that it has:
// from one that was cut short nothing follows for the list.
func isWhole(p *page) bool {
	switch p.record.Outcome {
	case frontier.Indexed, frontier.NoIndex, frontier.Canonical:
		return p.resp.Truncated == ""
	}
	return false
}

// waitsFor reports whether a walk is under way that wants the page with the
// given number, and has not sent for it.
func (st *seriesState) waitsFor(number int) bool {
	return st.walk != nil && !st.walk.sent && st.walk.pass.Next().Page == number
}

// found begins a series with its first page. It returns nil if the page is
// another one, or its rows are not known to be ordered by time.
func (c *Crawler) found(p *page, l *listing.Listing) *seriesState {
	if l.Number != 1 || l.Order.Direction() == pagination.Undecided || c.series.onHost[l.ID.Host] >= maxSeriesPerHost {
		return nil
	}
	s := storage.Series{
		Series: pagination.Series{ID: l.ID, Direction: l.Order.Direction()},
		First:  p.URL, Depth: p.Depth, Snapshot: p.Snapshot,
	}
	st := c.series.add(&s)
	st.walk = &walk{Series: s, pass: pagination.Begin(s.Series, p.resp.End, c.opts.Pass)}
	return st
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
	if w.read++; w.read == 1 {
		w.Evidence = p.listing.Blocks[l.Block].Evidence
		if !w.agrees(l.Order, p.resp.End, c.opts.Pass) {
			w.pass.Fail(pagination.Unordered)
			return
		}
	}
	number := w.pass.Next().Page
	v := w.pass.Page(p.listing.Seen(i))
	w.validators(p, number)
	w.barred = isBarred(p.links, l.Next.Key)
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

// isBarred reports whether a page asks that none of its links to a page is
// followed.
func isBarred(links []frontier.Link, key string) bool {
	barred := false
	for i := range links {
		if links[i].Key == key {
			if links[i].Refusal != frontier.NoFollow {
				return false
			}
			barred = true
		}
	}
	return barred
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
	w.Series.Series = w.pass.Series()
	if !w.pass.Next().Done {
		return w.Series
	}
	reason := w.Certificate.Reason
	w.NextVisit = c.opts.Visits.Next(w.Series.Series)
	switch {
	case reason == pagination.Budget || reason == pagination.Interrupted: // no fault of the site: the next run goes on at once
		w.NextVisit = w.Tried
	case reason == pagination.Unordered && w.before == reason:
		w.turnOff("two passes in a row found no order: it is not completed until it has one again")
		w.NextVisit = w.Tried.Add(restInterval)
	case reason == pagination.Capped && w.before == reason:
		w.NextVisit = w.Tried.Add(restInterval)
	}
	c.opts.Log.Info("series read", "url", w.First, "stopped", reason, "pages", w.Certificate.Pages, "new", w.Certificate.New)
	st.note(&w.Series)
	st.walk = nil
	return w.Series
}

// turnOff ends the completion of a series, and says why.
func (w *walk) turnOff(why string) {
	w.Direction, w.Complete = pagination.Undecided, false
	w.Evidence = append(slices.Clone(w.Evidence), why)
}

// visitDue begins the visits that are due and sends for their first pages.
func (c *Crawler) visitDue(now time.Time) error {
	c.series.mu.Lock()
	defer c.series.mu.Unlock()
	for _, st := range c.series.known {
		if st.walk != nil || st.off || c.dueAt(st).After(now) {
			continue
		}
		if err := c.beginWalk(st, now); err != nil {
			return err
		}
	}
	c.sendForAll()
	return nil
}

// sendForWaiting sends for the pages that walks wait for. It is called when
// nothing else is under way, so that they will not come by themselves. It
// returns false if none waits.
func (c *Crawler) sendForWaiting() bool {
	c.series.mu.Lock()
	defer c.series.mu.Unlock()
	return c.sendForAll()
}

// sendForAll sends one errand for every page that a walk waits for.
func (c *Crawler) sendForAll() (sent bool) {
	var waiting []*seriesState
	for _, st := range c.series.known {
		if st.walk != nil && !st.walk.sent {
			waiting = append(waiting, st)
		}
	}
	slices.SortFunc(waiting, func(a, b *seriesState) int { return strings.Compare(a.key, b.key) })
	errands, concluded := c.errandsOf(waiting)
	for _, e := range errands {
		c.frontier.Send(e)
	}
	c.commitSeries(concluded)
	return len(errands) > 0
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
	var concluded []storage.Series
	for _, st := range c.series.known {
		if st.walk != nil {
			st.walk.pass.Fail(why)
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
