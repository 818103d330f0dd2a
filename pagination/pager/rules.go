package pager

import (
	"strings"

	"github.com/hashcrawl/hashcrawl/crawler/htmldoc"
)

// settle corrects what the model, which sees one link and its neighbours,
// cannot know: what a group's links say together.
func (l *Labeler) settle() {
	for i := range l.cands {
		switch c := &l.cands[i]; {
		case c.isDisabled(), c.target == targetForeign, c.number == 0 && c.pageNumber() < 0 && endsInDate(c.to):
			c.label = Other
		case c.label > Page && (l.namesItem(i) || l.isOneOfMany(i)):
			c.label = Other
		case c.label != Other && c.pageNumber() < 0 && l.movesElse(c):
			c.label = Other
		case c.label == Other && c.surely(c.named()) != Other:
			c.label = c.surely(c.named())
		case c.label == Other && c.text.kind == kindArrow && !l.besideNumbers(i):
			c.label = c.surely(c.pointed())
		}
	}
	for i := range l.groups {
		g := &l.groups[i]
		l.heedWords(g)
		l.judge(g)
		l.agree(g)
		l.complete(g)
		l.keepOneStep(g)
		l.follow(g)
		l.heedArrows(g)
	}
	l.outrank()
}

// outrank takes the rows of numbers that choose among the items, as "2 doors" does,
// off the pages: alone, counted by a parameter that is not known to count pages,
// with nothing of the query that the page has, or beside a pager that counts this
// page in another way.
func (l *Labeler) outrank() {
	paged := false
	for i := range l.groups {
		g := &l.groups[i]
		for j := g.from; j < g.to && g.own && !paged; j++ {
			c := &l.cands[j]
			paged = c.label != Other && (c.mark == markParam || c.mark == markPath) && c.toPage.is != unrelated
		}
	}
	for i := range l.groups {
		g := &l.groups[i]
		if g.pairs == 0 || g.stated || g.outer.has(tokPager) || l.hasDirection(g) {
			continue
		}
		chosen, all := 0, 0
		for j := g.from; j < g.to; j++ {
			c := &l.cands[j]
			if c.pageNumber() < 0 {
				continue
			}
			all++
			if c.mark == markOther && c.target == targetPath && (paged || compare(c.to, l.pageURL).is == unrelated) {
				chosen++
			}
		}
		for j := g.from; j < g.to && 2*chosen > all; j++ {
			if c := &l.cands[j]; c.pageNumber() >= 0 {
				c.label = Other
			}
		}
	}
}

// besideNumbers reports whether the group of candidate i has numbers, or was
// dropped.
func (l *Labeler) besideNumbers(i int) bool {
	n := int(l.cands[i].group)
	if n >= len(l.groups) || i < int(l.groups[n].from) || i >= int(l.groups[n].to) {
		return true
	}
	return l.groups[n].kinds[kindNumber] > 0
}

// follow makes directions of the numbers that an arrow shows to lead one page
// on or back: "page 3 »".
func (l *Labeler) follow(g *group) {
	for i := g.from; i < g.to; i++ {
		c := &l.cands[i]
		if c.label != Page || c.text.kind != kindNumber || !c.text.page || !c.hasDelta {
			continue
		}
		switch {
		case c.delta == 1 && c.text.arrow == arrowRight:
			c.label = Next
		case c.delta == -1 && c.text.arrow == arrowLeft:
			c.label = Prev
		}
	}
}

// heedArrows gives the arrows of a group with numbers the role that their title
// names or that their page has, and makes pages of those to an end that leads
// where another link leads by one step.
func (l *Labeler) heedArrows(g *group) {
	for i := g.from; i < g.to && g.pairs > 0; i++ {
		c := &l.cands[i]
		if c.text.kind != kindArrow || c.isDisabled() {
			continue
		}
		switch k := c.title.kind; {
		case !c.title.exact:
		case k == kindNext && c.text.arrow == arrowRight:
			c.label = Next
		case k == kindPrev && c.text.arrow == arrowLeft:
			c.label = Prev
		case (k == kindFirst || k == kindLast) && c.target != targetForeign:
			c.label = Page
		}
		switch a := c.text.arrow; {
		case c.label == Other && a.isFar() && c.number > 0 && l.hasStep(g, Page):
			c.label = Page
		case c.label != Page || !c.hasDelta:
		case a == arrowRight && c.delta == 1 && !l.hasStep(g, Next):
			c.label = Next
		case a == arrowLeft && c.delta == -1 && !l.hasStep(g, Prev):
			c.label = Prev
		}
	}
	for i := g.from; i < g.to; i++ {
		if c := &l.cands[i]; c.pointsToEnd() && l.hasTwin(g, c) {
			c.label = Page
		}
	}
}

