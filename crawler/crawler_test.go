package crawler

import (
	"context"
	"errors"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hashcrawl/hashcrawl/crawler/fetch"
	"github.com/hashcrawl/hashcrawl/frontier"
	"github.com/hashcrawl/hashcrawl/storage"
)

const optInTag = `<meta name="fragment" content="!">`

// TestOutcomes crawls small webs and checks what becomes of each URL.
func TestOutcomes(t *testing.T) {
	for _, tc := range []struct {
		name    string
		answers map[string]answer
		change  func(*Settings)
		want    map[string]string
		never   []string // request URLs that must not be asked for
	}{
		{
			name: "a #! link is requested as its ugly URL and indexed as pretty",
			answers: map[string]answer{
				"http://a.test/":                           links("#!/b"),
				"http://a.test/?_escaped_fragment_=/b":     links("#!/c?x=1"),
				"http://a.test/?_escaped_fragment_=/c?x=1": {body: "<title>c</title>"},
			},
			want: map[string]string{"http://a.test/#!/b": "indexed", "http://a.test/#!/c?x=1": "indexed"},
		},
		{
			name: "an opted-in page is indexed by its snapshot, whose own tag is ignored",
			answers: map[string]answer{
				"http://a.test/":                     {body: optInTag + "<title>shell</title>"},
				"http://a.test/?_escaped_fragment_=": {body: optInTag + `<title>snapshot</title><a href="p">p</a>`},
				"http://a.test/p":                    {body: "<title>p</title>"},
			},
			want: map[string]string{"http://a.test/": "indexed", "http://a.test/p": "indexed"},
		},
		{
			name: "an opted-in page whose snapshot fails is not indexed by its shell",
			answers: map[string]answer{
				"http://a.test/": {body: optInTag + "<title>shell</title>"},
			},
			want: map[string]string{"http://a.test/": "failed: http 404"},
		},
		{
			name: "an opted-in page whose snapshot is its shell is not indexed",
			answers: map[string]answer{
				"http://a.test/":                     {body: optInTag + "<title>shell</title>"},
				"http://a.test/?_escaped_fragment_=": {body: optInTag + "<title>shell</title>"},
			},
			want: map[string]string{"http://a.test/": "shell"},
		},
		{
			name: "a site that forbids the ugly URL has opted out: the page is one like any other",
			answers: map[string]answer{
				"http://a.test/robots.txt": {body: "User-agent: *\nDisallow: /*_escaped_fragment_"},
				"http://a.test/":           {body: optInTag + `<title>page</title><a href="#!x">x</a>`},
			},
			want: map[string]string{
				"http://a.test/":    "indexed: opted in, but its snapshot is forbidden by robots.txt line 2",
				"http://a.test/#!x": "robots: robots.txt line 2",
			},
			never: []string{"http://a.test/?_escaped_fragment_=", "http://a.test/?_escaped_fragment_=x"},
		},
		{
			name: "a 404 with the tag asks for no snapshot, nor does what is not HTML",
			answers: map[string]answer{
				"http://a.test/":         links("missing", "feed.xml"),
				"http://a.test/missing":  {status: 404, body: optInTag},
				"http://a.test/feed.xml": {body: optInTag, header: http.Header{"Content-Type": {"application/xml"}}},
			},
			want:  map[string]string{"http://a.test/missing": "failed: http 404", "http://a.test/feed.xml": "not-html: application/xml"},
			never: []string{"http://a.test/missing?_escaped_fragment_=", "http://a.test/feed.xml?_escaped_fragment_="},
		},
		{
			name: "references in a snapshot resolve against the pretty URL",
			answers: map[string]answer{
				"http://a.test/dir/":                             links("app?q=1#!s"),
				"http://a.test/dir/app?q=1&_escaped_fragment_=s": links("", "#!t", "?q=2", "other"),
			},
			change: func(s *Settings) { s.Seeds = []string{"http://a.test/dir/"} },
			want: map[string]string{
				"http://a.test/dir/app?q=1":    "failed: http 404",
				"http://a.test/dir/app?q=1#!t": "failed: http 404",
				"http://a.test/dir/app?q=2":    "failed: http 404",
				"http://a.test/dir/other":      "failed: http 404",
			},
		},
		{
			name: "redirects of ugly URLs are mapped again and judged",
			answers: map[string]answer{
				"http://a.test/robots.txt":              {body: "User-agent: *\nDisallow: /secret"},
				"http://a.test/":                        links("#!a", "#!b", "#!c", "#!d"),
				"http://a.test/?_escaped_fragment_=a":   {status: 301, location: "/#!to"},
				"http://a.test/?_escaped_fragment_=b":   {status: 301, location: "/?_escaped_fragment_=to2"},
				"http://a.test/?_escaped_fragment_=c":   {status: 302, location: "/secret/x"},
				"http://a.test/?_escaped_fragment_=d":   {status: 302, location: "http://other.test/"},
				"http://a.test/?_escaped_fragment_=to":  {body: "<title>to</title>"},
				"http://a.test/?_escaped_fragment_=to2": {body: "<title>to2</title>"},
			},
			want: map[string]string{
				"http://a.test/#!a": "redirect", "http://a.test/#!to": "indexed", "http://a.test/#!to2": "indexed",
				"http://a.test/secret/x": "robots", "http://other.test/": "out-of-scope",
			},
			never: []string{"http://a.test/secret/x", "http://other.test/"},
		},
		{
			name: "a redirect to another spelling of the page is followed, a circle is not",
			answers: map[string]answer{
				"http://a.test/":       links("%c3%a9", "loop", "self"),
				"http://a.test/%c3%a9": {status: 301, location: "/%C3%A9"},
				"http://a.test/%C3%A9": {body: "<title>é</title>"},
				"http://a.test/loop":   {status: 302, location: "/loop2"},
				"http://a.test/loop2":  {status: 302, location: "/loop"},
				"http://a.test/self":   {status: 302, location: "/self"},
			},
			want: map[string]string{
				"http://a.test/%C3%A9": "indexed", "http://a.test/loop": "redirect", "http://a.test/loop2": "redirect",
				"http://a.test/self": "failed: redirects to itself",
			},
		},
		{
			name: "what the page says about itself",
			answers: map[string]answer{
				"http://a.test/":          links("noindex", "header", "nofollow", "canonical", "later", "copy"),
				"http://a.test/noindex":   {body: `<meta name=robots content=noindex><a href="from-noindex">x</a>`},
				"http://a.test/header":    {body: "x", header: http.Header{"X-Robots-Tag": {"noindex"}}},
				"http://a.test/nofollow":  {body: `<meta name=robots content=nofollow><a href="hidden">x</a>`},
				"http://a.test/canonical": {body: `<head><link rel=canonical href="/main"></head>x`},
				"http://a.test/main":      {body: `<head><link rel=canonical href="/main"></head>x`},
				"http://a.test/copy":      {body: `<head><link rel=canonical href="http://elsewhere.test/copy"></head>x`},
			},
			want: map[string]string{
				"http://a.test/noindex": "noindex", "http://a.test/header": "noindex", "http://a.test/nofollow": "indexed",
				"http://a.test/hidden": "nofollow", "http://a.test/canonical": "canonical: http://a.test/main",
				"http://a.test/main": "indexed", "http://a.test/copy": "indexed", "http://a.test/from-noindex": "failed: http 404",
			},
			never: []string{"http://a.test/hidden"},
		},
		{
			name: "what the link says: nofollow counts until another link follows, ugly links are not followed",
			answers: map[string]answer{
				"http://a.test/":     {body: `<a rel=nofollow href=n>x</a><a rel=ugc href=both>x</a><a href="?_escaped_fragment_=u">x</a><a href=next>x</a>`},
				"http://a.test/next": links("both"),
			},
			want: map[string]string{
				"http://a.test/n": "nofollow", "http://a.test/both": "failed: http 404", "http://a.test/#!u": "ugly-link",
			},
			never: []string{"http://a.test/n", "http://a.test/?_escaped_fragment_=u"},
		},
		{
			name: "--ugly-links map takes ugly links as links to the pretty URL",
			answers: map[string]answer{
				"http://a.test/":                      links("?_escaped_fragment_=u"),
				"http://a.test/?_escaped_fragment_=u": {body: "<title>u</title>"},
			},
			change: func(s *Settings) { s.Ugly = UglyMap },
			want:   map[string]string{"http://a.test/#!u": "indexed"},
		},
		{
			name: "--ajax off takes #! for a fragment",
			answers: map[string]answer{
				"http://a.test/": {body: optInTag + `<a href="#!x">x</a>`},
			},
			change: func(s *Settings) { s.AJAX = AJAXOff },
			want:   map[string]string{"http://a.test/": "indexed"},
			never:  []string{"http://a.test/?_escaped_fragment_=x", "http://a.test/?_escaped_fragment_="},
		},
		{
			name: "--ajax always asks every page for its snapshot",
			answers: map[string]answer{
				"http://a.test/?_escaped_fragment_=":      links("p?q=1"),
				"http://a.test/p?q=1&_escaped_fragment_=": {body: "x"},
			},
			change: func(s *Settings) { s.AJAX = AJAXAlways },
			want:   map[string]string{"http://a.test/": "indexed", "http://a.test/p?q=1": "indexed"},
			never:  []string{"http://a.test/", "http://a.test/p?q=1"},
		},
		{
			name: "traps are recognised by their URLs",
			answers: map[string]answer{
				"http://a.test/": links("/x/x/x/x", strings.Repeat("/d", 40), "/ok/ok/ok"),
			},
			want: map[string]string{
				"http://a.test/x/x/x/x": "trap: repeated-segment", "http://a.test" + strings.Repeat("/d", 40): "trap: deep-path",
				"http://a.test/ok/ok/ok": "failed",
			},
		},
		{
			name: "a seed that redirects to another host means the site there",
			answers: map[string]answer{
				"http://a.test/":       {status: 301, location: "https://www.a.test/"},
				"https://www.a.test/":  links("/p"),
				"https://www.a.test/p": {body: "p"},
			},
			want: map[string]string{"https://www.a.test/": "indexed", "https://www.a.test/p": "indexed"},
		},
		{
			name: "sitemaps: named in robots.txt, nested, with states; ugly entries are refused",
			answers: map[string]answer{
				"http://a.test/robots.txt": {body: "Sitemap: http://a.test/index.xml"},
				"http://a.test/index.xml":  {body: `<sitemapindex><sitemap><loc>http://a.test/one.xml</loc></sitemap></sitemapindex>`},
				"http://a.test/one.xml": {body: `<urlset><url><loc>http://a.test/s</loc></url><url><loc>http://a.test/#!t</loc></url>
					<url><loc>http://a.test/?_escaped_fragment_=v</loc></url><url><loc>http://b.test/</loc></url></urlset>`},
				"http://a.test/s":                     {body: "s"},
				"http://a.test/?_escaped_fragment_=t": {body: "t"},
			},
			want: map[string]string{
				"http://a.test/s": "indexed", "http://a.test/#!t": "indexed", "http://a.test/#!v": "ugly-link",
				"http://b.test/": "out-of-scope", "http://a.test/one.xml": "sitemap",
			},
			never: []string{"http://a.test/sitemap.xml"},
		},
		{
			name: "Clean-param lines of robots.txt count for keys",
			answers: map[string]answer{
				"http://a.test/robots.txt": {body: "User-agent: *\nClean-param: ref /p"},
				"http://a.test/":           links("/p?ref=1", "/p?ref=2"),
				"http://a.test/p?ref=1":    {body: "p"},
			},
			want:  map[string]string{"http://a.test/p?ref=1": "indexed"},
			never: []string{"http://a.test/p?ref=2"},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := newCrawl(t, tc.answers, "http://a.test/")
				if tc.change != nil {
					tc.change(&c.settings)
				}
				sum := c.run(Options{})
				c.wants(tc.want)
				for _, url := range tc.never {
					if n := c.web.count(url); n > 0 {
						t.Errorf("%s was requested %d times; want never", url, n)
					}
				}
				for _, v := range c.web.log {
					if n := c.web.count(v.url); n > 1 {
						t.Errorf("%s was requested %d times; want once", v.url, n)
					}
				}
				if n := sum.Counts[frontier.Waiting]; n != 0 {
					t.Errorf("%d URLs still wait", n)
				}
			})
		})
	}
}

