package crawler

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hashcrawl/hashcrawl/crawler/htmldoc"
	"github.com/hashcrawl/hashcrawl/frontier"
	"github.com/hashcrawl/hashcrawl/urlnorm"
)

// newTestTraps returns the traps of settings to which changes were made; queued
// are the keys that were queued.
func newTestTraps(t testing.TB, queued []string, changes ...string) *traps {
	t.Helper()
	s := &Settings{}
	for _, c := range changes {
		if err := s.SetTrapRule(c); err != nil {
			t.Fatal(err)
		}
	}
	tr, err := newTraps(s, func(key string) bool {
		for _, k := range queued {
			if k == key {
				return true
			}
		}
		return false
	})
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

func resolved(t testing.TB, ref string) urlnorm.URL {
	t.Helper()
	n, err := urlnorm.New(urlnorm.Config{})
	if err != nil {
		t.Fatal(err)
	}
	u, err := n.Resolve(nil, ref, urlnorm.Charset{})
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// when is the day on which the tests judge URLs.
var when = time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)

func TestTrapRulesJudgeURLs(t *testing.T) {
	for _, tc := range []struct {
		name, url, want string
		change          string
	}{
		{name: "an ordinary page", url: "/2026/03/01/title.html?utm_source=x&id=3&page=2"},
		{name: "20 segments", url: strings.Repeat("/d", 1) + numbered(19)},
		{name: "21 segments", url: numbered(21), want: trapDeepPath},
		{name: "21 segments of a state", url: "/#!" + numbered(21), want: trapDeepPath},
		{name: "21 segments, another limit", url: numbered(21), change: "deep-path=30"},
		{name: "21 segments, the rule off", url: numbered(21), change: "deep-path=off"},
		{name: "a segment three times", url: "/a/x/b/x/c/x/"},
		{name: "a segment four times", url: "/a/x/b/x/c/x/d/x/", want: trapRepeatedSegment},
		{name: "a growing state", url: "/#!/news/all/news/all/news/all/news", want: trapRepeatedSegment},
		{name: "empty segments", url: "/a////////b"},
		{name: "a date of one number", url: "/1/1/1"},
		{name: "48 parameters", url: "/?" + parameters(48)},
		{name: "49 parameters", url: "/?" + parameters(49), want: trapManyParameters},
		{name: "an array", url: "/?a[]=1&a[]=2&a[]=3&a[]=4&a[]=5"},
		{name: "one parameter again and again", url: "/?a=1&a=1&a=1&a=1", want: trapRepeatedParameter},
		{name: "next year", url: "/events/2027/05/"},
		{name: "five years ahead", url: "/events/2031/05/"},
		{name: "six years ahead", url: "/events/2032/05/", want: trapCalendar},
		{name: "six years ahead, as a date", url: "/e?date=2032-05-17", want: trapCalendar},
		{name: "six years ahead, in two parameters", url: "/e?Year=2032&month=5", want: trapCalendar},
		{name: "in a state", url: "/#!/cal/2032-05", want: trapCalendar},
		{name: "another limit", url: "/events/2032/05/", change: "calendar=10"},
		{name: "a year without a month", url: "/agenda-2050/3d"},
		{name: "a number and a number", url: "/forum/9120-77/"},
		{name: "a larger number", url: "/item/12032-05/"},
		{name: "the year 1066", url: "/chronicle/1066/10/14"},
		{name: "a year and other parameters", url: "/e?year=2090&price=5"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var changes []string
			if tc.change != "" {
				changes = []string{tc.change}
			}
			u := resolved(t, "http://a.test"+tc.url)
			if got := newTestTraps(t, nil, changes...).judge(u, false, when); got != tc.want {
				t.Errorf("judge(%q) = %q; want %q", u.Display, got, tc.want)
			}
		})
	}
}

func numbered(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "/s%d", i)
	}
	return b.String()
}

