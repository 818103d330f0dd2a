package frontier

import (
	"fmt"
	"time"
)

// A Pause is why a host gets no request for longer than its gap.
type Pause uint8

// The pauses. The numbers are stored in crawl files.
const (
	NotPaused Pause = iota
	PausedByRetryAfter
	PausedByBackoff
	Parked // failed too often in a row: left alone for the rest of the run
	numPauses
)

// String returns the name that reports use, "" for NotPaused.
func (p Pause) String() string {
	if p < numPauses {
		return [numPauses]string{"", "retry-after", "backoff", "parked"}[p]
	}
	return fmt.Sprintf("pause(%d)", uint8(p))
}

// A Host is what the crawl file keeps of one host: its queues and how it is to
// be treated.
type Host struct {
	ID         HostID
	Name       string             // host name, without port
	Head, Tail [NumClasses]uint32 // waiting are the sequence numbers Head ≤ n < Tail
	Refused    uint32             // next sequence number in ClassRefused
	Next       time.Time          // no request before; zero: at any time
	Gap        time.Duration      // from the end of an answer to the next request, as adapted so far
	CrawlDelay time.Duration      // as robots.txt asks; 0 if it does not
	Failures   uint8              // requests in a row that were not answered, or with 429 or 503
	Pause      Pause
	Requests   uint64 // requests that were sent
	Errors     uint64 // of these, failed
	Bytes      uint64 // of bodies, as sent
}

// Waiting returns how many entries the host's queues hold, retries apart.
func (h *Host) Waiting() (n uint64) {
	for c := range h.Head {
		n += uint64(h.Tail[c] - h.Head[c])
	}
	return n
}

// A Retry is an entry that left its queue because a request failed, and waits
// for its next try.
type Retry struct {
	Entry
	Due      time.Time
	Attempts int // requests so far
}

// window is how many waiting entries of one queue are kept in memory.
const window = 32

// hostState is a Host at work.
type hostState struct {
	Host
	ahead   [NumClasses][]Entry // the entries from Head on that are in memory
	retries []Retry             // in no order; few
	errands []*Errand           // requests that go before all others, not stored
	addr    *address            // nil while unknown
	leased  bool
	held    bool   // waits for an errand that was sent elsewhere
	stamp   uint32 // of the one entry in the schedule that counts
}

// work reports whether the host has anything to fetch, and from when on.
func (h *hostState) work() (from time.Time, ok bool) {
	if len(h.errands) > 0 {
		return h.Next, true
	}
	if h.Waiting() > 0 {
		return h.Next, true
	}
	for i, r := range h.retries {
		if i == 0 || r.Due.Before(from) {
			from = r.Due
		}
	}
	if from.Before(h.Next) {
		from = h.Next
	}
	return from, len(h.retries) > 0
}

// dueRetry returns the index of the retry that has been due longest, or -1.
func (h *hostState) dueRetry(now time.Time) int {
	best := -1
	for i, r := range h.retries {
		if !r.Due.After(now) && (best < 0 || r.Due.Before(h.retries[best].Due)) {
			best = i
		}
	}
	return best
}

// retryIndex returns where the retry of id stands, or -1.
func (h *hostState) retryIndex(id ID) int {
	for i, r := range h.retries {
		if r.ID == id {
			return i
		}
	}
	return -1
}

// removeRetry takes the retry at index i out.
func (h *hostState) removeRetry(i int) {
	last := len(h.retries) - 1
	h.retries[i] = h.retries[last]
	h.retries[last] = Retry{}
	h.retries = h.retries[:last]
}

// push appends a new entry to its queue and gives it its ID.
func (h *hostState) push(e *Entry) {
	c := e.Class
	e.ID = ID{Host: h.ID, Class: c, Seq: h.Tail[c]}
	if inMemory := uint32(len(h.ahead[c])); h.Head[c]+inMemory == h.Tail[c] && inMemory < window {
		h.ahead[c] = append(h.ahead[c], *e)
	}
	h.Tail[c]++
}

// pop moves the head of class c past its first entry.
func (h *hostState) pop(c Class) {
	h.Head[c]++
	h.ahead[c][0] = Entry{}
	h.ahead[c] = h.ahead[c][1:]
	if len(h.ahead[c]) == 0 {
		h.ahead[c] = nil // let the array go: most hosts are idle
	}
}

// An address is the state that all hosts of one IP address share.
type address struct {
	next    time.Time    // no request before
	busy    bool         // a request is under way
	waiting []*hostState // hosts that have work and wait for busy to end
}