// TestRedirectsEnd follows a redirect that never ends.
func TestRedirectsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		answers := map[string]answer{}
		url := "http://a.test/r"
		for range 30 {
			answers[url] = answer{status: 302, location: url + "r"}
			url += "r"
		}
		c := newCrawl(t, answers, "http://a.test/r")
		c.settings.NoSitemaps = true
		c.run(Options{})
		if n := len(c.web.requested()); n != maxHops+1 {
			t.Errorf("%d requests; want %d", n, maxHops+1)
		}
		c.wants(map[string]string{"http://a.test/r" + strings.Repeat("r", maxHops+1): "redirect-limit"})
	})
}

// TestRobotsOfAnotherHost follows the redirect of a robots.txt: the target is
// asked under its own gap, and the host waits meanwhile.
func TestRobotsOfAnotherHost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCrawl(t, map[string]answer{
			"http://a.test/robots.txt":     {status: 301, location: "http://www.a.test/robots.txt"},
			"http://www.a.test/robots.txt": {body: "User-agent: *\nDisallow: /secret"},
			"http://a.test/":               links("/secret", "/open"),
			"http://a.test/open":           {body: "x"},
		}, "http://a.test/")
		c.run(Options{})
		c.wants(map[string]string{"http://a.test/secret": "robots", "http://a.test/open": "indexed"})
		order := []string{"http://a.test/robots.txt", "http://www.a.test/robots.txt"}
		for i, want := range order {
			if got := c.web.log[i].url; got != want {
				t.Errorf("request %d is for %s; want %s", i, got, want)
			}
		}
	})
}

