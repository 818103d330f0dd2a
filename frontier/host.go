package frontier

import (
	"fmt"
	"slices"
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
	Crashes  Crashes
}

// How many waiting entries are kept in memory: of one queue, and of all. A queue
// takes its next ones from the store several at a time, as many as there is room
// for another windowShare queues; in a crawl of very many hosts that is few, down
// to the next one alone.
const (
	window      = 32
	allWindows  = 1 << 17
	windowShare = 1 << 12
)

// hostState is a Host at work.
type hostState struct {
	Host
	*hostWork          // nil while it is empty: most hosts of a large crawl are idle
	addr      *address // nil while unknown
	touched   uint64   // the last step that changed it
	leased    bool
	recent    bool // it was needed not long ago
	unsaved   bool // no journal knows its latest state
	held      bool // its entries wait for an errand that was sent elsewhere
	inLine    bool // stands in the line of addr
}

// hostWork is what a host has to do, as far as that is in memory.
type hostWork struct {
	ahead   [NumClasses][]Entry // the entries from Head on that are in memory
	retries []*Retry            // by Due; the one that is leased is not among them
	errands []*Errand           // requests that go before all others, not stored
	visits  []*Errand           // those that wait while the host is held, and go next
}

// own returns the work of the host, to be added to.
func (h *hostState) own() *hostWork {
	if h.hostWork == nil {
		h.hostWork = &hostWork{}
	}
	return h.hostWork
}

// rest lets the work of the host go if it is empty.
func (h *hostState) rest() {
	w := h.hostWork
	if w == nil || len(w.retries)+len(w.errands)+len(w.visits) > 0 {
		return
	}
	for c := range w.ahead {
		if len(w.ahead[c]) > 0 {
			return
		}
	}
	h.hostWork = nil
}

// work reports whether the host has anything to fetch, and from when on. A host
// that is held still carries out errands: two hosts whose robots.txt lead to
// each other would wait for each other for ever.
func (h *hostState) work() (from time.Time, ok bool) {
	w := h.hostWork
	switch {
	case w != nil && len(w.errands) > 0:
		return h.Next, true
	case h.held:
		return time.Time{}, false
	case w != nil && len(w.visits) > 0, h.Waiting() > 0:
		return h.Next, true
	case w == nil || len(w.retries) == 0:
		return time.Time{}, false
	}
	if due := h.retries[0].Due; due.After(h.Next) {
		return due, true
	}
	return h.Next, true
}

// addRetry puts a retry where its time has it.
func (h *hostState) addRetry(r *Retry) {
	h.own()
	i, _ := slices.BinarySearchFunc(h.retries, r, func(o, r *Retry) int {
		if o.Due.After(r.Due) {
			return 1
		}
		return -1 // behind those of the same time
	})
	h.retries = slices.Insert(h.retries, i, r)
}

// errandsLike returns the list in which an errand waits.
func (h *hostState) errandsLike(e *Errand) *[]*Errand {
	if e.Visit {
		return &h.own().visits
	}
	return &h.own().errands
}

// putBack returns what a lease took. The head of a queue stayed where it was.
func (h *hostState) putBack(l *Lease) {
	switch l.from {
	case fromErrand:
		to := h.errandsLike(l.Errand)
		*to = slices.Insert(*to, 0, l.Errand)
	case fromRetry:
		h.addRetry(l.retry)
	}
}

// push appends a new entry to its queue and gives it its ID. It reports whether
// the entry is kept in memory, of which at most so many of a queue are.
func (h *hostState) push(e *Entry, most int) (kept bool) {
	c := e.Class
	e.ID = ID{Host: h.ID, Class: c, Seq: h.Tail[c]}
	inMemory := 0
	if h.hostWork != nil {
		inMemory = len(h.ahead[c])
	}
	if h.Head[c]+uint32(inMemory) == h.Tail[c] && inMemory < most {
		h.own().ahead[c] = append(h.ahead[c], *e)
		kept = true
	}
	h.Tail[c]++
	return kept
}

// pop moves the head of class c past its first entry, which is in memory.
func (h *hostState) pop(c Class) {
	h.Head[c]++
	h.ahead[c][0] = Entry{}
	h.ahead[c] = h.ahead[c][1:]
	if len(h.ahead[c]) == 0 {
		h.ahead[c] = nil // let the array go
	}
	h.rest()
}
