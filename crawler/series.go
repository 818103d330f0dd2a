package crawler

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hashcrawl/hashcrawl/crawler/fetch"
	"github.com/hashcrawl/hashcrawl/crawler/htmldoc"
	"github.com/hashcrawl/hashcrawl/frontier"
	"github.com/hashcrawl/hashcrawl/pagination"
	"github.com/hashcrawl/hashcrawl/pagination/listing"
	"github.com/hashcrawl/hashcrawl/pagination/pager"
	"github.com/hashcrawl/hashcrawl/storage"
	"github.com/hashcrawl/hashcrawl/urlnorm"
)

// seriesErrand begins the name of an errand that reads an index page.
const seriesErrand = "series "

// A seriesBook knows the series of a crawl and the passes that are under way.
type seriesBook struct {
	mu    sync.Mutex
	known map[string]*seriesState // by the key of the identity
}

// A seriesState is a series at work. mu of the book guards it.
type seriesState struct {
	storage.Series
	pass *pagination.Pass // under way; nil if none
	sent bool             // an errand for it is on its way
}

// loadSeries reads the series that the crawl knows.
func (c *Crawler) loadSeries() error {
	c.series.known = map[string]*seriesState{}
	return c.store.AllSeries(func(s storage.Series) error {
		c.series.known[s.ID.Key()] = &seriesState{Series: s}
		return nil
	})
}

// A reader holds the buffers with which one worker reads pages.
type reader struct {
	parser  htmldoc.Parser
	labeler *pager.Labeler
}

func (c *Crawler) reader() *reader {
	if r, ok := c.readers.Get().(*reader); ok {
		return r
	}
	return &reader{labeler: pager.New(nil)}
}