// TestUnavailableRobotsForbid asks a host whose robots.txt answers 500 for
// nothing, until it answers.
func TestUnavailableRobotsForbid(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCrawl(t, map[string]answer{
			"http://a.test/robots.txt": {status: 500, then: &answer{status: 503, then: &answer{status: 404}}},
			"http://a.test/":           {body: "x"},
		}, "http://a.test/")
		c.run(Options{})
		c.wantIndexed("http://a.test/")
		if n := c.web.count("http://a.test/robots.txt"); n != 3 {
			t.Errorf("robots.txt was asked for %d times; want 3", n)
		}
		if gap := c.web.log[1].start.Sub(c.web.log[0].end); gap < 30*time.Second {
			t.Errorf("it was asked again after %v; want at least 30s", gap)
		}
	})
}

// TestParkedHostCanBeResumed gives a host up that always answers 503, and asks
// it again in the next run.
func TestParkedHostCanBeResumed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCrawl(t, map[string]answer{
			"http://a.test/robots.txt": {status: 503},
			"http://a.test/":           {body: "x"},
		}, "http://a.test/")
		sum := c.run(Options{})
		if len(sum.Stuck) != 1 || sum.Counts[frontier.Waiting] != 1 {
			t.Errorf("stuck are %v, %d wait; want the host, and its page waiting", sum.Stuck, sum.Counts[frontier.Waiting])
		}
		if n := len(c.web.log); n != 5 {
			t.Errorf("%d requests; want 5", n)
		}
		c.web.answers["http://a.test/robots.txt"] = answer{status: 404}
		c.run(Options{})
		c.wantIndexed("http://a.test/")
	})
}