// hasStep reports whether a link of g that does not point to an end has the
// role.
func (l *Labeler) hasStep(g *group, role Role) bool {
	for i := g.from; i < g.to; i++ {
		if c := &l.cands[i]; c.label == role && !c.pointsToEnd() {
			return true
		}
	}
	return false
}

// heedWords takes the words of a group at their word if they name both
// directions and an end, or stand in a pager around "2 of 7": nothing but a
// pager does.
func (l *Labeler) heedWords(g *group) {
	var next, prev, end bool
	for i := g.from; i < g.to; i++ {
		switch l.cands[i].says() {
		case kindNext:
			next = true
		case kindPrev:
			prev = true
		case kindFirst, kindLast:
			end = true
		}
	}
	between := g.current > 0 && g.current <= g.last && g.last > 1 && g.outer.has(tokPager)
	if !next || !prev || !end && !between {
		return
	}
	for i := g.from; i < g.to; i++ {
		c := &l.cands[i]
		// With addresses, what the parameter counts is no matter: a list of bugs
		// may be paged by their identifiers.
		if c.label != Other || c.isDisabled() || c.target == targetForeign || c.target < targetSite && l.movesElse(c) {
			continue
		}
		switch c.says() {
		case kindNext:
			c.label = Next
		case kindPrev:
			c.label = Prev
		case kindFirst, kindLast:
			c.label = Page
		}
	}
}

// says returns the kind of the text of c, or of its title where the text is an
// arrow or empty; kindNone if a word of it is unknown.
func (c *candidate) says() kind {
	r := &c.text
	if r.kind == kindEmpty || r.kind == kindArrow {
		r = &c.title
	}
	if !r.exact {
		return kindNone
	}
	return r.kind
}

// pointsToEnd reports whether an arrow or a name says that c leads to the first
// or the last page.
func (c *candidate) pointsToEnd() bool {
	const ends = 1<<tokFirst | 1<<tokLast
	return c.text.arrow.isFar() || (c.text.kind == kindArrow || c.text.kind == kindEmpty) && (c.own|c.inner)&ends != 0
}

// hasTwin reports whether another link of g with the role of c leads to the same
// page and has no arrow to an end.
func (l *Labeler) hasTwin(g *group, c *candidate) bool {
	for i := g.from; i < g.to && c.label > Page; i++ {
		d := &l.cands[i]
		if d.label == c.label && d.to == c.to && !d.pointsToEnd() {
			return true
		}
	}
	return false
}

// movesElse reports whether a direction or an end is that of something else than the
// page: of every row, of a slider, of a step.
func (l *Labeler) movesElse(c *candidate) bool {
	g := &l.groups[c.group]
	switch {
	case g.kinds[kindNumber] > 0:
		return false
	case c.repeats > maxRepeats && c.number == 0:
		return true
	case c.target < targetSelf && c.to == "":
		return g.to-g.from == 1 || (c.own | c.inner | g.outer).has(tokSlider)
	case c.target == targetSelf && (c.own | c.inner | g.outer).has(tokSlider):
		return true
	}
	return c.mark == markSize && c.toPage.is == numbers
}

// namesItem reports whether the direction i leads to an item, as "next: Installation"
// does: beside no number, nothing in its address counts, and it or the direction
// beside it names something unknown.
func (l *Labeler) namesItem(i int) bool {
	c := &l.cands[i]
	g := &l.groups[c.group]
	if c.target != targetSite || c.toPage.is != unrelated || !c.text.directs() || g.kinds[kindNumber] > 0 || hasDigit(c.to) {
		return false
	}
	for j := max(i-1, int(g.from)); j <= i+1 && j < int(g.to); j++ {
		if r := &l.cands[j].text; r.directs() && r.unknown > 0 {
			return true
		}
	}
	return false
}

