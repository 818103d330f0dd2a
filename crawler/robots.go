package crawler

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hashcrawl/hashcrawl/crawler/fetch"
	"github.com/hashcrawl/hashcrawl/crawler/robots"
	"github.com/hashcrawl/hashcrawl/frontier"
	"github.com/hashcrawl/hashcrawl/storage"
	"github.com/hashcrawl/hashcrawl/urlnorm"
)

// productToken is what robots.txt files call this crawler.
const productToken = "hashcrawl"

// The rules of robotsCacheSize origins are kept parsed, if their files have no
// more than robotsCacheBytes together: parsed they take about ten times that.
// The others are read from the crawl file when they are needed.
const (
	robotsCacheSize  = 4096
	robotsCacheBytes = 32 << 20
)

// A rulebook knows the robots rules of all origins that were asked.
type rulebook struct {
	store  Store
	cleans atomic.Bool // some origin has Clean-param lines

	mu    sync.Mutex // guards what follows
	cache map[string]originRules
	bytes int // of the files whose rules are in cache
}

type originRules struct {
	rules   *robots.Rules
	clean   []urlnorm.CleanParam
	expires time.Time
	bytes   int // of the file
}

// lookup returns the rules of an origin; ok is false if its robots.txt has to
// be fetched first.
func (b *rulebook) lookup(origin string, now time.Time) (rules *robots.Rules, ok bool, err error) {
	r, err := b.of(origin)
	return r.rules, err == nil && now.Before(r.expires), err
}

// of returns what is known of an origin, in this run or from an earlier one;
// zero if that is nothing.
func (b *rulebook) of(origin string) (originRules, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if r, cached := b.cache[origin]; cached {
		return r, nil
	}
	stored, found, err := b.store.Robots(origin)
	if err != nil || !found {
		return originRules{}, err
	}
	return b.keep(stored), nil
}

// keep puts the rules of a robots.txt in the cache.
func (b *rulebook) keep(r storage.Robots) originRules {
	b.drop(r.Origin)
	for origin := range b.cache { // any one will do
		if len(b.cache) < robotsCacheSize && b.bytes+len(r.Body) <= robotsCacheBytes {
			break
		}
		b.drop(origin)
	}
	file := robots.Parse(r.Body)
	o := originRules{rules: file.Rules(productToken), expires: r.Expires, bytes: len(r.Body)}
	for _, line := range file.CleanParams() {
		if clean, ok := urlnorm.ParseCleanParam(strings.Join(line.Params, "&") + " " + line.Path); ok {
			o.clean = append(o.clean, clean)
			b.cleans.Store(true)
		}
	}
	b.cache[r.Origin] = o
	b.bytes += o.bytes
	return o
}

// drop takes the rules of an origin out of the cache, if they are there.
func (b *rulebook) drop(origin string) {
	b.bytes -= b.cache[origin].bytes
	delete(b.cache, origin)
}

// cleanParams returns the Clean-param lines of the origin of u, if its robots.txt
// was read, in this run or an earlier one.
func (b *rulebook) cleanParams(u urlnorm.URL) []urlnorm.CleanParam {
	if !b.cleans.Load() {
		return nil
	}
	r, err := b.of(u.Origin())
	if err != nil {
		return nil // a store that fails ends the crawl by itself
	}
	return r.clean
}

func (b *rulebook) put(r storage.Robots) originRules {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.keep(r)
}

// robotsErrand returns the errand that fetches the robots.txt of an origin.
func robotsErrand(u urlnorm.URL) *frontier.Errand {
	return &frontier.Errand{URL: u.Origin() + "/robots.txt", To: u.Host(), For: u.Origin()}
}

// fetchRobots carries out an errand for a robots.txt: one request. A redirect
// becomes another errand, to whatever host it leads to, and the host that the
// rules are for waits meanwhile.
func (c *Crawler) fetchRobots(ctx context.Context, l *frontier.Lease) error {
	at, err := c.norm.Resolve(nil, l.Errand.URL, urlnorm.Charset{})
	if err != nil {
		return fmt.Errorf("crawler: errand %s: %w", l.Errand.URL, err)
	}
	addr, ok, err := c.bind(ctx, l)
	if !ok {
		return err
	}
	var resp *fetch.Response
	if err == nil {
		resp, err = c.fetcher.Fetch(ctx, fetch.Request{URL: at.Fetch, Addr: addr, MaxBody: robots.MaxBytes + 1})
	}
	c.requests.Add(1)
	if ctx.Err() != nil && err != nil {
		c.finish(l, frontier.Result{Disposition: frontier.Requeue}, storage.Commit{})
		return nil
	}
	if err != nil {
		return c.robotsFailed(l, err)
	}
	switch answer := robots.Judge(resp.Status, l.Errand.Hops); answer {
	case robots.Follow:
		return c.followRobots(l, at, resp)
	case robots.UseBody:
		if t := resp.Truncated; t != fetch.Whole && t != fetch.CutSize {
			// The rule that matters may be in the part that did not come.
			return c.robotsUnavailable(l, requestOf(resp), fmt.Sprintf("cut (%s)", t))
		}
		c.robotsRead(l, resp, resp.Body)
	case robots.AllowAll:
		c.robotsRead(l, resp, nil)
	default:
		return c.robotsUnavailable(l, requestOf(resp), fmt.Sprintf("http %d", resp.Status))
	}
	return nil
}

