package date

import "time"

const day = 24 * time.Hour

// granules holds the length of each unit, calendar units at their mean.
var granules = [...]time.Duration{
	unitSecond: time.Second, unitMinute: time.Minute, unitHour: time.Hour, unitDay: day, unitWeek: 7 * day,
	unitMonth: 30 * day, unitYear: 365 * day, unitDecade: 3652 * day,
}

// A span is a range of bytes.
type span struct{ start, end int }

func (s *scanner) span(r *reading) span {
	return span{int(s.toks[r.start].start), int(s.toks[r.end-1].end)}
}

// date turns a reading of text into a date; it fails if there is no such day.
// It takes nothing from the scanner, so that the tokens stay on the stack.
func (r *reading) date(text string, at span, o Options) (Date, bool) {
	d := Date{
		ZoneKnown: r.zoned, Form: r.form, Bare: r.bare, OrderKnown: !r.swappable,
		Start: at.start, End: at.end, Text: text[at.start:at.end],
	}
	now := o.Now.UTC()
	ok := true
	switch {
	case r.form != FormRelative:
		ok = d.setDay(r, now)
	case r.now:
		d.From, d.To, d.Granule = now.Add(-time.Minute), now.Add(time.Second), time.Minute
		d.Relative, d.ZoneKnown = true, true
	case r.named:
		d.setClock(midnight(now).AddDate(0, 0, r.days), r)
		d.Relative = true
	case r.relative:
		ok = d.setAge(r, now)
	default:
		d.setWeekday(r, now)
	}
	d.YearKnown = r.hasYear || d.Relative
	return d, ok
}

func midnight(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
}

// setDay sets d to a day of the calendar. A year that is not written is the
// last in which the day is not in the future; a day of grace covers zones.
func (d *Date) setDay(r *reading, now time.Time) bool {
	year, month, dom := r.year, r.month, r.day
	if r.swapped {
		month, dom = dom, month
	}
	if r.cal == solarHijri {
		if !r.hasYear || month < 1 || month > 12 || dom < 1 || dom > 31 || year < 1200 || year > 1600 {
			return false
		}
		year, month, dom = fromSolarHijri(year, month, dom)
	}
	if r.cal == buddhist {
		year -= buddhistEra
	}
	if month < 1 || month > 12 || r.hasYear && !plausible(year) {
		return false
	}
	if dom == 0 {
		d.From = time.Date(year, time.Month(month), 1, 0, 0, 0, 0, time.UTC)
		d.To, d.Granule = d.From.AddDate(0, 1, 0), 30*day
		return r.hasYear
	}
	if !r.hasYear {
		year = lastYear(month, dom, now)
	}
	if dom < 1 || dom > daysIn(year, month) {
		return false
	}
	d.setClock(time.Date(year, time.Month(month), dom, 0, 0, 0, 0, time.UTC), r)
	return true
}

// lastYear returns the last year in which the day exists and is not in the
// future.
func lastYear(month, dom int, now time.Time) int {
	year := now.Year() + 1
	for range 9 { // leap days are at most eight years apart
		if dom <= daysIn(year, month) && !time.Date(year, time.Month(month), dom, 0, 0, 0, 0, time.UTC).After(now.Add(day)) {
			return year
		}
		year--
	}
	return now.Year()
}

// setClock sets d to the time of day of r on the day that begins at start, or
// to the whole day.
func (d *Date) setClock(start time.Time, r *reading) {
	if r.clock == noClock {
		d.From, d.To, d.Granule = start, start.AddDate(0, 0, 1), day
		return
	}
	d.From = start.Add(time.Duration(r.hour)*time.Hour + time.Duration(r.minute)*time.Minute +
		time.Duration(r.second)*time.Second + time.Duration(r.nano))
	if r.zoned {
		d.From = d.From.Add(-time.Duration(r.zone) * time.Minute)
	}
	d.Granule = [...]time.Duration{toHour: time.Hour, toMinute: time.Minute, toSecond: time.Second}[r.clock]
	d.To = d.From.Add(d.Granule)
}

// setAge sets d to a number of units before or after now. Sites round down or
// to the nearest, so that n units are from n-½ to n+1; nothing known says that
// they round up.
func (d *Date) setAge(r *reading, now time.Time) bool {
	a := r.amount
	sign := -1
	if r.future {
		sign = 1
	}
	at := now.AddDate(0, sign*a.months, sign*a.days).Add(time.Duration(sign) * time.Duration(a.seconds) * time.Second)
	if y := at.Year(); y < 1 || y > 9999 {
		return false
	}
	d.Relative = true
	if r.clock != noClock && a.unit >= unitDay {
		d.setClock(midnight(at), r)
		return true
	}
	g := granules[a.unit]
	d.Granule, d.ZoneKnown = g, true
	if r.future {
		d.From, d.To = at.Add(-g/2), at.Add(g)
	} else {
		d.From, d.To = at.Add(-g), at.Add(g/2)
	}
	if !r.future && d.To.After(now) {
		d.To = now.Add(time.Second)
	}
	return true
}

// setWeekday sets d to the last such weekday: today only with a clock that has
// struck, as sites call today by its name.
func (d *Date) setWeekday(r *reading, now time.Time) {
	d.Relative = true
	today := int(now.Weekday()+6)%7 + 1
	back := (today - r.weekday + 7) % 7
	d.setClock(midnight(now).AddDate(0, 0, -back), r)
	if back == 0 && (r.clock == noClock || d.From.After(now.Add(day/2))) {
		d.setClock(midnight(now).AddDate(0, 0, -7), r)
	}
}
