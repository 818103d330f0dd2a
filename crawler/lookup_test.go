package crawler

import (
	"maps"
	"testing"
	"testing/synctest"

	"github.com/hashcrawl/hashcrawl/crawler/export"
	"github.com/hashcrawl/hashcrawl/frontier"
	"github.com/hashcrawl/hashcrawl/storage"
)

// TestRowsListEveryURLOnce has links that are refused first and queued later: for
// another link, under another spelling, and under other settings.
func TestRowsListEveryURLOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCrawl(t, map[string]answer{
			"http://a.test/":                          {body: `<a rel=nofollow href="/b#part">b</a><a href="/c">c</a><a href="http://www.a.test/">w</a><a href="http://b.test/">o</a>`},
			"http://a.test/c":                         links("/b", "/optin"),
			"http://a.test/b":                         links("/c"),
			"http://a.test/optin":                     {body: optInTag},
			"http://www.a.test/":                      links("/deep"),
			"http://www.a.test/deep":                  links(),
			"http://a.test/optin?_escaped_fragment_=": {body: "<title>snapshot</title>"},
		}, "http://a.test/")
		c.settings.NoSitemaps = true
		c.run(Options{})
		want := map[string]string{
			"http://a.test/": "indexed, found on ", "http://a.test/b": "indexed, found on http://a.test/c", "http://a.test/c": "indexed, found on http://a.test/",
			"http://a.test/optin": "indexed, found on http://a.test/c", "http://www.a.test/": "out-of-scope, found on http://a.test/",
			"http://b.test/": "out-of-scope, found on http://a.test/",
		}
		c.wantRows(want)
		c.settings.Scope = ScopeDomain
		c.rejudge()
		want["http://www.a.test/"] = "indexed, found on http://a.test/"
		want["http://www.a.test/deep"] = "indexed, found on http://www.a.test/"
		c.wantRows(want)
	})
}

// wantRows checks what is listed of all URLs: the outcome, and where each was found.
func (c *crawl) wantRows(want map[string]string) {
	c.t.Helper()
	if known := c.status().Known; int(known) != len(want) {
		c.t.Errorf("%d URLs are known, want %d", known, len(want))
	}
	db := c.open(storage.Options{ReadOnly: true})
	defer c.close(db)
	got := map[string]string{}
	err := Rows(db, true, WithParents(db, func(r *export.Row) error {
		o := r.Page.Outcome
		if r.Class == frontier.ClassRefused {
			o = r.Refusal
		}
		if got[r.URL] != "" {
			c.t.Errorf("%s is listed twice", r.URL)
		}
		got[r.URL] = o.String() + ", found on " + r.FoundOn
		return nil
	}))
	if err != nil {
		c.t.Fatal(err)
	}
	if !maps.Equal(got, want) {
		c.t.Errorf("listed are\n%v\nwant\n%v", got, want)
	}
}
