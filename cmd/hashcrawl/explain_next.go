package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/hashcrawl/hashcrawl/pagination/listing"
)

// nextReport is what explain page prints of the page that follows: what became
// of each block, and what the two pages say of its order.
type nextReport struct {
	URL    string         `json:"url"`
	Blocks []changeReport `json:"blocks"` // in the order of the blocks of the first page
	Driven string         `json:"driven"` // path of the block that the pager drives by both pages; "" if it is not known
}

type changeReport struct {
	Path     string   `json:"path"`
	Change   string   `json:"change"` // changed, same, partly or absent
	Items    int      `json:"items"`
	Others   int      `json:"others"` // items of the block on the second page
	Common   int      `json:"common"` // of the items, those that are on the second page too
	Order    string   `json:"order"`  // by both pages
	Evidence []string `json:"evidence"`
}

// hold reads the page that follows, and holds it against the first.
func (f *explainPageFlags) hold(cmd *cobra.Command, r *pageReport, first *listing.Page, o listing.Options) error {
	url := f.nextURL
	if url == "" {
		url = r.Series.Next
	}
	if url == "" {
		return exitf(exitUsage, "the page has no link to a next page; say with --next-url at which URL %s stands", f.next)
	}
	body, err := readInput(f.next, cmd.InOrStdin())
	if err != nil {
		return exitf(exitUsage, "--next: %w", err)
	}
	block := -1
	if len(first.Listings) > 0 {
		block = first.Listings[0].Block
		o.Block = first.Blocks[block].Signature
	}
	report, second, err := reportPage(url, body, f.charset, o)
	if err != nil {
		return err
	}
	r.Next = &nextReport{URL: report.URL, Blocks: make([]changeReport, 0, len(first.Blocks)), Driven: drivenBy(first, second, block)}
	for i, c := range listing.Difference(first, second) {
		b := &first.Blocks[i]
		change := changeReport{
			Path: b.Path, Change: changeName(c), Items: c.Rows, Others: c.OtherRows, Common: c.Common,
			Order: b.Order.String(), Evidence: []string{},
		}
		if b.Order == listing.Undecided && c.Other >= 0 {
			order, why := listing.Together(first, i, second)
			change.Order = order.String()
			if why != "" {
				change.Evidence = append(change.Evidence, why)
			}
		}
		r.Next.Blocks = append(r.Next.Blocks, change)
	}
	return nil
}

// changeName names what became of a block.
func changeName(c listing.Change) string {
	switch {
	case c.Other < 0:
		return "absent"
	case c.Same():
		return "same"
	case c.Changed():
		return "changed"
	}
	return "partly"
}

// drivenBy returns the path of the block that the pager drives: that which it
// seems to drive by the first page, unless that one stays the same or is not on
// the second; then the best one that changes.
func drivenBy(first, second *listing.Page, block int) string {
	if block < 0 {
		return ""
	}
	changes := listing.Difference(first, second)
	if c := changes[block]; c.Other >= 0 && !c.Same() {
		return first.Blocks[block].Path
	}
	for i, c := range changes {
		if c.Changed() {
			return first.Blocks[i].Path
		}
	}
	return ""
}

// print writes the report for people.
func (r *nextReport) print(w io.Writer) {
	fmt.Fprintf(w, "  next page  %s\n", r.URL)
	for _, c := range r.Blocks {
		if c.Change == "absent" {
			fmt.Fprintf(w, "    %-8s %s\n", c.Change, c.Path)
			continue
		}
		fmt.Fprintf(w, "    %-8s %s: of %d and %d items %d are on both; %s\n", c.Change, c.Path, c.Items, c.Others, c.Common, c.Order)
		for _, e := range c.Evidence {
			fmt.Fprintf(w, "      because %s\n", e)
		}
	}
	if r.Driven != "" {
		fmt.Fprintf(w, "    so the pager drives %s\n", r.Driven)
	}
}