// robotsRead ends an errand with a robots.txt, or with the knowledge that
// there is none.
func (c *Crawler) robotsRead(l *frontier.Lease, resp *fetch.Response, body []byte) {
	r := storage.Robots{
		Origin: l.Errand.For, Fetched: resp.End, Status: resp.Status, Body: body,
		Expires: resp.End.Add(robots.Lifetime(resp.Header["Cache-Control"])),
	}
	r.Body = r.Body[:min(len(r.Body), robots.MaxBytes+1)] // one more shows that the last line may be cut
	delay, _ := c.rulebook.put(r).rules.CrawlDelay()
	res := frontier.Result{
		Request: requestOf(resp), Released: l.Errand.Holds, CrawlDelay: &delay, Links: c.sitemapsOf(r.Origin, r.Body),
	}
	commit := storage.Commit{Robots: &r, Config: c.notedCleanParams()}
	there := c.ownRobots(resp)
	if there == "" || there == r.Origin {
		c.finish(l, res, commit)
		return
	}
	// Most sites send http://h/robots.txt to https://h/robots.txt, which is
	// going to be needed too: one request does for both.
	own := r
	own.Origin = there
	c.rulebook.put(own)
	res.Links = append(res.Links, c.sitemapsOf(there, own.Body)...)
	if l.Errand.Holds != "" {
		c.frontier.SetCrawlDelay(l.Host, delay)
	}
	commit = ending(l, &res, commit)
	c.frontier.Finish(l, res, func(ch frontier.Changes) {
		commit.Changes = ch
		c.store.Append(commit)
		c.store.Append(storage.Commit{Changes: frontier.Changes{Counts: ch.Counts}, Robots: &own})
	})
}

// ownRobots returns the origin whose own robots.txt the answer is, or says that
// there is none; "" if it stands elsewhere or says neither.
func (c *Crawler) ownRobots(resp *fetch.Response) string {
	if resp.Status >= 300 && resp.Status < 400 {
		return ""
	}
	u, err := c.norm.Resolve(nil, resp.URL, urlnorm.Charset{})
	if err != nil || u.Target() != "/robots.txt" {
		return ""
	}
	return u.Origin()
}

// notedCleanParams returns the settings to be stored when the first Clean-param
// line of the crawl was read; else nil.
func (c *Crawler) notedCleanParams() []byte {
	if !c.rulebook.cleans.Load() {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.settings.CleanParams {
		return nil
	}
	c.settings.CleanParams = true
	return c.settings.encode()
}

// followRobots sends the next errand after a redirect [RFC9309 §2.3.1.2].
func (c *Crawler) followRobots(l *frontier.Lease, at urlnorm.URL, resp *fetch.Response) error {
	base, err := c.norm.Base(at.Fetch)
	if err != nil {
		return fmt.Errorf("crawler: errand %s: %w", at.Fetch, err)
	}
	to, err := c.norm.Resolve(base, resp.Location, urlnorm.Charset{})
	if err != nil { // leads nowhere: as good as no robots.txt
		c.robotsRead(l, resp, nil)
		return nil
	}
	next := &frontier.Errand{URL: to.Fetch, To: to.Host(), For: l.Errand.For, Hops: l.Errand.Hops + 1, Holds: l.Errand.Holds}
	if next.Holds == "" && next.To != l.Host {
		next.Holds = l.Host
	}
	c.finish(l, frontier.Result{Request: requestOf(resp), Errand: next}, storage.Commit{})
	return nil
}

// robotsFailed ends an errand that brought no answer.
func (c *Crawler) robotsFailed(l *frontier.Lease, err error) error {
	fe, ok := asFetchError(err)
	if !ok {
		return err
	}
	req := requestOfError(fe)
	if hopeless(fe) {
		_, found, err := c.store.Robots(l.Errand.For)
		if err != nil {
			return err
		}
		if !found {
			c.giveUp(l.Errand.For, failure(fe))
			if req.Broken = true; !wasSent(fe) {
				req = nil
			}
			c.finish(l, frontier.Result{Request: req, Released: l.Errand.Holds}, storage.Commit{})
			return nil
		}
	}
	return c.robotsUnavailable(l, req, failure(fe))
}

// maxRobotsTries is how often a robots.txt is asked for that never was had, on
// a host that answers by another scheme or port: it must not park that host.
const maxRobotsTries = 3

// robotsUnavailable ends an errand that left the rules unknown. The last good
// copy serves if it is not too old; else the host is left alone for a while.
func (c *Crawler) robotsUnavailable(l *frontier.Lease, req *frontier.Request, why string) error {
	res := frontier.Result{Request: req, Released: l.Errand.Holds}
	origin := l.Errand.For
	old, found, err := c.store.Robots(origin)
	if err != nil {
		return err
	}
	if found && req.End.Sub(old.Fetched) < robots.MaxStale {
		old.Expires = req.End.Add(robots.MinLifetime)
		c.rulebook.put(old)
		c.finish(l, res, storage.Commit{Robots: &old})
		return nil
	}
	req.Unavailable = true
	if !found && l.Answered && c.triedRobots(origin) >= maxRobotsTries {
		c.giveUp(origin, "robots.txt cannot be had: "+why)
	}
	c.opts.Log.Warn("robots.txt cannot be had; the host waits", "url", l.Errand.URL, "reason", why)
	c.finish(l, res, storage.Commit{})
	return nil
}

// triedRobots counts a try for the robots.txt of an origin.
func (c *Crawler) triedRobots(origin string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.robotsTries[origin]++
	return c.robotsTries[origin]
}

// allowed reports whether the robots rules let u be requested, and the rule
// that forbids it.
func (c *Crawler) allowed(rules *robots.Rules, u urlnorm.URL) (bool, string) {
	if c.ignoresRobots(u.Host()) {
		return true, ""
	}
	v := rules.Test(u.Target())
	if v.Allowed {
		return true, ""
	}
	return false, fmt.Sprintf("robots.txt line %d: %s", v.Line, v.Rule)
}
