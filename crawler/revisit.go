package crawler

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/hashcrawl/hashcrawl/crawler/fetch"
	"github.com/hashcrawl/hashcrawl/frontier"
	"github.com/hashcrawl/hashcrawl/pagination"
	"github.com/hashcrawl/hashcrawl/pagination/listing"
	"github.com/hashcrawl/hashcrawl/storage"
	"github.com/hashcrawl/hashcrawl/urlnorm"
)

// seriesErrand begins the name of an errand that reads an index page; the key
// of the series follows.
const seriesErrand = "series "

// indexHops is how many redirects of an index page are followed.
const indexHops = 5

// errandsOf returns the errands for the pages that walks wait for, one for each
// page: where two walks want the same one, the second waits on, and takes what
// the first has sent for. A walk that wants a page outside the crawl stops; the
// series that were ended so are returned too.
func (c *Crawler) errandsOf(waiting []*seriesState) (errands []*frontier.Errand, concluded []storage.Series) {
	asked := map[string]bool{}
	for _, st := range waiting {
		u, ok := c.nextPage(st.walk)
		if !ok {
			concluded = append(concluded, c.conclude(st))
			continue
		}
		if asked[u.Key] {
			continue
		}
		asked[u.Key] = true
		st.walk.sent, st.walk.moved = true, true
		errands = append(errands, &frontier.Errand{URL: u.Display, To: u.Host(), For: seriesErrand + st.key, Visit: true, Parent: st.walk.Entry})
	}
	return errands, concluded
}

// nextPage returns the page that a walk wants; false if it has stopped.
func (c *Crawler) nextPage(w *walk) (urlnorm.URL, bool) {
	for {
		a := w.wants()
		if a.Done {
			return urlnorm.URL{}, false
		}
		if w.barred {
			w.fail(pagination.NoFollow)
			continue
		}
		if u, err := c.resolve(nil, w.address(a), urlnorm.Charset{}); err == nil {
			if o, _ := c.currentScope().judge(u, w.depthOf(a.Page)); o == frontier.Waiting {
				return u, true
			}
		}
		w.fail(pagination.OutOfScope)
	}
}

// address returns where the page is that a pass asks for.
func (w *walk) address(a pagination.Action) string {
	switch {
	case a.Page == 1 && w.First != "":
		return w.First
	case a.URL != "":
		return a.URL
	}
	return w.ID.Pattern.URL(a.Page)
}

// depthOf returns how many links a page of the series is from a seed: the
// first page leads to all others.
func (s *walk) depthOf(page int) int {
	if page == 1 {
		return int(s.Depth)
	}
	return int(s.Depth) + 1
}

// seriesOf returns the series that an errand is for. Its walk is under way, and
// waits for this errand.
func (c *Crawler) seriesOf(e *frontier.Errand) *seriesState {
	c.series.mu.Lock()
	defer c.series.mu.Unlock()
	return c.series.known[strings.TrimPrefix(e.For, seriesErrand)]
}

// blockOf returns the signature of the block of the series that an errand is
// for.
func (c *Crawler) blockOf(e *frontier.Errand) string {
	return c.seriesOf(e).walk.ID.Block
}

// visitSeries carries out an errand for an index page: one request.
func (c *Crawler) visitSeries(ctx context.Context, l *frontier.Lease) error {
	st := c.seriesOf(l.Errand)
	w := st.walk
	p := &page{Lease: l, record: &storage.Page{}}
	defer c.release(p)
	p.URL, p.Depth = l.Errand.URL, uint16(w.depthOf(w.wants().Page))
	p.Snapshot = w.Snapshot && !strings.Contains(p.URL, "#!") // a state is requested as a snapshot by itself
	u, err := c.requestURL(&p.Entry)
	if err != nil {
		c.failPass(p, st, pagination.OutOfScope, frontier.Result{})
		return nil
	}
	p.at = u
	rules, known, err := c.rulebook.lookup(u.Origin(), time.Now())
	switch {
	case err != nil:
		return err
	case c.givenUp(u.Origin()) != "":
		c.failPass(p, st, pagination.ServerError, frontier.Result{})
		return nil
	case !known && !c.ignoresRobots(u.Host()):
		c.finish(l, frontier.Result{Disposition: frontier.Requeue, Errand: robotsErrand(u)}, storage.Commit{})
		return nil
	}
	if ok, _ := c.allowed(rules, u); !ok {
		c.failPass(p, st, pagination.Robots, frontier.Result{})
		return nil
	}
	p.rules = rules
	return c.requestIndexPage(ctx, p, st)
}

