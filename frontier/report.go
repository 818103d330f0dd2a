package frontier

import "time"

// A Report tells where a frontier stands.
type Report struct {
	Counts Counts
	Leased int
	Hosts  int
	// Stuck lists the hosts that get no more requests in this run although
	// entries of theirs wait: the parked ones, and those held for a parked one.
	Stuck []Host
	// NextDue is when the next request is due; zero if none is. It has passed
	// if nobody has asked for the lease yet.
	NextDue time.Time
}

// Report returns where the frontier stands now.
func (f *Frontier) Report() Report {
	f.mu.Lock()
	defer f.mu.Unlock()
	r := Report{Counts: f.counts, Leased: f.leased, Hosts: len(f.hosts)}
	held := f.heldForParked()
	f.awakeOnes(func(h *hostState) { // those that are stuck are
		if (h.Pause == Parked || held[h.Name]) && (h.Waiting() > 0 || h.hostWork != nil && len(h.retries) > 0) {
			r.Stuck = append(r.Stuck, h.Host)
		}
	})
	if f.dropStale(); len(f.due) > 0 {
		r.NextDue = f.opened.Add(f.due[0].at)
	}
	return r
}

// heldForParked returns the names of the hosts whose errands wait at hosts that
// are parked.
func (f *Frontier) heldForParked() map[string]bool {
	held := map[string]bool{}
	f.awakeOnes(func(h *hostState) {
		if h.Pause != Parked || h.hostWork == nil {
			return
		}
		for _, e := range h.errands {
			held[e.Holds] = true
		}
	})
	return held
}
