package labelled

import (
	"fmt"
	"strings"

	"github.com/hashcrawl/hashcrawl/pagination/pager"
)

// A Count holds the right, the false and the missed.
type Count struct{ TP, FP, FN int }

// Precision returns the share of the found that is right.
func (c Count) Precision() float64 { return ratio(c.TP, c.TP+c.FP) }

// Recall returns the share of the right that is found.
func (c Count) Recall() float64 { return ratio(c.TP, c.TP+c.FN) }

// F1 returns the harmonic mean of precision and recall.
func (c Count) F1() float64 { return ratio(2*c.TP, 2*c.TP+c.FP+c.FN) }

func (c *Count) add(d Count) { c.TP, c.FP, c.FN = c.TP+d.TP, c.FP+d.FP, c.FN+d.FN }

func ratio(a, b int) float64 {
	if b == 0 {
		return 1
	}
	return float64(a) / float64(b)
}

// A Score sums up how well pages were labelled. The zero value is empty.
type Score struct {
	Label      [4]Count // by label; of Other nothing is counted
	Next       Count    // of the address that the first link with label Next leads to
	Pages      int
	WholePages int // every link right
}

// Micro returns the counts of Page, Next and Prev together.
func (s *Score) Micro() Count {
	var sum Count
	for _, l := range []pager.Role{pager.Page, pager.Next, pager.Prev} {
		sum.add(s.Label[l])
	}
	return sum
}

// Whole returns the share of pages with every link right.
func (s *Score) Whole() float64 { return ratio(s.WholePages, s.Pages) }

// Add judges the labels got of the links of p and reports whether all are
// right.
func (s *Score) Add(p *Page, got []pager.Role) bool {
	whole := p.Lost == 0
	for i, want := range p.Want {
		if p.Doc.Links[i].Index < 0 {
			continue
		}
		if got[i] == want {
			s.Label[want].TP++
			continue
		}
		whole = false
		s.Label[got[i]].FP++
		s.Label[want].FN++
	}
	s.addNext(p.nextURL(p.Want), p.nextURL(got))
	s.Pages++
	if whole {
		s.WholePages++
	}
	return whole
}

func (s *Score) addNext(want, got string) {
	switch {
	case want == got && want != "":
		s.Next.TP++
	default:
		if got != "" {
			s.Next.FP++
		}
		if want != "" {
			s.Next.FN++
		}
	}
}

// nextURL returns where the first link with label Next leads.
func (p *Page) nextURL(labels []pager.Role) string {
	for i, l := range labels {
		if l == pager.Next && p.Doc.Links[i].Index >= 0 {
			if p.URLs[i].Display != "" {
				return p.URLs[i].Display
			}
			return p.Doc.Links[i].Href
		}
	}
	return ""
}

// String returns the score as a small table.
func (s *Score) String() string {
	var b strings.Builder
	row := func(name string, c Count) {
		fmt.Fprintf(&b, "%-9s precision %.3f  recall %.3f  F1 %.3f  (%d right, %d false, %d missed)\n",
			name, c.Precision(), c.Recall(), c.F1(), c.TP, c.FP, c.FN)
	}
	row("page", s.Label[pager.Page])
	row("next", s.Label[pager.Next])
	row("prev", s.Label[pager.Prev])
	row("micro", s.Micro())
	row("next URL", s.Next)
	fmt.Fprintf(&b, "whole pages %.3f (%d of %d)\n", s.Whole(), s.WholePages, s.Pages)
	return b.String()
}
