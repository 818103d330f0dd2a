package pager

import "github.com/hashcrawl/hashcrawl/crawler/htmldoc"

// A template is a question about a candidate. Its answers are small numbers,
// and each answer is a feature with weights of its own.
type template uint8

// The templates. Order and meaning are part of the weights: whoever changes
// them trains anew (see pagination/pager/train).
const (
	tmplBias         template = iota
	tmplText                  // kind of the text
	tmplExact                 // kind, if every word of the text is known
	tmplArrow                 // arrow of the text, alone or beside words
	tmplTitle                 // kind of aria-label or title
	tmplNumber                // magnitude of the number
	tmplRunes                 // length of the text
	tmplOwn                   // tokens of the element
	tmplInner                 // tokens of the elements around, inside the group
	tmplOuter                 // tokens of the container
	tmplOuterNum              // the same, for numbers
	tmplRel                   // rel, and agreement with rel=next of the head
	tmplTarget                // where the link leads, by shape of the text
	tmplRelation              // how its address differs from the page's, by shape
	tmplStep                  // sign and size of the difference in number, by shape
	tmplMarker                // what stands before the number in the address, by shape
	tmplDelta                 // page number less the current one, by shape
	tmplFits                  // whether number and address agree with the group's pattern
	tmplGroupNums             // how many numbers the group has, by shape
	tmplGroupSize             // how many candidates, by shape
	tmplLinear                // share of neighbours that are linear, by shape
	tmplCurrent               // whether a current page is stated, linked, inferred
	tmplPlace                 // first, last, alone; beside numbers
	tmplBefore                // kind of the candidate before, in the group
	tmplAfter                 // kind of the candidate after
	tmplArrowPlace            // arrow and where the numbers stand
	tmplGroupWords            // which directions the group has words for
	tmplTextOuter             // shape, and whether the container says pager, comment, slider …
	tmplSequence              // for a number: what the numbers before and after are
	tmplRowPager              // size of numbers in groups that are not of this page
	tmplTokenNums             // own token of direction, by presence of numbers
	tmplRepeat                // whether the group stands twice
	tmplKindNums              // kind, by presence of linear numbers
	tmplPointer               // where arrows, icons and names point, by shape
	tmplPointerDelta          // the same with the page number less the current one
	tmplUnknown               // kind, and how many words are unknown
	tmplSteps                 // share of neighbours that are successive numbers, with linearity
	tmplKindStep              // kind of direction and difference of the address
	tmplPageWord              // shape, if the text says page too
	numTemplates
)

const (
	answers     = 64 // of each template
	numFeatures = int(numTemplates) * answers
)

// shape reduces what a text says to what matters in conjunctions.
type shape uint8

const (
	shapeNumber shape = iota
	shapeForward
	shapeBack
	shapeEnd // first, last
	shapeTime
	shapeArrow
	shapeEmpty
	shapeOther
	numShapes
)

var shapes = [numKinds]shape{
	kindNone: shapeOther, kindNumber: shapeNumber, kindNext: shapeForward, kindPrev: shapeBack, kindFirst: shapeEnd, kindLast: shapeEnd,
	kindOlder: shapeTime, kindNewer: shapeTime, kindMore: shapeOther, kindAll: shapeOther, kindNextItem: shapeOther, kindPrevItem: shapeOther,
	kindPage: shapeOther, kindPageOf: shapeOther, kindLetter: shapeOther, kindArrow: shapeArrow, kindEmpty: shapeEmpty,
}

// An extractor appends the features of candidates.
type extractor struct {
	l   *Labeler
	out []uint16
}

func (e *extractor) add(t template, answer int) {
	e.out = append(e.out, uint16(int(t)*answers+min(max(answer, 0), answers-1)))
}

// by adds an answer under a shape; it must be less than 8.
func (e *extractor) by(t template, s shape, answer int) { e.add(t, int(s)*8+min(max(answer, 0), 7)) }

func (e *extractor) set(t template, s tokenSet) {
	for i := range int(numTokens) {
		if s&(1<<i) != 0 {
			e.add(t, i)
		}
	}
}

// extract appends the features of candidate i to out.
func (l *Labeler) extract(out []uint16, i int) []uint16 {
	e := extractor{l, out}
	c := &l.cands[i]
	g := &l.groups[c.group]
	s := shapes[c.text.kind]
	if s == shapeEmpty && c.title.kind != kindEmpty {
		s = shapes[c.title.kind]
	}
	e.add(tmplBias, 0)
	e.textFeatures(c)
	e.tokenFeatures(c, g, s)
	e.addressFeatures(c, g, s)
	e.groupFeatures(c, g, s)
	e.neighbourFeatures(i, c, g, s)
	return e.out
}

