package pager

// A group is the candidates that stand together in one element with nothing
// but them: mostly one pager.
type group struct {
	from, to int32    // in Labeler.cands
	node     int32    // the container
	shared   bool     // the container holds other links too, see [Labeler.run]
	outer    tokenSet // of the container and of the two elements around it
	kinds    [numKinds]uint16
	current  int32 // page number, 0 if unknown
	stated   bool  // current stands in the text and is no link
	last     int32 // greatest page number of a link or of "of 7"
	pairs    int32 // of neighbouring numbers
	steps    int32 // pairs of which the second is the next number
	linear   int32 // pairs whose addresses fit
	crooked  int32 // pairs whose addresses differ in one number that does not fit
	pattern  fit
	own      bool // some address is made from the page's own
}

// A fit is how addresses follow from page numbers: the number at from in the
// address of sample is slope × page + shift.
type fit struct {
	ok           bool
	crooked      bool   // two numbers were found that lie on no line
	slots        int    // places in which the addresses differ
	sample       string // an address with a number
	from, to     int
	slope, shift int32
}

// countRepeats finds texts that stand in many places and lead to as many
// pages, as "continue reading" does under every article. What a row says and
// what the pager says may be of one kind, but seldom in the same form.
func (l *Labeler) countRepeats() {
	var first [numKinds][forms]struct {
		group int32
		to    string
		more  uint8
	}
	for i := range l.cands {
		c := &l.cands[i]
		f := &first[c.text.kind][c.text.form()]
		switch {
		case f.to == "":
			f.group, f.to = c.group, c.to
		case c.group != f.group && c.to != f.to:
			f.group = c.group
			f.more = min(f.more+1, 100)
		}
	}
	for i := range l.cands {
		c := &l.cands[i]
		c.repeats = first[c.text.kind][c.text.form()].more
	}
}

const forms = 4 // see [reading.form]

// form tells texts of one kind apart: with words that are not known or without,
// with an arrow or without.
func (r *reading) form() int {
	n := 0
	if r.exact {
		n = 1
	}
	if r.arrow != arrowNone {
		n += 2
	}
	return n
}

// study finds out what the numbers of a group say.
func (l *Labeler) study(g *group) {
	l.around(g)
	l.findCurrent(g)
	if g.current == 0 {
		l.findLinkedCurrent(g)
	}
	l.findFit(g)
	if n, _ := g.pattern.pageOf(l.pageURL); n > 0 && g.current == 0 {
		g.current = n
	}
	g.last = max(g.last, g.current)
	l.place(g)
}

// around collects the tokens above the links.
func (l *Labeler) around(g *group) {
	nodes := l.page.Outline.Nodes
	up := g.node
	for n := 0; n < 3 && up > 0; n++ {
		g.outer |= l.tokens(int(up))
		up = nodes[up].Parent
	}
	for i := g.from; i < g.to; i++ {
		c := &l.cands[i]
		for up, n := nodes[c.node].Parent, 0; up > g.node && n < 2; up, n = nodes[up].Parent, n+1 {
			c.inner |= l.tokens(int(up))
		}
	}
}

// findCurrent looks for the number of the page in the text between the links,
// where it continues the numbers beside it.
func (l *Labeler) findCurrent(g *group) {
	o := l.page.Outline
	at := o.Nodes[g.node].TextStart
	for i := g.from; i <= g.to; i++ {
		before, after := int32(-1), int32(-1)
		end := o.Nodes[g.node].TextEnd
		if i < g.to {
			end = o.Nodes[l.cands[i].node].TextStart
			after = l.cands[i].pageNumber()
		}
		if i > g.from {
			before = l.cands[i-1].pageNumber()
		}
		if at < end && end-at <= maxLooseText {
			l.readGap(g, o.Text[at:end], before, after)
		}
		if i < g.to {
			at = max(at, o.Nodes[l.cands[i].node].TextEnd)
		}
	}
	for i := g.from; i < g.to; i++ {
		g.last = max(g.last, l.cands[i].pageNumber())
	}
	g.last = max(g.last, g.current)
}

// readGap reads the numbers in the text between two links whose numbers are
// before and after, -1 for none.
func (l *Labeler) readGap(g *group, s string, before, after int32) {
	var found [4]int32
	n := 0
	for i := 0; i < len(s) && n < len(found); {
		if !isDigit(s[i]) && s[i] < 0x80 {
			i++
			continue
		}
		t := scanner{number: -1}
		w := t.readNumber(s[i:])
		if w == 0 {
			i++
			for i < len(s) && s[i]&0xC0 == 0x80 {
				i++
			}
			continue
		}
		i += w
		if t.number > 0 && t.number <= maxPageNumber {
			found[n] = t.number
			n++
		}
	}
	for _, f := range found[:n] {
		if g.current == 0 && (before > 0 && f == before+1 || after > 0 && f == after-1) {
			g.current, g.stated = f, true
		}
	}
	if g.current == 0 && n == 2 && found[0] <= found[1] && g.kinds[kindNumber] == 0 {
		g.current, g.last = found[0], found[1] // "page 2 of 7"
	}
}

// pageNumber returns the number that the candidate's text names, or else its
// title where the text is empty; -1 if there is none.
func (c *candidate) pageNumber() int32 {
	if c.text.kind == kindNumber {
		return c.text.number
	}
	if c.text.kind == kindEmpty && c.title.kind == kindNumber {
		return c.title.number
	}
	return -1
}

