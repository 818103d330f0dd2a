package sitemap

import (
	"testing"
	"time"
)

// A date that is read is one in UTC that reads back as itself.
func FuzzParseDate(f *testing.F) {
	for _, s := range []string{
		"2026", "2026-02", "2026-02-03", "2026-02-03T10:00Z", "2026-02-03T10:00:00.5+02:00", "2026-02-03 10:00:00",
		"Tue, 03 Feb 2026 10:00:00 GMT", "3 Feb 26 10:00 EST", "0000-00-00", "9999-12-31T23:59:59-23:59", "now",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		d, ok := ParseDate(s)
		if !ok {
			return
		}
		if d.Location() != time.UTC {
			t.Errorf("ParseDate(%q) is in %v", s, d.Location())
		}
		if y := d.Year(); y < 1 || y > 9999 {
			return // a zone at the edge of years leads beyond what can be written
		}
		if again, ok := ParseDate(d.Format(time.RFC3339Nano)); !ok || !again.Equal(d) {
			t.Errorf("ParseDate(%q) = %v, which reads back as %v, %v", s, d, again, ok)
		}
	})
}
