package frontier

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"runtime"
	"slices"
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
// must then see every change that was handed to a journal.
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
	due           schedule
	ahead         int    // entries of all hosts that are in memory
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
	First    bool    // it is the first of an entry of its host in this run
	Slot     uint32  // a small number that no other lease has at the same time
	Alone    bool    // no other lease is out until it ends
	Crashes  Crashes // while the entry was leased, or the errand

	from   source
	retry  *Retry // for fromRetry
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
func (f *Frontier) Queued(key string) bool { return f.queued(f.seen.hash(key)) }

// LinkQueued is Queued for the key of a link. It notes the hash of the key in the
// link, whose Key must not change any more, so that [Frontier.Finish] need not
// make it again.
func (f *Frontier) LinkQueued(l *Link) bool {
	l.hash = f.seen.hash(l.Key)
	return f.queued(l.hash)
}

func (f *Frontier) queued(hash uint64) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.seen.has(hash)
}

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
		return g.lease, g.err
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
		lease, err := f.lease(h, now)
		if err != nil {
			f.err = fmt.Errorf("frontier: host %s: %w", h.Name, err)
			return nil, 0, f.err
		}
		if lease != nil {
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

// reschedule gives the host its turn for the next thing it has to fetch; its
// earlier turn no longer counts.
func (f *Frontier) reschedule(h *hostState) {
	f.seat(h.ID).stamp = 0
	if at, ok := f.turnOf(h); ok {
		f.giveTurn(h, at)
		return
	}
	if h.addr != nil && h.addr.called == h {
		f.call(h.addr)
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

// lease takes the next thing to fetch of a host that is due. It returns nil if
// the host has to wait after all, because of its address.
func (f *Frontier) lease(h *hostState, now time.Time) (*Lease, error) {
	if f.sendAway(h) {
		f.reschedule(h)
		return nil, nil
	}
	if !f.enter(h, now) {
		return nil, nil
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
		e, err := f.first(h)
		if err != nil {
			return nil, err
		}
		l.Entry, l.from = e, fromQueue
	}
	if l.Errand == nil {
		s := f.seat(h.ID)
		l.First, s.asked = !s.asked, true
	} else {
		l.Crashes = l.Errand.crashes
	}
	l.Alone = l.Crashes.Suspect()
	h.rest()
	l.Slot = f.takeSlot()
	f.alone = l.Alone
	h.leased = true
	f.leased++
	return l, nil
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

// first returns the first waiting entry of the host's queues.
func (f *Frontier) first(h *hostState) (Entry, error) {
	for c := range NumClasses {
		if h.Head[c] == h.Tail[c] {
			continue
		}
		return f.head(h, c)
	}
	panic("frontier: host " + h.Name + " had a turn and has nothing to fetch") // unreachable: see hostState.work
}

// head returns the first waiting entry of a queue that is not empty, and reads
// the next window from the store if none is in memory.
func (f *Frontier) head(h *hostState, c Class) (Entry, error) {
	if len(h.own().ahead[c]) == 0 {
		most := uint32(max(1, min(window, (allWindows-f.ahead)/windowShare)))
		es, err := f.store.Entries(h.ID, c, h.Head[c], int(min(most, h.Tail[c]-h.Head[c])))
		if err != nil {
			return Entry{}, err
		}
		if len(es) == 0 || es[0].Seq != h.Head[c] {
			return Entry{}, fmt.Errorf("entry %v is not in the crawl file", ID{h.ID, c, h.Head[c]})
		}
		h.ahead[c] = es
		f.ahead += len(es)
	}
	return h.ahead[c][0], nil
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
	l.host.leased = false
	f.leased--
	f.freeSlots = append(f.freeSlots, l.Slot)
	if l.Alone {
		f.alone = false
	}
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