// requestIndexPage requests the page, conditionally where that is of use, and
// gives what comes to the walk.
func (c *Crawler) requestIndexPage(ctx context.Context, p *page, st *seriesState) error {
	addr, ok, err := c.bind(ctx, p.Lease)
	if !ok {
		return err
	}
	if !c.takePage() {
		c.failPass(p, st, pagination.Budget, frontier.Result{})
		return errPageLimit
	}
	req := fetch.Request{URL: p.at.Fetch, Addr: addr}
	plain, _, _ := strings.Cut(p.at.Display, "#!")
	if w := st.walk; w.wants().Conditional && !c.shells.sharesValidators(plain, p.Host) {
		req.IfNoneMatch, req.IfModifiedSince = w.ETag, w.Modified
	}
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
		res := frontier.Result{}
		if wasSent(fe) {
			res.Request = requestOfError(fe)
		}
		c.failPass(p, st, pagination.ServerError, res)
		return nil
	}
	c.bytes.Add(int64(len(p.resp.Body)))
	p.record = recordOf(p)
	c.judgeIndexPage(p, st, req.IfNoneMatch != "" || req.IfModifiedSince != "")
	return nil
}

// judgeIndexPage decides by the status what an answer means to the walk. A 304
// is one only if it was asked for.
func (c *Crawler) judgeIndexPage(p *page, st *seriesState, conditional bool) {
	res := frontier.Result{Request: requestOf(p.resp)}
	why := pagination.ServerError
	switch status := p.resp.Status; {
	case status == 304 && conditional:
		c.endErrand(p, st, res, func() { st.walk.pass.Page(pagination.PageSeen{NotModified: true}) })
		return
	case status == 200 || status == 203:
		c.readIndexPage(p, st, res)
		return
	case status == 301 || status == 302 || status == 303 || status == 307 || status == 308:
		if why = c.followIndexPage(p, st, res); why == pagination.Running {
			return
		}
	case status == 404 || status == 410:
		why = pagination.NotFound
	}
	c.failPass(p, st, why, res)
}

// failPass ends the errand of a page that the walk cannot have.
func (c *Crawler) failPass(p *page, st *seriesState, why pagination.Reason, res frontier.Result) {
	c.endErrand(p, st, res, func() { st.walk.fail(why) })
}

// endErrand lets tell inform the walk, and finishes the lease: the page's links,
// the series and the end of the lease are one commit. Then it sends for what the
// walks want next that had something from the page.
func (c *Crawler) endErrand(p *page, st *seriesState, res frontier.Result, tell func()) {
	c.series.mu.Lock()
	st.walk.sent = false
	tell()
	going := c.concludeAll(p, st)
	errands, concluded := c.errandsOf(going)
	c.series.mu.Unlock()
	res.Links = p.links
	if len(errands) > 0 {
		res.Errand = errands[0]
	}
	c.finish(p.Lease, res, storage.Commit{Series: append(p.series, concluded...)})
	for _, e := range errands[min(1, len(errands)):] {
		c.frontier.Send(e)
	}
}

// concludeAll puts the series of the errand into the commit, and those of other
// lists on the page whose walks wait for just this page. It returns those that
// go on.
func (c *Crawler) concludeAll(p *page, st *seriesState) (going []*seriesState) {
	all := []*seriesState{st}
	if p.listing != nil && isRead(p) {
		for i := range p.listing.Listings {
			l := &p.listing.Listings[i]
			if other := c.series.known[l.ID.Key()]; other != nil && other != st && other.waitsFor(l.Number) {
				c.step(other, p, i)
				all = append(all, other)
			}
		}
	}
	for _, s := range all {
		p.series = append(p.series, c.conclude(s))
		if s.walk != nil && !s.walk.fill { // a backfill waits until nothing else is left
			going = append(going, s)
		}
	}
	return going
}

// isRead reports whether an index page came as a whole, and is what it should
// be: no shell, and not one that sends everybody elsewhere.
func isRead(p *page) bool {
	return p.resp != nil && p.resp.Truncated == "" && p.record.Outcome == frontier.Waiting
}

// readIndexPage gives a page to the walk that asked for it.
func (c *Crawler) readIndexPage(p *page, st *seriesState, res frontier.Result) {
	if isHTML(p.resp) {
		c.read(p) // gathers the links; the record is not kept
	}
	if p.record.Outcome == frontier.OptedIn && !st.walk.Snapshot {
		c.readSnapshots(p, st, res)
		return
	}
	c.endErrand(p, st, res, func() {
		w := st.walk
		if p.resp.Truncated != "" {
			w.fail(pagination.CutShort)
			return
		}
		i := -1
		if p.listing != nil && isRead(p) {
			i = c.listingOf(p, st)
		}
		switch {
		case i >= 0:
			c.step(st, p, i)
			if w = st.walk; w.moved && !w.fill && p.Errand.Hops > 0 && w.read == 1 && w.address(pagination.Action{Page: 1}) != p.URL {
				w.First = p.URL
			}
		case p.listing != nil && isRead(p) && c.misplaced(st, p):
		case p.listing != nil && isRead(p) && p.Errand.Hops == 0 && isEmptyPage(p.listing, w.wants().Page):
			w.pass.Page(pagination.PageSeen{HasNext: p.listing.Pager.Next >= 0})
		default:
			w.fail(w.lack(p))
		}
	})
}

