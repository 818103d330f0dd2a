package htmldoc

import (
	"os"
	"path/filepath"
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