// TestPauseHoldsAcrossRestart stops a crawl while its host is paused. The next
// run asks nothing before the pause is over.
func TestPauseHoldsAcrossRestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCrawl(t, map[string]answer{
			"http://a.test/":  links("/p"),
			"http://a.test/p": {status: 429, header: http.Header{"Retry-After": {"3600"}}, then: &answer{body: "p"}},
		}, "http://a.test/")
		c.settings.NoSitemaps = true
		sum := c.run(Options{MaxTime: time.Minute})
		if sum.Limit == "" {
			t.Fatal("the run was not ended by its time limit")
		}
		paused := c.web.log[len(c.web.log)-1]
		c.run(Options{})
		next := c.web.log[len(c.web.log)-1]
		if gap := next.start.Sub(paused.end); next.url != "http://a.test/p" || gap < time.Hour {
			t.Errorf("%s was asked for after %v; want /p after an hour", next.url, gap)
		}
		c.wants(map[string]string{"http://a.test/p": "indexed"})
	})
}

// TestTries counts the requests for pages that fail.
func TestTries(t *testing.T) {
	reset := &fetch.Error{Kind: fetch.KindReset, Retry: true, Err: errors.New("connection reset")}
	for _, tc := range []struct {
		name  string
		page  answer
		tries int
		want  string
	}{
		{"500 for ever", answer{status: 500}, 3, "failed: http 500"},
		{"408 once", answer{status: 408, then: &answer{body: "x"}}, 2, "indexed"},
		{"a reset, then an answer", answer{err: reset, then: &answer{body: "x"}}, 2, "indexed"},
		{"resets for ever", answer{err: reset}, 3, "failed: reset: connection reset"},
		{"404", answer{status: 404}, 1, "failed: http 404"},
		{"410", answer{status: 410}, 1, "failed: http 410"},
		{"a fault that another try does not mend", answer{err: &fetch.Error{Kind: fetch.KindEncoding, Status: 200}}, 1, "failed: encoding"},
		{"a fault that is tried once more", answer{err: &fetch.Error{Kind: fetch.KindEncoding, Status: 200, Retry: true, Once: true}}, 2, "failed: encoding"},
		{"a redirect to nowhere", answer{status: 302}, 1, "failed: http 302 without Location"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := newCrawl(t, map[string]answer{"http://a.test/": links("/p"), "http://a.test/p": tc.page}, "http://a.test/")
				c.run(Options{})
				c.wants(map[string]string{"http://a.test/p": tc.want})
				if n := c.web.count("http://a.test/p"); n != tc.tries {
					t.Errorf("%d requests; want %d", n, tc.tries)
				}
			})
		})
	}
}

