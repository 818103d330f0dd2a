package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/hashcrawl/hashcrawl/cmd/hashcrawl/demosite"
)

// startUntilItEnds starts a crawl again and again, until it ends by itself, at most
// so often, and verifies its file after each death.
func (v *victim) startUntilItEnds(t *testing.T, dir string, most int, cmd func() *exec.Cmd) {
	t.Helper()
	for starts := 1; ; starts++ {
		c := cmd()
		v.start(t, c)
		err := c.Wait()
		if err == nil {
			break
		}
		if !wasKilled(err) || starts > most {
			t.Fatalf("start %d ended with %v", starts, err)
		}
		verifyWhole(t, dir, fmt.Sprintf("after %d starts", starts))
	}
	v.spare()
	verifyWhole(t, dir, "in the end")
}

// TestRobotsFileThatKillsTheProcessIsGivenUp kills the process whenever the
// robots.txt of one host is asked for, as a fault in reading it would. Nothing is
// asked of that host, and everything of the others.
func TestRobotsFileThatKillsTheProcessIsGivenUp(t *testing.T) {
	var process victim
	var times atomic.Int64
	w := &web{hosts: 4, pages: 10}
	poison := w.host(2)
	w.visitHost = func(host, path string) {
		if host == poison && path == "/robots.txt" {
			times.Add(1)
			process.kill()
		}
	}
	w.serve(t)
	dir := filepath.Join(t.TempDir(), "c.crawl")
	process.startUntilItEnds(t, dir, 12, func() *exec.Cmd {
		return hashcrawl(t, "crawl", w.url(0, 0), "--dir", dir, "--scope", "any", "--delay", "0", "--concurrency", "4", "-q")
	})
	if n := times.Load(); n < 6 || n > 8 {
		t.Errorf("the robots.txt was asked for %d times; want six to eight: the first may not be known of", n)
	}
	var want []string
	for _, u := range w.all() {
		if !strings.Contains(u, "//"+poison+":") {
			want = append(want, u)
		}
	}
	wantIndexed(t, dir, want)
	if got := output(t, "", "explain", "url", "--dir", dir, w.url(2, 3)); !strings.Contains(got, "robots.txt: crash: the crawler died") {
		t.Errorf("explain says %s", got)
	}
}

// TestIndexPageThatKillsTheProcessIsGivenUp kills the process whenever one page of
// a series is asked for that is visited again. The walk fails there, what the pages
// before it have is fetched, and later visits leave the page alone.
func TestIndexPageThatKillsTheProcessIsGivenUp(t *testing.T) {
	for _, tc := range []struct {
		poison string
		found  int // of the 33 new notices
	}{{"/news/", 0}, {"/news/?page=2", 10}} {
		t.Run(tc.poison, func(t *testing.T) {
			site := demosite.New(demosite.Options{})
			var process victim
			var times atomic.Int64
			srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.RequestURI() == tc.poison && process.alive() {
					times.Add(1)
					process.kill()
					return
				}
				site.ServeHTTP(w, r)
			}))
			t.Cleanup(srv.Close)
			dir := filepath.Join(t.TempDir(), "c.crawl")
			bounds := []string{"-q", "--min-interval", "1ms", "--max-interval", "1ms"}
			output(t, "", append([]string{"crawl", srv.URL + "/news/", "--dir", dir, "--delay", "0", "--no-sitemaps", "--scope", "prefix"}, bounds...)...)
			before := exported(t, dir, srv.URL)
			site.Publish(33)
			resume := func() *exec.Cmd { return hashcrawl(t, append([]string{"resume", dir}, bounds...)...) }
			process.startUntilItEnds(t, dir, 12, resume)
			if n := times.Load(); n != 6 {
				t.Errorf("%s was asked for %d times; want six", tc.poison, n)
			}
			s := oneSeries(t, dir)
			after := exported(t, dir, srv.URL)
			if found := len(after) - len(before); s.Complete || s.Stop != "server-error" || found != tc.found {
				t.Errorf("the series stopped by %s, complete %v, and %d notices are new; want %d, after server-error", s.Stop, s.Complete, found, tc.found)
			}
			asked := site.Count(tc.poison)
			if err := resume().Run(); err != nil || site.Count(tc.poison) != asked {
				t.Errorf("%v: %s was asked for again", err, tc.poison)
			}
			why := strings.Join(oneSeries(t, dir).Evidence, "\n")
			if strings.Count(why, srv.URL+tc.poison+": crash: the crawler died 6 times") != 1 {
				t.Errorf("the series does not say once that its page kills the process, but %s", why)
			}
		})
	}
}

// TestShellThatKillsTheProcessIsGivenUp kills the process whenever the page behind
// two states is asked for. The states are indexed all the same. They wait for it
// until it is given up, so that the pages behind other states are still asked for
// before these: what is the shell of its page is not indexed.
func TestShellThatKillsTheProcessIsGivenUp(t *testing.T) {
	for _, tc := range []struct {
		name    string
		links   string
		deaths  int // at least; the first may not be known of, of a page and of an errand
		outcome string
	}{
		{"behind states alone", `<a href="/app#!/one">1</a><a href="/app#!/two">2</a><a href="/broken#!/three">3</a>`, 6, "unknown"},
		{"linked too", `<a href="/app">0</a><a href="/app#!/one">1</a><a href="/app#!/two">2</a><a href="/broken#!/three">3</a>`, 12, "failed, crash: the crawler died 6 times"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var process victim
			var times atomic.Int64
			srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				state, ugly := r.URL.Query()["_escaped_fragment_"]
				switch {
				case r.URL.Path == "/":
					fmt.Fprint(w, "<title>Start</title>"+tc.links)
				case r.URL.Path == "/app" && ugly:
					fmt.Fprintf(w, "<title>State</title><p>This is state %s of the application", state[0])
				case r.URL.Path == "/app":
					times.Add(1)
					process.kill()
				case r.URL.Path == "/broken":
					fmt.Fprint(w, "<title>Application</title><p>Loading, please wait")
				default:
					http.NotFound(w, r)
				}
			}))
			t.Cleanup(srv.Close)
			dir := filepath.Join(t.TempDir(), "c.crawl")
			process.startUntilItEnds(t, dir, tc.deaths+3, func() *exec.Cmd {
				return hashcrawl(t, "crawl", srv.URL+"/", "--dir", dir, "--delay", "0", "-q")
			})
			if n := int(times.Load()); n < tc.deaths || n > tc.deaths+2 {
				t.Errorf("the page was asked for %d times; want %d, or little more", n, tc.deaths)
			}
			want := []string{"/", "/app#!/one", "/app#!/two"}
			if got := exported(t, dir, srv.URL); !slices.Equal(got, want) {
				t.Errorf("indexed are %q; want %q", got, want)
			}
			if got := output(t, "", "explain", "url", "--dir", dir, srv.URL+"/app"); !strings.Contains(got, tc.outcome) {
				t.Errorf("explain says %s; want %s", got, tc.outcome)
			}
		})
	}
}
