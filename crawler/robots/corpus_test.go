package robots

import (
	"encoding/base64"
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// corpusFile reads a file of the shared corpus, or skips the test on a
// machine that has none.
func corpusFile(t testing.TB, name string) []byte {
	t.Helper()
	dir := os.Getenv("HASHCRAWL_CORPUS")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "corpus")
	}
	b, err := os.ReadFile(filepath.Join(dir, "robots", name))
	if os.IsNotExist(err) {
		t.Skipf("no corpus here: %v (set HASHCRAWL_CORPUS)", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return b
}

type corpusCase struct {
	ID, Kind, Agent, URL, Class string
	Robots                      string
	RobotsB64                   string `json:"robots_b64"`
	Recommended                 *bool

	Delay          *float64
	Base           string
	Sitemaps       []string
	Status         int
	Allowed        any
	Path           string
	Pattern        string
	Escaped        string
	Valid, Unknown any
}

// body returns the robots.txt of the case.
func (c corpusCase) body(t testing.TB) []byte {
	if c.RobotsB64 == "" {
		return []byte(c.Robots)
	}
	b, err := base64.StdEncoding.DecodeString(c.RobotsB64)
	if err != nil {
		t.Fatalf("%s: %v", c.ID, err)
	}
	return b
}

func TestCorpus(t *testing.T) {
	var cases []corpusCase
	if err := json.Unmarshal(corpusFile(t, "robots-cases.json"), &cases); err != nil {
		t.Fatal(err)
	}
	checks := map[string]func(*testing.T, corpusCase){
		"allow": checkAllow, "crawl_delay": checkCrawlDelay, "sitemaps": checkSitemaps,
		"status": checkStatus, "path": checkPath, "escape": checkEscape,
		"valid_token": checkToken, "directives": checkDirectives,
	}
	for _, c := range cases {
		if c.Kind == "allow" && c.Recommended == nil {
			continue // library-specific, no target
		}
		t.Run(c.Kind+"/"+c.ID, func(t *testing.T) { checks[c.Kind](t, c) })
	}
}

func checkAllow(t *testing.T, c corpusCase) {
	v := Parse(c.body(t)).Rules(c.Agent).Test(Target(c.URL))
	if v.Allowed != *c.Recommended {
		t.Errorf("agent %q, URL %q: %+v, want %v\n%.500s", c.Agent, c.URL, v, *c.Recommended, c.body(t))
	}
}

func checkCrawlDelay(t *testing.T, c corpusCase) {
	got, ok := Parse(c.body(t)).Rules(c.Agent).CrawlDelay()
	if ok != (c.Delay != nil) || ok && got.Seconds() != *c.Delay {
		t.Errorf("agent %q: %v, %v; want %v\n%s", c.Agent, got, ok, c.Delay, c.body(t))
	}
}

func checkSitemaps(t *testing.T, c corpusCase) {
	base, err := url.Parse(c.Base)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range Parse(c.body(t)).Sitemaps() {
		u, err := base.Parse(s)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, u.String())
	}
	if !slices.Equal(got, c.Sitemaps) {
		t.Errorf("got %q, want %q", got, c.Sitemaps)
	}
}

// checkStatus takes -1 for a network error and -2 for a redirect too many.
func checkStatus(t *testing.T, c corpusCase) {
	status, hops := c.Status, 0
	switch status {
	case -1:
		status = 0
	case -2:
		status, hops = 302, MaxRedirects
	}
	want := map[any]Answer{"parse": UseBody, "allow": AllowAll, "deny-temp": DenyAndRetry, "cached": KeepCopy}[c.Allowed]
	if got := Judge(status, hops); got != want {
		t.Errorf("Judge(%d, %d) = %v, want %v", status, hops, got, want)
	}
}

func checkPath(t *testing.T, c corpusCase) {
	if got := Target(c.URL); got != c.Path {
		t.Errorf("Target(%q) = %q, want %q", c.URL, got, c.Path)
	}
}

func checkEscape(t *testing.T, c corpusCase) {
	if got := string(appendNormal(nil, c.Pattern)); got != c.Escaped {
		t.Errorf("normal form of %q = %q, want %q", c.Pattern, got, c.Escaped)
	}
}

func checkToken(t *testing.T, c corpusCase) {
	if got := ValidToken(c.Agent); got != c.Valid {
		t.Errorf("ValidToken(%q) = %v, want %v", c.Agent, got, c.Valid)
	}
}

func checkDirectives(t *testing.T, c corpusCase) {
	known, unknown := Parse(c.body(t)).Directives()
	if float64(known) != c.Valid || float64(unknown) != c.Unknown {
		t.Errorf("known, unknown = %d, %d; want %v, %v\n%q", known, unknown, c.Valid, c.Unknown, c.body(t))
	}
}
