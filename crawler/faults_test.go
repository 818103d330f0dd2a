package crawler

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hashcrawl/hashcrawl/crawler/fetch"
	"github.com/hashcrawl/hashcrawl/crawler/fetch/faultserver"
	"github.com/hashcrawl/hashcrawl/crawler/sitemap"
	"github.com/hashcrawl/hashcrawl/frontier"
	"github.com/hashcrawl/hashcrawl/storage"
)

// docs/faults.md lists every fault of the corpus with the tests that make it.
// Faults of one answer are made in package fetch; here they are met in a crawl.

// TestFaultsInACrawl crawls pages that a broken server sends. Each gets its
// outcome, and the crawl goes on.
func TestFaultsInACrawl(t *testing.T) {
	const mib = 1 << 20
	for _, tc := range []struct {
		path string // of the fault server; the id stands before the first "-"
		want string // outcome: reason
		cut  fetch.Truncation
		size int64    // of the body kept; -1: not looked at
		then []string // paths that must have been asked for because of it
	}{
		{path: "/B01", want: "indexed", cut: fetch.CutSize, size: mib},
		{path: "/B02", want: "not-html: application/gzip", size: int64(len(faultserver.Bomb()))},
		{path: "/B02.xml.gz", want: "not-html: application/xml", size: int64(len(faultserver.Bomb()))},
		{path: "/B04", want: "indexed", size: 12},
		{path: "/B05", want: "failed: encoding"},
		{path: "/B06", want: "failed: encoding"},
		{path: "/B08", want: "indexed"},
		{path: "/B09", want: "indexed", cut: fetch.CutShort, size: -1, then: []string{"/p/0/0", "/p/9e3779b1/1"}},
		{path: "/B10", want: "indexed", cut: fetch.CutSize, size: mib, then: []string{"/p/0/0"}},
		{path: "/B11", want: "indexed", cut: fetch.CutSize, size: mib},
		{path: "/B13", want: "indexed", cut: fetch.CutTime, size: -1},
		{path: "/B14", want: "indexed", cut: fetch.CutIdle, size: 11, then: []string{"/x"}},
		{path: "/H01", want: "failed: header-size"},
		{path: "/H02", want: "failed: header-size"},
		{path: "/H03", want: "failed: header-size"},
		{path: "/H04-letters", want: "failed: protocol"},
		{path: "/H04-html", want: "failed: protocol"},
		{path: "/H04-ssh", want: "failed: protocol"},
		{path: "/H05", want: "not-html", size: 2}, // it has no Content-Type, and is no HTML
		{path: "/H05-lf", want: "not-html", size: 2},
		{path: "/H06", want: "indexed", cut: fetch.CutShort, size: 2},
		{path: "/H06-404", want: "failed: http 404", cut: fetch.CutShort, size: 2},
		{path: "/H07", want: "indexed", size: 1},
		{path: "/H08", want: "failed: protocol"},
		{path: "/H09", want: "indexed", cut: fetch.CutShort, size: 2},
		{path: "/H10", want: "indexed", cut: fetch.CutShort, size: 2},
		{path: "/H11", want: "failed: protocol"},
		{path: "/H11-space", want: "indexed", size: 2},
		{path: "/H12", want: "indexed", size: 12},
		{path: "/R01", want: "failed: redirects to itself", size: -1},
		{path: "/R05-file", want: `failed: redirects to "file:///etc/passwd"`, size: -1},
		{path: "/R05-js", want: `failed: redirects to "javascript:`, size: -1},
		{path: "/R06", want: `failed: redirects to "http://[::1:80/`, size: -1},
		{path: "/R06-empty", want: "failed: http 302 without Location", size: -1},
		{path: "/R06-none", want: "failed: http 302 without Location", size: -1},
		{path: "/C01", want: "indexed", size: 2},
	} {
		t.Run(strings.TrimPrefix(tc.path, "/"), func(t *testing.T) {
			s := startFaults(t)
			s.Handle("/", func(c *faultserver.Conn) bool {
				return c.Page("<title>start</title><a href=/fine>x</a><a href=" + tc.path + ">x</a>")
			})
			c := newRealCrawl(t, localURL(s, "localhost", "/"))
			c.fetch.MaxBody = mib
			c.fetch.Timeouts = fetch.Timeouts{Idle: 300 * time.Millisecond}
			if tc.cut == fetch.CutTime {
				c.fetch.Timeouts.Total = time.Second
			}
			c.settings.MaxDepth = 2
			c.run(Options{MaxPages: 10, Workers: 4})
			url := localURL(s, "localhost", tc.path)
			c.wants(map[string]string{url: tc.want, localURL(s, "localhost", "/fine"): "indexed"})
			page := c.record(url)
			if page.Truncated != string(tc.cut) || tc.size >= 0 && page.Bytes != tc.size {
				t.Errorf("of %s %d bytes are kept, truncated %q; want %d, %q", tc.path, page.Bytes, page.Truncated, tc.size, tc.cut)
			}
			hits := 0
			var asked []string
			for _, r := range s.Requests() {
				asked = append(asked, r.Target())
				if r.Target() == tc.path {
					hits++
				}
			}
			if hits != 1 {
				t.Errorf("%s was asked for %d times; want once", tc.path, hits)
			}
			for _, want := range tc.then {
				if !slices.Contains(asked, want) {
					t.Errorf("%s was not asked for; the links of the kept part are %v", want, asked)
				}
			}
		})
	}
}

