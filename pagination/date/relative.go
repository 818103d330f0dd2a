package date

import "unicode/utf8"

// An amount is a length of time in calendar and clock units.
type amount struct {
	months  int
	days    int
	seconds int64
	unit    unit // the smallest
}

// maxCount bounds the numeral before a unit.
const maxCount = 99999

// relativeDay reads what is counted from now: "yesterday", "3 hours ago",
// "last week", "just now".
func (s *scanner) relativeDay(i int, r *reading) int {
	r.form = FormRelative
	t := s.tok(i)
	if t.kind == kindWord {
		e := t.entry()
		switch {
		case e.day != 0:
			r.named, r.days, r.langs, r.weak = true, int(e.day)-3, e.langs, e.is(roleWeakDay)
			return i + 1
		case e.is(roleNow):
			r.now = true
			if !s.whole(i, i+1) {
				return -1
			}
			return i + 1
		}
		if j := s.neighbourPeriod(i, r); j > 0 {
			return j
		}
	}
	return s.counted(i, r)
}

// neighbourPeriod reads "last week", "semaine dernière", "next month", which
// must fill the text.
func (s *scanner) neighbourPeriod(i int, r *reading) int {
	if !s.whole(i, i+2) {
		return -1
	}
	a, b := s.tok(i).entry(), s.tok(i+1).entry()
	if s.tok(i+1).kind != kindWord {
		return -1
	}
	var mark, of *entry
	switch {
	case a.is(roleLastBefore|roleNextBefore) && b.unit != 0:
		mark, of = a, b
	case b.is(roleLastAfter|roleNextAfter) && a.unit != 0:
		mark, of = b, a
	default:
		return -1
	}
	if mark.roleLangs&of.langs == 0 || of.unit < unitDay || len(of.word) < 2 {
		return -1
	}
	r.relative = true
	r.future = mark.is(roleNextBefore | roleNextAfter)
	r.amount.add(1, 0, of.unit)
	return i + 2
}

// counted reads an amount with the mark that makes it a point in time.
func (s *scanner) counted(i int, r *reading) int {
	const before = roleAgoBefore | roleAgoPair | roleInBefore
	unmarked := *r
	if s.meaning(i, 0, isNumber) != noMeaning {
		// "en" is "in" or "one".
		if j := s.markedAmount(i, i, 0, 0, r); j > 0 {
			return j
		}
		*r = unmarked
	}
	if s.has(i, before) {
		if j := s.markedAmount(i, i+1, s.tok(i).entry().roles&before, s.tok(i).entry().roleLangs, r); j > 0 {
			return j
		}
		*r = unmarked
	}
	return s.markedAmount(i, i, 0, 0, r)
}

// markedAmount reads an amount at token j, where mark stands before it, and
// the marks behind it. The phrase begins at token i.
func (s *scanner) markedAmount(i, j int, mark role, langs uint64, r *reading) int {
	about := j
	j = s.skipAbout(j)
	if mark == 0 && j > about {
		// "about an hour ago": the mark follows, or there is none.
		if s.tok(j).kind == kindWord && s.meaning(j, 0, isNumber) == noMeaning && s.meaning(j, 0, isUnit) == noMeaning {
			return -1
		}
	}
	j, after, afterLangs := s.amounts(j, mark, langs, r)
	if j < 0 {
		return -1
	}
	if langs == 0 {
		langs = afterLangs
	}
	r.langs = langs
	return s.decideMark(i, j, mark, after, r)
}

// decideMark says whether the amount lies before or after now, by the marks
// around it.
func (s *scanner) decideMark(i, j int, mark, after role, r *reading) int {
	r.relative = true
	switch {
	case mark == 0 && r.uncounted && (!s.whole(i, j) || r.langs&langEN != 0):
		return -1 // "qualche ora fa", "years ago"
	case mark&roleInBefore != 0 && after&roleAgoAfter != 0:
		return -1 // "over a year ago" is not Dutch
	case mark&roleAgoBefore != 0, after&roleAgoAfter != 0 && mark&roleInBefore == 0:
		return j
	case after&roleAgoWhole != 0:
		if !s.whole(i, j) {
			return -1
		}
		return j
	case mark&roleInBefore != 0, after&roleInAfter != 0:
		r.future = true
		if s.tok(j).isSymbol('\'') && s.has(j+1, roleInAfter) {
			j += 2
		}
		if s.has(j, roleInAfter) {
			j++
		}
		if !s.whole(i, j) {
			return -1
		}
		return j
	case mark == 0 && after == 0 && !r.weak:
		r.bare = true
		end := j
		if r.amount.unit >= unitDay {
			clock := *r
			if k := s.clockAfter(j, &clock); k > 0 {
				end = k
			}
		}
		if !s.whole(i, end) {
			return -1
		}
		return j
	}
	return -1
}

