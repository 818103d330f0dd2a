package audit

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hashcrawl/hashcrawl/ajaxscheme"
	"github.com/hashcrawl/hashcrawl/crawler"
	"github.com/hashcrawl/hashcrawl/crawler/fetch"
	"github.com/hashcrawl/hashcrawl/crawler/sitemap"
	"github.com/hashcrawl/hashcrawl/urlnorm"
)

// An Asker sends the requests of a survey politely. *crawler.Visitor is one.
type Asker interface {
	// Ask sends one request, if the site's robots.txt allows it.
	Ask(ctx context.Context, url string, maxBody int64) (*fetch.Response, error)
	Robots(ctx context.Context, url string) (*crawler.RobotsFile, error)
	Requests() int
}

// Bounds of a survey.
const (
	maxBody       = 10 << 20 // bytes read of a page
	maxHops       = 10       // redirects followed
	sampledStates = 3        // states that are looked at although --depth does not reach them
	sampledLocs   = 5        // sitemap entries, likewise
	maxSitemaps   = 3
	maxLocs       = 1000 // sitemap entries that the rules look at
)

// Options say what is to be checked.
type Options struct {
	URL      string
	Depth    int      // links from URL that are followed; 0: the page itself
	MaxPages int      // pages that are asked for; 0 means 100
	Known    []string // display URLs that a crawl has found and that are checked too
	Renderer Renderer // nil: pages are not rendered
}

// A Survey is everything that was asked for to check a site.
type Survey struct {
	opts  Options
	asker Asker
	norm  *urlnorm.Normalizer

	start     urlnorm.URL
	robots    *crawler.RobotsFile // nil if it could not be had
	robotsErr error
	pages     []*page
	byKey     map[string]*page
	answers   map[string]*answer // to single requests, by URL
	shells    map[string]*answer // documents behind states, by their display URL
	sitemaps  []siteMap
	unknown   *answer    // of a state that cannot exist; nil if not asked for
	missing   *answer    // of a path that cannot exist; nil if not asked for
	bare      *barePair  // nil if not asked for
	escapes   []Escape   // empty if there is no state to try
	variants  []*answer  // of the start page under http, https, with and without www
	rendered  []rendered // pages as a browser shows them
	cut       bool       // the time was over before everything was asked for
}

// A page is a page of the site, under its display URL.
type page struct {
	url   urlnorm.URL
	depth int
	from  string // display URL of the page that links to it; "" for the first
	// sampled: the depth does not reach the page. It was asked for to compare it
	// with others, and rules of single documents pass it over.
	sampled bool

	plain    *answer // what a browser loads; shared by the states of an application
	snapshot *answer // nil if the page is plain and has not opted in
}

// state returns what follows #!, "" for a page without.
func (p *page) state() string {
	_, state, _ := strings.Cut(p.url.Display, "#!")
	return state
}

// document returns what a crawler indexes: the snapshot, or the page itself.
func (p *page) document() *answer {
	if p.snapshot != nil {
		return p.snapshot
	}
	return p.plain
}

// optedIn reports whether the page declares the scheme.
func (p *page) optedIn() bool {
	return p.state() == "" && p.plain.ok() && p.plain.doc.OptIn == ajaxscheme.OptInValid
}

// A siteMap is a sitemap that was read, or was to be.
type siteMap struct {
	url     string
	guessed bool // no robots.txt names it
	answer  Evidence
	err     error
	sum     sitemap.Summary
	locs    []sitemap.Entry
}

// A barePair is the snapshot of a page asked for with and without "=".
type barePair struct {
	page          *page
	with, without *answer
}

// ErrOutOfTime is the cause of a context that ends a survey with a report on what
// is there so far.
var ErrOutOfTime = errors.New("audit: out of time")