func parameters(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "&p%d=%d", i, i)
	}
	return b.String()[1:]
}

// TestTrapRulesCompareURLs gives rules one URL after another.
func TestTrapRulesCompareURLs(t *testing.T) {
	const id1, id2 = "0123456789abcdef0123456789abcdef", "fedcba9876543210fedcba9876543210"
	for _, tc := range []struct {
		name   string
		queued []string
		urls   []string // a "!" in front: of a trap; a ">" in front: by redirect
		rule   string
	}{
		{
			name: "orders of parameters", rule: trapQueryPermutation,
			urls: []string{
				"/?a=1&b=2&c=3", "/?b=2&a=1&c=3", "/?c=3&b=2&a=1", "/?c=3&a=1&b=2", "!/?b=2&c=3&a=1", "!/?a=1&a=1&b=2&c=3",
				"/?a=1&b=2&c=3", "/?a=1&b=2&c=4", "/x?b=2&c=3&a=1",
			},
		},
		{
			name: "session ids of one page", rule: trapSessionID,
			urls: []string{
				"/p?PHPSESSID=" + id1, "!/p?PHPSESSID=" + id2, "/p?PHPSESSID=" + id1, "/q?PHPSESSID=" + id2,
				"/?sid=" + id1, "/?sid=" + id2, // may name anything
			},
		},
		{
			name: "a page known without its session id", rule: trapSessionID, queued: []string{"http://a.test/p"},
			urls: []string{"!/p?PHPSESSID=" + id1, ">/p?PHPSESSID=" + id2},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			tr := newTestTraps(t, tc.queued)
			for _, ref := range tc.urls {
				want := ""
				if ref[0] == '!' {
					ref, want = ref[1:], tc.rule
				}
				redirected := ref[0] == '>'
				u := resolved(t, "http://a.test"+strings.TrimPrefix(ref, ">"))
				if got := tr.judge(u, redirected, when); got != want {
					t.Errorf("judge(%q) = %q; want %q", ref, got, want)
				}
			}
		})
	}
}

func TestGistLeavesOutNumbersAndDates(t *testing.T) {
	for _, tc := range []struct {
		a, b string
		same bool
	}{
		{"Events in March 2031: none. Mo Tu We 1 2 3", "Events in April 2031: none. Mo Tu We 1 2 3 4", true},
		{"page 7 of 300", "page 8 of 300", true},
		{"Sat, 3 May", "Sun, 4 June", true},
		{"Marching on", "Mayor is here", false},
		{"a b", "ab", false},
		{"The keeper's log", "The keeper's lamp", false},
		{"", "3", true},
	} {
		if got := gist(0, tc.a) == gist(0, tc.b); got != tc.same {
			t.Errorf("gist(%q) and gist(%q): same is %v; want %v", tc.a, tc.b, got, tc.same)
		}
	}
}

// TestFrequentNeverCountsTooHigh counts a stream in which one value is common.
func TestFrequentNeverCountsTooHigh(t *testing.T) {
	var f frequent
	for i := range 1000 {
		if got := f.add(uint64(i) + 10); got > 1 {
			t.Fatalf("value %d was seen once and counts %d", i+10, got)
		}
	}
	most := 0
	for i := range 1000 {
		most = max(most, f.add(1))
		f.add(uint64(i) + 5000)
	}
	if most < 800 || most > 1000 {
		t.Errorf("of a value seen 1000 times, every other time, %d were counted", most)
	}
}

func TestTrapRulesAreChecked(t *testing.T) {
	for _, arg := range []string{"", "deep-path", "deep-path=", "deep-path=0", "deep-path=-3", "deep-path=x", "deeppath=3"} {
		if err := new(Settings).SetTrapRule(arg); err == nil {
			t.Errorf("SetTrapRule(%q) succeeded", arg)
		}
	}
	c := newCrawl(t, nil, "http://a.test/")
	c.settings.Traps = map[string]int{"none": 3}
	if err := c.settings.Check(); err == nil {
		t.Error("Check accepts a rule that does not exist")
	}
}