// TestBombAsSitemap is B03: robots.txt names a sitemap that is a bomb, packed as
// a file or for the way.
func TestBombAsSitemap(t *testing.T) {
	for _, path := range []string{"/B02.xml.gz", "/B01"} {
		s := startFaults(t)
		s.Handle("/robots.txt", func(c *faultserver.Conn) bool { return c.Page("Sitemap: "+path+"\n", "Content-Type: text/plain") })
		c := newRealCrawl(t, localURL(s, "localhost", "/"))
		c.settings.NoSitemaps = false
		faultserver.Bomb()
		runtime.GC()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		c.run(Options{})
		runtime.ReadMemStats(&after)
		if grown := after.HeapAlloc - min(before.HeapAlloc, after.HeapAlloc); grown > sitemap.MaxBytes+64<<20 {
			t.Errorf("%s: the heap grew by %d bytes", path, grown)
		}
		if r := c.record(localURL(s, "localhost", path)); r.Outcome != frontier.SitemapRead || r.Reason == "" {
			t.Errorf("%s: %v, %q; want a sitemap that was not read to its end", path, r.Outcome, r.Reason)
		}
		c.wants(map[string]string{localURL(s, "localhost", "/"): "indexed"})
	}
}

// TestLargeSitemapIsReadWhole reads a sitemap beyond the limit of pages.
func TestLargeSitemapIsReadWhole(t *testing.T) {
	var b strings.Builder
	b.WriteString("<urlset>")
	for i := range 40_000 {
		fmt.Fprintf(&b, "<url><loc>http://elsewhere.test/%060d</loc></url>\n", i)
	}
	s := startFaults(t)
	s.Handle("/map.xml", func(c *faultserver.Conn) bool { return c.Page(b.String(), "Content-Type: application/xml") })
	c := newRealCrawl(t, localURL(s, "localhost", "/"))
	c.fetch.MaxBody = 1 << 20
	c.settings.Sitemaps = []string{localURL(s, "localhost", "/map.xml")}
	sum := c.run(Options{})
	if n := sum.Counts[frontier.OutOfScope]; n != 40_000 || b.Len() < 3<<20 {
		t.Errorf("of a sitemap of %d bytes %d entries were read; want 40000", b.Len(), n)
	}
}

// TestHostsThatDoNotAnswerAreParked is the second half of B17: five resets in a
// row, tries of one page or of several, and the host is left alone; it can be resumed.
func TestHostsThatDoNotAnswerAreParked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCrawl(t, map[string]answer{"http://a.test/": links("/1", "/2", "/3", "/4", "/5", "/6"), "http://a.test/robots.txt": {status: 404}}, "http://a.test/")
		c.web.serve = func(string) answer {
			return answer{err: &fetch.Error{Kind: fetch.KindReset, Retry: true, Err: errors.New("connection reset")}}
		}
		c.settings.NoSitemaps = true
		sum := c.run(Options{})
		if len(sum.Stuck) != 1 || len(c.web.log) != 7 {
			t.Errorf("%d requests, stuck are %v; want 2 good ones, 5 resets and the host stuck", len(c.web.log), sum.Stuck)
		}
		c.web.serve = func(string) answer { return answer{body: "x"} }
		c.run(Options{})
		c.wants(map[string]string{"http://a.test/1": "failed: reset", "http://a.test/6": "indexed"})
	})
}

// TestContentTypes is H12: what is parsed is HTML, whatever it is called.
func TestContentTypes(t *testing.T) {
	const page, png = `<html><a href="/found">x</a>`, "\x89PNG\r\n\x1a\n\x00\x00<html><a href=/not>x</a>"
	for _, tc := range []struct{ ct, body, want string }{
		{"text/html", page, "indexed"},
		{"TEXT/HTML;charset=UTF-8", page, "indexed"},
		{"application/xhtml+xml", page, "indexed"},
		{";;;===", page, "indexed"},
		{"html", page, "indexed"},
		{"text/html; charset", page, "indexed"},
		{"text/html", "just words, and \x00 a NUL", "indexed"},
		{"text/html", "", "indexed"},
		{"text/html", png, "not-html"},
		{"text/html", "%PDF-1.7 <a href=/not>", "not-html"},
		{";;;===", png, "not-html"},
		{"text/plain", page, "not-html"},
		{"application/json", page, "not-html"},
	} {
		synctest.Test(t, func(t *testing.T) {
			c := newCrawl(t, map[string]answer{
				"http://a.test/":  links("/p"),
				"http://a.test/p": {body: tc.body, header: http.Header{"Content-Type": {tc.ct}}},
			}, "http://a.test/")
			c.settings.NoSitemaps = true
			c.run(Options{})
			if got, _ := c.outcome("http://a.test/p"); got.String() != tc.want {
				t.Errorf("Content-Type %q, body %.20q: %v; want %s", tc.ct, tc.body, got, tc.want)
			}
			if found := c.web.count("http://a.test/found") > 0; found != (tc.body == page && tc.want == "indexed") {
				t.Errorf("Content-Type %q, body %.20q: its link was followed: %v", tc.ct, tc.body, found)
			}
			if c.web.count("http://a.test/not") > 0 {
				t.Errorf("Content-Type %q: a link in what is not HTML was followed", tc.ct)
			}
		})
	}
}

