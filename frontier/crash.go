package frontier

import (
	"slices"
	"time"
)

// Crashes counts how often the process died while an entry was under way. Most
// of those who are there when it dies have nothing to do with it.
type Crashes struct {
	Company uint8 // with other leases out, or perhaps so
	Alone   uint8 // with no other
}

// An entry is suspect after that many crashes in company. It waits until
// nothing else is left, and is then leased alone; so many crashes alone prove
// that it is the cause. A process that is killed from outside, however often,
// makes entries suspects, but does not prove anything against them unless the
// same one is hit three times in the short while for which it is alone.
const (
	suspectAfter = 3
	provedAfter  = 3
)

// Suspect reports whether the entry may be what kills the process.
func (c Crashes) Suspect() bool { return c.Company >= suspectAfter }

// Proved reports whether it is, so that it is not to be fetched any more.
func (c Crashes) Proved() bool { return c.Alone >= provedAfter }

// Crashed tells the frontier, after Open, that the process died while it had a
// lease of the entry, alone or not. It does nothing to an entry that is not
// waiting any more, but calls the journal in any case.
func (f *Frontier) Crashed(id ID, alone bool, journal Journal) (Crashes, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.begin()
	r, err := f.takeOut(id)
	if err != nil {
		return Crashes{}, err
	}
	if r == nil {
		f.record(journal)
		return Crashes{}, nil
	}
	r.Crashes = r.Crashes.Add(alone)
	h := f.wake(id.Host)
	f.touch(h)
	f.changes.Retry = r
	f.await(h, r)
	f.reschedule(h)
	f.record(journal)
	return r.Crashes, nil
}

// takeOut takes a waiting entry from where it waits: from among the retries, or
// from the head of its queue. It returns nil if it is in neither place.
func (f *Frontier) takeOut(id ID) (*Retry, error) {
	if id.Host == 0 || int(id.Host) > len(f.hosts) || id.Class >= NumClasses {
		return nil, nil
	}
	h := f.wake(id.Host)
	if f.err != nil {
		return nil, f.err
	}
	is := func(r *Retry) bool { return r.ID == id }
	if h.hostWork != nil {
		if i := slices.IndexFunc(h.retries, is); i >= 0 {
			r := h.retries[i]
			h.retries = slices.Delete(h.retries, i, i+1)
			return r, nil
		}
	}
	if i := slices.IndexFunc(f.suspects, func(s suspect) bool { return s.retry != nil && is(s.retry) }); i >= 0 {
		r := f.suspects[i].retry
		f.suspects = slices.Delete(f.suspects, i, i+1)
		return r, nil
	}
	if id.Seq != h.Head[id.Class] || h.Head[id.Class] == h.Tail[id.Class] {
		return nil, nil
	}
	if len(h.own().ahead[id.Class]) == 0 {
		es, err := f.entries(id, f.windowOf(&h.Host, id.Class))
		if err != nil {
			return nil, err
		}
		h.ahead[id.Class] = es
		f.ahead += len(es)
	}
	e := h.ahead[id.Class][0]
	f.pop(h, id.Class)
	return &Retry{Entry: e, Due: time.Now()}, nil
}

// A suspect is an entry or an errand that may be what kills the process.
type suspect struct {
	retry  *Retry  // nil for an errand
	errand *Errand // nil for an entry
	host   HostID  // of the errand
}

func (s *suspect) crashes() Crashes {
	if s.errand != nil {
		return s.errand.crashes
	}
	return s.retry.Crashes
}

// CrashedErrands tells the frontier, after Open and before anything is sent, how
// often the process died while it had a lease of an errand for a URL.
func (f *Frontier) CrashedErrands(url string, c Crashes) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.errandCrashes[url] = c
}

// Add returns c with one more, of a lease that was alone or not.
func (c Crashes) Add(alone bool) Crashes {
	if alone {
		c.Alone = min(c.Alone+1, 250)
	} else {
		c.Company = min(c.Company+1, 250)
	}
	return c
}

// await puts a retry where it waits for its turn.
func (f *Frontier) await(h *hostState, r *Retry) {
	if !r.Crashes.Suspect() {
		h.addRetry(r)
		return
	}
	f.setAside(h, suspect{retry: r})
}

// holdsBack reports whether the entries of its host wait while an errand does that
// is a suspect: they would ask for it again.
func (e *Errand) holdsBack() bool { return !e.Visit || e.Needed }

// setAside makes a suspect wait until nothing else is left.
func (f *Frontier) setAside(h *hostState, s suspect) {
	if s.host = h.ID; s.errand != nil && s.errand.holdsBack() {
		h.held = true
	}
	// Those of whom least is known go first: whoever kills the process from
	// outside hits another one each time.
	i, _ := slices.BinarySearchFunc(f.suspects, s, func(o, s suspect) int {
		if o.crashes().Alone > s.crashes().Alone {
			return 1
		}
		return -1
	})
	f.suspects = slices.Insert(f.suspects, i, s)
}

// callSuspect gives the next suspect its turn, now that nothing else is left.
// It reports whether there is one.
func (f *Frontier) callSuspect() bool {
	for len(f.suspects) > 0 {
		s := f.suspects[0]
		f.suspects = f.suspects[1:]
		h := f.wake(s.host)
		if s.errand == nil {
			h.addRetry(s.retry)
		} else {
			if s.errand.holdsBack() {
				h.held = false // the errand goes before its entries
			}
			list := h.errandsLike(s.errand)
			*list = slices.Insert(*list, 0, s.errand)
		}
		f.reschedule(h)
		if f.seat(h.ID).stamp != 0 { // its host is not parked
			return true
		}
	}
	return false
}

// sendAway makes the suspects of a host wait on whose turn has come while a
// lease is out after all. It reports whether there was one.
func (f *Frontier) sendAway(h *hostState) bool {
	if f.leased == 0 || h.hostWork == nil {
		return false
	}
	away := false
	h.retries = slices.DeleteFunc(h.retries, func(r *Retry) bool {
		if !r.Crashes.Suspect() {
			return false
		}
		away = true
		f.await(h, r)
		return true
	})
	for _, list := range []*[]*Errand{&h.errands, &h.visits} {
		*list = slices.DeleteFunc(*list, func(e *Errand) bool {
			if !e.crashes.Suspect() {
				return false
			}
			away = true
			f.setAside(h, suspect{errand: e})
			return true
		})
	}
	return away
}
