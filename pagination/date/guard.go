package date

// startsClean reports whether a date may begin at token i: nothing touches it
// from the left that makes its first numeral part of something else.
func (s *scanner) startsClean(i int) bool {
	t := s.tok(i)
	if t.kind == kindSymbol {
		return false
	}
	if i == 0 {
		return true
	}
	prev := s.tok(i - 1)
	if t.spaced {
		return t.kind != kindNumber || !s.signed(i-1)
	}
	switch prev.kind {
	case kindNumber:
		return false
	case kindWord:
		return t.kind == kindWord && (t.spaceless || prev.spaceless) || prev.spaceless || prev.entry().is(roleDayWord|roleMonthMark) && prev.lex != 0
	}
	return s.symbolBefore(i-1, t)
}

// signed reports whether the symbol at i gives the numeral behind it another
// sense even across a space: "$ 5", "# 12".
func (s *scanner) signed(i int) bool {
	t := s.tok(i)
	if t.kind != kindSymbol {
		return false
	}
	switch t.val {
	case '$', '£', '€', '¥', '₽', '₹', '₩', '#', '№', '+', '=', '×', '<', '>':
		return true
	}
	return false
}

// symbolBefore reports whether a date may touch the symbol at i from the right.
func (s *scanner) symbolBefore(i int, t *token) bool {
	if s.signed(i) {
		return false
	}
	prev := s.tok(i)
	touched := i > 0 && !prev.spaced
	switch prev.val {
	case '.', '-', '_', '\\', '%', '&', '@', '\'':
		return !touched && (prev.val == '-' || t.kind == kindWord)
	case '/':
		return false
	case ':':
		return !touched || s.tok(i-1).kind != kindNumber
	case ',':
		return !touched || t.kind != kindNumber || s.tok(i-1).kind != kindNumber
	}
	return true
}

// endsClean reports whether a date may end before token end.
func (s *scanner) endsClean(end int, r *reading) bool {
	t := s.tok(end)
	if end >= len(s.toks) {
		return true
	}
	if t.spaced {
		return !s.currency(end) || r.form == FormNamed || r.form == FormRelative
	}
	switch t.kind {
	case kindNumber:
		return s.tok(end-1).kind == kindWord && s.tok(end-1).spaceless
	case kindWord:
		last := s.tok(end - 1)
		return t.spaceless || last.kind == kindSymbol || last.kind == kindWord && last.spaceless
	}
	next := s.tok(end + 1)
	touching := s.glued(end+1) && next.kind == kindNumber
	switch t.val {
	case '.', '/', ':', '+', '\\', '_', '=':
		return !touching
	case '-':
		if s.glued(end+1) && next.kind == kindWord {
			return false // "2014-03-05-X", "vor 3 Wochen-Frist"
		}
		return !touching || s.tok(end-1).kind == kindWord || r.clock != noClock
	case ',':
		return !touching || s.tok(end-1).kind == kindWord || r.clock != noClock
	case '%', '°', '#', '$', '€', '£', '@':
		return false
	}
	return true
}

func (s *scanner) currency(i int) bool {
	switch s.tok(i).val {
	case '$', '£', '€', '¥', '₽', '₹', '₩', '%', '°', '×':
		return s.tok(i).kind == kindSymbol
	}
	return false
}

// accompanied reports whether a reading that ordinary words might give has the
// company that it needs.
func (s *scanner) accompanied(i, end int, r *reading) bool {
	switch {
	case r.named:
		// "What we know today" is no date.
		return r.clock != noClock || !r.weak && s.whole(i, end) || s.whole(i, end+1) && s.has(end, roleAt) || s.has(i-1, roleLead) && s.tok(i-1).entry().roleLangs&r.langs != 0
	case r.form != FormNamed || r.hasYear:
		return !r.yearLess || r.day != 0
	case r.yearLess:
		return r.weekday != 0 || r.clock != noClock
	case r.weak:
		return r.weekday != 0 || r.clock != noClock || s.whole(i, end)
	}
	return true
}
