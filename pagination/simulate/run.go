package simulate

import (
	"fmt"
	"io"
	"math/rand/v2"
	"text/tabwriter"
)

// A Score is what a walker reached, added up over visits and seeds.
type Score struct {
	Items   int // that counted
	Missed  int // of these
	Pages   int // read
	Minimum int // that the oracle read
	Visits  int
	// False counts visits after which the walker claimed to have seen
	// everything while an item that came after the first visit and before
	// this one stood on the list and had not been emitted.
	False int
}

// Add adds other to s.
func (s *Score) Add(other Score) {
	s.Items += other.Items
	s.Missed += other.Missed
	s.Pages += other.Pages
	s.Minimum += other.Minimum
	s.Visits += other.Visits
	s.False += other.False
}

// Recall is the part of the items that was emitted.
func (s Score) Recall() float64 {
	if s.Items == 0 {
		return 1
	}
	return 1 - float64(s.Missed)/float64(s.Items)
}

// Ratio is how many pages were read for each that had to be.
func (s Score) Ratio() float64 { return float64(s.Pages) / float64(max(1, s.Minimum)) }

// settling is how many visits follow the measured ones.
const settling = 10

// Run lets w visit the site of sc and seed: once to get to know it, then so
// many times to be measured.
func Run(sc Scenario, seed uint64, visits int, w Walker) Score {
	t := trial{
		site: NewSite(sc, seed), oracle: newOracle(NewSite(sc, seed)),
		kills: rand.New(rand.NewPCG(seed, 0x6b696c6c)), emitted: make(map[string]bool),
	}
	t.first(w)
	var counted []string
	for v := 1; v <= visits+settling; v++ {
		minimum, found := t.oracle.visit(v)
		if v <= visits {
			counted = append(counted, found...)
		}
		t.score.Minimum += minimum
		t.visit(v, w)
	}
	t.score.Items = len(counted)
	for _, key := range counted {
		if !t.emitted[key] {
			t.score.Missed++
		}
	}
	return t.score
}

// A trial is one walker on one site.
type trial struct {
	site    *Site
	oracle  *oracle
	kills   *rand.Rand
	emitted map[string]bool
	score   Score
}

// first is the visit before the measured ones: it is never killed, and what
// stands on the list then is not new.
func (t *trial) first(w Walker) {
	w.Visit(t.site.VisitAt(0), func(page int) (Listing, error) { return t.site.Page(page), nil })
}

func (t *trial) visit(v int, w Walker) {
	begun := t.site.VisitAt(v)
	t.site.AdvanceTo(begun)
	emitted, complete := w.Visit(begun, func(page int) (Listing, error) {
		t.score.Pages++
		if t.kills.Float64() < t.site.sc.Kill {
			return Listing{}, ErrKilled
		}
		l := t.site.Page(page)
		t.site.AdvanceTo(t.site.now.Add(t.site.sc.Fetch))
		return l, nil
	})
	for _, key := range emitted {
		t.emitted[key] = true
	}
	t.score.Visits++
	if complete && t.lacks(v) {
		t.score.False++
	}
}

// lacks tells whether an item stands on the list that came before visit v and
// was not emitted.
func (t *trial) lacks(v int) bool {
	for _, i := range t.site.list {
		p := t.site.posts[i]
		if p.born.After(start) && !p.born.After(t.site.VisitAt(v)) && !t.emitted[p.key] {
			return true
		}
	}
	return false
}

// Seeds runs w(sc) on the sites of sc that the seeds from 1 to n give.
func Seeds(sc Scenario, n, visits int, w func(Scenario) Walker) Score {
	var sum Score
	for seed := range n {
		sum.Add(Run(sc, uint64(seed+1), visits, w(sc)))
	}
	return sum
}

// A Row is one row of a table: a scenario, what our walker and the literal
// rule reached.
type Row struct {
	Scenario string
	Ours     Score
	Literal  Score
}

// WriteTable writes rows as a table for people.
func WriteTable(w io.Writer, rows []Row) error {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "scenario\tnew items\tmissed\trecall\tpages\tminimum\tratio\tfalsely complete\tliteral recall\tliteral ratio")
	for _, r := range rows {
		o, l := r.Ours, r.Literal
		fmt.Fprintf(tw, "%s\t%d\t%d\t%.5f\t%d\t%d\t%.3f\t%d\t%.3f\t%.3f\n",
			r.Scenario, o.Items, o.Missed, o.Recall(), o.Pages, o.Minimum, o.Ratio(), o.False, l.Recall(), l.Ratio())
	}
	return tw.Flush()
}
