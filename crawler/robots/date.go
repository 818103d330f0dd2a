package robots

import (
	"strings"
	"time"
)

// maxDate is longer than any date.
const maxDate = 100

// parseDate reads a date in a form that [G-META §unavailable_after] names:
// RFC 822, RFC 850 and ISO 8601, each as people write it, with or without
// weekday, time and zone. Without a zone it is UTC; a date alone is its
// midnight.
func parseDate(s string) (time.Time, bool) {
	if len(s) > maxDate {
		return time.Time{}, false
	}
	s = strings.Join(strings.Fields(strings.ReplaceAll(s, ",", " ")), " ")
	if i := strings.IndexByte(s, ' '); i > 0 && isWeekday(s[:i]) {
		s = s[i+1:]
	}
	// time.Parse takes any three letters for a zone and gives those that it
	// does not know the offset 0, so zones are named as offsets here.
	if i := strings.LastIndexByte(s, ' '); i > 0 {
		if offset, ok := zoneOffset(s[i+1:]); ok {
			s = s[:i+1] + offset
		}
	}
	for _, day := range [...]string{"2 Jan 2006", "2-Jan-2006", "2 January 2006", "2-Jan-06", "2 Jan 06", "January 2 2006", "Jan 2 2006", "2006-01-02"} {
		for _, clock := range [...]string{" 15:04:05", " 15:04", ""} {
			for _, zone := range [...]string{" -0700", " -07:00", "-0700", "-07:00", ""} {
				if t, err := time.Parse(day+clock+zone, s); err == nil {
					return t.UTC(), true
				}
			}
		}
	}
	for _, layout := range [...]string{time.RFC3339, "2006-01-02T15:04Z07:00", "2006-01-02T15:04:05-0700", "2006-01-02T15:04:05", "2006-01-02T15:04", "Jan 2 15:04:05 2006"} {
		if t, err := time.Parse(layout, s); err == nil {
			return t.UTC(), true
		}
	}
	return time.Time{}, false
}

// isWeekday reports whether s is the English name of a weekday or its first
// letters, three at least.
func isWeekday(s string) bool {
	s = strings.TrimSuffix(s, ".")
	for d := time.Sunday; d <= time.Saturday; d++ {
		if name := d.String(); len(s) >= 3 && len(s) <= len(name) && strings.EqualFold(name[:len(s)], s) {
			return true
		}
	}
	return false
}

// zoneOffset returns the offset of a zone name of [RFC822 §5.1] or of Europe.
func zoneOffset(name string) (offset string, ok bool) {
	switch strings.ToUpper(name) {
	case "Z", "UT", "UTC", "GMT", "WET":
		return "+0000", true
	case "CET", "BST", "WEST":
		return "+0100", true
	case "CEST", "EET":
		return "+0200", true
	case "EEST", "MSK":
		return "+0300", true
	case "EDT":
		return "-0400", true
	case "EST", "CDT":
		return "-0500", true
	case "CST", "MDT":
		return "-0600", true
	case "MST", "PDT":
		return "-0700", true
	case "PST":
		return "-0800", true
	}
	return "", false
}
