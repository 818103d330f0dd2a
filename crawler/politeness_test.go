package crawler

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hashcrawl/hashcrawl/crawler/fetch"
	"github.com/hashcrawl/hashcrawl/crawler/fetch/faultserver"
	"github.com/hashcrawl/hashcrawl/frontier"
	"github.com/hashcrawl/hashcrawl/storage"
)

// The tests of the promises in docs/politeness.md. Each judges by the log of
// the server. Where only time matters the server is in memory and the clock is
// virtual; where connections matter both are real.

// promised are the values of docs/politeness.md, spelt out here so that no
// change of a default goes unnoticed.
const (
	promisedGap        = 2 * time.Second
	promisedFactor     = 5
	promisedAddressGap = 500 * time.Millisecond
	promisedMaxGap     = 30 * time.Second
	promisedMaxDelay   = 300 * time.Second
	promisedBackoff    = 30 * time.Second
)

// site is what a test knows of one host beside the server's log.
type site struct {
	delay     time.Duration   // Crawl-delay
	forbidden []string        // prefixes of paths
	addr      netip.Addr      // where it is
	twice     map[string]bool // URLs that may be asked for again (P7)
}

// checkLog holds a whole log against P1 to P8.
func checkLog(t *testing.T, log []visit, sites map[string]*site) {
	t.Helper()
	log = slices.Clone(log)
	slices.SortStableFunc(log, func(a, b visit) int { return a.start.Compare(b.start) })
	lastOf, lastAt := map[string]visit{}, map[netip.Addr]visit{}
	gaps, counts, failures := map[string]time.Duration{}, map[string]int{}, map[string]int{}
	for _, v := range log {
		host := v.host()
		s := sites[host]
		path := strings.TrimPrefix(v.url, "http://"+host)
		if before, ok := lastOf[host]; ok {
			if gap := v.start.Sub(before.end); gap < gaps[host] {
				t.Errorf("P1, P2, P6: %s came %v after %s (status %d); want %v", v.url, gap, before.url, before.status, gaps[host])
			}
		} else if path != "/robots.txt" {
			t.Errorf("P4: the first request to %s is for %s", host, v.url)
		}
		if before, ok := lastAt[s.addr]; ok {
			if gap := v.start.Sub(before.end); gap < promisedAddressGap {
				t.Errorf("P1, P3: %s came %v after %s at the same address", v.url, gap, before.url)
			}
		}
		for _, p := range s.forbidden {
			if strings.HasPrefix(path, p) {
				t.Errorf("P5: %s was asked for", v.url)
			}
		}
		counts[v.url]++
		if n := counts[v.url]; n > 3 || n > 1 && !s.twice[v.url] {
			t.Errorf("P7, P8: %s was asked for %d times", v.url, n)
		}
		lastOf[host], lastAt[s.addr] = v, v
		gap := min(max(promisedGap, promisedFactor*v.end.Sub(v.start)), promisedMaxGap)
		gaps[host] = max(gap, min(s.delay, promisedMaxDelay))
		if path == "/robots.txt" {
			gaps[host] = gap // the Crawl-delay is not known before
		}
		if v.status == 429 || v.status == 503 {
			pause := promisedBackoff << failures[host]
			failures[host]++
			if v.after > 0 {
				pause = v.after
			}
			gaps[host] = max(gaps[host], pause)
		} else {
			failures[host] = 0
		}
	}
}

// TestP1OneRequestAtATime counts the requests that are under way at a server,
// for one host name and for three names of its address.
func TestP1OneRequestAtATime(t *testing.T) {
	for _, names := range [][]string{{"localhost"}, {"a.localhost", "b.localhost", "c.localhost"}} {
		s := startFaults(t)
		var mu sync.Mutex
		now, most, all := 0, 0, 0
		count := func(n int) {
			mu.Lock()
			defer mu.Unlock()
			now += n
			most = max(most, now)
			all += max(n, 0)
		}
		var seeds []string
		for i := range 12 {
			s.Handle(fmt.Sprintf("/p%d", i), func(c *faultserver.Conn) bool {
				count(1)
				c.Drip("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n", 100*time.Microsecond, false)
				count(-1) // with its last byte the answer has ended
				return c.Send("x")
			})
			seeds = append(seeds, localURL(s, names[i%len(names)], fmt.Sprintf("/p%d", i)))
		}
		c := newRealCrawl(t, seeds...)
		c.run(Options{Workers: 16})
		if most != 1 || all != len(seeds) {
			t.Errorf("%v: %d of %d requests were under way at a time; want 1 of %d", names, most, all, len(seeds))
		}
	}
}

