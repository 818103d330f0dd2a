package date

import "time"

// A Date is one date as read from a text.
type Date struct {
	// From and To bound the instant that is meant: From ≤ instant < To. They
	// are in UTC; where ZoneKnown is false, UTC stands in for the unknown zone.
	From, To time.Time
	// Granule is the smallest step that the text tells apart: a minute for
	// "5 May 2014 10:30", a day for "5 May 2014", an hour for "3 hours ago".
	Granule    time.Duration
	ZoneKnown  bool
	YearKnown  bool // the text has the year, or is relative to now
	Relative   bool // counted from Options.Now: "yesterday", "3 hours ago", "Friday"
	Bare       bool // a duration without a word like "ago", which fills its text: "15 hrs"
	OrderKnown bool // day and month cannot be exchanged
	Form       Form
	Text       string // text[Start:End]
	Start, End int    // bytes of the text
}

// IsZero reports whether d is no date, as Column gives for rows without one.
func (d Date) IsZero() bool { return d.From.IsZero() && d.To.IsZero() }

// A Form is a way of writing dates. Rows of one column are written alike.
type Form uint8

const (
	FormNone     Form = iota
	FormYearLast      // figures, 5.3.2014 or 3/5/2014
	FormISO           // figures, year first
	FormNamed         // with the name of a month
	FormCJK           // 2014年3月5日
	FormRelative      // yesterday, 3 hours ago, Friday
	FormEpoch         // seconds or milliseconds since 1970
	FormMonthDay      // figures without a year, 03-14; only in columns

	formCount
)

// An Order says which of day and month comes first in figures.
type Order uint8

const (
	Auto Order = iota // by evidence, then by language: MDY for English and if unknown
	DMY
	MDY
)

// Options are what is known of a text apart from its bytes. The zero value is
// of use only for dates that have a year.
type Options struct {
	Now   time.Time // when the text was fetched
	Lang  string    // BCP 47 tag of the text, "" if unknown
	Order Order
}

// Find returns the dates of text from left to right; none overlap. Words that
// an ordinary sentence may hold, such as "today" or "May", need company: a
// clock, a year, or the text to themselves. Durations such as "15 hrs", and
// times to come such as "in 3 days", must fill the text.
func Find(text string, o Options) []Date {
	var dates []Date
	var buf [tokenBuffer]token
	s := newScanner(text, o, buf[:0])
	for s.next() {
		if d, ok := s.found.date(text, s.span(&s.found), o); ok {
			dates = append(dates, d)
		}
	}
	return dates
}

// First returns the first date of text.
func First(text string, o Options) (Date, bool) {
	var buf [tokenBuffer]token
	s := newScanner(text, o, buf[:0])
	for s.next() {
		if d, ok := s.found.date(text, s.span(&s.found), o); ok {
			return d, true
		}
	}
	return Date{}, false
}
