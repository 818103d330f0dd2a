package frontier

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"runtime"
	"sync"
	"time"
)

// ErrDrained is returned by Acquire when nothing is left to fetch: no entry is
// leased, and none waits but those of parked hosts.
var ErrDrained = errors.New("frontier: drained")

// ErrClosed is returned by Acquire after Close.
var ErrClosed = errors.New("frontier: closed")

// A Store is what the frontier reads back from the crawl file. Hosts, Retries
// and Hashes are read once, by Open; Host and Entries while the crawl runs, and they
// must then see every change that was handed to a journal. Entries may be called by
// many goroutines, beside a journal.
type Store interface {
	Hosts(func(Host) error) error
	Host(HostID) (h Host, found bool, err error)
	Retries(func(Retry) error) error
	Hashes(func([]uint64) error) error
	// Entries returns the waiting entries of one queue from the sequence
	// number from on, in order, at most limit.
	Entries(host HostID, class Class, from uint32, limit int) ([]Entry, error)
	Counts() (Counts, error)
}

// A Journal takes the changes of one step and makes them durable as a whole.
// It is called under the frontier's lock, in the order of the decisions, and
// must not call the frontier. What the changes point to is the frontier's, and
// valid only until the journal returns.
type Journal func(Changes)

// Changes is everything that one step changed in the frontier. Every entry has
// its host beside it.
type Changes struct {
	Hosts   []Host   // as they are now, by ID
	Entries []Entry  // new ones, the refused included
	Hashes  []uint64 // new in the seen set
	Retry   *Retry   // the entry waits for another try
	Settled ID       // the entry has left Retry's care; zero if none has
	Counts  Counts   // as they are now
}

// Options configure a frontier. They are read-only once Open was called.
type Options struct {
	// Secret is the key of the seen set's hashes; it must stay the same for
	// the life of a crawl file.
	Secret [2]uint64
	// Politeness returns the rules for a host; nil means DefaultPoliteness.
	Politeness func(host string) Politeness
	// Rand is the source of jitter; nil means a fixed seed.
	Rand *rand.Rand
	// ResumeGap keeps every host waiting for its gap after Open, because a
	// request to it may have been under way when the crawl stopped.
	ResumeGap bool

	awake int // how many hosts are awake; 0 means awakeHosts
}

func (o *Options) mostAwake() int {
	if o.awake > 0 {
		return o.awake
	}
	return awakeHosts
}

// A Frontier is the frontier of one crawl. Its methods may be called by many
// goroutines.
type Frontier struct {
	opts   Options
	store  Store
	opened time.Time // origin of the frontier's clock

	mu            sync.Mutex // guards what follows
	seen          *seenSet
	hosts         []seat // by ID − 1
	names         nameIndex
	awake         int // hosts
	hand          int // the seat that was last looked at for a host that may fall asleep
	addresses     map[netip.Addr]*address
	vacant        []*address // that were left by their last host, longest ago first; some have one again
	due           schedule
	ahead         int    // entries of all hosts that are in memory, or being read for a lease
	turns         uint64 // given so far
	counts        Counts
	leased        int
	alone         bool               // a suspect is leased, and nothing else may be
	suspects      []suspect          // wait until nothing else is left, by how often they crashed alone
	errandCrashes map[string]Crashes // by URL
	freeSlots     []uint32           // below slots, not taken by a lease
	slots         uint32
	waiters       []chan grant // of Acquire, longest first
	timer         *time.Timer  // fires when the first host is due
	changes       Changes      // of the step under way; its slices are used again
	step          uint64       // number of the step under way
	created       []*hostState // hosts that no journal knows yet
	closed        bool
	err           error // of the store; ends the frontier
	broken        bool  // it came in the middle of a step: nothing is journalled any more
}

// Open builds the frontier from what the store holds.
func Open(store Store, opts Options) (*Frontier, error) {
	if opts.Politeness == nil {
		opts.Politeness = func(string) Politeness { return DefaultPoliteness() }
	}
	if opts.Rand == nil {
		opts.Rand = rand.New(rand.NewPCG(1, 2))
	}
	f := &Frontier{
		opts: opts, store: store, opened: time.Now(),
		addresses: map[netip.Addr]*address{}, seen: &seenSet{}, errandCrashes: map[string]Crashes{},
	}
	runtime.AddCleanup(f, (*seenSet).free, f.seen)
	f.seen.k0, f.seen.k1 = opts.Secret[0], opts.Secret[1]
	if err := f.load(); err != nil {
		return nil, fmt.Errorf("frontier: open: %w", err)
	}
	return f, nil
}

// clock returns t on the frontier's own clock, which does not jump when
// somebody sets the clock of the machine. All comparisons of times are made on
// it.
func (f *Frontier) clock(t time.Time) time.Duration { return t.Sub(f.opened) }

// load reads everything that Open needs.
func (f *Frontier) load() (err error) {
	if f.counts, err = f.store.Counts(); err != nil {
		return err
	}
	f.seen.reserve(f.counts.Known())
	err = f.store.Hashes(func(hs []uint64) error {
		f.seen.addAll(hs)
		return nil
	})
	if err != nil {
		return err
	}
	err = f.store.Hosts(func(h Host) error {
		if int(h.ID) != len(f.hosts)+1 {
			return fmt.Errorf("host %d stands at place %d", h.ID, len(f.hosts)+1)
		}
		s := f.restored(h)
		f.sit(s)
		f.reschedule(s)
		if f.awake > f.opts.mostAwake() && f.canSleep(s) {
			f.lay(s)
		}
		return nil
	})
	if err != nil {
		return err
	}
	err = f.store.Retries(func(r Retry) error {
		if r.Host == 0 || int(r.Host) > len(f.hosts) {
			return fmt.Errorf("retry of %v: no such host", r.ID)
		}
		h := f.wake(r.Host)
		f.await(h, &r)
		if h.Waiting() == 0 {
			f.reschedule(h)
		}
		return f.err
	})
	return err
}

