package pager

import "github.com/hashcrawl/hashcrawl/crawler/htmldoc"

// A Result is what a page says about the series that it belongs to.
type Result struct {
	// Labels are the roles of Page.Links. Those of rel=next and rel=prev in the
	// head are what they claim.
	Labels []Role

	// Pagers are the pagers of the page in document order, those of its rows
	// included. Main indexes the one that drives the page, -1 if there is none.
	Pagers []Pager
	Main   int

	// Of the main pager. Without one, Next and Prev are what the head claims.
	Current, Last int // 0 if unknown
	Next, Prev    int // in Page.Links, -1 if there is none
	Pattern       Pattern

	// More are the elements, links apart, that carry the address from which a
	// script loads further rows.
	More []More
}

// A Pager is a group of pager links that stand together.
type Pager struct {
	Node    int   // in Page.Outline: the element around all its links; if that holds others, the one in it around the first
	Links   []int // in Page.Links: those with a role, in order
	Numbers []int // of Links: the number of the page that each leads to, 0 if unknown

	Current, Last int // number of this page, greatest number seen; 0 if unknown
	Next, Prev    int // the first links with these roles, -1 if there is none
	Pattern       Pattern

	// Own says that the pager continues this page: an address in it is made
	// from the page's own. The pager of a row leads into another series.
	Own bool
}

// A More is an element that is no link but carries the address of the next
// rows: of a button, of what loads when it comes into sight, or of the option
// for the next page in a list of pages.
type More struct {
	Node      int    // in Page.Outline
	Attribute string // that holds the address
	Href      string // raw
}

// collectPagers fills in what the groups say.
func (l *Labeler) collectPagers(r *Result) {
	for i := range l.groups {
		g := &l.groups[i]
		l.patternOfWords(g)
		if p := l.pagerOf(g); len(p.Links) > 0 {
			r.Pagers = append(r.Pagers, p)
		}
	}
	if r.Main = mainPager(r.Pagers); r.Main >= 0 {
		m := &r.Pagers[r.Main]
		r.Current, r.Last, r.Next, r.Prev, r.Pattern = m.Current, m.Last, m.Next, m.Prev, m.Pattern
	}
}

func (l *Labeler) pagerOf(g *group) Pager {
	p := Pager{Node: int(l.nodeOfGroup(g)), Current: int(g.current), Last: int(g.last), Next: -1, Prev: -1, Pattern: g.pattern.export()}
	for i := g.from; i < g.to; i++ {
		c := &l.cands[i]
		if c.label == Other {
			continue
		}
		p.Links = append(p.Links, int(c.link))
		p.Numbers = append(p.Numbers, int(c.leadsTo()))
		p.Own = p.Own || c.toPage.is == numbers || c.toPage.is == extends || c.toPage.is == extended
		if c.base && p.Pattern.Prefix != "" {
			p.Pattern.First = c.to
		}
		switch {
		case c.label == Next && p.Next < 0:
			p.Next = int(c.link)
		case c.label == Prev && p.Prev < 0:
			p.Prev = int(c.link)
		}
	}
	if len(p.Links) == 0 {
		return p
	}
	if _, base := g.pattern.pageOf(l.pageURL); base && p.Pattern.Prefix != "" {
		p.Pattern.First = l.pageURL
	}
	return p
}

// nodeOfGroup returns the element that stands for a group: its container, or
// what holds its first link there if others share it.
func (l *Labeler) nodeOfGroup(g *group) int32 {
	if !g.shared {
		return g.node
	}
	nodes := l.page.Outline.Nodes
	n := l.cands[g.from].node
	for nodes[n].Parent > g.node {
		n = nodes[n].Parent
	}
	return n
}

// leadsTo returns the number of the page that the candidate leads to, 0 if it
// is unknown.
func (c *candidate) leadsTo() int32 {
	if c.number > 0 {
		return c.number
	}
	return max(c.pageNumber(), 0)
}

// patternOfWords finds the pattern of a group without numbers from what its
// next or previous link changes in the page's own address.
func (l *Labeler) patternOfWords(g *group) {
	for i := g.from; i < g.to && !g.pattern.ok; i++ {
		c := &l.cands[i]
		if c.label != Next && c.label != Prev {
			continue
		}
		if g.pattern = fitStep(c); !g.pattern.ok {
			continue
		}
		if n, _ := g.pattern.pageOf(l.pageURL); n > 0 && g.current == 0 {
			g.current = n
		}
		l.place(g)
		g.last = max(g.last, g.current)
	}
}

// fitStep returns the pattern by which c leads one page on or back. A step by
// one counts pages, a larger one rows.
func fitStep(c *candidate) fit {
	d := c.toPage
	f := fit{ok: true, sample: c.to, from: d.from, to: d.to, slots: d.slots}
	switch {
	case d.is == extends && d.a <= 2:
		f.slope, f.shift = 1, d.a-2
	case d.is == extends:
		f.slope, f.shift = d.a, -d.a
	case d.is == numbers && d.a != d.b:
		f.slope = max(d.a-d.b, d.b-d.a)
		if f.slope > 1 {
			f.shift = d.a%f.slope - f.slope
		}
	default:
		return fit{}
	}
	if f.slope > maxStep {
		return fit{}
	}
	return f
}

// maxStep is the greatest number of rows on a page. A larger step is one
// between identifiers.
const maxStep = 1000

// mainPager returns the index of the pager that drives the page: of those made
// from the page's own address the one with most links, of the others one with
// a next link, since rows have none. It returns -1 if there is no such pager.
func mainPager(pagers []Pager) int {
	best, most := -1, 0
	for i := range pagers {
		p := &pagers[i]
		worth := len(p.Links)
		switch {
		case p.Own:
			worth += 1 << 20
		case p.Next < 0 && p.Prev < 0:
			continue
		}
		if worth > most {
			best, most = i, worth
		}
	}
	return best
}

// labelHead takes over what the head claims.
func (l *Labeler) labelHead(r *Result) {
	next, prev := -1, -1
	for i := range l.page.Links {
		switch l.page.Links[i].Kind {
		case htmldoc.LinkNext:
			r.Labels[i] = Next
			next = i
		case htmldoc.LinkPrev:
			r.Labels[i] = Prev
			prev = i
		}
	}
	if r.Main < 0 {
		r.Next, r.Prev = next, prev
	}
}