// TestRedirectToAnotherOrigin is R04: the target waits for its own robots.txt
// and its own gap.
func TestRedirectToAnotherOrigin(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCrawl(t, map[string]answer{
			"http://a.test/":                {status: 302, location: "http://b.test:8081/x"},
			"http://b.test:8081/robots.txt": {body: "User-agent: *\nCrawl-delay: 9"},
			"http://b.test:8081/x":          {body: "x"},
		}, "http://a.test/")
		c.settings.Scope, c.settings.NoSitemaps = ScopeAny, true
		c.run(Options{})
		var urls []string
		for _, v := range c.web.log {
			urls = append(urls, v.url)
		}
		want := []string{"http://a.test/robots.txt", "http://a.test/", "http://b.test:8081/robots.txt", "http://b.test:8081/x"}
		if !slices.Equal(urls, want) {
			t.Fatalf("requested were %v; want %v", urls, want)
		}
		if gap := c.web.log[3].start.Sub(c.web.log[2].end); gap != 9*time.Second {
			t.Errorf("the target came %v after its robots.txt; want its Crawl-delay of 9s", gap)
		}
	})
}

// TestPrivateTargetsAreNotDialled is R07: a public site redirects and links to
// addresses that are not public. Nothing arrives there.
func TestPrivateTargetsAreNotDialled(t *testing.T) {
	inside := startFaults(t)
	_, port, _ := net.SplitHostPort(inside.Addr())
	targets := []string{
		"http://169.254.169.254/latest/meta-data/", "http://127.0.0.1:" + port + "/", "http://[::1]:" + port + "/",
		"http://[::ffff:127.0.0.1]:" + port + "/", "http://2130706433:" + port + "/", "http://0x7f.1:" + port + "/",
		"http://[fd00:ec2::254]/", "http://10.0.0.1/", "http://inside.test:" + port + "/", "http://0:" + port + "/",
	}
	s := startFaults(t)
	s.Handle("/", func(c *faultserver.Conn) bool {
		var b strings.Builder
		for i := range targets {
			fmt.Fprintf(&b, "<a href=/r%d>x</a>", i)
		}
		return c.Page(b.String())
	})
	for i, target := range targets {
		s.Handle(fmt.Sprint("/r", i), func(c *faultserver.Conn) bool { return c.Answer("302 Found", "", "Location: "+target) })
	}
	c := newRealCrawl(t, localURL(s, "site.test", "/"))
	c.settings.Scope, c.settings.Contact = ScopeAny, "who@a.test"
	*c.settings.Delay = Duration(time.Millisecond)
	c.fetch.AllowLoopback, c.fetch.AllowHosts = false, []string{"site.test"}
	c.run(Options{Workers: 8, MaxTime: 20 * time.Second})
	if n := inside.Conns(); n != 0 {
		t.Errorf("%d connections arrived at the address that is not public", n)
	}
	for _, target := range targets {
		if o, why := c.outcome(target); o != frontier.Failed || !strings.HasPrefix(why, string(fetch.KindGuard)) {
			t.Errorf("%s: %v, %s; want refused by the guard", target, o, why)
		}
	}
}

// TestCredentialsStayAway is R09: userinfo of a seed goes to no host at all, its
// own not and not the one it redirects to.
func TestCredentialsStayAway(t *testing.T) {
	s, other := startFaults(t), startFaults(t)
	s.Handle("/", func(c *faultserver.Conn) bool {
		return c.Answer("302 Found", "", "Location: "+localURL(other, "user:secret@localhost", "/to"), "WWW-Authenticate: Basic realm=x")
	})
	c := newRealCrawl(t, localURL(s, "user:secret@localhost", "/"))
	c.settings.Scope = ScopeAny
	c.run(Options{})
	requests := append(s.Requests(), other.Requests()...)
	if len(other.Requests()) == 0 {
		t.Error("the redirect was not followed; the test proves nothing")
	}
	for _, r := range requests {
		if all := r.Line + strings.Join(r.Fields, "\n"); strings.Contains(all, "secret") || r.Field("Authorization") != "" {
			t.Errorf("a request holds credentials:\n%s", all)
		}
	}
}

// TestUserinfoOfLinksMakesNoOtherPages has links, a base, a redirect and a canonical
// with names and passwords: each page is asked for once, and its URL has none.
func TestUserinfoOfLinksMakesNoOtherPages(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCrawl(t, map[string]answer{
			"http://a.test/":                         links("http://me:pw@a.test/1", "/2", "http://you@a.test/app#!s"),
			"http://a.test/1":                        links("/2", "3", "http://other@a.test/"),
			"http://a.test/2":                        {body: `<base href="http://me:pw@a.test/dir/"><a href="4">x</a><a href="/3">x</a>`},
			"http://a.test/3":                        {status: 301, location: "http://me:pw@a.test/5"},
			"http://a.test/5":                        {body: `<link rel=canonical href="http://me@a.test/5"><a href="/1">x</a>`},
			"http://a.test/app":                      {body: "app"},
			"http://a.test/dir/4":                    links("5", "/5"),
			"http://a.test/app?_escaped_fragment_=s": links("/2", "#!s"),
		}, "http://a.test/")
		c.run(Options{})
		seen := map[string]bool{}
		for _, v := range c.web.log {
			if seen[v.url] || strings.Contains(v.url, "@") {
				t.Errorf("%s was asked for", v.url)
			}
			seen[v.url] = true
		}
		c.wantIndexed("http://a.test/", "http://a.test/1", "http://a.test/2", "http://a.test/5", "http://a.test/app#!s", "http://a.test/dir/4")
		c.wantWhole()
	})
}