func (s *scanner) skipAbout(j int) int {
	if s.has(j, roleAbout) {
		return j + 1
	}
	return j
}

// maxTerms bounds the terms of an amount: one for each unit.
const maxTerms = 7

// amounts reads one or more terms "1 year, 2 months" and the marks behind
// them. r.weak tells that the first unit is a mere letter.
func (s *scanner) amounts(j int, mark role, langs uint64, r *reading) (end int, after role, afterLangs uint64) {
	end = -1
	last := unit(unitDecade + 1)
	for n := 0; n < maxTerms; n++ {
		k, t := s.term(j, mark, langs)
		// Units shrink from term to term.
		if k < 0 || t.unit >= last {
			break
		}
		// A unit alone counts one of it, but only in a marked phrase.
		if t.uncounted && (n > 0 || mark == 0 && !s.marksAfter(k, t.langs)) {
			break
		}
		r.weak = r.weak || t.weak && n == 0 || t.marked && t.unit == unitMonth || t.hundredths > 0 && t.unit == unitSecond
		r.uncounted = t.uncounted
		r.amount.add(t.count, t.hundredths, t.unit)
		last = t.unit
		langs = narrow(langs, t.langs)
		end = k
		if m, l := s.markAfter(k, langs); m != 0 {
			after, afterLangs = m, l
			end = k + 1
		}
		j = s.skip(end, 1, ",")
		if s.has(j, roleAnd) {
			j++
		}
		if mark != 0 && s.has(j, mark) {
			j++
		}
	}
	return end, after, afterLangs
}

// narrow keeps the languages that both have; it stays with a if they have none
// in common, as abbreviations are shared beyond what the lexicon says.
func narrow(a, b uint64) uint64 {
	switch {
	case a == 0:
		return b
	case a&b == 0:
		return a
	}
	return a & b
}

// markAfter returns the mark behind an amount at token k, if it is of one of
// the languages.
func (s *scanner) markAfter(k int, langs uint64) (role, uint64) {
	const marks = roleAgoAfter | roleAgoWhole | roleInAfter
	if !s.has(k, marks) {
		return 0, 0
	}
	e := s.tok(k).entry()
	if e.roleLangs&langs == 0 {
		return 0, 0
	}
	if s.tok(k).spaceless && s.glued(k+1) && continuesMark(s.text[s.tok(k+1).start:]) {
		return 0, 0
	}
	return e.roles & marks, e.roleLangs & langs
}

// continuesMark reports whether text, which follows 전 or 前, makes another
// word of it: 전통 is tradition, 前半 the first half.
func continuesMark(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	switch r {
	case '半', '期', '後', '后', '端', '線', '线', '提':
		return true
	}
	return 0xAC00 <= r && r < 0xD7B0
}

func (s *scanner) marksAfter(k int, langs uint64) bool {
	m, _ := s.markAfter(k, langs)
	return m != 0
}

// A term is a count with its unit.
type term struct {
	count, hundredths int
	unit              unit
	langs             uint64
	uncounted         bool // no count is written; it is one
	weak              bool // the unit is a mere letter
	marked            bool // the unit is one of the marks of dates, such as 年
}