// findFit looks for the linear relation between numbers and addresses that
// most neighbours have.
func (l *Labeler) findFit(g *group) {
	prev := int32(-1)
	votes := int32(0)
	for i := g.from; i < g.to; i++ {
		c := &l.cands[i]
		n := c.pageNumber()
		if n < 0 {
			continue
		}
		g.own = g.own || c.toPage.is == numbers || c.toPage.is == extends || c.toPage.is == extended
		if prev >= 0 {
			f, ok := l.fitPair(&l.cands[prev], c)
			g.pairs++
			if n == l.cands[prev].pageNumber()+1 || g.stated && n == l.cands[prev].pageNumber()+2 {
				g.steps++
			}
			if ok {
				g.linear++
			} else if f.crooked {
				g.crooked++
			}
			if ok && f.ok {
				switch {
				case votes == 0:
					g.pattern, votes = f, 1
				case f.slope == g.pattern.slope && f.shift == g.pattern.shift:
					votes++
				default:
					votes--
				}
			}
		}
		prev = i
	}
	for i := g.to - 1; i >= g.from && !g.pattern.ok; i-- {
		if c := &l.cands[i]; c.to != "" && c.pageNumber() >= 0 {
			g.pattern = l.fitSingle(g, c)
			break
		}
	}
}

// fitPair returns the relation of two numbers and their addresses. The first
// page may have an address without a number: then ok is true and the fit is
// not.
func (l *Labeler) fitPair(a, b *candidate) (f fit, ok bool) {
	ua, ub := a.to, b.to
	na, nb := a.pageNumber(), b.pageNumber()
	if ua == "" || ub == "" || na == nb {
		return fit{}, false
	}
	d := compare(ua, ub)
	switch d.is {
	case numbers:
		return fitPoints(ua, &d, na, nb)
	case extended:
		return fitOne(ub, &d, nb, d.b), true
	case extends:
		return fitOne(ua, &d, na, d.a), true
	}
	// Links to the page itself are those of a script, which takes each elsewhere.
	return fit{crooked: d.is == same && b.target != targetSelf}, false
}

// fitOne guesses the line from one page n whose number in the address is v,
// where the first page has none: pages from 1 or from 0, or rows.
func fitOne(sample string, d *difference, n, v int32) fit {
	f := fit{ok: true, slots: d.slots, sample: sample, from: d.from, to: d.to, slope: 1}
	switch {
	case v == n:
	case v == n-1:
		f.shift = -1
	case n > 1 && v > 0 && v%(n-1) == 0 && v/(n-1) <= maxStep:
		f.slope = v / (n - 1)
		f.shift = -f.slope
	default:
		return fit{}
	}
	return f
}

// fitPoints returns the line through two pages whose addresses differ by d.
func fitPoints(sample string, d *difference, na, nb int32) (fit, bool) {
	va, vb := d.a, d.b
	if nb == na || (vb-va)%(nb-na) != 0 {
		return fit{crooked: d.slots == 1}, false
	}
	f := fit{ok: true, slots: d.slots, sample: sample, from: d.from, to: d.to, slope: (vb - va) / (nb - na)}
	f.shift = va - f.slope*na
	// The first page has the number 0 or 1, or the offset 0, 1 or that of one
	// page. Days in an address like m=20101201 are linear too, but start high.
	if first := f.slope + f.shift; f.slope <= 0 || f.slope > maxStep || first < 0 || first > max(f.slope, 1) {
		return fit{crooked: d.slots == 1}, false
	}
	return f, true
}

// fitSingle returns the relation that one number has to the page's own
// address, or that its address has by itself.
func (l *Labeler) fitSingle(g *group, c *candidate) fit {
	to, n := c.to, c.pageNumber()
	d := c.toPage
	switch {
	case d.is == numbers && g.current > 0 && g.current != n:
		f, _ := fitPoints(to, &d, n, g.current)
		return f
	case d.is == extends:
		return fitOne(to, &d, n, d.a)
	case d.is == extended && n == 1 && g.current > 1:
		return fitOne(l.pageURL, &d, g.current, d.b)
	}
	return fit{}
}

// findLinkedCurrent looks for the one number that is marked as the current
// page, or leads nowhere or to this page.
func (l *Labeler) findLinkedCurrent(g *group) {
	found := int32(0)
	for i := g.from; i < g.to; i++ {
		c := &l.cands[i]
		n := c.pageNumber()
		if n <= 0 || c.to != "" && c.target != targetSelf && !(c.own|c.inner).has(tokCurrent) {
			continue
		}
		if found > 0 && found != n {
			return
		}
		found = n
	}
	g.current = found
}

// pageOf returns the number of the page at u, 0 if u is not made like the
// sample, and whether u is the address without a number, which is that of the
// first page.
func (f *fit) pageOf(u string) (n int32, base bool) {
	if !f.ok || u == "" {
		return 0, false
	}
	d := compare(u, f.sample)
	v := int32(0)
	switch {
	case d.is == same:
		v = numberAt(f.sample[f.from:f.to])
	case d.is == numbers && d.from == f.from:
		v = d.a
	case d.is == extended && d.from <= f.from && f.from <= d.to:
		return 1, true
	default:
		return 0, false
	}
	if v -= f.shift; v <= 0 || v%f.slope != 0 {
		return 0, false
	}
	return v / f.slope, false
}

// place finds which page each candidate leads to.
func (l *Labeler) place(g *group) {
	for i := g.from; i < g.to; i++ {
		c := &l.cands[i]
		c.number, c.base = g.pattern.pageOf(c.to)
		if c.number > 0 && g.current > 0 {
			c.delta, c.hasDelta = c.number-g.current, true
		}
		if c.number > 0 && c.text.kind != kindNone {
			g.last = max(g.last, c.number)
		}
	}
}