// TestRefreshesAreRedirects is R10: immediate refreshes count as redirects, in
// circles and in chains.
func TestRefreshesAreRedirects(t *testing.T) {
	refresh := func(to string) answer {
		return answer{body: `<meta http-equiv=refresh content="0; url=` + to + `">`}
	}
	synctest.Test(t, func(t *testing.T) {
		c := newCrawl(t, map[string]answer{
			"http://a.test/":     links("/a", "/once", "/self", "/slow", "/c0"),
			"http://a.test/a":    refresh("/b"),
			"http://a.test/b":    refresh("/a"),
			"http://a.test/once": refresh("/target"), "http://a.test/target": {body: "x"},
			"http://a.test/self": {body: `<meta http-equiv=refresh content="0">`},
			"http://a.test/slow": {body: `<meta http-equiv=refresh content="30; url=/later">`}, "http://a.test/later": {body: "x"},
		}, "http://a.test/")
		for i := range 20 {
			c.web.answers[fmt.Sprintf("http://a.test/c%d", i)] = refresh(fmt.Sprintf("/c%d", i+1))
		}
		c.settings.NoSitemaps = true
		c.run(Options{})
		c.wants(map[string]string{
			"http://a.test/a": "redirect", "http://a.test/b": "redirect", "http://a.test/once": "redirect",
			"http://a.test/target": "indexed", "http://a.test/self": "indexed", "http://a.test/slow": "indexed",
			"http://a.test/later": "indexed", "http://a.test/c10": "redirect",
		})
		for url, want := range map[string]int{"http://a.test/a": 1, "http://a.test/b": 1, "http://a.test/c10": 1, "http://a.test/c19": 0} {
			if n := c.web.count(url); n != want {
				t.Errorf("%s was asked for %d times; want %d", url, n, want)
			}
		}
	})
}

// TestCharsetLies is X01: whatever is declared, the links are right.
func TestCharsetLies(t *testing.T) {
	const utf8, gbk = "/\xe4\xbd\xa0?q=\xe5\xa5\xbd", "/\xc4\xe3?q=\xba\xc3" // 你 and 好
	text8, textGBK := strings.Repeat("\xe4\xbd\xa0\xe5\xa5\xbd ", 20), strings.Repeat("\xc4\xe3\xba\xc3 ", 20)
	utf16 := "\xfe\xff"
	for _, r := range `<a href="/你">x</a>` {
		utf16 += string([]byte{byte(r >> 8), byte(r)})
	}
	for _, tc := range []struct{ name, ct, body, want string }{
		{"header gbk, body UTF-8", "text/html; charset=gbk", `<a href="` + utf8 + `">` + text8 + `</a>`, "http://a.test/%E4%BD%A0?q=%E5%A5%BD"},
		{"header utf-8, meta gbk", "text/html; charset=utf-8", `<meta charset=gbk><a href="` + utf8 + `">` + text8 + `</a>`, "http://a.test/%E4%BD%A0?q=%E5%A5%BD"},
		{"meta gbk alone", "text/html", `<meta charset=gbk><a href="` + gbk + `">` + textGBK + `</a>`, "http://a.test/%E4%BD%A0?q=%BA%C3"},
		{"UTF-16 with a BOM", "text/html", utf16, "http://a.test/%E4%BD%A0"},
		{"unknown charset", "text/html; charset=foo", `<a href="` + utf8 + `">` + text8 + `</a>`, "http://a.test/%E4%BD%A0?q=%E5%A5%BD"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := newCrawl(t, map[string]answer{"http://a.test/": {body: tc.body, header: http.Header{"Content-Type": {tc.ct}}}}, "http://a.test/")
				c.settings.NoSitemaps = true
				c.run(Options{})
				if got := c.web.requested(); len(got) != 2 || got[1] != tc.want {
					t.Errorf("requested were %q; want %q", got, tc.want)
				}
				c.wants(map[string]string{"http://a.test/": "indexed"})
			})
		})
	}
}

