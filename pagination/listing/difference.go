package listing

import (
	"slices"
	"strings"

	"github.com/hashcrawl/hashcrawl/pagination"
)

// A Change tells what became of a block from one page of a series to another.
type Change struct {
	Block, Other int // in the Blocks of the two pages; Other is -1 if it is not on the second
	Rows         int // of the block on the first page
	OtherRows    int // and on the second
	Common       int // of the rows of the first, item links that are on the second page too
}

// Changed reports whether the pager drives the block: most rows are others.
func (c Change) Changed() bool { return c.Other >= 0 && c.Common*2 < c.Rows }

// Same reports whether the two pages show the same items in the block, but for
// one in ten. What is neither the same nor changed proves nothing: a list that
// moved between the two requests, or one with many pinned rows.
func (c Change) Same() bool {
	return c.Common >= minRows && c.Common*10 >= 9*max(c.Rows, c.OtherRows)
}

// Difference compares two pages of a series block by block, in the order of
// a.Blocks. What does not change from page to page is no item block, whatever
// it looks like. Blocks are only known of pages with a pager, see
// [Options.Always].
func Difference(a, b *Page) []Change {
	changes := make([]Change, len(a.Blocks))
	for i := range a.Blocks {
		c := &changes[i]
		*c = Change{Block: i, Other: b.blockOf(a.Blocks[i].Signature), Rows: len(a.Blocks[i].Rows)}
		if c.Other >= 0 {
			c.OtherRows, c.Common = len(b.Blocks[c.Other].Rows), common(&a.Blocks[i], &b.Blocks[c.Other])
		}
	}
	return changes
}

// ChangeOf returns what became of the block with the given signature from page
// a to page b; Block is -1 if a does not have it.
func ChangeOf(a, b *Page, signature string) Change {
	i := a.blockOf(signature)
	if i < 0 {
		return Change{Block: -1, Other: b.blockOf(signature)}
	}
	return Difference(&Page{Blocks: a.Blocks[i : i+1]}, b)[0].at(i)
}

func (c Change) at(block int) Change { c.Block = block; return c }

// blockOf returns the block with a signature; -1 if the page has none.
func (p *Page) blockOf(signature string) int {
	return slices.IndexFunc(p.Blocks, func(b Block) bool { return b.Signature == signature })
}

// common returns how many item links of a are in b.
func common(a, b *Block) int {
	keys := b.keys()
	n := 0
	for i := range a.Rows {
		if keys[a.Rows[i].URL.Key] {
			n++
		}
	}
	return n
}

// keys returns the keys of the item links.
func (b *Block) keys() map[string]bool {
	keys := make(map[string]bool, len(b.Rows))
	for i := range b.Rows {
		keys[b.Rows[i].URL.Key] = true
	}
	return keys
}

// maxTogether is how many rows a block has at most that is to be decided
// together with the next page: more rows have enough dates by themselves.
const maxTogether = 100

// MayJoin reports whether block i, whose order the page alone does not decide,
// may be decided together with another page of its series: most of its rows are
// dated, and these dates are in order as far as they go. It is false for the
// lists of most shops, whose rows have no dates.
func (p *Page) MayJoin(i int) bool {
	b := &p.Blocks[i]
	if b.Order != Undecided || len(b.Rows) > maxTogether {
		return false
	}
	values := dateValues(b, nil)
	if len(values) < minRows || len(values)*2 <= len(b.Rows) {
		return false
	}
	if b.grouped {
		values = slices.Compact(values)
	}
	t := trendOf(values, 1)
	return t.wrong*maxWrong <= t.rows
}

// Together decides the order of block i of page a together with the block of
// the same signature on page b, the page that follows: two pages may show what
// one has too few rows for. Rows that stand on both count once. It returns
// Undecided, and maybe why, if b does not have the block or the two do not fit
// together.
func Together(a *Page, i int, b *Page) (Order, string) {
	first := &a.Blocks[i]
	j := b.blockOf(first.Signature)
	if j < 0 {
		return Undecided, ""
	}
	second := &b.Blocks[j]
	values := append(dateValues(first, nil), dateValues(second, first.keys())...)
	if first.grouped || second.grouped {
		values = slices.Compact(values)
	}
	t := trendOf(values, max(first.tries, second.tries, 1))
	switch {
	case t.rows < 2:
		return Undecided, ""
	case !t.clear(maxOdds):
		return Undecided, "both pages together: " + t.sentence()
	case t.order == OldestFirst && (first.noYear || second.noYear):
		return Undecided, "both pages together: the dates show no year, so they may lie ahead"
	}
	return t.order, "both pages together: " + t.sentence()
}

// dateValues returns the dates of the rows that are not pinned and not among
// the keys, greater ones newer.
func dateValues(b *Block, but map[string]bool) []int64 {
	var values []int64
	for i := range b.Rows {
		if r := &b.Rows[i]; !r.Date.IsZero() && !r.Pinned && !but[r.URL.Key] {
			values = append(values, r.Date.From.UnixMilli())
		}
	}
	return values
}

// Detach returns what of the page is needed to hold another one against it:
// its blocks, with the item links and dates of their rows. It shares no memory
// with the page.
func (p *Page) Detach() *Page {
	d := &Page{Blocks: make([]Block, len(p.Blocks))}
	for i := range p.Blocks {
		b := &p.Blocks[i]
		to := &d.Blocks[i]
		*to = Block{Signature: strings.Clone(b.Signature), Order: b.Order, noYear: b.noYear, grouped: b.grouped, tries: b.tries, Rows: make([]Row, len(b.Rows))}
		for k := range b.Rows {
			r := &b.Rows[k]
			to.Rows[k] = Row{Date: r.Date, Pinned: r.Pinned}
			to.Rows[k].URL.Key = strings.Clone(r.URL.Key)
		}
	}
	return d
}

// Recall returns a page as [Page.Detach] would, of which nothing but the rows
// of one block is known.
func Recall(signature string, rows []pagination.Row) *Page {
	b := Block{Signature: signature, Rows: make([]Row, len(rows))}
	for i, r := range rows {
		b.Rows[i].URL.Key, b.Rows[i].Date = r.Key, r.Date
	}
	return &Page{Blocks: []Block{b}}
}

// Transfer returns listing i of the page as it is if its pager drives another
// block of the page.
func (p *Page) Transfer(i, block int) Listing {
	l, b := p.Listings[i], &p.Blocks[block]
	l.Block, l.Order, l.Slack = block, b.Order, b.Slack
	l.ID = pagination.Identify(l.ID.Host, l.ID.Pattern, b.Signature)
	return l
}