func (e *extractor) textFeatures(c *candidate) {
	e.add(tmplText, int(c.text.kind))
	if c.text.exact {
		e.add(tmplExact, int(c.text.kind))
	}
	e.add(tmplUnknown, int(c.text.kind)*4+min(int(c.text.unknown), 3))
	if c.text.arrow != arrowNone {
		alone := 0
		if c.text.kind == kindArrow {
			alone = 8
		}
		e.add(tmplArrow, int(c.text.arrow)+alone)
	}
	if c.title.kind != kindEmpty {
		e.add(tmplTitle, int(c.title.kind))
		if c.text.kind == kindEmpty || c.text.kind == kindArrow {
			e.add(tmplTitle, 32+int(c.title.kind))
		}
	}
	if n := c.pageNumber(); n >= 0 {
		e.add(tmplNumber, magnitude(n))
	}
	if c.text.page {
		e.add(tmplPageWord, int(shapes[c.text.kind]))
	}
	if c.title.page {
		e.add(tmplPageWord, 16+int(shapes[c.title.kind]))
	}
	e.add(tmplRunes, bits(int32(c.text.runes)))
}

// magnitude sorts numbers by what they can be besides pages: days, years,
// counts.
func magnitude(n int32) int {
	switch {
	case n <= 2:
		return int(n)
	case n <= 5:
		return 3
	case n <= 12:
		return 4
	case n <= 31:
		return 5
	case n < 100:
		return 6
	case n < 1900:
		return 7
	case n <= 2050:
		return 8
	}
	return 9
}

// bits returns 0, 1, 2, 3 … for 0, 1, 2–3, 4–7 …
func bits(n int32) int {
	b := 0
	for ; n > 0; n >>= 1 {
		b++
	}
	return b
}

func (e *extractor) tokenFeatures(c *candidate, g *group, s shape) {
	e.set(tmplOwn, c.own)
	e.set(tmplInner, c.inner)
	if s == shapeNumber {
		e.set(tmplOuterNum, g.outer)
	} else {
		e.set(tmplOuter, g.outer)
	}
	all := c.own | c.inner | g.outer
	for i, t := range [...]token{tokPager, tokComment, tokSlider, tokCalendar, tokPost, tokNav} {
		if all.has(t) {
			e.by(tmplTextOuter, s, i)
		}
	}
	nums := 0
	if g.linear > 0 {
		nums = 1
	}
	for i, t := range [...]token{tokNext, tokPrev, tokFirst, tokLast, tokOlder, tokNewer, tokLeft, tokRight, tokPager} {
		if (c.own | c.inner).has(t) {
			e.add(tmplTokenNums, i*4+nums)
			if s == shapeEmpty {
				e.add(tmplTokenNums, i*4+2+nums)
			}
		}
	}
}

func (e *extractor) addressFeatures(c *candidate, g *group, s shape) {
	for i, r := range [...]htmldoc.Rel{htmldoc.RelNext, htmldoc.RelPrev, htmldoc.RelNoFollow, htmldoc.RelTag | htmldoc.RelBookmark | htmldoc.RelAuthor} {
		if c.rel.Has(r) {
			e.add(tmplRel, i)
		}
	}
	if c.target >= targetSite {
		to := e.l.urls[c.link].Fetch
		if e.l.headNext != "" && to == e.l.headNext {
			e.add(tmplRel, 8)
		}
		if e.l.headPrev != "" && to == e.l.headPrev {
			e.add(tmplRel, 9)
		}
	}
	e.by(tmplTarget, s, int(c.target))
	e.by(tmplRelation, s, int(c.toPage.is))
	e.by(tmplMarker, s, int(c.mark))
	if step := c.step(); step > 0 {
		e.by(tmplStep, s, step)
	}
	if c.hasDelta {
		e.by(tmplDelta, s, g.deltaOf(c))
		e.add(tmplPointerDelta, int(c.pointer())*8+g.deltaOf(c))
	} else {
		e.by(tmplDelta, s, 7)
		e.add(tmplPointerDelta, int(c.pointer())*8+7)
	}
	e.by(tmplPointer, s, int(c.pointer()))
	if s == shapeForward || s == shapeBack || s == shapeTime || s == shapeArrow {
		e.add(tmplKindStep, int(s)*8+c.step())
		if c.text.exact {
			e.add(tmplKindStep, 32+(int(s)&3)*8+c.step())
		}
	}
	switch n := c.pageNumber(); {
	case !g.pattern.ok:
		e.by(tmplFits, s, 0)
	case c.base:
		e.by(tmplFits, s, 1)
	case c.number == 0:
		e.by(tmplFits, s, 2)
	case n < 0:
		e.by(tmplFits, s, 3)
	case n == c.number:
		e.by(tmplFits, s, 4)
	default:
		e.by(tmplFits, s, 5)
	}
}

// step sorts the difference between the candidate's address and the page's.
func (c *candidate) step() int {
	d := &c.toPage
	switch d.is {
	case numbers:
		switch {
		case d.a == d.b+1:
			return 1
		case d.a == d.b-1:
			return 2
		case d.a > d.b:
			return 3
		}
		return 4
	case extends:
		if d.a == 2 {
			return 5
		}
		return 6
	case extended:
		return 7
	}
	return 0
}

