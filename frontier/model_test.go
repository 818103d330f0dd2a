package frontier_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hashcrawl/hashcrawl/frontier"
	"github.com/hashcrawl/hashcrawl/frontier/storetest"
)

// A model says what a frontier may do, in the simplest way there is: it looks
// through everything each time.
type model struct {
	t      *testing.T
	rnd    *rand.Rand
	crawl  *crawl
	state  map[string]frontier.Outcome // by key; waiting ones are leased or in a queue
	queues map[string]*modelHost
	leases []*frontier.Lease
}

type modelHost struct {
	classes [frontier.NumClasses][]string
	retries []string
	errands int
	leased  bool
	end     time.Time // of the last answer
	gap     time.Duration
}

func (m *model) host(name string) *modelHost {
	h := m.queues[name]
	if h == nil {
		h = &modelHost{}
		m.queues[name] = h
	}
	return h
}

// randomLinks returns up to n links, of which some are known and some refused.
func (m *model) randomLinks(n int) (ls []frontier.Link) {
	for range m.rnd.IntN(n + 1) {
		host := fmt.Sprintf("h%d.test", m.rnd.IntN(12))
		l := link(fmt.Sprintf("http://%s/%d", host, m.rnd.IntN(60)))
		l.Class = frontier.Class(m.rnd.IntN(int(frontier.NumClasses)))
		if m.rnd.IntN(4) == 0 {
			l.Refusal = frontier.Robots + frontier.Outcome(m.rnd.IntN(int(frontier.NumOutcomes-frontier.Robots)))
		}
		ls = append(ls, l)
	}
	return ls
}

// add does what the frontier is to do with links.
func (m *model) add(ls []frontier.Link) (queued int) {
	for _, l := range ls {
		state, known := m.state[l.Key]
		switch {
		case l.Refusal != frontier.Waiting && !known:
			m.state[l.Key] = l.Refusal
		case l.Refusal == frontier.Waiting && (!known || state.Refused()):
			m.state[l.Key] = frontier.Waiting
			h := m.host(l.Host)
			h.classes[l.Class] = append(h.classes[l.Class], l.Key)
			queued++
		}
	}
	return queued
}

// take checks that a lease is what its host is to be asked for, and takes it.
func (m *model) take(l *frontier.Lease) {
	h := m.host(l.Host)
	if h.leased {
		m.t.Fatalf("%s has two leases", l.Host)
	}
	if since := time.Since(h.end); !h.end.IsZero() && since < h.gap {
		m.t.Fatalf("%s is asked %v after an answer, want %v", l.Host, since, h.gap)
	}
	h.leased = true
	switch {
	case l.Errand != nil:
		if h.errands--; h.errands < 0 {
			m.t.Fatalf("%s has an errand that nobody sent", l.Host)
		}
		return
	case h.errands > 0:
		m.t.Fatalf("%s was leased, want the errand first", l.URL)
	case l.Attempts > 0:
		i := slices.Index(h.retries, l.URL)
		if i < 0 {
			m.t.Fatalf("%s was leased as a retry, which it is not", l.URL)
		}
		h.retries = slices.Delete(h.retries, i, i+1)
		return
	}
	for c := range h.classes {
		if q := h.classes[c]; len(q) > 0 {
			if q[0] != l.URL || l.Class != frontier.Class(c) {
				m.t.Fatalf("%s of class %d was leased, want %s of class %d", l.URL, l.Class, q[0], c)
			}
			h.classes[c] = q[1:]
			return
		}
	}
	m.t.Fatalf("%s was leased, and nothing waits there", l.URL)
}

// finish ends a lease in one of the ways that there are.
func (m *model) finish(l *frontier.Lease) {
	h := m.host(l.Host)
	h.leased = false
	r := frontier.Result{Disposition: frontier.Disposition(m.rnd.IntN(3)), Outcome: frontier.Indexed}
	if m.rnd.IntN(8) > 0 {
		r.Request = request(time.Duration(m.rnd.IntN(300))*time.Millisecond, []int{200, 200, 200, 404, 500, 408}[m.rnd.IntN(6)])
		h.end, h.gap = r.Request.End, max(2*time.Second, 5*r.Request.End.Sub(r.Request.Start))
	}
	if r.Disposition == frontier.Again && l.LastTry() {
		r.Disposition, r.Outcome = frontier.Done, frontier.Failed
	}
	m.putBack(l, r.Disposition)
	if r.Disposition == frontier.Done && l.Errand == nil {
		m.state[l.URL] = r.Outcome
		r.Links = m.randomLinks(8)
		if m.rnd.IntN(6) == 0 {
			on := link(l.URL)
			on.Again, on.Class = true, frontier.ClassSnapshot
			r.Links, r.Outcome = slices.Insert(r.Links, 0, on), frontier.OptedIn
			m.state[l.URL] = frontier.Waiting
			h.classes[frontier.ClassSnapshot] = append(h.classes[frontier.ClassSnapshot], l.URL)
		}
		m.add(r.Links)
	}
	if m.rnd.IntN(6) == 0 {
		r.Errand = &frontier.Errand{To: fmt.Sprintf("h%d.test", m.rnd.IntN(12))}
		m.host(r.Errand.To).errands++
	}
	m.crawl.finish(l, r)
}

