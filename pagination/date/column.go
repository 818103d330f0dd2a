package date

import (
	"slices"
	"time"
)

// A column counts if at least alikePercent of its rows are dated alike.
const alikePercent = 60

// Column reads one column; see [Columns.Read].
func Column(texts []string, o Options) (dates []Date, ok bool) {
	return new(Columns).Read(nil, texts, o)
}

// Columns reads columns one after another and reuses its memory. The zero value
// is ready. It must not be used by two goroutines at once.
type Columns struct {
	rows []columnRow
	toks []token
}

// Read reads the dates of a column of rows, one text for each. It returns
// one date for each row, zero for rows without, and whether at least three
// rows in five are dated alike: in one form, or in words like "yesterday",
// which sites mix with any. The dates take the place of what is in buf, if they
// fit.
//
// The rows together settle what one leaves open. Day and month are told apart
// by a figure above 12 in any row, else by the order in which more rows stand
// in a line, else as [Find] does. A year that is not written is the last
// without a future date, or an earlier one where that keeps the rows in order,
// newest or oldest first. In a column, "03-14", "03/14 12:30" and "12:30" may
// be dates of their own, if they fill the row. Bare durations that stand in no
// order are lengths, not ages, and do not count.
func (cs *Columns) Read(buf []Date, texts []string, o Options) (dates []Date, ok bool) {
	if cap(cs.rows) < len(texts) {
		cs.rows, cs.toks = make([]columnRow, len(texts)), make([]token, 0, tokensPerRow*len(texts))
	}
	c := column{scanner: scanner{o: o, lang: langBit(o.Lang)}, rows: cs.rows[:len(texts)]}
	defer clear(c.rows) // of the texts
	toks := cs.toks[:0]
	for i, text := range texts {
		toks = c.scan(&c.rows[i], text, toks)
	}
	form, alike := c.mainForm()
	dates = slices.Grow(buf[:0], len(texts))[:len(texts)]
	clear(dates)
	if len(texts) == 0 || alike*100 < alikePercent*len(texts) || !c.settle(form) {
		return dates, false
	}
	c.o.Order = c.decideOrder()
	for i := range c.rows {
		if row := &c.rows[i]; row.reading != nil {
			dates[i], _ = c.resolve(row)
		}
	}
	if c.lengths(dates) {
		clear(dates)
		return dates, false
	}
	c.decideYears(dates)
	return dates, true
}

// lengths reports whether all dates are bare durations, in no order.
func (c *column) lengths(dates []Date) bool {
	var s steps
	for i := range dates {
		if dates[i].IsZero() {
			continue
		}
		if !dates[i].Bare {
			return false
		}
		s.add(dates[i].From)
	}
	return s.against() > 0
}

// steps counts which way the dates of a column go.
type steps struct {
	up, down int
	last     time.Time
}

func (s *steps) add(t time.Time) {
	switch {
	case s.last.IsZero():
	case t.After(s.last):
		s.up++
	case t.Before(s.last):
		s.down++
	}
	s.last = t
}

// against returns the number of steps against the direction of most.
func (s *steps) against() int { return min(s.up, s.down) }

// resolve is date for the rows of a column, whose order may be found out late.
func (s *scanner) resolve(r *reading) (Date, bool) {
	r.swapped = r.swappable && s.monthFirst(r)
	return r.date(s.text, s.span(r), s.o)
}

type column struct {
	scanner // of the row under way
	rows    []columnRow
}

// resolve returns the date of a row.
func (c *column) resolve(row *columnRow) (Date, bool) {
	c.text, c.toks = row.text, row.toks
	return c.scanner.resolve(row.reading)
}

// maxReadings bounds the dates of a row that are looked at.
const maxReadings = 4

// tokensPerRow is the room that a row gets in the tokens that all rows share.
const tokensPerRow = 12

// A columnRow is a row with the dates that it holds.
type columnRow struct {
	text     string
	toks     []token
	readings []reading
	one      [1]reading // where most rows have theirs
	reading  *reading   // the one that counts, nil if none
}

