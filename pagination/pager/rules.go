package pager

// settle corrects what the model, which sees one link and its neighbours,
// cannot know: what a group's links say together.
func (l *Labeler) settle() {
	for i := range l.cands {
		if c := &l.cands[i]; c.isDisabled() {
			c.label = Other
		}
	}
	for i := range l.groups {
		g := &l.groups[i]
		l.agree(g)
		l.keepOneStep(g)
	}
}

// isCalendar reports whether the numbers of a group are days or months: their
// addresses put them after a year.
func (l *Labeler) isCalendar(g *group) bool {
	dates, all := 0, 0
	for i := g.from; i < g.to; i++ {
		c := &l.cands[i]
		if c.pageNumber() < 0 {
			continue
		}
		all++
		if c.mark == markDate {
			dates++
		}
	}
	return dates > 0 && 2*dates >= all
}

// isDisabled reports whether a template shows the link but switched it off.
func (c *candidate) isDisabled() bool {
	return (c.own | c.inner).has(tokDisabled) && c.target < targetSite
}

// agree gives the numbers whose addresses fit the group's pattern one label:
// they are pages together or not at all. A number that is the current page may
// be a link without an address.
func (l *Labeler) agree(g *group) {
	if !g.pattern.ok {
		return
	}
	fits := func(c *candidate) bool { n := c.pageNumber(); return n > 0 && n == c.number }
	yes, all := 0, 0
	for i := g.from; i < g.to; i++ {
		if c := &l.cands[i]; fits(c) {
			all++
			if c.label == Page {
				yes++
			}
		}
	}
	if all < 2 {
		return
	}
	label := Other
	if 2*yes >= all {
		label = Page
	}
	for i := g.from; i < g.to; i++ {
		if c := &l.cands[i]; fits(c) {
			c.label = label
		}
	}
}

// keepOneStep makes pages of the directions that the addresses show to lead
// to an end of the series, where another link leads to the neighbouring page.
func (l *Labeler) keepOneStep(g *group) {
	for _, d := range [...]struct {
		label Role
		step  int32
	}{{Next, 1}, {Prev, -1}} {
		stepped := false
		for i := g.from; i < g.to; i++ {
			c := &l.cands[i]
			stepped = stepped || c.label == d.label && c.hasDelta && c.delta == d.step
		}
		if !stepped {
			continue
		}
		for i := g.from; i < g.to; i++ {
			if c := &l.cands[i]; c.label == d.label && c.hasDelta && c.delta*d.step > 1 {
				c.label = Page
			}
		}
	}
}