// TestHostileMarkupInACrawl is X02 to X05: broken bytes, deep nesting, and links
// that lead nowhere. What can be found is, and nothing else is asked for.
func TestHostileMarkupInACrawl(t *testing.T) {
	for _, tc := range []struct {
		name, body string
		want       []string // requested beside the page
	}{
		{
			name: "X02", body: "<p\x00 class=\"\xff\xfe\"><a href=\"/a\x00b\">x</a>\x01\x02<a title=\"\xff\" href=/next>\xc3</a>",
			want: []string{"http://a.test/a%EF%BF%BDb", "http://a.test/next"},
		},
		{
			name: "X03", body: strings.Repeat("<div>", 100_000) + `<a href=/end>x</a>`,
			want: []string{"http://a.test/end"},
		},
		{name: "X04 tables", body: strings.Repeat("<table><td>", 90_000) + `<a href=/end>x</a>`, want: []string{"http://a.test/end"}},
		{name: "X04 attributes", body: "<p " + strings.Repeat("a=b ", 100_000) + "><a href=/end>x</a>", want: []string{"http://a.test/end"}},
		{name: "X04 comment", body: `<a href=/end>x</a><!-- <a href=/not>x</a>`, want: []string{"http://a.test/end"}},
		{name: "X04 script", body: `<a href=/end>x</a><script>"<a href=/not>x</a>"`, want: []string{"http://a.test/end"}},
		{
			name: "X05", body: `<a href="javascript:alert(1)">x</a><a href="data:text/html,x">x</a><a href="mailto:x@a.test">x</a>
				<a href="/` + strings.Repeat("x", 2<<20) + `">x</a><a href="http://">x</a><a href="//">x</a><a href="?">x</a>
				<a href="#!">x</a><a href="#">x</a><a href="\\evil.test\x">x</a><a href="http://evil.test:99999/">x</a>
				<a href="http://a.test./dot">x</a><a href="tel:1">x</a><a href="ftp://a.test/">x</a><a href=" /blank ">x</a>`,
			want: []string{"http://a.test/?_escaped_fragment_=", "http://a.test./dot", "http://a.test/blank"},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := newCrawl(t, map[string]answer{"http://a.test/": {body: tc.body}}, "http://a.test/")
				c.settings.NoSitemaps = true
				c.run(Options{})
				got := c.web.requested()[1:]
				slices.Sort(got)
				slices.Sort(tc.want)
				for _, url := range got {
					if !slices.Contains(tc.want, url) {
						t.Errorf("%.100s was asked for; want only %v", url, tc.want)
					}
				}
				if tc.name != "X05" && !slices.Equal(got, tc.want) {
					t.Errorf("requested were %q; want %q", got, tc.want)
				}
				c.wants(map[string]string{"http://a.test/": "indexed"})
			})
		})
	}
}

// TestUnreachableRobots is S04: as long as a robots.txt cannot be had, nothing
// of its origin is asked for, and it is asked for again and again, later and
// later. Status says why.
func TestUnreachableRobots(t *testing.T) {
	failing := func(k fetch.Kind) answer {
		return answer{err: &fetch.Error{Kind: k, Retry: true, Err: errors.New("x")}}
	}
	for name, robot := range map[string]answer{
		"500": {status: 500}, "503": {status: 503}, "429": {status: 429}, "timeout": failing(fetch.KindTimeoutHeader),
		"cut": {body: "User-agent: *\nDis", cut: fetch.CutShort}, "reset": failing(fetch.KindReset),
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := newCrawl(t, map[string]answer{"http://a.test/": {body: "x"}, "http://a.test/robots.txt": robot}, "http://a.test/")
				sum := c.run(Options{})
				if n := c.web.count("http://a.test/robots.txt"); n != 5 || len(c.web.log) != 5 || len(sum.Stuck) != 1 {
					t.Errorf("%d of %d requests are for robots.txt, stuck are %v; want 5 of 5 and the host", n, len(c.web.log), sum.Stuck)
				}
				for i := 1; i < len(c.web.log); i++ {
					if gap := c.web.log[i].start.Sub(c.web.log[i-1].end); gap < promisedBackoff<<(i-1) {
						t.Errorf("try %d came after %v; want %v", i+1, gap, promisedBackoff<<(i-1))
					}
				}
				if s := c.status(); len(s.Paused) != 1 || s.Paused[0].Why != "parked" || !s.Paused[0].Unreachable || s.Waiting != 1 {
					t.Errorf("status tells of %+v; want the host, parked", s.Paused)
				}
				c.web.answers["http://a.test/robots.txt"] = answer{status: 404}
				c.run(Options{})
				c.wantIndexed("http://a.test/")
			})
		})
	}
}

// TestUnverifiedRobots is the TLS error of S04: nothing is asked for, and the
// pages say why.
func TestUnverifiedRobots(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCrawl(t, map[string]answer{
			"https://a.test/":           {body: "x"},
			"https://a.test/robots.txt": {err: &fetch.Error{Kind: fetch.KindTLS, Err: errors.New("certificate has expired")}},
		}, "https://a.test/")
		c.run(Options{})
		if n := c.web.count("https://a.test/"); n != 0 {
			t.Errorf("the page was asked for %d times", n)
		}
		c.wants(map[string]string{"https://a.test/": "failed: tls: certificate has expired"})
	})
}

// TestStaleRobotsServe lets a robots.txt fail when it is to be refreshed: the
// older copy counts meanwhile.
func TestStaleRobotsServe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCrawl(t, map[string]answer{
			"http://a.test/":           links("/1", "/secret"),
			"http://a.test/robots.txt": {body: "User-agent: *\nDisallow: /secret", then: &answer{status: 500}},
			"http://a.test/1":          {body: "x"},
		}, "http://a.test/")
		c.settings.NoSitemaps = true
		c.run(Options{MaxPages: 1})
		time.Sleep(25 * time.Hour)
		c.run(Options{})
		c.wants(map[string]string{"http://a.test/1": "indexed", "http://a.test/secret": "robots"})
	})
}

