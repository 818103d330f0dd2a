package frontier_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hashcrawl/hashcrawl/frontier"
)

// An errand that was under way at three crashes is sent last, and alone; its host
// waits for it, others do not.
func TestSuspectErrandGoesLastAndAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, nil, frontier.Options{})
		const url = "http://a.test/robots.txt"
		c.CrashedErrands(url, frontier.Crashes{Company: 3})
		c.add("http://a.test/1", "http://b.test/1", "http://b.test/2", "http://c.test/1")
		errand := &frontier.Errand{URL: url, To: "a.test"}
		if l := c.acquire(); l.Host != "a.test" {
			t.Fatalf("the first lease is of %s", l.URL)
		} else {
			c.finish(l, frontier.Result{Disposition: frontier.Requeue, Errand: errand})
		}
		for range 3 {
			if l := c.fetch(time.Millisecond, 200); l.Errand != nil || l.Host == "a.test" {
				t.Errorf("%s is asked for before all others were", l.URL)
			}
		}
		l := c.acquire()
		if l.Errand != errand || !l.Alone || l.Crashes.Company != 3 || l.Crashes.Proved() {
			t.Fatalf("the last lease is %+v, want the errand, alone", l)
		}
		c.add("http://d.test/1")
		if l := c.tryAcquire(time.Minute); l != nil {
			t.Errorf("%s is leased beside a suspect", l.URL)
		}
		c.finish(l, frontier.Result{Request: request(time.Millisecond, 200)})
		left := map[string]bool{}
		for range 2 {
			l := c.fetch(time.Millisecond, 200)
			left[l.URL] = l.Alone
		}
		if alone, ok := left["http://a.test/1"]; !ok || alone || len(left) != 2 {
			t.Errorf("after it come %v", left)
		}
		// It went well, so that nothing is held against it any more.
		c.Send(&frontier.Errand{URL: url, To: "a.test"})
		if l := c.acquire(); l.Errand == nil || l.Alone || l.Crashes != (frontier.Crashes{}) {
			t.Errorf("the errand is leased as %+v", l)
		}
	})
}

// A suspect errand that was called is put away again if a lease is out after all.
func TestSuspectErrandIsSentAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, nil, frontier.Options{})
		const url = "http://a.test/list"
		c.CrashedErrands(url, frontier.Crashes{Company: 3, Alone: 3})
		c.add("http://a.test/1")
		c.fetch(time.Millisecond, 200) // a.test may be asked again in two seconds
		c.Send(&frontier.Errand{URL: url, To: "a.test", Visit: true})
		if l := c.tryAcquire(time.Second); l != nil { // it is called, and waits for the gap
			t.Fatalf("%s is leased too early", l.URL)
		}
		c.add("http://b.test/1")
		other := c.acquire()
		if l := c.tryAcquire(time.Minute); l != nil {
			t.Errorf("%+v is leased beside another", l)
		}
		c.finish(other, frontier.Result{Outcome: frontier.Indexed})
		if l := c.acquire(); l.Errand == nil || !l.Alone || !l.Crashes.Proved() {
			t.Errorf("in the end %+v is leased, want the errand", l)
		} else {
			c.finish(l, frontier.Result{})
		}
		if _, err := c.Acquire(t.Context()); !errors.Is(err, frontier.ErrDrained) {
			t.Errorf("Acquire = %v, want ErrDrained", err)
		}
	})
}

// tryAcquire acquires a lease if there is one within a time; nil if not.
func (c *crawl) tryAcquire(within time.Duration) *frontier.Lease {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(c.t.Context(), within)
	defer cancel()
	l, err := c.Acquire(ctx)
	if err != nil && !errors.Is(err, context.DeadlineExceeded) {
		c.t.Fatalf("Acquire: %v", err)
	}
	return l
}
