// Package storetest tests what claims to be a store of a frontier, and has a
// double of one: [Run] says what a store must do, and [Memory] does it in
// memory. Nothing outside tests imports it.
package storetest

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/hashcrawl/hashcrawl/frontier"
)

// A Store is a store with its journal.
type Store interface {
	frontier.Store
	Append(frontier.Changes)
}

// An Opened is an empty store under test.
type Opened struct {
	Store
	// Reopen makes everything that was appended durable and returns the store
	// as the next run finds it.
	Reopen func() Store
}

// Run tests the stores that open returns.
func Run(t *testing.T, open func(t *testing.T) Opened) {
	for _, tc := range []struct {
		name string
		test func(*testing.T, Opened)
	}{
		{"an empty store has nothing", testEmpty},
		{"reads see what was appended, before and after reopening", testReadsSeeAppended},
		{"the last word on a record counts", testLastWordCounts},
		{"a settled retry is gone", testSettledRetry},
		{"hosts come by ID", testHostsByID},
		{"entries end at the limit, the gap and the class", testEntriesEnd},
		{"an error of the caller ends a read", testCallersError},
		{"appended slices are not kept", testSlicesNotKept},
		{"reads beside appends find what was there before", testReadsBesideAppends},
		{"a frontier goes on where it was", testFrontierGoesOn},
	} {
		t.Run(tc.name, func(t *testing.T) { tc.test(t, open(t)) })
	}
}

var day = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func host(id frontier.HostID, tail uint32) frontier.Host {
	h := frontier.Host{
		ID: id, Name: fmt.Sprintf("h%d.test", id), Next: day, Gap: 2 * time.Second, CrawlDelay: time.Second,
		Failures: 1, Pause: frontier.PausedByBackoff, Requests: 3, Errors: 1, Bytes: 1 << 40, Refused: 1,
	}
	h.Tail[frontier.ClassLink] = tail
	return h
}

func entry(h frontier.HostID, c frontier.Class, seq uint32) frontier.Entry {
	return frontier.Entry{
		ID:  frontier.ID{Host: h, Class: c, Seq: seq},
		URL: fmt.Sprintf("https://h%d.test/%d/%d#!s", h, c, seq), Via: frontier.ViaLink, Depth: 2, Hops: 1, Found: day,
		Parent: frontier.ID{Host: h, Class: frontier.ClassSeed, Seq: 1},
	}
}

// contents is everything that a store says.
type contents struct {
	Hosts   []frontier.Host
	Retries []frontier.Retry
	Hashes  []uint64
	Counts  frontier.Counts
}

func read(t *testing.T, s frontier.Store) (c contents) {
	t.Helper()
	err := s.Hosts(func(h frontier.Host) error { c.Hosts = append(c.Hosts, h); return nil })
	if err == nil {
		err = s.Retries(func(r frontier.Retry) error { c.Retries = append(c.Retries, r); return nil })
	}
	if err == nil {
		err = s.Hashes(func(hs []uint64) error { c.Hashes = append(c.Hashes, hs...); return nil })
	}
	if err == nil {
		c.Counts, err = s.Counts()
	}
	if err != nil {
		t.Fatalf("reading the store: %v", err)
	}
	slices.Sort(c.Hashes)
	return c
}

func entries(t *testing.T, s frontier.Store, h frontier.HostID, c frontier.Class, from uint32, limit int) []frontier.Entry {
	t.Helper()
	es, err := s.Entries(h, c, from, limit)
	if err != nil {
		t.Fatalf("Entries(%d, %d, %d, %d): %v", h, c, from, limit, err)
	}
	return es
}

// both calls check with the store as it is, and as it is reopened.
func both(t *testing.T, o Opened, check func(*testing.T, frontier.Store)) {
	t.Helper()
	t.Run("at once", func(t *testing.T) { check(t, o) })
	again := o.Reopen()
	t.Run("reopened", func(t *testing.T) { check(t, again) })
}

