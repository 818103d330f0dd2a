package audit

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/hashcrawl/hashcrawl/crawler/fetch"
)

// smallSites show what the golden sites do not.
var smallSites = []struct {
	name    string
	answers map[string]string // by target, as in a .site file
	fails   map[string]error  // by URL
	options Options
	want    []string // rules
	never   []string
}{
	{
		name:  "nobody answers",
		fails: map[string]error{"http://a.test/robots.txt": &fetch.Error{URL: "http://a.test/robots.txt", Kind: fetch.KindRefused}},
		want:  []string{"robots-unreachable"},
	},
	{
		name:    "robots.txt fails",
		answers: map[string]string{"/robots.txt": "status: 500\n\n"},
		want:    []string{"robots-unreachable"},
	},
	{
		name: "the page does not answer, but robots.txt does", answers: map[string]string{},
		fails: map[string]error{"http://a.test/": &fetch.Error{URL: "http://a.test/", Kind: fetch.KindTimeoutHeader}},
		want:  []string{"no-answer"},
	},
	{
		name:    "robots.txt forbids the page",
		answers: map[string]string{"/robots.txt": "X: x\n\nUser-agent: *\nDisallow: /"},
		want:    []string{"robots-forbids"}, never: []string{"no-answer"},
	},
	{
		name:    "the server is busy",
		answers: map[string]string{"/": "status: 503\nRetry-After: 7200\n\n"},
		want:    []string{"host-busy"},
	},
	{
		name:    "a login behind a challenge",
		answers: map[string]string{"/": "status: 401\nWWW-Authenticate: Basic realm=\"x\"\n\n"},
		want:    []string{"login-wall"}, never: []string{"status"},
	},
	{
		name:    "not HTML",
		answers: map[string]string{"/": "Content-Type: application/pdf\n\n%PDF"},
		want:    []string{"not-html"},
	},
	{
		name: "a sitemap that lacks pages, and robots.txt that is a page",
		answers: map[string]string{
			"/robots.txt": "<html>welcome", "/": `<title>a</title>a <a href="/b">b</a>`, "/b": "<title>b</title>b",
			"/sitemap.xml": "Content-Type: application/xml\n\n<urlset><url><loc>http://a.test/</loc></url></urlset>",
		},
		options: Options{Depth: 1},
		want:    []string{"sitemap-incomplete", "robots-syntax"}, never: []string{"sitemap-none", "sitemap-faulty"},
	},
	{
		name: "states of a page that has not opted in, and one that cannot exist",
		answers: map[string]string{
			"/": `<title>app</title>Loading <a href="#!a">a</a>`, "/?_escaped_fragment_=a": "<title>a</title>the state",
			"/?_escaped_fragment_=" + noSuch: "<title>sorry</title>not here",
		},
		want: []string{"states-without-optin", "unknown-state-ok", "scheme-found"},
	},
	{
		name: "https pages that link to http",
		answers: map[string]string{
			"https://a.test/": `<title>a</title>a <a href="http://a.test/b">b</a>`, "http://a.test/": "status: 301\nLocation: https://a.test/\n\n",
		},
		options: Options{URL: "https://a.test/"},
		want:    []string{"links-mixed-scheme"}, never: []string{"hosts-mixed"},
	},
	{
		name: "the snapshot ignores the query",
		answers: map[string]string{
			"/":     `<title>a</title>a <a href="/list">1</a> <a href="/list?page=2">2</a>`,
			"/list": `<head><meta name=fragment content="!"></head>`, "/list?page=2": `<head><meta name=fragment content="!"></head>`,
			"/list?_escaped_fragment_=": "<title>first</title>one two", "/list?page=2&_escaped_fragment_=": "<title>first</title>one two",
		},
		options: Options{Depth: 1},
		want:    []string{"query-dropped"},
	},
}

