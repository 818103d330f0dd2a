package crawler

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/hashcrawl/hashcrawl/crawler/fetch"
	"github.com/hashcrawl/hashcrawl/crawler/robots"
	"github.com/hashcrawl/hashcrawl/frontier"
	"github.com/hashcrawl/hashcrawl/urlnorm"
)

// ErrForbidden says that a robots.txt forbids what was to be asked for.
var ErrForbidden = errors.New("robots.txt forbids it")

// A Visitor asks for single documents outside of a crawl, one after the other,
// under the promises of one: robots.txt first, gaps between the requests to one
// host, every redirect a request like another. On this machine there are no
// gaps. It is for one goroutine.
type Visitor struct {
	fetcher Fetcher
	norm    *urlnorm.Normalizer
	next    map[string]time.Time // earliest next request, by host
	known   map[string]*robots.Rules
}

// NewVisitor returns a Visitor that sends its requests through f.
func NewVisitor(f Fetcher) (*Visitor, error) {
	n, err := urlnorm.New(urlnorm.Config{})
	if err != nil {
		return nil, err
	}
	return &Visitor{fetcher: f, norm: n, next: map[string]time.Time{}, known: map[string]*robots.Rules{}}, nil
}

// A RobotsFile is the robots.txt of an origin as it was found.
type RobotsFile struct {
	File   *robots.File
	Status int           // of the last answer
	Means  robots.Answer // what the status means
}

// Robots fetches the robots.txt that counts for a URL, or that the URL is. If
// it cannot be had, the error says why, and nothing may be requested.
func (v *Visitor) Robots(ctx context.Context, ref string) (*RobotsFile, error) {
	u, err := v.norm.Resolve(nil, ref, urlnorm.Charset{})
	if err != nil {
		return nil, err
	}
	at, err := v.norm.Resolve(nil, u.Origin()+"/robots.txt", urlnorm.Charset{})
	if err != nil {
		return nil, err
	}
	for hops := 0; ; hops++ {
		resp, err := v.send(ctx, at, robots.MaxBytes+1)
		if err != nil {
			return nil, err
		}
		r := &RobotsFile{Status: resp.Status, Means: robots.Judge(resp.Status, hops), File: robots.Parse(nil)}
		switch {
		case r.Means == robots.Follow:
			to, err := v.target(at, resp)
			if err != nil { // leads nowhere: as good as no robots.txt
				r.Means = robots.AllowAll
				return r, nil
			}
			at = to
			continue
		case r.Means == robots.UseBody && resp.Truncated != fetch.Whole && resp.Truncated != fetch.CutSize:
			return nil, fmt.Errorf("%s is cut (%s)", at.Fetch, resp.Truncated)
		case r.Means == robots.UseBody:
			r.File = robots.Parse(resp.Body)
		case r.Means == robots.DenyAndRetry || r.Means == robots.KeepCopy:
			return nil, fmt.Errorf("%s answers %d, so nobody knows what is allowed", at.Fetch, resp.Status)
		}
		return r, nil
	}
}

// Get fetches a URL that robots rules allow, at most maxBody bytes of it. The
// error wraps ErrForbidden if they do not.
func (v *Visitor) Get(ctx context.Context, ref string, maxBody int64) (*fetch.Response, error) {
	at, err := v.norm.Resolve(nil, ref, urlnorm.Charset{})
	if err != nil {
		return nil, err
	}
	for range maxHops + 1 {
		rules, ok := v.known[at.Origin()]
		if !ok {
			file, err := v.Robots(ctx, at.Fetch)
			if err != nil {
				return nil, err
			}
			rules = file.File.Rules(productToken)
			v.known[at.Origin()] = rules
		}
		if verdict := rules.Test(at.Target()); !verdict.Allowed {
			return nil, fmt.Errorf("%s: %w (line %d: %s)", at.Fetch, ErrForbidden, verdict.Line, verdict.Rule)
		}
		if delay, ok := rules.CrawlDelay(); ok {
			v.keepAway(at.Host(), min(delay, frontier.DefaultPoliteness().MaxDelay))
		}
		resp, err := v.send(ctx, at, maxBody)
		if err != nil {
			return nil, err
		}
		if resp.Location == "" || resp.Status < 300 || resp.Status >= 400 {
			return resp, nil
		}
		if at, err = v.target(at, resp); err != nil {
			return nil, err
		}
	}
	return nil, fmt.Errorf("%s: more than %d redirects", ref, maxHops)
}

func (v *Visitor) target(at urlnorm.URL, resp *fetch.Response) (urlnorm.URL, error) {
	base, err := v.norm.Base(at.Fetch)
	if err != nil {
		return urlnorm.URL{}, err
	}
	return v.norm.Resolve(base, resp.Location, urlnorm.Charset{})
}

// keepAway makes sure that a host was left alone for d since its last answer.
func (v *Visitor) keepAway(host string, d time.Duration) {
	if next, asked := v.next[host]; asked {
		v.next[host] = next.Add(max(0, d-frontier.DefaultPoliteness().MinGap))
	}
}

// send sends one request when the host may be asked.
func (v *Visitor) send(ctx context.Context, at urlnorm.URL, maxBody int64) (*fetch.Response, error) {
	host := at.Host()
	if wait := time.Until(v.next[host]); wait > 0 {
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
	resp, err := v.fetcher.Fetch(ctx, fetch.Request{URL: at.Fetch, MaxBody: maxBody})
	if err != nil {
		return nil, err
	}
	if !isLoopback(host) {
		p := frontier.DefaultPoliteness()
		gap := min(max(p.MinGap, time.Duration(p.SlowFactor)*resp.End.Sub(resp.Start)), p.MaxGap)
		v.next[host] = resp.End.Add(gap)
	}
	return resp, nil
}
