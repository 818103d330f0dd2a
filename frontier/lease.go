package frontier

import (
	"context"
	"fmt"
	"slices"
	"time"
)

type grant struct {
	lease *Lease
	err   error
}

// A Lease is the right to send one request for one entry. It ends with Finish.
type Lease struct {
	Entry
	Host     string  // the host name
	Attempts int     // requests for the entry that failed before this one
	Errand   *Errand // what to ask for instead of an entry; nil for an entry
	Answered bool    // the host has answered at least once in this crawl
	First    bool    // none for an entry of its host ended with a request in this run
	Slot     uint32  // a small number that no other lease has at the same time
	Alone    bool    // no other lease is out until it ends
	Crashes  Crashes // while the entry was leased, or the errand

	from   source
	retry  *Retry  // for fromRetry
	asked  int     // how many entries are to be read of its queue, its own first; 0 if that is in memory
	window []Entry // these, until the lease ends
	host   *hostState
	polite Politeness
	ended  bool
}

type source uint8

const (
	fromQueue source = iota
	fromRetry
	fromErrand
)

// LastTry reports whether a failure of this lease's request should be the
// entry's outcome, because it has been tried often enough.
func (l *Lease) LastTry() bool { return l.Attempts+1 >= l.polite.MaxTries }

// Acquire waits until some host may be asked for something and returns the
// lease of it. The error is ErrDrained when nothing is left, ErrClosed after
// Close, the context's when ctx is done, or that of the store.
func (f *Frontier) Acquire(ctx context.Context) (*Lease, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	w := make(chan grant, 1)
	f.mu.Lock()
	f.waiters = append(f.waiters, w)
	f.dispatch()
	f.mu.Unlock()
	select {
	case g := <-w:
		if g.err == nil && g.lease.asked > 0 {
			g.err = f.read(g.lease)
		}
		if g.err != nil {
			return nil, g.err
		}
		return g.lease, nil
	case <-ctx.Done():
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if i := slices.Index(f.waiters, w); i >= 0 {
		f.waiters = slices.Delete(f.waiters, i, i+1)
		return nil, context.Cause(ctx)
	}
	// The grant came at the same moment: the lease goes back unused.
	if g := <-w; g.lease != nil {
		f.release(g.lease)
		f.dispatch()
	}
	return nil, context.Cause(ctx)
}

// dispatch gives leases to waiting workers as long as hosts are due, and sets
// the timer for the next one.
func (f *Frontier) dispatch() {
	for len(f.waiters) > 0 {
		lease, wait, err := f.next(time.Now())
		if lease == nil && err == nil {
			if wait > 0 {
				f.wakeIn(wait)
			}
			return
		}
		w := f.waiters[0]
		f.waiters = f.waiters[1:]
		w <- grant{lease, err} // never blocks: there is room for one
	}
}

// next returns a lease, or how long it is until the next one, or why there
// will be none. All zero means that only a Finish can change anything.
func (f *Frontier) next(now time.Time) (*Lease, time.Duration, error) {
	if f.err != nil {
		return nil, 0, f.err
	}
	if f.closed {
		return nil, 0, ErrClosed
	}
	if f.alone {
		return nil, 0, nil
	}
	for f.anyTurn() {
		if wait := f.due[0].at - f.clock(now); wait > 0 {
			return nil, wait, nil
		}
		id := f.due.pop().host
		f.seat(id).stamp = 0
		h := f.wake(id)
		if f.err != nil {
			return nil, 0, f.err
		}
		if lease := f.lease(h, now); lease != nil {
			return lease, 0, nil
		}
	}
	if f.leased == 0 {
		return nil, 0, ErrDrained
	}
	return nil, 0, nil
}

// anyTurn reports whether a host has a turn to come. If none has and no lease is
// out, it gives one to a suspect.
func (f *Frontier) anyTurn() bool {
	f.dropStale()
	return len(f.due) > 0 || f.leased == 0 && f.callSuspect()
}

// wakeIn lets dispatch run again after d.
func (f *Frontier) wakeIn(d time.Duration) {
	if f.timer != nil {
		f.timer.Reset(d)
		return
	}
	f.timer = time.AfterFunc(d, func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.dispatch()
	})
}

