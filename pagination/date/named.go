package date

// named reads a date with the name of a month.
func (s *scanner) named(i int, r *reading) int {
	r.form = FormNamed
	for n := 0; n < 2 && s.has(i, roleDayWord|roleYearWord|roleMonthWord) && s.tok(i).entry().month == 0; n++ {
		i++ // "den 5. Mai", "सन् 1989", "ngày 5 tháng 11", "เดือนตุลาคม"
	}
	t := s.tok(i)
	switch {
	case t.kind == kindNumber && t.digits <= 2:
		return s.dayMonth(i, r)
	case t.kind == kindNumber && t.digits == 4:
		return s.yearMonth(i, r)
	case t.kind == kindWord:
		return s.monthDay(i, r)
	}
	return -1
}

// monthName reads the month at token i, a name or "tháng 11", and returns the
// token after it, or -1.
func (s *scanner) monthName(i int, r *reading) int {
	if s.has(i, roleMonthWord) && s.tok(i).entry().month == 0 {
		if n := s.tok(i + 1); s.has(i, roleMonthMark) && n.kind == kindNumber && n.digits <= 2 {
			r.month = int(n.val)
			r.langs |= s.tok(i).entry().roleLangs
			return i + 2
		}
		i++
	}
	e := s.meaning(i, 0, func(e *entry) bool { return e.month != 0 })
	if e.month == 0 {
		return -1
	}
	if r.langs != 0 && e.langs&r.langs == 0 {
		if e = s.meaning(i, r.langs, func(e *entry) bool { return e.month != 0 }); e.month == 0 {
			return -1
		}
	}
	r.month = int(e.month)
	r.langs |= e.langs
	r.weak = e.is(roleWeakMonth)
	r.yearLess = e.is(roleYearMonth)
	if e.is(roleJalali) {
		r.cal = solarHijri
	}
	return i + 1
}

// dayMonth reads "5 May 2014", "5. Mai", "5 de mayo del 2014", "14-Ara-2012".
func (s *scanner) dayMonth(i int, r *reading) int {
	r.day = int(s.tok(i).val)
	j := s.skipOrdinal(i + 1)
	j = s.skip(j, 2, ".-/,'")
	for n := 0; n < 2 && s.has(j, roleOf) && s.tok(j).entry().month == 0; n++ {
		r.langs = s.tok(j).entry().roleLangs
		j++
	}
	j = s.monthName(j, r)
	if j < 0 {
		return -1
	}
	return s.yearAfter(j, r)
}

// monthDay reads "May 5, 2014", "May 5" and "May 2014".
func (s *scanner) monthDay(i int, r *reading) int {
	j := s.monthName(i, r)
	if j < 0 {
		return -1
	}
	k := s.skip(j, 2, ".-/,)]")
	if s.has(k, roleOf|roleDayWord) {
		k++
	}
	t := s.tok(k)
	if t.kind != kindNumber {
		return -1
	}
	if t.digits == 4 {
		return s.yearAfter(j, r)
	}
	if t.digits > 2 || s.tok(k+1).isSymbol(':') && s.glued(k+1) {
		return -1
	}
	r.day = int(t.val)
	k = s.skipOrdinal(k + 1)
	// The first day of "May 5-7, 2014" stands for all.
	if end := s.tok(k + 1); s.tok(k).isSymbol('-') && end.kind == kindNumber && end.digits <= 2 && !s.tok(k+2).isSymbol(':') {
		k += 2
	}
	return s.yearAfter(k, r)
}

// yearMonth reads "2014 May 5", "1978, 1 Peb" and "2015 წ. 12 ივნ".
func (s *scanner) yearMonth(i int, r *reading) int {
	r.year, r.hasYear = int(s.tok(i).val), true
	j := s.skipYearWord(i + 1)
	// "2014/15 May" names a season.
	if d := s.skip(j, 2, ".,"); s.tok(d).kind == kindNumber && s.tok(d).digits <= 2 {
		t := s.tok(d)
		j = d
		r.day = int(t.val)
		j = s.monthName(s.skip(s.skipOrdinal(j+1), 1, ".-/"), r)
		if j < 0 {
			return -1
		}
		return s.settleYear(j, r)
	}
	j = s.monthName(s.skip(j, 2, ".-/,"), r)
	if j < 0 {
		return -1
	}
	j = s.skip(j, 1, ".-/,")
	t := s.tok(j)
	if t.kind != kindNumber || t.digits > 2 {
		return -1
	}
	r.day = int(t.val)
	return s.settleYear(s.skipOrdinal(j+1), r)
}

