package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"slices"

	"github.com/hashcrawl/hashcrawl/pagination/pager"
	"github.com/hashcrawl/hashcrawl/pagination/pager/labelled"
)

// crossValidate prints how well pages are labelled by weights that were
// learned without their groups.
func crossValidate(out io.Writer, pages, always []*labelled.Page, o options, verbose bool) {
	var groups []string
	for _, p := range pages {
		if !slices.Contains(groups, p.Group) {
			groups = append(groups, p.Group)
		}
	}
	slices.Sort(groups)
	random := rand.New(rand.NewPCG(o.seed, 1))
	random.Shuffle(len(groups), func(i, j int) { groups[i], groups[j] = groups[j], groups[i] })
	var s labelled.Score
	for fold := range o.folds {
		held := func(p *labelled.Page) bool { return slices.Index(groups, p.Group)%o.folds == fold }
		train := slices.Clone(always)
		for _, p := range pages {
			if !held(p) {
				train = append(train, p)
			}
		}
		l := pager.New(learn(train, o))
		for _, p := range pages {
			if !held(p) {
				continue
			}
			r := l.Label(p.Doc, p.URL, p.URLs)
			if !s.Add(p, r.Labels) && verbose {
				report(out, p, r.Labels, reached(l, p))
			}
		}
	}
	fmt.Fprint(out, s.String())
}

// reached returns which links the model looks at.
func reached(l *pager.Labeler, p *labelled.Page) map[int]bool {
	seen := make(map[int]bool)
	for _, seq := range l.Observe(p.Doc, p.URL, p.URLs, false) {
		for _, o := range seq {
			seen[o.Link] = true
		}
	}
	return seen
}

func report(out io.Writer, p *labelled.Page, got []pager.Role, seen map[int]bool) {
	fmt.Fprintf(out, "%s %s (lost %d)\n", p.Name, p.URL, p.Lost)
	for i, want := range p.Want {
		if got[i] == want || p.Doc.Links[i].Index < 0 {
			continue
		}
		note := ""
		if !seen[i] {
			note = " (no candidate)"
		}
		fmt.Fprintf(out, "\t%q is %q, labelled %q%s: %.50q %.90s\n", p.Doc.Links[i].Text, want, got[i], note, p.Doc.Links[i].Href, p.URLs[i].Display)
	}
}
