package date

// tokenBuffer is the number of tokens that a text may have before the scanner
// allocates.
const tokenBuffer = 64

// A scanner reads the dates of one text from left to right.
type scanner struct {
	text  string
	o     Options
	lang  uint64 // bit of o.Lang
	toks  []token
	first int // tokens that stand before it are ornaments: "[", "("
	last  int // the same at the end
	at    int // the next token to look at
	found reading
}

// A reading is what the words of a date say, before a calendar is asked.
type reading struct {
	start, end int // tokens

	form      Form
	cal       calendar
	year      int
	hasYear   bool
	month     int
	day       int
	weekday   int
	evident   Order // the order, if a figure above 12 shows it
	swapped   bool  // they are
	swappable bool  // month and day may be exchanged, as neither is above 12
	sep       rune  // between the figures, with swappable
	yearLess  bool  // the month's name needs a year
	weak      bool  // needs company
	langs     uint64

	hour, minute, second, nano int
	clock                      precision
	zoned                      bool
	zone                       int // minutes east of UTC

	named     bool // the day has a name: "yesterday"
	days      int  // relative to today, with named
	now       bool
	amount    amount
	relative  bool // amount counts from now
	future    bool
	uncounted bool // the amount is a unit without a number
	bare      bool
	clockOnly bool // a clock without a day, of today
}

// precision is how far a clock was read.
type precision uint8

const (
	noClock precision = iota
	toHour
	toMinute
	toSecond
)

func newScanner(text string, o Options, buf []token) scanner {
	s := scanner{text: text, o: o, lang: langBit(o.Lang)}
	var hopeful bool
	s.toks, hopeful = tokenize(text, buf)
	s.begin(hopeful)
	return s
}

// reset makes s the scanner of another text.
func (s *scanner) reset(text string, buf []token) {
	var hopeful bool
	s.text = text
	s.toks, hopeful = tokenize(text, buf)
	s.begin(hopeful)
}

// begin leaves out the ornaments at both ends, and everything of a text that
// cannot hold a date.
func (s *scanner) begin(hopeful bool) {
	s.first, s.last, s.at = 0, 0, 0
	if !hopeful {
		s.toks = s.toks[:0]
		return
	}
	s.last = len(s.toks)
	for s.first < s.last && ornament(&s.toks[s.first]) {
		s.first++
	}
	for s.last > s.first && ornament(&s.toks[s.last-1]) {
		s.last--
	}
}

// ornament reports whether t is a symbol that may stand around a date without
// being part of the text's matter.
func ornament(t *token) bool {
	if t.kind != kindSymbol {
		return false
	}
	switch t.val {
	case '+', '$', '#', '%', '*', '=', '£', '€', '¥', '~', '<', '>', '"':
		return false
	}
	return t.val < 0x80 || t.val >= 0x2000 || t.val == '·' || t.val == '«' || t.val == '»' || t.val == '|'
}

// next looks for the next date and leaves it in s.found.
func (s *scanner) next() bool {
	for s.at < len(s.toks) {
		i := s.at
		if !s.mayLead(i) || !s.startsClean(i) {
			s.at++
			continue
		}
		s.found = reading{start: i}
		end := s.read(i, &s.found)
		if end > i && s.endsClean(end, &s.found) && s.accompanied(i, end, &s.found) {
			s.found.end = end
			s.found.swapped = s.found.swappable && s.monthFirst(&s.found)
			s.at = end
			return true
		}
		s.at++
	}
	return false
}

