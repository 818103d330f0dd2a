package main

import (
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/hashcrawl/hashcrawl/pagination"
	"github.com/hashcrawl/hashcrawl/storage"
)

// seriesReport is what series --json prints of one series.
type seriesReport struct {
	ID          string       `json:"id"`
	URL         string       `json:"url"` // of its first page
	Pattern     string       `json:"pattern"`
	Sort        string       `json:"sort,omitempty"`
	Order       string       `json:"order"`
	Evidence    []string     `json:"evidence"`
	Pages       int          `json:"pages"` // read by the last pass
	Stop        string       `json:"stop"`  // why the last pass stopped
	New         int          `json:"new"`   // items that it found
	Known       int          `json:"known"` // items that are remembered
	Complete    bool         `json:"complete"`
	Visited     *time.Time   `json:"visited"`
	Next        *time.Time   `json:"next_visit"`
	PerDay      float64      `json:"arrivals_per_day"`
	Certificate *certificate `json:"certificate,omitempty"`
	Backfill    *fillReport  `json:"backfill,omitempty"`
	ToEnd       bool         `json:"read_to_end"` // by the first visits and backfills: nothing lies below what they have read
	Items       []seriesItem `json:"items,omitempty"`
	Candidate   bool         `json:"candidate,omitempty"` // it may be a series, or was found to be none
}

// certificate is the proof of the last pass.
type certificate struct {
	Met    []metReport `json:"met"`    // known items that it met, in order
	Absent int         `json:"absent"` // known items that should have stood above and did not
	Gap    *gapReport  `json:"gap"`    // what the last pass has not read; null if nothing
	Gaps   []gapReport `json:"gaps"`   // what nobody has read, of this pass and those before
}

// fillReport is how far the backfill of a series has come.
type fillReport struct {
	Tried    *time.Time `json:"tried"`    // when the last one began
	Stop     string     `json:"stop"`     // why it stopped
	Pages    int        `json:"pages"`    // read for the gap in hand, by all of them
	Failures int        `json:"failures"` // in a row
}

type metReport struct {
	Item string `json:"item"`
	Page int    `json:"page"`
	Rank int    `json:"rank"`
}

type gapReport struct {
	After  string     `json:"after"`  // the item above it, "" for none
	Before string     `json:"before"` // the item below it, "" if it reaches to the end
	Page   int        `json:"page"`   // on which it begins
	Since  *time.Time `json:"since"`
}

type seriesItem struct {
	Item string     `json:"item"`
	From *time.Time `json:"from,omitempty"`
	To   *time.Time `json:"to,omitempty"`
}

type seriesFlags struct {
	json   bool
	all    bool // candidates too
	failOn string
}

