package frontier_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hashcrawl/hashcrawl/frontier"
	"github.com/hashcrawl/hashcrawl/frontier/storetest"
)

func TestQueueIsFirstInFirstOut(t *testing.T) {
	c := open(t, nil, unspaced())
	var want []string
	for i := range 1000 {
		want = append(want, fmt.Sprintf("http://a.test/%d", i))
		c.add(want[i])
	}
	if got := c.drain(); !slices.Equal(got, want) {
		t.Errorf("leased %v, want them in the order of discovery", got)
	}
}

func TestWindowIsReadAgainAsItEmpties(t *testing.T) {
	c := open(t, nil, unspaced())
	var want, got []string
	for i := range 300 {
		for j := range 3 { // the queue grows while it is read
			want = append(want, fmt.Sprintf("http://a.test/%d-%d", i, j))
			c.add(want[len(want)-1])
		}
		got = append(got, c.fetchNow().URL)
	}
	if got = append(got, c.drain()...); !slices.Equal(got, want) {
		t.Errorf("leased %v, want them in the order of discovery", got)
	}
	if n := c.store.Reads(); n == 0 || n > 900/32+1 {
		t.Errorf("the store was read %d times for 900 entries, want windows of 32", n)
	}
}

// A slowStore lets nobody read entries of its first host until it may.
type slowStore struct {
	*storetest.Memory
	asked, may chan struct{}
}

func (s *slowStore) Entries(h frontier.HostID, c frontier.Class, from uint32, limit int) ([]frontier.Entry, error) {
	if h == 1 {
		s.asked <- struct{}{}
		<-s.may
	}
	return s.Memory.Entries(h, c, from, limit)
}

// TestReadsFromTheStoreHoldUpNobodyElse finishes a page, with a link to the very host
// whose entries are being read meanwhile.
func TestReadsFromTheStoreHoldUpNobodyElse(t *testing.T) {
	before := open(t, nil, unspaced())
	before.add("http://a.test/1", "http://a.test/2", "http://b.test/1")
	slow := &slowStore{before.store, make(chan struct{}), make(chan struct{})}
	f, err := frontier.Open(slow, unspaced()) // where nothing is in memory
	if err != nil {
		t.Fatal(err)
	}
	c := &crawl{Frontier: f, t: t, store: before.store}
	first := make(chan *frontier.Lease)
	go func() {
		l, err := c.Acquire(t.Context())
		if err != nil {
			t.Errorf("Acquire: %v", err)
		}
		first <- l
	}()
	<-slow.asked
	others := make(chan string)
	go func() {
		l, err := c.Acquire(t.Context())
		if err != nil {
			t.Errorf("Acquire: %v", err)
			close(others)
			return
		}
		c.finish(l, frontier.Result{Outcome: frontier.Indexed, Links: links("http://a.test/3")})
		others <- l.URL
	}()
	select {
	case got := <-others:
		if want := "http://b.test/1"; got != want {
			t.Errorf("leased %q, want %q", got, want)
		}
	case <-time.After(10 * time.Second):
		t.Error("nothing else is leased while entries are read")
	}
	go func() {
		for range slow.asked { // whoever reads more of the host
		}
	}()
	close(slow.may)
	l := <-first
	c.finish(l, frontier.Result{Outcome: frontier.Indexed})
	if got, want := append([]string{l.URL}, c.drain()...), []string{"http://a.test/1", "http://a.test/2", "http://a.test/3"}; !slices.Equal(got, want) {
		t.Errorf("leased %v, want %v", got, want)
	}
	if n := c.Ahead(); n != 0 {
		t.Errorf("%d entries are in memory in the end, want none", n)
	}
	close(slow.asked)
}

