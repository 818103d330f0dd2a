package frontier

import (
	"cmp"
	"slices"
	"time"
)

// A Disposition is what becomes of the entry of a lease. An errand is over with
// Done, and waits where it was with the others.
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
	// CrawlDelay, if not nil, is what robots.txt now asks for: that of the host
	// which the lease's errand holds, or else of the lease's own host.
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
	// Parent is the entry on whose account links are found by it; zero if none.
	Parent ID
	// Visit says that the errand asks for a page, not for what is needed
	// before any page: it waits while its host is held, as entries do.
	Visit bool
	// Needed says that entries of its host need what a Visit brings: where it has
	// to wait because it may be what kills the process, they wait for it.
	Needed bool
	// Holds names a host none of whose entries is leased until a Result
	// releases it; "" if none. Errands still go to it.
	Holds string

	crashes Crashes // while it was under way
}

// Finish ends a lease and hands everything that it changed to the journal, in
// one piece. It is called once for a lease, unless BindAddress has ended it.
func (f *Frontier) Finish(l *Lease, r Result, journal Journal) {
	var room [usualLinks]uint64
	hashes := f.seen.hashAll(room[:0], r.Links)
	f.seen.leaveOut(hashes, r.Links)
	f.mu.Lock()
	defer f.mu.Unlock()
	now := time.Now()
	h := l.host
	f.end(l)
	f.begin()
	f.touch(h)
	f.learn(l, &r, now)
	f.dispose(l, &r, now)
	if r.Errand != nil {
		f.send(r.Errand)
	}
	if o := f.named(r.Released); o != nil {
		o.held = false
		f.touch(o)
		f.reschedule(o)
	}
	decided := r.Disposition == Done && l.from != fromErrand
	parent := l.ID
	if l.Errand != nil {
		parent = l.Errand.Parent
	}
	continued := f.add(r.Links, hashes, parent, now, decided)
	if decided && !continued {
		f.counts[Waiting]--
		f.counts[r.Outcome]++
	}
	f.leave(h)
	f.reschedule(h)
	f.record(journal)
	f.dispatch()
	f.drowse()
}

// learn applies what the request has told about hosts.
func (f *Frontier) learn(l *Lease, r *Result, now time.Time) {
	h := l.host
	if r.CrawlDelay != nil {
		to := h
		if l.Errand != nil && l.Errand.Holds != "" {
			to = f.host(l.Errand.Holds)
		}
		to.askDelay(f.opts.Politeness(to.Name), *r.CrawlDelay)
		f.touch(to)
		if to != h {
			f.reschedule(to)
		}
	}
	if r.Request == nil {
		return
	}
	if l.Errand == nil {
		f.seat(h.ID).asked = true
	}
	req := *r.Request
	if req.End.IsZero() {
		req.End = now // who cannot tell when it ended has only just come back
	}
	if req.Start.IsZero() {
		req.Start = req.End
	}
	h.settle(l.polite, &req, f.opts.Rand)
	if h.addr != nil {
		h.addr.next = req.End.Add(l.polite.AddressGap)
	}
}

// dispose moves what the lease was for to where the result wants it.
func (f *Frontier) dispose(l *Lease, r *Result, now time.Time) {
	h := l.host
	switch {
	case r.Disposition == Requeue, r.Disposition == Again && l.from == fromErrand:
		h.putBack(l)
		return
	case l.from == fromErrand:
		if !l.Crashes.Proved() {
			delete(f.errandCrashes, l.Errand.URL)
		}
		return
	case l.from == fromQueue:
		f.pop(h, l.Class)
	}
	switch {
	case r.Disposition == Again:
		retry := &Retry{Entry: l.Entry, Attempts: l.Attempts + 1, Due: f.retryAt(l, r.Request, now), Crashes: l.Crashes}
		f.await(h, retry)
		f.changes.Retry = retry
	case l.from == fromRetry:
		f.changes.Settled = l.ID
	}
}

// retryAt returns when the entry of a lease whose request failed is tried
// again: when the host said, else after a backoff.
func (f *Frontier) retryAt(l *Lease, req *Request, now time.Time) time.Time {
	if req != nil && req.overloaded() && req.RetryAfter > 0 {
		return l.host.Next
	}
	return now.Add(backoff(l.polite, l.Attempts, f.opts.Rand))
}

