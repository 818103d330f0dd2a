package storage

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	bolt "go.etcd.io/bbolt"

	"github.com/hashcrawl/hashcrawl/frontier"
)

// The variables that make BenchmarkScale a large one; docs/performance.md has
// the commands.
const (
	scaleURLs  = "HASHCRAWL_SCALE_URLS"  // known URLs in the end; default 200,000
	scaleHosts = "HASHCRAWL_SCALE_HOSTS" // default 1,000
	scaleDir   = "HASHCRAWL_SCALE_DIR"   // where the crawl file is made
)

// scaleWorkers is how many goroutines fetch, as workers of a crawl do.
const scaleWorkers = 4

// tell prints at once, and all of it, which a benchmark's log does not.
func tell(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }

func scaleNumber(variable string, otherwise int) int {
	if n, err := strconv.Atoi(os.Getenv(variable)); err == nil {
		return n
	}
	return otherwise
}

// A syntheticWeb makes the links of pages: 50 a page, of which 10 are new, 20
// stood on one of the last thousand pages, and 20 anywhere. Of a page's new
// links some lead to another host.
type syntheticWeb struct {
	hosts uint64
	known *atomic.Uint64 // URLs so far, of all that share the web
	rnd   *rand.Rand
	text  []byte
	links [50]frontier.Link
}

func newSyntheticWeb(hosts int) *syntheticWeb {
	return &syntheticWeb{hosts: uint64(hosts), known: new(atomic.Uint64), rnd: rand.New(rand.NewPCG(1, 2))}
}

// share returns the same web for another goroutine.
func (w *syntheticWeb) share() *syntheticWeb {
	return &syntheticWeb{hosts: w.hosts, known: w.known, rnd: rand.New(rand.NewPCG(w.rnd.Uint64(), 2))}
}

// link returns URL n. Eight in a row have the same host.
func (w *syntheticWeb) link(n uint64) frontier.Link {
	const scheme = "https://"
	b := append(append(w.text[:0], scheme...), "www.host-"...)
	b = strconv.AppendUint(b, (n/8*0x9e3779b97f4a7c15>>20)%w.hosts, 10)
	b = append(b, ".test"...)
	end := len(b)
	b = strconv.AppendUint(append(b, "/category/"...), n%17, 10)
	b = strconv.AppendUint(append(b, "/article-"...), n, 10)
	w.text = append(b, ".html"...)
	url := string(w.text)
	return frontier.Link{URL: url, Key: url, Host: url[len(scheme):end], Class: frontier.ClassLink, Via: frontier.ViaLink, Depth: 3}
}

// page returns the links of the next page.
func (w *syntheticWeb) page() []frontier.Link {
	const fresh = 10
	known := w.known.Add(fresh) - fresh
	for i := range w.links {
		n := known + uint64(i)
		switch {
		case i < fresh:
		case i < 30:
			n = known - min(known, w.rnd.Uint64N(10_000)+1)
		default:
			n = w.rnd.Uint64N(known + 1)
		}
		w.links[i] = w.link(n)
	}
	return w.links[:]
}

// A commitClock measures the transactions of the writer.
type commitClock struct {
	mu   sync.Mutex // guards what follows
	took []time.Duration
}

func (c *commitClock) transact(b *bolt.DB, fn func(*bolt.Tx) error) error {
	start := time.Now()
	err := b.Update(fn)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.took = append(c.took, time.Since(start))
	return err
}

// lap returns the median, the 99th percentile and the longest since the last.
func (c *commitClock) lap() (p50, p99, most time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.took) == 0 {
		return 0, 0, 0
	}
	slices.Sort(c.took)
	p50, p99, most = c.took[len(c.took)/2], c.took[len(c.took)*99/100], c.took[len(c.took)-1]
	c.took = c.took[:0]
	return p50, p99, most
}

// processorTime returns what the process has used of the processors.
func processorTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// anonymousMemory returns what the process has of memory that is no part of a file:
// heap, stacks and seen set. It is 0 where nobody can tell.
func anonymousMemory() uint64 {
	status, _ := os.ReadFile("/proc/self/status")
	_, after, _ := strings.Cut(string(status), "RssAnon:")
	var kilobytes uint64
	fmt.Sscan(after, &kilobytes)
	return kilobytes << 10
}

// BenchmarkScale is the frontier and the crawl file alone, with synthetic
// fetches: every page is leased, finished with 50 links of which 10 are new, and
// made durable. It prints how it went at each stage, and then opens the file
// again as after kill -9, and compacts it.
func BenchmarkScale(b *testing.B) {
	urls, hosts := uint64(scaleNumber(scaleURLs, 200_000)), scaleNumber(scaleHosts, 1_000)
	dir := os.Getenv(scaleDir)
	if dir == "" {
		dir = b.TempDir()
	}
	for b.Loop() {
		path := filepath.Join(dir, "scale.db")
		os.Remove(path)
		grow(b, path, urls, hosts)
		reopenScaled(b, path)
		before, after, err := Compact(path)
		if err != nil {
			b.Fatal(err)
		}
		tell("compacted: %.1f of %.1f bytes a URL", float64(after)/float64(urls), float64(before)/float64(urls))
		if err := os.Remove(path); err != nil {
			b.Fatal(err)
		}
	}
}