// TestWindowsShareTheirRoom holds that queues take several entries at a time from
// the store while there is room, fewer as it fills, and never much more.
func TestWindowsShareTheirRoom(t *testing.T) {
	const hosts, each = 8000, 40
	opts := unspaced().WithAwake(hosts)
	before := open(t, nil, opts)
	for i := range hosts {
		var urls []string
		for j := range each {
			urls = append(urls, fmt.Sprintf("http://h%d.test/%d", i, j))
		}
		before.add(urls...)
	}
	c := open(t, before.store, opts) // where nothing is in memory
	reads := c.store.Reads()
	most := 0
	for range each {
		for range hosts {
			c.fetchNow()
		}
		most = max(most, c.Ahead())
	}
	c.wantDrained()
	if most < frontier.AllWindows*3/4 || most > frontier.AllWindows+frontier.Window {
		t.Errorf("up to %d entries were in memory, want close to %d", most, frontier.AllWindows)
	}
	if n := c.store.Reads() - reads; n > hosts*each/8 {
		t.Errorf("the store was read %d times for %d entries of %d hosts", n, hosts*each, hosts)
	}
}

// fetchNow acquires a lease and finishes it with nothing sent.
func (c *crawl) fetchNow() *frontier.Lease {
	c.t.Helper()
	l := c.acquire()
	c.finish(l, frontier.Result{Outcome: frontier.Indexed})
	return l
}

func TestClassesGoByPriority(t *testing.T) {
	c := open(t, nil, unspaced())
	var want []string
	for class := range frontier.NumClasses {
		for i := range 3 {
			want = append(want, fmt.Sprintf("http://a.test/%d/%d", class, i))
		}
	}
	for _, i := range rand.New(rand.NewPCG(1, 1)).Perm(len(want)) {
		l := link(want[i])
		l.Class = frontier.Class(i / 3)
		c.Add([]frontier.Link{l}, c.store.Append)
	}
	got := c.drain()
	for i, u := range got {
		if u[:len(u)-1] != want[i][:len(want[i])-1] {
			t.Fatalf("leased %v, want seeds, series, items, snapshots, links", got)
		}
	}
}

func TestHigherClassDoesNotDisturbALease(t *testing.T) {
	c := open(t, nil, unspaced())
	c.add("http://a.test/1", "http://a.test/2")
	l := c.acquire()
	seed := link("http://a.test/seed")
	seed.Class = frontier.ClassSeed
	c.Add([]frontier.Link{seed}, c.store.Append)
	c.finish(l, frontier.Result{Outcome: frontier.Indexed})
	if got, want := c.drain(), []string{"http://a.test/seed", "http://a.test/2"}; !slices.Equal(got, want) {
		t.Errorf("leased %v, want %v", got, want)
	}
}

func TestHostsTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, nil, unspaced())
		for h := range 5 {
			for i := range 20 {
				c.add(fmt.Sprintf("http://h%d.test/%d", h, i))
			}
		}
		for round := range 20 {
			hosts := map[string]bool{}
			for range 5 {
				hosts[c.fetchNow().Host] = true
			}
			if len(hosts) != 5 {
				t.Fatalf("round %d asked only %v, want all hosts", round, hosts)
			}
		}
	})
}

func TestNewHostsDoNotStarveTheOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, nil, frontier.Options{})
		c.add("http://old.test/1", "http://old.test/2")
		c.fetch(0, 200)
		time.Sleep(3 * time.Second) // it is due again
		for i := range 10 {
			c.add(fmt.Sprintf("http://new%d.test/", i))
		}
		if l := c.acquire(); l.Host != "old.test" {
			t.Errorf("%s goes before a host that became ready earlier", l.Host)
		}
	})
}

func TestRequeuedEntryKeepsItsPlace(t *testing.T) {
	c := open(t, nil, unspaced())
	c.add("http://a.test/1", "http://a.test/2")
	for range 3 {
		if l := c.acquire(); l.URL != "http://a.test/1" || l.Attempts != 0 {
			t.Errorf("leased %s with %d attempts, want the first entry and none", l.URL, l.Attempts)
		} else {
			c.finish(l, frontier.Result{Disposition: frontier.Requeue})
		}
	}
	c.wantCounts(frontier.Counts{frontier.Waiting: 2})
}