// Send sends an errand that no lease calls for.
func (f *Frontier) Send(e *Errand) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.send(e)
	f.dispatch()
	f.drowse()
}

// send puts an errand before everything else that its host has to fetch.
func (f *Frontier) send(e *Errand) {
	to := f.host(e.To)
	e.crashes = f.errandCrashes[e.URL]
	if e.crashes.Suspect() {
		f.setAside(to, suspect{errand: e})
	} else {
		list := to.errandsLike(e)
		*list = append(*list, e)
	}
	if holds := f.named(e.Holds); holds != nil {
		holds.held = true
		f.reschedule(holds)
	}
	f.reschedule(to)
}

// add queues or records the links that are new, whose keys have the hashes; 0 stands
// for that of a link which is known not to be. If the links are those of a lease that
// is done, one of them can carry on for its URL; continued tells whether one does.
func (f *Frontier) add(links []Link, hashes []uint64, parent ID, now time.Time, done bool) (continued bool) {
	var h *hostState // of the last that was new: often the next has the same
	for i := range links {
		if hashes[i] == 0 {
			continue
		}
		l := &links[i]
		isNew := f.admit(l, hashes[i])
		if !isNew {
			if !l.Again || l.Refusal != Waiting || !done || continued {
				continue
			}
			continued = true
		}
		if h == nil || h.Name != l.Host {
			h = f.host(l.Host)
			f.touch(h)
		}
		e := Entry{
			URL: l.URL, Snapshot: l.Snapshot, Sitemap: l.Sitemap, Via: l.Via, Depth: l.Depth, Hops: l.Hops,
			Parent: parent, Found: now, Refusal: l.Refusal, Rule: l.Rule,
		}
		if l.Refusal != Waiting {
			e.ID = ID{Host: h.ID, Class: ClassRefused, Seq: h.Refused}
			h.Refused++
		} else {
			idle := h.Waiting() == 0
			e.Class = l.Class
			if h.push(&e, f.room()) {
				f.ahead++
			}
			if idle {
				f.reschedule(h)
			}
		}
		f.changes.Entries = append(f.changes.Entries, e)
	}
	return continued
}

// admit decides whether a link, whose key has the given hash, is new, and
// counts it.
func (f *Frontier) admit(l *Link, key uint64) bool {
	if l.Refusal != Waiting {
		if f.seen.has(key) {
			return false
		}
		h, isNew := f.seen.refuse(key, l.Refusal)
		if !isNew {
			return false
		}
		f.changes.Hashes = append(f.changes.Hashes, h)
		f.counts[l.Refusal]++
		return true
	}
	if !f.seen.add(key) {
		return false
	}
	f.changes.Hashes = append(f.changes.Hashes, key)
	f.counts[Waiting]++
	// A key that was refused before counts at one place only.
	if o := f.seen.refusal(key); o != Waiting {
		f.counts[o]--
	}
	return true
}

// begin starts a step.
func (f *Frontier) begin() {
	ch := &f.changes
	clear(ch.Entries) // their strings are not needed any more
	*ch = Changes{Hosts: ch.Hosts[:0], Entries: ch.Entries[:0], Hashes: ch.Hashes[:0]}
	f.step++
}

// touch notes that the step changes a host.
func (f *Frontier) touch(h *hostState) {
	if h.touched == f.step {
		return
	}
	h.touched = f.step
	f.changes.Hosts = append(f.changes.Hosts, Host{ID: h.ID})
}

// record completes the step's changes and hands them to the journal.
func (f *Frontier) record(journal Journal) {
	for _, h := range f.created {
		f.touch(h)
	}
	f.created = f.created[:0]
	ch := &f.changes
	ch.Counts = f.counts
	slices.SortFunc(ch.Hosts, func(a, b Host) int { return cmp.Compare(a.ID, b.ID) })
	for i := range ch.Hosts {
		h := f.wake(ch.Hosts[i].ID)
		ch.Hosts[i] = h.Host
		h.unsaved = false
		f.seat(h.ID).changed = true
	}
	if f.broken {
		return // part of the step is missing: after a restart its lease is out again
	}
	journal(*ch)
}
