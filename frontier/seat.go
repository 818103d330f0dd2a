package frontier

import (
	"fmt"
	"math/bits"
	"time"
)

// A seat is what is in memory of every host. The rest is only there while the host
// is awake: of a million hosts most have nothing to fetch, or not soon, and what
// the store has of them is enough until something comes up. What is asleep has no
// lease, errand or retry, stands in no line, and is not changed.
type seat struct {
	state   *hostState    // nil while the host is asleep
	next    time.Duration // of a host that is asleep: no request before, on the frontier's clock
	stamp   uint64        // of the one turn in the schedule that counts; 0 if none does
	tag     uint32        // of its name
	asked   bool          // for an entry of its, in this run
	changed bool          // the store has it as this run left it
}

// awakeHosts is how many hosts are awake, others apart that have to be.
const awakeHosts = 1 << 17

// drowseSteps is how many seats are looked at, after one step, for a host that may
// fall asleep.
const drowseSteps = 256

// A nameIndex finds hosts by their names: an open-addressing table of their IDs, of
// which most are told apart by the tags in their seats.
type nameIndex struct {
	ids []HostID // 0 is free
	n   int
}

// tagOf returns the tag of a name.
func (f *Frontier) tagOf(name string) uint32 { return uint32(f.seen.hash(name) >> 32) }

func (x *nameIndex) home(tag uint32) int {
	hi, _ := bits.Mul64(uint64(tag)<<32, uint64(len(x.ids)))
	return int(hi)
}

// add adds a host; tag returns that of any host that was added.
func (x *nameIndex) add(id HostID, tag func(HostID) uint32) {
	if 4*x.n >= 3*len(x.ids) {
		old := x.ids
		x.ids, x.n = make([]HostID, max(16, len(old)*3/2)), 0
		for _, o := range old {
			if o != 0 {
				x.add(o, tag)
			}
		}
	}
	i := x.home(tag(id))
	for x.ids[i] != 0 {
		if i++; i == len(x.ids) {
			i = 0
		}
	}
	x.ids[i] = id
	x.n++
}

// seat returns the seat of a host.
func (f *Frontier) seat(id HostID) *seat { return &f.hosts[id-1] }

// sit gives a new host, or one that the store has, its seat.
func (f *Frontier) sit(h *hostState) {
	f.hosts = append(f.hosts, seat{state: h, tag: f.tagOf(h.Name)})
	f.awake++
	f.names.add(h.ID, func(id HostID) uint32 { return f.seat(id).tag })
}

// named returns the host with a name, awake; nil if there is none.
func (f *Frontier) named(name string) *hostState {
	x := &f.names
	if x.n == 0 || name == "" {
		return nil
	}
	tag := f.tagOf(name)
	for i := x.home(tag); x.ids[i] != 0; {
		if id := x.ids[i]; f.seat(id).tag == tag {
			if h := f.wake(id); h.Name == name {
				return h
			}
		}
		if i++; i == len(x.ids) {
			i = 0
		}
	}
	return nil
}

// wake returns the state of a host, from the store if it was asleep. If it cannot be
// read, that is the end of the frontier, and nothing that comes after counts.
func (f *Frontier) wake(id HostID) *hostState {
	s := f.seat(id)
	if s.state != nil {
		s.state.recent = true
		return s.state
	}
	h, found, err := f.store.Host(id)
	if err == nil && !found {
		err = fmt.Errorf("host %d is not in the crawl file", id)
	}
	if err != nil {
		f.broken = true
		if f.err == nil {
			f.err = fmt.Errorf("frontier: %w", err)
		}
		return &hostState{Host: Host{ID: id}}
	}
	if s.state = (&hostState{Host: h}); !s.changed {
		s.state = f.restored(h)
	}
	if !s.state.Next.IsZero() {
		// As exact as it was, whatever became of the machine's clock.
		s.state.Next = f.opened.Add(s.next)
	}
	s.state.recent = true
	f.awake++
	return s.state
}

// canSleep reports whether the store has everything that is to be known of a host.
func (f *Frontier) canSleep(h *hostState) bool {
	if h.leased || h.held || h.inLine || h.unsaved || h.Pause == Parked {
		return false
	}
	if w := h.hostWork; w != nil && len(w.retries)+len(w.errands)+len(w.visits) > 0 {
		return false
	}
	a := h.addr
	// Whose address it is will be found out again, but not when that may be asked next.
	return a == nil || a.called != h && f.clock(a.next) <= f.clock(time.Now())
}

// drowse lets hosts fall asleep that were not needed for long, if too many are awake.
func (f *Frontier) drowse() {
	for n := 0; f.awake > f.opts.mostAwake() && n < min(drowseSteps, 2*len(f.hosts)); n++ {
		if f.hand++; f.hand >= len(f.hosts) {
			f.hand = 0
		}
		h := f.hosts[f.hand].state
		switch {
		case h == nil:
		case h.recent:
			h.recent = false
		case f.canSleep(h):
			f.lay(h)
		}
	}
}

// lay lets a host fall asleep that can.
func (f *Frontier) lay(h *hostState) {
	f.unbind(h, time.Now())
	if h.hostWork != nil {
		for c := range h.ahead {
			f.ahead -= len(h.ahead[c])
		}
	}
	s := f.seat(h.ID)
	s.state, s.next = nil, f.clock(h.Next)
	f.awake--
}

// awakeOnes calls fn with every host that is awake.
func (f *Frontier) awakeOnes(fn func(*hostState)) {
	for i := range f.hosts {
		if h := f.hosts[i].state; h != nil {
			fn(h)
		}
	}
}