func testEmpty(t *testing.T, o Opened) {
	both(t, o, func(t *testing.T, s frontier.Store) {
		if got := read(t, s); !reflect.DeepEqual(got, contents{}) {
			t.Errorf("contents = %+v, want none", got)
		}
		if got := entries(t, s, 1, frontier.ClassSeed, 0, 10); len(got) != 0 {
			t.Errorf("Entries of an unknown host = %v, want none", got)
		}
	})
}

func testReadsSeeAppended(t *testing.T, o Opened) {
	retry := frontier.Retry{Entry: entry(1, frontier.ClassLink, 0), Due: day.Add(time.Minute), Attempts: 2, Crashes: frontier.Crashes{Company: 3, Alone: 1}}
	refused := entry(1, frontier.ClassRefused, 0)
	refused.Refusal, refused.Rule = frontier.Trap, "repeated segment"
	snapshot := entry(1, frontier.ClassSnapshot, 0)
	snapshot.Snapshot = true
	o.Append(frontier.Changes{
		Hosts:   []frontier.Host{host(1, 2)},
		Entries: []frontier.Entry{entry(1, frontier.ClassLink, 0), entry(1, frontier.ClassLink, 1), refused, snapshot},
		Hashes:  []uint64{1, 1<<64 - 1}, Counts: frontier.Counts{frontier.Waiting: 1, frontier.Failed: 7},
	})
	o.Append(frontier.Changes{Retry: &retry, Hashes: []uint64{2}, Counts: frontier.Counts{frontier.Waiting: 2}})
	both(t, o, func(t *testing.T, s frontier.Store) {
		want := contents{
			Hosts: []frontier.Host{host(1, 2)}, Retries: []frontier.Retry{retry}, Hashes: []uint64{1, 2, 1<<64 - 1},
			Counts: frontier.Counts{frontier.Waiting: 2},
		}
		if got := read(t, s); !reflect.DeepEqual(got, want) {
			t.Errorf("contents = %+v, want %+v", got, want)
		}
		for _, e := range []frontier.Entry{entry(1, frontier.ClassLink, 1), refused, snapshot} {
			if got := entries(t, s, 1, e.Class, e.Seq, 1); !reflect.DeepEqual(got, []frontier.Entry{e}) {
				t.Errorf("Entries(1, %d, %d, 1) = %+v, want %+v", e.Class, e.Seq, got, e)
			}
		}
	})
}

func testLastWordCounts(t *testing.T, o Opened) {
	for tail := range uint32(20) {
		o.Append(frontier.Changes{Hosts: []frontier.Host{host(1, tail+1)}, Counts: frontier.Counts{frontier.Waiting: uint64(tail)}})
	}
	both(t, o, func(t *testing.T, s frontier.Store) {
		got := read(t, s)
		if want := []frontier.Host{host(1, 20)}; !reflect.DeepEqual(got.Hosts, want) || got.Counts[frontier.Waiting] != 19 {
			t.Errorf("hosts, waiting = %+v, %d; want %+v, 19", got.Hosts, got.Counts[frontier.Waiting], want)
		}
	})
}

func testSettledRetry(t *testing.T, o Opened) {
	a := frontier.Retry{Entry: entry(1, frontier.ClassLink, 0), Due: day, Attempts: 1}
	b := frontier.Retry{Entry: entry(1, frontier.ClassLink, 1), Due: day, Attempts: 1}
	o.Append(frontier.Changes{Hosts: []frontier.Host{host(1, 2)}, Entries: []frontier.Entry{a.Entry, b.Entry}, Retry: &a})
	o.Append(frontier.Changes{Retry: &b})
	again := b
	again.Attempts = 2
	o.Append(frontier.Changes{Settled: a.ID, Retry: &again})
	both(t, o, func(t *testing.T, s frontier.Store) {
		if got, want := read(t, s).Retries, []frontier.Retry{again}; !reflect.DeepEqual(got, want) {
			t.Errorf("Retries = %+v, want %+v", got, want)
		}
	})
}