// lack names why a page without the list's block is of no use to the walk.
func (w *walk) lack(p *page) pagination.Reason {
	switch {
	case p.Errand.Hops > 0 || p.record.Outcome == frontier.Redirect:
		return pagination.Redirected
	case w.read == 0:
		return pagination.EmptyPage
	}
	return pagination.NoBlock
}

// isEmptyPage reports whether a page without rows is the one with the given
// number all the same, by its pager: a list that ends there, and not another
// page.
func isEmptyPage(read *listing.Page, number int) bool {
	return number > 1 && read.Pager.Main >= 0 && read.Pager.Pagers[read.Pager.Main].Current == number
}

// readSnapshots sends for the snapshot of a page that has opted in since the
// series was found: its own HTML is a shell now.
func (c *Crawler) readSnapshots(p *page, st *seriesState, res frontier.Result) {
	c.series.mu.Lock()
	st.walk.Snapshot = true
	c.series.mu.Unlock()
	res.Errand = p.Errand
	c.finish(p.Lease, res, storage.Commit{})
}

// listingOf returns the listing of the page that is the series; -1 if none is.
// Where the page was redirected, its address says little, and the block and the
// number have to do. Where the site was redesigned or has moved, a list on the
// first page may take the place of the series.
func (c *Crawler) listingOf(p *page, st *seriesState) int {
	w, all := st.walk, p.listing.Listings
	for i := range all {
		if all[i].ID.Key() == st.key {
			return i
		}
	}
	number := w.wants().Page
	if w.moved && number == 1 && w.read == 0 && !w.fill {
		for i := range all {
			if c.succeeds(&all[i], p, w) {
				c.replace(p, st, &all[i])
				return i
			}
		}
	}
	if p.Errand.Hops > 0 {
		for i := range all {
			if l := &all[i]; l.ID.Block == w.ID.Block && l.ID.Sort == w.ID.Sort && l.Number == number {
				return i
			}
		}
	}
	return -1
}

// sharedItems is how many known items make another list the same one.
const sharedItems = 3

// succeeds reports whether a list on the first page is the series in other
// clothes: its pages have the same addresses, it shares items with it, or
// nothing else was found there for three visits.
func (c *Crawler) succeeds(l *listing.Listing, p *page, w *walk) bool {
	if l.Number != 1 || l.ID.Sort != w.ID.Sort || l.Order.Direction() != w.Direction || c.series.known[l.ID.Key()] != nil {
		return false
	}
	was := w.ID
	if was.Block = l.ID.Block; was.Key() == l.ID.Key() {
		return true
	}
	known := map[string]bool{}
	for _, it := range w.Head {
		known[it.Key] = true
	}
	shared := 0
	for _, r := range p.listing.Blocks[l.Block].Rows {
		if known[r.URL.Key] {
			shared++
		}
	}
	return shared >= sharedItems || w.Failures >= 2
}

// replace lets the series go on under the identity of l, with all that it knows,
// and ends the one that it was.
func (c *Crawler) replace(p *page, st *seriesState, l *listing.Listing) {
	old := *st.walk
	old.turnOff(fmt.Sprintf("the list has changed on %s: series %s goes on with it", p.resp.End.UTC().Format(time.DateOnly), l.ID.Key()))
	old.Tried, old.NextVisit = p.resp.End, time.Time{}
	p.series = append(p.series, old.Series)
	c.series.onHost[old.ID.Host]--
	c.series.add(&old.Series)

	w := st.walk
	w.ID = l.ID
	w.pass = pagination.Begin(w.Series.Series, p.resp.End, c.opts.Pass)
	st.key = l.ID.Key()
	c.series.known[st.key] = st
	c.series.onHost[l.ID.Host]++
}

// followIndexPage sends for the target of a redirect, which waits for its own
// turn and robots rules. It returns Running, or why it does not.
func (c *Crawler) followIndexPage(p *page, st *seriesState, res frontier.Result) pagination.Reason {
	base, err := c.norm.Base(p.at.Fetch)
	if err != nil || p.resp.Location == "" || p.Errand.Hops >= indexHops {
		return pagination.Redirected
	}
	to, err := c.resolve(base, p.resp.Location, urlnorm.Charset{})
	if err != nil || to.Fetch == p.at.Fetch {
		return pagination.Redirected
	}
	if o, _ := c.currentScope().judge(to, int(p.Depth)); o != frontier.Waiting {
		return pagination.OutOfScope
	}
	c.series.mu.Lock()
	st.walk.moved = st.walk.moved && (p.resp.Status == 301 || p.resp.Status == 308)
	c.series.mu.Unlock()
	res.Errand = &frontier.Errand{URL: to.Display, To: to.Host(), For: p.Errand.For, Hops: p.Errand.Hops + 1, Visit: true, Parent: p.Errand.Parent}
	c.finish(p.Lease, res, storage.Commit{})
	return pagination.Running
}
