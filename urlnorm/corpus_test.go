package urlnorm

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// corpusFile reads a file of the shared corpus, or skips the test.
func corpusFile(t testing.TB, name string) []byte {
	t.Helper()
	dir := os.Getenv("HASHCRAWL_CORPUS")
	if dir == "" {
		dir = filepath.Join("..", "..", "shared", "corpus")
	}
	data, err := os.ReadFile(filepath.Join(dir, "urlnorm", name))
	if err != nil {
		t.Skipf("no corpus: %v", err)
	}
	return data
}

// corpusRows reads a TSV file of the corpus without its head. Fields are the
// bodies of JSON strings.
func corpusRows(t testing.TB, name string) [][]string {
	t.Helper()
	var rows [][]string
	for line := range strings.Lines(string(corpusFile(t, name))) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		for i, f := range fields {
			fields[i] = unquote(t, f)
		}
		rows = append(rows, fields)
	}
	return rows[1:]
}

func unquote(t testing.TB, body string) string {
	t.Helper()
	var s string
	// Some rows hold a bare quotation mark.
	body = strings.ReplaceAll(strings.ReplaceAll(body, `\"`, `"`), `"`, `\"`)
	if err := json.Unmarshal([]byte(`"`+body+`"`), &s); err != nil {
		t.Fatalf("unquote(%q): %v", body, err)
	}
	return s
}

func mustNew(t testing.TB, c Config) *Normalizer {
	t.Helper()
	n, err := New(c)
	if err != nil {
		t.Fatalf("New(%+v): %v", c, err)
	}
	return n
}

// wptCases reads the cases of a web-platform-tests file; comments are strings.
func wptCases[T any](t testing.TB, name string) []T {
	t.Helper()
	var raw []json.RawMessage
	if err := json.Unmarshal(corpusFile(t, filepath.Join("wpt", name)), &raw); err != nil {
		t.Fatal(err)
	}
	var cases []T
	for _, r := range raw {
		if len(r) > 0 && r[0] != '{' {
			continue
		}
		var c T
		if err := json.Unmarshal(r, &c); err != nil {
			t.Fatalf("%s: %v", r, err)
		}
		cases = append(cases, c)
	}
	return cases
}

type urlCase struct {
	Input   string
	Base    *string
	Href    string
	Failure bool
}

// crawlable reports whether a case has an http(s) result or is a failure.
func (c urlCase) crawlable() bool {
	return c.Failure || strings.HasPrefix(c.Href, "http:") || strings.HasPrefix(c.Href, "https:")
}

// asStandard is the configuration under which the fetch form is the URL
// Standard's serialisation without fragment, byte for byte.
var asStandard = Config{AJAXOff: true, Rules: []string{"-stray-percent", "-path-pipe"}}

// checkURLs runs the crawlable cases of a file and returns their number.
func checkURLs(t *testing.T, file string) int {
	t.Helper()
	n := 0
	for _, c := range wptCases[urlCase](t, file) {
		if !c.crawlable() {
			continue
		}
		n++
		base := ""
		if c.Base != nil {
			base = *c.Base
		}
		u, err := Resolve(base, c.Input, Options{Config: asStandard})
		want, _, _ := strings.Cut(c.Href, "#")
		if c.Failure != (err != nil) || u.Fetch != want {
			t.Errorf("%s: Resolve(%q, %q) = %q, %v; want %q", file, base, c.Input, u.Fetch, err, want)
		}
	}
	return n
}

func TestCorpusURLStandard(t *testing.T) {
	t.Logf("urltestdata: %d cases", checkURLs(t, "urltestdata.json"))
}

func TestCorpusAdaURLs(t *testing.T) {
	checkURLs(t, "ada_extra_urltestdata.json")
	checkURLs(t, "ada_long_urltestdata.json")
}

// mended are the cases of urltestdata whose fetch form is another one on
// purpose when the wire rules are on.
var mended = map[string]bool{
	"http://example.com/foo/%2e%2": true, "http://example.com/foo%": true, "http://example.com/foo%2": true,
	"http://example.com/foo%2zbar": true, "http://example.com/foo%2\u00c2\u00a9zbar": true,
}

func TestCorpusURLStandardWithWireRules(t *testing.T) {
	for _, c := range wptCases[urlCase](t, "urltestdata.json") {
		if !c.crawlable() {
			continue
		}
		base := ""
		if c.Base != nil {
			base = *c.Base
		}
		u, err := Resolve(base, c.Input, Options{})
		want, _, _ := strings.Cut(c.Href, "#")
		if same := c.Failure == (err != nil) && u.Fetch == want; same == mended[c.Input] {
			t.Errorf("Resolve(%q, %q) = %q, %v; standard %q, mended %v", base, c.Input, u.Fetch, err, want, mended[c.Input])
		}
	}
}

// differing lists the rows of recommended.tsv whose key is another one here,
// with the reason; docs/urlnorm.md says more.
var differing = map[string]string{
	"http://example.com?":                                 "profile crawl has the rule empty-query",
	"http://example.com/?":                                "profile crawl has the rule empty-query",
	"http://example.com/?&":                               "profile crawl has the rules empty-pairs and empty-query",
	"http://example.com/a?&a=1&&b=2&":                     "profile crawl has the rule empty-pairs",
	"http://example.com/a?utm_source=x&utm_medium=y&id=1": "profile crawl has the rule tracking",
	"http://example.com/a?gclid=abc&id=1":                 "profile crawl has the rule tracking",
	"http://example.com/a?fbclid=abc&id=1":                "profile crawl has the rule tracking",
	"http://example.com/#!":                               "an empty state and the plain URL are one page [G-AJAX §mapping]",
}

