package crawler

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hashcrawl/hashcrawl/crawler/fetch/faultserver"
)

// TestSitemapsGiveHints reads entries newest first: by lastmod, or by the date
// of the news extension; dates in the future and absent ones say nothing.
func TestSitemapsGiveHints(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // the clock of a bubble starts in 2000
		c := newCrawl(t, map[string]answer{
			"http://a.test/robots.txt": {body: "Sitemap: http://a.test/map.xml"},
			"http://a.test/map.xml": {body: `<urlset xmlns:n="http://www.google.com/schemas/sitemap-news/0.9">
				<url><loc>http://a.test/undated</loc></url>
				<url><loc>http://a.test/old</loc><lastmod>1998-01-01</lastmod></url>
				<url><loc>http://a.test/future</loc><lastmod>2031-01-01</lastmod></url>
				<url><loc>http://a.test/new</loc><lastmod>1999-12-01</lastmod></url>
				<url><loc>http://a.test/news</loc><n:news><n:publication_date>1999-06-01</n:publication_date></n:news></url></urlset>`},
			"http://a.test/": {body: "x"},
		}, "http://a.test/")
		c.run(Options{})
		want := []string{"http://a.test/", "http://a.test/map.xml", "http://a.test/new", "http://a.test/news", "http://a.test/old", "http://a.test/undated", "http://a.test/future"}
		if got := c.web.requested(); !slices.Equal(got, want) {
			t.Errorf("requested were\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	})
}

// TestSitemapsOfAllKinds reads one sitemap of each kind; what they list is under
// the scope, and what a robots.txt names may stand on another host.
func TestSitemapsOfAllKinds(t *testing.T) {
	for _, tc := range []struct{ name, at, body string }{
		{"XML", "http://a.test/s", `<urlset><url><loc>http://a.test/found</loc></url></urlset>`},
		{"text", "http://a.test/s", "http://a.test/found\nhttp://b.test/out\n"},
		{"RSS", "http://a.test/s", `<rss><channel><item><link>http://a.test/found</link></item></channel></rss>`},
		{"Atom", "http://a.test/s", `<feed xmlns="http://www.w3.org/2005/Atom"><entry><link href="http://a.test/found"/></entry></feed>`},
		{"gzip by its bytes", "http://a.test/s", faultserver.Gzip(`<urlset><url><loc>http://a.test/found</loc></url></urlset>`)},
		{"cut", "http://a.test/s", `<urlset><url><loc>http://a.test/found</loc></url><url><loc>http://a.te`},
		{"another host", "http://maps.test/s", `<urlset><url><loc>http://a.test/found</loc></url><url><loc>http://maps.test/out</loc></url></urlset>`},
		{"relative", "/s", "<urlset><url><loc>/found</loc></url></urlset>"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				at := tc.at
				if at[0] == '/' {
					at = "http://a.test" + at
				}
				c := newCrawl(t, map[string]answer{
					"http://a.test/robots.txt": {body: "Sitemap: " + tc.at}, at: {body: tc.body},
					"http://a.test/": {body: "x"}, "http://a.test/found": {body: "found"},
				}, "http://a.test/")
				c.run(Options{})
				c.wantIndexed("http://a.test/", "http://a.test/found")
				for _, v := range c.web.log {
					if strings.HasSuffix(v.url, "/out") {
						t.Errorf("%s is out of scope and was asked for", v.url)
					}
				}
			})
		})
	}
}

// TestIndexesOfIndexesEnd follows indexes that list ever new indexes, and one
// that lists itself.
func TestIndexesOfIndexesEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCrawl(t, nil, "http://a.test/")
		c.web.serve = func(url string) answer {
			switch {
			case strings.HasSuffix(url, "robots.txt"):
				return answer{body: "Sitemap: /map"}
			case strings.Contains(url, "map"):
				return answer{body: "<sitemapindex><sitemap><loc>" + url + "p</loc></sitemap><sitemap><loc>" + url + "</loc></sitemap></sitemapindex>"}
			}
			return answer{body: "x"}
		}
		c.run(Options{MaxTime: time.Hour})
		if n := len(c.web.requested()); n != 7 {
			t.Errorf("%d requests; want the page and six levels of indexes: %v", n, c.web.requested())
		}
	})
}

// TestSitemapByHand reads the sitemap that the user names, and none else.
func TestSitemapByHand(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCrawl(t, map[string]answer{
			"http://a.test/robots.txt": {body: "Sitemap: http://a.test/named"}, "http://a.test/": {body: "x"},
			"http://a.test/mine":                      {body: "http://a.test/#!state\nhttp://a.test/?_escaped_fragment_=ugly\n"},
			"http://a.test/?_escaped_fragment_=state": {body: "state"},
		}, "http://a.test/")
		c.settings.Sitemaps, c.settings.NoSitemaps = []string{"http://a.test/mine"}, true
		c.run(Options{})
		c.wantIndexed("http://a.test/", "http://a.test/#!state")
		c.wants(map[string]string{"http://a.test/#!ugly": "ugly-link"})
		if n := c.web.count("http://a.test/named"); n != 0 {
			t.Error("the sitemap of robots.txt was read although --no-sitemaps was given")
		}
	})
}