// mayLead reports whether any date begins with a token like that at i. It is
// quick, and says no to most of the words and numerals of a page.
func (s *scanner) mayLead(i int) bool {
	const leading = roleAgoBefore | roleAgoPair | roleInBefore | roleAbout | roleHalf | roleNow | roleLastBefore | roleNextBefore |
		roleAM | rolePM | roleNoon | roleMidnight | roleReiwa | roleHeisei | roleShowa | roleMinguo |
		roleDayWord | roleYearWord | roleMonthWord
	t := &s.toks[i]
	if t.kind == kindWord {
		e := t.entry()
		return t.lex != 0 && (e.is(leading) || e.month|e.weekday|e.number|e.day != 0 || e.unit != 0)
	}
	if t.kind == kindSymbol || t.digits > 5 || i+1 == len(s.toks) {
		return false
	}
	next := &s.toks[i+1]
	return next.kind == kindSymbol && next.val < 0x80 && hasByte("-/.:,'", byte(next.val)) || next.lex != 0 ||
		next.kind == kindNumber && i+2 < len(s.toks) && s.toks[i+2].lex != 0
}

// tok returns the token at i, or a symbol that equals none if there is none.
func (s *scanner) tok(i int) *token {
	if i < 0 || i >= len(s.toks) {
		return &noToken
	}
	return &s.toks[i]
}

// noToken stands for what is beyond the text. It is never written to.
var noToken = token{spaced: true}

// glued reports whether the token at i follows its predecessor without space.
func (s *scanner) glued(i int) bool { return i > 0 && i < len(s.toks) && !s.toks[i].spaced }

// has reports whether the token at i is a word with one of the roles.
func (s *scanner) has(i int, r role) bool {
	t := s.tok(i)
	return t.kind == kindWord && t.entry().is(r)
}

// whole reports whether tokens i to end are all that the text has to say.
func (s *scanner) whole(i, end int) bool { return i <= s.first && end >= s.last }

// read reads the longest date that begins at token i and returns the token
// after it, or -1.
func (s *scanner) read(i int, r *reading) int {
	if j := s.clockFirst(i, r); j > 0 {
		return j
	}
	*r = reading{start: i}
	if e := s.tok(i).entry(); e.weekday != 0 {
		if j := s.weekdayFirst(i, r); j > 0 {
			return j
		}
		*r = reading{start: i}
	}
	if j := s.core(i, r); j > 0 {
		return s.tail(j, r)
	}
	return -1
}

// clockFirst reads "10:06am Dec 11, 2014".
func (s *scanner) clockFirst(i int, r *reading) int {
	j := s.readClock(i, r)
	if j < 0 {
		return -1
	}
	j = s.readZone(j, r)
	j = s.skip(j, 2, ",-|")
	if s.has(j, roleOf|roleDayWord|roleAt) {
		j++
	}
	w := j
	if e := s.tok(j).entry(); s.tok(j).kind == kindWord && e.weekday != 0 {
		r.weekday = int(e.weekday)
		w = s.skip(j+1, 2, ".,")
	}
	// The day's own clock, if any, is another one.
	clock := *r
	k := s.core(w, r)
	if k < 0 || r.relative {
		return -1
	}
	r.hour, r.minute, r.second, r.nano, r.clock = clock.hour, clock.minute, clock.second, clock.nano, clock.clock
	return s.afterDate(k, r)
}

// weekdayFirst reads a date that a weekday leads, or a weekday with a clock,
// or a weekday alone.
func (s *scanner) weekdayFirst(i int, r *reading) int {
	t := s.tok(i)
	e := s.meaning(i, 0, func(e *entry) bool { return e.weekday != 0 })
	r.weekday = int(e.weekday)
	j := s.skip(i+1, 3, ".,()-|")
	if s.has(j, roleDayWord|roleOf) {
		j++
	}
	lead := *r
	if k := s.core(j, r); k > 0 && !r.relative && !r.now && s.agrees(e, r) {
		r.weak = false
		return s.tail(k, r)
	}
	*r = lead
	r.form = FormRelative
	// Opening hours are written like "Friday 18:00", and "to 9:00" is no Thursday.
	if k := s.clockAfter(i+1, r); k > 0 && s.whole(i, k) && (t.end-t.start > 2 || !isLower(s.text[t.start])) {
		return k
	}
	if e.is(roleWeakWeekday) || !s.whole(i, i+1) {
		return -1
	}
	return i + 1
}

