package frontier_test

import (
	"fmt"
	"net/netip"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hashcrawl/hashcrawl/frontier"
)

func TestOneRequestAtATimePerHost(t *testing.T) { // P1, P2
	synctest.Test(t, func(t *testing.T) {
		c := open(t, nil, frontier.Options{})
		for h := range 3 {
			for i := range 10 {
				c.add(fmt.Sprintf("http://h%d.test/%d", h, i))
			}
		}
		log := c.run(8, func(l *frontier.Lease) (sent, bool) {
			r := request(time.Duration(len(l.URL)%3)*time.Second, 200)
			c.finish(l, frontier.Result{Outcome: frontier.Indexed, Request: r})
			return sent{host: l.Host, start: r.Start, end: r.End}, true
		})
		if len(log) != 30 {
			t.Errorf("%d requests were sent, want 30", len(log))
		}
		wantSpaced(t, log, func(s sent) string { return s.host }, 2*time.Second)
	})
}

func TestGapAfterAnAnswer(t *testing.T) { // P2
	for _, tc := range []struct {
		name       string
		took       time.Duration
		crawlDelay time.Duration
		minGap     time.Duration // 0: the default
		want       time.Duration
	}{
		{name: "at least two seconds", took: 10 * time.Millisecond, want: 2 * time.Second},
		{name: "five times the answer", took: time.Second, want: 5 * time.Second},
		{name: "not above thirty seconds", took: 7 * time.Second, want: 30 * time.Second},
		{name: "a Crawl-delay", crawlDelay: 7 * time.Second, want: 7 * time.Second},
		{name: "the slower of both", took: 3 * time.Second, crawlDelay: 7 * time.Second, want: 15 * time.Second},
		{name: "the cap does not bind a Crawl-delay", took: time.Minute, crawlDelay: time.Minute, want: time.Minute},
		{name: "a Crawl-delay up to 300 seconds", crawlDelay: time.Hour, want: 300 * time.Second},
		{name: "a gap that the user asks for", took: time.Second, minGap: 40 * time.Second, want: 40 * time.Second},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := frontier.DefaultPoliteness()
				p.MinGap = max(p.MinGap, tc.minGap)
				c := open(t, nil, frontier.Options{Politeness: func(string) frontier.Politeness { return p }})
				c.add("http://a.test/1", "http://a.test/2")
				l := c.acquire()
				c.finish(l, frontier.Result{Request: request(tc.took, 200), CrawlDelay: &tc.crawlDelay})
				if got, _ := c.wait(); got != tc.want {
					t.Errorf("the next request comes %v after the answer, want %v", got, tc.want)
				}
			})
		})
	}
}

func TestNoGapWhereTheUserWantsNone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, nil, unspaced())
		c.add("http://a.test/1", "http://a.test/2")
		c.fetch(time.Second, 200)
		if got, _ := c.wait(); got != 0 {
			t.Errorf("the next request comes after %v, want at once", got)
		}
	})
}

func TestGapGrowsAtOnceAndShrinksByHalfAStep(t *testing.T) { // P14
	synctest.Test(t, func(t *testing.T) {
		c := open(t, nil, frontier.Options{})
		for i := range 20 {
			c.add(fmt.Sprintf("http://a.test/%d", i))
		}
		for i, step := range []struct {
			took   time.Duration
			status int
			want   time.Duration
		}{
			{0, 200, 2 * time.Second},
			{2 * time.Second, 200, 10 * time.Second},
			{0, 200, 6 * time.Second},
			{0, 404, 4 * time.Second},
			{0, 500, 4 * time.Second}, // never on errors
			{time.Second, 500, 5 * time.Second},
			{0, 200, 3500 * time.Millisecond},
			{700 * time.Millisecond, 200, 3500 * time.Millisecond},
			{0, 200, 2750 * time.Millisecond},
		} {
			c.fetch(step.took, step.status)
			got, l := c.wait()
			c.finish(l, frontier.Result{Disposition: frontier.Requeue})
			if got != step.want {
				t.Errorf("step %d: the gap is %v, want %v", i, got, step.want)
			}
		}
		for range 5 {
			c.fetch(0, 200)
		}
		if got, _ := c.wait(); got < 2*time.Second || got > 2030*time.Millisecond {
			t.Errorf("after many quick answers the gap is %v, want nearly 2s", got)
		}
	})
}

