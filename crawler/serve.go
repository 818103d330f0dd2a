package crawler

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"runtime/debug"
	"strings"
	"time"

	"github.com/hashcrawl/hashcrawl/ajaxscheme"
	"github.com/hashcrawl/hashcrawl/crawler/fetch"
	"github.com/hashcrawl/hashcrawl/crawler/sitemap"
	"github.com/hashcrawl/hashcrawl/frontier"
	"github.com/hashcrawl/hashcrawl/storage"
	"github.com/hashcrawl/hashcrawl/urlnorm"
)

// serve does what a lease is for: at most one request. Every request of a
// crawl starts here.
func (c *Crawler) serve(ctx context.Context, l *frontier.Lease) error {
	if l.Errand != nil {
		return c.runErrand(ctx, l)
	}
	if l.Crashes.Proved() {
		c.settle(l, frontier.Failed, proved(l))
		return nil
	}
	u, err := c.requestURL(&l.Entry)
	if err != nil { // the rules changed since the URL was stored
		c.settle(l, frontier.Failed, err.Error())
		return nil
	}
	if why := c.givenUp(u.Origin()); why != "" {
		c.settle(l, frontier.Failed, why)
		return nil
	}
	if l.Class != frontier.ClassSeed { // the settings may have changed since it was queued
		if o, rule := c.currentScope().judge(u, int(l.Depth)); o != frontier.Waiting {
			c.settle(l, o, rule)
			return nil
		}
	}
	rules, known, err := c.rulebook.lookup(u.Origin(), time.Now())
	if err != nil {
		return err
	}
	if !known && !c.ignoresRobots(u.Host()) {
		c.finish(l, frontier.Result{Disposition: frontier.Requeue, Errand: robotsErrand(u)}, storage.Commit{})
		return nil
	}
	if ok, rule := c.allowed(rules, u); !ok {
		c.settle(l, frontier.Robots, rule)
		return nil
	}
	first, err := c.shellErrand(u, rules)
	if err != nil {
		return err
	}
	if first != nil {
		c.finish(l, frontier.Result{Disposition: frontier.Requeue, Errand: first}, storage.Commit{})
		return nil
	}
	return c.visit(ctx, &page{Lease: l, at: u, rules: rules})
}

// runErrand does what an errand is for. One that asks for a page keeps to the
// robots rules, which may have run out since it was sent.
func (c *Crawler) runErrand(ctx context.Context, l *frontier.Lease) error {
	if l.Crashes.Proved() {
		c.giveUpErrand(l)
		return nil
	}
	if strings.HasPrefix(l.Errand.For, seriesErrand) {
		return c.visitSeries(ctx, l)
	}
	if l.Errand.For != errandShell {
		return c.fetchRobots(ctx, l)
	}
	at, err := c.resolve(nil, l.Errand.URL, urlnorm.Charset{})
	if err != nil {
		return fmt.Errorf("crawler: errand %s: %w", l.Errand.URL, err)
	}
	rules, known, err := c.rulebook.lookup(at.Origin(), time.Now())
	if err != nil {
		return err
	}
	if !known && !c.ignoresRobots(at.Host()) {
		c.finish(l, frontier.Result{Disposition: frontier.Requeue, Errand: robotsErrand(at)}, storage.Commit{})
		return nil
	}
	if ok, _ := c.allowed(rules, at); !ok || c.givenUp(at.Origin()) != "" {
		c.finish(l, frontier.Result{}, storage.Commit{})
		return nil
	}
	return c.fetchShell(ctx, l, at)
}

// requestURL returns what is to be requested for an entry, under all its names.
func (c *Crawler) requestURL(e *frontier.Entry) (urlnorm.URL, error) {
	ref := e.URL
	if e.Snapshot {
		ugly, err := ajaxscheme.UglyPlain(e.URL)
		if err != nil {
			return urlnorm.URL{}, err
		}
		ref = string(ugly)
	}
	return c.resolve(nil, ref, urlnorm.Charset{})
}

// settle ends a lease with an outcome for which nothing was requested.
func (c *Crawler) settle(l *frontier.Lease, o frontier.Outcome, why string) {
	c.opts.Log.Debug("not fetched", "url", l.URL, "outcome", o, "reason", why)
	c.finish(l, frontier.Result{Outcome: o}, storage.Commit{
		Page: &storage.Page{ID: l.ID, Outcome: o, Reason: why, Fetched: time.Now(), Attempts: l.Attempts},
	})
}

// bind finds the address of the lease's host and makes sure that it may be
// asked now. If ok is false the lease has ended. An err with ok is the failure
// of the look-up, which counts as that of the request.
func (c *Crawler) bind(ctx context.Context, l *frontier.Lease) (addr netip.Addr, ok bool, err error) {
	addr, err = c.fetcher.Resolve(ctx, l.Host)
	if err != nil {
		if _, isFetch := asFetchError(err); !isFetch {
			c.finish(l, frontier.Result{Disposition: frontier.Requeue}, storage.Commit{})
			return addr, false, err
		}
		return addr, true, err
	}
	if addr.IsValid() && !c.frontier.BindAddress(l, addr) {
		return addr, false, nil
	}
	if l.Errand != nil {
		if err := c.begin(l); err != nil {
			c.finish(l, frontier.Result{Disposition: frontier.Requeue}, storage.Commit{})
			return addr, false, err
		}
	}
	return addr, true, nil
}

// takePage counts a page that is about to be requested; false if the limit of
// the run is reached.
func (c *Crawler) takePage() bool {
	if n := c.pages.Add(1); c.opts.MaxPages > 0 && n > int64(c.opts.MaxPages) {
		c.pages.Add(-1)
		return false
	}
	return true
}

