package crawler

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestPageThatRedirectsToItsSnapshot has a server send every robot to the ugly
// URL, which is then what is asked for, and not the page again.
func TestPageThatRedirectsToItsSnapshot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCrawl(t, map[string]answer{
			"http://a.test/":                     {status: 302, location: "/?_escaped_fragment_="},
			"http://a.test/?_escaped_fragment_=": {body: "<title>snapshot</title>words"},
		}, "http://a.test/")
		c.settings.NoSitemaps = true
		c.run(Options{MaxPages: 20})
		c.wantIndexed("http://a.test/")
		if got, want := c.web.requested(), []string{"http://a.test/", "http://a.test/?_escaped_fragment_="}; !slices.Equal(got, want) {
			t.Errorf("requested were %q; want %q", got, want)
		}
	})
}

// TestSnapshotThatRedirectsToItsPage has ugly URLs lead back to the page. One
// that opted in would do so again, and so on for ever; where every page is asked
// for its snapshot, it is one that has none.
func TestSnapshotThatRedirectsToItsPage(t *testing.T) {
	for _, tc := range []struct {
		ajax AJAXMode
		want string
		asks []string
	}{
		{AJAXAuto, "shell: the snapshot redirects to the shell itself", []string{"http://a.test/", "http://a.test/?_escaped_fragment_="}},
		{AJAXAlways, "indexed", []string{"http://a.test/?_escaped_fragment_=", "http://a.test/"}},
	} {
		t.Run(string(tc.ajax), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := newCrawl(t, map[string]answer{
					"http://a.test/":                     {body: optInTag + "<title>page</title>words"},
					"http://a.test/?_escaped_fragment_=": {status: 302, location: "/"},
				}, "http://a.test/")
				c.settings.AJAX = tc.ajax
				c.settings.NoSitemaps = true
				c.run(Options{MaxPages: 20})
				c.wants(map[string]string{"http://a.test/": tc.want})
				if got := c.web.requested(); !slices.Equal(got, tc.asks) {
					t.Errorf("requested were %q; want %q", got, tc.asks)
				}
			})
		})
	}
}

// TestIndexPageWidensNoScope has an index page send everybody to another site
// when it is visited again. Only who gives a seed means the site that it leads to.
func TestIndexPageWidensNoScope(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, r := newRollCrawl(t, 35)
		c.run(Options{})
		c.series() // is known
		r.publish(1)
		refresh := answer{body: `<meta http-equiv=refresh content="0;url=http://elsewhere.test/">` + r.html(r.items[:10], 1, 4)}
		c.web.answers[r.url(1)] = refresh
		c.web.answers["http://elsewhere.test/"] = links("/more")
		time.Sleep(30 * 24 * time.Hour)
		before := c.web.count(r.url(1))
		c.run(Options{})
		if c.web.count(r.url(1)) == before {
			t.Fatal("the index page was not visited again")
		}
		for _, url := range c.web.requested() {
			if strings.Contains(url, "elsewhere.test") {
				t.Errorf("%s was requested, which is out of scope", url)
			}
		}
		if len(c.settings.Roots) > 0 {
			t.Errorf("the scope has grown by %q", c.settings.Roots)
		}
	})
}

// TestUglyURLThatRedirectsToAnotherSpelling has a server that wants an ugly URL
// in other letters than the scheme makes of the state: asking again is in vain.
func TestUglyURLThatRedirectsToAnotherSpelling(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const ugly = "http://a.test/?_escaped_fragment_=a"
		c := newCrawl(t, map[string]answer{
			"http://a.test/": links("#!a"),
			ugly:             {status: 302, location: "/?_escaped_fragment_=%61"},
		}, "http://a.test/")
		c.run(Options{})
		c.wants(map[string]string{"http://a.test/#!a": "failed: redirects to itself"})
		if n := c.web.count(ugly); n != 1 {
			t.Errorf("it was asked for %d times; want once", n)
		}
	})
}

// TestSnapshotThatRedirectsToAnotherSpelling has a server that sends from the ugly
// URL of a page to the same without the equals sign, which we never ask for.
func TestSnapshotThatRedirectsToAnotherSpelling(t *testing.T) {
	for _, ajax := range []AJAXMode{AJAXAuto, AJAXAlways} {
		t.Run(string(ajax), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := newCrawl(t, map[string]answer{
					"http://a.test/p":                     {body: optInTag + "<title>page</title>words"},
					"http://a.test/p?_escaped_fragment_=": {status: 301, location: "/p?_escaped_fragment_"},
				}, "http://a.test/p")
				c.settings.AJAX = ajax
				c.run(Options{MaxPages: 20})
				c.wants(map[string]string{"http://a.test/p": "failed: redirects to itself"})
				if n := c.web.count("http://a.test/p?_escaped_fragment_="); n != 1 {
					t.Errorf("the snapshot was asked for %d times; want once", n)
				}
				c.wantWhole()
			})
		})
	}
}
