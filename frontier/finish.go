package frontier

import (
	"fmt"
	"time"
)

// A Disposition is what becomes of the entry of a lease.
type Disposition uint8

// The dispositions.
const (
	Done    Disposition = iota // it has its outcome
	Again                      // it waits for another try, after a backoff
	Requeue                    // it waits where it was; nothing is known of it yet
)

// A Result is how a lease ended.
type Result struct {
	Disposition Disposition
	Outcome     Outcome  // for Done
	Request     *Request // the request that was sent; nil if none was
	Links       []Link   // what was discovered
	Errand      *Errand  // to be sent before the host's next entry; nil if none
	// Released names a host that no longer has to wait for the errand whose
	// lease this is; "" if none.
	Released string
	// CrawlDelay, if not nil, is what the host's robots.txt now asks for.
	CrawlDelay *time.Duration
}

// An Errand is a request that the crawl needs before it can go on with a host,
// such as for its robots.txt. It goes through the queue of the host that it is
// sent to, before all entries, under that host's gap, and is not stored.
type Errand struct {
	URL  string
	To   string // host name
	For  string // what it is for, in the caller's words
	Hops int    // redirects so far
	// Holds names a host that gets no lease until the errand's Result releases
	// it; "" if none.
	Holds string
}

// Finish ends a lease and hands everything that it changed to the journal, in
// one piece.
func (f *Frontier) Finish(l *Lease, r Result, journal Journal) {
	now := time.Now()
	f.mu.Lock()
	defer f.mu.Unlock()
	h := l.host
	var ch Changes
	if r.CrawlDelay != nil {
		h.CrawlDelay = *r.CrawlDelay
	}
	if r.Request != nil {
		h.settle(l.polite, r.Request, f.opts.Rand)
		if h.addr != nil {
			h.addr.next = r.Request.End.Add(l.polite.AddressGap)
		}
	}
	f.dispose(l, &r, now, &ch)
	if r.Errand != nil {
		f.send(r.Errand)
	}
	if o := f.byName[r.Released]; o != nil {
		o.held = false
		f.reschedule(o)
	}
	f.add(r.Links, l.ID, now, &ch)
	ch.touch(&h.Host)
	h.leased = false
	f.leased--
	f.freeAddress(h)
	f.reschedule(h)
	f.record(&ch, journal)
	f.dispatch()
}

// dispose moves the lease's entry to where the result wants it.
func (f *Frontier) dispose(l *Lease, r *Result, now time.Time, ch *Changes) {
	h := l.host
	if l.from == fromErrand || r.Disposition == Requeue {
		return
	}
	if r.Disposition == Again {
		retry := Retry{Entry: l.Entry, Attempts: l.Attempts + 1, Due: now.Add(backoff(l.polite, l.Attempts, f.opts.Rand))}
		if l.from == fromRetry {
			h.removeRetry(h.retryIndex(l.ID))
		} else {
			h.pop(l.Class)
		}
		h.retries = append(h.retries, retry)
		ch.Retry = &retry
		return
	}
	if l.from == fromRetry {
		h.removeRetry(h.retryIndex(l.ID))
		ch.Settled = l.ID
	} else {
		h.pop(l.Class)
	}
	if !r.continued() {
		f.counts[Waiting]--
		f.counts[r.Outcome]++
	}
}

// continued reports whether another entry carries on for the same URL, whose
// outcome will then be that of the URL.
func (r *Result) continued() bool {
	for i := range r.Links {
		if r.Links[i].Again {
			return true
		}
	}
	return false
}

// send puts an errand before everything else that its host has to fetch.
func (f *Frontier) send(e *Errand) {
	to := f.host(e.To)
	to.errands = append(to.errands, e)
	if holds := f.byName[e.Holds]; holds != nil && holds != to {
		holds.held = true
		f.reschedule(holds)
	}
	f.reschedule(to)
}

// add queues or records the links that are new.
func (f *Frontier) add(links []Link, parent ID, now time.Time, ch *Changes) {
	for i := range links {
		l := &links[i]
		if !f.admit(l, ch) {
			continue
		}
		h := f.host(l.Host)
		e := Entry{
			URL: l.URL, Snapshot: l.Snapshot, Via: l.Via, Depth: l.Depth, Hops: l.Hops,
			Parent: parent, Found: now, Refusal: l.Refusal, Rule: l.Rule,
		}
		if l.Refusal != Waiting {
			e.ID = ID{Host: h.ID, Class: ClassRefused, Seq: h.Refused}
			h.Refused++
		} else {
			idle := h.Waiting() == 0
			e.Class = l.Class
			h.push(&e)
			if idle {
				f.reschedule(h)
			}
		}
		ch.Entries = append(ch.Entries, e)
		ch.touch(&h.Host)
	}
}

// admit decides whether a link is new, and counts it.
func (f *Frontier) admit(l *Link, ch *Changes) bool {
	key := f.seen.hash(l.Key)
	if l.Refusal != Waiting {
		if f.seen.has(key) || !f.seen.add(refusedHash(key, Waiting)) {
			return false
		}
		why := refusedHash(key, l.Refusal)
		f.seen.add(why)
		ch.Hashes = append(ch.Hashes, refusedHash(key, Waiting), why)
		f.counts[l.Refusal]++
		return true
	}
	if !f.seen.add(key) {
		return l.Again
	}
	ch.Hashes = append(ch.Hashes, key)
	f.counts[Waiting]++
	if f.seen.has(refusedHash(key, Waiting)) {
		f.pardon(key)
	}
	return true
}

// pardon takes a key that was refused before, and is queued now, out of the
// counts of the refused.
func (f *Frontier) pardon(key uint64) {
	for o := Robots; o < NumOutcomes; o++ {
		if f.seen.has(refusedHash(key, o)) {
			f.counts[o]--
			return
		}
	}
	panic(fmt.Sprintf("frontier: key %x was refused for no reason", key)) // unreachable unless the crawl file lost a hash
}

// record completes ch and hands it to the journal.
func (f *Frontier) record(ch *Changes, journal Journal) {
	ch.Counts = f.counts
	for i := range ch.Hosts {
		ch.Hosts[i] = f.hosts[ch.Hosts[i].ID-1].Host
	}
	journal(*ch)
}

// touch notes that a host changed.
func (ch *Changes) touch(h *Host) {
	for i := len(ch.Hosts) - 1; i >= 0; i-- {
		if ch.Hosts[i].ID == h.ID {
			return
		}
	}
	ch.Hosts = append(ch.Hosts, Host{ID: h.ID})
}
