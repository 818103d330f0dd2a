package htmldoc

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hashcrawl/hashcrawl/ajaxscheme"
)

// corpus returns the path of a file of the shared corpus.
func corpus(name string) string {
	dir := os.Getenv("HASHCRAWL_CORPUS")
	if dir == "" {
		dir = "../../../shared/corpus"
	}
	return filepath.Join(dir, name)
}

// TestParseReadsTheOptInOfTheCorpus runs the documents among the cases of the
// scheme through the whole parser, not the detector alone.
func TestParseReadsTheOptInOfTheCorpus(t *testing.T) {
	table, err := os.ReadFile(corpus("ajaxscheme/cases.tsv"))
	if err != nil {
		t.Skip("the corpus is not here")
	}
	for line := range strings.Lines(string(table)) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(f) < 4 || f[1] != "meta" || !strings.HasPrefix(f[2], "<") {
			continue
		}
		t.Run(f[0], func(t *testing.T) {
			doc := strings.NewReplacer(`\n`, "\n", `\t`, "\t").Replace(f[2])
			p := Parse([]byte(doc), Options{})
			if got, want := p.OptIn == ajaxscheme.OptInValid, f[3] == "optin"; got != want {
				t.Errorf("Parse(%q).OptIn = %v %s, want valid: %t", doc, p.OptIn, p.OptInFault, want)
			}
		})
	}
}

// TestLinksAreWhereTheCorpusCountsThem compares with the links that another
// parser counted on real pages. Where it saw no text we may have an alt.
func TestLinksAreWhereTheCorpusCountsThem(t *testing.T) {
	labels, err := os.ReadFile(corpus("pagination/autopager/links.jsonl"))
	if err != nil {
		t.Skip("the corpus is not here")
	}
	anchors := map[string][]Link{}
	for line := range strings.Lines(string(labels)) {
		var want struct {
			Page       string
			I          int
			Href, Text string
		}
		if err := json.Unmarshal([]byte(line), &want); err != nil {
			t.Fatal(err)
		}
		if anchors[want.Page] == nil {
			anchors[want.Page] = anchorsOf(t, corpus("pagination/autopager/html/"+want.Page+".html"))
		}
		links := anchors[want.Page]
		if want.I >= len(links) {
			t.Errorf("page %s has %d anchors, want one at %d", want.Page, len(links), want.I)
			continue
		}
		if got := links[want.I]; got.Href != want.Href || got.Text != want.Text && want.Text != "" {
			t.Errorf("anchor %d of page %s = %q %q, want %q %q", want.I, want.Page, got.Href, got.Text, want.Href, want.Text)
		}
	}
}

// anchorsOf returns the indexed links of the page in the file.
func anchorsOf(t *testing.T, file string) []Link {
	t.Helper()
	body, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	doc, _ := Decode(body, "", "utf-8")
	return slices.DeleteFunc(Parse(doc, Options{}).Links, func(l Link) bool { return l.Index < 0 })
}