// TestP2GapFollowsTheAnswer looks at the gap after quick and slow answers, and
// at Crawl-delays within and beyond the caps.
func TestP2GapFollowsTheAnswer(t *testing.T) {
	for _, tc := range []struct {
		name  string
		robot string
		takes time.Duration
		want  time.Duration
	}{
		{"a quick answer", "", 0, 2 * time.Second},
		{"a slow answer", "", 3 * time.Second, 15 * time.Second},
		{"a very slow answer", "", 20 * time.Second, 30 * time.Second},
		{"a Crawl-delay", "User-agent: *\nCrawl-delay: 12", 0, 12 * time.Second},
		{"a Crawl-delay that a slow answer outdoes", "User-agent: *\nCrawl-delay: 3", 4 * time.Second, 20 * time.Second},
		{"a Crawl-delay beyond the cap of gaps", "User-agent: *\nCrawl-delay: 200", time.Second, 200 * time.Second},
		{"a Crawl-delay beyond all caps", "User-agent: *\nCrawl-delay: 9999", 0, 300 * time.Second},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := newCrawl(t, map[string]answer{"http://a.test/": links("/1", "/2")}, "http://a.test/")
				c.web.answers["http://a.test/1"] = answer{body: "x", takes: tc.takes}
				if tc.robot != "" {
					c.web.answers["http://a.test/robots.txt"] = answer{body: tc.robot}
				}
				c.settings.NoSitemaps = true
				c.run(Options{})
				last := len(c.web.log) - 1
				if got := c.web.log[last].start.Sub(c.web.log[last-1].end); got != tc.want || last != 3 {
					t.Errorf("the gap after the answer is %v; want %v", got, tc.want)
				}
			})
		})
	}
}

// TestP3TwoNamesShareAnAddress crawls two hosts at one address, and one that
// has another.
func TestP3TwoNamesShareAnAddress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shared, own := netip.MustParseAddr("198.51.100.7"), netip.MustParseAddr("198.51.100.8")
		c := newCrawl(t, nil, "http://a.test/", "http://b.test/", "http://c.test/")
		c.web.addrs = map[string]netip.Addr{"a.test": shared, "b.test": shared, "c.test": own}
		c.web.serve = func(url string) answer {
			if strings.HasSuffix(url, ".test/") {
				return links("1", "2", "3", "4")
			}
			return answer{body: "x", takes: 200 * time.Millisecond}
		}
		c.settings.NoSitemaps = true
		c.run(Options{Workers: 8})
		checkLog(t, c.web.log, map[string]*site{"a.test": {addr: shared}, "b.test": {addr: shared}, "c.test": {addr: own}})
		tight := false
		for i := 1; i < len(c.web.log); i++ {
			a, b := c.web.log[i-1], c.web.log[i]
			tight = tight || a.host() != b.host() && b.start.Sub(a.end) <= promisedAddressGap
		}
		if !tight {
			t.Error("no two hosts were ever asked one after the other; the test proves nothing")
		}
	})
}

// TestP4RobotsFirstAndOnceADay starts with many seeds and workers, stops and
// resumes several times, and goes on over more than a day.
func TestP4RobotsFirstAndOnceADay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var seeds []string
		for i := range 20 {
			seeds = append(seeds, fmt.Sprintf("http://a.test/%d", i), fmt.Sprintf("http://a.test:8080/%d", i))
		}
		c := newCrawl(t, nil, seeds...)
		c.web.serve = func(url string) answer {
			if strings.HasSuffix(url, "/robots.txt") {
				return answer{status: 404}
			}
			return answer{body: "x"}
		}
		c.settings.NoSitemaps = true
		for range 4 {
			c.run(Options{Workers: 16, MaxPages: 5})
		}
		for _, origin := range []string{"http://a.test", "http://a.test:8080"} {
			if n := c.web.count(origin + "/robots.txt"); n > 1 {
				t.Errorf("%s/robots.txt was asked for %d times", origin, n)
			}
		}
		if first := c.web.log[0].url; !strings.HasSuffix(first, "/robots.txt") {
			t.Errorf("the first request is for %s", first)
		}
		time.Sleep(25 * time.Hour)
		c.run(Options{Workers: 16})
		for _, origin := range []string{"http://a.test", "http://a.test:8080"} {
			if n := c.web.count(origin + "/robots.txt"); n != 2 {
				t.Errorf("after a day %s/robots.txt was asked for %d times in all; want 2", origin, n)
			}
		}
	})
}