func testHostsByID(t *testing.T, o Opened) {
	const n = 3000 // more than a scan reads at a time
	for _, from := range []frontier.HostID{n/2 + 1, 1} {
		var ch frontier.Changes
		for id := from; id < from+n/2; id++ {
			ch.Hosts = append(ch.Hosts, host(id, 0))
		}
		o.Append(ch)
	}
	both(t, o, func(t *testing.T, s frontier.Store) {
		want := frontier.HostID(1)
		for _, h := range read(t, s).Hosts {
			if h.ID != want {
				t.Fatalf("Hosts: got host %d where %d was due", h.ID, want)
			}
			if one, found, err := s.Host(want); err != nil || !found || one != h {
				t.Fatalf("Host(%d) = %+v, %v, %v; want %+v", want, one, found, err, h)
			}
			want++
		}
		if want != n+1 {
			t.Errorf("Hosts ended before host %d, want %d hosts", want, n)
		}
		if h, found, err := s.Host(n + 1); found || err != nil {
			t.Errorf("Host(%d) = %+v, %v, %v; want none", n+1, h, found, err)
		}
	})
}

func testEntriesEnd(t *testing.T, o Opened) {
	ch := frontier.Changes{Hosts: []frontier.Host{host(1, 0), host(2, 0)}}
	for seq := range uint32(50) {
		if seq != 40 {
			ch.Entries = append(ch.Entries, entry(1, frontier.ClassLink, seq))
		}
		ch.Entries = append(ch.Entries, entry(1, frontier.ClassItem, seq), entry(2, frontier.ClassLink, seq))
	}
	o.Append(ch)
	both(t, o, func(t *testing.T, s frontier.Store) {
		for _, tc := range []struct {
			from        uint32
			limit, want int
		}{{0, 10, 10}, {0, 100, 40}, {35, 100, 5}, {40, 5, 0}, {41, 100, 9}, {50, 1, 0}, {0, 0, 0}} {
			got := entries(t, s, 1, frontier.ClassLink, tc.from, tc.limit)
			if len(got) != tc.want {
				t.Errorf("Entries(1, link, %d, %d) returned %d, want %d", tc.from, tc.limit, len(got), tc.want)
			}
			for i, e := range got {
				if want := entry(1, frontier.ClassLink, tc.from+uint32(i)); !reflect.DeepEqual(e, want) {
					t.Errorf("Entries(1, link, %d, %d)[%d] = %+v, want %+v", tc.from, tc.limit, i, e, want)
				}
			}
		}
	})
}

func testCallersError(t *testing.T, o Opened) {
	r := frontier.Retry{Entry: entry(1, frontier.ClassLink, 0), Due: day, Attempts: 1}
	o.Append(frontier.Changes{
		Hosts: []frontier.Host{host(1, 1), host(2, 0)}, Entries: []frontier.Entry{r.Entry}, Retry: &r, Hashes: []uint64{1},
	})
	enough := errors.New("enough")
	both(t, o, func(t *testing.T, s frontier.Store) {
		calls := 0
		for name, err := range map[string]error{
			"Hosts":   s.Hosts(func(frontier.Host) error { calls++; return enough }),
			"Retries": s.Retries(func(frontier.Retry) error { calls++; return enough }),
			"Hashes":  s.Hashes(func([]uint64) error { calls++; return enough }),
		} {
			if !errors.Is(err, enough) {
				t.Errorf("%s returned %v, want the caller's error", name, err)
			}
		}
		if calls != 3 {
			t.Errorf("the callers were called %d times, want once each", calls)
		}
	})
}