// visit requests a page and finishes its lease.
func (c *Crawler) visit(ctx context.Context, p *page) error {
	addr, ok, err := c.bind(ctx, p.Lease)
	if !ok {
		return err
	}
	if !c.takePage() {
		c.finish(p.Lease, frontier.Result{Disposition: frontier.Requeue}, storage.Commit{})
		return errPageLimit
	}
	if err := c.begin(p.Lease); err != nil {
		c.finish(p.Lease, frontier.Result{Disposition: frontier.Requeue}, storage.Commit{})
		return err
	}
	kept, failed := c.keptAnswer(p)
	if failed != nil {
		c.finish(p.Lease, frontier.Result{Disposition: frontier.Requeue}, storage.Commit{})
		return failed
	}
	var request *frontier.Request
	if p.resp = kept; kept == nil {
		if err == nil {
			req := fetch.Request{URL: p.at.Fetch, Addr: addr, Lend: true}
			if p.Sitemap {
				c.largeBodies <- struct{}{}
				defer func() { <-c.largeBodies }()
				req.MaxBody = sitemap.MaxBytes
			}
			p.resp, err = c.fetcher.Fetch(ctx, req)
		}
		c.requests.Add(1)
		if err != nil {
			return c.fetchFailed(p, err)
		}
		request = requestOf(p.resp)
	}
	c.bytes.Add(int64(len(p.resp.Body)))
	p.record = recordOf(p)
	c.read(p)
	c.sawPlain(p)
	c.opts.Log.Debug("fetched", "url", p.URL, "status", p.resp.Status, "outcome", p.record.Outcome, "reason", p.record.Reason)
	p.record.Links = len(p.links)
	res := frontier.Result{Outcome: p.record.Outcome, Request: request, Links: p.links}
	if p.again {
		res.Disposition = frontier.Again
	}
	c.finish(p.Lease, res, storage.Commit{Page: p.record, Config: p.config, Shell: p.shell, Series: p.series})
	c.release(p)
	return nil
}

// read turns a response into the page's record and links. A fault of ours that
// one page brings out must not end the crawl, nor come back at every resume:
// it is the page's outcome.
func (c *Crawler) read(p *page) {
	if len(p.resp.Body) > largePage && (!p.Sitemap || isHTML(p.resp)) {
		c.largePages <- struct{}{}
		defer func() { <-c.largePages }()
	}
	defer func() {
		if fault := recover(); fault != nil {
			c.opts.Log.Error("internal fault; please report it", "url", p.URL, "fault", fault, "stack", string(debug.Stack()))
			p.links, p.again, p.shell, p.series = nil, false, nil, nil
			p.fail(fmt.Sprintf("internal fault: %v", fault))
		}
	}()
	c.judge(p)
	c.noteSeries(p)
}

// fetchFailed ends the lease of a page that brought no usable answer.
func (c *Crawler) fetchFailed(p *page, err error) error {
	fe, ok := asFetchError(err)
	if !ok {
		c.finish(p.Lease, frontier.Result{Disposition: frontier.Requeue}, storage.Commit{})
		return err
	}
	p.record = &storage.Page{
		ID: p.ID, Outcome: frontier.Failed, Reason: failure(fe), Status: fe.Status,
		Fetched: fe.End, Took: fe.End.Sub(fe.Start), Attempts: p.Attempts + 1,
	}
	res := frontier.Result{Outcome: frontier.Failed, Request: requestOfError(fe)}
	if !wasSent(fe) {
		res.Request = nil
	}
	if fe.Retry && !p.LastTry() && !(fe.Once && p.Attempts > 0) {
		res.Disposition = frontier.Again
		p.record.Outcome = frontier.Waiting
	}
	c.opts.Log.Debug("failed", "url", p.URL, "reason", p.record.Reason, "attempt", p.record.Attempts)
	c.finish(p.Lease, res, storage.Commit{Page: p.record})
	return nil
}

// ignoresRobots reports whether the user took the robots.txt of a host on
// himself.
func (c *Crawler) ignoresRobots(host string) bool {
	for _, h := range c.settings.IgnoreRobots {
		if strings.EqualFold(h, host) {
			return true
		}
	}
	return false
}

// asFetchError returns the failure of one URL that err is, if it is one.
func asFetchError(err error) (*fetch.Error, bool) {
	return errors.AsType[*fetch.Error](err)
}

// failure returns the reason that the page record gives.
func failure(fe *fetch.Error) string {
	if fe.Err == nil {
		return string(fe.Kind)
	}
	return string(fe.Kind) + ": " + fe.Err.Error()
}

// hopeless reports whether an origin that never answered is not worth another
// try in this run: as with other crawlers, a name that does not exist and a
// port where nobody listens are an answer.
func hopeless(fe *fetch.Error) bool {
	return !fe.Retry || fe.Kind == fetch.KindRefused
}

// requestOf returns what an answer tells about its host.
func requestOf(r *fetch.Response) *frontier.Request {
	after, _ := fetch.RetryAfter(r.Header, r.End)
	return &frontier.Request{Start: r.Start, End: r.End, Status: r.Status, RetryAfter: after, Bytes: r.WireBytes}
}

// requestOfError returns what a failed request tells about its host. What
// another try cannot mend is a fault of one page: the host has answered.
func requestOfError(fe *fetch.Error) *frontier.Request {
	return &frontier.Request{Start: fe.Start, End: fe.End, Status: fe.Status, RetryAfter: fe.RetryAfter, Broken: !fe.Retry}
}

// wasSent reports whether anything was sent to the host before the failure.
func wasSent(fe *fetch.Error) bool {
	switch fe.Kind {
	case fetch.KindURL, fetch.KindScheme, fetch.KindGuard, fetch.KindDNSNotFound:
		return false
	}
	return true
}