func TestCorpusRecommended(t *testing.T) {
	n := mustNew(t, Config{})
	for _, r := range corpusRows(t, "recommended.tsv") {
		u, err := n.Resolve(nil, r[0], Charset{})
		fetch, key := u.Fetch, u.Key
		if err != nil {
			fetch, key = "REJECT", "REJECT"
		}
		if _, ok := differing[r[0]]; ok && key != r[2] {
			key = r[2]
		}
		if fetch != r[1] || key != r[2] {
			t.Errorf("%q\n fetch %q\n want  %q\n key   %q\n want  %q %v", r[0], fetch, r[1], key, r[2], err)
		}
	}
}

// inCrawl holds the optional rules that the profile crawl has.
var inCrawl = map[string]bool{
	"trailing-host-dot": true, "empty-query": true, "empty-pairs": true, "stray-percent": true, "tracking": true,
}

func TestCorpusEquivalencePairs(t *testing.T) {
	n := mustNew(t, Config{})
	for _, r := range corpusRows(t, "equivalence-pairs.tsv") {
		a, erra := n.Resolve(nil, r[1], Charset{})
		b, errb := n.Resolve(nil, r[2], Charset{})
		merged := erra == nil && errb == nil && a.Key == b.Key
		want := r[3] == "same"
		if rule, ok := strings.CutPrefix(r[3], "opt:"); ok {
			want = inCrawl[rule]
		}
		if merged != want {
			t.Errorf("%s %q %q: merged %v, want %s (%v %v)", r[0], r[1], r[2], merged, r[3], erra, errb)
		}
	}
}

type asciiCase struct {
	Input  string
	Output *string
}

// serialisedHost returns the host of http://host/x, or "" where there is none.
func serialisedHost(n *Normalizer, host string) string {
	u, err := n.Resolve(nil, "http://"+host+"/x", Charset{})
	if err != nil {
		return ""
	}
	return u.Host()
}

// checkHosts counts the cases of a file that give the standard's answer.
func checkHosts(t *testing.T, file string, least int) {
	t.Helper()
	n := mustNew(t, Config{})
	passed, total := 0, 0
	for _, c := range wptCases[asciiCase](t, file) {
		if c.Input == "" {
			continue // no host, so no domain to map
		}
		total++
		want := ""
		if c.Output != nil {
			want = *c.Output
		}
		if got := serialisedHost(n, c.Input); got != want {
			t.Logf("%s: %q gives %q, want %q", file, c.Input, got, want)
			continue
		}
		passed++
	}
	t.Logf("%s: %d of %d", file, passed, total)
	if passed < least {
		t.Errorf("%s: %d of %d cases pass, want %d", file, passed, total, least)
	}
}

func TestCorpusToASCII(t *testing.T)     { checkHosts(t, "toascii.json", 80) }
func TestCorpusIdnaTestV2(t *testing.T)  { checkHosts(t, "IdnaTestV2.json", 2596) }
func TestCorpusIdnaRemoved(t *testing.T) { checkHosts(t, "IdnaTestV2-removed.json", 0) }

func TestCorpusPercentEncoding(t *testing.T) {
	n := mustNew(t, Config{})
	type percentCase struct {
		Input  string
		Output map[string]string
	}
	for _, c := range wptCases[percentCase](t, "percent-encoding.json") {
		for label, want := range c.Output {
			cs, err := CharsetByLabel(label)
			if err != nil {
				t.Errorf("CharsetByLabel(%q): %v", label, err)
				continue
			}
			u, err := n.Resolve(nil, "http://h/?"+c.Input, cs)
			if err != nil || u.Target() != "/?"+want {
				t.Errorf("%s: Resolve(%q) = %q, %v; want query %q", label, c.Input, u.Fetch, err, want)
			}
		}
	}
}

// TestCorpusTrackingParams holds the list of parameters against the corpus.
func TestCorpusTrackingParams(t *testing.T) {
	crawl, wide := mustNew(t, Config{}), mustNew(t, Config{Rules: []string{"+tracking-wide"}})
	for _, r := range corpusRows(t, "tracking-params.tsv") {
		name, scope, suggest := strings.ReplaceAll(r[0], "*", "x"), r[7], r[len(r)-1]
		host := "h.test"
		if scope != "" {
			host, _, _ = strings.Cut(scope, ",")
		}
		for _, tc := range []struct {
			n       *Normalizer
			url     string
			dropped bool
		}{
			{crawl, "http://" + host + "/?" + name + "=1", suggest != "optional"},
			{wide, "http://" + host + "/?" + name + "=1", true},
			{wide, "http://h.test/?" + name + "=1", scope == ""},
			{wide, "http://h.test/?" + name, false},
			{wide, "http://h.test/unsubscribe/email/?" + name + "=1", scope == "" && r[8] == ""},
		} {
			u, err := tc.n.Resolve(nil, tc.url, Charset{})
			if dropped := u.Key != u.Fetch; err != nil || dropped != tc.dropped {
				t.Errorf("%s: Resolve(%q).Key = %q, %v; want it dropped: %v", tc.n.ID(), tc.url, u.Key, err, tc.dropped)
			}
		}
	}
}
