package render

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hashcrawl/hashcrawl/crawler"
	"github.com/hashcrawl/hashcrawl/crawler/audit"
	"github.com/hashcrawl/hashcrawl/crawler/fetch"
)

// A site serves pages by path, and notes what was asked for.
type site struct {
	*httptest.Server
	pages map[string]string

	mu    sync.Mutex
	asked []string
}

func newSite(t *testing.T, pages map[string]string) *site {
	s := &site{pages: pages}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.asked = append(s.asked, r.Method+" "+r.URL.Path)
		s.mu.Unlock()
		body, ok := s.pages[r.URL.Path]
		switch {
		case r.URL.Path == "/never":
			<-r.Context().Done()
			return
		case r.URL.Path == "/redirect":
			http.Redirect(w, r, "/plain", http.StatusFound)
			return
		case !ok:
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", map[string]string{".js": "text/javascript", ".txt": "text/plain"}[filepath.Ext(r.URL.Path)])
		if w.Header().Get("Content-Type") == "" {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
		}
		fmt.Fprint(w, body)
	}))
	t.Cleanup(s.Close)
	return s
}

// visitor returns what sends the requests of a test's browser.
func (s *site) visitor(t *testing.T) *crawler.Visitor {
	t.Helper()
	client, err := fetch.New(fetch.Options{UserAgent: "hashcrawl/test", AllowHosts: []string{"127.0.0.1"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	v, err := crawler.NewVisitor(client)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// start starts a browser that may ask the site alone.
func start(t *testing.T, s *site, limit time.Duration) *Browser {
	t.Helper()
	path, err := Find(os.Getenv("HASHCRAWL_BROWSER"))
	if err != nil {
		t.Skipf("SKIPPED: %v (apt install chromium)", err)
	}
	b, err := Start(t.Context(), Options{
		Path: path, Loader: s.visitor(t), Limit: limit,
		Allow: func(url string) bool { return strings.HasPrefix(url, s.URL+"/") || strings.Contains(url, "localhost") },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	return b
}

// TestRender shows pages that scripts make, and pages that do harm.
func TestRender(t *testing.T) {
	s := newSite(t, map[string]string{
		"/robots.txt": "User-agent: *\nDisallow: /forbidden",
		"/app":        `<title>app</title><div id=v></div><script src=/app.js></script>`,
		"/app.js": `function show() { fetch('/data' + location.hash.slice(2) + '.txt').then(r => r.text()).then(t => { v.textContent = t; document.title = t }) }
			addEventListener('hashchange', show); show()`,
		"/data/one.txt": "first state", "/data/two.txt": "second state",
		"/plain":   `<title>plain</title><p>plain text<noscript>no script</noscript>`,
		"/outside": `<title>outside</title><p>here<script src="http://elsewhere.test/x.js"></script><script src="http://localhost:1/y.js"></script><script src="/forbidden/z.js"></script><img src=/pixel.png>`,
		"/post":    `<p>post<script>fetch('/data/one.txt', {method: 'POST'}); alert('hello'); try { new WebSocket('ws://127.0.0.1/') } catch (e) {}</script>`,
		"/deep":    strings.Repeat("<div>", 100_000) + "deep",
		"/empty":   "",
	})
	b := start(t, s, time.Minute)
	for _, tc := range []struct {
		path    string
		has     string // in the document
		hasNot  string
		refused []string
	}{
		{path: "/app#!/one", has: "first state"},
		{path: "/app#!/two", has: "second state", hasNot: "<script"},
		{path: "/plain", has: "plain text", hasNot: "no script"},
		{path: "/redirect", has: "plain text"},
		{path: "/outside", has: "here", refused: []string{"http://elsewhere.test/x.js", "http://localhost:1/y.js: fetch: localhost:1: guard", "/forbidden/z.js"}},
		{path: "/post", has: "post", refused: []string{"POST "}},
		{path: "/deep", has: "deep"},
		{path: "/empty", has: "<body>"},
		{path: "/missing", has: "not found"},
	} {
		t.Run(tc.path, func(t *testing.T) {
			r, err := b.Render(t.Context(), s.URL+tc.path)
			if err != nil {
				t.Fatalf("Render(%s): %v", tc.path, err)
			}
			if !strings.Contains(r.HTML, tc.has) || tc.hasNot != "" && strings.Contains(r.HTML, tc.hasNot) || !r.Quiet {
				t.Errorf("Render(%s) is quiet: %v, %.300q; want that, %q and not %q", tc.path, r.Quiet, r.HTML, tc.has, tc.hasNot)
			}
			for _, want := range tc.refused {
				if !slices.ContainsFunc(r.Refused, func(got string) bool { return strings.Contains(got, want) }) {
					t.Errorf("Render(%s) refuses %q; want %q among them", tc.path, r.Refused, want)
				}
			}
		})
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, request := range s.asked {
		if !strings.HasPrefix(request, "GET ") || strings.HasPrefix(request, "GET /forbidden") || request == "GET /pixel.png" || request == "GET /favicon.ico" {
			t.Errorf("the site was asked: %s", request)
		}
	}
}

// TestRenderEnds shows pages that do not come to an end; the next page is shown
// all the same.
func TestRenderEnds(t *testing.T) {
	s := newSite(t, map[string]string{
		"/hang":  `<p>hang<script>while (true) {}</script>`,
		"/poll":  `<p>poll<script>(function again() { fetch('/never?' + Math.random()).finally(again) })()</script>`,
		"/plain": "<p>plain text",
	})
	b := start(t, s, 2*time.Second)
	if _, err := b.Render(t.Context(), s.URL+"/hang"); err == nil {
		t.Error("Render(/hang) gives a document")
	}
	if r, err := b.Render(t.Context(), s.URL+"/poll"); err != nil || r.Quiet || !strings.Contains(r.HTML, "poll") {
		t.Errorf("Render(/poll) = %+v, %v; want a document that is not quiet", r, err)
	}
	if _, err := b.Render(t.Context(), s.URL+"/never"); err == nil || !strings.Contains(err.Error(), "did not answer") {
		t.Errorf("Render(/never) = %v; want that it did not answer", err)
	}
	b.opts.Limit = time.Minute
	if r, err := b.Render(t.Context(), s.URL+"/plain"); err != nil || !r.Quiet || !strings.Contains(r.HTML, "plain text") {
		t.Errorf("Render(/plain) after that = %+v, %v", r, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := b.Render(ctx, s.URL+"/plain"); err == nil {
		t.Error("Render gives a document after its context has ended")
	}
}

// TestFindSaysWhatIsMissing names an error that a caller can test for.
func TestFindSaysWhatIsMissing(t *testing.T) {
	if _, err := Find("/nowhere/chromium"); !errors.Is(err, ErrNoBrowser) {
		t.Errorf("Find = %v; want ErrNoBrowser", err)
	}
}

// TestStartFailsClearly starts something that is no browser.
func TestStartFailsClearly(t *testing.T) {
	path, err := Find("true")
	if err != nil {
		t.Skip("there is no program \"true\" here")
	}
	if _, err := Start(t.Context(), Options{Path: path}); err == nil || !strings.Contains(err.Error(), "does not start") {
		t.Errorf("Start = %v; want an error that says so", err)
	}
}

// TestAuditWithBrowser compares snapshots with what the browser shows.
func TestAuditWithBrowser(t *testing.T) {
	s := newSite(t, map[string]string{
		"/":       `<head><title>app</title></head><div id=v></div><a href="#!good">g</a><a href="#!bad">b</a><script src=/app.js></script>`,
		"/app.js": `v.innerHTML = location.hash == '#!bad' ? '<h1>Much more than anybody would get from the snapshot of it</h1><a href="/more">more</a>' : '<p>one two three</p>'; document.title = 't'`,
	})
	handler := s.Config.Handler
	s.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		switch r.URL.Query().Get("_escaped_fragment_") {
		case "good":
			fmt.Fprint(w, `<title>t</title><p>one two three</p><a href="#!good">g</a><a href="#!bad">b</a>`)
		case "bad":
			fmt.Fprint(w, `<title>another</title><p>little</p><a href="/only-here">x</a>`)
		default:
			handler.ServeHTTP(w, r)
		}
	})
	b := start(t, s, time.Minute)
	r, err := audit.Run(t.Context(), s.visitor(t), audit.Options{URL: s.URL + "/", Depth: 1, Renderer: b})
	if err != nil {
		t.Fatal(err)
	}
	scores := map[string]float64{}
	for _, p := range r.Parity {
		scores[strings.TrimPrefix(p.URL, s.URL)] = p.Score
	}
	if scores["/#!good"] < 0.99 || scores["/#!bad"] > 0.4 {
		t.Errorf("scores are %v", scores)
	}
	var ids []string
	for _, f := range r.Findings {
		ids = append(ids, f.ID)
	}
	for _, id := range []string{"render-score", "render-text-missing", "render-title-differs", "links-only-by-script", "links-only-in-snapshot"} {
		if !slices.Contains(ids, id) {
			t.Errorf("%s is not found, only %v", id, ids)
		}
	}
}

// BenchmarkRender measures a page of an application, its scripts known.
func BenchmarkRender(b *testing.B) {
	path, err := Find(os.Getenv("HASHCRAWL_BROWSER"))
	if err != nil {
		b.Skipf("SKIPPED: %v", err)
	}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, `<title>app</title><div id=v></div><script>v.textContent = 'state ' + location.hash</script>`)
	}))
	defer srv.Close()
	client, err := fetch.New(fetch.Options{UserAgent: "hashcrawl/test", AllowHosts: []string{"127.0.0.1"}})
	if err != nil {
		b.Fatal(err)
	}
	defer client.Close()
	v, err := crawler.NewVisitor(client)
	if err != nil {
		b.Fatal(err)
	}
	br, err := Start(context.Background(), Options{Path: path, Loader: v})
	if err != nil {
		b.Fatal(err)
	}
	defer br.Close()
	for n := 0; b.Loop(); n++ {
		if _, err := br.Render(context.Background(), fmt.Sprintf("%s/#!/%d", srv.URL, n)); err != nil {
			b.Fatal(err)
		}
	}
}
