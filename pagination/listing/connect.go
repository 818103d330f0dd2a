package listing

import (
	"slices"
	"strings"

	"github.com/hashcrawl/hashcrawl/pagination"
	"github.com/hashcrawl/hashcrawl/pagination/pager"
)

// leastShare is the share of the best block's score that a block must have to be
// driven by a pager: what stands nearest is often a row of sort modes.
const leastShare = 0.25

// connect finds the block that each pager drives and makes the listings.
func (r *reader) connect() {
	if len(r.out.Blocks) == 0 {
		return
	}
	res := &r.out.Pager
	if res.Main >= 0 {
		r.listPager(res.Main)
	}
	for i := range res.Pagers {
		if i != res.Main && res.Pagers[i].Own {
			r.listPager(i)
		}
	}
	if len(r.out.Listings) > 0 {
		return
	}
	if res.Next >= 0 {
		r.list(Listing{Pager: -1, NextLink: res.Next, Next: r.urls[res.Next]}, -1, pager.Pattern{})
		return
	}
	r.listMore()
}

// listPager makes a listing of a pager and the block it drives.
func (r *reader) listPager(i int) {
	p := &r.out.Pager.Pagers[i]
	l := Listing{Pager: i, Number: p.Current, Last: p.Last, NextLink: r.nextLink(p)}
	if l.NextLink < 0 && r.isOlder(p) {
		l.NextLink = p.Prev
	}
	if l.NextLink >= 0 {
		l.Next = r.urls[l.NextLink]
	}
	r.list(l, int32(p.Node), p.Pattern)
}

// isOlder reports whether the link that a pager calls previous leads from page
// 1 to page 2, as "older" does where newer posts come next.
func (r *reader) isOlder(p *pager.Pager) bool {
	if p.Prev < 0 || p.Current > 1 {
		return false
	}
	pt, ok := pagination.PatternAt(2, r.urls[p.Prev].Display)
	if !ok || !sameBut(r.at.Display, pt) {
		return false
	}
	_, numbered := pt.Page(r.at.Display)
	return !numbered
}

// nextLink returns the link to the page after this one, -1 if there is none.
// The number of a page says more than the word for it: "newer" may lead either
// way.
func (r *reader) nextLink(p *pager.Pager) int {
	if p.Current > 0 {
		for k, n := range p.Numbers {
			if n == p.Current+1 && r.urls[p.Links[k]].Key != "" {
				return p.Links[k]
			}
		}
	}
	if p.Next >= 0 && r.urls[p.Next].Key != "" && r.urls[p.Next].Key != r.at.Key {
		return p.Next
	}
	return -1
}

// listMore makes a listing of an element that loads more rows.
func (r *reader) listMore() {
	if r.options.Resolve == nil {
		return
	}
	for _, m := range r.out.Pager.More {
		u, err := r.options.Resolve(m.Href)
		if err != nil || u.Key == r.at.Key {
			continue
		}
		if r.list(Listing{Pager: -1, NextLink: -1, Next: u}, int32(m.Node), pager.Pattern{}) {
			return
		}
	}
}

// list adds the listing of what stands at a node and drives a block, with pages
// addressed by a pattern, unless its block is in one of the same pattern
// already: many pages repeat their pager. It returns false if it drives none.
func (r *reader) list(l Listing, node int32, pattern pager.Pattern) bool {
	pt := pagination.Pattern{
		Before: pattern.Prefix, After: pattern.Suffix, Origin: pattern.Shift, Step: pattern.Slope, FirstURL: pattern.First,
	}
	if pt.Step == 0 {
		pt = r.patternByNext(&l)
	}
	if l.Number == 0 {
		l.Number, _ = pt.Page(r.at.Display)
	}
	if !r.chooseBlock(&l, node, pt) {
		return false
	}
	if strings.HasSuffix(pt.Before, "=-") {
		return true // months are counted below zero, pages are not
	}
	for i := range r.out.Listings {
		if old := &r.out.Listings[i]; old.Block == l.Block && old.ID.Key() == l.ID.Key() {
			if old.NextLink < 0 && l.NextLink >= 0 {
				old.NextLink, old.Next = l.NextLink, l.Next
			}
			old.Last = max(old.Last, l.Last)
			return true
		}
	}
	r.out.Blocks[l.Block].Pager = true
	r.out.Listings = append(r.out.Listings, l)
	return true
}

