package sitemap

import (
	"net/mail"
	"strings"
	"time"
)

// ParseDate reads a date of a sitemap, which is a W3C date with as many parts
// as its author knew [W3C-DATE], or of a feed [RFC822 §5]. Parts that are
// missing are the first of their kind; a W3C date without a zone is UTC. A
// feed's date must have its zone.
func ParseDate(s string) (time.Time, bool) {
	s = trimSpace(s)
	if t, ok := parseW3C(s); ok {
		return t, true
	}
	return parseRFC822(s)
}

func parseW3C(s string) (time.Time, bool) {
	if len(s) < len("2006") || strings.Trim(s[:4], "0123456789") != "" {
		return time.Time{}, false
	}
	if len(s) > len("2006-01-02") && (s[10] == ' ' || s[10] == 't') {
		s = s[:10] + "T" + strings.ReplaceAll(s[11:], " ", "")
	}
	for _, layout := range [...]string{
		time.RFC3339, "2006-01-02", "2006-01-02T15:04Z07:00", "2006-01", "2006",
		"2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02T15:04:05Z0700", "2006-01-02T15:04Z0700",
	} {
		if t, err := time.Parse(layout, s); err == nil && t.Year() > 0 {
			return t.UTC(), true
		}
	}
	return time.Time{}, false
}

// parseRFC822 reads the date of a feed.
func parseRFC822(s string) (time.Time, bool) {
	i := strings.LastIndexByte(s, ' ')
	if i < 0 {
		return time.Time{}, false
	}
	// Go gives a zone name that it does not know the offset 0, so the names
	// of RFC 822 are written as offsets, and others are refused.
	switch zone := strings.ToUpper(s[i+1:]); zone {
	case "GMT", "UT", "UTC", "Z":
		s = s[:i] + " +0000"
	case "EDT":
		s = s[:i] + " -0400"
	case "EST", "CDT":
		s = s[:i] + " -0500"
	case "CST", "MDT":
		s = s[:i] + " -0600"
	case "MST", "PDT":
		s = s[:i] + " -0700"
	case "PST":
		s = s[:i] + " -0800"
	default:
		if zone == "" || zone[0] != '+' && zone[0] != '-' {
			return time.Time{}, false
		}
	}
	t, err := mail.ParseDate(s)
	if err != nil {
		return time.Time{}, false
	}
	return t.UTC(), true
}