// TestNoTrapInTheCorpus resolves the links of saved pages of real sites. No rule
// refuses any of them.
func TestNoTrapInTheCorpus(t *testing.T) {
	corpus := os.Getenv("HASHCRAWL_CORPUS")
	if corpus == "" {
		corpus = "../../shared/corpus"
	}
	files, _ := filepath.Glob(filepath.Join(corpus, "pagination/autopager/html/*.html"))
	if len(files) == 0 {
		t.Skip("no corpus at " + corpus)
	}
	n, err := urlnorm.New(urlnorm.Config{})
	if err != nil {
		t.Fatal(err)
	}
	judged := 0
	for _, file := range files {
		body, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		base, err := n.Base("http://" + strings.TrimSuffix(filepath.Base(file), ".html") + ".test/")
		if err != nil {
			t.Fatal(err)
		}
		tr := newTestTraps(t, nil)
		for _, l := range htmldoc.Parse(body, htmldoc.Options{}).Links {
			u, err := n.Resolve(base, l.Href, urlnorm.Charset{})
			if err != nil {
				continue
			}
			judged++
			if rule := tr.judge(u, false, when); rule != "" {
				t.Errorf("%s: %s is refused by %s", filepath.Base(file), u.Display, rule)
			}
		}
	}
	if judged < 10_000 {
		t.Errorf("only %d links were judged", judged)
	}
}

// TestTrapsEndCrawls crawls sites without end. Each crawl ends, and says why.
func TestTrapsEndCrawls(t *testing.T) {
	for _, tc := range []struct {
		name string
		site func(path, query string) string
		rule string
		most int // pages fetched
	}{
		{
			name: "T01: paths that grow", rule: trapRepeatedSegment, most: 5,
			site: func(string, string) string { return `<title>x</title><a href="x/">deeper</a>` },
		},
		{
			name: "T02: a calendar by number", rule: trapSameText, most: 203,
			site: func(_, query string) string {
				var n int
				fmt.Sscanf(query, "month=%d", &n)
				return fmt.Sprintf(`<title>Month %d</title>No events in month %d. <a href="/?month=%d">next</a>`, n, n, n+1)
			},
		},
		{
			name: "T02: a calendar by date", rule: trapCalendar, most: 12 * 7,
			site: func(path, _ string) string {
				y, m := 2026, 1
				fmt.Sscanf(path, "/%d/%d/", &y, &m)
				next := time.Date(y, time.Month(m+1), 1, 0, 0, 0, 0, time.UTC)
				return fmt.Sprintf(`<title>%d-%d</title>moon %x<a href="/%d/%02d/">next</a>`, y, m, y*97+m, next.Year(), next.Month())
			},
		},
		{
			name: "T03: orders of parameters", rule: trapQueryPermutation, most: 5,
			site: func(_, query string) string {
				var b strings.Builder
				for i := range 6 {
					fmt.Fprintf(&b, `<a href="/?%s">x</a>`, shuffled(i, len(query)))
				}
				return b.String()
			},
		},
		{
			name: "T04: one body under every URL", rule: trapSameBody, most: 300,
			site: func(string, string) string {
				return `<title>Not found</title><a href="a/">a</a><a href="b/">b</a><a href="c/">c</a><a href="d/">d</a><a href="e/">e</a>`
			},
		},
		{
			name: "C02: session ids", rule: trapSessionID, most: 10,
			site: func(path, query string) string {
				var b strings.Builder
				fmt.Fprintf(&b, "<title>%s</title>", path)
				for i := range 10 {
					p := fmt.Sprintf("/p%d", i)
					if i == 0 {
						p = "/"
					}
					// A new one for each link and each page.
					fmt.Fprintf(&b, `<a href="%s?PHPSESSID=%016x%016x">x</a>`, p, len(path)*1000+i, len(query)*77+int(path[len(path)-1]))
				}
				return b.String()
			},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := newCrawl(t, nil, "http://a.test/")
				c.web.site = tc.site
				c.settings.NoSitemaps = true
				sum := c.run(Options{})
				if n := len(c.web.requested()); n > tc.most {
					t.Errorf("%d pages were requested; want at most %d", n, tc.most)
				}
				if sum.Counts[frontier.Trap] == 0 || sum.Counts[frontier.Waiting] != 0 {
					t.Errorf("counts are %v; want some of traps and none waiting", sum.Counts)
				}
				s := c.status()
				if s.Traps[tc.rule] == 0 {
					t.Errorf("status counts %v; want %s among them", s.Traps, tc.rule)
				}
			})
		})
	}
}