func TestRequeuedRetryKeepsItsAttempts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, nil, unspaced())
		c.add("http://a.test/1")
		c.finish(c.acquire(), frontier.Result{Disposition: frontier.Again})
		c.finish(c.acquire(), frontier.Result{Disposition: frontier.Requeue})
		got, l := c.wait()
		if got != 0 || l.Attempts != 1 {
			t.Errorf("after %v leased with %d attempts, want at once and 1", got, l.Attempts)
		}
		c.finish(l, frontier.Result{Outcome: frontier.Failed})
		if err := c.store.Retries(func(r frontier.Retry) error { return fmt.Errorf("%v is still to be tried", r.ID) }); err != nil {
			t.Error(err)
		}
	})
}

func TestEveryKeyIsLeasedOnce(t *testing.T) { // P8
	c := open(t, nil, unspaced())
	var mu sync.Mutex
	leased := map[string]int{}
	c.add("http://a.test/0")
	c.run(8, func(l *frontier.Lease) (sent, bool) {
		mu.Lock()
		leased[l.URL]++
		mu.Unlock()
		var found []frontier.Link
		var n int
		fmt.Sscanf(l.URL[strings.LastIndexByte(l.URL, '/')+1:], "%d", &n)
		for i := range 20 {
			if next := n*2 + i; next < 2000 {
				found = append(found, link(fmt.Sprintf("http://%c.test/%d", "abcde"[next%5], next)))
			}
		}
		c.finish(l, frontier.Result{Outcome: frontier.Indexed, Links: found})
		return sent{}, false
	})
	for u, n := range leased {
		if n != 1 {
			t.Errorf("%s was leased %d times, want once", u, n)
		}
	}
	if len(leased) != 2000 {
		t.Errorf("%d URLs were leased, want 2000", len(leased))
	}
}

func TestErrandGoesFirstAndHoldsItsHost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, nil, frontier.Options{})
		c.add("http://a.test/1", "http://b.test/1", "http://b.test/2")
		a := c.acquire()
		c.finish(a, frontier.Result{
			Request: request(0, 302), Disposition: frontier.Requeue,
			Errand: &frontier.Errand{URL: "http://b.test/robots.txt", To: "b.test", For: "http://a.test", Holds: "a.test"},
		})
		l := c.acquire()
		if l.Errand == nil || l.Host != "b.test" || l.Errand.For != "http://a.test" {
			t.Fatalf("leased %+v, want the errand", l)
		}
		time.Sleep(time.Minute)
		c.finish(l, frontier.Result{Request: request(0, 200), Released: "a.test"})
		if got, l := c.wait(); got != 0 || l.URL != "http://a.test/1" {
			t.Errorf("after %v leased %s; want the host that was held, at once", got, l.URL)
		}
		if got, l := c.wait(); got != 2*time.Second || l.URL != "http://b.test/1" {
			t.Errorf("after %v leased %s; want the errand's host after its gap", got, l.URL)
		}
	})
}