func testSlicesNotKept(t *testing.T, o Opened) {
	ch := frontier.Changes{
		Hosts: []frontier.Host{host(1, 1)}, Entries: []frontier.Entry{entry(1, frontier.ClassLink, 0)}, Hashes: []uint64{1},
	}
	o.Append(ch)
	ch.Hosts[0], ch.Entries[0], ch.Hashes[0] = host(9, 9), entry(9, frontier.ClassSeed, 9), 9
	both(t, o, func(t *testing.T, s frontier.Store) {
		got := read(t, s)
		if !reflect.DeepEqual(got.Hosts, []frontier.Host{host(1, 1)}) || !slices.Equal(got.Hashes, []uint64{1}) {
			t.Errorf("contents = %+v, want them as they were appended", got)
		}
		if got := entries(t, s, 1, frontier.ClassLink, 0, 2); len(got) != 1 {
			t.Errorf("Entries = %+v, want one", got)
		}
	})
}

// testReadsBesideAppends reads while another goroutine appends enough to move
// records through everything that a store has.
func testReadsBesideAppends(t *testing.T, o Opened) {
	const steps, each = 150, 200
	appended := make(chan uint32, steps)
	var wg sync.WaitGroup
	wg.Go(func() {
		defer close(appended)
		for i := range uint32(steps) {
			ch := frontier.Changes{Hosts: []frontier.Host{host(1, (i+1)*each)}}
			for seq := i * each; seq < (i+1)*each; seq++ {
				ch.Entries = append(ch.Entries, entry(1, frontier.ClassLink, seq))
			}
			o.Append(ch)
			appended <- (i + 1) * each
		}
	})
	for tail := range appended {
		for _, from := range []uint32{0, tail / 2, tail - 32} {
			if got := entries(t, o, 1, frontier.ClassLink, from, 32); len(got) != 32 || got[31].Seq != from+31 {
				t.Errorf("Entries(1, link, %d, 32) returned %d entries beside appends, want 32", from, len(got))
			}
		}
	}
	wg.Wait()
	both(t, o, func(t *testing.T, s frontier.Store) {
		if got := entries(t, s, 1, frontier.ClassLink, 0, steps*each+1); len(got) != steps*each {
			t.Errorf("Entries returned %d entries, want %d", len(got), steps*each)
		}
	})
}

func testFrontierGoesOn(t *testing.T, o Opened) {
	opts := frontier.Options{
		Secret:     [2]uint64{1, 2},
		Politeness: func(string) frontier.Politeness { return frontier.DefaultPoliteness().Unspaced() },
	}
	f, err := frontier.Open(o, opts)
	if err != nil {
		t.Fatal(err)
	}
	var links []frontier.Link
	for i := range 100 {
		name := fmt.Sprintf("h%d.test", i%3)
		url := fmt.Sprintf("https://%s/%d", name, i)
		links = append(links, frontier.Link{URL: url, Key: url, Host: name, Class: frontier.ClassLink})
	}
	if got := f.Add(links, o.Append); got != len(links) {
		t.Fatalf("Add queued %d, want %d", got, len(links))
	}
	fetched := map[string]bool{}
	fetch := func(f *frontier.Frontier, journal frontier.Journal, n int) {
		for range n {
			l, err := f.Acquire(t.Context())
			if err != nil {
				t.Fatalf("Acquire after %d fetches: %v", len(fetched), err)
			}
			if fetched[l.URL] {
				t.Errorf("%s was leased twice", l.URL)
			}
			fetched[l.URL] = true
			f.Finish(l, frontier.Result{Outcome: frontier.Indexed}, journal)
		}
	}
	fetch(f, o.Append, 40)
	s := o.Reopen()
	if f, err = frontier.Open(s, opts); err != nil {
		t.Fatal(err)
	}
	if got := f.Add(links, s.Append); got != 0 {
		t.Errorf("Add after reopening queued %d links that were known", got)
	}
	fetch(f, s.Append, 60)
	if l, err := f.Acquire(t.Context()); !errors.Is(err, frontier.ErrDrained) {
		t.Errorf("Acquire at the end = %+v, %v; want ErrDrained", l, err)
	}
	if c := f.Report().Counts; c[frontier.Indexed] != 100 || c.Known() != 100 {
		t.Errorf("counts = %v, want 100 indexed", c)
	}
}