// term reads "3 days", "a day", "يومين" or "day" at token j and returns the
// token after it, or -1.
func (s *scanner) term(j int, mark role, langs uint64) (int, term) {
	t := term{count: 1}
	tok := s.tok(j)
	k := j
	switch {
	case s.has(j, roleHalf):
		t.count, t.hundredths, langs = 0, 50, narrow(langs, tok.entry().roleLangs)
		k++
		if s.meaning(k, langs, isNumber) != noMeaning {
			k++
		}
	case tok.kind == kindNumber:
		if tok.val > maxCount || tok.digits > 5 {
			return -1, t
		}
		t.count = int(tok.val)
		k = s.fraction(j+1, &t)
	case s.meaning(j, langs, isCountedUnit).unit != 0:
		t.count = int(s.meaning(j, langs, isCountedUnit).number)
	case s.meaning(j, langs, isNumber).number != 0 && s.tok(j+1).kind != kindNumber:
		e := s.meaning(j, langs, isNumber)
		t.count = int(e.number)
		langs = narrow(langs, e.langs)
		k = j + 1
		if s.tok(k).isSymbol('\'') && s.glued(k) {
			k++ // "un'ora"
		}
	case tok.kind == kindWord && !tok.spaceless:
		t.uncounted = true
	default:
		return -1, t
	}
	if k > j && s.has(k, rolePartitive) && s.tok(k).spaced {
		k++
	}
	if tok.kind == kindNumber && !s.unitAt(k, langs, &t) || tok.kind != kindNumber && !s.unitWord(k, langs, &t) {
		return -1, t
	}
	// "1998年前" is before 1998.
	if t.unit == unitYear && t.count >= 1000 && s.tok(k).spaceless {
		return -1, t
	}
	k++
	// The dot of an abbreviated unit: "2 ч. 21 мин. назад".
	if s.tok(k).isSymbol('.') && s.glued(k) && k+1 < len(s.toks) {
		k++
	}
	return k, t
}

func isUnit(e *entry) bool        { return e.unit != 0 }
func isNumber(e *entry) bool      { return e.number != 0 && e.unit == 0 }
func isCountedUnit(e *entry) bool { return e.number != 0 && e.unit != 0 }

// fraction reads ".5" behind a count.
func (s *scanner) fraction(k int, t *term) int {
	f := s.tok(k + 1)
	if !(s.tok(k).isSymbol('.') || s.tok(k).isSymbol(',')) || !s.glued(k) || !s.glued(k+1) || f.kind != kindNumber || f.digits > 2 {
		return k
	}
	t.hundredths = int(f.val)
	if f.digits == 1 {
		t.hundredths *= 10
	}
	return k + 2
}

// unitAt reads the unit behind a numeral, where 年, 日, 分 and 秒 are units too.
func (s *scanner) unitAt(k int, langs uint64, t *term) bool {
	if s.unitWord(k, langs, t) {
		return true
	}
	for _, m := range [...]struct {
		role
		unit
	}{{roleYearMark, unitYear}, {roleMonthMark, unitMonth}, {roleDayMark, unitDay}, {roleMinuteMark, unitMinute}, {roleSecondMark, unitSecond}} {
		// 1月 is January, unless it follows 1年 in an amount.
		if s.has(k, m.role) && (m.unit != unitMonth || langs != 0) {
			t.unit, t.langs, t.weak, t.marked = m.unit, langJA|langZH|langKO, true, true
			return true
		}
	}
	return false
}

func (s *scanner) unitWord(k int, langs uint64, t *term) bool {
	e := s.meaning(k, langs, isUnit)
	if e.unit == 0 {
		return false
	}
	// A mark behind the word chooses between its meanings.
	if e.is(roleMore) {
		for next := k + 1; next < k+3; next++ {
			if s.has(next, roleAgoAfter|roleInAfter) {
				if f := s.meaning(k, s.tok(next).entry().roleLangs, isUnit); f.unit != 0 {
					e = f
				}
			}
		}
	}
	t.unit, t.langs, t.weak = e.unit, e.langs, e.is(roleWeakUnit)
	return true
}

// add adds count and hundredths of u.
func (a *amount) add(count, hundredths int, u unit) {
	a.unit = u
	seconds := int64(count)*100 + int64(hundredths)
	switch u {
	case unitSecond:
		a.seconds += seconds / 100
	case unitMinute:
		a.seconds += seconds * 60 / 100
	case unitHour:
		a.seconds += seconds * 3600 / 100
	case unitDay:
		a.days += count
		a.seconds += int64(hundredths) * 86400 / 100
	case unitWeek:
		a.days += 7 * count
		a.seconds += int64(hundredths) * 7 * 86400 / 100
	case unitMonth:
		a.months += count
		a.days += hundredths * 30 / 100
	case unitYear:
		a.months += 12*count + hundredths*12/100
	case unitDecade:
		a.months += 120 * count
	}
}