// lease takes the next thing to fetch of a host that is due. It returns nil if
// the host has to wait after all, because of its address.
func (f *Frontier) lease(h *hostState, now time.Time) *Lease {
	if f.sendAway(h) {
		f.reschedule(h)
		return nil
	}
	if !f.enter(h, now) {
		return nil
	}
	l := &Lease{Host: h.Name, Answered: h.Requests > h.Errors, host: h, polite: f.opts.Politeness(h.Name)}
	w := h.own()
	switch {
	case len(w.errands) > 0:
		l.Errand, l.from = h.errands[0], fromErrand
		h.errands = h.errands[1:]
	case len(h.visits) > 0:
		l.Errand, l.from = h.visits[0], fromErrand
		h.visits = h.visits[1:]
	case len(h.retries) > 0 && f.clock(h.retries[0].Due) <= f.clock(now):
		l.retry, l.from = h.retries[0], fromRetry
		l.Entry, l.Attempts, l.Crashes = l.retry.Entry, l.retry.Attempts, l.retry.Crashes
		h.retries = slices.Delete(h.retries, 0, 1)
	default:
		f.first(h, l)
	}
	if l.Errand == nil {
		l.First = !f.seat(h.ID).asked
	} else {
		l.Crashes = l.Errand.crashes
	}
	l.Alone = l.Crashes.Suspect()
	h.rest()
	l.Slot = f.takeSlot()
	f.alone = l.Alone
	h.leased = true
	f.leased++
	return l
}

func (f *Frontier) takeSlot() uint32 {
	if n := len(f.freeSlots); n > 0 {
		slot := f.freeSlots[n-1]
		f.freeSlots = f.freeSlots[:n-1]
		return slot
	}
	f.slots++
	return f.slots - 1
}

// first gives a lease the first waiting entry of the host's queues. Of one that is
// not in memory it says which it is; see read.
func (f *Frontier) first(h *hostState, l *Lease) {
	for c := range NumClasses {
		if h.Head[c] == h.Tail[c] {
			continue
		}
		l.from = fromQueue
		if ahead := h.own().ahead[c]; len(ahead) > 0 {
			l.Entry = ahead[0]
			return
		}
		l.ID, l.asked = ID{h.ID, c, h.Head[c]}, f.windowOf(&h.Host, c)
		f.ahead += l.asked
		return
	}
	panic("frontier: host " + h.Name + " had a turn and has nothing to fetch") // unreachable: see hostState.work
}

// windowOf returns how many entries a queue takes from the store when none of its
// is in memory.
func (f *Frontier) windowOf(h *Host, c Class) int {
	most := uint32(max(1, min(window, (allWindows-f.ahead)/windowShare)))
	return int(min(most, h.Tail[c]-h.Head[c]))
}

// read reads the entry of a lease, and the next ones of its queue, from the store.
// It does so without the lock, since the store takes longer than all that is done
// under it: nothing moves the head of the queue while the host is leased. A store
// that cannot be read is the end of the frontier.
func (f *Frontier) read(l *Lease) error {
	es, err := f.entries(l.ID, l.asked)
	if err == nil {
		l.Entry, l.window = es[0], es
		return nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err == nil {
		f.err = fmt.Errorf("frontier: host %s: %w", l.Host, err)
	}
	f.release(l)
	f.dispatch()
	return f.err
}

// entries reads entries from id on, the first of which must be there.
func (f *Frontier) entries(id ID, most int) ([]Entry, error) {
	es, err := f.store.Entries(id.Host, id.Class, id.Seq, most)
	if err == nil && (len(es) == 0 || es[0].ID != id) {
		err = fmt.Errorf("entry %v is not in the crawl file", id)
	}
	return es, err
}

// keep puts what was read for a lease that ends where its queue has it.
func (f *Frontier) keep(l *Lease) {
	f.ahead += len(l.window) - l.asked
	if len(l.window) > 0 {
		l.host.own().ahead[l.Class] = l.window
	}
	l.asked, l.window = 0, nil
}

// room returns how many entries a queue may have in memory to which one is added:
// none if there are too many in all.
func (f *Frontier) room() int {
	if f.ahead >= allWindows {
		return 0
	}
	return window
}

// pop moves the head of a queue past its first entry.
func (f *Frontier) pop(h *hostState, c Class) {
	h.pop(c)
	f.ahead--
}

// release ends a lease without a trace: what it was for is where it was.
func (f *Frontier) release(l *Lease) {
	f.end(l)
	l.host.putBack(l)
	f.leave(l.host)
	f.reschedule(l.host)
}

// end takes a lease out of the count of those that are out.
func (f *Frontier) end(l *Lease) {
	if l.ended {
		panic("frontier: lease of " + l.URL + " ended twice") // unreachable unless its holder goes on after its end
	}
	l.ended = true
	f.keep(l)
	l.host.leased = false
	f.leased--
	f.freeSlots = append(f.freeSlots, l.Slot)
	if l.Alone {
		f.alone = false
	}
}
