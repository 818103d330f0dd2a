package listing

// A Change tells what became of a block from one page of a series to another.
type Change struct {
	Block, Other int // in the Blocks of the two pages; Other is -1 if it is not on the second
	Rows         int // of the block on the first page
	Common       int // of these, item links that are on the second page too
}

// Changed reports whether the pager drives the block: most rows are others.
func (c Change) Changed() bool { return c.Other >= 0 && c.Common*2 < c.Rows }

// Difference compares two pages of a series block by block, in the order of
// a.Blocks. What does not change from page to page is no item block, whatever
// it looks like. Blocks are only known of pages with a pager, see
// [Options.Always].
func Difference(a, b *Page) []Change {
	changes := make([]Change, len(a.Blocks))
	for i := range a.Blocks {
		c := &changes[i]
		*c = Change{Block: i, Other: -1, Rows: len(a.Blocks[i].Rows)}
		for j := range b.Blocks {
			if b.Blocks[j].Signature == a.Blocks[i].Signature {
				c.Other = j
				break
			}
		}
		if c.Other >= 0 {
			c.Common = common(&a.Blocks[i], &b.Blocks[c.Other])
		}
	}
	return changes
}

// common returns how many item links of a are in b.
func common(a, b *Block) int {
	keys := make(map[string]bool, len(b.Rows))
	for i := range b.Rows {
		keys[b.Rows[i].URL.Key] = true
	}
	n := 0
	for i := range a.Rows {
		if keys[a.Rows[i].URL.Key] {
			n++
		}
	}
	return n
}

// Together decides the order of block i of page a together with the block of
// the same signature on page b, the page that follows: two pages may show what
// one has too few rows for. It returns Undecided if b does not have the block
// or the two do not fit together.
func Together(a *Page, i int, b *Page) (Order, string) {
	first := &a.Blocks[i]
	for j := range b.Blocks {
		second := &b.Blocks[j]
		if second.Signature != first.Signature {
			continue
		}
		t := trendOf(append(dateValues(first), dateValues(second)...), 1)
		if t.clear(maxOdds) {
			return t.order, "both pages together: " + t.sentence()
		}
	}
	return Undecided, ""
}

// dateValues returns the dates of the rows that are not pinned, greater ones
// newer.
func dateValues(b *Block) []int64 {
	var values []int64
	for i := range b.Rows {
		if r := &b.Rows[i]; !r.Date.IsZero() && !r.Pinned {
			values = append(values, r.Date.From.UnixMilli())
		}
	}
	return values
}