// TestAbsentRobotsAllow is S05, and TestRedirectedRobots S06.
func TestAbsentRobotsAllow(t *testing.T) {
	for _, status := range []int{401, 403, 404, 410} {
		synctest.Test(t, func(t *testing.T) {
			c := newCrawl(t, map[string]answer{"http://a.test/": {body: "x"}, "http://a.test/robots.txt": {status: status, body: "Disallow: /"}}, "http://a.test/")
			c.settings.NoSitemaps = true
			c.run(Options{})
			if len(c.web.log) != 2 {
				t.Errorf("status %d: %d requests; want 2", status, len(c.web.log))
			}
			c.wantIndexed("http://a.test/")
		})
	}
}

func TestRedirectedRobots(t *testing.T) {
	hops := func(n int, last answer) map[string]answer {
		m := map[string]answer{"http://a.test/robots.txt": {status: 301, location: "/h1"}}
		for i := 1; i < n; i++ {
			m[fmt.Sprint("http://a.test/h", i)] = answer{status: 302, location: fmt.Sprint("/h", i+1)}
		}
		m[fmt.Sprint("http://a.test/h", n)] = last
		return m
	}
	rules := answer{body: "User-agent: *\nDisallow: /"}
	for _, tc := range []struct {
		name    string
		answers map[string]answer
		want    string
	}{
		{"five hops", hops(5, rules), "robots"},
		{"six hops are as good as none", hops(6, rules), "indexed"},
		{"a circle", map[string]answer{"http://a.test/robots.txt": {status: 301, location: "/robots.txt"}}, "indexed"},
		{"another host: the rules count for the first", map[string]answer{
			"http://a.test/robots.txt": {status: 301, location: "http://b.test/r"}, "http://b.test/r": rules,
		}, "robots"},
		{"an HTML page holds no rules", map[string]answer{
			"http://a.test/robots.txt": {status: 302, location: "/home"}, "http://a.test/home": {body: "<html><p>Disallow: /</p></html>"},
		}, "indexed"},
		{"to nowhere", map[string]answer{"http://a.test/robots.txt": {status: 302, location: "gopher://a.test/"}}, "indexed"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := newCrawl(t, tc.answers, "http://a.test/")
				c.web.answers["http://a.test/"] = answer{body: "x"}
				c.settings.NoSitemaps = true
				c.run(Options{})
				c.wants(map[string]string{"http://a.test/": tc.want})
				for i := 1; i < len(c.web.log); i++ {
					if a, b := c.web.log[i-1], c.web.log[i]; a.host() == b.host() && b.start.Sub(a.end) < promisedGap {
						t.Errorf("%s came %v after %s", b.url, b.start.Sub(a.end), a.url)
					}
				}
			})
		})
	}
}

// TestOddRobotsInACrawl is S07: sizes and encodings.
func TestOddRobotsInACrawl(t *testing.T) {
	utf16 := "\xff\xfe"
	for _, r := range "User-agent: *\nDisallow: /secret\n" {
		utf16 += string([]byte{byte(r), 0})
	}
	for name, body := range map[string]string{
		"beyond 500 KiB":  "User-agent: *\nDisallow: /secret\n" + strings.Repeat("# padding\n", 60_000) + "Disallow: /\n",
		"20,000 stars":    "User-agent: *\nDisallow: /" + strings.Repeat("*a", 20_000) + "\nDisallow: /secret\n",
		"byte order mark": "\xef\xbb\xbfUser-agent: *\nDisallow: /secret\n",
		"CR alone":        "User-agent: *\rDisallow: /secret\r",
		"UTF-16":          utf16,
	} {
		t.Run(name, func(t *testing.T) {
			s := startFaults(t)
			s.Handle("/robots.txt", func(c *faultserver.Conn) bool { return c.Page(body, "Content-Type: text/plain") })
			s.Handle("/", func(c *faultserver.Conn) bool {
				return c.Page("<a href=/secret>x</a><a href=/" + strings.Repeat("a", 1500) + ">x</a>")
			})
			c := newRealCrawl(t, localURL(s, "localhost", "/"))
			c.run(Options{})
			c.wants(map[string]string{
				localURL(s, "localhost", "/"): "indexed", localURL(s, "localhost", "/secret"): "robots",
				localURL(s, "localhost", "/"+strings.Repeat("a", 1500)): "indexed",
			})
		})
	}
}

// TestEndComesWithinTheGrace is D05: a request that hangs does not keep an
// interrupted crawl for longer than the grace, and is made again later.
func TestEndComesWithinTheGrace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCrawl(t, map[string]answer{"http://a.test/": {body: "x", takes: 100 * time.Second}}, "http://a.test/")
		start := time.Now()
		c.during(5*time.Second, func() {})
		if took := time.Since(start); took < grace || took > grace+6*time.Second {
			t.Errorf("the crawl ended after %v; want within %v of its interruption", took, grace)
		}
		if o, _ := c.outcome("http://a.test/"); o != frontier.Waiting {
			t.Errorf("the page under way is %v; want waiting", o)
		}
		c.run(Options{})
		c.wantIndexed("http://a.test/")
	})
}