func TestRetryAfterPausesTheHost(t *testing.T) { // P6
	for _, tc := range []struct {
		name       string
		status     int
		retryAfter time.Duration
		want       time.Duration
	}{
		{"as long as asked", 429, 10 * time.Second, 10 * time.Second},
		{"also with 503", 503, time.Hour, time.Hour},
		{"at least the gap", 429, time.Second, 2 * time.Second},
		{"a day at most", 503, 100 * time.Hour, 24 * time.Hour},
		{"not for a page that is gone", 404, time.Hour, 2 * time.Second},
		{"not for a page that fails", 500, time.Hour, 2 * time.Second},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := open(t, nil, frontier.Options{})
				c.add("http://a.test/1", "http://a.test/2", "http://b.test/")
				l := c.acquire()
				r := request(0, tc.status)
				r.RetryAfter = tc.retryAfter
				c.finish(l, frontier.Result{Disposition: frontier.Again, Request: r})
				if got, l := c.wait(); got != 0 || l.Host != "b.test" {
					t.Errorf("the next lease is for %s after %v, want b.test at once", l.Host, got)
				}
				got, l := c.wait()
				if got != tc.want {
					t.Errorf("the host is asked again after %v, want %v", got, tc.want)
				}
				if asked := tc.status == 429 || tc.status == 503; asked != (l.Attempts == 1) {
					t.Errorf("then %s is asked for, with %d attempts; want the same page only if its time has come", l.URL, l.Attempts)
				}
			})
		})
	}
}

// between reports whether d is the backoff base, with a quarter at most added.
func between(d, base time.Duration) bool { return d >= base && d < base+base/4 }

func TestBackoffDoublesAndParks(t *testing.T) { // P6
	synctest.Test(t, func(t *testing.T) {
		c := open(t, nil, frontier.Options{})
		for i := range 10 {
			c.add(fmt.Sprintf("http://a.test/%d", i))
		}
		for _, want := range []time.Duration{30 * time.Second, time.Minute, 2 * time.Minute, 4 * time.Minute} {
			c.fetch(0, 503)
			got, l := c.wait()
			c.finish(l, frontier.Result{Disposition: frontier.Requeue})
			if !between(got, want) {
				t.Errorf("the host is asked again after %v, want %v and some jitter", got, want)
			}
		}
		if r := c.Report(); len(r.Stuck) != 0 {
			t.Errorf("Stuck = %v before the fifth failure", r.Stuck)
		}
		c.fetch(0, 429)
		c.wantDrained()
		r := c.Report()
		if len(r.Stuck) != 1 || r.Stuck[0].Name != "a.test" || r.Stuck[0].Pause != frontier.Parked || r.Stuck[0].Waiting() != 5 {
			t.Errorf("Stuck = %+v, want a.test with 5 entries", r.Stuck)
		}
		c.add("http://b.test/")
		if l := c.acquire(); l.Host != "b.test" {
			t.Errorf("a parked host got a lease of %s", l.URL)
		}
	})
}

func TestBackoffIsCapped(t *testing.T) { // P6
	synctest.Test(t, func(t *testing.T) {
		p := frontier.DefaultPoliteness()
		p.ParkAfter = 1000
		c := open(t, nil, frontier.Options{Politeness: func(string) frontier.Politeness { return p }})
		for i := range 300 {
			c.add(fmt.Sprintf("http://a.test/%d", i))
		}
		for range 299 {
			c.fetch(0, 0)
		}
		if got, _ := c.wait(); got != time.Hour {
			t.Errorf("after 299 failures the host is asked again after %v, want 1h", got)
		}
	})
}

func TestAnAnswerEndsTheRowOfFailures(t *testing.T) { // P6
	synctest.Test(t, func(t *testing.T) {
		c := open(t, nil, frontier.Options{})
		for i := range 20 {
			c.add(fmt.Sprintf("http://a.test/%d", i))
		}
		for range 3 {
			for range 4 {
				c.fetch(0, 429)
			}
			c.fetch(0, 200)
			if got, l := c.wait(); got != 2*time.Second {
				t.Errorf("after an answer the gap is %v, want 2s", got)
			} else {
				c.finish(l, frontier.Result{Disposition: frontier.Requeue})
			}
		}
	})
}