// readListing finds out what a page is to series. Only a page with a link that
// may be a pager's is read again, with its outline.
func (c *Crawler) readListing(p *page, rd *reader, text []byte, doc *htmldoc.Page, urls []urlnorm.URL) {
	if c.markers == nil && !pager.MayContinue(doc) {
		return
	}
	outlined := rd.parser.Parse(text, htmldoc.Options{Agent: productToken, Outline: true})
	options := listing.Options{Now: p.resp.End, Labeler: rd.labeler, Markers: c.markers}
	if p.Errand != nil { // the last page of a series may have few rows
		options.Block = c.seriesOf(p.Errand).ID.Block
	}
	read := listing.Read(outlined, p.at, urls, options)
	p.listing = &read
	if p.Errand != nil {
		leavePages(p, &read, urls)
		return
	}
	c.noteSeries(p, &read)
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

// visitDue sends an errand to the first page of every series that is due. It is
// called when nothing else is under way: a pass that still waits for a page of
// the crawl will not get it, and asks for it now.
func (c *Crawler) visitDue(now time.Time) {
	c.series.mu.Lock()
	defer c.series.mu.Unlock()
	for _, key := range slices.Sorted(maps.Keys(c.series.known)) {
		s := c.series.known[key]
		if s.sent || c.dueAt(s).After(now) {
			continue
		}
		if s.pass == nil {
			s.pass = pagination.Begin(s.Series.Series, now, c.opts.Pass)
		}
		if e := c.nextErrand(s); e != nil {
			c.frontier.Send(e)
		}
	}
}

// dueAt returns when a series is due: as was decided after its last visit, but
// not later than the bounds of this run have it.
func (c *Crawler) dueAt(s *seriesState) time.Time {
	if most := c.opts.Visits.Max; most > 0 && s.NextVisit.After(s.Tried.Add(most)) {
		return s.Tried.Add(most)
	}
	return s.NextVisit
}

// nextVisit returns when the next series is due; zero if there is none.
func (c *Crawler) nextVisit() (next time.Time) {
	c.series.mu.Lock()
	defer c.series.mu.Unlock()
	for _, s := range c.series.known {
		due := c.dueAt(s)
		if due.IsZero() { // its pass is not over
			due = s.Tried
		}
		if next.IsZero() || due.Before(next) {
			next = due
		}
	}
	return next
}

// errandTo returns the errand that reads the page which a pass asks for; nil
// if there is no such page, or it is outside the crawl.
func (c *Crawler) errandTo(s *seriesState, a pagination.Action) *frontier.Errand {
	url := a.URL
	if url == "" {
		url = s.ID.Pattern.URL(a.Page)
	}
	if a.Page == 1 && s.First != "" {
		url = s.First
	}
	u, err := c.resolve(nil, url, urlnorm.Charset{})
	if err != nil {
		return nil
	}
	if o, _ := c.currentScope().judge(u, s.depthOf(a.Page)); o != frontier.Waiting {
		return nil
	}
	return &frontier.Errand{URL: u.Display, To: u.Host(), For: seriesErrand + s.ID.Key(), Visit: true}
}

// depthOf returns how many links a page of the series is from a seed: the
// first page leads to all others.
func (s *seriesState) depthOf(page int) int {
	if page == 1 {
		return int(s.Depth)
	}
	return int(s.Depth) + 1
}

// noteSeries tells the book an ordinary page of the crawl. A first page founds
// its series, whose first pass then reads the pages that the crawl fetches
// anyway.
func (c *Crawler) noteSeries(p *page, read *listing.Page) {
	c.series.mu.Lock()
	defer c.series.mu.Unlock()
	for i := range read.Listings {
		l := &read.Listings[i]
		if l.Order.Direction() == pagination.Undecided {
			continue
		}
		s := c.series.known[l.ID.Key()]
		if s == nil {
			if l.Number != 1 {
				continue
			}
			s = &seriesState{Series: storage.Series{
				Series: pagination.Series{ID: l.ID, Direction: l.Order.Direction()}, First: p.URL, Depth: p.Depth, Snapshot: p.Snapshot,
				Evidence: read.Blocks[l.Block].Evidence,
			}}
			s.pass = pagination.Begin(s.Series.Series, p.resp.End, c.opts.Pass)
			c.series.known[l.ID.Key()] = s
		}
		if s.pass != nil && s.pass.Next().Page == l.Number {
			c.step(s, p, read, i)
		}
	}
}

// step gives a page to the pass that asked for it: new items go before other
// links, and the series changes in the same commit as the page.
func (c *Crawler) step(s *seriesState, p *page, read *listing.Page, i int) {
	l := &read.Listings[i]
	v := s.pass.Page(read.Seen(i))
	if l.Number == 1 {
		s.ETag, s.Modified = p.resp.Header.Get("Etag"), p.resp.Header.Get("Last-Modified")
	}
	fresh := map[string]bool{}
	for _, it := range v.New {
		fresh[it.Key] = true
	}
	next := l.Next.Key
	for i := range p.links {
		switch link := &p.links[i]; {
		case link.Refusal != frontier.Waiting || link.Class != frontier.ClassLink:
		case fresh[link.Key]:
			link.Class = frontier.ClassItem
		case link.Key == next && next != "":
			link.Class = frontier.ClassSeries
		}
	}
	c.settleSeries(s, p)
}

// settleSeries puts the state of a series into the commit of the page, and ends
// a pass that has stopped.
func (c *Crawler) settleSeries(s *seriesState, p *page) {
	s.Series.Series = s.pass.Series()
	if s.pass.Next().Done {
		s.pass = nil
		s.NextVisit = c.opts.Visits.Next(s.Series.Series)
		c.opts.Log.Info("series read", "url", s.First, "stopped", s.Certificate.Reason, "pages", s.Certificate.Pages, "new", s.Certificate.New)
	}
	p.series = append(p.series, s.Series)
}

// visitSeries carries out an errand for an index page: one request.
func (c *Crawler) visitSeries(ctx context.Context, l *frontier.Lease) error {
	s := c.seriesOf(l.Errand)
	p := &page{Lease: l, record: &storage.Page{}}
	c.series.mu.Lock()
	p.URL, p.Snapshot, p.Depth = l.Errand.URL, s.Snapshot, uint16(s.depthOf(s.pass.Next().Page))
	c.series.mu.Unlock()
	u, err := c.requestURL(&p.Entry)
	if err != nil {
		c.failSeries(p, s, pagination.NotFound, frontier.Result{})
		return nil
	}
	p.at = u
	rules, known, err := c.rulebook.lookup(u.Origin(), time.Now())
	switch {
	case err != nil:
		return err
	case c.givenUp(u.Origin()) != "":
		c.failSeries(p, s, pagination.ServerError, frontier.Result{})
		return nil
	case !known && !c.ignoresRobots(u.Host()):
		c.finish(l, frontier.Result{Disposition: frontier.Requeue, Errand: robotsErrand(u)}, storage.Commit{})
		return nil
	}
	if ok, _ := c.allowed(rules, u); !ok {
		c.failSeries(p, s, pagination.Robots, frontier.Result{})
		return nil
	}
	p.rules = rules
	return c.requestIndexPage(ctx, p, s)
}

func (c *Crawler) seriesOf(e *frontier.Errand) *seriesState {
	c.series.mu.Lock()
	defer c.series.mu.Unlock()
	return c.series.known[strings.TrimPrefix(e.For, seriesErrand)]
}

// failSeries ends the errand of a page that the pass cannot have.
func (c *Crawler) failSeries(p *page, s *seriesState, why pagination.Reason, res frontier.Result) {
	c.series.mu.Lock()
	s.pass.Fail(why)
	c.settleSeries(s, p)
	res.Errand = c.nextErrand(s)
	c.series.mu.Unlock()
	c.finish(p.Lease, res, storage.Commit{Series: p.series})
}

// nextErrand returns the errand for the next page of the pass; nil if it has
// stopped. A page outside the crawl stops it.
func (c *Crawler) nextErrand(s *seriesState) *frontier.Errand {
	s.sent = false
	for s.pass != nil {
		if e := c.errandTo(s, s.pass.Next()); e != nil {
			s.sent = true
			return e
		}
		s.pass.Fail(pagination.NotFound)
		if s.pass.Next().Done {
			s.Series.Series, s.pass = s.pass.Series(), nil
			s.NextVisit = c.opts.Visits.Next(s.Series.Series)
		}
	}
	return nil
}

// requestIndexPage requests the page, conditionally where that is of use, and
// gives what comes to the pass.
func (c *Crawler) requestIndexPage(ctx context.Context, p *page, s *seriesState) error {
	addr, ok, err := c.bind(ctx, p.Lease)
	if !ok {
		return err
	}
	if !c.takePage() {
		c.failSeries(p, s, pagination.Budget, frontier.Result{})
		return errPageLimit
	}
	req := fetch.Request{URL: p.at.Fetch, Addr: addr}
	c.series.mu.Lock()
	if s.pass.Next().Conditional {
		req.IfNoneMatch, req.IfModifiedSince = s.ETag, s.Modified
	}
	c.series.mu.Unlock()
	if err == nil {
		p.resp, err = c.fetcher.Fetch(ctx, req)
	}
	c.requests.Add(1)
	if err != nil {
		fe, ok := asFetchError(err)
		if !ok {
			c.finish(p.Lease, frontier.Result{Disposition: frontier.Requeue}, storage.Commit{})
			return err
		}
		c.failSeries(p, s, pagination.ServerError, frontier.Result{Request: requestOfError(fe)})
		return nil
	}
	c.bytes.Add(int64(len(p.resp.Body)))
	c.readIndexPage(p, s)
	return nil
}

// readIndexPage gives an answer to the pass that asked for it.
func (c *Crawler) readIndexPage(p *page, s *seriesState) {
	res := frontier.Result{Request: requestOf(p.resp)}
	switch status := p.resp.Status; {
	case status == 304:
		c.series.mu.Lock()
		s.pass.Page(pagination.PageSeen{NotModified: true})
		c.settleSeries(s, p)
		res.Errand = c.nextErrand(s)
		c.series.mu.Unlock()
	case status == 200 && isHTML(p.resp):
		c.read(p) // gathers the links; the record is not kept
		c.series.mu.Lock()
		if p.listing == nil || !c.stepIndexPage(s, p) {
			s.pass.Page(pagination.PageSeen{}) // the block is gone
			c.settleSeries(s, p)
		}
		res.Errand, res.Links = c.nextErrand(s), p.links
		c.series.mu.Unlock()
	case status == 404 || status == 410:
		c.failSeries(p, s, pagination.NotFound, res)
		return
	default:
		c.failSeries(p, s, pagination.ServerError, res)
		return
	}
	c.finish(p.Lease, res, storage.Commit{Series: p.series})
}

// stepIndexPage finds the block of the series on the page and gives it to the
// pass. It returns false if the page has none.
func (c *Crawler) stepIndexPage(s *seriesState, p *page) bool {
	for i := range p.listing.Listings {
		if p.listing.Listings[i].ID.Key() == s.ID.Key() {
			c.step(s, p, p.listing, i)
			return true
		}
	}
	return false
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