// deltaOf sorts how many pages c leads forward.
func (g *group) deltaOf(c *candidate) int {
	switch d := c.delta; {
	case d > 1 && c.number == g.last:
		return 5
	case d < -1 && c.number == 1:
		return 6
	case d == 0:
		return 0
	case d == 1:
		return 1
	case d == -1:
		return 2
	case d > 1:
		return 3
	}
	return 4
}

func (e *extractor) groupFeatures(c *candidate, g *group, s shape) {
	nums := int32(g.kinds[kindNumber])
	e.by(tmplGroupNums, s, extent(nums))
	e.by(tmplGroupSize, s, few(g.to-g.from))
	e.by(tmplLinear, s, linearity(g))
	switch {
	case g.stated:
		e.by(tmplCurrent, s, 0)
	case g.current > 0:
		e.by(tmplCurrent, s, 1)
	default:
		e.by(tmplCurrent, s, 2)
	}
	words := 0
	for i, k := range [...]kind{kindNext, kindPrev, kindFirst, kindLast, kindOlder, kindNewer} {
		if g.kinds[k] > 0 && (k == c.text.kind || g.kinds[k] > 0) {
			words |= 1 << i
		}
	}
	e.add(tmplGroupWords, words)
	if s == shapeNumber {
		own := 0
		if g.own {
			own = 1
		}
		e.add(tmplRowPager, own*32+linearity(g)*8+few(nums))
	}
	linear := 0
	if g.linear > 0 {
		linear = 1
	} else if nums > 0 {
		linear = 2
	}
	e.add(tmplKindNums, int(c.text.kind)*3+linear)
	if s != shapeNumber {
		e.by(tmplRepeat, s, bits(int32(c.repeats)))
	} else {
		e.add(tmplSteps, linearity(g)*8+stepShare(g))
	}
	if g.own {
		e.add(tmplSteps, 32+int(s))
	}
}

// extent returns n up to 3, then 4 and 5 where pagers seldom have as many
// numbers as lists of balls, seats or days.
func extent(n int32) int {
	switch {
	case n > 24:
		return 5
	case n > 12:
		return 4
	}
	return few(n)
}

// few returns n up to 3: more says no more.
func few(n int32) int { return int(min(n, 3)) }

// linearity returns 0 for a group without two numbers, else 1 to 3 as few,
// most or all neighbours have addresses that fit.
func linearity(g *group) int {
	switch {
	case g.pairs == 0:
		return 0
	case g.linear == g.pairs:
		return 3
	case 2*g.linear >= g.pairs:
		return 2
	}
	return 1
}

// stepShare returns 0 for a group without two numbers, else 1 to 4 as none, few,
// most or all neighbours are successive.
func stepShare(g *group) int {
	switch {
	case g.pairs == 0:
		return 0
	case g.steps == 0:
		return 1
	case g.steps == g.pairs:
		return 4
	case 2*g.steps >= g.pairs:
		return 3
	}
	return 2
}

func (e *extractor) neighbourFeatures(i int, c *candidate, g *group, s shape) {
	before, after := kindNone, kindNone // of neighbours; none if there is none
	nb, na := int32(-1), int32(-1)
	place := 0
	if i > int(g.from) {
		p := &e.l.cands[i-1]
		before, nb = p.text.kind, p.pageNumber()
		place |= 1
	}
	if i+1 < int(g.to) {
		n := &e.l.cands[i+1]
		after, na = n.text.kind, n.pageNumber()
		place |= 2
	}
	e.by(tmplPlace, s, place)
	e.add(tmplBefore, int(before))
	e.add(tmplAfter, int(after))
	numsBefore, numsAfter := 0, 0
	if nb >= 0 {
		numsBefore = 1
	}
	if na >= 0 {
		numsAfter = 1
	}
	if c.text.arrow != arrowNone || s == shapeEmpty {
		e.add(tmplArrowPlace, int(c.text.arrow)*4+numsBefore*2+numsAfter)
	}
	if n := c.pageNumber(); n >= 0 {
		e.add(tmplSequence, succession(nb, n)*8+succession(n, na))
	}
}

// succession says how b follows a, where -1 is no number.
func succession(a, b int32) int {
	switch {
	case a < 0 || b < 0:
		return 0
	case b == a+1:
		return 1
	case b > a:
		return 2
	case b == a:
		return 3
	}
	return 4
}

// Lexical reports whether a feature depends on words, so that training may
// drop it to make the others stand alone.
func Lexical(feature uint16) bool {
	switch template(feature / answers) {
	case tmplText, tmplExact, tmplTitle, tmplOwn, tmplInner, tmplOuter, tmplOuterNum, tmplTextOuter, tmplTokenNums, tmplBefore, tmplAfter, tmplKindNums, tmplGroupWords:
		return true
	}
	return false
}
