package ajaxscheme

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashcrawl/hashcrawl/urlnorm"
)

type corpusCase struct{ id, kind, input, want string }

// corpusCases reads the rows of one kind, or skips the test.
func corpusCases(t *testing.T, kind string) []corpusCase {
	t.Helper()
	dir := os.Getenv("HASHCRAWL_CORPUS")
	if dir == "" {
		dir = filepath.Join("..", "..", "shared", "corpus")
	}
	data, err := os.ReadFile(filepath.Join(dir, "ajaxscheme", "cases.tsv"))
	if err != nil {
		t.Skipf("no corpus: %v", err)
	}
	var cases []corpusCase
	for line := range strings.Lines(string(data)) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(f) > 3 && f[1] == kind {
			cases = append(cases, corpusCase{f[0], f[1], f[2], f[3]})
		}
	}
	return cases
}

// escapes are the notations for bytes in the corpus.
var escapes = strings.NewReplacer(`\t`, "\t", `\n`, "\n", `\x7f`, "\x7f")

func TestCorpusPrettyToUgly(t *testing.T) {
	for _, c := range corpusCases(t, "pretty2ugly") {
		got, err := Ugly(escapes.Replace(c.input))
		if err != nil {
			got = "-"
		}
		if string(got) != c.want {
			t.Errorf("%s: Ugly(%q) = %q, %v; want %q", c.id, c.input, got, err, c.want)
		}
	}
}

func TestCorpusUglyToPretty(t *testing.T) {
	for _, c := range corpusCases(t, "ugly2pretty") {
		got, err := Pretty(escapes.Replace(c.input))
		if err != nil {
			got = "-"
		}
		if got != c.want {
			t.Errorf("%s: Pretty(%q) = %q, %v; want %q", c.id, c.input, got, err, c.want)
		}
	}
}

func TestCorpusOptIn(t *testing.T) {
	for _, c := range corpusCases(t, "meta") {
		if !strings.HasPrefix(c.input, "<") {
			continue // behaviour of the crawl
		}
		got := "none"
		if DetectOptIn([]byte(escapes.Replace(c.input))) == OptInValid {
			got = "optin"
		}
		if got != c.want {
			t.Errorf("%s: DetectOptIn(%q) = %q, want %q", c.id, c.input, got, c.want)
		}
	}
}

// TestCorpusLinks resolves the rows that name a document or an absolute
// reference. The others tell what a crawl does.
func TestCorpusLinks(t *testing.T) {
	n, err := urlnorm.New(urlnorm.Config{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range corpusCases(t, "link") {
		display, request, mapped := strings.Cut(c.want, " => ")
		doc, href, hasDoc := strings.Cut(strings.TrimPrefix(c.input, "doc "), " | href ")
		switch {
		case !strings.HasPrefix(display, "http"), !hasDoc && !mapped, c.id == "L24":
			continue
		case !hasDoc:
			doc, href = "http://h/", display
		}
		doc, moved, _ := strings.Cut(strings.TrimPrefix(doc, "fetched as "), " base ")
		base := mustBase(t, n, nil, doc)
		if moved != "" {
			base = mustBase(t, n, base, moved)
		}
		ref := strings.Trim(escapes.Replace(href), `"`)
		u, err := n.Resolve(base, ref, urlnorm.Charset{})
		if !mapped {
			request = display
		}
		if err != nil || u.Display != display || u.Fetch != request {
			t.Errorf("%s: Resolve(%q, %q) = %+v, %v; want display %q, fetch %q", c.id, doc, ref, u, err, display, request)
		}
	}
}

// mustBase returns the base for a page, or for a <base href> on one.
func mustBase(t *testing.T, n *urlnorm.Normalizer, page *urlnorm.Base, ref string) *urlnorm.Base {
	t.Helper()
	u, err := n.Resolve(page, ref, urlnorm.Charset{})
	if err != nil {
		t.Fatalf("Resolve(%q): %v", ref, err)
	}
	b, err := n.Base(u.Display)
	if err != nil {
		t.Fatalf("Base(%q): %v", u.Display, err)
	}
	return b
}