func TestAFailedPageIsTriedThreeTimes(t *testing.T) { // P7
	synctest.Test(t, func(t *testing.T) {
		c := open(t, nil, frontier.Options{})
		c.add("http://a.test/bad")
		for i := range 15 {
			c.add(fmt.Sprintf("http://a.test/%02d", i))
		}
		var tried []time.Time
		var order []string
		for {
			l, err := c.Acquire(t.Context())
			if err != nil {
				break
			}
			order = append(order, l.URL)
			if l.URL != "http://a.test/bad" {
				c.finish(l, frontier.Result{Outcome: frontier.Indexed, Request: request(0, 200)})
				continue
			}
			if l.Attempts != len(tried) {
				t.Errorf("try %d has %d attempts", len(tried)+1, l.Attempts)
			}
			tried = append(tried, time.Now())
			r := frontier.Result{Disposition: frontier.Again, Request: request(0, 500)}
			if l.LastTry() {
				r.Disposition, r.Outcome = frontier.Done, frontier.Failed
			}
			c.finish(l, r)
		}
		if len(tried) != 3 || !between(tried[1].Sub(tried[0]), 30*time.Second) || !between(tried[2].Sub(tried[1]), time.Minute) {
			t.Errorf("the page was tried at %v, want after 30s and 1m", tried)
		}
		if slices.Index(order, "http://a.test/14") > len(order)-2 {
			t.Errorf("the others waited for the page that failed: %v", order)
		}
		c.wantCounts(frontier.Counts{frontier.Indexed: 15, frontier.Failed: 1})
	})
}

func TestTwoNamesOfOneAddress(t *testing.T) { // P1, P3
	synctest.Test(t, func(t *testing.T) {
		c := open(t, nil, unspacedHosts())
		const hosts, pages = 25, 8
		for i := range pages {
			for h := range hosts {
				c.add(fmt.Sprintf("http://h%d.test/%d", h, i))
			}
		}
		address := func(host string) netip.Addr {
			n := int(host[len("h")]-'0') % 2 // two addresses
			if n == 0 {
				return netip.MustParseAddr("::ffff:192.0.2.1") // the same in another form
			}
			return netip.AddrFrom4([4]byte{192, 0, 2, byte(n)})
		}
		fetched := map[string]int{}
		log := c.run(30, func(l *frontier.Lease) (sent, bool) {
			a := address(l.Host)
			if !c.BindAddress(l, a) {
				return sent{}, false
			}
			r := request(time.Duration(len(l.URL)*7%5)*100*time.Millisecond, 200)
			c.finish(l, frontier.Result{Outcome: frontier.Indexed, Request: r})
			return sent{host: l.Host, address: a.Unmap().String(), start: r.Start, end: r.End}, true
		})
		if len(log) != hosts*pages {
			t.Errorf("%d requests were sent, want %d", len(log), hosts*pages)
		}
		wantSpaced(t, log, func(s sent) string { return s.address }, 500*time.Millisecond)
		for _, s := range log[:2*hosts] {
			fetched[s.host]++
		}
		for h, n := range fetched {
			if n > 4 {
				t.Errorf("%s had %d of the first %d requests of its address; want a turn for everybody", h, n, 2*hosts)
			}
		}
	})
}

// unspacedHosts are options under which only addresses have a gap.
func unspacedHosts() frontier.Options {
	p := frontier.DefaultPoliteness()
	p.MinGap, p.SlowFactor = 0, 0
	return frontier.Options{Politeness: func(string) frontier.Politeness { return p }}
}

func TestAddressGapCountsFromTheEnd(t *testing.T) { // P3
	synctest.Test(t, func(t *testing.T) {
		c := open(t, nil, frontier.Options{})
		ip := netip.MustParseAddr("192.0.2.1")
		c.add("http://a.test/", "http://b.test/")
		a := c.acquire()
		for range 2 { // the second time it has the address already
			if !c.BindAddress(a, ip) {
				t.Fatal("BindAddress refused an address that nobody else uses")
			}
		}
		b := c.acquire()
		if c.BindAddress(b, ip) {
			t.Fatal("BindAddress let two requests go to one address")
		}
		c.finish(a, frontier.Result{Request: request(3*time.Second, 200)})
		if got, l := c.wait(); got != 500*time.Millisecond || l.Host != "b.test" {
			t.Errorf("%s has its turn %v after the answer, want b.test after 500ms", l.Host, got)
		}
	})
}