// chooseBlock gives a listing the block that a node drives, and its identity.
// Blocks that are known not to be driven are passed over.
func (r *reader) chooseBlock(l *Listing, node int32, pt pagination.Pattern) bool {
	r.excepted = r.excepted[:0]
	for {
		if l.Block = r.blockBeside(node); l.Block < 0 {
			return false
		}
		l.ID = pagination.Identify(r.at.Host(), pt, r.out.Blocks[l.Block].Signature)
		if r.options.Except == nil || !r.options.Except(l.ID) {
			return true
		}
		r.excepted = append(r.excepted, l.Block)
	}
}

// patternByNext returns the pattern of a listing whose pager has no numbers:
// from the address of the next page, if that says page 2 of this one or, where no
// pager names the pages, counts on from the address of this one; or else
// without numbers, known by what the addresses of this page and the next have
// in common.
func (r *reader) patternByNext(l *Listing) pagination.Pattern {
	here, next := r.at.Display, l.Next.Display
	if next == "" {
		return pagination.Pattern{Before: here, FirstURL: here}
	}
	if l.Pager < 0 {
		if pt, n, ok := pagination.PatternBetween(here, next); ok {
			l.Number = n
			return pt
		}
	}
	if pt, ok := pagination.PatternAt(2, next); ok && sameBut(here, pt) {
		pt.FirstURL = here
		return pt
	}
	pt := pagination.Pattern{Before: withoutCursor(here, next)}
	if p := r.out.Pager.Prev; p < 0 || p == l.NextLink {
		pt.FirstURL = here
		l.Number = 1
	}
	return pt
}

// sameBut reports whether here is the address of page 1 of a pattern, whose
// number is left out: the same page with or without the parameter or the part
// of the path that numbers it.
func sameBut(here string, pt pagination.Pattern) bool {
	stem := strings.TrimRight(pt.Before, "=/-_")
	if i := strings.LastIndexAny(stem, "?&;!/"); i > len("https://") && stem[i] != '/' {
		stem = stem[:i]
	}
	return strings.HasPrefix(here, stem) || strings.HasPrefix(stem, strings.TrimRight(here, "/"))
}

// withoutCursor returns the address of the next page without the parameters
// that this page does not have in the same form.
func withoutCursor(here, next string) string {
	at := strings.IndexAny(next, "?#")
	if at < 0 {
		return here
	}
	var b strings.Builder
	b.WriteString(next[:at])
	sep := byte('?')
	for param := range strings.FieldsFuncSeq(next[at:], func(c rune) bool { return strings.ContainsRune("?&;#!", c) }) {
		if strings.Contains(here, param) {
			b.WriteByte(sep)
			b.WriteString(param)
			sep = '&'
		}
	}
	return b.String()
}

// blockBeside returns the block that a node drives: among those with enough to
// say the one with which it has the deepest element in common, and of several
// the nearest; -1 if there is none. A node inside a row drives what the row
// holds, and not the rows. What stands in a menu or a side column is driven
// from there only. For node -1 it is the best block.
func (r *reader) blockBeside(node int32) int {
	best, deepest, nearest := -1, -1, int32(0)
	most := -1.0 // score, the blocks apart that are no choice
	for i := range r.out.Blocks {
		b := &r.out.Blocks[i]
		if slices.Contains(r.excepted, i) {
			continue
		}
		if most < 0 {
			most = b.score
		}
		if b.score < leastShare*most || r.insideRow(b, node) {
			continue
		}
		if frame := r.frameOf(int32(b.Node)); frame >= 0 && (node < frame || node >= r.outline.Nodes[frame].End) {
			continue
		}
		if node < 0 {
			return i
		}
		depth, gap := r.commonDepth(int32(b.Node), node), gapTo(b.rows(), node)
		if depth > deepest || depth == deepest && gap < nearest {
			best, deepest, nearest = i, depth, gap
		}
	}
	return best
}

// gapTo returns how many nodes lie between rows and a node.
func gapTo(rows span, node int32) int32 {
	if node < rows.from {
		return rows.from - node
	}
	return max(0, node-rows.to)
}

func (r *reader) insideRow(b *Block, node int32) bool {
	for i := range b.Rows {
		if b.Rows[i].rows.has(int(node)) {
			return true
		}
	}
	return false
}

// commonDepth returns how deep the innermost element lies that holds two nodes.
func (r *reader) commonDepth(a, b int32) int {
	nodes := r.outline.Nodes
	for a >= 0 && (b < a || b >= nodes[a].End) {
		a = nodes[a].Parent
	}
	depth := 0
	for ; a > 0; a = nodes[a].Parent {
		depth++
	}
	return depth
}