// Run surveys a site and judges it. The error is the cause of ctx, unless that is
// ErrOutOfTime, or that of options that make no sense; what is wrong with the
// site is in the report.
func Run(ctx context.Context, asker Asker, o Options) (*Report, error) {
	if o.MaxPages <= 0 {
		o.MaxPages = 100
	}
	norm, err := urlnorm.New(urlnorm.Config{})
	if err != nil {
		return nil, err
	}
	s := &Survey{opts: o, asker: asker, norm: norm, byKey: map[string]*page{}, answers: map[string]*answer{}, shells: map[string]*answer{}}
	if s.start, err = norm.Resolve(nil, o.URL, urlnorm.Charset{}); err != nil {
		return nil, fmt.Errorf("%q: %w", o.URL, err)
	}
	for _, step := range []func(context.Context){
		s.readRobots, s.walk, s.readSitemaps, s.sample, s.probe, s.probeEscapes, s.askVariants, s.render,
	} {
		if step(ctx); ctx.Err() == nil {
			continue
		}
		if cause := context.Cause(ctx); !errors.Is(cause, ErrOutOfTime) {
			return nil, cause
		}
		s.cut = true
		if s.pages == nil {
			s.failStart(ErrOutOfTime)
		}
		break
	}
	return s.report(), nil
}

func (s *Survey) readRobots(ctx context.Context) {
	if s.robots, s.robotsErr = s.asker.Robots(ctx, s.start.Fetch); ctx.Err() != nil {
		s.robotsErr = ErrOutOfTime
	}
}

// resolve resolves a reference found on a page, or without one if base is "".
func (s *Survey) resolve(base, ref string) (urlnorm.URL, error) {
	if base == "" {
		return s.norm.Resolve(nil, ref, urlnorm.Charset{})
	}
	b, err := s.norm.Base(base)
	if err != nil {
		return urlnorm.URL{}, err
	}
	return s.norm.Resolve(b, ref, urlnorm.Charset{})
}

// inside reports whether a URL is on the site that is checked: the same host,
// with or without www, at the same port or that of the other scheme.
func (s *Survey) inside(u urlnorm.URL) bool {
	return bareHost(u) == bareHost(s.start) && (u.Port() == s.start.Port() || isDefault(u.Port()) && isDefault(s.start.Port()))
}

func bareHost(u urlnorm.URL) string     { return strings.TrimPrefix(u.Host(), "www.") }
func isDefault(port uint16) bool        { return port == 80 || port == 443 }
func plainOf(u urlnorm.URL) string      { plain, _, _ := strings.Cut(u.Display, "#!"); return plain }
func (s *Survey) full() bool            { return len(s.pages) >= s.opts.MaxPages }
func (s *Survey) known(key string) bool { return s.byKey[key] != nil }

// ask requests a URL and follows its redirects on the site, each one a request
// of its own under the name that it is mapped to.
func (s *Survey) ask(ctx context.Context, u urlnorm.URL) *answer {
	var hops []hop
	passed := map[string]bool{}
	for at := u; ; {
		a := *s.askOnce(ctx, at)
		a.request, a.hops = u.Fetch, hops
		location := ""
		if a.err == nil && a.status >= 300 && a.status <= 399 {
			location = a.header.Get("Location")
		}
		if location == "" {
			return &a
		}
		passed[at.Fetch] = true
		hops = append(hops, hop{at.Fetch, a.status, location})
		a.hops = hops
		to, err := s.resolve(at.Fetch, location)
		switch {
		case err != nil:
			a.err = fmt.Errorf("redirects to %.100q: %w", location, err)
			return &a
		case passed[to.Fetch] || len(hops) > maxHops:
			a.loop = true
			return &a
		case !s.inside(to):
			a.away = true
			return &a
		}
		at = to
	}
}