// Whoever makes the first lease of a host durable before its request goes by First:
// a lease that ended without one was not it.
func TestFirstLeaseIsOneWithARequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, nil, frontier.Options{})
		ip := netip.MustParseAddr("192.0.2.1")
		c.add("http://a.test/1", "http://b.test/1", "http://b.test/2")
		a, b := c.acquire(), c.acquire()
		if !c.BindAddress(a, ip) || c.BindAddress(b, ip) {
			t.Fatal("BindAddress gave the address to both, or to the second")
		}
		c.finish(a, frontier.Result{Outcome: frontier.Indexed, Request: request(time.Second, 200)})
		for i, d := range []frontier.Disposition{frontier.Requeue, frontier.Done, frontier.Done} {
			l := c.acquire()
			if want := i < 2; l.Host != "b.test" || l.First != want {
				t.Errorf("lease %d of %s has First = %v; want %v", i, l.Host, l.First, want)
			}
			res := frontier.Result{Disposition: d, Outcome: frontier.Indexed}
			if d == frontier.Done {
				res.Request = request(time.Second, 200)
			}
			c.finish(l, res)
		}
	})
}

func TestHostThatMovesFreesItsAddress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, nil, unspaced())
		first, second := netip.MustParseAddr("192.0.2.1"), netip.MustParseAddr("2001:db8::1")
		c.add("http://a.test/", "http://b.test/", "http://a.test/2")
		a, b := c.acquire(), c.acquire()
		if !c.BindAddress(a, first) || c.BindAddress(b, first) {
			t.Fatal("BindAddress: want the first host to have the address alone")
		}
		if !c.BindAddress(a, second) {
			t.Fatal("BindAddress refused an address that nobody uses")
		}
		if b = c.acquire(); b.Host != "b.test" || !c.BindAddress(b, first) {
			t.Errorf("%s has its turn, want b.test on the address that a.test left", b.Host)
		}
	})
}

// A host for which its address is kept can get a later turn: the others go first.
func TestAddressIsNotKeptForWhoGoesLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, nil, unspacedHosts())
		ip := netip.MustParseAddr("192.0.2.1")
		for _, h := range []string{"a", "b", "c"} {
			c.add("http://"+h+".test/1", "http://"+h+".test/2", "http://"+h+".test/3")
		}
		for range 3 {
			l := c.acquire()
			c.BindAddress(l, ip)
			c.finish(l, frontier.Result{Outcome: frontier.Indexed, Request: request(0, 200)})
			time.Sleep(time.Second)
		}
		first := c.acquire()
		if l := c.tryAcquire(2 * time.Second); l != nil { // the others now stand in line
			t.Fatalf("%s has the address of %s", l.Host, first.Host)
		}
		c.finish(first, frontier.Result{Outcome: frontier.Indexed, Request: request(0, 200)})
		c.SetCrawlDelay("b.test", 300*time.Second) // it is called, and was asked before
		for _, want := range []string{"c.test", "a.test", "c.test"} {
			got, l := c.wait()
			if got > time.Second || l.Host != want {
				t.Errorf("%s has its turn after %v, want %s as soon as the address may be asked", l.Host, got, want)
			}
			c.finish(l, frontier.Result{Outcome: frontier.Indexed, Request: request(0, 200)})
		}
	})
}

func TestLineOfAnAddressSkipsWhoCannotGo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, nil, unspaced())
		ip := netip.MustParseAddr("192.0.2.1")
		bound := func(l *frontier.Lease) *frontier.Lease { c.BindAddress(l, ip); return l }
		for _, h := range []string{"a", "b", "c"} {
			c.add("http://"+h+".test/1", "http://"+h+".test/2")
		}
		first := bound(c.acquire())
		bound(c.acquire())
		bound(c.acquire()) // both now stand in line
		// A Crawl-delay that is read elsewhere sends b to the end of the world,
		// and the address must not wait for it.
		c.finish(first, frontier.Result{Outcome: frontier.Indexed, Request: request(0, 200)})
		l := c.acquire()
		if l.Host != "b.test" {
			t.Fatalf("%s is first in line, want b.test", l.Host)
		}
		hour := time.Hour
		c.finish(l, frontier.Result{Outcome: frontier.Indexed, Request: request(0, 200), CrawlDelay: &hour})
		got, l := c.wait()
		if got != 0 || l.Host != "c.test" {
			t.Errorf("%s has its turn after %v, want c.test at once", l.Host, got)
		}
		c.finish(l, frontier.Result{Outcome: frontier.Indexed, Request: request(0, 200)})
		if got := len(c.drain()); got != 3 {
			t.Errorf("%d entries were left, want 3", got)
		}
	})
}