// TestP4RobotsLifetime holds the cache to what Cache-Control says, within ten
// minutes and a day.
func TestP4RobotsLifetime(t *testing.T) {
	for control, want := range map[string]int{"": 1, "max-age=3600": 3, "max-age=1": 21, "no-store": 21, "max-age=999999999": 1} {
		synctest.Test(t, func(t *testing.T) {
			var refs []string
			for i := range 50 {
				refs = append(refs, fmt.Sprint("/", i))
			}
			c := newCrawl(t, map[string]answer{"http://a.test/": links(refs...)}, "http://a.test/")
			c.web.answers["http://a.test/robots.txt"] = answer{
				body: "User-agent: *\nCrawl-delay: 180", header: http.Header{"Cache-Control": {control}},
			}
			c.settings.NoSitemaps = true
			c.run(Options{}) // over two and a half hours
			n := c.web.count("http://a.test/robots.txt")
			if control == "max-age=1" || control == "no-store" {
				if n < 10 || n > want {
					t.Errorf("Cache-Control %q: robots.txt was asked for %d times; want 10 to %d", control, n, want)
				}
			} else if n != want {
				t.Errorf("Cache-Control %q: robots.txt was asked for %d times; want %d", control, n, want)
			}
		})
	}
}

// TestP5NothingForbiddenIsAskedFor offers a forbidden path in every way there
// is, and lets a robots.txt change while the crawl goes on.
func TestP5NothingForbiddenIsAskedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCrawl(t, map[string]answer{
			"http://a.test/robots.txt": {body: "User-agent: *\nDisallow: /secret\nDisallow: /*_escaped_fragment_=secret\nSitemap: http://a.test/map.xml\nSitemap: /secret/map.xml"},
			"http://a.test/": {body: `<link rel=canonical href="/"><meta http-equiv=refresh content="60;url=/secret/refresh">
				<a href="/secret/link">x</a><a href="/%73ecret/escaped">x</a><a href="//a.test/secret/slashes">x</a><a href="/hop">x</a>
				<a href="#!secret">x</a><a href="/canonical">x</a><a href="/refresh">x</a><iframe src="/secret/frame"></iframe><a href="/changes/1">x</a>`},
			"http://a.test/hop":       {status: 302, location: "/secret/redirect"},
			"http://a.test/canonical": {body: `<link rel=canonical href="/secret/canonical">x`},
			"http://a.test/refresh":   {body: `<meta http-equiv=refresh content="0;url=/secret/refresh0">x`},
			"http://a.test/map.xml":   {body: `<urlset><url><loc>http://a.test/secret/sitemap</loc></url></urlset>`},
		}, "http://a.test/", "http://a.test/secret/seed")
		c.run(Options{Workers: 4})
		checkLog(t, c.web.log, map[string]*site{"a.test": {forbidden: []string{"/secret", "/%73ecret", "/?_escaped_fragment_=secret"}}})
		c.wants(map[string]string{
			"http://a.test/secret/link": "robots", "http://a.test/secret/redirect": "robots", "http://a.test/secret/sitemap": "robots",
			"http://a.test/#!secret": "robots", "http://a.test/secret/seed": "robots", "http://a.test/secret/refresh0": "robots",
			"http://a.test/secret/frame": "robots", "http://a.test/secret/refresh": "robots", "http://a.test/secret/map.xml": "robots",
		})
	})
}

// TestP5RobotsChangeWhileCrawling forbids everything from a moment on (S08).
func TestP5RobotsChangeWhileCrawling(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var refs []string
		for i := range 900 {
			refs = append(refs, fmt.Sprint("/", i))
		}
		short := http.Header{"Cache-Control": {"max-age=600"}}
		c := newCrawl(t, map[string]answer{"http://a.test/": links(refs...)}, "http://a.test/")
		c.web.answers["http://a.test/robots.txt"] = answer{header: short, then: &answer{body: "User-agent: *\nDisallow: /", header: short}}
		c.web.serve = func(string) answer { return answer{body: "x"} }
		c.settings.NoSitemaps = true
		c.run(Options{})
		refreshed := false
		for _, v := range c.web.log[1:] {
			if refreshed {
				t.Fatalf("%s was asked for although everything is forbidden by now", v.url)
			}
			refreshed = strings.HasSuffix(v.url, "/robots.txt")
		}
		if n := len(c.web.log); n < 250 || n > 350 {
			t.Errorf("%d requests; want about 300, one each 2s for ten minutes", n)
		}
		c.wants(map[string]string{"http://a.test/899": "robots", "http://a.test/0": "indexed"})
	})
}

