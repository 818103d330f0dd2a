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
	// NextDue is when the next request is due; zero if none is.
	NextDue time.Time
}

// Report returns where the frontier stands now.
func (f *Frontier) Report() Report {
	f.mu.Lock()
	defer f.mu.Unlock()
	r := Report{Counts: f.counts, Leased: f.leased, Hosts: len(f.hosts)}
	for _, h := range f.hosts {
		if (h.Pause == Parked || h.held) && (h.Waiting() > 0 || len(h.retries) > 0) {
			r.Stuck = append(r.Stuck, h.Host)
		}
	}
	if len(f.due) > 0 {
		r.NextDue = time.Unix(0, f.due[0].at)
	}
	return r
}