// putBack does what becomes of the thing that a lease was for.
func (m *model) putBack(l *frontier.Lease, d frontier.Disposition) {
	h := m.host(l.Host)
	switch {
	case d == frontier.Done:
	case l.Errand != nil:
		h.errands++
	case d == frontier.Again || l.Attempts > 0:
		h.retries = append(h.retries, l.URL)
	default:
		h.classes[l.Class] = slices.Insert(h.classes[l.Class], 0, l.URL)
	}
}

// crash opens the store again: leases and errands are gone, and nothing else.
func (m *model) crash() {
	for _, l := range m.leases {
		m.putBack(l, frontier.Requeue)
	}
	m.leases = nil
	for _, h := range m.queues {
		h.errands, h.leased = 0, false
	}
	m.crawl = open(m.t, m.crawl.store, frontier.Options{Rand: m.rnd, ResumeGap: m.rnd.IntN(2) == 0})
}

// acquire asks for a lease for a while.
func (m *model) acquire(d time.Duration) error {
	ctx, cancel := context.WithTimeout(m.t.Context(), d)
	defer cancel()
	l, err := m.crawl.Acquire(ctx)
	if err != nil {
		return err
	}
	if m.rnd.IntN(3) > 0 && !m.crawl.BindAddress(l, netip.AddrFrom4([4]byte{10, 0, 0, l.Host[1] % 3})) {
		return nil
	}
	m.take(l)
	m.leases = append(m.leases, l)
	return nil
}

func (m *model) step() {
	switch n := m.rnd.IntN(100); {
	case n < 10:
		ls := m.randomLinks(5)
		want := m.add(ls)
		if got := m.crawl.Add(ls, m.crawl.store.Append); got != want {
			m.t.Fatalf("Add queued %d, want %d", got, want)
		}
	case n < 55:
		_ = m.acquire(time.Duration(m.rnd.IntN(4)) * time.Second)
	case n < 98 && len(m.leases) > 0:
		i := m.rnd.IntN(len(m.leases))
		l := m.leases[i]
		m.leases = slices.Delete(m.leases, i, i+1)
		m.finish(l)
	case n == 99:
		m.crash()
	}
	m.check()
}

func (m *model) check() {
	var want frontier.Counts
	for _, o := range m.state {
		want[o]++
	}
	r := m.crawl.Report()
	if r.Counts != want || r.Counts.Known() != uint64(len(m.state)) || r.Leased != len(m.leases) {
		m.t.Fatalf("counts = %v with %d leases, want %v with %d", r.Counts, r.Leased, want, len(m.leases))
	}
}

// drain ends all leases and fetches the rest.
func (m *model) drain() {
	for {
		for _, l := range m.leases {
			m.host(l.Host).leased = false
			m.state[l.URL] = frontier.Indexed
			m.crawl.finish(l, frontier.Result{Outcome: frontier.Indexed})
		}
		m.leases = nil
		switch err := m.acquire(time.Hour); {
		case errors.Is(err, frontier.ErrDrained):
			delete(m.state, "") // that of errands
			m.check()
			if n := m.crawl.Report().Counts[frontier.Waiting]; n != 0 {
				m.t.Errorf("%d URLs wait in a drained frontier", n)
			}
			return
		case err != nil:
			m.t.Fatalf("Acquire: %v", err)
		}
	}
}

func TestFrontierBehavesAsItsModel(t *testing.T) {
	runs := 150
	if testing.Short() {
		runs = 15
	}
	for seed := range uint64(runs) {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				rnd := rand.New(rand.NewPCG(seed, 7))
				m := &model{
					t: t, rnd: rnd, state: map[string]frontier.Outcome{}, queues: map[string]*modelHost{},
					crawl: open(t, &storetest.Memory{}, frontier.Options{Rand: rnd}.WithAwake([]int{1, 3, 1000}[seed%3])),
				}
				for range 400 {
					m.step()
				}
				m.drain()
			})
		})
	}
}