func seriesCommand() *cobra.Command {
	f := &seriesFlags{}
	cmd := &cobra.Command{
		Use:   "series [DIR]",
		Short: "List the paginated series of a crawl, and what their last visit proves",
		Long: `List every series of index pages that the crawl takes as ordered by time: its
pattern and order with the evidence, the pages that the last pass read and why it
stopped, the next visit, and the certificate of completeness: which known items the
pass met, or the gaps that stand. With --fail-on gap the exit code is 3 if one does.`,
		Args: usage(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error { return f.list(cmd, args, "") },
	}
	show := &cobra.Command{
		Use:   "show ID [DIR]",
		Short: "Show one series with its items",
		Args:  usage(cobra.RangeArgs(1, 2)),
		RunE:  func(cmd *cobra.Command, args []string) error { return f.list(cmd, args[1:], args[0]) },
	}
	for _, c := range []*cobra.Command{cmd, show} {
		c.Flags().BoolVar(&f.json, "json", false, "print one JSON object per series")
		c.Flags().StringVar(&f.failOn, "fail-on", "none", "exit with 3 on: gap, or none")
	}
	cmd.Flags().BoolVar(&f.all, "all", false, "list also what is no series: lists with dates too few to decide, and how far they have come")
	cmd.AddCommand(show)
	return cmd
}

// list prints all series of a crawl, or the one with the given ID and its items.
func (f *seriesFlags) list(cmd *cobra.Command, args []string, id string) error {
	if f.failOn != "none" && f.failOn != "gap" {
		return exitf(exitUsage, "--fail-on is gap or none, not %q", f.failOn)
	}
	dir := func() (string, error) { return findDir(args) }
	return reading{cmd: cmd, dir: dir, do: func(db *storage.DB) error { return f.print(cmd, db, id) }}.run()
}

func (f *seriesFlags) print(cmd *cobra.Command, db *storage.DB, id string) error {
	shown, gaps := 0, 0
	err := db.AllSeries(func(s storage.Series) error {
		if id != "" && s.ID.Key() != id || id == "" && s.Candidate != 0 && !f.all {
			return nil
		}
		shown++
		r := reportOf(&s, id != "")
		if len(r.Certificate.Gaps) > 0 && !r.Candidate {
			gaps++
		}
		if f.json {
			return printJSON(cmd.OutOrStdout(), r)
		}
		return r.print(cmd.OutOrStdout())
	})
	switch {
	case err != nil:
		return err
	case id != "" && shown == 0:
		return exitf(exitUsage, "the crawl has no series %s; hashcrawl series lists them", id)
	case f.failOn == "gap" && gaps > 0:
		return exitf(exitFound, "%s of %d with a gap", counted(gaps, "series", "series"), shown)
	}
	return nil
}

// reportOf returns what is to be said of a series.
func reportOf(s *storage.Series, items bool) *seriesReport {
	c := &s.Certificate
	r := &seriesReport{
		ID: s.ID.Key(), URL: s.First, Pattern: patternText(s.ID.Pattern), Sort: s.ID.Sort, Order: s.Direction.String(),
		Evidence: s.Evidence, Pages: c.Pages, Stop: c.Reason.String(), New: c.New, Known: s.Known(), Complete: s.Complete,
		Visited: timeOrNull(s.Tried), Next: timeOrNull(s.NextVisit), PerDay: s.Pace.Rate() * (24 * time.Hour).Seconds(),
		Certificate: &certificate{Met: []metReport{}, Absent: c.Absent, Gaps: []gapReport{}},
		Candidate:   s.Candidate != 0, ToEnd: s.Deep.Read,
	}
	if f := &s.Filling; !f.Tried.IsZero() {
		r.Backfill = &fillReport{Tried: timeOrNull(f.Tried), Stop: f.Reason.String(), Pages: f.Pages, Failures: f.Failures}
	}
	if s.Candidate == 1 || s.Candidate == 2 {
		r.Evidence = append(slices.Clone(r.Evidence), fmt.Sprintf("page %d is known: page %d is to decide together with it", s.Candidate, 3-s.Candidate))
	}
	for _, m := range c.Met {
		r.Certificate.Met = append(r.Certificate.Met, metReport{m.Key, m.Page, m.Rank})
	}
	for i := range s.Gaps {
		r.Certificate.Gaps = append(r.Certificate.Gaps, *gapOf(&s.Gaps[i]))
	}
	if c.Gap != nil {
		r.Certificate.Gap = gapOf(c.Gap)
		if !slices.ContainsFunc(s.Gaps, func(g pagination.Gap) bool { return g.Same(c.Gap) }) { // that of a pass which the next one goes on with
			r.Certificate.Gaps = append(r.Certificate.Gaps, *r.Certificate.Gap)
		}
	}
	if items {
		for _, it := range s.Head {
			r.Items = append(r.Items, seriesItem{it.Key, timeOrNull(it.Date.From), timeOrNull(it.Date.To)})
		}
	}
	return r
}

func gapOf(g *pagination.Gap) *gapReport {
	return &gapReport{After: g.After, Before: g.Before, Page: g.Page, Since: timeOrNull(g.Since)}
}

// patternText returns the address of the pages with {page} for the number.
func patternText(p pagination.Pattern) string {
	if p.Step == 0 {
		return p.Before
	}
	return p.Before + "{page}" + p.After
}

func timeOrNull(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

// place tells between which items a gap lies.
func (g *gapReport) place() string {
	above, below := "at the head", "to the end of the list"
	if g.After != "" {
		above = "below " + g.After
	}
	if g.Before != "" {
		below = "above " + g.Before
	}
	return above + ", " + below
}

// counted returns a number with the noun that agrees with it.
func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

func (r *seriesReport) print(w io.Writer) error {
	fmt.Fprintf(w, "%s  %s\n  pattern   %s\n", r.ID, r.URL, r.Pattern)
	if r.Sort != "" {
		fmt.Fprintf(w, "  sorted by %s\n", r.Sort)
	}
	fmt.Fprintf(w, "  order     %s\n", r.Order)
	for _, e := range r.Evidence {
		fmt.Fprintf(w, "            %s\n", e)
	}
	if r.Candidate {
		_, err := fmt.Fprint(w, "  it is no series\n\n")
		return err
	}
	state := "complete"
	if !r.Complete {
		state = "not complete"
	}
	stopped := "stopped by " + r.Stop
	if r.Stop == pagination.Running.String() {
		stopped = "under way or killed"
	}
	fmt.Fprintf(w, "  last pass %s: %s, %s, %s; %d are remembered\n", state, counted(r.Pages, "page", "pages"), stopped,
		counted(r.New, "new item", "new items"), r.Known)
	if r.Next != nil {
		fmt.Fprintf(w, "  next      %s, at %.2g arrivals a day\n", r.Next.Format(time.RFC3339), r.PerDay)
	}
	for _, m := range r.Certificate.Met {
		fmt.Fprintf(w, "  met       %s on page %d, known at rank %d\n", m.Item, m.Page, m.Rank)
	}
	for _, g := range r.Certificate.Gaps {
		fmt.Fprintf(w, "  GAP       from page %d on, %s\n", g.Page, g.place())
	}
	if f := r.Backfill; f != nil {
		stopped := "stopped by " + f.Stop
		if f.Stop == pagination.Running.String() {
			stopped = "under way or killed"
		}
		fmt.Fprintf(w, "  backfill  %s; %s read of what is left", stopped, counted(f.Pages, "page", "pages"))
		if f.Failures > 0 {
			fmt.Fprintf(w, ", %s in a row", counted(f.Failures, "failure", "failures"))
		}
		fmt.Fprintln(w)
	}
	for _, it := range r.Items {
		fmt.Fprintf(w, "  item      %s", it.Item)
		if it.From != nil {
			fmt.Fprintf(w, "  %s", it.From.Format(time.RFC3339))
		}
		fmt.Fprintln(w)
	}
	_, err := fmt.Fprintln(w)
	return err
}
