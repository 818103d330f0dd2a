package frontier_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hashcrawl/hashcrawl/frontier"
	"github.com/hashcrawl/hashcrawl/frontier/storetest"
)

// A crawl is a frontier on a store in memory. Its methods fail the test instead
// of returning errors.
type crawl struct {
	*frontier.Frontier
	t     *testing.T
	store *storetest.Memory
}

// open opens a frontier on a store, on an empty one if it is nil. Of its hosts all
// sleep that can, unless the options say something else: nobody must notice.
func open(t *testing.T, store *storetest.Memory, opts frontier.Options) *crawl {
	t.Helper()
	if store == nil {
		store = &storetest.Memory{}
	}
	opts.Secret = [2]uint64{3, 4}
	if opts.KeepsAll() {
		opts = opts.WithAwake(1)
	}
	f, err := frontier.Open(store, opts)
	if err != nil {
		t.Fatalf("Open: %v", err)
	}
	return &crawl{Frontier: f, t: t, store: store}
}

// unspaced are options without gaps.
func unspaced() frontier.Options {
	return frontier.Options{Politeness: func(string) frontier.Politeness { return frontier.DefaultPoliteness().Unspaced() }}
}

// link returns a link whose host is read from the URL.
func link(url string) frontier.Link {
	_, rest, _ := strings.Cut(url, "://")
	host, _, _ := strings.Cut(rest, "/")
	return frontier.Link{URL: url, Key: url, Host: host, Class: frontier.ClassLink, Via: frontier.ViaLink, Depth: 1}
}

func links(urls ...string) (ls []frontier.Link) {
	for _, u := range urls {
		ls = append(ls, link(u))
	}
	return ls
}

func (c *crawl) add(urls ...string) int { return c.Add(links(urls...), c.store.Append) }

func (c *crawl) acquire() *frontier.Lease {
	c.t.Helper()
	l, err := c.Acquire(c.t.Context())
	if err != nil {
		c.t.Fatalf("Acquire: %v", err)
	}
	return l
}

func (c *crawl) finish(l *frontier.Lease, r frontier.Result) { c.Finish(l, r, c.store.Append) }

// fetch acquires a lease and finishes it after a request of the given length.
func (c *crawl) fetch(took time.Duration, status int) *frontier.Lease {
	c.t.Helper()
	l := c.acquire()
	c.finish(l, frontier.Result{Outcome: frontier.Indexed, Request: request(took, status)})
	return l
}

// request lets the time of a request pass, which can only be in a bubble, and
// returns it.
func request(took time.Duration, status int) *frontier.Request {
	start := time.Now()
	time.Sleep(took)
	return &frontier.Request{Start: start, End: time.Now(), Status: status}
}

// wait returns how long it takes to acquire the next lease, and the lease.
func (c *crawl) wait() (time.Duration, *frontier.Lease) {
	c.t.Helper()
	start := time.Now()
	l := c.acquire()
	return time.Since(start), l
}

// drain fetches everything that is left and returns the URLs in their order.
func (c *crawl) drain() (urls []string) {
	c.t.Helper()
	for {
		l, err := c.Acquire(c.t.Context())
		if errors.Is(err, frontier.ErrDrained) {
			return urls
		}
		if err != nil {
			c.t.Fatalf("Acquire: %v", err)
		}
		urls = append(urls, l.URL)
		c.finish(l, frontier.Result{Outcome: frontier.Indexed})
	}
}

// wantDrained checks that nothing can be acquired.
func (c *crawl) wantDrained() {
	c.t.Helper()
	if l, err := c.Acquire(c.t.Context()); !errors.Is(err, frontier.ErrDrained) {
		c.t.Errorf("Acquire = %+v, %v; want ErrDrained", l, err)
	}
}

// wantCounts checks all counts, and that they sum up to what is known.
func (c *crawl) wantCounts(want frontier.Counts) {
	c.t.Helper()
	if got := c.Report().Counts; got != want {
		c.t.Errorf("counts = %v, want %v", got, want)
	}
}

// A sent is one request as a server sees it.
type sent struct {
	host, address string
	start, end    time.Time
}

// run lets workers fetch until the frontier is drained. Fetch sends one
// request, or finishes the lease without; run returns the log of them all.
func (c *crawl) run(workers int, fetch func(*frontier.Lease) (sent, bool)) (log []sent) {
	c.t.Helper()
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for {
				l, err := c.Acquire(context.Background())
				if err != nil {
					if !errors.Is(err, frontier.ErrDrained) {
						c.t.Errorf("Acquire: %v", err)
					}
					return
				}
				if s, ok := fetch(l); ok {
					mu.Lock()
					log = append(log, s)
					mu.Unlock()
				}
			}
		})
	}
	wg.Wait()
	slices.SortFunc(log, func(a, b sent) int { return a.start.Compare(b.start) })
	return log
}

// wantSpaced checks that requests to one and the same place, as of names it,
// do not overlap and keep the gap.
func wantSpaced(t *testing.T, log []sent, of func(sent) string, gap time.Duration) {
	t.Helper()
	last := map[string]sent{}
	for _, s := range log {
		if l, ok := last[of(s)]; ok && s.start.Sub(l.end) < gap {
			t.Errorf("%s was asked at %v, %v after the end of an answer; want at least %v", of(s), s.start, s.start.Sub(l.end), gap)
		}
		last[of(s)] = s
	}
}