// yearAfter reads the year behind day and month, if there is one, and returns
// the token after it. A month without a day needs a year.
func (s *scanner) yearAfter(j int, r *reading) int {
	k := s.skip(j, 2, ".-/,'")
	quoted := k > j && s.tok(k-1).isSymbol('\'')
	for n := 0; n < 3; n++ {
		e := s.tok(k).entry()
		if s.tok(k).kind != kindWord || !e.is(roleOf|roleYearWord|roleBuddhist|roleDayWord) {
			break
		}
		if e.is(roleOf) && !e.is(roleYearWord|roleBuddhist) && e.roleLangs&r.langs == 0 {
			break
		}
		if e.is(roleBuddhist) {
			r.cal = buddhist
		}
		k++
		k = s.skip(k, 1, ".")
	}
	t := s.tok(k)
	if t.kind == kindNumber && s.isYear(k, quoted, k == j || quoted, r) {
		r.hasYear = true
		r.year = int(t.val)
		if t.digits == 2 {
			r.year = s.century(r.year)
		}
		return s.settleYear(s.skipYearWord(k+1), r)
	}
	if r.day == 0 {
		return -1
	}
	return j
}

// isYear reports whether the numeral at k is the year of the date before it.
// One of two digits must be quoted, or follow at once and have nothing behind
// it that it could count.
func (s *scanner) isYear(k int, quoted, close bool, r *reading) bool {
	t := s.tok(k)
	if t.digits == 4 {
		return !(s.tok(k+1).isSymbol(':') && s.glued(k+1))
	}
	if t.digits != 2 || r.day == 0 {
		return false
	}
	if quoted || s.tok(k-1).isSymbol('-') && s.glued(k) {
		return true
	}
	if !close || s.tok(k+1).isSymbol(':') || s.tok(k+1).isSymbol('.') && s.glued(k+2) {
		return false
	}
	next := s.tok(k + 1)
	if next.kind == kindNumber {
		return s.tok(k + 2).isSymbol(':')
	}
	return next.kind == kindSymbol && !next.isSymbol('%') && !next.isSymbol('/') || s.has(k+1, roleAt|roleYearWord)
}

// settleYear takes a year beyond all plausible ones for Buddhist if the text
// is Thai.
func (s *scanner) settleYear(j int, r *reading) int {
	if r.year >= 2443 && r.year < 2700 && (r.langs&langTH != 0 || s.lang&langTH != 0) {
		r.cal = buddhist
	}
	return j
}

// skipOrdinal skips the ending of an ordinal number that touches it.
func (s *scanner) skipOrdinal(j int) int {
	if s.glued(j) && s.has(j, roleOrdinal) && s.tok(j).entry().month == 0 {
		return j + 1
	}
	if s.tok(j).isSymbol('-') && s.glued(j) && s.glued(j+1) && s.has(j+1, roleOrdinal) && s.tok(j+1).entry().month == 0 {
		return j + 2
	}
	return j
}

// skipYearWord skips "г.", "year", "წ." behind a year.
func (s *scanner) skipYearWord(j int) int {
	if !s.has(j, roleYearWord) || s.tok(j).entry().is(roleYearMark) {
		return j
	}
	if s.tok(j+1).isSymbol('.') && s.glued(j+1) {
		return j + 2
	}
	return j + 1
}

// marked reads dates whose numerals carry their meaning behind them:
// 2014年3月5日, 3月5日, 令和5年3月5日, 2014년 3월 5일.
func (s *scanner) marked(i int, r *reading) int {
	r.form = FormCJK
	j := i
	era := s.tok(j).entry().roles & (roleReiwa | roleHeisei | roleShowa | roleMinguo)
	if era != 0 && s.tok(j).kind == kindWord {
		j++
	} else {
		era = 0
	}
	t := s.tok(j)
	first := era != 0 && t.kind == kindWord && s.text[t.start:t.end] == "元" // the first year of an era
	if !first && (t.kind != kindNumber || t.digits > 4) {
		return -1
	}
	if s.has(j+1, roleYearMark) {
		if first {
			t = &token{val: 1}
		}
		r.year, r.hasYear = eraYear(era, int(t.val)), true
		if era == 0 && t.digits == 2 {
			r.year = s.century(r.year)
		}
		if era == 0 && t.digits != 2 && t.digits != 4 {
			return -1
		}
		j += 2
	} else if era != 0 {
		return -1
	}
	m := s.tok(j)
	if m.kind != kindNumber || m.digits > 2 || !s.has(j+1, roleMonthMark) || !s.tok(j+1).spaceless {
		return -1
	}
	r.month = int(m.val)
	j += 2
	d := s.tok(j)
	if d.kind == kindNumber && d.digits <= 2 && (s.has(j+1, roleDayMark) || r.hasYear && s.whole(i, j+1)) {
		r.day = int(d.val)
		if s.has(j+1, roleDayMark) {
			j++
		}
		return j + 1
	}
	if !r.hasYear {
		return -1
	}
	return j
}
