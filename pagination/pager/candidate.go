package pager

import (
	"strings"

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

// A target says where a link leads.
type target uint8

const (
	targetNone    target = iota // no address: a script, a mail address
	targetHash                  // "#", or a place in this page
	targetSelf                  // this page
	targetSite                  // another page of this host
	targetPath                  // the same path with another query or state
	targetForeign               // another host
)

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
		if !r.mayBelong() && !link.Rel.Has(htmldoc.RelNext|htmldoc.RelPrev) {
			continue
		}
		hopeful = hopeful || r.kind != kindNone || link.Rel.Has(htmldoc.RelNext|htmldoc.RelPrev)
		l.slot[i] = int32(len(l.cands))
		l.cands = append(l.cands, candidate{link: int32(i), text: r, rel: link.Rel})
	}
	if !hopeful {
		return false
	}
	l.locate()
	return l.sift()
}

// mayBelong reports whether a text can stand in a pager, so that a look at its
// element is worth while.
func (r *reading) mayBelong() bool {
	return r.kind != kindNone || r.runes <= maxLabelRunes
}

// strong reports whether a text alone makes its link a candidate.
func (r *reading) strong() bool {
	switch r.kind {
	case kindNone, kindEmpty:
		return false
	case kindMore, kindAll, kindPage:
		return r.exact
	case kindOlder, kindNewer:
		return r.exact || r.arrow != arrowNone
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
	kept := l.cands[:0]
	for _, c := range l.cands {
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
		if !l.plausible(&c) {
			continue
		}
		c.orient()
		l.slot[c.link] = int32(len(kept))
		kept = append(kept, c)
	}
	l.cands = kept
	return len(kept) > 0
}

func (l *Labeler) plausible(c *candidate) bool {
	const byItself = 1<<tokNext | 1<<tokPrev | 1<<tokPager | 1<<tokOlder | 1<<tokNewer
	if c.text.strong() || c.rel.Has(htmldoc.RelNext|htmldoc.RelPrev) {
		return true
	}
	if c.text.runes > maxLabelRunes {
		return false
	}
	if c.own&byItself != 0 || c.text.arrow != arrowNone && c.text.unknown <= maxUnknown {
		return true
	}
	if c.text.kind == kindEmpty && (c.title.strong() || c.own.has(tokArrow) && c.icon() != points) {
		return true
	}
	if l.besideNumber(c) {
		return true
	}
	up := l.page.Outline.Nodes[c.node].Parent
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
	kept := l.cands[:0]
	for _, c := range l.cands {
		l.slot[c.link] = -1
		l.aim(&c)
		if n := c.pageNumber(); c.mark == markSize && n > 0 && c.toPage.a == n || isFile(c.to) {
			continue
		}
		l.slot[c.link] = int32(len(kept))
		kept = append(kept, c)
	}
	l.cands = kept
}

// aim fills in where a candidate leads.
func (l *Labeler) aim(c *candidate) {
	href := l.page.Links[c.link].Href
	c.to = l.urls[c.link].Display
	hash := strings.HasPrefix(href, "#") && !strings.HasPrefix(href, "#!")
	if hash || c.to == "" {
		if c.to = l.carried(c.node); c.to == "" {
			if hash {
				c.target = targetHash
			}
			return
		}
	}
	to := c.to
	c.toPage = relate(to, l.pageURL)
	switch {
	case c.toPage.is == same:
		c.target = targetSelf
	case domainOf(to) != domainOf(l.pageURL):
		c.target = targetForeign
	case pathOf(to) == pathOf(l.pageURL):
		c.target = targetPath
	default:
		c.target = targetSite
	}
	switch c.toPage.is {
	case numbers, extends:
		c.mark = markerBefore(to[:c.toPage.from])
	case extended:
		if c.toPage.from <= len(l.pageURL) {
			c.mark = markerBefore(l.pageURL[:c.toPage.from])
		}
	}
	if c.mark == markNone {
		c.mark = lastMarker(to)
	}
	switch n := c.pageNumber(); {
	case n <= 0:
	case hasDay(to, n):
		c.mark = markDate
	case isRootNumber(to):
		c.mark = markRoot
	}
}

// relate compares an address to that of the page on which it stands. The page
// may have been asked for with a session that its links lack.
func relate(to, page string) difference {
	if d := compare(to, page); d.is != unrelated {
		return d
	}
	return compare(to, pathOf(page))
}

// carried returns the address that an attribute of a node carries for a script,
// "" if there is none that is absolute or a path.
func (l *Labeler) carried(node int32) string {
	n := &l.page.Outline.Nodes[node]
	for _, a := range l.page.Outline.Attrs[n.AttrStart:n.AttrEnd] {
		switch a.Key {
		case "data-href", "data-url", "data-next-url", "data-page-url", "data-link", "data-ajax-url":
		default:
			continue
		}
		switch {
		case strings.HasPrefix(a.Val, "http://"), strings.HasPrefix(a.Val, "https://"):
			return a.Val
		case strings.HasPrefix(a.Val, "/") && !strings.HasPrefix(a.Val, "//"):
			return originOf(l.pageURL) + a.Val
		}
	}
	return ""
}

// withoutPlace returns an address without its fragment, unless that is a state.
func withoutPlace(s string) string {
	if i := strings.IndexByte(s, '#'); i >= 0 && !strings.HasPrefix(s[i:], "#!") {
		return s[:i]
	}
	return s
}

// originOf returns scheme, host and port of an address.
func originOf(s string) string {
	i := strings.Index(s, "://")
	if i < 0 {
		return ""
	}
	if j := strings.IndexAny(s[i+3:], "/?#"); j >= 0 {
		return s[:i+3+j]
	}
	return s
}

// lastMarker returns what stands before the last number of an address that
// says what it is.
func lastMarker(s string) marker {
	seen := 0
	for i := len(s) - 1; i > 8 && seen < 4; i-- {
		if isDigit(s[i]) && !isDigit(s[i-1]) {
			seen++
			if m := markerBefore(s[:i]); m == markParam || m == markPath {
				return m
			}
		}
	}
	return markNone
}

// domainOf returns the last two labels of the host of an address: different
// ones are different sites, the same may be.
func domainOf(s string) string {
	_, s, _ = strings.Cut(s, "://")
	if i := strings.IndexAny(s, "/?#"); i >= 0 {
		s = s[:i]
	}
	if i := strings.LastIndexByte(s, '.'); i >= 0 {
		if j := strings.LastIndexByte(s[:i], '.'); j >= 0 {
			return s[j+1:]
		}
	}
	return s
}

// pathOf returns the part of an address before its query or state.
func pathOf(s string) string {
	if i := strings.IndexAny(s, "?#"); i >= 0 {
		s = s[:i]
	}
	return strings.TrimSuffix(s, "/")
}

// resize returns b with length n; its elements are arbitrary.
func resize[T any](b []T, n int) []T {
	if cap(b) < n {
		return make([]T, n)
	}
	return b[:n]
}
