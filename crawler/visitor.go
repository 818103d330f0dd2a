package crawler

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"strings"
	"time"

	"github.com/hashcrawl/hashcrawl/crawler/fetch"
	"github.com/hashcrawl/hashcrawl/crawler/robots"
	"github.com/hashcrawl/hashcrawl/frontier"
	"github.com/hashcrawl/hashcrawl/urlnorm"
)

// What a Visitor does not do.
var (
	// ErrForbidden says that a robots.txt forbids what was to be asked for.
	ErrForbidden = errors.New("robots.txt forbids it")
	// ErrBusy says that a host wants to be left alone for longer than somebody
	// would wait for an answer.
	ErrBusy = errors.New("the host asks to be left alone")
)

// maxPatience is how long a Visitor waits before it asks. The longest
// Crawl-delay that is honoured fits in.
const maxPatience = 5 * time.Minute

// A Visitor asks for single documents outside of a crawl, one after the other,
// under the promises of one: robots.txt first, the same gaps and pauses, every
// redirect a request like another. It is for one goroutine.
type Visitor struct {
	fetcher   Fetcher
	settings  *Settings
	norm      *urlnorm.Normalizer
	hosts     map[string]*frontier.Pace
	addresses map[netip.Addr]time.Time // earliest next request
	known     map[string]*robots.Rules // by origin
	requests  int
}

// NewVisitor returns a Visitor that sends its requests through f, without gaps
// on this machine.
func NewVisitor(f Fetcher) (*Visitor, error) {
	return NewVisitorFor(f, &Settings{Delay: new(Duration)})
}

// NewVisitorFor returns a Visitor that treats hosts as a crawl with the given
// settings does.
func NewVisitorFor(f Fetcher, s *Settings) (*Visitor, error) {
	n, err := s.Normalizer()
	if err != nil {
		return nil, err
	}
	return &Visitor{
		fetcher: f, settings: s, norm: n,
		hosts: map[string]*frontier.Pace{}, addresses: map[netip.Addr]time.Time{}, known: map[string]*robots.Rules{},
	}, nil
}

// Requests returns how many requests were sent.
func (v *Visitor) Requests() int { return v.requests }

// A RobotsFile is the robots.txt of an origin as it was found.
type RobotsFile struct {
	URL    string // of the last answer
	File   *robots.File
	Body   []byte        // nil if there is none
	Status int           // of the last answer
	Means  robots.Answer // what the status means
	Type   string        // Content-Type
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
		r := &RobotsFile{
			URL: at.Fetch, Status: resp.Status, Means: robots.Judge(resp.Status, hops), File: robots.Parse(nil), Type: resp.Header.Get("Content-Type"),
		}
		switch {
		case r.Means == robots.Follow:
			to, err := v.target(at, resp)
			if err != nil { // leads nowhere: as good as no robots.txt
				r.Means = robots.AllowAll
				return v.keep(u, r), nil
			}
			at = to
			continue
		case r.Means == robots.UseBody && resp.Truncated != fetch.Whole && resp.Truncated != fetch.CutSize:
			return nil, fmt.Errorf("%s is cut (%s)", at.Fetch, resp.Truncated)
		case r.Means == robots.UseBody:
			r.File, r.Body = robots.Parse(resp.Body), resp.Body
		case r.Means == robots.DenyAndRetry || r.Means == robots.KeepCopy:
			return nil, fmt.Errorf("%s answers %d, so nobody knows what is allowed", at.Fetch, resp.Status)
		}
		return v.keep(u, r), nil
	}
}

// keep makes a robots.txt the one of the origin of u.
func (v *Visitor) keep(u urlnorm.URL, r *RobotsFile) *RobotsFile {
	rules := r.File.Rules(productToken)
	v.known[u.Origin()] = rules
	if delay, ok := rules.CrawlDelay(); ok {
		v.pace(u.Host()).AskDelay(delay)
	}
	return r
}

// Ask fetches one URL that robots rules allow, at most maxBody bytes of it, and
// follows no redirect. The error wraps ErrForbidden if the rules do not allow
// it, ErrBusy if the host is to be left alone, and is a *fetch.Error if no
// answer came.
func (v *Visitor) Ask(ctx context.Context, ref string, maxBody int64) (*fetch.Response, error) {
	at, err := v.norm.Resolve(nil, ref, urlnorm.Charset{})
	if err != nil {
		return nil, err
	}
	return v.ask(ctx, at, maxBody)
}