// directs reports whether a text says next or previous.
func (r *reading) directs() bool { return r.kind == kindNext || r.kind == kindPrev }

// isOneOfMany reports whether some around candidate i, whose text says nothing, look
// as much like a direction but lead elsewhere: they are the arrows of a menu.
func (l *Labeler) isOneOfMany(i int) bool {
	const around = 4
	c := &l.cands[i]
	if c.text.kind != kindNone {
		return false
	}
	g := &l.groups[c.group]
	n := 0
	for j := max(i-around, int(g.from)); j <= i+around && j < int(g.to); j++ {
		if d := &l.cands[j]; d.text.kind == kindNone && d.own == c.own && d.to != c.to {
			n++
		}
	}
	return n > maxRepeats
}

// maxRepeats is how often a direction may lead elsewhere in another place of
// the page. In every row it is one of the row's: to the version before it.
const maxRepeats = 2

// countsElse reports whether the numbers of a group are not pages: days or
// months, whose addresses put them after a year, or names of sections, whose
// addresses are nothing but the number, without a direction beside them.
func (l *Labeler) countsElse(g *group) bool {
	others, all := 0, 0
	for i := g.from; i < g.to; i++ {
		c := &l.cands[i]
		if c.pageNumber() < 0 {
			continue
		}
		all++
		if c.mark == markDate || c.mark == markRoot && !c.text.page && g.kinds[kindNext]+g.kinds[kindPrev] == 0 {
			others++
		}
	}
	return others > 0 && 2*others >= all
}

// judge overrules the model about the numbers of a group where their addresses
// leave no doubt.
func (l *Labeler) judge(g *group) {
	alone := g.kinds[kindNumber] == 1
	least, most := int32(maxPageNumber), int32(0)
	named, addressed := false, false
	for i := g.from; i < g.to; i++ {
		c := &l.cands[i]
		if n := c.pageNumber(); n >= 0 {
			addressed = addressed || c.to != "" && c.target != targetSelf
			least, most = min(least, n), max(most, n)
			named = named || n == 1 && c.isNamedByNumber()
		}
	}
	// The first page of a series links the second; sizes and years start high.
	far := g.current == 1 && !g.stated && least > 2
	far = far || l.continuesLetters(g)
	// Amounts and slides have no address, and no direction beside them.
	if !addressed && !g.stated && !g.outer.has(tokPager) && !l.hasDirection(g) {
		far = true
	}
	if !l.hasDirection(g) {
		far = far || named && !g.stated || g.current == 0 && (least > 2 || g.pairs > 1 && g.steps == 0) || least >= 1900 && most < 2100
	}
	for i := g.from; i < g.to; i++ {
		c := &l.cands[i]
		n := c.pageNumber()
		switch {
		case n < 0:
		case g.crooked > g.linear, far:
			c.label = Other
		case alone && g.to-g.from == 1 && !g.stated && !c.text.page:
			// A number by itself is more often a count than a page.
			c.label = Other
		case alone && g.stated && c.number == n && (n == g.current+1 || n == g.current-1):
			c.label = Page
		}
	}
}

// continuesLetters reports whether the numbers of g follow a letter, with addresses
// that are made like its: those of an index.
func (l *Labeler) continuesLetters(g *group) bool {
	for i := max(g.from, 1); i < g.to; i++ {
		a, b := &l.cands[i-1], &l.cands[i]
		if b.pageNumber() < 0 {
			continue
		}
		if a.text.kind != kindLetter || a.link+1 != b.link {
			return false
		}
		p := 0
		for p < len(a.to) && p < len(b.to) && a.to[p] == b.to[p] {
			p++
		}
		end := digitsEnd(b.to, p)
		return p < len(a.to) && end > p && a.to[p+1:] == b.to[end:]
	}
	return false
}

