package crawler

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/netip"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hashcrawl/hashcrawl/crawler/export"
	"github.com/hashcrawl/hashcrawl/crawler/fetch"
	"github.com/hashcrawl/hashcrawl/frontier"
	"github.com/hashcrawl/hashcrawl/storage"
	"github.com/hashcrawl/hashcrawl/urlnorm"
)

// A web is a Fetcher that answers from memory, for tests under a virtual
// clock. What it does not know it answers with 404.
type web struct {
	answers map[string]answer               // by request URL
	addrs   map[string]netip.Addr           // by host; the others have one each
	unknown map[string]error                // hosts that cannot be resolved
	site    func(path, query string) string // makes the HTML of what answers lacks; nil for 404
	serve   func(url string) answer         // makes the answer to what answers lacks; nil for site
	quiet   bool                            // keep no log, and call serve under the lock

	mu  sync.Mutex
	log []visit
}

type answer struct {
	status   int // 0 means 200
	body     string
	location string
	header   http.Header
	takes    time.Duration
	cut      fetch.Truncation
	err      *fetch.Error
	then     *answer // the answer to the next request, if another
}

// A visit is a line of the server's log.
type visit struct {
	url        string
	start, end time.Time
	status     int           // 0: no answer
	after      time.Duration // Retry-After
	fields     fetch.Request // what was asked for
}

// host returns the host that was asked.
func (v *visit) host() string {
	_, rest, _ := strings.Cut(v.url, "://")
	host, _, _ := strings.Cut(rest, "/")
	return host
}

func (w *web) Resolve(_ context.Context, host string) (netip.Addr, error) {
	if err := w.unknown[host]; err != nil {
		return netip.Addr{}, err
	}
	if a, ok := w.addrs[host]; ok {
		return a, nil
	}
	var sum uint32
	for _, c := range []byte(host) {
		sum = sum*31 + uint32(c)
	}
	return netip.AddrFrom4([4]byte{198, byte(18 + sum>>16&1), byte(sum >> 8), byte(sum)}), nil
}

