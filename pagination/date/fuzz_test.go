package date

import (
	"testing"
	"time"
	"unicode/utf8"
)

// FuzzFind holds that results lie in the text, in order, and are intervals.
func FuzzFind(f *testing.F) {
	for _, seed := range []string{
		"2014-03-05T16:37:51+01:00", "5. März 2014, 18.37 Uhr", "il y a 2 jours", "2014年3月5日(水) 21時40分",
		"منذ يومين", "5 มี.ค. 2557", "Wed Mar 05 16:37:51 GMT+0100 (CET) 2014", "1 year, 2 months and 3 days ago",
		"$19.99", "192.168.1.10", "aujourd'hui", "\xff5 May\x80", "[08-30]", "12:30",
	} {
		f.Add(seed, "en")
	}
	f.Fuzz(func(t *testing.T, text, lang string) {
		o := Options{Now: testNow, Lang: lang}
		end := 0
		for _, d := range Find(text, o) {
			if d.Start < end || d.End <= d.Start || d.End > len(text) || d.Text != text[d.Start:d.End] {
				t.Fatalf("Find(%q): %q at %d to %d, after %d", text, d.Text, d.Start, d.End, end)
			}
			if !d.From.Before(d.To) || d.Granule <= 0 || d.Form == FormNone {
				t.Fatalf("Find(%q) = %+v", text, d)
			}
			if !d.YearKnown && d.From.After(testNow.Add(2*day)) {
				t.Fatalf("Find(%q) chose %v, in the future", text, d.From)
			}
			end = d.End
		}
		ParseStamp(text, o)
		if dates, _ := Column([]string{text, "3 Aug", text}, o); len(dates) != 3 {
			t.Fatalf("Column(%q) = %v", text, dates)
		}
	})
}

// fuzzLayouts are ways to write a time that Find must read back, each with the
// precision that it keeps.
var fuzzLayouts = []struct {
	layout string
	keeps  time.Duration
}{
	{time.RFC3339, time.Second},
	{time.RFC1123Z, time.Second},
	{time.RFC1123, time.Second},
	{time.ANSIC, time.Second},
	{time.RubyDate, time.Second},
	{time.DateOnly, day},
	{time.DateTime, time.Second},
	{"January 2, 2006 at 3:04 pm", time.Minute},
	{"2 Jan 2006", day},
	{"Monday, 2 January 2006", day},
	{"2.1.2006, 15:04 Uhr", time.Minute},
	{"2006年1月2日 15:04", time.Minute},
	{"2006/01/02 15:04", time.Minute},
	{"02-Jan-2006", day},
}

// FuzzRoundTrip holds that a formatted date is found wherever it stands
// between words.
func FuzzRoundTrip(f *testing.F) {
	f.Add(int64(1394037471), uint8(0), "Ann on", "by Bob")
	f.Add(int64(1394037471), uint8(7), "", "")
	f.Fuzz(func(t *testing.T, seconds int64, n uint8, before, after string) {
		if seconds %= 1 << 32; seconds < 0 {
			seconds = -seconds
		}
		if !plain(before) || !plain(after) {
			return
		}
		l := fuzzLayouts[int(n)%len(fuzzLayouts)]
		at := time.Unix(seconds, 0).UTC()
		written := at.Format(l.layout)
		text := before + " " + written + " | " + after
		for _, d := range Find(text, Options{Now: testNow}) {
			if d.From.Equal(at.Truncate(l.keeps)) && d.Granule == l.keeps {
				return
			}
		}
		t.Errorf("Find(%q) = %+v, want %v", text, Find(text, Options{Now: testNow}), at)
	})
}

// plain reports whether text is of words that mean nothing in a date.
func plain(text string) bool {
	if !utf8.ValidString(text) || len(text) > 64 {
		return false
	}
	toks, _ := tokenize(text, nil)
	for i := range toks {
		if toks[i].kind != kindWord || toks[i].lex != 0 {
			return false
		}
	}
	return true
}