// stages are the numbers of known URLs at which BenchmarkScale tells how it goes.
func stages(urls uint64) (at []uint64) {
	for n := min(urls, 1_000_000); n < urls; n += max(1_000_000, urls/10) {
		at = append(at, n)
	}
	return append(at, urls)
}

func grow(b *testing.B, path string, urls uint64, hosts int) {
	clock := &commitClock{}
	db, err := open(path, Options{Create: true, Norm: "1 crawl"}, clock.transact)
	if err != nil {
		b.Fatal(err)
	}
	f := openScaled(b, db)
	web := newSyntheticWeb(hosts)
	f.Add(web.page(), func(ch frontier.Changes) { db.Append(Commit{Changes: ch}) })
	fetched := web.known.Load()
	start, cpu := time.Now(), processorTime()
	for _, at := range stages(urls) {
		finishPages(b, db, f, web, at)
		if err := db.Sync(); err != nil {
			b.Fatal(err)
		}
		took, used := time.Since(start), processorTime()-cpu
		p50, p99, most := clock.lap()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		info, err := os.Stat(path)
		if err != nil {
			b.Fatal(err)
		}
		known := web.known.Load()
		n := (known - fetched) / 10
		tell("%9d URLs: %6.0f pages/s, %5.1f µs of processor a page, commit p50 %v p99 %v max %v, heap %4d MB of %4d, memory %4d MB, file %5.1f B/URL",
			known, float64(n)/took.Seconds(), float64(used.Microseconds())/float64(n), p50.Round(100*time.Microsecond),
			p99.Round(100*time.Microsecond), most.Round(time.Millisecond), m.HeapAlloc>>20, m.Sys>>20, anonymousMemory()>>20, float64(info.Size())/float64(known))
		fetched = known
		start, cpu = time.Now(), processorTime()
	}
	// As kill -9 leaves it: what is in the log stays there.
	if err := db.bolt.Close(); err != nil {
		b.Fatal(err)
	}
	db.Close()
}

func openScaled(b *testing.B, db *DB) *frontier.Frontier {
	f, err := frontier.Open(db, frontier.Options{
		Secret:     db.Secret(),
		Politeness: func(string) frontier.Politeness { return frontier.DefaultPoliteness().Unspaced() },
	})
	if err != nil {
		b.Fatal(err)
	}
	return f
}

// finishPages finishes pages until so many URLs are known.
func finishPages(b *testing.B, db *DB, f *frontier.Frontier, web *syntheticWeb, urls uint64) {
	var wg sync.WaitGroup
	for range scaleWorkers {
		w := web.share()
		wg.Go(func() {
			for w.known.Load() < urls {
				finishPage(b, db, f, w.page())
			}
		})
	}
	wg.Wait()
}

func finishPage(b *testing.B, db *DB, f *frontier.Frontier, links []frontier.Link) {
	l, err := f.Acquire(b.Context())
	if err != nil {
		b.Error(err)
		return
	}
	db.Append(Commit{Lease: &Lease{Slot: l.Slot, ID: l.ID}})
	now := time.Now()
	c := Commit{
		Page: &Page{
			ID: l.ID, Outcome: frontier.Indexed, Status: 200, Fetched: now, Took: 80 * time.Millisecond, Attempts: 1, Bytes: 40_000,
			ContentType: "text/html; charset=utf-8", Title: "Article of a site", Lang: "en", ETag: `"5f3a-61b2c"`,
			BodyHash: 1 << 63, TextHash: 1 << 62, Links: len(links),
		},
		Lease: &Lease{Slot: l.Slot},
	}
	r := frontier.Result{Outcome: frontier.Indexed, Links: links, Request: &frontier.Request{Start: now, End: now, Status: 200, Bytes: 9_000}}
	f.Finish(l, r, func(ch frontier.Changes) {
		c.Changes = ch
		db.Append(c)
	})
}

// reopenScaled opens the file and measures how long it is to the first lease.
func reopenScaled(b *testing.B, path string) {
	runtime.GC()
	start := time.Now()
	db, err := Open(path, Options{})
	if err != nil {
		b.Fatal(err)
	}
	opened := time.Since(start)
	f := openScaled(b, db)
	loaded := time.Since(start)
	if _, err := f.Acquire(b.Context()); err != nil {
		b.Fatal(err)
	}
	first := time.Since(start)
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	runtime.KeepAlive(f)
	tell("reopened: file after %v, frontier after %v, first lease after %v; heap %d MB", opened.Round(time.Millisecond),
		loaded.Round(time.Millisecond), first.Round(time.Millisecond), m.HeapAlloc>>20)
	if err := db.Close(); err != nil {
		b.Fatal(err)
	}
}
