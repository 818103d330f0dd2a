package frontier_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hashcrawl/hashcrawl/frontier"
)

// crashed opens the store of c again, as after a crash with leases out.
func (c *crawl) crashed(opts frontier.Options, leases ...*frontier.Lease) *crawl {
	c.t.Helper()
	again := open(c.t, c.store, opts)
	for _, l := range leases {
		if _, err := again.Crashed(l.ID, l.Alone, again.store.Append); err != nil {
			c.t.Fatalf("Crashed(%v): %v", l.ID, err)
		}
	}
	return again
}

// acquireURL acquires until it has the lease of a URL; the others are finished.
func (c *crawl) acquireURL(suffix string) *frontier.Lease {
	c.t.Helper()
	for {
		l := c.acquire()
		if strings.HasSuffix(l.URL, suffix) {
			return l
		}
		c.finish(l, frontier.Result{Outcome: frontier.Indexed})
	}
}

// TestThreeCrashesMakeASuspect lets one URL be under way at three crashes.
func TestThreeCrashesMakeASuspect(t *testing.T) {
	c := open(t, nil, unspaced())
	c.add("http://a.test/x", "http://a.test/1", "http://b.test/1", "http://b.test/2", "http://c.test/1")
	for i := range 3 {
		l := c.acquireURL("/x")
		if l.Alone || int(l.Crashes.Company) != i || l.Crashes.Suspect() {
			t.Errorf("after %d crashes: lease %+v, want no suspect", i, l)
		}
		c = c.crashed(unspaced(), l)
	}
	if got := c.drain(); len(got) == 0 || got[len(got)-1] != "http://a.test/x" {
		t.Errorf("leased %v, want the suspect last", got)
	}
}

func TestSuspectGoesLast(t *testing.T) {
	c := suspected(t, "http://a.test/x")
	c.add("http://a.test/1", "http://b.test/1", "http://b.test/2")
	got := c.drain()
	if want := "http://a.test/x"; len(got) != 4 || got[3] != want {
		t.Errorf("leased %v, want %s last", got, want)
	}
	c.wantCounts(frontier.Counts{frontier.Indexed: 4})
}

// suspected returns a crawl whose URLs are all suspects.
func suspected(t *testing.T, urls ...string) *crawl {
	t.Helper()
	c := open(t, nil, unspaced())
	c.add(urls...)
	for range 3 {
		var leases []*frontier.Lease
		for range urls {
			leases = append(leases, c.acquire())
		}
		c = c.crashed(unspaced(), leases...)
	}
	return c
}

func TestNothingIsLeasedBesideASuspect(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := suspected(t, "http://a.test/x", "http://b.test/x")
		l := c.acquire()
		if !l.Alone || !l.Crashes.Suspect() || l.Crashes.Proved() {
			t.Fatalf("lease %+v, want a suspect, alone", l)
		}
		c.add("http://c.test/1")
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		if other, err := c.Acquire(ctx); err == nil {
			t.Errorf("%s was leased beside a suspect", other.URL)
		}
		c.finish(l, frontier.Result{Outcome: frontier.Indexed})
		next := c.acquire()
		if next.URL != "http://c.test/1" {
			t.Errorf("leased %s, want what is no suspect first", next.URL)
		}
		c.finish(next, frontier.Result{Outcome: frontier.Indexed})
		if l := c.acquire(); !l.Alone {
			t.Errorf("leased %s, want the other suspect alone", l.URL)
		}
	})
}