// TestP6Pauses answers 429 and 503 with each form of Retry-After and without.
func TestP6Pauses(t *testing.T) {
	at := func(d time.Duration) string { return time.Now().Add(d).UTC().Format(http.TimeFormat) }
	for _, tc := range []struct {
		name     string
		status   int
		after    func() string // nil: none
		min, max time.Duration // from the answer to the next request
	}{
		{"429 in seconds", 429, func() string { return "120" }, 120 * time.Second, 121 * time.Second},
		{"503 in seconds", 503, func() string { return "45" }, 45 * time.Second, 46 * time.Second},
		{"503 as a date", 503, func() string { return at(10 * time.Minute) }, 599 * time.Second, 601 * time.Second},
		{"429 beyond a day", 429, func() string { return "9999999" }, 24 * time.Hour, 24*time.Hour + time.Second},
		{"503 as a date long ago", 503, func() string { return at(-time.Hour) }, 30 * time.Second, 38 * time.Second},
		{"503 with nonsense", 503, func() string { return "soon" }, 30 * time.Second, 38 * time.Second},
		{"503 without", 503, nil, 30 * time.Second, 38 * time.Second},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := newCrawl(t, map[string]answer{"http://a.test/": links("/busy", "/other", "http://b.test/1", "http://b.test/2")}, "http://a.test/")
				busy := answer{status: tc.status, then: &answer{body: "x"}}
				if tc.after != nil {
					// Made at the start of the bubble; dates are relative to it.
					busy.header = http.Header{"Retry-After": {tc.after()}}
				}
				start := time.Now()
				c.web.answers["http://a.test/busy"] = busy
				c.web.serve = func(string) answer { return answer{body: "x"} }
				c.settings.Scope, c.settings.NoSitemaps = ScopeAny, true
				c.run(Options{Workers: 4})
				var paused *visit
				others := 0
				for i := range c.web.log {
					v := &c.web.log[i]
					switch {
					case v.status == tc.status:
						paused = v
					case paused != nil && v.host() == "b.test" && v.start.Before(paused.end.Add(tc.min)):
						others++
					case paused != nil && v.host() == "a.test":
						from := paused.end
						if strings.HasPrefix(tc.name, "503 as a date") && tc.min > time.Minute {
							from = start // what a date asks for counts from when it was written
						}
						if gap := v.start.Sub(from); gap < tc.min || gap > tc.max {
							t.Errorf("%s came %v after; want %v to %v", v.url, gap, tc.min, tc.max)
						}
						paused = nil
					}
				}
				if n := c.web.count("http://a.test/busy"); n != 2 {
					t.Errorf("the page was asked for %d times; want twice", n)
				}
				if others == 0 {
					t.Error("no other host was asked meanwhile")
				}
			})
		})
	}
}

// TestP6FiveInARowParkTheHost lets a host answer 503 for ever: pauses double,
// with jitter, and the fifth answer is the last of the run.
func TestP6FiveInARowParkTheHost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCrawl(t, map[string]answer{
			"http://a.test/robots.txt": {status: 404}, "http://b.test/robots.txt": {status: 404}, "http://b.test/": {body: "x"},
		}, "http://a.test/", "http://a.test/2", "http://b.test/")
		c.web.serve = func(string) answer { return answer{status: 503} }
		c.settings.NoSitemaps = true
		sum := c.run(Options{})
		var of []visit
		for _, v := range c.web.log {
			if v.host() == "a.test" && v.status == 503 {
				of = append(of, v)
			}
		}
		if len(of) != 5 || len(sum.Stuck) != 1 || sum.Stuck[0].Name != "a.test" {
			t.Fatalf("%d answers of 503, stuck are %v; want 5 and a.test", len(of), sum.Stuck)
		}
		for i := 1; i < len(of); i++ {
			least := promisedBackoff << (i - 1)
			if gap := of[i].start.Sub(of[i-1].end); gap < least || gap > least*5/4 {
				t.Errorf("pause %d is %v; want %v and at most a quarter more", i, gap, least)
			}
		}
	})
}