func TestErrandIsNotLost(t *testing.T) {
	errand := func(to, holds string) *frontier.Errand {
		return &frontier.Errand{URL: "http://" + to + "/robots.txt", To: to, Holds: holds}
	}
	robots := func(c *crawl) *frontier.Lease {
		l := c.acquire()
		if l.Errand == nil {
			c.t.Fatalf("leased %s, want the errand", l.URL)
		}
		return l
	}
	for _, tc := range []struct {
		name string
		run  func(*crawl)
	}{
		{"requeued", func(c *crawl) {
			c.finish(c.acquire(), frontier.Result{Disposition: frontier.Requeue, Errand: errand("b.test", "a.test")})
			c.finish(robots(c), frontier.Result{Disposition: frontier.Requeue})
			c.finish(robots(c), frontier.Result{Disposition: frontier.Again, Request: request(0, 0)})
			c.finish(robots(c), frontier.Result{Released: "a.test"})
		}},
		{"to a host that nothing else named", func(c *crawl) {
			c.finish(c.acquire(), frontier.Result{Disposition: frontier.Requeue, Errand: errand("c.test", "a.test")})
			c.finish(robots(c), frontier.Result{Released: "a.test"})
		}},
		{"led back to the host that it holds", func(c *crawl) {
			c.finish(c.acquire(), frontier.Result{Disposition: frontier.Requeue, Errand: errand("b.test", "a.test")})
			c.finish(robots(c), frontier.Result{Errand: errand("a.test", "a.test")})
			c.finish(robots(c), frontier.Result{Released: "a.test"})
		}},
		{"led on to a third host", func(c *crawl) {
			c.finish(c.acquire(), frontier.Result{Disposition: frontier.Requeue, Errand: errand("b.test", "a.test")})
			c.finish(robots(c), frontier.Result{Errand: errand("c.test", "a.test")})
			c.finish(robots(c), frontier.Result{Released: "a.test"})
		}},
		{"of two hosts that lead to each other", func(c *crawl) {
			c.add("http://b.test/1")
			a, b := c.acquire(), c.acquire()
			c.finish(a, frontier.Result{Disposition: frontier.Requeue, Errand: errand("b.test", "a.test")})
			c.finish(b, frontier.Result{Disposition: frontier.Requeue, Errand: errand("a.test", "b.test")})
			l, m := robots(c), robots(c)
			c.finish(l, frontier.Result{Released: l.Errand.Holds})
			c.finish(m, frontier.Result{Released: m.Errand.Holds})
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := open(t, nil, frontier.Options{})
				c.add("http://a.test/1")
				tc.run(c)
				if got := c.drain(); !slices.Contains(got, "http://a.test/1") {
					t.Errorf("leased %v in the end, want the host that was held", got)
				}
				if r := c.Report(); r.Counts[frontier.Waiting] != 0 || len(r.Stuck) != 0 {
					t.Errorf("Report = %+v, want nothing waiting", r)
				}
				open(t, c.store, frontier.Options{}) // every host was stored
			})
		})
	}
}

// A host that only an errand names has its number, and so must be stored: Open
// refuses a gap.
func TestHostOfAnErrandIsStored(t *testing.T) {
	c := open(t, nil, unspaced())
	c.add("http://a.test/1")
	c.finish(c.acquire(), frontier.Result{Disposition: frontier.Requeue, Errand: &frontier.Errand{To: "b.test", Holds: "a.test"}})
	c.add("http://c.test/1") // gets the next number
	c = open(t, c.store, unspaced())
	if got := c.Report().Hosts; got != 3 {
		t.Errorf("%d hosts after reopening, want 3", got)
	}
}

// An errand that is sent without a lease names a host that no journal has
// heard of.
func TestHostOfASentErrandIsStored(t *testing.T) {
	c := open(t, nil, unspaced())
	c.Send(&frontier.Errand{URL: "http://b.test/sitemap.xml", To: "b.test"})
	c.add("http://c.test/1")
	c = open(t, c.store, unspaced())
	if got := c.Report().Hosts; got != 2 {
		t.Errorf("%d hosts after reopening, want 2", got)
	}
}

func TestErrandThatVisitsWaitsWhileItsHostIsHeld(t *testing.T) {
	c := open(t, nil, unspaced())
	c.add("http://a.test/1")
	c.Send(&frontier.Errand{URL: "http://a.test/page", To: "a.test", Visit: true})
	visit := c.acquire()
	if visit.Errand == nil {
		t.Fatalf("leased %s, want the errand before the entries", visit.URL)
	}
	c.finish(visit, frontier.Result{
		Disposition: frontier.Requeue, Errand: &frontier.Errand{URL: "http://b.test/robots.txt", To: "b.test", Holds: "a.test"},
	})
	robots := c.acquire()
	if robots.Host != "b.test" {
		t.Fatalf("leased %+v of a host that is held", robots.Errand)
	}
	c.finish(robots, frontier.Result{Released: "a.test"})
	for _, want := range []bool{true, false} {
		if l := c.acquire(); (l.Errand != nil) != want {
			t.Errorf("leased %q, errand %+v; want the errand, then the entry", l.URL, l.Errand)
		} else {
			c.finish(l, frontier.Result{Outcome: frontier.Indexed})
		}
	}
	c.wantDrained()
}