// restored returns h as a new run finds it: parked hosts get another chance,
// pauses hold.
func (f *Frontier) restored(h Host) *hostState {
	p := f.opts.Politeness(h.Name)
	if h.Pause == Parked {
		h.Pause, h.Failures = NotPaused, 0
	}
	// No pause is longer, unless the machine's clock was wrong.
	if latest := f.opened.Add(p.longestPause()); h.Next.After(latest) {
		h.Next = latest
	}
	if f.opts.ResumeGap {
		gap := max(h.Gap, p.MinGap, min(h.CrawlDelay, p.MaxDelay))
		if next := f.opened.Add(gap); next.After(h.Next) {
			h.Next = next
		}
	}
	return &hostState{Host: h}
}

// host returns the state of the host with the given name. A new one is part of
// what this step changes, or the next if none is under way, so that the IDs of
// stored hosts have no gap.
func (f *Frontier) host(name string) *hostState {
	h := f.named(name)
	if h == nil {
		h = &hostState{Host: Host{ID: HostID(len(f.hosts) + 1), Name: name}, unsaved: true}
		f.sit(h)
		f.created = append(f.created, h)
	}
	return h
}

// Add puts links into the frontier that no fetch discovered, such as seeds,
// and returns how many of them were queued. Their Again is ignored.
func (f *Frontier) Add(links []Link, journal Journal) int {
	var room [usualLinks]uint64
	hashes := f.seen.hashAll(room[:0], links)
	f.seen.leaveOut(hashes, links)
	f.mu.Lock()
	defer f.mu.Unlock()
	before := f.counts[Waiting]
	f.begin()
	f.add(links, hashes, ID{}, time.Now(), false)
	f.record(journal)
	f.dispatch()
	f.drowse()
	return int(f.counts[Waiting] - before)
}

// Queued reports whether a URL with this key was ever queued, not only refused.
func (f *Frontier) Queued(key string) bool {
	f.seen.moving.RLock()
	defer f.seen.moving.RUnlock()
	return f.seen.has(f.seen.hash(key))
}

// LinksQueued appends to dst what [Frontier.Queued] says of the key of each of
// links. It notes the hashes of the keys in the links, whose Key must not change
// any more, so that [Frontier.Finish] need not make them again.
func (f *Frontier) LinksQueued(dst []bool, links []Link) []bool {
	var room [usualLinks]uint64
	hashes := f.seen.hashAll(room[:0], links)
	f.seen.moving.RLock()
	defer f.seen.moving.RUnlock()
	f.seen.touch(hashes)
	for i, h := range hashes {
		links[i].hash = h
		dst = append(dst, f.seen.has(h))
	}
	return dst
}

// Close makes every Acquire return ErrClosed. Leases can still be finished.
func (f *Frontier) Close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed = true
	if f.timer != nil {
		f.timer.Stop()
	}
	f.dispatch()
}

// reschedule gives the host its turn for the next thing it has to fetch; its
// earlier turn no longer counts. The address that was kept for that one goes to the
// next in line if the new one is later, or if there is none.
func (f *Frontier) reschedule(h *hostState) {
	f.seat(h.ID).stamp = 0
	at, ok := f.turnOf(h)
	if ok {
		f.giveTurn(h, at)
	}
	if a := h.addr; a != nil && a.called == h && (!ok || at > f.soonest(a)) {
		f.call(a)
	}
}

// turnOf returns when the host is to have its next turn, now at the earliest,
// so that hosts have their turns in the order in which they became ready. A
// host that is leased, stands in line, is parked or has nothing to fetch has
// none.
func (f *Frontier) turnOf(h *hostState) (at time.Duration, ok bool) {
	if h.leased || h.inLine || h.Pause == Parked {
		return 0, false
	}
	from, ok := h.work()
	if !ok {
		return 0, false
	}
	at = max(f.clock(from), f.clock(time.Now()))
	if h.addr != nil {
		at = max(at, f.clock(h.addr.next))
	}
	return at, true
}

func (f *Frontier) giveTurn(h *hostState, at time.Duration) {
	f.turns++
	f.seat(h.ID).stamp = f.turns
	f.due.push(turn{at: at, stamp: f.turns, host: h.ID})
}

// dropStale removes turns that no longer count from the front of the schedule.
func (f *Frontier) dropStale() {
	f.due.dropStale(func(t *turn) bool { return f.seat(t.host).stamp != t.stamp })
}

// Unpark gives the hosts that were given up another chance, as Open does.
func (f *Frontier) Unpark() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.awakeOnes(func(h *hostState) {
		if h.Pause == Parked {
			h.Pause, h.Failures, h.unsaved = NotPaused, 0, true
			f.reschedule(h)
		}
	})
	f.dispatch()
}

// SetCrawlDelay sets what a host's robots.txt asks for. It is stored with the
// host's next change, and that is at the latest when the host is released.
func (f *Frontier) SetCrawlDelay(host string, d time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if h := f.named(host); h != nil {
		h.askDelay(f.opts.Politeness(host), d)
		h.unsaved = true
		f.reschedule(h)
	}
}