// TestP7ThreeTriesAtMost fails in every way that is worth another try.
func TestP7ThreeTriesAtMost(t *testing.T) {
	gone := func(k fetch.Kind) answer {
		return answer{err: &fetch.Error{Kind: k, Retry: true, Err: errors.New("x")}}
	}
	for name, page := range map[string]answer{
		"408": {status: 408}, "500": {status: 500}, "502": {status: 502}, "504": {status: 504},
		"timeout": gone(fetch.KindTimeoutHeader), "reset": gone(fetch.KindReset),
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := newCrawl(t, map[string]answer{"http://a.test/": links("/p", "/q"), "http://a.test/p": page, "http://a.test/q": {body: "q"}}, "http://a.test/")
				c.settings.NoSitemaps = true
				c.run(Options{})
				var tries []visit
				for _, v := range c.web.log {
					if v.url == "http://a.test/p" {
						tries = append(tries, v)
					}
				}
				if len(tries) != 3 {
					t.Fatalf("%d tries; want 3", len(tries))
				}
				for i := 1; i < 3; i++ {
					if gap := tries[i].start.Sub(tries[i-1].end); gap < promisedBackoff<<(i-1) {
						t.Errorf("try %d came after %v; want %v", i+1, gap, promisedBackoff<<(i-1))
					}
				}
				c.wants(map[string]string{"http://a.test/q": "indexed", "http://a.test/p": "failed"})
			})
		})
	}
}

// TestP8EachURLOnce links every page to every other under many spellings.
func TestP8EachURLOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var refs []string
		for i := range 30 {
			refs = append(refs, fmt.Sprintf("/%d", i), fmt.Sprintf("HTTP://A.TEST:80/x/../%d#part", i), fmt.Sprintf("/#!%d", i))
		}
		c := newCrawl(t, nil, "http://a.test/", "http://a.test/#top")
		c.web.serve = func(url string) answer {
			if strings.HasSuffix(url, "/robots.txt") {
				return answer{status: 404}
			}
			return links(refs...)
		}
		c.run(Options{Workers: 8, MaxPages: 20})
		c.run(Options{Workers: 8})
		checkLog(t, c.web.log, map[string]*site{"a.test": {}})
		if n := len(c.web.requested()); n != 61 {
			t.Errorf("%d pages were requested; want 61", n)
		}
	})
}

// TestP10OneIdentity and TestP12 read the bytes that a crawl sends.
func TestP10OneIdentity(t *testing.T) {
	_, requests := realRequests(t)
	for _, r := range requests {
		if got := r.Field("User-Agent"); got != testAgent {
			t.Errorf("%s has the User-Agent %q; want %q", r.Line, got, testAgent)
		}
		if got := r.Field("From"); got != "who@a.test" {
			t.Errorf("%s has From %q", r.Line, got)
		}
		names := fieldNames(r)
		if want := fieldNames(requests[0]); !slices.Equal(names, want) {
			t.Errorf("%s has the fields %v; the first request has %v", r.Line, names, want)
		}
	}
}

// TestP10NoLowGapWithoutAContact asks for a small gap in all ways.
func TestP10NoLowGapWithoutAContact(t *testing.T) {
	zero := Duration(0)
	for _, tc := range []struct {
		seed, contact string
		ok            bool
	}{
		{"http://a.test/", "", false},
		{"http://a.test/", "who@a.test", true},
		{"http://127.0.0.1/", "", true},
		{"http://localhost.a.test/", "", false},
		{"http://10.0.0.1/", "", false},
		{"http://[::1]/", "", true},
	} {
		s := newCrawl(t, nil, tc.seed).settings
		s.Delay, s.Contact = &zero, tc.contact
		if err := s.Check(); (err == nil) != tc.ok {
			t.Errorf("--delay 0 on %s with contact %q: %v", tc.seed, tc.contact, err)
		}
		if p := s.politeness("b.test"); tc.contact == "" && p.MinGap < promisedGap {
			t.Errorf("--delay 0 on %s: the gap on another host is %v", tc.seed, p.MinGap)
		}
	}
}

// TestP11ConnectionsAreReused counts the connections of a crawl of 20 pages.
func TestP11ConnectionsAreReused(t *testing.T) {
	conns, requests := realRequests(t)
	if conns != 1 || len(requests) < 20 {
		t.Errorf("%d requests took %d connections; want 1", len(requests), conns)
	}
}