func (v *Visitor) ask(ctx context.Context, at urlnorm.URL, maxBody int64) (*fetch.Response, error) {
	if err := v.Allowed(ctx, at); err != nil {
		return nil, err
	}
	return v.send(ctx, at, maxBody)
}

// Load is Ask for the parts of a page that a browser loads: one at a time and
// under the same robots rules, pauses and errors, but without the gaps, as no
// browser keeps them. The next Ask waits for the gap after the last part.
func (v *Visitor) Load(ctx context.Context, ref string, maxBody int64) (*fetch.Response, error) {
	at, err := v.norm.Resolve(nil, ref, urlnorm.Charset{})
	if err != nil {
		return nil, err
	}
	if err := v.Allowed(ctx, at); err != nil {
		return nil, err
	}
	pace := v.pace(at.Host())
	if next, parked := pace.Next(); parked || pace.Paused() {
		return nil, fmt.Errorf("%s: %w until %s", at.Host(), ErrBusy, next.UTC().Format(time.RFC3339))
	}
	return v.fetch(ctx, at, maxBody)
}

// Allowed returns nil if robots rules allow a URL to be requested. It fetches
// the robots.txt if it is not known yet.
func (v *Visitor) Allowed(ctx context.Context, at urlnorm.URL) error {
	for _, h := range v.settings.IgnoreRobots {
		if strings.EqualFold(h, at.Host()) {
			return nil
		}
	}
	rules, ok := v.known[at.Origin()]
	if !ok {
		if _, err := v.Robots(ctx, at.Fetch); err != nil {
			return err
		}
		rules = v.known[at.Origin()]
	}
	if verdict := rules.Test(at.Target()); !verdict.Allowed {
		return fmt.Errorf("%s: %w (line %d: %s)", at.Fetch, ErrForbidden, verdict.Line, verdict.Rule)
	}
	return nil
}

// Get is Ask, but follows redirects.
func (v *Visitor) Get(ctx context.Context, ref string, maxBody int64) (*fetch.Response, error) {
	at, err := v.norm.Resolve(nil, ref, urlnorm.Charset{})
	if err != nil {
		return nil, err
	}
	for range maxHops + 1 {
		resp, err := v.ask(ctx, at, maxBody)
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

// pace returns the pace of a host.
func (v *Visitor) pace(host string) *frontier.Pace {
	p := v.hosts[host]
	if p == nil {
		p = frontier.NewPace(v.settings.politeness(host), rand.New(rand.NewPCG(1, uint64(len(v.hosts)))))
		v.hosts[host] = p
	}
	return p
}

// send sends one request when the host and its address may be asked.
func (v *Visitor) send(ctx context.Context, at urlnorm.URL, maxBody int64) (*fetch.Response, error) {
	host := at.Host()
	pace := v.pace(host)
	next, parked := pace.Next()
	addr, lookup := v.fetcher.Resolve(ctx, host)
	if lookup == nil && v.addresses[addr].After(next) {
		next = v.addresses[addr]
	}
	wait := time.Until(next)
	if parked || wait > maxPatience {
		return nil, fmt.Errorf("%s: %w until %s", host, ErrBusy, next.UTC().Format(time.RFC3339))
	}
	if wait > 0 {
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
	return v.fetch(ctx, at, maxBody)
}

// fetch sends one request, and notes what it says of the host.
func (v *Visitor) fetch(ctx context.Context, at urlnorm.URL, maxBody int64) (*fetch.Response, error) {
	pace := v.pace(at.Host())
	addr, lookup := v.fetcher.Resolve(ctx, at.Host())
	resp, err := v.fetcher.Fetch(ctx, fetch.Request{URL: at.Fetch, Addr: addr, MaxBody: maxBody})
	v.requests++
	if err != nil {
		if fe, ok := asFetchError(err); ok {
			pace.Answered(requestOfError(fe))
		}
		return nil, err
	}
	req := requestOf(resp)
	pace.Answered(req)
	if lookup == nil {
		v.addresses[addr] = req.End.Add(pace.AddressGap())
	}
	return resp, nil
}
