package audit

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hashcrawl/hashcrawl/crawler"
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
		name: "a shell without words, with a nonce",
		answers: map[string]string{
			"/": `<title>app</title><script nonce=1></script>`, "/?_escaped_fragment_=a": `<title>app</title><script nonce=22></script>`,
		},
		options: Options{URL: "http://a.test/#!a"},
		want:    []string{"snapshot-is-shell"},
	},
	{
		name: "all states with one text, and the time of day in a script",
		answers: map[string]string{
			"/": `<title>app</title>Loading <a href="#!a">a</a> <a href="#!b">b</a>`, "/?_escaped_fragment_=a": `<title>t</title><script>1</script>one`,
			"/?_escaped_fragment_=b": `<title>t</title><script>2</script>one`,
		},
		want: []string{"snapshot-same"}, never: []string{"snapshot-is-shell"},
	},
	{
		name: "a state of a page with a query, which the server drops",
		answers: map[string]string{
			"/?lang=cs": "<title>app</title>Loading", "/": "<title>app</title>Loading",
			"/?lang=cs&_escaped_fragment_=a": "<title>a</title>in English", "/?_escaped_fragment_=a": "<title>a</title>in English",
		},
		options: Options{URL: "http://a.test/?lang=cs#!a"},
		want:    []string{"query-dropped"}, never: []string{"snapshot-same"},
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
	seen["out-of-time"] = true // TestOutOfTime
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

// TestCheckIsPolite judges by the server's log: robots.txt first, one request at
// a time, and from each answer to the next request two seconds, or five times
// what the answer took, or the Crawl-delay.
func TestCheckIsPolite(t *testing.T) {
	for _, name := range []string{"good", "plain", "broken"} {
		synctest.Test(t, func(t *testing.T) {
			s := readSite(t, name)
			robots := s.answers[s.host+"/robots.txt"]
			delay := 2 * time.Second
			if name == "good" {
				delay = 7 * time.Second
				robots.Body = []byte("User-agent: *\nCrawl-delay: 7\n")
				s.answers[s.host+"/robots.txt"] = robots
			}
			s.check(t, Options{Depth: 3})
			if s.asked[0] != s.host+"/robots.txt" {
				t.Errorf("%s: the first request is %s", name, s.asked[0])
			}
			for i := 1; i < len(s.times); i++ {
				gap, took := s.times[i][0].Sub(s.times[i-1][1]), s.times[i-1][1].Sub(s.times[i-1][0])
				if strings.HasPrefix(s.asked[i], s.host+"/") && strings.HasPrefix(s.asked[i-1], s.host+"/") && gap < max(delay, 5*took) {
					t.Errorf("%s: %s came %v after an answer that took %v", name, s.asked[i], gap, took)
				}
			}
			counts := map[string]int{}
			for _, url := range s.asked {
				if counts[url]++; counts[url] == 2 {
					t.Errorf("%s: %s was asked for twice", name, url)
				}
			}
		})
	}
}

// TestOutOfTime reports what is there when the time is over; when the context
// ends for another reason there is no report.
func TestOutOfTime(t *testing.T) {
	for _, tc := range []struct {
		cause error
		after time.Duration
		want  []string
		never []string
	}{
		{ErrOutOfTime, 10 * time.Second, []string{"out-of-time", "scheme-found"}, []string{"no-answer", "robots-unreachable"}},
		{ErrOutOfTime, time.Millisecond, []string{"out-of-time"}, []string{"no-answer", "robots-unreachable"}},
		{errors.New("interrupted"), 10 * time.Second, nil, nil},
	} {
		synctest.Test(t, func(t *testing.T) {
			v, err := crawler.NewVisitorFor(readSite(t, "good"), &crawler.Settings{})
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeoutCause(t.Context(), tc.after, tc.cause)
			defer cancel()
			r, err := Run(ctx, v, Options{URL: "http://good.test/", Depth: 3})
			if tc.want == nil {
				if !errors.Is(err, tc.cause) {
					t.Errorf("Run = %v; want %v", err, tc.cause)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			ids := foundIn(r)
			for _, id := range tc.want {
				if !slices.Contains(ids, id) {
					t.Errorf("after %v found are %v; want %s", tc.after, ids, id)
				}
			}
			for _, id := range tc.never {
				if slices.Contains(ids, id) {
					t.Errorf("after %v found are %v; want no %s", tc.after, ids, id)
				}
			}
		})
	}
}

// TestHangingRendererEnds: a server that answers no ugly URL ends in findings,
// and the pauses between the tries end when the host counts as out of order.
func TestHangingRendererEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSite(t, "a", map[string]string{"/": `<title>app</title>Loading <a href="#!1">1</a><a href="#!2">2</a><a href="#!3">3</a><a href="#!4">4</a><a href="#!5">5</a><a href="#!6">6</a><a href="#!7">7</a>`})
		for i := 1; i < 10; i++ {
			url := fmt.Sprintf("http://a.test/?_escaped_fragment_=%d", i)
			s.fails[url] = &fetch.Error{URL: url, Kind: fetch.KindTimeoutHeader, Retry: true}
		}
		started := time.Now()
		r := s.check(t, Options{Depth: 1})
		if took := time.Since(started); took > 20*time.Minute {
			t.Errorf("the check took %v", took)
		}
		if ids := foundIn(r); !slices.Contains(ids, "snapshot-status") || !slices.Contains(ids, "host-busy") {
			t.Errorf("found are %v", ids)
		}
	})
}

// TestLargePage reads no more of a page than the limit, through a real client.
func TestLargePage(t *testing.T) {
	line := strings.Repeat("word ", 200) + "<div>\n"
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		for sent := 0; sent < 50<<20; sent += len(line) {
			if _, err := io.WriteString(w, line); err != nil {
				return // the reader had enough
			}
		}
	}))
	defer srv.Close()
	client, err := fetch.New(fetch.Options{UserAgent: "hashcrawl/test", AllowLoopback: true})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	v, err := crawler.NewVisitor(client)
	if err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	r, err := Run(t.Context(), v, Options{URL: srv.URL})
	runtime.ReadMemStats(&after)
	if err != nil {
		t.Fatal(err)
	}
	if ids := foundIn(r); !slices.Contains(ids, "page-too-large") || !slices.Contains(ids, "nesting-too-deep") {
		t.Errorf("found are %v", ids)
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 150<<20 {
		t.Errorf("%d MB were allocated for a page of which 10 MB are read", used>>20)
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
