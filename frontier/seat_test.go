package frontier_test

import (
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hashcrawl/hashcrawl/frontier"
	"github.com/hashcrawl/hashcrawl/frontier/storetest"
)

// TestHostsSleep crawls many hosts of which few are awake at a time.
func TestHostsSleep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const hosts, pages, awake = 300, 4, 20
		store := &storetest.Memory{}
		opts := frontier.Options{ResumeGap: true}.WithAwake(awake)
		c := open(t, store, opts)
		for h := range hosts {
			for p := range pages {
				c.add(fmt.Sprintf("http://h%d.test/%d", h, p))
			}
		}
		last := map[string]time.Time{}
		asked := map[string]bool{}
		most := 0
		for n := range hosts * pages {
			if n == 3*hosts/2 { // some have been asked for nothing yet
				c = open(t, store, opts)
				clear(asked)
			}
			l := c.fetch(100*time.Millisecond, 200)
			start := time.Now().Add(-100 * time.Millisecond)
			if at, ok := last[l.Host]; ok && start.Sub(at) < 2*time.Second {
				t.Errorf("%s is asked %v after an answer", l.Host, start.Sub(at))
			}
			if l.First == asked[l.Host] {
				t.Errorf("First of %s is %v", l.URL, l.First)
			}
			last[l.Host], asked[l.Host] = time.Now(), true
			most = max(most, c.Awake())
		}
		if _, err := c.Acquire(t.Context()); !errors.Is(err, frontier.ErrDrained) {
			t.Errorf("Acquire = %v in the end", err)
		}
		if most > 2*awake {
			t.Errorf("%d hosts were awake; want about %d", most, awake)
		}
		if r := c.Report(); r.Hosts != hosts || r.Counts[frontier.Indexed] != hosts*pages {
			t.Errorf("Report = %+v", r)
		}
	})
}

// TestStepThatCannotReadAHostIsNotJournalled fails in the middle of a step: what
// was decided before must not become durable without what should have come after.
func TestStepThatCannotReadAHostIsNotJournalled(t *testing.T) {
	c := open(t, nil, unspaced())
	for h := range 10 {
		c.add(fmt.Sprintf("http://h%d.test/", h))
	}
	l := c.acquire()
	broken := errors.New("broken")
	c.store.FailReads(broken)
	var found []frontier.Link
	for h := range 10 {
		found = append(found, link(fmt.Sprintf("http://h%d.test/new", h)))
	}
	c.Finish(l, frontier.Result{Outcome: frontier.Indexed, Links: found}, func(frontier.Changes) {
		t.Error("the step was journalled")
	})
	if _, err := c.Acquire(t.Context()); !errors.Is(err, broken) {
		t.Errorf("Acquire = %v, want the error of the store", err)
	}
}
