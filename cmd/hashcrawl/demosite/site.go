package demosite

import (
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/text/encoding"
)

// baseDate is the date of the newest notice of a site that has not grown.
var baseDate = time.Date(2026, time.March, 30, 8, 0, 0, 0, time.UTC)

// Options says how large and how old the site is. The zero value is the site
// of "hashcrawl demo".
type Options struct {
	Notices int       // items in the news roll; 0 means 47
	PerPage int       // items on one of its index pages; 0 means 10
	Newest  time.Time // date of the newest notice; zero means 30 March 2026, 08:00 UTC
}

// A Site is the demonstration site. Goroutines may share it.
type Site struct {
	opts  Options
	fixed []page // everything but the news roll
	log   requestLog

	mu      sync.RWMutex // guards the fields below
	notices int
	pages   []page // in the order of Pages
	index   map[address]*page
}

// New returns a site with an empty log.
func New(o Options) *Site {
	if o.Notices <= 0 {
		o.Notices = 47
	}
	if o.PerPage <= 0 {
		o.PerPage = 10
	}
	if o.Newest.IsZero() {
		o.Newest = baseDate
	}
	s := &Site{opts: o, notices: o.Notices}
	s.fixed = slices.Concat(appPages(), chartPages(), logPages(), plainPages(), scriptPages())
	s.rebuild()
	return s
}

// Publish adds the n next notices at the head of the news roll, each newer
// than all before it; older ones move down and from page to page.
func (s *Site) Publish(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.notices += n
	s.rebuild()
}

// rebuild lays out the pages anew. s.mu must be held, but by New.
func (s *Site) rebuild() {
	r := roll{count: s.notices, perPage: s.opts.PerPage, first: s.opts.Notices, newest: s.opts.Newest}
	s.pages = slices.Concat(s.fixed, r.pages())
	s.index = make(map[address]*page, len(s.pages))
	for i := range s.pages {
		p := &s.pages[i]
		if p.modified.IsZero() {
			p.modified = s.opts.Newest.Add(-time.Duration(i+1) * time.Hour)
		}
		s.index[p.at] = p
	}
}

// A page is one thing that the site answers with at one address. The text is
// the site's own, so it is trusted HTML.
type page struct {
	at       address
	title    string
	lang     string // "en" if empty
	modified time.Time
	head     string // further elements of the head
	body     string
	raw      string // the whole document instead of head and body

	encoding encoding.Encoding // UTF-8 if nil
	// metaCharset and mime declare encoding: in the document, in Content-Type.
	metaCharset string
	mime        string // "text/html; charset=utf-8" if empty
	xRobots     string // X-Robots-Tag
	location    string // answers 301 to here
	relative    bool   // location is sent as it stands and not made absolute
	shell       bool   // the application's empty document
	optedIn     bool   // a shell with the fragment meta tag

	why         string // why a correct crawl does not index the page; "" if it does
	unrequested bool   // with why: a correct crawl does not even ask for it
	sitemapOnly bool
}

// A Page is a page that a correct crawl of the whole site indexes.
type Page struct {
	// URL is the display URL, relative to the site's root: the plain URL, or
	// the pretty URL with its state spelled as in the site's links (blanks
	// and text beyond ASCII unescaped).
	URL string
	// Target is the request target that gets the content, the ugly one for a
	// state and for an opted-in page.
	Target string
	Title  string
	Lang   string
	// SitemapOnly is true if no link leads to the page.
	SitemapOnly bool
}

// Pages lists what a correct crawl from the root indexes, in a fixed order,
// the news roll last. A state stands under its pretty URL and an opted-in page
// under its plain URL; the shells themselves are not pages.
func (s *Site) Pages() []Page {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var out []Page
	for _, p := range s.pages {
		if p.why != "" || p.shell {
			continue
		}
		out = append(out, Page{
			URL: p.at.display(), Target: p.at.target(), Title: p.title, Lang: p.language(),
			SitemapOnly: p.sitemapOnly,
		})
	}
	return out
}

// Shells lists the request targets of the opted-in documents: a correct crawl
// asks for each of them once, finds the tag, and asks for the snapshot.
func (s *Site) Shells() []string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var out []string
	for _, p := range s.pages {
		if p.optedIn {
			out = append(out, p.at.target())
		}
	}
	return out
}

// An Exclusion is a reference that the site contains and that a correct crawl
// does not index.
type Exclusion struct {
	URL    string // as in [Page]; absolute if it leads to another host
	Target string // request target; "" if the reference leads to another host
	Why    string // robots, nofollow, noindex, redirect, canonical, missing, ugly link, no link, other host
	// Requested is true if a correct crawl asks for it to find out.
	Requested bool
}

// Excluded lists the references that lead nowhere or must not be indexed.
func (s *Site) Excluded() []Exclusion {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var out []Exclusion
	for _, p := range s.pages {
		if p.why != "" {
			out = append(out, Exclusion{URL: p.at.display(), Target: p.at.target(), Why: p.why, Requested: !p.unrequested})
		}
	}
	missing := []address{{path: "/lost"}, {path: "/", ugly: true, state: "/light/never-built"}}
	for _, a := range missing {
		out = append(out, Exclusion{URL: a.display(), Target: a.target(), Why: "missing", Requested: true})
	}
	for _, t := range decoys {
		out = append(out, Exclusion{URL: t, Target: t, Why: "no link"})
	}
	return append(out, Exclusion{URL: elsewhere, Why: "other host"})
}

// ServeHTTP answers and logs one request.
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.log.logged(w, r, s.serve)
}

// serve routes r: the files beside the pages first, then the pages.
func (s *Site) serve(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "only GET and HEAD", http.StatusMethodNotAllowed)
		return
	}
	switch path := r.URL.Path; {
	case path == "/robots.txt":
		s.serveRobots(w, r)
	case path == "/sitemap.xml":
		s.serveSitemap(w, r)
	case path == "/api/state":
		s.serveState(w, r)
	case strings.HasPrefix(path, "/static/"):
		http.FileServerFS(static).ServeHTTP(w, r)
	default:
		s.servePage(w, r)
	}
}

// lookup returns a copy of the page at a.
func (s *Site) lookup(a address) (page, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	p, ok := s.index[a]
	if !ok {
		return page{}, false
	}
	return *p, true
}

func (p *page) language() string {
	if p.lang == "" {
		return "en"
	}
	return p.lang
}