// askOnce returns the answer to one request, which is sent only once in a
// survey. Others must not change it.
func (s *Survey) askOnce(ctx context.Context, u urlnorm.URL) *answer {
	if a := s.answers[u.Fetch]; a != nil {
		return a
	}
	a := &answer{request: u.Fetch, at: u}
	resp, err := s.asker.Ask(ctx, u.Fetch, maxBody)
	switch {
	case err == nil:
		a.read(resp)
	case ctx.Err() != nil:
		a.err = ErrOutOfTime
	default:
		a.err = err
		if fe, ok := errors.AsType[*fetch.Error](err); ok {
			a.status = fe.Status
		}
	}
	s.answers[u.Fetch] = a
	return a
}

// walk asks for the pages of the site, level by level.
func (s *Survey) walk(ctx context.Context) {
	if s.robotsErr != nil { // nothing may be asked for
		s.failStart(s.robotsErr)
		return
	}
	s.visit(ctx, s.start, 0, "")
	for _, known := range s.opts.Known {
		if u, err := s.resolve("", known); err == nil && s.inside(u) {
			s.visit(ctx, u, 0, "")
		}
	}
	for i := 0; i < len(s.pages) && ctx.Err() == nil; i++ {
		p := s.pages[i]
		if p.depth >= s.opts.Depth {
			continue
		}
		for _, u := range s.links(p) {
			s.visit(ctx, u, p.depth+1, p.url.Display)
		}
	}
}

// failStart makes the start the only page, which was not asked for.
func (s *Survey) failStart(why error) {
	s.pages = []*page{{url: s.start, plain: &answer{request: s.start.Fetch, at: s.start, err: why}}}
}

// visit asks for a page and, where there is one, for its snapshot.
func (s *Survey) visit(ctx context.Context, u urlnorm.URL, depth int, from string) {
	if u.Kind == urlnorm.Ugly && from != "" || s.known(u.Key) || s.full() || ctx.Err() != nil {
		return
	}
	p := &page{url: u, depth: depth, from: from}
	s.byKey[u.Key] = p
	s.pages = append(s.pages, p)
	p.plain = s.shellOf(ctx, u)
	switch ugly, err := ajaxscheme.UglyPlain(u.Display); {
	case p.state() != "":
		p.snapshot = s.ask(ctx, u)
	case err == nil && p.optedIn():
		if at, err := s.resolve("", string(ugly)); err == nil {
			p.snapshot = s.ask(ctx, at)
		}
	}
}

// shellOf asks for what a browser loads for a page, once for all its states.
func (s *Survey) shellOf(ctx context.Context, u urlnorm.URL) *answer {
	plain := plainOf(u)
	if a := s.shells[plain]; a != nil {
		return a
	}
	at, err := s.resolve("", plain)
	a := &answer{request: plain, err: err}
	if err == nil {
		a = s.ask(ctx, at)
	}
	s.shells[plain] = a
	return a
}

// base returns what the references of a document resolve against: the page's
// own display URL, or its <base>; where redirects led, that URL.
func (s *Survey) base(p *page, a *answer) string {
	base := p.url.Display
	if len(a.hops) > 0 {
		base = a.at.Display
	}
	if a.doc.Base != "" {
		if u, err := s.resolve(base, a.doc.Base); err == nil {
			return u.Display
		}
	}
	return base
}

// links returns the pages of the site that a page links to, in order.
func (s *Survey) links(p *page) []urlnorm.URL {
	a := p.document()
	if !a.ok() || a.directives.NoFollow {
		return nil
	}
	base := s.base(p, a)
	var urls []urlnorm.URL
	for i := range a.doc.Links {
		l := &a.doc.Links[i]
		if follows(l) {
			if u, err := s.resolve(base, l.Href); err == nil && s.inside(u) && u.Kind != urlnorm.Ugly {
				urls = append(urls, u)
			}
		}
	}
	return urls
}