func TestErrandAtAParkedHost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, nil, frontier.Options{})
		c.add("http://a.test/1", "http://a.test/2")
		for i := range 5 {
			c.add(fmt.Sprintf("http://b.test/%d", i))
		}
		a := c.acquire()
		for range 5 {
			c.fetch(0, 503)
		}
		c.finish(a, frontier.Result{
			Disposition: frontier.Requeue, Request: request(0, 302),
			Errand: &frontier.Errand{URL: "http://b.test/robots.txt", To: "b.test", Holds: "a.test"},
		})
		c.wantDrained()
		r := c.Report()
		if len(r.Stuck) != 1 || r.Stuck[0].Name != "a.test" {
			t.Errorf("Stuck = %+v, want the host that is held for a parked one", r.Stuck)
		}
		c = open(t, c.store, frontier.Options{})
		if got := c.drain(); len(got) != 2 {
			t.Errorf("the next run leases %v, want what was stuck", got)
		}
	})
}

func TestHeldHostIsNotStuckWhileItsErrandGoes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, nil, frontier.Options{})
		c.add("http://a.test/1")
		c.finish(c.acquire(), frontier.Result{
			Disposition: frontier.Requeue, Errand: &frontier.Errand{To: "b.test", Holds: "a.test"},
		})
		c.acquire()
		if r := c.Report(); len(r.Stuck) != 0 || r.Leased != 1 || r.Hosts != 2 {
			t.Errorf("Report = %+v, want one lease, two hosts and none stuck", r)
		}
	})
}

func TestCrawlDelayThatIsReadElsewhere(t *testing.T) { // P2, P13
	for _, tc := range []struct {
		name    string
		release func(*crawl, *frontier.Lease, time.Duration)
	}{
		{"by the result of the errand", func(c *crawl, l *frontier.Lease, d time.Duration) {
			c.finish(l, frontier.Result{Request: request(0, 200), Released: "a.test", CrawlDelay: &d})
		}},
		{"by SetCrawlDelay", func(c *crawl, l *frontier.Lease, d time.Duration) {
			c.SetCrawlDelay("a.test", d)
			c.finish(l, frontier.Result{Request: request(0, 200), Released: "a.test"})
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := open(t, nil, frontier.Options{})
				c.add("http://a.test/1")
				c.finish(c.acquire(), frontier.Result{
					Disposition: frontier.Requeue, Request: request(0, 302),
					Errand: &frontier.Errand{To: "b.test", Holds: "a.test"},
				})
				l := c.acquire()
				time.Sleep(time.Second)
				tc.release(c, l, 10*time.Second)
				// A crash now must not lose it.
				d := open(t, c.store, frontier.Options{ResumeGap: true})
				if got, _ := d.wait(); got != 10*time.Second {
					t.Errorf("after reopening the host is asked after %v, want 10s", got)
				}
			})
		})
	}
}

func TestCrawlDelayCountsFromTheLastAnswer(t *testing.T) { // P2
	synctest.Test(t, func(t *testing.T) {
		c := open(t, nil, frontier.Options{})
		c.add("http://a.test/1", "http://a.test/2")
		c.fetch(0, 200)
		time.Sleep(time.Second)
		c.SetCrawlDelay("a.test", 10*time.Second)
		c.SetCrawlDelay("unknown.test", time.Second)
		if got, _ := c.wait(); got != 9*time.Second {
			t.Errorf("the host is asked after %v more, want 9s", got)
		}
	})
}