// shuffled returns three parameters in the ith order; odd calls repeat one.
func shuffled(i, odd int) string {
	orders := [6][3]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}
	p := [3]string{"a=1", "b=2", "c=3"}
	o := orders[i]
	s := p[o[0]] + "&" + p[o[1]] + "&" + p[o[2]]
	if odd%2 == 1 {
		s += "&" + p[o[0]]
	}
	return s
}

// TestChangedTrapRuleLiftsItsRefusals resumes with a rule changed: what it
// refused is taken up; what another rule refused is not.
func TestChangedTrapRuleLiftsItsRefusals(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCrawl(t, map[string]answer{
			"http://a.test/":               links(numbered(25), "/x/x/x/x"),
			"http://a.test" + numbered(25): {body: "deep"},
		}, "http://a.test/")
		c.run(Options{})
		c.wants(map[string]string{"http://a.test" + numbered(25): "trap: deep-path"})
		if err := c.settings.SetTrapRule("deep-path=off"); err != nil {
			t.Fatal(err)
		}
		c.rejudge()
		c.wants(map[string]string{"http://a.test" + numbered(25): "indexed", "http://a.test/x/x/x/x": "trap: repeated-segment"})
	})
}

func BenchmarkTrapsJudge(b *testing.B) {
	for _, tc := range []struct{ name, url string }{
		{"plain", "http://a.test/news/2026/03/a-title-of-some-length.html"},
		{"query", "http://a.test/shop/list?category=7&page=3&sort=price"},
	} {
		b.Run("url="+tc.name, func(b *testing.B) {
			tr, u := newTestTraps(b, nil), resolved(b, tc.url)
			b.ReportAllocs()
			for b.Loop() {
				tr.judge(u, false, when)
			}
		})
	}
}

func BenchmarkGist(b *testing.B) {
	text := strings.Repeat("the keeper of that lamp wrote down his notes on a stormy day and nobody asked for more than 12 words ", 80)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		gist(0, text)
	}
}

// TestTextsThatDifferAreSampled holds that of a host which always says something
// else few texts are looked at, and that one which begins to repeat itself is
// found out all the same, some pages later.
func TestTextsThatDifferAreSampled(t *testing.T) {
	const ordinary, limit = 1000, 20
	tr := newTestTraps(t, nil, "same-text="+strconv.Itoa(limit))
	page, looked := uint64(0), 0
	saw := func(text uint64) string {
		page++
		return tr.sawPage("a.test", page, func() uint64 { looked++; return text })
	}
	for range ordinary {
		if rule := saw(1<<32 + page); rule != "" {
			t.Fatalf("page %d: %s", page, rule)
		}
	}
	if most := watchedTexts + ordinary/sampledTexts; looked > most {
		t.Errorf("%d of %d texts were looked at; want at most %d", looked, ordinary, most)
	}
	repeated := 1
	for saw(7) == "" {
		if repeated++; repeated > 2*limit {
			t.Fatalf("%d pages that say the same were not found out", repeated)
		}
	}
	if repeated <= limit {
		t.Errorf("%d pages that say the same are a trap; want more than %d", repeated, limit)
	}
}
