package fetch

import (
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// RetryAfter reads the Retry-After field [RFC9110 §10.2.3]: seconds, or a date
// in any of the three forms of [RFC9110 §5.6.7], counted from now. It reports
// false when the field is absent, is neither, or names no time after now: then
// the caller's own backoff holds. A huge number of seconds gives the longest
// Duration; the cap is the caller's.
func RetryAfter(h http.Header, now time.Time) (time.Duration, bool) {
	v := strings.Trim(h.Get("Retry-After"), " \t")
	if v == "" {
		return 0, false
	}
	if strings.Trim(v, "0123456789") == "" {
		n, err := strconv.ParseInt(v, 10, 64)
		if err != nil || n > int64(math.MaxInt64/time.Second) {
			return math.MaxInt64, true
		}
		return time.Duration(n) * time.Second, n > 0
	}
	t, err := http.ParseTime(v)
	if err != nil || !t.After(now) {
		return 0, false
	}
	return t.Sub(now), true
}