func TestAcquireReportsTheEnd(t *testing.T) {
	t.Run("drained", func(t *testing.T) { open(t, nil, frontier.Options{}).wantDrained() })

	t.Run("drained for all who wait", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			c := open(t, nil, frontier.Options{})
			c.add("http://a.test/1")
			l := c.acquire()
			var wg sync.WaitGroup
			for range 5 {
				wg.Go(c.wantDrained)
			}
			synctest.Wait()
			c.finish(l, frontier.Result{Outcome: frontier.Indexed})
			wg.Wait()
		})
	})

	t.Run("not drained while a lease may bring links", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			c := open(t, nil, frontier.Options{})
			c.add("http://a.test/1")
			l := c.acquire()
			var wg sync.WaitGroup
			wg.Go(func() {
				if l := c.acquire(); l.URL != "http://b.test/" {
					t.Errorf("leased %s, want the link", l.URL)
				}
			})
			synctest.Wait()
			c.finish(l, frontier.Result{Outcome: frontier.Indexed, Links: links("http://b.test/")})
			wg.Wait()
		})
	})

	t.Run("closed", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			c := open(t, nil, frontier.Options{})
			c.add("http://a.test/1", "http://a.test/2")
			l := c.acquire()
			var wg sync.WaitGroup
			for range 3 {
				wg.Go(func() {
					if l, err := c.Acquire(t.Context()); !errors.Is(err, frontier.ErrClosed) {
						t.Errorf("Acquire = %v, %v; want ErrClosed", l, err)
					}
				})
			}
			synctest.Wait()
			c.Close()
			wg.Wait()
			c.finish(l, frontier.Result{Outcome: frontier.Indexed})
			c.wantCounts(frontier.Counts{frontier.Waiting: 1, frontier.Indexed: 1})
		})
	})

	t.Run("the store fails", func(t *testing.T) {
		c := open(t, nil, unspaced())
		for i := range 40 {
			c.add(fmt.Sprintf("http://a.test/%d", i))
		}
		for range 32 {
			c.fetchNow()
		}
		broken := errors.New("broken")
		c.store.FailReads(broken)
		for range 2 {
			if l, err := c.Acquire(t.Context()); !errors.Is(err, broken) {
				t.Errorf("Acquire = %v, %v; want the error of the store", l, err)
			}
		}
		if _, err := frontier.Open(c.store, frontier.Options{}); !errors.Is(err, broken) {
			t.Errorf("Open = %v, want the error of the store", err)
		}
	})

	t.Run("an entry is missing", func(t *testing.T) {
		store := &storetest.Memory{}
		store.Append(frontier.Changes{Hosts: []frontier.Host{{ID: 1, Name: "a.test", Tail: heads(1)}}})
		c := open(t, store, unspaced())
		if l, err := c.Acquire(t.Context()); err == nil {
			t.Errorf("Acquire = %v, want an error: the store has lost an entry", l)
		}
	})
}

func TestOpenRefusesWhatDoesNotFit(t *testing.T) {
	for name, ch := range map[string]frontier.Changes{
		"a host is missing":         {Hosts: []frontier.Host{{ID: 2, Name: "a.test"}}},
		"a retry without its host":  {Retry: &frontier.Retry{Entry: frontier.Entry{ID: frontier.ID{Host: 1}}}},
		"a retry of no host at all": {Retry: &frontier.Retry{}},
	} {
		store := &storetest.Memory{}
		store.Append(ch)
		if _, err := frontier.Open(store, frontier.Options{}); err == nil {
			t.Errorf("%s: Open returned no error", name)
		}
	}
}

// A lease that is granted at the very moment at which its context ends is
// either the caller's or goes back.
func TestAcquireLosesNoLeaseWhenItsContextEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, nil, frontier.Options{})
		const n = 300
		for i := range n {
			c.add(fmt.Sprintf("http://a.test/%d", i))
		}
		fetched, cancelled := 0, 0
		for fetched < n {
			// From the second on, the host is due just when the context ends.
			var wg sync.WaitGroup
			var mu sync.Mutex
			for range 3 {
				ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
				defer cancel()
				wg.Go(func() {
					l, err := c.Acquire(ctx)
					if err != nil && (!errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, frontier.ErrDrained) || l != nil) {
						t.Errorf("Acquire = %v, %v; want a lease or the context's error", l, err)
					}
					mu.Lock()
					defer mu.Unlock()
					if err != nil {
						cancelled++
						return
					}
					fetched++
					c.finish(l, frontier.Result{Outcome: frontier.Indexed, Request: request(0, 200)})
				})
			}
			wg.Wait()
		}
		c.wantDrained()
		c.wantCounts(frontier.Counts{frontier.Indexed: n})
		if cancelled == 0 {
			t.Error("no context ended before its lease came: the test tests nothing")
		}
	})
}