func (w *web) Fetch(ctx context.Context, r fetch.Request) (*fetch.Response, error) {
	start := time.Now()
	w.mu.Lock()
	a, ok := w.answers[r.URL]
	if ok && a.then != nil {
		w.answers[r.URL] = *a.then
	}
	if !ok && w.quiet {
		a = w.made(r.URL)
	}
	w.mu.Unlock()
	if !ok && !w.quiet {
		a = w.made(r.URL)
	}
	select {
	case <-time.After(a.takes):
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	end := time.Now()
	w.mu.Lock()
	v := visit{url: r.URL, start: start, end: end, status: cmp.Or(a.status, 200), fields: r}
	if a.err != nil {
		v.status = a.err.Status
	}
	v.after, _ = fetch.RetryAfter(a.header, end)
	if !w.quiet {
		w.log = append(w.log, v)
	}
	w.mu.Unlock()
	if a.err != nil {
		e := *a.err
		e.URL, e.Start, e.End = r.URL, start, end
		return nil, &e
	}
	h := a.header.Clone()
	if h == nil {
		h = http.Header{}
	}
	if h.Get("Content-Type") == "" {
		h.Set("Content-Type", "text/html; charset=utf-8")
	}
	return &fetch.Response{
		URL: r.URL, Status: cmp.Or(a.status, 200), Header: h, Body: []byte(a.body), Location: a.location, Truncated: a.cut,
		WireBytes: int64(len(a.body)), Start: start, End: end,
	}, nil
}

// made returns the answer for a URL that answers lacks.
func (w *web) made(url string) answer {
	if w.serve != nil {
		return w.serve(url)
	}
	_, target, _ := strings.Cut(strings.TrimPrefix(url, "http://"), "/")
	if w.site == nil || target == "robots.txt" {
		return answer{status: 404}
	}
	path, query, _ := strings.Cut("/"+target, "?")
	return answer{body: w.site(path, query)}
}

// requested returns the URLs that were requested, in order, robots.txt and
// guessed sitemaps apart.
func (w *web) requested() []string {
	var urls []string
	for _, v := range w.log {
		if !strings.HasSuffix(v.url, "/robots.txt") && !strings.HasSuffix(v.url, "/sitemap.xml") {
			urls = append(urls, v.url)
		}
	}
	return urls
}

// count returns how often a URL was requested.
func (w *web) count(url string) (n int) {
	for _, v := range w.log {
		if v.url == url {
			n++
		}
	}
	return n
}

// links returns a page that links to the given references.
func links(refs ...string) answer {
	var b strings.Builder
	b.WriteString("<title>links</title>")
	for _, r := range refs {
		fmt.Fprintf(&b, "<a href=%q>x</a>\n", r)
	}
	return answer{body: b.String()}
}

// A crawl is a crawl of a web in a test.
type crawl struct {
	t        *testing.T
	path     string
	web      *web
	settings Settings
}

func newCrawl(t *testing.T, answers map[string]answer, seeds ...string) *crawl {
	return &crawl{
		t: t, path: filepath.Join(t.TempDir(), "crawl.db"), web: &web{answers: answers},
		settings: Settings{Seeds: seeds, Scope: ScopeHost, MaxDepth: -1, AJAX: AJAXAuto, Ugly: UglyCount},
	}
}

// run carries out one run and returns its summary.
func (c *crawl) run(opts Options) Summary {
	c.t.Helper()
	db := c.open(storage.Options{Create: true, Norm: c.norm().ID()})
	defer c.close(db)
	opts.Resumed = !db.Created()
	cr, err := New(db, c.web, &c.settings, opts)
	if err != nil {
		c.t.Fatal(err)
	}
	sum, err := cr.Run(c.t.Context())
	if err != nil {
		c.t.Fatal(err)
	}
	return sum
}

func (c *crawl) norm() *urlnorm.Normalizer {
	n, err := c.settings.Normalizer()
	if err != nil {
		c.t.Fatal(err)
	}
	return n
}

func (c *crawl) open(o storage.Options) *storage.DB {
	c.t.Helper()
	db, err := storage.Open(c.path, o)
	if err != nil {
		c.t.Fatal(err)
	}
	return db
}

func (c *crawl) close(db *storage.DB) {
	if err := db.Close(); err != nil {
		c.t.Error(err)
	}
}

// indexed returns the display URLs that an export lists, sorted.
func (c *crawl) indexed() []string {
	c.t.Helper()
	db := c.open(storage.Options{ReadOnly: true})
	defer c.close(db)
	var urls []string
	err := Rows(db, false, func(r *export.Row) error {
		urls = append(urls, r.URL)
		return nil
	})
	if err != nil {
		c.t.Fatal(err)
	}
	slices.Sort(urls)
	return urls
}

// outcome returns what became of a URL, and the reason.
func (c *crawl) outcome(url string) (frontier.Outcome, string) {
	c.t.Helper()
	db := c.open(storage.Options{ReadOnly: true})
	defer c.close(db)
	u, err := c.norm().Resolve(nil, url, urlnorm.Charset{})
	if err != nil {
		c.t.Fatal(err)
	}
	h, err := History(db, c.norm(), u)
	if err != nil {
		c.t.Fatal(err)
	}
	if len(h) == 0 {
		c.t.Fatalf("%s is not known", url)
	}
	last := h[len(h)-1]
	if last.Page != nil {
		return OutcomeOf(h), last.Page.Reason
	}
	return OutcomeOf(h), last.Rule
}

// wants checks the outcome of each URL: "outcome" or "outcome: start of reason".
func (c *crawl) wants(want map[string]string) {
	c.t.Helper()
	for url, w := range want {
		outcome, reason := c.outcome(url)
		if got := outcome.String() + ": " + reason; !strings.HasPrefix(got, w) {
			c.t.Errorf("%s: %s; want %s", url, got, w)
		}
	}
}

func (c *crawl) wantIndexed(want ...string) {
	c.t.Helper()
	if got := c.indexed(); !slices.Equal(got, want) {
		c.t.Errorf("indexed are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// status returns where the crawl stands.
func (c *crawl) status() *Status {
	c.t.Helper()
	db := c.open(storage.Options{ReadOnly: true})
	defer c.close(db)
	s, err := ReadStatus(db)
	if err != nil {
		c.t.Fatal(err)
	}
	return s
}

// rejudge goes on with the crawl as resume does: under changed settings.
func (c *crawl) rejudge() {
	c.t.Helper()
	db := c.open(storage.Options{})
	defer c.close(db)
	cr, err := New(db, c.web, &c.settings, Options{})
	if err == nil {
		_, err = cr.Rejudge(db.Refused)
	}
	if err == nil {
		_, err = cr.Run(c.t.Context())
	}
	if err != nil {
		c.t.Fatal(err)
	}
}

// record returns the page record of a URL's last entry.
func (c *crawl) record(url string) storage.Page {
	c.t.Helper()
	db := c.open(storage.Options{ReadOnly: true})
	defer c.close(db)
	u, err := c.norm().Resolve(nil, url, urlnorm.Charset{})
	if err != nil {
		c.t.Fatal(err)
	}
	h, err := History(db, c.norm(), u)
	if err != nil || len(h) == 0 || h[len(h)-1].Page == nil {
		c.t.Fatalf("no record of %s: %v", url, err)
	}
	return *h[len(h)-1].Page
}
