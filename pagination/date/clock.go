package date

// readClock reads a time of day at token i and returns the token after it, or
// -1. A numeral alone is none.
func (s *scanner) readClock(i int, r *reading) int {
	if s.has(i, roleNoon|roleMidnight) {
		r.hour, r.minute, r.second, r.clock = 0, 0, 0, toMinute
		if s.has(i, roleNoon) {
			r.hour = 12
		}
		return i + 1
	}
	half := role(0)
	j := i
	if s.has(i, roleAM|rolePM) && s.tok(i+1).kind == kindNumber {
		half = s.tok(i).entry().roles & (roleAM | rolePM)
		j++
	}
	t := s.tok(j)
	if t.kind != kindNumber || t.digits > 2 || t.val > 23 {
		return -1
	}
	r.hour, r.minute, r.second, r.nano, r.clock = int(t.val), 0, 0, 0, noClock
	j = s.minutes(j+1, r)
	if s.has(j, roleAM|rolePM) && half == 0 {
		half = s.tok(j).entry().roles & (roleAM | rolePM)
		if r.clock == noClock && s.tok(j).end-s.tok(j).start < 2 {
			return -1 // "3 p" and the like
		}
		j++
		if s.tok(j).isSymbol('.') && s.glued(j) && s.tok(j-1).isDotted(s.text) {
			j++
		}
	} else if s.has(j, roleClockDot) && s.tok(j).spaced {
		r.clock = max(r.clock, toHour)
		j++
	}
	if half != 0 {
		r.clock = max(r.clock, toHour)
		if !r.applyHalf(half) {
			return -1
		}
	}
	if r.clock == noClock {
		return -1
	}
	return j
}

// isDotted reports whether t is a phrase like "p.m".
func (t *token) isDotted(text string) bool {
	return hasByte(text[t.start:t.end], '.')
}

// applyHalf moves the hour to its half of the day. It fails for "13 am".
func (r *reading) applyHalf(half role) bool {
	switch {
	case half&rolePM != 0 && r.hour < 12:
		r.hour += 12
	case half&rolePM == 0 && r.hour == 12:
		r.hour = 0
	}
	return half&rolePM != 0 || r.hour < 12
}

// minutes reads what follows the hour: ":30", ":30:15.25", "h30", "時40分".
func (s *scanner) minutes(j int, r *reading) int {
	t := s.tok(j)
	switch {
	case t.isSymbol(':') && s.glued(j) && s.twoDigits(j+1, 60):
		r.minute, r.clock = int(s.tok(j+1).val), toMinute
		return s.seconds(j+2, r)
	case t.isSymbol('.') && s.glued(j) && s.twoDigits(j+1, 60) && s.dotAllowed(j, r):
		r.minute, r.clock = int(s.tok(j+1).val), toMinute
		return j + 2
	case s.has(j, roleHourMark):
		return s.markedMinutes(j, r)
	}
	return j
}

// dotAllowed reports whether a word around "18.37" says that it is a time, or
// a day in figures with dots stands before it.
func (s *scanner) dotAllowed(j int, r *reading) bool {
	before := j - 2
	if s.tok(before).isSymbol('.') {
		before-- // "kl. 16.37"
	}
	return s.has(before, roleClockDot) || s.has(j+2, roleClockDot|roleAM|rolePM) || r.form == FormYearLast && s.whole(r.start, j+2)
}

func (s *scanner) seconds(j int, r *reading) int {
	if !s.tok(j).isSymbol(':') || !s.glued(j) || !s.twoDigits(j+1, 61) {
		return j
	}
	r.second, r.clock = min(int(s.tok(j+1).val), 59), toSecond
	j += 2
	if f := s.tok(j + 1); (s.tok(j).isSymbol('.') || s.tok(j).isSymbol(',')) && s.glued(j) && s.glued(j+1) && f.kind == kindNumber {
		r.nano = int(f.val)
		for n := min(f.digits, 9); n < 9; n++ {
			r.nano *= 10
		}
		j += 2
	}
	return j
}

func (s *scanner) markedMinutes(j int, r *reading) int {
	spaced := s.tok(j).spaced
	m := s.tok(j + 1)
	if m.kind == kindNumber && m.digits <= 2 && m.val < 60 {
		marked := s.has(j+2, roleMinuteMark)
		if marked || m.digits == 2 && !s.tok(j).spaceless {
			r.minute, r.clock = int(m.val), toMinute
			j += 2
			if !marked {
				return j
			}
			if sec := s.tok(j + 1); sec.kind == kindNumber && sec.val < 60 && s.has(j+2, roleSecondMark) {
				r.second, r.clock = int(sec.val), toSecond
				return j + 3
			}
			return j + 1
		}
	}
	if spaced && !s.tok(j).spaceless {
		return j
	}
	r.clock = toHour
	return j + 1
}