func TestPausesSurviveReopening(t *testing.T) { // P13
	synctest.Test(t, func(t *testing.T) {
		c := open(t, nil, frontier.Options{})
		c.add("http://paused.test/1", "http://paused.test/2")
		r := request(0, 503)
		r.RetryAfter = time.Hour
		c.finish(c.acquire(), frontier.Result{Disposition: frontier.Again, Request: r})
		c.add("http://slow.test/1", "http://slow.test/2")
		delay := time.Minute
		c.finish(c.acquire(), frontier.Result{Request: request(0, 200), CrawlDelay: &delay})
		c.add("http://parked.test/1", "http://parked.test/2")
		c.add("http://new.test/1")
		c.finish(c.acquire(), frontier.Result{Disposition: frontier.Requeue}) // new hosts come first

		time.Sleep(10 * time.Second)
		c = open(t, c.store, frontier.Options{ResumeGap: true})
		start := time.Now()
		next := map[string]time.Duration{}
		c.run(1, func(l *frontier.Lease) (sent, bool) {
			if _, ok := next[l.Host]; !ok {
				next[l.Host] = time.Since(start)
			}
			c.finish(l, frontier.Result{Request: request(0, 200)})
			return sent{}, false
		})
		for host, want := range map[string]time.Duration{
			"paused.test": time.Hour - 10*time.Second,
			"slow.test":   time.Minute, // a request may have been under way
			"parked.test": 2 * time.Second,
			"new.test":    2 * time.Second,
		} {
			if next[host] != want {
				t.Errorf("%s is asked %v after reopening, want %v", host, next[host], want)
			}
		}
	})
}

func TestParkedHostGetsAnotherChance(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, nil, frontier.Options{})
		for i := range 6 {
			c.add(fmt.Sprintf("http://a.test/%d", i))
		}
		for range 5 {
			c.fetch(0, 0)
		}
		c.wantDrained()
		c = open(t, c.store, frontier.Options{ResumeGap: true})
		if got, _ := c.wait(); !between(got, 8*time.Minute) {
			t.Errorf("a parked host is asked after %v, want when its pause is over", got)
		}
	})
}

func TestWrongClockDoesNotPauseForEver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, nil, frontier.Options{})
		c.add("http://a.test/1", "http://a.test/2")
		c.fetch(0, 200)
		c.store.Append(frontier.Changes{
			Hosts:  []frontier.Host{{ID: 1, Name: "a.test", Head: heads(1), Tail: heads(2), Next: time.Now().AddDate(30, 0, 0)}},
			Counts: c.Report().Counts,
		})
		c = open(t, c.store, frontier.Options{})
		if got, _ := c.wait(); got != 24*time.Hour {
			t.Errorf("the host is asked after %v, want after the longest pause there is", got)
		}
	})
}

// heads are the places in the queues of a host that only has links.
func heads(links uint32) (n [frontier.NumClasses]uint32) {
	n[frontier.ClassLink] = links
	return n
}

func TestAddressesHaveTheirGapAfterACrash(t *testing.T) { // P3, P13
	synctest.Test(t, func(t *testing.T) {
		c := open(t, nil, unspacedHosts())
		c.add("http://a.test/1", "http://b.test/1")
		opts := unspacedHosts()
		opts.ResumeGap = true
		c = open(t, c.store, opts)
		if c.BindAddress(c.acquire(), netip.MustParseAddr("192.0.2.1")) {
			t.Error("an address that may just have been asked is asked at once")
		}
		c.acquire()
		if got, _ := c.wait(); got != 500*time.Millisecond {
			t.Errorf("the address is asked after %v, want 500ms", got)
		}
	})
}

func TestRetryIsNotEarlierThanStored(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, nil, frontier.Options{})
		c.add("http://a.test/1")
		c.finish(c.acquire(), frontier.Result{Disposition: frontier.Again, Request: request(0, 500)})
		c = open(t, c.store, frontier.Options{})
		got, l := c.wait()
		if !between(got, 30*time.Second) || l.Attempts != 1 {
			t.Errorf("the retry comes after %v with %d attempts, want 30s and 1", got, l.Attempts)
		}
	})
}

func TestUnknownTimesAreNow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, nil, frontier.Options{})
		c.add("http://a.test/1", "http://a.test/2")
		c.finish(c.acquire(), frontier.Result{Outcome: frontier.Failed, Request: &frontier.Request{}})
		if got, _ := c.wait(); !between(got, 30*time.Second) {
			t.Errorf("after a failure without times the host is asked after %v, want 30s", got)
		}
	})
}
