package crawler

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hashcrawl/hashcrawl/crawler/fetch"
	"github.com/hashcrawl/hashcrawl/frontier"
	"github.com/hashcrawl/hashcrawl/pagination"
	"github.com/hashcrawl/hashcrawl/pagination/listing"
	"github.com/hashcrawl/hashcrawl/storage"
	"github.com/hashcrawl/hashcrawl/urlnorm"
)

// defaultGap is the least gap per host that nobody can lower without a contact.
const defaultGap = 2 * time.Second

// grace is how long requests under way may go on when the crawl is to end.
const grace = 10 * time.Second

// maxLargeBodies is how many sitemaps are in memory at a time.
const maxLargeBodies = 4

// maxLargePages is how many pages longer than largePage are judged at a time. A
// page of 10 MB can have a million links, which take half a gigabyte until they
// are committed.
const (
	maxLargePages = 2
	largePage     = 1 << 20
)

// A Fetcher sends requests. Its errors are *fetch.Error where one URL failed.
type Fetcher interface {
	// Resolve returns the address that a request for host would go to.
	Resolve(ctx context.Context, host string) (netip.Addr, error)
	Fetch(ctx context.Context, r fetch.Request) (*fetch.Response, error)
}

// A Store keeps a crawl. *storage.DB is one.
type Store interface {
	frontier.Store
	Secret() [2]uint64 // of the seen set's hashes
	Norm() string      // ID of the normaliser whose keys the crawl has
	Append(storage.Commit)
	Sync() error
	Failed() <-chan struct{}
	Err() error
	Page(frontier.ID) (storage.Page, bool, error)
	Pages(func(frontier.Entry, storage.Page) error) error
	Entry(frontier.ID) (frontier.Entry, bool, error)
	Robots(origin string) (storage.Robots, bool, error)
	Series(key string) (storage.Series, bool, error)
	AllSeries(func(storage.Series) error) error
	Shell(url string) (storage.Shell, bool, error)
	Shells(func(storage.Shell) error) error
	Leases() ([]storage.Lease, error)
	ErrandCrashes() ([]storage.ErrandCrashes, error)
}

// Options say how one run is carried out.
type Options struct {
	Workers  int                 // leases at a time; 0 means 16
	MaxPages int                 // pages requested in this run; 0 means no limit
	MaxTime  time.Duration       // of this run; 0 means no limit
	Visits   pagination.Schedule // of series
	Pass     pagination.Limits   // of the passes over series
	Backfill Backfill            // of series; "" means none
	Resumed  bool                // requests may have been under way when the crawl stopped
	Rand     *rand.Rand          // of the jitter; nil means a fixed seed
	Log      *slog.Logger        // nil means none
}

// A Crawler is one run of a crawl.
type Crawler struct {
	opts     Options
	started  time.Time
	settings *Settings
	norm     *urlnorm.Normalizer
	store    Store
	fetcher  Fetcher
	frontier *frontier.Frontier
	rulebook rulebook
	series   seriesBook
	markers  *listing.Markers
	readers  sync.Pool // of *reader
	traps    *traps
	shells   *shells

	canonicals canonicals

	largeBodies chan struct{} // holds one of few places for each body that may be large
	largePages  chan struct{} // the same for each page that is large, while it is judged

	mu    sync.Mutex        // guards what follows
	scope *scope            // replaced, not changed, when a seed redirects
	dead  map[string]string // origins that cannot be reached at all, and why
	// robotsTries counts the tries for the robots.txt of origins that never had
	// one, on hosts of which another origin has answered.
	robotsTries map[string]int

	requests atomic.Int64
	pages    atomic.Int64
	bytes    atomic.Int64
}