// twoDigits reports whether a numeral of two digits below limit is glued at i.
func (s *scanner) twoDigits(i int, limit uint32) bool {
	t := s.tok(i)
	return s.glued(i) && t.kind == kindNumber && t.digits == 2 && t.val < limit
}

// clockAfter reads a clock and zone that follow a day, with the words and
// symbols that may stand between, and returns the token after them, or -1.
func (s *scanner) clockAfter(j int, r *reading) int {
	if t := s.tok(j); s.glued(j) && t.kind == kindWord && t.end-t.start == 1 && s.text[t.start]|0x20 == 't' && s.glued(j+1) {
		j++ // the T of ISO 8601
	}
	for n := 0; n < 4; n++ {
		t := s.tok(j)
		switch {
		case t.kind == kindSymbol && t.val < 0x80 && t.val != 0 && hasByte(",-|@/(.:", byte(t.val)), t.isSymbol('·'), t.isSymbol('•'):
			if (t.val == '.' || t.val == ':') && s.glued(j+1) && s.tok(j+1).kind == kindNumber {
				return -1
			}
		case s.has(j, roleAt|roleOf|roleDayWord|roleClockDot) && t.spaced:
			r.langs |= t.entry().roleLangs
		default:
			n = 4
			continue
		}
		j++
	}
	saved := *r
	k := s.readClock(j, r)
	if k < 0 {
		*r = saved
		return -1
	}
	return s.readZone(k, r)
}

// readZone reads a zone at token j and returns the token after it, or j.
func (s *scanner) readZone(j int, r *reading) int {
	k := j
	open := s.tok(k).isSymbol('(')
	if open {
		k++
	}
	t := s.tok(k)
	if t.kind == kindWord && t.entry().is(roleZone) && s.zoneWord(k) {
		r.zoned, r.zone = true, int(t.entry().zone)
		k++
		if t.entry().zone == 0 {
			if end := s.offset(k, r, true); end > 0 {
				k = end
			}
		}
	} else if end := s.offset(k, r, false); end > 0 {
		k = end
	} else {
		return j
	}
	if open {
		if !s.tok(k).isSymbol(')') {
			return k
		}
		return k + 1
	}
	// "GMT+0800 (CST)" names its zone twice.
	if s.tok(k).isSymbol('(') && s.tok(k+1).entry().is(roleZone) && s.tok(k+2).isSymbol(')') {
		return k + 3
	}
	return k
}

// zoneWord reports whether the word at i is written like a zone: in capitals,
// and a single letter only where it touches the clock.
func (s *scanner) zoneWord(i int) bool {
	t := s.tok(i)
	word := s.text[t.start:t.end]
	if len(word) == 1 {
		return s.glued(i)
	}
	for k := range len(word) {
		if word[k] < 'A' || word[k] > 'Z' {
			return len(s.toks) == i+1
		}
	}
	return true
}

// offset reads "+0200", "+02:00", and after the name of a zone also "+2".
func (s *scanner) offset(j int, r *reading, named bool) int {
	sign := s.tok(j)
	h := s.tok(j + 1)
	if !sign.isSymbol('+') && !sign.isSymbol('-') || !s.glued(j+1) || h.kind != kindNumber {
		return -1
	}
	hours, minutes, end := int(h.val), 0, j+2
	switch {
	case h.digits == 4:
		hours, minutes = hours/100, hours%100
	case h.digits <= 2 && s.tok(j+2).isSymbol(':') && s.twoDigits(j+3, 60):
		// "10:00-11:30" is a span, not an offset.
		if sign.isSymbol('-') && !named && r.clock != toSecond {
			return -1
		}
		minutes, end = int(s.tok(j+3).val), j+4
	case named && h.digits <= 2:
	case h.digits == 2 && r.clock == toSecond && s.glued(j):
	default:
		return -1
	}
	if hours > 14 || minutes > 59 {
		return -1
	}
	r.zoned, r.zone = true, hours*60+minutes
	if sign.isSymbol('-') {
		r.zone = -r.zone
	}
	return end
}