// isNamedByNumber reports whether the number in the address of c, which is
// another page's, is a path segment by itself, as with levels and channels:
// the first page of a series mostly has no number or a word before it.
func (c *candidate) isNamedByNumber() bool {
	parent, found := strings.CutSuffix(strings.TrimSuffix(c.to, "/"), "/1")
	return found && c.target > targetSelf && !pathWord(parent)
}

// hasDirection reports whether a link of g was found to lead to the next or the
// previous page.
func (l *Labeler) hasDirection(g *group) bool {
	for i := g.from; i < g.to; i++ {
		if c := &l.cands[i]; c.label == Next || c.label == Prev {
			return true
		}
	}
	return false
}

// surely returns role, which a word or an arrow says, if the address of the link
// says the same: next, and one page on. Word or address alone leave it Other.
func (c *candidate) surely(role Role) Role {
	if c.text.kind == kindMore && c.rel.Has(htmldoc.RelNext) && c.target >= targetSite {
		return Next // "more" alone is said of an article too
	}
	if role == Other || c.repeats > 1 || c.mark == markSize || c.mark == markDate {
		return Other
	}
	d := &c.toPage
	second := d.is == extends && d.a == 2
	if c.mark != markParam && c.mark != markPath && !second {
		return Other
	}
	on := d.is == numbers && d.slots == 1 && d.a > d.b || d.is == extends
	back := d.is == numbers && d.slots == 1 && d.a < d.b || d.is == extended
	switch {
	case role == Next && on, role == Prev && back:
		return role
	case d.is == unrelated && c.text.page && c.text.exact && c.text.kind != kindMore && c.target == targetSite:
		return role // "next page", to page2
	}
	return Other
}

// pointed returns the direction in which the arrow of c points by one step.
func (c *candidate) pointed() Role {
	switch c.pointer() {
	case pointsRight:
		return Next
	case pointsLeft:
		return Prev
	}
	return Other
}

// named returns the direction that the text of c names, alone or with its rel.
func (c *candidate) named() Role {
	switch next := c.rel.Has(htmldoc.RelNext); c.text.kind {
	case kindNext, kindMore:
		if c.text.exact || next {
			return Next
		}
	case kindPrev:
		if c.text.exact || c.rel.Has(htmldoc.RelPrev) {
			return Prev
		}
	}
	return Other
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

// complete makes pages of all numbers of a group that rise from link to link,
// if most of them are, or if they are the first ones beside a direction: the
// addresses of some may be made otherwise.
func (l *Labeler) complete(g *group) {
	const others = 1<<tokCalendar | 1<<tokSlider | 1<<tokRating | 1<<tokStep
	yes, all, first, prev := 0, 0, int32(0), int32(-1)
	for i := g.from; i < g.to; i++ {
		c := &l.cands[i]
		n := c.pageNumber()
		if n < 0 {
			continue
		}
		if n <= prev || c.mark == markSize && c.toPage.a == n || c.mark == markDate || c.target == targetForeign {
			return
		}
		if all == 0 {
			first = n
		}
		prev = n
		if all++; c.label == Page {
			yes++
		}
	}
	beside := g.pairs > 1 && g.steps == g.pairs && first <= 2 && g.outer&others == 0 && l.hasDirection(g) && !l.continuesLetters(g)
	if !beside && (yes < 2 || 2*yes < all) {
		return
	}
	for i := g.from; i < g.to; i++ {
		if c := &l.cands[i]; c.pageNumber() >= 0 && c.label == Other && !c.isDisabled() {
			c.label = Page
		}
	}
}

// keepOneStep makes pages of the directions that the addresses show to lead
// to an end of the series, where another link leads to the neighbouring page
// or no word says otherwise.
func (l *Labeler) keepOneStep(g *group) {
	for i := g.from; i < g.to; i++ {
		c := &l.cands[i]
		if (c.label == Next || c.label == Prev) && c.text.kind != kindNext && c.text.kind != kindPrev &&
			c.hasDelta && (c.delta > 1 && c.number == g.last || c.delta < -1 && c.number == 1) {
			c.label = Page
		}
	}
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