// TestIPv6Crawl is N01: a literal address in brackets, whose address is another
// one than that of IPv4.
func TestIPv6Crawl(t *testing.T) {
	s, err := faultserver.Start(faultserver.Options{Addr: "[::1]:0"})
	if err != nil {
		t.Skip("no IPv6 here: ", err)
	}
	t.Cleanup(s.Close)
	s.Handle("/", func(c *faultserver.Conn) bool { return c.Page(`<a href="/p">x</a>`) })
	_, port, _ := net.SplitHostPort(s.Addr())
	c := newRealCrawl(t, "http://[0:0:0:0:0:0:0:1]:"+port+"/")
	c.run(Options{})
	c.wantIndexed("http://[::1]:"+port+"/", "http://[::1]:"+port+"/p")
}

// TestDualStackIsTwoAddresses lets two hosts at an IPv4 and an IPv6 address be
// asked at the same time.
func TestDualStackIsTwoAddresses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCrawl(t, nil, "http://a.test/", "http://b.test/")
		c.web.addrs = map[string]netip.Addr{"a.test": netip.MustParseAddr("198.51.100.1"), "b.test": netip.MustParseAddr("2001:db8::1")}
		c.web.serve = func(string) answer { return answer{body: "x", takes: time.Second} }
		c.run(Options{})
		if a, b := c.web.log[0], c.web.log[1]; !a.start.Equal(b.start) {
			t.Errorf("the second request came %v after the first; want at the same time", b.start.Sub(a.start))
		}
	})
}

// faultRows returns the rows of docs/faults.md by the id of the fault.
func faultRows(t *testing.T) map[string]string {
	t.Helper()
	doc, err := os.ReadFile("../docs/faults.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]string{}
	for _, m := range regexp.MustCompile(`(?m)^\| ([A-Z]\d\d) \|.*$`).FindAllSubmatch(doc, -1) {
		rows[string(m[1])] = string(m[0])
	}
	return rows
}

// TestFaultsAreListedWithTheirTests holds docs/faults.md against the code: every
// row names tests, and every test that is named exists.
func TestFaultsAreListedWithTheirTests(t *testing.T) {
	tests := testNames(t)
	for id, row := range faultRows(t) {
		named := regexp.MustCompile(`(?:Test|Fuzz)\w+`).FindAllString(row, -1)
		if len(named) == 0 {
			t.Errorf("the row of %s names no test", id)
		}
		for _, name := range named {
			if !tests[name] {
				t.Errorf("the row of %s names %s, which does not exist", id, name)
			}
		}
	}
}

// TestFaultsOfTheCorpusAreListed holds docs/faults.md against the corpus: every
// fault has a row.
func TestFaultsOfTheCorpusAreListed(t *testing.T) {
	corpus := os.Getenv("HASHCRAWL_CORPUS")
	if corpus == "" {
		corpus = "../../shared/corpus"
	}
	tsv, err := os.ReadFile(filepath.Join(corpus, "faults.tsv"))
	if err != nil {
		t.Skip("no corpus at " + corpus)
	}
	rows := faultRows(t)
	for i, line := range strings.Split(strings.TrimSpace(string(tsv)), "\n") {
		id, _, _ := strings.Cut(line, "\t")
		if i > 0 && rows[id] == "" {
			t.Errorf("docs/faults.md has no row of %s", id)
		}
	}
}

// TestBadOriginDoesNotHarmItsHost links to the same host by schemes and ports
// that do not work, in each way that they can fail. The host is crawled to its
// end in the time that it takes without them, or little more.
func TestBadOriginDoesNotHarmItsHost(t *testing.T) {
	gone := func(k fetch.Kind, retry bool) answer {
		return answer{err: &fetch.Error{Kind: k, Retry: retry, Err: errors.New("x")}}
	}
	for _, tc := range []struct {
		name   string
		robots answer
		want   string
		within time.Duration
	}{
		{"a certificate that has expired", gone(fetch.KindTLS, false), "failed: tls", time.Minute},
		{"nobody listens", gone(fetch.KindRefused, true), "failed: refused", time.Minute},
		{"the port of another protocol", gone(fetch.KindGuard, false), "failed: guard", time.Minute},
		{"what answers is not HTTP", gone(fetch.KindProtocol, false), "failed: protocol", time.Minute},
		{"a firewall", gone(fetch.KindTimeoutConnect, true), "failed: robots.txt cannot be had: timeout-connect", 5 * time.Minute},
		{"an error of the server", answer{status: 500}, "failed: robots.txt cannot be had: http 500", 5 * time.Minute},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := newCrawl(t, map[string]answer{"https://a.test/robots.txt": tc.robots}, "http://a.test/")
				var refs []string
				for i := range 8 {
					refs = append(refs, fmt.Sprintf("https://a.test/s%d", i), fmt.Sprintf("/p%d", i))
				}
				c.web.answers["http://a.test/"] = links(refs...)
				for i := range 8 {
					c.web.answers[fmt.Sprintf("http://a.test/p%d", i)] = answer{body: "x"}
				}
				c.settings.NoSitemaps = true
				start := time.Now()
				sum := c.run(Options{})
				if took := time.Since(start); took > tc.within || len(sum.Stuck) > 0 {
					t.Errorf("the crawl took %v, stuck are %v; want at most %v and none", took, sum.Stuck, tc.within)
				}
				c.wants(map[string]string{"http://a.test/p7": "indexed", "https://a.test/s0": tc.want, "https://a.test/s7": tc.want})
				for _, v := range c.web.log {
					if strings.HasPrefix(v.url, "https:") && !strings.HasSuffix(v.url, "/robots.txt") {
						t.Errorf("%s was asked for although nobody knows what is allowed", v.url)
					}
				}
			})
		})
	}
}

