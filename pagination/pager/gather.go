package pager

import "unicode/utf8"

// Bounds of a group's container.
const (
	maxClimb     = 6   // elements above the link
	maxLooseText = 100 // bytes of text beside the links
	maxGap       = 40  // letters of text between two of them
	maxRun       = 128 // links of a run
)

// gather puts neighbouring candidates with a common container into groups.
func (l *Labeler) gather() {
	l.groups = l.groups[:0]
	for i := 0; i < len(l.cands); {
		g := l.container(i)
		l.cut(&g)
		hi := int(g.to)
		for j := i; j < hi; j++ {
			c := &l.cands[j]
			c.group = int32(len(l.groups))
			g.kinds[c.text.kind]++
		}
		if !l.countsElse(&g) {
			l.groups = append(l.groups, g)
		}
		i = hi
	}
}

// container climbs from candidate i as long as all links below are candidates
// and there is little other text. The group is that of the highest node so
// reached, or the run of candidates that begins with i in the next one.
func (l *Labeler) container(i int) group {
	nodes := l.page.Outline.Nodes
	c := &l.cands[i]
	g := group{from: int32(i), to: int32(i + 1), node: c.node}
	linkText := len(l.page.Links[c.link].Text)
	last := int(c.link)
	for up, n := nodes[g.node].Parent, 0; up > 0 && n < maxClimb; up, n = nodes[up].Parent, n+1 {
		end := nodes[up].End
		if c.link > 0 && l.nodeOf[c.link-1] >= up {
			return l.run(g, up) // a link before it that is not of this group
		}
		for last+1 < len(l.nodeOf) && l.nodeOf[last+1] >= 0 && l.nodeOf[last+1] < end && l.slot[last+1] >= 0 && !l.apart(last) {
			last++
			linkText += len(l.page.Links[last].Text)
		}
		if last+1 < len(l.nodeOf) && l.nodeOf[last+1] >= 0 && l.nodeOf[last+1] < end {
			return l.run(g, up) // a link after it that is no candidate
		}
		if int(nodes[up].TextEnd-nodes[up].TextStart) > linkText+3*(last-int(c.link)+1)+maxLooseText {
			return l.run(g, up)
		}
		g.node, g.to = up, l.slot[last]+1
	}
	return g
}

// cut ends g where another row of numbers begins: sizes or stars beside the
// pages, which start anew and whose addresses are made in another way.
func (l *Labeler) cut(g *group) {
	prev := int32(-1)
	for i := g.from; i < g.to; i++ {
		c := &l.cands[i]
		n := c.pageNumber()
		if n < 0 || c.to == "" {
			continue
		}
		if prev >= 0 && n <= l.cands[prev].pageNumber() && compare(l.cands[prev].to, c.to).is == unrelated {
			g.to, g.shared = i, true
			return
		}
		prev = i
	}
}

// run extends g, the candidates of one child of up, to those that follow
// without another link between, if each says something of its own about pages:
// a pager often shares its element with "go", "all" or the way up. Where g may
// be a pager by itself, only links that stand beside its element are added.
func (l *Labeler) run(g group, up int32) group {
	const whole = 3 // links
	nodes := l.page.Outline.Nodes
	hi := g.from
	if g.to-g.from >= whole {
		hi = g.to
	}
	for int(hi) < len(l.cands) && hi-g.from < maxRun {
		c := &l.cands[hi]
		if g.to-g.from >= whole && nodes[c.node].Parent != up {
			break
		}
		if c.node >= nodes[up].End || !c.text.counts() || c.target == targetPlace || hi > g.from && (c.link != l.cands[hi-1].link+1 || l.apart(int(c.link)-1)) {
			break
		}
		hi++
	}
	if hi > g.to && hi-g.from > 1 {
		g.node, g.to, g.shared = up, hi, true
	}
	return g
}

// counts reports whether a text can be one of a run: a number, a direction, an
// end.
func (r *reading) counts() bool {
	switch r.kind {
	case kindNumber, kindPageOf, kindArrow:
		return true
	case kindNext, kindPrev, kindFirst, kindLast:
		return r.unknown <= 1
	case kindOlder, kindNewer, kindMore:
		return r.exact
	}
	return false
}

// apart reports whether much text parts a link from the next. Letters count, of
// which some scripts need three bytes for one.
func (l *Labeler) apart(link int) bool {
	nodes := l.page.Outline.Nodes
	from, to := nodes[l.nodeOf[link]].TextEnd, nodes[l.nodeOf[link+1]].TextStart
	n := int(to) - int(from)
	return n > maxGap && (n > utf8.UTFMax*maxGap || utf8.RuneCountInString(l.page.Outline.Text[from:to]) > maxGap)
}