// New makes ready the next run of the crawl in store. Seeds that are not known
// yet are added, and the settings stored.
func New(store Store, fetcher Fetcher, settings *Settings, opts Options) (*Crawler, error) {
	if err := settings.Check(); err != nil {
		return nil, err
	}
	norm, err := settings.Normalizer()
	if err != nil {
		return nil, err
	}
	if was, is := store.Norm(), norm.ID(); was != is {
		// URLs seen before would be taken as new, and new ones as seen.
		return nil, fmt.Errorf("%w: %q, not %q; crawl into another directory, or leave the rules as they were", ErrNorm, was, is)
	}
	if opts.Workers <= 0 {
		opts.Workers = 16
	}
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	c := &Crawler{
		opts: opts, started: time.Now(), settings: settings, norm: norm, store: store, fetcher: fetcher,
		rulebook: rulebook{store: store, cache: map[string]originRules{}}, dead: map[string]string{}, robotsTries: map[string]int{},
		canonicals: canonicals{named: map[uint64]uint64{}}, largeBodies: make(chan struct{}, maxLargeBodies),
		largePages: make(chan struct{}, maxLargePages),
	}
	c.rulebook.cleans.Store(settings.CleanParams)
	if c.scope, err = newScope(settings, norm); err != nil {
		return nil, err
	}
	c.frontier, err = frontier.Open(store, frontier.Options{
		Secret: store.Secret(), Politeness: settings.politeness, Rand: opts.Rand, ResumeGap: opts.Resumed,
	})
	if err != nil {
		return nil, err
	}
	if c.traps, err = newTraps(settings, c.frontier.Queued); err != nil {
		return nil, err
	}
	if c.shells, err = newShells(store); err != nil {
		return nil, err
	}
	if c.markers, err = settings.markers(); err != nil {
		return nil, err
	}
	if err := c.loadSeries(); err != nil {
		return nil, err
	}
	if err := c.countCrashes(); err != nil {
		return nil, err
	}
	return c, c.addSeeds()
}

// politeness returns how the host is to be treated.
func (s *Settings) politeness(host string) frontier.Politeness {
	p := frontier.DefaultPoliteness()
	switch {
	case s.Delay == nil:
	case *s.Delay == 0 && isLoopback(host):
		p = p.Unspaced()
	case time.Duration(*s.Delay) >= p.MinGap || s.Contact != "" || isLoopback(host):
		p.MinGap = time.Duration(*s.Delay)
		p.MaxGap = max(p.MaxGap, p.MinGap)
	}
	return p
}

// addSeeds puts the seeds into the frontier.
func (c *Crawler) addSeeds() error {
	var links []frontier.Link
	for _, seed := range c.settings.Seeds {
		u, err := c.norm.Resolve(nil, seed, urlnorm.Charset{})
		if err != nil {
			return fmt.Errorf("seed %q: %w", seed, err)
		}
		links = append(links, frontier.Link{
			URL: u.Display, Key: u.Key, Host: u.Host(), Class: frontier.ClassSeed, Via: frontier.ViaSeed,
			Snapshot: c.snapshotAlways(u),
		})
	}
	for _, at := range c.settings.Sitemaps {
		l, _ := c.sitemapLink(nil, at) // Check has resolved it before
		links = append(links, l)
	}
	config := c.settings.encode()
	c.frontier.Add(links, func(ch frontier.Changes) {
		c.store.Append(storage.Commit{Changes: ch, Config: config})
	})
	return c.store.Sync() // a crawl that can be resumed, before anything is requested
}

// ErrNorm is what New returns, with more words, for a crawl whose keys were made
// under other rules than the settings ask for.
var ErrNorm = errors.New("the crawl was made under other normalisation rules")

// Why a run ended before the frontier was empty.
var (
	errPageLimit = errors.New("the page limit is reached")
	errTimeLimit = errors.New("the time limit is reached")
	errGrace     = errors.New("the crawl ends")
)

// A Summary tells how a run ended.
type Summary struct {
	frontier.Report
	Requests    int64  // that were sent, robots.txt included
	Pages       int64  // of these, for pages and snapshots
	Bytes       int64  // of bodies, content codings removed
	Limit       string // the limit of the user's that ended the run; "" if none did
	Interrupted bool   // ctx was done
}

// Run crawls until nothing is left, a limit is reached, ctx is done or the
// store fails. When ctx is done, requests under way are finished first. It
// starts every goroutine of the crawl and returns after the last has ended.
func (c *Crawler) Run(ctx context.Context) (Summary, error) {
	return c.run(ctx, func(context.Context, time.Time) bool { return false })
}

