package robots

import (
	"strconv"
	"strings"
	"time"
)

// MaxRedirects is how many redirects in a row the robots.txt may take, also
// to other hosts; its rules count for the origin first asked
// [RFC9309 §2.3.1.2].
const MaxRedirects = 5

// A robots.txt is kept for the lifetime that its Cache-Control names, within
// these bounds; [RFC9309 §2.4] sets the upper one.
const (
	MinLifetime = 10 * time.Minute
	MaxLifetime = 24 * time.Hour
)

// MaxStale is how long an older good copy may serve while the robots.txt
// cannot be had [RFC9309 §2.3.1.4].
const MaxStale = 30 * 24 * time.Hour

// An Answer is what an attempt to fetch the robots.txt means.
type Answer uint8

const (
	// UseBody: parse what came.
	UseBody Answer = iota + 1
	// AllowAll: the site has no robots.txt, so everything is allowed.
	AllowAll
	// DenyAndRetry: nobody knows what the site allows. An older good copy
	// may serve up to MaxStale; without one, no request but further tries
	// for the robots.txt, RetryAfter apart.
	DenyAndRetry
	// KeepCopy: the copy at hand is still good, for another Lifetime.
	KeepCopy
	// Follow: fetch the Location, with one hop more.
	Follow
)

// String returns the answer as reports print it.
func (a Answer) String() string {
	switch a {
	case UseBody:
		return "parse"
	case AllowAll:
		return "allow all"
	case DenyAndRetry:
		return "deny and retry"
	case KeepCopy:
		return "keep copy"
	case Follow:
		return "follow"
	}
	return "Answer(" + strconv.Itoa(int(a)) + ")"
}

// Judge says what a final status means after hops redirects. Status 0 stands
// for no answer at all: no address, refused, timed out, bad TLS, a cut body.
// A redirect that names no usable Location is passed with MaxRedirects hops.
//
// 429 is no 4xx here: it says "later", not "there is none" [G-ROBOTS §http].
func Judge(status, hops int) Answer {
	switch {
	case status >= 200 && status < 300:
		return UseBody
	case status == 304:
		return KeepCopy
	case isRedirect(status) && hops < MaxRedirects:
		return Follow
	case status == 429:
		return DenyAndRetry
	case status >= 300 && status < 500:
		return AllowAll
	}
	return DenyAndRetry
}

func isRedirect(status int) bool {
	switch status {
	case 301, 302, 303, 307, 308:
		return true
	}
	return false
}

// Lifetime returns how long an answer may be used, given the values of its
// Cache-Control header: max-age, or nothing if it forbids storing, within
// MinLifetime and MaxLifetime; MaxLifetime if it says nothing.
func Lifetime(cacheControl []string) time.Duration {
	life := MaxLifetime
	for _, value := range cacheControl {
		for d := range strings.SplitSeq(value, ",") {
			name, arg, _ := strings.Cut(trim(d), "=")
			switch strings.ToLower(trim(name)) {
			case "no-store", "no-cache":
				return MinLifetime
			case "max-age":
				life = min(life, maxAge(arg))
			}
		}
	}
	return max(life, MinLifetime)
}

// maxAge reads the argument of max-age. Digits beyond what an integer holds
// mean "very long" [RFC9111 §1.2.2]; anything else means stale
// [RFC9111 §4.2.1].
func maxAge(arg string) time.Duration {
	arg = strings.Trim(trim(arg), `"`)
	if arg == "" || strings.Trim(arg, "0123456789") != "" {
		return 0
	}
	seconds, err := strconv.ParseUint(arg, 10, 64)
	if err != nil || seconds > uint64(MaxLifetime/time.Second) {
		return MaxLifetime
	}
	return time.Duration(seconds) * time.Second
}

// RetryAfter returns the pause before the next try for a robots.txt that has
// failed so many times in a row: 30 s, doubled each time, at most an hour.
// A longer Retry-After of the server is the caller's to respect.
func RetryAfter(failures int) time.Duration {
	const first, longest = 30 * time.Second, time.Hour
	if failures > 7 {
		return longest
	}
	return min(first<<max(failures-1, 0), longest)
}