// TestBrokenAnswersDoNotParkTheHost lets ten pages in a row be no HTTP.
func TestBrokenAnswersDoNotParkTheHost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var refs []string
		c := newCrawl(t, map[string]answer{"http://a.test/last": {body: "x"}}, "http://a.test/")
		for i := range 10 {
			refs = append(refs, fmt.Sprint("/", i))
			c.web.answers[fmt.Sprint("http://a.test/", i)] = answer{err: &fetch.Error{Kind: fetch.KindHeaderSize, Err: errors.New("x")}}
		}
		c.web.answers["http://a.test/"] = links(append(refs, "/last")...)
		c.settings.NoSitemaps = true
		start := time.Now()
		c.run(Options{})
		if took := time.Since(start); took > 30*time.Second {
			t.Errorf("the crawl took %v; want no pauses", took)
		}
		c.wants(map[string]string{"http://a.test/9": "failed: header-size", "http://a.test/last": "indexed"})
	})
}

// TestRedirectedRobotsCountWhereTheyStand moves a site to HTTPS, robots.txt and
// all: that of each origin is asked for once, also after a restart. One host's
// robots.txt may serve another host; then its Crawl-delay counts for both.
func TestRedirectedRobotsCountWhereTheyStand(t *testing.T) {
	for _, to := range []string{"https://a.test", "https://www.a.test"} {
		for _, there := range []answer{{body: "User-agent: *\nDisallow: /secret\nCrawl-delay: 7"}, {status: 404}} {
			synctest.Test(t, func(t *testing.T) {
				c := newCrawl(t, map[string]answer{
					"http://a.test/robots.txt": {status: 301, location: to + "/robots.txt"}, to + "/robots.txt": there,
					"http://a.test/": {status: 301, location: to + "/"}, to + "/": links("/1", "/secret", "http://a.test/2", "http://a.test/secret"),
					to + "/1": {body: "x"}, "http://a.test/2": {body: "x"}, to + "/secret": {body: "x"},
				}, "http://a.test/")
				c.settings.Scope, c.settings.NoSitemaps = ScopeAny, true
				c.run(Options{MaxPages: 1})
				c.run(Options{})
				for _, url := range []string{"http://a.test/robots.txt", to + "/robots.txt"} {
					if n := c.web.count(url); n != 1 {
						t.Errorf("%s was asked for %d times; want once", url, n)
					}
				}
				want := map[string]string{to + "/1": "indexed", "http://a.test/2": "indexed", to + "/secret": "indexed"}
				if there.status == 0 {
					want[to+"/secret"], want["http://a.test/secret"] = "robots", "robots"
				}
				c.wants(want)
				last := map[string]visit{}
				for _, v := range c.web.log {
					if before, ok := last[v.host()]; ok && there.status == 0 && !strings.HasSuffix(before.url, "http://a.test/robots.txt") {
						if gap := v.start.Sub(before.end); gap < 7*time.Second {
							t.Errorf("%s came %v after %s; want the Crawl-delay", v.url, gap, before.url)
						}
					}
					last[v.host()] = v
				}
			})
		}
	}
}

// TestRecordKeepsNoHugeFields has a page whose header would fill its record, on
// every visit and with every request that is conditional.
func TestRecordKeepsNoHugeFields(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		long := strings.Repeat("x", 100_000)
		c := newCrawl(t, map[string]answer{"http://a.test/": {
			body: "<html lang=" + long + "><title>page</title>",
			header: http.Header{
				"Content-Type": {"text/html; charset=utf-8; x=" + long}, "Etag": {`"` + long + `"`},
				"Last-Modified": {long}, "Content-Language": {long},
			},
		}}, "http://a.test/")
		c.run(Options{})
		p := c.record("http://a.test/")
		for name, v := range map[string]string{"type": p.ContentType, "tag": p.ETag, "time": p.Modified, "language": p.Lang} {
			if len(v) > maxField {
				t.Errorf("of the %s %d bytes are kept; want %d at most", name, len(v), maxField)
			}
		}
		c.wantIndexed("http://a.test/")
	})
}

// TestFewLargePagesAreJudgedAtATime lets a large page wait for a place, and
// others go on.
func TestFewLargePagesAreJudgedAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCrawl(t, map[string]answer{
			"http://a.test/": {body: "<title>large</title>large" + strings.Repeat(" ", largePage)},
			"http://b.test/": {body: "<title>small</title>small"},
		}, "http://a.test/", "http://b.test/")
		db := c.open(storage.Options{Create: true, Norm: c.norm().ID()})
		cr, err := New(db, c.web, &c.settings, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for range maxLargePages {
			cr.largePages <- struct{}{}
		}
		done := make(chan error)
		go func() {
			_, err := cr.Run(t.Context())
			done <- err
		}()
		time.Sleep(time.Hour)
		if n := cr.Report().Counts[frontier.Indexed]; n != 1 {
			t.Errorf("%d pages are indexed while no large one may be judged; want 1", n)
		}
		<-cr.largePages
		if err := <-done; err != nil {
			t.Error(err)
		}
		c.close(db)
		c.wantIndexed("http://a.test/", "http://b.test/")
	})
}
