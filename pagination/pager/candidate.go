package pager

import (
	"github.com/hashcrawl/hashcrawl/crawler/htmldoc"
)

// A candidate is a link that may belong to a pager.
type candidate struct {
	link, node int32
	group      int32

	text  reading  // of the text
	title reading  // of the aria-label or title
	own   tokenSet // of the link's element and those inside
	inner tokenSet // of the elements from its parent up to its group's container, exclusive
	rel   htmldoc.Rel

	to     string // the address that it leads to, "" if there is none
	target target
	toPage difference // its address against the page's own
	mark   marker     // before the number in which they differ

	number   int32 // the page number that its address stands for in its group's pattern, 0 if unknown
	base     bool  // its address is the pattern's without a number
	delta    int32 // number - the group's current one, see hasDelta
	hasDelta bool

	repeats uint8 // other groups with a link of the same kind that leads elsewhere, capped

	label Role // Other in a group that was dropped
}

// maxLabelRunes is the longest text of a link whose place alone makes it a
// candidate.
const maxLabelRunes = 20

// collect finds the candidates and reports whether there is any.
func (l *Labeler) collect() bool {
	l.cands = l.cands[:0]
	l.slot = resize(l.slot, len(l.page.Links))
	hopeful := false
	for i := range l.page.Links {
		l.slot[i] = -1
		link := &l.page.Links[i]
		if link.Kind != htmldoc.Anchor && link.Kind != htmldoc.Area {
			continue
		}
		r := read(link.Text)
		if !promises(link, &r) && r.runes > maxLabelRunes {
			continue
		}
		hopeful = hopeful || promises(link, &r)
		l.slot[i] = int32(len(l.cands))
		l.cands = append(l.cands, candidate{link: int32(i), text: r, rel: link.Rel})
	}
	if !hopeful {
		return false
	}
	l.locate()
	return l.sift()
}

// strong reports whether a text alone makes its link a candidate.
func (r *reading) strong() bool {
	switch r.kind {
	case kindNone, kindEmpty:
		return false
	case kindMore, kindAll, kindPage:
		return r.exact
	case kindOlder, kindNewer:
		// "New" alone and "new posts" are the names of sections more often than
		// directions.
		return r.exact && !r.lone && !r.loose || r.arrow != arrowNone
	case kindNumber, kindLetter, kindArrow, kindPageOf:
		return true
	}
	return r.unknown <= 2
}

// locate finds the nodes of the links.
func (l *Labeler) locate() {
	l.nodeOf = resize(l.nodeOf, len(l.page.Links))
	for i := range l.nodeOf {
		l.nodeOf[i] = -1
	}
	nodes := l.page.Outline.Nodes
	for i := range nodes {
		if n := nodes[i].Link; n >= 0 {
			l.nodeOf[n] = int32(i)
		}
	}
	l.memo = resize(l.memo, len(nodes))
	clear(l.memo)
}

// sift keeps the candidates that their text, their element or what stands
// around it makes plausible, and reports whether any is left.
func (l *Labeler) sift() bool {
	kept := 0
	for i := range l.cands {
		c := &l.cands[i]
		l.slot[c.link] = -1
		if c.node = l.nodeOf[c.link]; c.node < 0 {
			continue
		}
		c.own = l.ownTokens(int(c.node))
		c.title = l.titleOf(int(c.node))
		if l.blind {
			c.text.blind()
			c.title.blind()
		}
		if !l.plausible(c) {
			continue
		}
		if !c.text.strong() && (c.text.kind == kindOlder || c.text.kind == kindNewer) && c.own&named == 0 && !l.insidePager(c) {
			c.text.blind()
		}
		c.orient()
		l.slot[c.link] = int32(kept)
		l.cands[kept] = *c
		kept++
	}
	l.cands = l.cands[:kept]
	return kept > 0
}

// named are the tokens by which an element alone is a candidate.
const named = 1<<tokNext | 1<<tokPrev | 1<<tokPager | 1<<tokOlder | 1<<tokNewer

func (l *Labeler) plausible(c *candidate) bool {
	if c.text.strong() || c.rel.Has(htmldoc.RelNext|htmldoc.RelPrev) {
		return true
	}
	if c.text.runes > maxLabelRunes {
		return false
	}
	if c.own&named != 0 || c.text.arrow != arrowNone && c.text.unknown <= maxUnknown {
		return true
	}
	if c.text.kind == kindEmpty && (c.title.strong() || c.own.has(tokArrow) && c.icon() != points) {
		return true
	}
	return l.besideNumber(c) || l.insidePager(c)
}

