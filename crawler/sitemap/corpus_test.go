package sitemap

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// corpusFile reads a file of the shared corpus, or skips the test on a
// machine that has none.
func corpusFile(t testing.TB, name string) []byte {
	t.Helper()
	dir := os.Getenv("HASHCRAWL_CORPUS")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "corpus")
	}
	b, err := os.ReadFile(filepath.Join(dir, "sitemap", name))
	if os.IsNotExist(err) {
		t.Skipf("no corpus here: %v (set HASHCRAWL_CORPUS)", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return b
}

type corpusCase struct {
	ID, Kind, Base, Body string
	BodyB64              string `json:"body_b64"`
	URLs                 json.RawMessage
	Dropped              []string
	LastMods             []*string
	Partial              bool
	Input                string
	Expect               *string
	URL                  string
	Valid                bool
}

func (c corpusCase) bytes(t *testing.T) []byte {
	if c.BodyB64 == "" {
		return []byte(c.Body)
	}
	b, err := base64.StdEncoding.DecodeString(c.BodyB64)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestCorpus(t *testing.T) {
	var cases []corpusCase
	if err := json.Unmarshal(corpusFile(t, "sitemap-cases.json"), &cases); err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		t.Run(c.Kind+"/"+c.ID, func(t *testing.T) {
			switch c.Kind {
			case "date":
				checkDate(t, c)
			case "location":
				if got := Covers(c.Base, c.URL); got != c.Valid {
					t.Errorf("Covers(%q, %q) = %v, want %v", c.Base, c.URL, got, c.Valid)
				}
			case "generated":
				t.Skip("made by TestLimits")
			default:
				checkDocument(t, c)
			}
		})
	}
}

func checkDate(t *testing.T, c corpusCase) {
	got, ok := ParseDate(c.Input)
	if c.Expect == nil {
		if ok {
			t.Errorf("ParseDate(%q) = %v, want none", c.Input, got)
		}
		return
	}
	if want := day(t, *c.Expect); !ok || !got.Equal(want) {
		t.Errorf("ParseDate(%q) = %v, %v; want %v", c.Input, got, ok, want)
	}
}

// day reads an expected date, whose time and zone are there or not.
func day(t *testing.T, s string) time.Time {
	for _, layout := range []string{time.DateOnly, time.RFC3339} {
		if d, err := time.Parse(layout, s); err == nil {
			return d
		}
	}
	t.Fatalf("no date: %q", s)
	return time.Time{}
}

func checkDocument(t *testing.T, c corpusCase) {
	var entries []Entry
	sum, err := Read(bytes.NewReader(c.bytes(t)), func(e Entry) bool {
		entries = append(entries, e)
		return true
	})
	if c.Kind == "error" {
		if err == nil {
			t.Errorf("no error, %+v", sum)
		}
		return
	}
	if err != nil {
		t.Fatalf("%v, %+v", err, sum)
	}
	if c.Kind == "text_count" {
		if string(c.URLs) != "5" || len(entries) != 5 || sum.Kind != Text {
			t.Errorf("%d entries, %+v; want %s", len(entries), sum, c.URLs)
		}
		return
	}
	checkKind(t, c.Kind, sum.Kind)
	if partial := sum.Stop == StopCut; partial != c.Partial {
		t.Errorf("stop %q, want partial %v", sum.Stop, c.Partial)
	}
	var want []string
	if err := json.Unmarshal(c.URLs, &want); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		if u := resolve(t, c.Base, e.Loc); u != "" && !slices.Contains(c.Dropped, u) {
			got = append(got, u)
		} else if u != "" && SameOrigin(c.Base, u) {
			t.Errorf("%s is to be dropped, but the sitemap may list it", u)
		}
	}
	if c.Kind == "urlset_contains" {
		got = slices.DeleteFunc(got, func(u string) bool { return !slices.Contains(want, u) })
	}
	if !slices.Equal(got, want) && len(got)+len(want) > 0 {
		t.Errorf("got %q, want %q", got, want)
	}
	for i, s := range c.LastMods {
		if s == nil && !entries[i].LastMod.IsZero() || s != nil && !entries[i].LastMod.Equal(day(t, *s)) {
			t.Errorf("entry %d: lastmod %v, want %v", i, entries[i].LastMod, s)
		}
	}
}

func checkKind(t *testing.T, want string, got Kind) {
	want, _, _ = strings.Cut(want, "_")
	if want == "feed" && (got == RSS || got == Atom) {
		return
	}
	if string(got) != want {
		t.Errorf("kind %q, want %q", got, want)
	}
}

// resolve stands in for the crawler's normaliser: "" for what is no http URL.
func resolve(t *testing.T, base, ref string) string {
	b, err := url.Parse(base)
	if err != nil {
		t.Fatal(err)
	}
	u, err := b.Parse(ref)
	if err != nil {
		return ""
	}
	if u.Scheme != "http" && u.Scheme != "https" {
		return ""
	}
	if !strings.HasPrefix(ref, "http") {
		u.Host = strings.ToLower(u.Host)
		return u.String()
	}
	return ref
}