// sample looks at a few pages that the depth does not reach, because rules need
// more than one state, and entries of a sitemap. With a depth the entries are
// pages of the site like any others.
func (s *Survey) sample(ctx context.Context) {
	if s.opts.Depth > 0 {
		s.sampleSitemaps(ctx, s.opts.MaxPages)
	}
	reached := len(s.pages)
	s.sampleStates(ctx)
	s.sampleQuery(ctx)
	if s.opts.Depth == 0 {
		s.sampleSitemaps(ctx, sampledLocs)
	}
	for _, p := range s.pages[reached:] {
		p.sampled = true
	}
}

// sampleStates makes sure that there are a few states, if pages link to some.
func (s *Survey) sampleStates(ctx context.Context) {
	states := 0
	for _, p := range s.pages {
		if p.state() != "" {
			states++
		}
	}
	for _, p := range slices.Clone(s.pages) {
		for _, u := range s.links(p) {
			if states < sampledStates && strings.Contains(u.Display, "#!") && !s.known(u.Key) {
				s.visit(ctx, u, p.depth+1, p.url.Display)
				states++
			}
		}
	}
}

// sampleQuery asks for the first page that has both a query and a snapshot
// without its query, too.
func (s *Survey) sampleQuery(ctx context.Context) {
	for _, p := range s.pages {
		path, _, has := strings.Cut(plainOf(p.url), "?")
		if !has || !p.snapshot.ok() {
			continue
		}
		if state := p.state(); state != "" {
			path += "#!" + state
		}
		if u, err := s.resolve("", path); err == nil {
			s.visit(ctx, u, p.depth+1, p.url.Display)
		}
		return
	}
}

// sampleSitemaps asks for entries of the sitemaps that no link led to.
func (s *Survey) sampleSitemaps(ctx context.Context, limit int) {
	for i := range s.sitemaps {
		for _, e := range s.sitemaps[i].locs {
			u, err := s.resolve(s.sitemaps[i].url, e.Loc)
			if err == nil && limit > 0 && !e.Sitemap && s.inside(u) && u.Kind != urlnorm.Ugly && !s.known(u.Key) {
				s.visit(ctx, u, 1, s.sitemaps[i].url)
				limit--
			}
		}
	}
}

// readSitemaps reads the sitemaps that robots.txt names, or the usual one.
func (s *Survey) readSitemaps(ctx context.Context) {
	if s.robots == nil {
		return
	}
	refs, guessed := s.robots.File.Sitemaps(), false
	if len(refs) == 0 {
		refs, guessed = []string{"/sitemap.xml"}, true
	}
	for i := 0; i < len(refs) && len(s.sitemaps) < maxSitemaps && ctx.Err() == nil; i++ {
		u, err := s.resolve(s.robots.URL, refs[i])
		if err != nil {
			s.sitemaps = append(s.sitemaps, siteMap{url: refs[i], err: err})
			continue
		}
		m := s.readSitemap(ctx, u)
		m.guessed = guessed
		s.sitemaps = append(s.sitemaps, m)
		for _, e := range m.locs {
			if e.Sitemap {
				refs = append(refs, e.Loc)
			}
		}
	}
}

func (s *Survey) readSitemap(ctx context.Context, u urlnorm.URL) siteMap {
	m := siteMap{url: u.Display, answer: Evidence{Request: u.Fetch}}
	for range maxHops {
		resp, err := s.asker.Ask(ctx, u.Fetch, sitemap.MaxBytes)
		if err != nil {
			m.err = err
			return m
		}
		m.answer = Evidence{Request: u.Fetch, Status: resp.Status}
		if resp.Location != "" && resp.Status >= 300 && resp.Status <= 399 {
			if u, err = s.resolve(u.Fetch, resp.Location); err != nil {
				m.err = err
				return m
			}
			continue
		}
		if resp.Status != 200 {
			m.err = fmt.Errorf("status %d", resp.Status)
			return m
		}
		m.sum, m.err = sitemap.Read(bytes.NewReader(resp.Body), func(e sitemap.Entry) bool {
			m.locs = append(m.locs, e)
			return len(m.locs) < maxLocs
		})
		return m
	}
	m.err = errors.New("too many redirects")
	return m
}