// agrees reports whether a short form of a weekday can belong to the day that
// was read behind it: "to 5-3-2014" and "MA, May 15" are English.
func (s *scanner) agrees(e *entry, r *reading) bool {
	switch {
	case !e.is(roleWeakWeekday):
		return true
	case r.form == FormNamed:
		return e.langs&r.langs != 0
	}
	return len(e.word) > 2 || e.langs&s.lang != 0
}

func isLower(c byte) bool { return 'a' <= c && c <= 'z' }

// core reads the day, without weekday and clock.
func (s *scanner) core(i int, r *reading) int {
	t := s.tok(i)
	if t.kind == kindSymbol || t.kind == kindWord && t.lex == 0 {
		return -1
	}
	before := *r
	if j := s.figures(i, r); j > 0 {
		return j
	}
	*r = before
	if j := s.marked(i, r); j > 0 {
		return j
	}
	*r = before
	if j := s.named(i, r); j > 0 {
		return j
	}
	*r = before
	return s.relativeDay(i, r)
}

// tail reads what may follow a day: weekday, clock, zone, year.
func (s *scanner) tail(j int, r *reading) int {
	if j >= len(s.toks) {
		return j
	}
	j = s.trailingWeekday(j, r)
	if k := s.clockAfter(j, r); k > 0 {
		j = s.trailingWeekday(k, r)
	}
	return s.afterDate(j, r)
}

// afterDate reads the year of "Wed Aug 05 12:00:00 2015", which follows the
// clock.
func (s *scanner) afterDate(j int, r *reading) int {
	if r.form != FormNamed || r.hasYear || r.clock == noClock {
		return j
	}
	if t := s.tok(j); t.kind == kindNumber && t.digits == 4 && t.spaced && plausible(int(t.val)) {
		r.year, r.hasYear = int(t.val), true
		return j + 1
	}
	return j
}

// trailingWeekday skips ", Tuesday" and "(日)".
func (s *scanner) trailingWeekday(j int, r *reading) int {
	k := s.skip(j, 1, ",(")
	t := s.tok(k)
	if t.kind != kindWord {
		return j
	}
	open := k > j && s.tok(j).isSymbol('(')
	sunday := open && s.has(k, roleDayMark|roleMonthMark) // 日 and 月 in parentheses
	if t.entry().weekday == 0 && !sunday {
		return j
	}
	if !open && !t.entry().is(roleWeakWeekday) || open && s.tok(k+1).isSymbol(')') {
		r.weekday = int(t.entry().weekday)
		if open {
			k++
		}
		return k + 1
	}
	return j
}

// skip returns the first token from i on that is none of the symbols, of which
// it skips at most n.
func (s *scanner) skip(i, n int, symbols string) int {
	for ; n > 0 && i < len(s.toks) && s.toks[i].kind == kindSymbol; n-- {
		v := s.toks[i].val
		if v >= 0x80 || !hasByte(symbols, byte(v)) {
			break
		}
		i++
	}
	return i
}

func hasByte(set string, c byte) bool {
	for i := range len(set) {
		if set[i] == c {
			return true
		}
	}
	return false
}

// noMeaning is the entry of a word that means nothing here.
var noMeaning = &lexicon[0]

// meaning returns the meaning of the word at i that fits, preferring the
// text's language, then a language of langs; without langs the first that
// fits. It returns the zero entry if none fits, or if langs are given and none
// of them has the word.
func (s *scanner) meaning(i int, langs uint64, fits func(*entry) bool) *entry {
	t := s.tok(i)
	if t.kind != kindWord || t.lex == 0 {
		return noMeaning
	}
	best := noMeaning
	for n := t.lex; ; n++ {
		e := &lexicon[n]
		if fits(e) && (langs == 0 || e.langs&langs != 0) {
			if s.lang != 0 && e.langs&s.lang != 0 {
				return e
			}
			if best == noMeaning {
				best = e
			}
		}
		if !e.is(roleMore) {
			return best
		}
	}
}
