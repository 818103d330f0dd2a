package simulate

import (
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"text/tabwriter"
)

// A Score is what a walker reached, added up over visits and seeds.
type Score struct {
	Items   int // that counted
	Missed  int // of these
	Gone    int // did not count: killed at every visit while they stood there
	Pages   int // read
	Minimum int // that the oracle read
	Visits  int
	// False counts visits after which the walker claimed to have seen
	// everything while an item that came since the visit before stood on the
	// list and had not been emitted.
	False int
}

// Add adds other to s.
func (s *Score) Add(other Score) {
	s.Items += other.Items
	s.Missed += other.Missed
	s.Gone += other.Gone
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
		kills:   rand.New(rand.NewPCG(seed, 0x6b696c6c)),
		emitted: make(map[string]bool), excused: make(map[string]bool),
	}
	t.first(w)
	var counted []string
	for v := 1; v <= visits+settling; v++ {
		minimum, found := t.oracle.visit(v)
		if v <= visits {
			counted = append(counted, found...)
		}
		t.score.Minimum += minimum
		t.excuse()
		if t.visit(v, w) {
			t.denied = append(t.denied, found...)
		} else {
			t.denied = nil
		}
	}
	for _, key := range counted {
		switch {
		case t.emitted[key]:
			t.score.Items++
		case t.excused[key]:
			t.score.Gone++
		default:
			t.score.Items++
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
	denied  []string        // found by the oracle in visits that the walker did not survive
	excused map[string]bool // of these, gone before the next visit
	score   Score
}

// first is the visit before the measured ones: it is never killed, and what
// stands on the list then is not new.
func (t *trial) first(w Walker) {
	w.Visit(t.site.VisitAt(0), func(page int) (Listing, error) { return t.site.Page(page), nil })
}

// excuse finds, at the beginning of a visit, the denied items that are gone.
func (t *trial) excuse() {
	if len(t.denied) == 0 {
		return
	}
	t.site.AdvanceTo(t.site.VisitAt(t.score.Visits + 1))
	listed := make(map[string]bool)
	for _, i := range slices.Concat(t.site.list, t.site.pinned) {
		listed[t.site.posts[i].key] = true
	}
	t.denied = slices.DeleteFunc(t.denied, func(key string) bool {
		t.excused[key] = t.excused[key] || !listed[key]
		return !listed[key]
	})
}

// visit lets w make visit v and tells whether it was killed.
func (t *trial) visit(v int, w Walker) (killed bool) {
	begun := t.site.VisitAt(v)
	t.site.AdvanceTo(begun)
	emitted, complete := w.Visit(begun, func(page int) (Listing, error) {
		t.score.Pages++
		if t.kills.Float64() < t.site.sc.Kill {
			killed = true
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
	if complete && !killed && t.lacks(v) {
		t.score.False++
	}
	return killed
}

// lacks tells whether an item stands on the list that came between the visit
// before v and v and was not emitted.
func (t *trial) lacks(v int) bool {
	for _, i := range t.site.list {
		p := t.site.posts[i]
		if p.born.After(t.site.VisitAt(v-1)) && !p.born.After(t.site.VisitAt(v)) && !t.emitted[p.key] {
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
	fmt.Fprintln(tw, "scenario\tnew items\tmissed\tgone\trecall\tpages\tminimum\tratio\tfalsely complete\tliteral recall\tliteral ratio")
	for _, r := range rows {
		o, l := r.Ours, r.Literal
		fmt.Fprintf(tw, "%s\t%d\t%d\t%d\t%.5f\t%d\t%d\t%.3f\t%d\t%.3f\t%.3f\n",
			r.Scenario, o.Items, o.Missed, o.Gone, o.Recall(), o.Pages, o.Minimum, o.Ratio(), o.False, l.Recall(), l.Ratio())
	}
	return tw.Flush()
}
