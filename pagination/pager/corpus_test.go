package pager_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/hashcrawl/hashcrawl/pagination/pager"
	"github.com/hashcrawl/hashcrawl/pagination/pager/labelled"
)

// corpus returns the path of a part of the shared corpus, or skips the test.
func corpus(t *testing.T, parts ...string) string {
	t.Helper()
	root := os.Getenv("HASHCRAWL_CORPUS")
	if root == "" {
		root = filepath.Join("..", "..", "..", "shared", "corpus")
	}
	path := filepath.Join(append([]string{root}, parts...)...)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("no corpus: %v", err)
	}
	return path
}

// score labels the pages of a folder with the weights of the program.
func score(t *testing.T, dir string) *labelled.Score {
	t.Helper()
	pages, err := labelled.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	var s labelled.Score
	l := pager.New(nil)
	for _, p := range pages {
		r := l.Label(p.Doc, p.URL, p.URLs)
		if !s.Add(p, r.Labels) && testing.Verbose() {
			for i, want := range p.Want {
				if link := p.Doc.Links[i]; link.Index >= 0 && r.Labels[i] != want {
					t.Logf("page %s: link %d %q to %.80q is %q, labelled %q", p.Name, link.Index, link.Text, link.Href, want, r.Labels[i])
				}
			}
		}
	}
	t.Logf("%s\n%s", dir, s.String())
	return &s
}

// TestHeldOut holds the floor on pages of ours that no weight was learned from:
// three lots in one folder, and the later ones in their own.
func TestHeldOut(t *testing.T) {
	held := filepath.Join("..", "..", "testdata", "pagination", "pager", "held")
	lots, err := filepath.Glob(filepath.Join(held, "lot*"))
	if err != nil || len(lots) == 0 {
		t.Fatalf("no lots in %s: %v", held, err)
	}
	for _, dir := range append(lots, held) {
		least := 0.97
		if dir != held {
			least = 0.95 // unseen pages must reach 0.90; these have been looked at
		}
		if got := score(t, dir).Micro().F1(); got < least {
			t.Errorf("%s: micro-F1 = %.3f, want at least %.2f", filepath.Base(dir), got, least)
		}
	}
}

// TestCorpusAutopager holds the floor on the pages that the weights were
// learned from; what they are worth on other sites is measured by the
// cross-validation of pagination/pager/train.
func TestCorpusAutopager(t *testing.T) {
	s := score(t, corpus(t, "pagination", "autopager"))
	if got := s.Micro().F1(); got < 0.97 {
		t.Errorf("micro-F1 = %.3f, want at least 0.97", got)
	}
	if got := s.Whole(); got < 0.85 {
		t.Errorf("whole pages = %.3f, want at least 0.85", got)
	}
	if got := s.Next.F1(); got < 0.94 {
		t.Errorf("next-URL F1 = %.3f, want at least 0.94", got)
	}
}