// TestRules checks small sites, one for each thing.
func TestRules(t *testing.T) {
	for _, tc := range smallSites {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newSite(t, "a", tc.answers)
				maps.Copy(s.fails, tc.fails)
				ids := foundIn(s.check(t, tc.options))
				for _, id := range tc.want {
					if !slices.Contains(ids, id) {
						t.Errorf("found are %v; want %s", ids, id)
					}
				}
				for _, id := range tc.never {
					if slices.Contains(ids, id) {
						t.Errorf("found are %v; want no %s", ids, id)
					}
				}
			})
		})
	}
}

// foundIn returns the rules that found something.
func foundIn(r *Report) []string {
	var ids []string
	for _, f := range r.Findings {
		if !slices.Contains(ids, f.ID) {
			ids = append(ids, f.ID)
		}
	}
	return ids
}

// TestEveryRuleFindsSomething: no rule without a site that breaks it. Those of
// rendered pages are in the tests of parity.
func TestEveryRuleFindsSomething(t *testing.T) {
	seen := map[string]bool{}
	for _, name := range []string{"good", "plain", "broken"} {
		synctest.Test(t, func(t *testing.T) {
			for _, id := range foundIn(readSite(t, name).check(t, Options{Depth: 3})) {
				seen[id] = true
			}
		})
	}
	for _, s := range smallSites {
		for _, id := range s.want {
			seen[id] = true
		}
	}
	for _, r := range parityRules() {
		seen[r.ID] = true
	}
	for _, r := range Rules() {
		if !seen[r.ID] {
			t.Errorf("no site shows %s", r.ID)
		}
	}
}

// TestRulesAreSound holds what reports rely on: IDs that are never twice, and
// something to say and to do.
func TestRulesAreSound(t *testing.T) {
	ids := map[string]bool{}
	for _, r := range Rules() {
		switch {
		case !regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`).MatchString(r.ID):
			t.Errorf("%q is no ID", r.ID)
		case ids[r.ID]:
			t.Errorf("%s is there twice", r.ID)
		case r.Title == "" || r.Remedy == "" || r.check == nil:
			t.Errorf("%s has nothing to say, to do or to check", r.ID)
		}
		ids[r.ID] = true
	}
}

// TestCrawlabilityIsDocumented holds docs/crawlability.md against the rules.
func TestCrawlabilityIsDocumented(t *testing.T) {
	doc, err := os.ReadFile(filepath.Join("..", "..", "docs", "crawlability.md"))
	if err != nil {
		t.Fatal(err)
	}
	heading := regexp.MustCompile("^`([a-z0-9-]+)` · (error|warning|info)\n")
	documented := map[string]string{}
	for _, section := range strings.Split(string(doc), "\n### ")[1:] {
		m := heading.FindStringSubmatch(section)
		if m == nil {
			t.Errorf("docs/crawlability.md: %.60q is no heading of a rule", section)
			continue
		}
		documented[m[1]] = m[2]
		for _, part := range []string{"\n- Cause:", "\n- Evidence:", "\n- Remedy:"} {
			if !strings.Contains(section, part) {
				t.Errorf("docs/crawlability.md: %s has no %s", m[1], part)
			}
		}
	}
	for _, r := range Rules() {
		if got := documented[r.ID]; got != r.Severity.String() {
			t.Errorf("docs/crawlability.md: %s is documented as %q; want %s", r.ID, got, r.Severity)
		}
		delete(documented, r.ID)
	}
	for id := range documented {
		t.Errorf("docs/crawlability.md: there is no rule %s", id)
	}
}

// TestForbiddenIsNeverAskedFor: neither by link, probe, sitemap nor redirect.
func TestForbiddenIsNeverAskedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := readSite(t, "broken")
		s.check(t, Options{Depth: 3})
		for _, url := range s.asked {
			if strings.Contains(url, "/secret") || strings.Contains(url, "/blocked?") {
				t.Errorf("%s was asked for, which robots.txt forbids", url)
			}
		}
	})
}