func TestAcquireWithADeadContext(t *testing.T) {
	c := open(t, nil, unspaced())
	c.add("http://a.test/1")
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("why")
	cancel(why)
	for range 20 {
		if l, err := c.Acquire(ctx); !errors.Is(err, why) {
			t.Fatalf("Acquire = %v, %v; want the cause of the context's end", l, err)
		}
	}
}

func TestLeaseEndsOnce(t *testing.T) {
	c := open(t, nil, unspaced())
	c.add("http://a.test/1")
	l := c.acquire()
	c.finish(l, frontier.Result{Outcome: frontier.Indexed})
	defer func() {
		if recover() == nil {
			t.Error("Finish let a lease end twice")
		}
	}()
	c.finish(l, frontier.Result{Outcome: frontier.Indexed})
}

func TestCounts(t *testing.T) {
	const url = "http://a.test/"
	again := link(url)
	again.Again = true
	other := link(url + "other")
	other.Again = true
	refused := func(l frontier.Link, o frontier.Outcome) frontier.Link {
		l.Refusal, l.Rule = o, "rule"
		return l
	}
	for _, tc := range []struct {
		name   string
		result frontier.Result
		want   frontier.Counts
		left   int // entries that are leased after it
	}{
		{"indexed", frontier.Result{Outcome: frontier.Indexed}, frontier.Counts{frontier.Indexed: 1}, 0},
		{"again", frontier.Result{Disposition: frontier.Again, Outcome: frontier.Failed}, frontier.Counts{frontier.Waiting: 1}, 1},
		{"requeued", frontier.Result{Disposition: frontier.Requeue, Outcome: frontier.Failed}, frontier.Counts{frontier.Waiting: 1}, 1},
		{
			"opted in: the snapshot decides",
			frontier.Result{Outcome: frontier.OptedIn, Links: []frontier.Link{again}},
			frontier.Counts{frontier.Waiting: 1},
			1,
		},
		{
			"two links carry on",
			frontier.Result{Outcome: frontier.OptedIn, Links: []frontier.Link{again, again}},
			frontier.Counts{frontier.Waiting: 1},
			1,
		},
		{
			"a link that was to carry on is new",
			frontier.Result{Outcome: frontier.Redirect, Links: []frontier.Link{other}},
			frontier.Counts{frontier.Redirect: 1, frontier.Waiting: 1},
			1,
		},
		{
			"a link that was to carry on is refused",
			frontier.Result{Outcome: frontier.Redirect, Links: []frontier.Link{refused(again, frontier.OutOfScope)}},
			frontier.Counts{frontier.Redirect: 1},
			0,
		},
		{
			"nothing carries on for what is requeued",
			frontier.Result{Disposition: frontier.Requeue, Links: []frontier.Link{again}},
			frontier.Counts{frontier.Waiting: 1},
			1,
		},
		{
			"a link to itself",
			frontier.Result{Outcome: frontier.Indexed, Links: links(url)},
			frontier.Counts{frontier.Indexed: 1},
			0,
		},
		{
			"links, known and new",
			frontier.Result{Outcome: frontier.NoIndex, Links: links(url, url+"1", url+"1", url+"2")},
			frontier.Counts{frontier.NoIndex: 1, frontier.Waiting: 2},
			2,
		},
		{
			"refused links count once, for the first reason",
			frontier.Result{Outcome: frontier.Indexed, Links: []frontier.Link{
				refused(link(url+"1"), frontier.NoFollow), refused(link(url+"1"), frontier.Trap), refused(link(url+"2"), frontier.RedirectLimit),
			}},
			frontier.Counts{frontier.Indexed: 1, frontier.NoFollow: 1, frontier.RedirectLimit: 1},
			0,
		},
		{
			"a refused link that is followed elsewhere waits",
			frontier.Result{Outcome: frontier.Indexed, Links: []frontier.Link{
				refused(link(url+"1"), frontier.NoFollow), link(url + "1"), refused(link(url+"1"), frontier.NoFollow),
			}},
			frontier.Counts{frontier.Indexed: 1, frontier.Waiting: 1},
			1,
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := open(t, nil, unspaced())
				c.add(url)
				c.finish(c.acquire(), tc.result)
				c.wantCounts(tc.want)
				if stored, err := c.store.Counts(); err != nil || stored != tc.want {
					t.Errorf("the store has counts %v, %v; want %v", stored, err, tc.want)
				}
				c = open(t, c.store, unspaced())
				if got := c.drain(); len(got) != tc.left {
					t.Errorf("leased %v after reopening, want %d", got, tc.left)
				}
				if got := c.Report().Counts; got[frontier.Waiting] != 0 || got.Known() != tc.want.Known() {
					t.Errorf("counts = %v at the end, want none waiting and %d known", got, tc.want.Known())
				}
			})
		})
	}
}

