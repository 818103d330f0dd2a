package date

import (
	"strconv"
	"strings"
	"time"
)

// firstEpoch is the earliest stamp taken for one, 1991-01-01 in Unix seconds:
// there were no pages before.
const firstEpoch = 662688000

// ParseStamp reads the value of an attribute that is meant for machines, as
// of <time datetime> or data-time: a date as [Find] reads it, which must fill
// the value, a month as in "2014-03", digits without separators, or seconds or
// milliseconds since 1970. The last two must lie between the first web page and
// a year from now.
func ParseStamp(attr string, o Options) (Date, bool) {
	text := strings.TrimSpace(attr)
	if d, ok := parseDigits(text, o); ok {
		return d, true
	}
	if len(text) == len("2006-01") {
		if t, err := time.Parse("2006-01", text); err == nil && plausible(t.Year()) {
			return Date{
				From: t, To: t.AddDate(0, 1, 0), Granule: granules[unitMonth], YearKnown: true, OrderKnown: true,
				Form: FormISO, Text: text, End: len(text),
			}, true
		}
	}
	d, ok := First(text, o)
	if !ok || d.Start > 0 || d.End < len(text) {
		return Date{}, false
	}
	return d, true
}

// compactLayouts are the forms without separators, by their length.
var compactLayouts = [...]struct {
	layout  string
	granule time.Duration
	zoned   bool
}{
	{"20060102", day, false},
	{"200601021504", time.Minute, false},
	{"20060102150405", time.Second, false},
	{"20060102T150405", time.Second, false},
	{"20060102T150405Z", time.Second, true},
	{"20060102T150405Z0700", time.Second, true},
}

func parseDigits(text string, o Options) (Date, bool) {
	if len(text) < 8 || len(text) > 20 || text[0] < '0' || text[0] > '9' {
		return Date{}, false
	}
	d := Date{YearKnown: true, OrderKnown: true, Text: text, End: len(text)}
	if t, granule, ok := parseEpoch(text); ok {
		d.From, d.Granule, d.ZoneKnown, d.Form = t, granule, true, FormEpoch
	} else {
		for _, c := range compactLayouts {
			if t, err := time.Parse(c.layout, text); err == nil && len(c.layout) <= len(text) {
				d.From, d.Granule, d.ZoneKnown, d.Form = t.UTC(), c.granule, c.zoned, FormISO
				break
			}
		}
	}
	d.To = d.From.Add(d.Granule)
	return d, d.Granule > 0 && d.From.Unix() >= firstEpoch && !d.From.After(o.Now.AddDate(1, 0, 0))
}

// parseEpoch reads ten digits as seconds and thirteen as milliseconds since
// 1970; seconds may have a fraction.
func parseEpoch(text string) (t time.Time, granule time.Duration, ok bool) {
	whole, fraction, _ := strings.Cut(text, ".")
	n, err := strconv.ParseInt(whole, 10, 64)
	if err != nil || strings.Trim(fraction, "0123456789") != "" {
		return time.Time{}, 0, false
	}
	switch {
	case len(whole) == len("1394013600"):
		return time.Unix(n, 0).UTC(), time.Second, true
	case len(whole) == len("1394013600000") && fraction == "":
		return time.UnixMilli(n).UTC(), time.Millisecond, true
	}
	return time.Time{}, 0, false
}