// TestP12NoCookieNoRefererOnlyGET looks at requests after pages that set
// cookies, redirect and link.
func TestP12NoCookieNoRefererOnlyGET(t *testing.T) {
	_, requests := realRequests(t)
	for _, r := range requests {
		if !strings.HasPrefix(r.Line, "GET ") {
			t.Errorf("request line %q", r.Line)
		}
		for _, name := range []string{"Cookie", "Referer", "Authorization"} {
			if v := r.Field(name); v != "" {
				t.Errorf("%s has %s: %s", r.Line, name, v)
			}
		}
	}
}

// realRequests crawls a server that sets cookies and redirects, and returns the
// requests that it got, and over how many connections.
func realRequests(t *testing.T) (conns int, requests []faultserver.Request) {
	t.Helper()
	s := startFaults(t)
	s.Handle("/", func(c *faultserver.Conn) bool {
		var b strings.Builder
		for i := range 20 {
			fmt.Fprintf(&b, "<a href=/p%d>x</a><a href=/hop%d>x</a>", i, i)
		}
		return c.Page(b.String(), "Set-Cookie: id=1; Path=/")
	})
	for i := range 20 {
		s.Handle(fmt.Sprint("/hop", i), func(c *faultserver.Conn) bool {
			return c.Answer("302 Found", "", fmt.Sprintf("Location: /t%d", i), "Set-Cookie: hop=1")
		})
	}
	c := newRealCrawl(t, localURL(s, "localhost", "/"))
	c.run(Options{Workers: 4})
	return s.Conns(), s.Requests()
}

// fieldNames returns the names of a request's fields as they came.
func fieldNames(r faultserver.Request) (names []string) {
	for _, f := range r.Fields {
		name, _, _ := strings.Cut(f, ":")
		names = append(names, name)
	}
	return names
}

// TestP13StateSurvivesACrash copies the crawl file in the middle of a run, which
// is what kill -9 leaves, and goes on with the copy: the gap, the pause and the
// robots rules hold. cmd/hashcrawl kills a real process.
func TestP13StateSurvivesACrash(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCrawl(t, map[string]answer{
			"http://a.test/robots.txt": {body: "User-agent: *\nDisallow: /secret\nCrawl-delay: 20"},
			"http://a.test/":           links("/1", "/2", "/secret", "http://b.test/"),
			"http://b.test/robots.txt": {status: 404},
			"http://b.test/":           {status: 429, header: http.Header{"Retry-After": {"7200"}}, then: &answer{body: "b"}},
		}, "http://a.test/")
		c.settings.Scope, c.settings.NoSitemaps = ScopeAny, true
		copyPath := filepath.Join(t.TempDir(), "killed.db")
		c.during(30*time.Second, func() { copyFile(t, c.path, copyPath) })
		killedAt := time.Now()
		var asked int
		for _, v := range c.web.log {
			if v.url == "http://a.test/robots.txt" {
				asked++
			}
		}
		c.path = copyPath
		first := len(c.web.log)
		c.web.answers["http://b.test/"] = answer{body: "b"}
		c.run(Options{})
		for _, v := range c.web.log[first:] {
			switch {
			case strings.HasSuffix(v.url, "a.test/robots.txt"), strings.Contains(v.url, "secret"):
				t.Errorf("%s was asked for after the crash", v.url)
			case v.host() == "a.test" && v.start.Sub(killedAt) < 20*time.Second:
				t.Errorf("%s was asked for %v after the restart; want the Crawl-delay", v.url, v.start.Sub(killedAt))
			case v.host() == "b.test" && v.start.Sub(killedAt) < 7200*time.Second-40*time.Second:
				t.Errorf("%s was asked for %v after the restart; it asked for two hours", v.url, v.start.Sub(killedAt))
			}
		}
		if asked != 1 {
			t.Errorf("robots.txt was asked for %d times before the crash", asked)
		}
		c.wants(map[string]string{"http://b.test/": "indexed", "http://a.test/2": "failed: http 404", "http://a.test/secret": "robots"})
	})
}

