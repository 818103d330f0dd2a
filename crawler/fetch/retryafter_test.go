package fetch

import (
	"math"
	"net/http"
	"testing"
	"time"

	"github.com/hashcrawl/hashcrawl/crawler/fetch/faultserver"
)

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	for _, tc := range []struct {
		name, field string
		want        time.Duration
		ok          bool
	}{
		{"absent", "", 0, false},
		{"seconds", "120", 2 * time.Minute, true},
		{"with space", " 7 ", 7 * time.Second, true},
		{"zero says nothing", "0", 0, false},
		{"negative", "-5", 0, false},
		{"sign", "+5", 0, false},
		{"fraction", "1.5", 0, false},
		{"unit", "120s", 0, false},
		{"huge", "99999999999", math.MaxInt64, true},
		{"larger than any integer", "123456789012345678901234567890", math.MaxInt64, true},
		{"IMF-fixdate", "Mon, 30 Nov 2026 12:00:02 GMT", 2 * time.Second, true},
		{"RFC 850", "Monday, 30-Nov-26 12:01:00 GMT", time.Minute, true},
		{"asctime", "Mon Nov 30 13:00:00 2026", time.Hour, true},
		{"past", "Mon, 30 Nov 2026 11:59:59 GMT", 0, false},
		{"now", "Mon, 30 Nov 2026 12:00:00 GMT", 0, false},
		{"words", "tomorrow", 0, false},
	} {
		h := http.Header{}
		if tc.field != "" {
			h.Set("Retry-After", tc.field)
		}
		if got, ok := RetryAfter(h, now); got != tc.want || ok != tc.ok {
			t.Errorf("%s: RetryAfter(%q) = %v, %v; want %v, %v", tc.name, tc.field, got, ok, tc.want, tc.ok)
		}
	}
}

func TestRetryAfterOfAnswers(t *testing.T) {
	s := startFaults(t, faultserver.Options{})
	c := newTestClient(t, Options{})
	for path, want := range map[string]time.Duration{"/S01": 2 * time.Second, "/S02": time.Hour, "/S03": 0} {
		r := mustFetch(t, c, s.URL()+path)
		got, ok := RetryAfter(r.Header, r.Start)
		// The date has whole seconds, and some may pass until it is read.
		if ok != (want > 0) || got > want || got < want-time.Minute {
			t.Errorf("%s: RetryAfter = %v, %v; want %v", path, got, ok, want)
		}
	}
}

// What is read is a wait that lies ahead, or nothing; and a field that an answer
// brought twice says the same each time.
func FuzzRetryAfter(f *testing.F) {
	for _, s := range []string{"120", "0", "-1", "99999999999999999999", "Mon, 30 Nov 2026 12:00:02 GMT", "Monday, 30-Nov-26 12:01:00 GMT", "x"} {
		f.Add(s)
	}
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, field string) {
		h := http.Header{"Retry-After": {field}}
		d, ok := RetryAfter(h, now)
		if ok != (d > 0) {
			t.Errorf("RetryAfter(%q) = %v, %v", field, d, ok)
		}
		if again, _ := RetryAfter(h, now); again != d {
			t.Errorf("RetryAfter(%q) = %v, then %v", field, d, again)
		}
	})
}