// insidePager reports whether an element close around c is called a pager, or
// the one right around it a direction.
func (l *Labeler) insidePager(c *candidate) bool {
	up := l.page.Outline.Nodes[c.node].Parent
	if up > 0 && l.tokens(int(up))&named != 0 {
		return true
	}
	for range 3 {
		if up <= 0 {
			break
		}
		if l.tokens(int(up)).has(tokPager) {
			return true
		}
		up = l.page.Outline.Nodes[up].Parent
	}
	return false
}

// besideNumber reports whether a link whose text is a number stands next to c,
// so that c may be a direction in a language that is not in the lexicon. It is
// for [Labeler.sift], which has not moved the candidates after c yet.
func (l *Labeler) besideNumber(c *candidate) bool {
	nodes := l.page.Outline.Nodes
	up := nodes[c.node].Parent
	if up > 0 && nodes[up].Parent > 0 {
		up = nodes[up].Parent
	}
	for _, i := range [...]int{int(c.link) - 1, int(c.link) + 1} {
		if i < 0 || i >= len(l.nodeOf) || l.slot[i] < 0 || l.nodeOf[i] < up || l.nodeOf[i] >= nodes[up].End {
			continue
		}
		if l.cands[l.slot[i]].text.kind == kindNumber {
			return true
		}
	}
	return false
}

// orient turns a direction in time into one of the pager where an arrow or a
// name says which: sites differ in whether older posts are next or previous.
func (c *candidate) orient() {
	if c.text.kind != kindOlder && c.text.kind != kindNewer {
		return
	}
	p := c.icon()
	if c.text.arrow != arrowNone || p == points {
		p = c.pointer()
	}
	switch p {
	case pointsRight, namedNext:
		c.text.kind = kindNext
	case pointsLeft, namedPrev:
		c.text.kind = kindPrev
	}
}

// memoSet marks a memo that is filled.
const memoSet tokenSet = 1 << 63

// tokens returns the tokens of the class, the id and the role of a node.
func (l *Labeler) tokens(node int) tokenSet {
	if s := l.memo[node]; s != 0 {
		return s &^ memoSet
	}
	var s tokenSet
	n := &l.page.Outline.Nodes[node]
	for _, a := range l.page.Outline.Attrs[n.AttrStart:n.AttrEnd] {
		switch a.Key {
		case "class", "id", "role":
			s |= tokensOf(a.Val)
		case "rel":
			s |= tokensOf(a.Val) & (1<<tokFirst | 1<<tokLast)
		}
	}
	l.memo[node] = s | memoSet
	return s
}

// maxInside is how many elements inside of a link are looked at: icons.
const maxInside = 4

// ownTokens returns the tokens of a link's node and of the elements inside.
func (l *Labeler) ownTokens(node int) tokenSet {
	s := l.tokens(node)
	end := min(int(l.page.Outline.Nodes[node].End), node+1+maxInside)
	for i := node + 1; i < end; i++ {
		s |= l.tokens(i)
	}
	return s
}

// titleOf returns what the aria-label of a node says, or else its title.
func (l *Labeler) titleOf(node int) reading {
	n := &l.page.Outline.Nodes[node]
	title := ""
	for _, a := range l.page.Outline.Attrs[n.AttrStart:n.AttrEnd] {
		if a.Key == "aria-label" && a.Val != "" {
			return read(a.Val)
		}
		if a.Key == "title" {
			title = a.Val
		}
	}
	return read(title)
}

// aimAll finds where the candidates lead and drops those that choose the
// number of rows, which often stand beside the pages' numbers, and those that
// lead to pictures.
func (l *Labeler) aimAll() {
	kept := 0
	for i := range l.cands {
		c := &l.cands[i]
		l.slot[c.link] = -1
		l.aim(c)
		if n := c.pageNumber(); n > 0 && c.choosesSize(n) || isFile(c.to) {
			continue
		}
		l.slot[c.link] = int32(kept)
		l.cands[kept] = *c
		kept++
	}
	l.cands = l.cands[:kept]
}

// choosesSize reports whether n, the number that c shows, is in its address
// that of rows or of something else than a page.
func (c *candidate) choosesSize(n int32) bool {
	switch {
	case c.mark == markSize:
		return c.toPage.a == n || c.toPage.is == unrelated
	case c.toPage.is == extended: // to page 1
		return n > 1 && countsOther(c.to, n)
	}
	return isRows(c.to, n)
}

// resize returns b with length n; its elements are arbitrary.
func resize[T any](b []T, n int) []T {
	if cap(b) < n {
		return make([]T, n)
	}
	return b[:n]
}