// TestP14GapGrowsAtOnceAndShrinksSlowly follows the gap through a slow answer,
// an error, and the quick answers behind them.
func TestP14GapGrowsAtOnceAndShrinksSlowly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCrawl(t, map[string]answer{
			"http://a.test/":     links("/slow", "/error", "/1", "/2", "/3", "/4", "/5"),
			"http://a.test/slow": {body: "x", takes: 4 * time.Second}, "http://a.test/error": {status: 500},
		}, "http://a.test/")
		c.web.serve = func(string) answer { return answer{body: "x"} }
		c.settings.NoSitemaps = true
		c.run(Options{})
		want := map[string]time.Duration{
			"http://a.test/error": 20 * time.Second, // after the slow one
			"http://a.test/1":     20 * time.Second, // after the error
			"http://a.test/2":     11 * time.Second, "http://a.test/3": 6500 * time.Millisecond, "http://a.test/4": 4250 * time.Millisecond,
		}
		for i := 1; i < len(c.web.log); i++ {
			v := c.web.log[i]
			w, ok := want[v.url]
			delete(want, v.url)
			if gap := v.start.Sub(c.web.log[i-1].end); ok && (gap < w || gap > w+time.Millisecond) {
				t.Errorf("%s came after %v; want %v", v.url, gap, w)
			}
		}
		if len(want) > 0 {
			t.Errorf("never asked for: %v", slices.Sorted(maps.Keys(want)))
		}
	})
}

// TestAllPromisesUnderLoad crawls 500 hosts at 300 addresses with 64 workers.
// Hosts are slow, busy, have Crawl-delays and forbidden paths, redirect to one
// another, and fail.
func TestAllPromisesUnderLoad(t *testing.T) {
	const hosts = 500
	synctest.Test(t, func(t *testing.T) {
		name := func(i int) string { return fmt.Sprintf("h%03d.test", i%hosts) }
		sites := map[string]*site{}
		c := newCrawl(t, nil, "http://"+name(0)+"/")
		c.web.addrs = map[string]netip.Addr{}
		for i := range hosts {
			s := &site{
				addr: netip.AddrFrom4([4]byte{203, 0, byte(i % 300 >> 8), byte(i % 300)}), forbidden: []string{"/secret"}, twice: map[string]bool{},
			}
			if i%7 == 3 {
				s.delay = time.Duration(1+i%11) * time.Second
			}
			sites[name(i)] = s
			c.web.addrs[name(i)] = s.addr
		}
		busy := map[string]int{}
		c.web.serve = func(url string) answer {
			host, path, _ := strings.Cut(strings.TrimPrefix(url, "http://"), "/")
			var i int
			fmt.Sscanf(host, "h%d.test", &i)
			switch {
			case path == "robots.txt":
				return answer{body: fmt.Sprintf("User-agent: *\nDisallow: /secret\nCrawl-delay: %g", sites[host].delay.Seconds())}
			case path == "":
				return links("/1", "/2", "/3", "/secret/1", "http://"+name(2*i+1)+"/", "http://"+name(2*i+2)+"/", "/to", "/sly")
			case path == "to":
				return answer{status: 302, location: "http://" + name(i+9) + "/from"}
			case path == "sly":
				return answer{status: 302, location: "/secret/2"}
			}
			a := answer{body: "x", takes: time.Duration(i%5) * 300 * time.Millisecond}
			c.web.mu.Lock()
			defer c.web.mu.Unlock()
			if busy[host]++; i%6 == 1 && busy[host] == 2 {
				sites[host].twice[url] = true
				a.status = []int{429, 503, 500}[i%3]
				if i%4 == 1 && a.status != 500 {
					a.header = http.Header{"Retry-After": {fmt.Sprint(10 + i)}}
				}
			}
			return a
		}
		c.settings.Scope, c.settings.NoSitemaps = ScopeAny, true
		sum := c.run(Options{Workers: 64})
		checkLog(t, c.web.log, sites)
		if n := len(c.web.log); n < hosts*6 || sum.Counts[frontier.Waiting] != 0 {
			t.Errorf("%d requests, %d URLs wait; want all of at least %d", n, sum.Counts[frontier.Waiting], hosts*6)
		}
		if s := c.status(); s.Hosts != hosts || s.Refused["robots"] != 2*hosts {
			t.Errorf("%d hosts, refused %v; want %d hosts and two forbidden URLs of each", s.Hosts, s.Refused, hosts)
		}
	})
}