// TestSuspectWaitsForOthersAfterAll has something else come up between a
// suspect's turn and its lease.
func TestSuspectWaitsForOthersAfterAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		polite := frontier.Options{Politeness: func(string) frontier.Politeness { return frontier.DefaultPoliteness() }, ResumeGap: true}
		c := suspected(t, "http://a.test/x")
		c = c.crashed(polite) // the suspect has its gap first
		got := make(chan *frontier.Lease)
		for range 2 {
			go func() {
				l, _ := c.Acquire(context.Background())
				got <- l
			}()
		}
		time.Sleep(time.Second)
		c.add("http://b.test/1") // due at once
		first := <-got
		time.Sleep(time.Minute)
		synctest.Wait()
		select {
		case l := <-got:
			t.Errorf("%s was leased beside %s", l.URL, first.URL)
		default:
		}
		c.finish(first, frontier.Result{Outcome: frontier.Indexed})
		if l := <-got; !l.Alone || l.URL != "http://a.test/x" {
			t.Errorf("leased %+v, want the suspect alone", l)
		}
	})
}

// TestSuspectIsProvedByThreeCrashesAlone, and those of whom least is known are
// tried first.
func TestSuspectIsProvedByThreeCrashesAlone(t *testing.T) {
	c := suspected(t, "http://a.test/x", "http://b.test/x")
	leased := map[string]int{}
	for range 6 {
		l := c.acquire()
		if l.Crashes.Proved() {
			t.Errorf("%s is proved after %+v", l.URL, l.Crashes)
		}
		leased[l.URL]++
		c = c.crashed(unspaced(), l)
	}
	if leased["http://a.test/x"] != 3 || leased["http://b.test/x"] != 3 {
		t.Errorf("leased alone %v, want each three times", leased)
	}
	for range 2 {
		l := c.acquire()
		if !l.Crashes.Proved() {
			t.Errorf("%s is not proved by %+v", l.URL, l.Crashes)
		}
		c.finish(l, frontier.Result{Outcome: frontier.Failed})
	}
	c.wantDrained()
	c.wantCounts(frontier.Counts{frontier.Failed: 2})
}

func TestCrashesAreKeptOverARetry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := suspected(t, "http://a.test/x")
		l := c.acquire()
		c.finish(l, frontier.Result{Disposition: frontier.Again})
		if l := c.acquire(); l.Attempts != 1 || !l.Alone {
			t.Errorf("leased again %+v, want it alone, tried once", l)
		}
	})
}

// TestCrashOfWhatIsOverChangesNothing: the lease was ended durably, its end was
// not.
func TestCrashOfWhatIsOverChangesNothing(t *testing.T) {
	c := open(t, nil, unspaced())
	c.add("http://a.test/1", "http://a.test/2")
	done := c.fetchNow()
	for range 5 {
		c = c.crashed(unspaced(), done, &frontier.Lease{Entry: frontier.Entry{ID: frontier.ID{Host: 9}}},
			&frontier.Lease{Entry: frontier.Entry{ID: frontier.ID{Host: 1, Class: frontier.ClassRefused}}})
	}
	if got := c.drain(); !slices.Equal(got, []string{"http://a.test/2"}) {
		t.Errorf("leased %v, want what was left", got)
	}
	c.wantCounts(frontier.Counts{frontier.Indexed: 2})
}

// TestSlots hands out numbers of which no two are out at the same time, and
// small ones.
func TestSlots(t *testing.T) {
	c := open(t, nil, unspaced())
	for i := range 100 {
		c.add(fmt.Sprintf("http://h%d.test/1", i), fmt.Sprintf("http://h%d.test/2", i))
	}
	out := map[uint32]*frontier.Lease{}
	var order []*frontier.Lease
	for range 200 {
		l := c.acquire()
		if out[l.Slot] != nil || l.Slot > 9 {
			t.Fatalf("slot %d with %d leases out", l.Slot, len(out))
		}
		if first := strings.HasSuffix(l.URL, "/1"); l.First != first {
			t.Errorf("%s: first %v, want %v", l.URL, l.First, first)
		}
		out[l.Slot], order = l, append(order, l)
		if len(order) == 10 {
			c.finish(order[0], frontier.Result{Outcome: frontier.Indexed, Request: &frontier.Request{Status: 200}})
			delete(out, order[0].Slot)
			order = order[1:]
		}
	}
}
