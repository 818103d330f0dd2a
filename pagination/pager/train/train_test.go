package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashcrawl/hashcrawl/pagination/pager"
	"github.com/hashcrawl/hashcrawl/pagination/pager/labelled"
)

// few returns pages and options that learn in no time.
func few(t *testing.T) ([]*labelled.Page, options) {
	t.Helper()
	pages, err := labelled.Read(filepath.Join("..", "..", "..", "testdata", "pagination", "pager", "train"))
	if err != nil {
		t.Fatal(err)
	}
	return pages, options{folds: 2, epochs: 4, seed: 1, rate: 0.1, l2: 0.02, drop: 0.1, blind: true, invented: 1}
}

func TestLearnIsDeterministic(t *testing.T) {
	pages, o := few(t)
	first, again := learn(pages, o), learn(pages, o)
	if *first != *again {
		t.Error("the same pages and options give different weights")
	}
}

func TestLearnFitsItsPages(t *testing.T) {
	pages, o := few(t)
	l := pager.New(learn(pages, o))
	var s labelled.Score
	for _, p := range pages {
		s.Add(p, l.Label(p.Doc, p.URL, p.URLs).Labels)
	}
	if got := s.Micro().F1(); got < 0.9 {
		t.Errorf("micro-F1 on the pages learned from = %.3f, want at least 0.9", got)
	}
}

func TestCrossValidatePrintsTheScore(t *testing.T) {
	pages, o := few(t)
	var out strings.Builder
	crossValidate(&out, pages, nil, o, true)
	for _, want := range []string{"micro", "next URL", "whole pages"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("crossValidate prints no %q:\n%s", want, out.String())
		}
	}
}

func TestWriteWeights(t *testing.T) {
	var w pager.Weights
	w.Feature[3] = [4]int16{1, -2, 3, 4}
	file := filepath.Join(t.TempDir(), "weights.go")
	if err := writeWeights(file, &w, 5); err != nil {
		t.Fatal(err)
	}
	src, err := os.ReadFile(file)
	if err != nil || !strings.Contains(string(src), "3: {1, -2, 3, 4}") {
		t.Errorf("writeWeights wrote %q, %v", src, err)
	}
}