// TestPagesThatAreNamedAsSitemapsAreNotLost has pages where sitemaps are looked for
// before any link to them is known.
func TestPagesThatAreNamedAsSitemapsAreNotLost(t *testing.T) {
	for _, tc := range []struct {
		name    string
		answers map[string]answer
		scope   ScopeKind
		want    map[string]string
	}{
		{
			name: "the robots.txt names a page",
			answers: map[string]answer{
				"http://a.test/robots.txt": {body: "Sitemap: http://a.test/map\nSitemap: /dir/"}, "http://a.test/map": links("/found"),
				"http://a.test/dir/": links("/map"), "http://a.test/found": {body: "found"},
			},
			want: map[string]string{"http://a.test/map": "indexed", "http://a.test/dir/": "indexed", "http://a.test/found": "indexed"},
		},
		{
			name: "the sitemap that is not there leads to the home page",
			answers: map[string]answer{
				"http://a.test/sitemap.xml": {status: 302, location: "/"}, "http://a.test/": links("/found"),
				"http://a.test/dir/": links("/later"), "http://a.test/later": links("/"), "http://a.test/found": {body: "found"},
			},
			want: map[string]string{"http://a.test/sitemap.xml": "redirect", "http://a.test/": "indexed", "http://a.test/found": "indexed"},
		},
		{
			name: "a page that opted in",
			answers: map[string]answer{
				"http://a.test/robots.txt": {body: "Sitemap: /map"}, "http://a.test/dir/": links("/map"), "http://a.test/map": {body: optInTag},
				"http://a.test/map?_escaped_fragment_=": {body: "<title>snapshot</title>"},
			},
			want: map[string]string{"http://a.test/map": "indexed"},
		},
		{
			name:    "words about a file that is not there are none",
			answers: map[string]answer{"http://a.test/sitemap.xml": links("/found"), "http://a.test/dir/": {body: "x"}},
			want:    map[string]string{"http://a.test/sitemap.xml": "sitemap: sitemap: not a sitemap"},
		},
		{
			name:  "nor is a page outside the scope",
			scope: ScopePrefix,
			answers: map[string]answer{
				"http://a.test/robots.txt": {body: "Sitemap: /map"}, "http://a.test/map": links("/dir/found"), "http://a.test/dir/": {body: "x"},
			},
			want: map[string]string{"http://a.test/map": "sitemap: sitemap: not a sitemap"},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := newCrawl(t, tc.answers, "http://a.test/dir/")
				c.settings.Scope = cmp.Or(tc.scope, ScopeHost)
				c.run(Options{})
				c.wants(tc.want)
				c.wantWhole()
			})
		})
	}
}

// TestASeedCanBeASitemap has seeds that list what is meant.
func TestASeedCanBeASitemap(t *testing.T) {
	const list = `<urlset><url><loc>http://a.test/found</loc></url></urlset>`
	is := func(contentType string) http.Header { return http.Header{"Content-Type": {contentType}} }
	for _, tc := range []struct {
		name string
		seed answer
		want string
	}{
		{"XML", answer{body: list, header: is("application/xml")}, "sitemap"},
		{"XML that says it is HTML", answer{body: `<?xml version="1.0"?>` + list}, "sitemap"},
		{"gzip", answer{body: faultserver.Gzip(list), header: is("application/gzip")}, "sitemap"},
		{"an index", answer{body: `<sitemapindex><sitemap><loc>/more</loc></sitemap></sitemapindex>`, header: is("text/xml")}, "sitemap"},
		{"a feed", answer{body: `<rss><channel><item><link>http://a.test/found</link></item></channel></rss>`, header: is("text/xml")}, "sitemap"},
		{"behind a redirect", answer{status: 301, location: "/more"}, "redirect"},
		{"a text is none", answer{body: "http://a.test/found", header: is("text/plain")}, "not-html"},
		{"a page in XML is none", answer{body: `<?xml version="1.0"?><html><head><title>t</title></head><body><a href="/found">x</a></body></html>`}, "indexed"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := newCrawl(t, map[string]answer{
					"http://a.test/map": tc.seed, "http://a.test/found": {body: "found"}, "http://a.test/more": {body: list, header: is("text/xml")},
				}, "http://a.test/map")
				c.settings.NoSitemaps = true
				c.run(Options{})
				c.wants(map[string]string{"http://a.test/map": tc.want})
				found := c.web.count("http://a.test/found") == 1
				if want := tc.want != "not-html"; found != want {
					t.Errorf("the page that it lists was fetched: %v, want %v", found, want)
				}
			})
		})
	}
}