// TestUnreachableHostIsNotTriedForLong gives up at once on names that do not
// exist and on ports where nobody ever listened.
func TestUnreachableHostIsNotTriedForLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		refused := &fetch.Error{Kind: fetch.KindRefused, Retry: true, Err: errors.New("connection refused")}
		c := newCrawl(t, map[string]answer{
			"http://a.test/":              links("http://gone.test/1", "http://gone.test/2", "http://shut.test/1", "http://shut.test/2"),
			"http://shut.test/robots.txt": {err: refused},
		}, "http://a.test/")
		c.web.unknown = map[string]error{"gone.test": &fetch.Error{Kind: fetch.KindDNSNotFound, Err: errors.New("no such host")}}
		c.settings.Scope = ScopeAny
		start := time.Now()
		c.run(Options{})
		c.wants(map[string]string{
			"http://gone.test/1": "failed: dns-not-found", "http://gone.test/2": "failed: dns-not-found",
			"http://shut.test/1": "failed: refused", "http://shut.test/2": "failed: refused",
		})
		if n := c.web.count("http://shut.test/robots.txt"); n != 1 {
			t.Errorf("%d connections to a port that refuses them; want 1", n)
		}
		if took := time.Since(start); took > time.Minute {
			t.Errorf("the crawl took %v", took)
		}
	})
}

// TestGapBetweenRequests checks the log of a whole crawl: one request at a time
// and the promised gap, for a host and for two hosts at one address.
func TestGapBetweenRequests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		answers := map[string]answer{
			"http://a.test/":           links("/1", "/2", "/slow", "/3", "http://b.test/1", "http://b.test/2"),
			"http://a.test/slow":       {body: "x", takes: 3 * time.Second},
			"http://b.test/robots.txt": {body: "User-agent: *\nCrawl-delay: 40"},
		}
		c := newCrawl(t, answers, "http://a.test/")
		c.web.addrs = map[string]netip.Addr{"a.test": netip.MustParseAddr("198.51.100.7"), "b.test": netip.MustParseAddr("198.51.100.7")}
		c.settings.Scope, c.settings.NoSitemaps = ScopeAny, true
		c.run(Options{Workers: 8})
		byHost := map[string][]visit{}
		for i, v := range c.web.log {
			if i > 0 {
				if gap := v.start.Sub(c.web.log[i-1].end); gap < 500*time.Millisecond {
					t.Errorf("%s came %v after %s at the same address; want 500ms", v.url, gap, c.web.log[i-1].url)
				}
			}
			host := v.url[:len("http://a.test")]
			byHost[host] = append(byHost[host], v)
		}
		for host, visits := range byHost {
			for i := 1; i < len(visits); i++ {
				before := visits[i-1]
				want := max(2*time.Second, 5*before.end.Sub(before.start))
				if host == "http://b.test" {
					want = 40 * time.Second
				}
				if gap := visits[i].start.Sub(before.end); gap < want {
					t.Errorf("%s came %v after %s; want %v", visits[i].url, gap, before.url, want)
				}
			}
		}
		if len(byHost["http://b.test"]) != 3 {
			t.Errorf("b.test got %d requests; want 3", len(byHost["http://b.test"]))
		}
	})
}