// during runs the crawl and calls do after d of it; the crawl then ends.
func (c *crawl) during(d time.Duration, do func()) {
	c.t.Helper()
	db := c.open(storage.Options{Create: true, Norm: c.norm().ID()})
	defer c.close(db)
	cr, err := New(db, c.web, &c.settings, Options{Resumed: !db.Created()})
	if err != nil {
		c.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(c.t.Context())
	defer cancel()
	done := make(chan error)
	go func() {
		_, err := cr.Run(ctx)
		done <- err
	}()
	time.Sleep(d)
	do()
	cancel()
	if err := <-done; err != nil {
		c.t.Error(err)
	}
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	b, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, b, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestPromisesAreListedWithTheirTests holds docs/politeness.md against the code:
// every promise names tests, and every test that is named exists.
func TestPromisesAreListedWithTheirTests(t *testing.T) {
	doc, err := os.ReadFile("../docs/politeness.md")
	if err != nil {
		t.Fatal(err)
	}
	tests := testNames(t)
	for i := 1; i <= 14; i++ {
		row := regexp.MustCompile(fmt.Sprintf(`(?m)^\| P%d \|.*$`, i)).Find(doc)
		if row == nil {
			t.Errorf("docs/politeness.md has no row of P%d", i)
			continue
		}
		named := regexp.MustCompile(`Test\w+`).FindAllString(string(row), -1)
		if len(named) == 0 {
			t.Errorf("the row of P%d names no test", i)
		}
		for _, name := range named {
			if !tests[name] {
				t.Errorf("the row of P%d names %s, which does not exist", i, name)
			}
		}
	}
	for name := range tests {
		if regexp.MustCompile(`^TestP\d+[A-Z]`).MatchString(name) && !strings.Contains(string(doc), name) {
			t.Errorf("docs/politeness.md does not name %s", name)
		}
	}
}

// testNames returns the names of all tests and fuzz targets of the repository
// that documents may name.
func testNames(t *testing.T) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	for _, dir := range []string{".", "fetch", "htmldoc", "robots", "sitemap", "../frontier", "../storage", "../urlnorm", "../cmd/hashcrawl"} {
		files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("no tests in %s: %v", dir, err)
		}
		for _, file := range files {
			src, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`).FindAllSubmatch(src, -1) {
				names[string(m[1])] = true
			}
		}
	}
	return names
}

// TestP9ValidatorsGoOutAsGiven asks again for a page with the validators of its
// record. The record keeps them byte for byte, and so does the request.
func TestP9ValidatorsGoOutAsGiven(t *testing.T) {
	const etag, modified = `W/"a b;c\"`, "Mon, 02 Mar 2026 10:00:00 GMT"
	s := startFaults(t)
	s.Handle("/", func(c *faultserver.Conn) bool {
		if c.Field("If-None-Match") == etag && c.Field("If-Modified-Since") == modified {
			return c.Answer("304 Not Modified", "")
		}
		return c.Page("x", "ETag: "+etag, "Last-Modified: "+modified)
	})
	url := localURL(s, "localhost", "/")
	c := newRealCrawl(t, url)
	c.run(Options{})
	page := c.record(url)
	if page.ETag != etag || page.Modified != modified {
		t.Fatalf("the record holds %q and %q; want %q and %q", page.ETag, page.Modified, etag, modified)
	}
	client, err := fetch.New(c.fetch)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	resp, err := client.Fetch(t.Context(), fetch.Request{URL: url, IfNoneMatch: page.ETag, IfModifiedSince: page.Modified})
	if err != nil || resp.Status != http.StatusNotModified {
		t.Errorf("asked again: %+v, %v; want 304", resp, err)
	}
}

// TestP9RevisitIsConditional visits a series again whose first page has not
// changed: it is asked for with its validator, and 304 keeps what was known.
func TestP9RevisitIsConditional(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, r := newRollCrawl(t, 60)
		c.run(Options{})
		etag := c.web.answers[r.url(1)].header.Get("Etag")
		before, indexed := len(c.web.log), c.indexed()
		c.web.answers[r.url(1)] = answer{status: http.StatusNotModified}
		time.Sleep(48 * time.Hour)
		c.run(Options{})
		again := slices.DeleteFunc(slices.Clone(c.web.log[before:]), func(v visit) bool { return strings.HasSuffix(v.url, "/robots.txt") })
		if len(again) != 1 || again[0].url != r.url(1) || again[0].fields.IfNoneMatch != etag || etag == "" {
			t.Errorf("asked again were %+v; want the first page, with If-None-Match: %s", again, etag)
		}
		if got := c.indexed(); !slices.Equal(got, indexed) {
			t.Errorf("%d pages are indexed; want the %d of before", len(got), len(indexed))
		}
	})
}