// run is Run, but when nothing is left it asks goOn, with the time when the
// next series is due, whether to look again. goOn waits until then.
func (c *Crawler) run(ctx context.Context, goOn func(context.Context, time.Time) bool) (Summary, error) {
	parent := ctx
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	if c.opts.MaxTime > 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeoutCause(ctx, c.opts.MaxTime, errTimeLimit)
		defer stop()
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		select {
		case <-c.store.Failed():
			cancel(c.store.Err())
		case <-ctx.Done():
		}
	})
	// What is under way when ctx ends is finished, if it does not take too long.
	finishing, stopNow := context.WithCancelCause(context.WithoutCancel(ctx))
	defer stopNow(nil)
	wg.Go(func() {
		<-ctx.Done()
		select {
		case <-time.After(grace):
			stopNow(errGrace)
		case <-finishing.Done():
		}
	})
	fill := func() bool {
		sent, err := c.sendForFills(time.Now())
		if err != nil {
			cancel(err)
		}
		return sent && err == nil
	}
	for {
		if err := c.visitDue(time.Now()); err != nil {
			cancel(err)
		}
		for again := true; again; again = ctx.Err() == nil && (c.sendForWaiting() || fill()) {
			var workers sync.WaitGroup
			for range c.opts.Workers {
				workers.Go(func() {
					if err := c.work(ctx, finishing); err != nil {
						cancel(err) // the first cause stays; the others see ctx.Done
					}
				})
			}
			workers.Wait()
		}
		if ctx.Err() != nil || !goOn(ctx, c.nextVisit()) {
			break
		}
		c.frontier.Unpark()
		c.mu.Lock()
		clear(c.dead)
		clear(c.robotsTries)
		c.mu.Unlock()
	}
	if ctx.Err() != nil {
		c.endWalks(pagination.Interrupted)
	} else {
		c.endWalks(pagination.ServerError)
	}
	cause := context.Cause(ctx)
	cancel(nil)
	stopNow(nil)
	wg.Wait()
	c.frontier.Close()
	s := Summary{
		Report: c.frontier.Report(), Requests: c.requests.Load(), Pages: c.pages.Load(), Bytes: c.bytes.Load(),
		Interrupted: parent.Err() != nil,
	}
	switch {
	case cause == nil:
		if err := c.indexLeftOut(parent, &s.Counts); err != nil && parent.Err() == nil {
			return s, err
		}
		s.Interrupted = parent.Err() != nil
	case errors.Is(cause, errPageLimit), errors.Is(cause, errTimeLimit):
		s.Limit = cause.Error()
	case !s.Interrupted:
		return s, cause
	}
	return s, nil
}

// work serves leases until there are no more. A nil error means that the
// frontier is drained or ctx is done. Requests end with finishing.
func (c *Crawler) work(ctx, finishing context.Context) error {
	for {
		l, err := c.frontier.Acquire(ctx)
		switch {
		case err != nil && (ctx.Err() != nil || errors.Is(err, frontier.ErrDrained)):
			return nil
		case err != nil:
			return err
		}
		if err := c.serve(finishing, l); err != nil {
			return err
		}
	}
}

// Report tells where the crawl stands now.
func (c *Crawler) Report() frontier.Report { return c.frontier.Report() }

// finish ends a lease and commits everything that belongs to it.
func (c *Crawler) finish(l *frontier.Lease, r frontier.Result, commit storage.Commit) {
	commit = ending(l, &r, commit)
	c.frontier.Finish(l, r, func(ch frontier.Changes) {
		commit.Changes = ch
		c.store.Append(commit)
	})
	if l.Alone {
		// A process that is killed later must not be held against it. If this
		// fails, the crawl ends by itself.
		_ = c.store.Sync()
	}
}

// giveUp notes that an origin cannot be reached, so that nothing more is sent
// to it until the run looks again.
func (c *Crawler) giveUp(origin, why string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.dead[origin] = why
	delete(c.robotsTries, origin)
}

// givenUp returns why an origin is not asked any more, or "".
func (c *Crawler) givenUp(origin string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.dead[origin]
}

// currentScope returns the scope as it is now.
func (c *Crawler) currentScope() *scope {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.scope
}

// addRoot takes the target of a seed's redirect as a seed. It returns the new
// settings to be stored, nil if nothing changed.
func (c *Crawler) addRoot(u urlnorm.URL) []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	wider := *c.scope
	if !wider.addRoot(u) {
		return nil
	}
	c.scope = &wider
	c.settings.Roots = append(c.settings.Roots, u.Display)
	return c.settings.encode()
}