// scan reads the dates of a row. Its tokens go behind those of toks while
// there is room; scan returns the two together.
func (c *column) scan(row *columnRow, text string, toks []token) []token {
	s := &c.scanner
	s.reset(text, toks[len(toks):])
	row.text, row.toks, row.readings = text, s.toks, row.one[:0]
	for len(row.readings) < maxReadings && s.next() {
		if _, ok := s.resolve(&s.found); ok {
			row.readings = append(row.readings, s.found)
		}
	}
	if len(row.readings) == 0 {
		if r, ok := s.columnOnly(); ok {
			row.readings = append(row.readings, r)
		}
	}
	return toks[:min(len(toks)+len(s.toks), cap(toks))]
}

// columnOnly reads a row that is "03-14", with a clock or without, or a clock
// alone, which is today's.
func (s *scanner) columnOnly() (reading, bool) {
	i := s.first
	r := reading{start: i, form: FormRelative, named: true}
	if len(s.toks) == 0 || i > 0 && !s.startsClean(i) {
		return r, false
	}
	if end := s.readClock(i, &r); end > 0 && end >= s.last {
		r.end, r.clockOnly = s.last, true
		return r, true
	}
	r = reading{start: i, form: FormMonthDay}
	sep := s.tok(i + 1)
	if s.last < i+3 || !sep.isSymbol('-') && !sep.isSymbol('/') || s.tok(i).kind != kindNumber || s.tok(i).digits != 2 ||
		sep.spaced || !s.twoDigits(i+2, 32) {
		return r, false
	}
	r.month, r.day = int(s.tok(i).val), int(s.tok(i+2).val)
	r.end = i + 3
	if k := s.clockAfter(r.end, &r); k > 0 {
		r.end = k
	}
	if r.end < s.last {
		return r, false
	}
	_, ok := s.resolve(&r)
	return r, ok
}

// mainForm returns the most frequent form of the rows apart from relative
// dates, and how many rows are in it or relative.
func (c *column) mainForm() (form Form, alike int) {
	var count [formCount]int
	relativeOnly, clocks := 0, 0
	for i := range c.rows {
		var has [formCount]bool
		for _, r := range c.rows[i].readings {
			has[r.form] = true
			if r.clockOnly {
				clocks++
			}
		}
		for f := range has {
			if has[f] {
				count[f]++
			}
		}
	}
	for f, n := range count {
		if Form(f) != FormRelative && n > count[form] {
			form = Form(f)
		}
	}
	for i := range c.rows {
		if c.rows[i].pick(form) == nil && c.rows[i].pick(FormRelative) != nil {
			relativeOnly++
		}
	}
	// Clocks alone are lengths of films, or opening hours.
	if form == FormNone && clocks*2 > relativeOnly {
		return form, 0
	}
	return form, count[form] + relativeOnly
}

// pick returns the row's first reading in the form.
func (row *columnRow) pick(form Form) *reading {
	for i := range row.readings {
		if row.readings[i].form == form {
			return &row.readings[i]
		}
	}
	return nil
}

// settle chooses one reading for each row. It fails if the rows contradict one
// another over day and month.
func (c *column) settle(form Form) bool {
	var seen [MDY + 1]bool
	for i := range c.rows {
		row := &c.rows[i]
		if row.reading = row.pick(form); row.reading == nil {
			row.reading = row.pick(FormRelative)
		}
		if row.reading != nil && form == FormYearLast {
			seen[row.reading.evident] = true
		}
	}
	if seen[DMY] && seen[MDY] {
		return false
	}
	switch {
	case seen[DMY]:
		c.o.Order = DMY
	case seen[MDY]:
		c.o.Order = MDY
	}
	return true
}

// decideOrder returns the order in which the rows break fewer times out of
// their line or into the future, if the options and figures leave it open.
func (c *column) decideOrder() Order {
	if c.o.Order != Auto {
		return c.o.Order
	}
	dmy, mdy := c.breaks(DMY), c.breaks(MDY)
	switch {
	case dmy < mdy:
		return DMY
	case mdy < dmy:
		return MDY
	}
	return Auto
}

// breaks counts the steps against the direction that more rows follow, and the
// dates in the future, if figures are read in the order.
func (c *column) breaks(order Order) int {
	var line steps
	future := 0
	c.o.Order = order
	defer func() { c.o.Order = Auto }()
	for i := range c.rows {
		row := &c.rows[i]
		if row.reading == nil || row.reading.form != FormYearLast {
			continue
		}
		d, _ := c.resolve(row)
		if d.From.After(c.o.Now.Add(day)) {
			future++
		}
		line.add(d.From)
	}
	return line.against() + future
}
