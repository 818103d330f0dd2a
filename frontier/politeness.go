package frontier

import (
	"math/rand/v2"
	"time"
)

// Politeness is how the frontier spaces the requests to one host. The promises
// P1 to P14 are listed in docs/politeness.md.
type Politeness struct {
	MinGap      time.Duration // least gap between an answer and the next request (P2)
	SlowFactor  int           // the gap is at least this many times the duration of the answer (P2)
	AddressGap  time.Duration // least gap between requests to one address, over all its hosts (P3)
	MaxGap      time.Duration // cap of the gap, Crawl-delay apart (P2)
	MaxDelay    time.Duration // cap of a Crawl-delay (P2)
	BackoffBase time.Duration // first pause after an error, doubled each time (P6, P7)
	BackoffCap  time.Duration // longest pause that was not asked for (P6)
	PauseCap    time.Duration // longest pause that a Retry-After can ask for (P6)
	ParkAfter   int           // failures in a row that park a host (P6)
	MaxTries    int           // requests for one URL, the first included (P7)
}

// DefaultPoliteness returns the promised values.
func DefaultPoliteness() Politeness {
	return Politeness{
		MinGap: 2 * time.Second, SlowFactor: 5, AddressGap: 500 * time.Millisecond,
		MaxGap: 30 * time.Second, MaxDelay: 300 * time.Second,
		BackoffBase: 30 * time.Second, BackoffCap: time.Hour, PauseCap: 24 * time.Hour,
		ParkAfter: 5, MaxTries: 3,
	}
}

// Unspaced returns p without gaps between requests that succeed: for hosts that
// the user owns, on this machine. Errors still pause the host.
func (p Politeness) Unspaced() Politeness {
	p.MinGap, p.SlowFactor, p.AddressGap = 0, 0, 0
	return p
}

// longestPause returns how far from now a host's next request can lie at most.
func (p *Politeness) longestPause() time.Duration {
	return max(p.PauseCap, p.BackoffCap, p.MaxDelay, p.MaxGap, p.MinGap)
}

// A Request is what one request to a host tells about the host.
type Request struct {
	Start, End time.Time
	Status     int           // 0 if there was no answer
	RetryAfter time.Duration // 0 if none was asked for
	Bytes      int64         // of the answer's body, as sent
	// Broken says that something came that is no answer, such as what is not
	// HTTP: a fault of one page, and not of the whole host.
	Broken bool
	// Unavailable says that the answer keeps the crawler from the whole host,
	// whatever its status: no robots.txt could be had.
	Unavailable bool
}

// overloaded reports whether the answer asks the crawler to stay away (P6).
func (r *Request) overloaded() bool { return r.Status == 429 || r.Status == 503 }

// unanswered reports whether no answer came at all.
func (r *Request) unanswered() bool { return r.Status == 0 && !r.Broken }

// failed reports whether the answer is no sign of a healthy host.
func (r *Request) failed() bool {
	return r.Unavailable || r.Broken || r.unanswered() || r.Status == 408 || r.Status == 429 || r.Status >= 500
}

// settle applies the result of one request to the host: its gap, its pause and
// whether it is parked. rnd gives the jitter.
func (h *Host) settle(p Politeness, r *Request, rnd *rand.Rand) {
	h.Requests++
	h.Bytes += uint64(max(r.Bytes, 0))
	h.adaptGap(p, r)
	h.Next = r.End.Add(h.Gap)
	if !r.failed() {
		h.Failures = 0
		h.Pause = NotPaused
		return
	}
	h.Errors++
	if !r.overloaded() && !r.unanswered() && !r.Unavailable {
		h.Pause = NotPaused
		return // a fault of one page: the page waits, the host does not
	}
	h.Failures = min(h.Failures+1, 250)
	pause, why := backoff(p, int(h.Failures)-1, rnd), PausedByBackoff
	if r.RetryAfter > 0 && r.overloaded() {
		pause, why = min(r.RetryAfter, p.PauseCap), PausedByRetryAfter
	}
	if next := r.End.Add(pause); next.After(h.Next) {
		h.Next = next
	}
	h.Pause = why
	if int(h.Failures) >= p.ParkAfter {
		h.Pause = Parked
	}
}

// adaptGap moves the gap towards what the last answer calls for: up at once,
// down by half the way per success, never down on errors (P14).
func (h *Host) adaptGap(p Politeness, r *Request) {
	want := max(p.MinGap, time.Duration(p.SlowFactor)*r.End.Sub(r.Start))
	want = min(want, max(p.MaxGap, p.MinGap))
	want = max(want, min(h.CrawlDelay, p.MaxDelay))
	switch {
	case want >= h.Gap:
		h.Gap = want
	case !r.failed():
		h.Gap = max(want, h.Gap-(h.Gap-want+1)/2)
	}
}

// askDelay takes over the Crawl-delay of a robots.txt. It counts from the end
// of the last answer on, also if that was before the file was read.
func (h *Host) askDelay(p Politeness, d time.Duration) {
	h.CrawlDelay = d
	gap := min(d, p.MaxDelay)
	if gap <= h.Gap {
		return
	}
	if h.Requests > 0 {
		h.Next = h.Next.Add(gap - h.Gap)
	}
	h.Gap = gap
}

// backoff returns the pause after the nth failure in a row, counted from 0:
// the base doubled n times, capped, with up to a quarter more as jitter so
// that hosts that failed together do not come back together.
func backoff(p Politeness, n int, rnd *rand.Rand) time.Duration {
	d := p.BackoffCap
	if n < 32 && p.BackoffBase<<n>>n == p.BackoffBase {
		d = min(d, p.BackoffBase<<n)
	}
	if j := int64(d / 4); j > 0 {
		d += time.Duration(rnd.Int64N(j))
	}
	return min(d, p.BackoffCap)
}