// TestLimits ends runs by their limits; the next run goes on.
func TestLimits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCrawl(t, map[string]answer{
			"http://a.test/":  links("/1", "/2", "/3"),
			"http://a.test/1": {body: "1"}, "http://a.test/2": {body: "2"}, "http://a.test/3": {body: "3"},
		}, "http://a.test/")
		c.settings.NoSitemaps = true
		for want := 2; want <= 4; want += 2 {
			c.run(Options{MaxPages: 2, Workers: 4})
			if n := len(c.web.requested()); n != want {
				t.Errorf("%d pages were requested; want %d", n, want)
			}
		}
		c.wantIndexed("http://a.test/", "http://a.test/1", "http://a.test/2", "http://a.test/3")
	})
}

// TestChangedSettings goes on with a crawl under another scope: what was
// refused is taken up, what waits and is not wanted any more is not fetched.
func TestChangedSettings(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCrawl(t, map[string]answer{
			"http://a.test/":     links("/deep", "/drop", "http://b.test/"),
			"http://a.test/deep": {body: "deep"}, "http://a.test/drop": {body: "drop"}, "http://b.test/": {body: "b"},
		}, "http://a.test/")
		c.settings.NoSitemaps = true
		c.run(Options{MaxPages: 1})
		c.wants(map[string]string{"http://b.test/": "out-of-scope", "http://a.test/drop": "waiting"})
		c.settings.Scope, c.settings.Exclude = ScopeAny, []string{"*/drop"}
		db := c.open(storage.Options{})
		cr, err := New(db, c.web, &c.settings, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if n, err := cr.Rejudge(db.Refused); n != 1 || err != nil {
			t.Errorf("Rejudge = %d, %v; want 1", n, err)
		}
		if _, err := cr.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		c.close(db)
		c.wants(map[string]string{"http://b.test/": "indexed", "http://a.test/drop": "excluded: --exclude", "http://a.test/deep": "indexed"})
	})
}

// TestOtherNormalisationRulesAreRefused opens a crawl under other rules.
func TestOtherNormalisationRulesAreRefused(t *testing.T) {
	c := newCrawl(t, nil, "http://a.test/")
	db := c.open(storage.Options{Create: true, Norm: "0 other"})
	defer c.close(db)
	_, err := New(db, c.web, &c.settings, Options{})
	if err == nil || !strings.Contains(err.Error(), `"0 other"`) || !strings.Contains(err.Error(), "another directory") {
		t.Errorf("New = %v; want an error that names both rules and the way out", err)
	}
}

// A failingStore fails after some commits.
type failingStore struct {
	*storage.DB
	left   int
	failed chan struct{}
}

func (s *failingStore) Append(c storage.Commit) {
	if s.left--; s.left == 0 {
		close(s.failed)
	}
	if s.left > 0 {
		s.DB.Append(c)
	}
}

func (s *failingStore) Failed() <-chan struct{} { return s.failed }
func (s *failingStore) Err() error              { return errors.New("the disk is full") }

// TestStoreFailureEndsTheRun ends a crawl whose store cannot write any more.
func TestStoreFailureEndsTheRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCrawl(t, map[string]answer{"http://a.test/": links("/1", "/2", "/3", "/4", "/5")}, "http://a.test/")
		db := c.open(storage.Options{Create: true, Norm: c.norm().ID()})
		defer c.close(db)
		store := &failingStore{DB: db, left: 4, failed: make(chan struct{})}
		cr, err := New(store, c.web, &c.settings, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := cr.Run(t.Context()); err == nil || err.Error() != "the disk is full" {
			t.Errorf("Run = %v; want the store's error", err)
		}
		if n := len(c.web.log); n > 4 {
			t.Errorf("%d requests; want none after the failure", n)
		}
	})
}

