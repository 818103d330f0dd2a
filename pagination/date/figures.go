package date

// figures reads a date of three numerals with one separator between them.
func (s *scanner) figures(i int, r *reading) int {
	a := s.tok(i)
	if a.kind != kindNumber || a.digits != 4 && a.digits > 2 {
		return -1
	}
	b, j := s.nextFigure(i)
	if b < 0 {
		return -1
	}
	c, _ := s.nextFigure(b)
	if c < 0 || s.tok(j).val != s.tok(c-1).val {
		return -1
	}
	sep := rune(s.tok(j).val)
	if s.tok(b).digits > 2 {
		return -1
	}
	spread := s.tok(b).spaced || s.tok(j).spaced
	switch {
	case a.digits == 4 && s.tok(c).digits <= 2:
		return s.yearFirst(i, b, c, sep, r)
	case a.digits <= 2 && s.tok(c).digits == 4:
		return s.yearLast(i, b, c, sep, r)
	case a.digits <= 2 && s.tok(c).digits == 2 && !(spread && sep != '.'):
		return s.shortYear(i, b, c, sep, r)
	}
	return -1
}

// nextFigure returns the numeral after the one at i, and the separator between
// them, or -1. A dot may have a space behind it, other separators have space
// on both sides or on none.
func (s *scanner) nextFigure(i int) (figure, separator int) {
	j := i + 1
	t := s.tok(j)
	if t.kind != kindSymbol || t.val >= 0x80 || t.val == 0 || !hasByte("-/.", byte(t.val)) || s.tok(j+1).kind != kindNumber {
		return -1, -1
	}
	if t.spaced != s.tok(j+1).spaced && (t.val != '.' || t.spaced) {
		return -1, -1
	}
	return j + 1, j
}

func (s *scanner) yearFirst(i, b, c int, sep rune, r *reading) int {
	r.form, r.hasYear = FormISO, true
	r.year, r.month, r.day = int(s.tok(i).val), int(s.tok(b).val), int(s.tok(c).val)
	// Years that are Gregorian on no page, and those of our lives in Iran.
	if r.year >= 1300 && r.year < 1450 && (sep == '/' || s.tok(i).persian || s.lang == langFA) {
		r.cal = solarHijri
	}
	// "2019.4.1" is as often the version of a program.
	if sep == '.' && (s.tok(b).digits == 1 || s.tok(c).digits == 1) && !s.alone(i, c+1) {
		return -1
	}
	return c + 1
}

func (s *scanner) yearLast(i, b, c int, sep rune, r *reading) int {
	r.form, r.hasYear = FormYearLast, true
	r.day, r.month, r.year = int(s.tok(i).val), int(s.tok(b).val), int(s.tok(c).val)
	s.order(sep, r)
	return s.skipYearWord(c + 1)
}

// firstShortYear is the earliest year that figures may shorten to two digits:
// "12/24/36" counts something.
const firstShortYear = 1970

// shortYear reads "18.10.14". Versions look the same, so that the day and month
// need two digits, or slashes, and nothing that leads a version before them.
func (s *scanner) shortYear(i, b, c int, sep rune, r *reading) int {
	year := int(s.tok(c).val)
	padded := s.tok(i).digits == 2 && s.tok(b).digits == 2
	spread := s.tok(b).spaced
	switch {
	case sep == '/' && (padded || s.alone(i, c+1)):
	case sep == '.' && (padded && !spread || spread) && s.alone(i, c+1):
	case sep == '-' && padded && s.alone(i, c+1):
	default:
		return -1
	}
	r.form, r.hasYear = FormYearLast, true
	r.day, r.month = int(s.tok(i).val), int(s.tok(b).val)
	r.year = s.century(year)
	if r.year < firstShortYear {
		return -1
	}
	if s.has(i-1, roleVersion) || s.counts(c+1) {
		return -1
	}
	s.order(sep, r)
	return c + 1
}

// counts reports whether the word at i may be what the numerals before it
// count: any but those that go on from a date.
func (s *scanner) counts(i int) bool {
	if s.tok(i).kind != kindWord || s.tok(i).spaceless {
		return false
	}
	return !s.has(i, roleAt|roleBy|roleDayWord|roleOf|roleYearWord|roleNoon|roleMidnight|roleClockDot) && s.tok(i).entry().weekday == 0 && s.tok(i).spaced
}

// alone reports whether the figures at tokens i to end stand by themselves: at
// the edge of the text, behind a symbol, or behind a word that leads dates.
func (s *scanner) alone(i, end int) bool {
	if i <= s.first {
		return true
	}
	t := s.tok(i - 1)
	switch t.kind {
	case kindSymbol:
		return !t.isSymbol('.') && !s.has(i-2, roleVersion)
	case kindWord:
		e := t.entry()
		return t.spaceless && !e.is(roleVersion) || e.weekday != 0 || e.is(roleDayWord|roleLead) || e.is(roleAt) && e.roleLangs&langEN != 0
	}
	return s.has(end, roleClockDot)
}

// yearsAhead is how far in the future a year of two digits may lie.
const yearsAhead = 15

// century completes a year of two digits to the last that is not too far ahead.
func (s *scanner) century(yy int) int {
	limit := s.o.Now.Year() + yearsAhead
	return limit - ((limit-yy)%100+100)%100
}

// order decides which figure is the day, where the text can tell, and else
// notes that they may be exchanged.
func (s *scanner) order(sep rune, r *reading) {
	switch {
	case r.month > 12:
		r.day, r.month, r.evident = r.month, r.day, MDY
	case r.day > 12:
		r.evident = DMY
	case r.day != r.month:
		r.swappable, r.sep = true, sep
	}
}

// monthFirst reports whether M/D is the likelier order of a reading that was
// made as D/M. Dots are European, and so are other words than English ones.
func (s *scanner) monthFirst(r *reading) bool {
	switch {
	case s.o.Order != Auto:
		return s.o.Order == MDY
	case r.sep == '.':
		return false
	case s.lang != 0:
		return s.lang == langEN && !dayFirstRegion(s.o.Lang) || s.lang == langTL
	}
	return r.langs == 0 || r.langs&langEN != 0
}

// dayFirstRegion reports whether an English tag is of a region that writes the
// day first: any but the United States and those that follow them.
func dayFirstRegion(tag string) bool {
	if len(tag) < 5 {
		return false
	}
	region := string([]byte{tag[len(tag)-2] &^ 0x20, tag[len(tag)-1] &^ 0x20})
	return region != "US" && region != "PH" && region != "CA"
}