func TestAddCounts(t *testing.T) {
	c := open(t, nil, unspaced())
	again := link("http://a.test/1")
	again.Again = true
	for _, want := range []int{2, 0} {
		if got := c.Add(append(links("http://a.test/1", "http://a.test/2"), again), c.store.Append); got != want {
			t.Errorf("Add = %d, want %d", got, want)
		}
	}
	c.wantCounts(frontier.Counts{frontier.Waiting: 2})
	if got := len(c.drain()); got != 2 {
		t.Errorf("leased %d, want 2", got)
	}
}

func TestEntriesTellWhereTheyComeFrom(t *testing.T) {
	c := open(t, nil, unspaced())
	c.add("http://a.test/1")
	l := c.acquire()
	refused := link("http://b.test/2")
	refused.Refusal, refused.Rule = frontier.Excluded, "*.pdf"
	c.Finish(l, frontier.Result{Outcome: frontier.Indexed, Links: append(links("http://b.test/1"), refused)}, func(ch frontier.Changes) {
		ids := []frontier.ID{{Host: 2, Class: frontier.ClassLink}, {Host: 2, Class: frontier.ClassRefused}}
		for i, e := range ch.Entries {
			if e.ID != ids[i] || e.Parent != l.ID || e.Found.IsZero() {
				t.Errorf("entry %d = %+v, want ID %v and parent %v", i, e, ids[i], l.ID)
			}
		}
		if got := ch.Entries[1]; got.Refusal != frontier.Excluded || got.Rule != "*.pdf" {
			t.Errorf("refused entry = %+v, want its reason", got)
		}
		if names := []string{ch.Hosts[0].Name, ch.Hosts[1].Name}; !reflect.DeepEqual(names, []string{"a.test", "b.test"}) || len(ch.Hosts) != 2 {
			t.Errorf("hosts = %v, want both, by ID", names)
		}
	})
}

func TestReportNextDue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, nil, frontier.Options{})
		if got := c.Report().NextDue; !got.IsZero() {
			t.Errorf("NextDue = %v for an empty frontier, want none", got)
		}
		c.add("http://a.test/1", "http://a.test/2")
		c.fetch(0, 200)
		c.SetCrawlDelay("a.test", 10*time.Second)
		if got := time.Until(c.Report().NextDue); got != 10*time.Second {
			t.Errorf("the next request is due in %v, want 10s", got)
		}
	})
}

func TestLinksQueuedTellsQueuedFromRefused(t *testing.T) {
	c := open(t, nil, unspaced())
	c.add("http://a.test/queued")
	refused := links("http://a.test/refused")
	refused[0].Refusal = frontier.OutOfScope
	c.Add(refused, c.store.Append)
	ls := links("http://a.test/new", "http://a.test/queued", "http://a.test/refused", "http://a.test/queued")
	got := c.LinksQueued([]bool{true}, ls)
	if want := []bool{true, false, true, false, true}; !slices.Equal(got, want) {
		t.Errorf("LinksQueued appended %v, want %v", got[1:], want[1:])
	}
	// The links carry their hashes now, which must be those of their keys.
	if n := c.Add(ls, c.store.Append); n != 2 {
		t.Errorf("%d of the links were queued, want the new one and the refused one", n)
	}
	if n := c.add("http://a.test/new", "http://a.test/refused"); n != 0 {
		t.Errorf("%d links were queued under another hash", n)
	}
}