// TestInterruptFinishesWhatIsUnderWay cancels a crawl while a request is under
// way: it is finished and committed.
func TestInterruptFinishesWhatIsUnderWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCrawl(t, map[string]answer{"http://a.test/": {body: `<a href=1>x</a>`, takes: 10 * time.Second}}, "http://a.test/")
		db := c.open(storage.Options{Create: true, Norm: c.norm().ID()})
		cr, err := New(db, c.web, &c.settings, Options{})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 8*time.Second)
		defer cancel()
		sum, err := cr.Run(ctx)
		if err != nil || !sum.Interrupted {
			t.Errorf("Run = %+v, %v; want an interrupted run", sum, err)
		}
		c.close(db)
		c.wantIndexed("http://a.test/")
		if !slices.Contains(c.web.requested(), "http://a.test/") || sum.Counts[frontier.Waiting] == 0 {
			t.Errorf("requested were %v, %d wait; want the page requested and its link waiting", c.web.requested(), sum.Counts[frontier.Waiting])
		}
	})
}

// TestCleanParamHoldsAfterRestart stops a crawl and goes on with it: a link from
// another host is known by its clean key before the host's rules are needed.
func TestCleanParamHoldsAfterRestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCrawl(t, map[string]answer{
			"http://a.test/":           links("http://b.test/", "/2"),
			"http://b.test/":           links("/p?ref=1"),
			"http://a.test/2":          links("http://b.test/p?ref=2"),
			"http://b.test/robots.txt": {body: "User-agent: *\nClean-param: ref /p"},
			"http://b.test/p?ref=1":    {body: "p"},
			"http://a.test/robots.txt": {body: "User-agent: *\nCrawl-delay: 20"},
		}, "http://a.test/")
		c.settings.Scope, c.settings.NoSitemaps = ScopeAny, true
		c.run(Options{MaxTime: 30 * time.Second})
		if n := c.web.count("http://b.test/p?ref=1"); n != 1 || c.web.count("http://a.test/2") != 0 {
			t.Fatalf("requested were %v; the test needs the page of b.test, and not the second of a.test", c.web.requested())
		}
		c.run(Options{})
		if n := c.web.count("http://b.test/p?ref=2"); n != 0 || c.web.count("http://a.test/2") != 1 {
			t.Errorf("requested were %v; want no other spelling of the page", c.web.requested())
		}
	})
}

// TestOriginIsGivenUpForOneRoundOnly has a crawl that goes on for ever find a new
// link to a host whose name did not exist before.
func TestOriginIsGivenUpForOneRoundOnly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCrawl(t, map[string]answer{
			"http://a.test/":    links("http://b.test/"),
			"http://b.test/new": {body: "<title>new</title>new"},
		}, "http://a.test/")
		c.settings.Scope = ScopeAny
		c.web.unknown = map[string]error{"b.test": &fetch.Error{Kind: fetch.KindDNSNotFound, Err: errors.New("no such host")}}
		db := c.open(storage.Options{Create: true, Norm: c.norm().ID()})
		cr, err := New(db, c.web, &c.settings, Options{})
		if err != nil {
			t.Fatal(err)
		}
		rounds := 0
		_, err = cr.run(t.Context(), func(context.Context, time.Time) bool {
			if rounds++; rounds > 1 {
				return false
			}
			c.web.unknown = nil
			cr.frontier.Add([]frontier.Link{{URL: "http://b.test/new", Key: "http://b.test/new", Host: "b.test", Class: frontier.ClassLink}},
				func(ch frontier.Changes) { db.Append(storage.Commit{Changes: ch}) })
			return true
		})
		if err != nil {
			t.Fatal(err)
		}
		c.close(db)
		c.wants(map[string]string{"http://b.test/": "failed: dns-not-found", "http://b.test/new": "indexed"})
	})
}
