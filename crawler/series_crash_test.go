package crawler

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hashcrawl/hashcrawl/crawler/export"
	"github.com/hashcrawl/hashcrawl/crawler/fetch"
	"github.com/hashcrawl/hashcrawl/pagination"
	"github.com/hashcrawl/hashcrawl/storage"
)

// A deadlyWeb kills the crawl at an index page: nothing that happens after that
// is written.
type deadlyWeb struct {
	*web
	path    string // of the crawl file
	after   int    // index pages that are still answered
	durable []byte // the crawl file as it was at the kill
}

var errKilled = errors.New("killed")

func (w *deadlyWeb) Fetch(ctx context.Context, r fetch.Request) (*fetch.Response, error) {
	if strings.Contains(r.URL, "/news/") {
		if w.after--; w.after < 0 {
			synctest.Wait() // until the writer is idle: the file is whole
			var err error
			if w.durable, err = os.ReadFile(w.path); err != nil {
				return nil, err
			}
			return nil, errKilled
		}
	}
	return w.web.Fetch(ctx, r)
}

// runAndKill carries out a run that is killed at the nth index page.
func (c *crawl) runAndKill(n int) {
	c.t.Helper()
	c.runAndKillWith(n, Options{Visits: pagination.Schedule{Min: time.Minute, Max: time.Minute}})
}

func (c *crawl) runAndKillWith(n int, opts Options) {
	c.t.Helper()
	w := &deadlyWeb{web: c.web, path: c.path, after: n - 1}
	db := c.open(storage.Options{Create: true, Norm: c.norm().ID()})
	opts.Workers, opts.Resumed = 1, !db.Created()
	cr, err := New(db, w, &c.settings, opts)
	if err != nil {
		c.t.Fatal(err)
	}
	_, err = cr.Run(c.t.Context())
	c.close(db)
	if w.durable == nil {
		return // the walk ended before
	}
	if !errors.Is(err, errKilled) {
		c.t.Fatal(err)
	}
	if err := os.WriteFile(c.path, w.durable, 0o600); err != nil {
		c.t.Fatal(err)
	}
}

// TestKillsAtEveryPageMissNothing kills a walk over four pages at each of them,
// and the next one, which has more news to find, at each again. No state that is
// left says that it is complete, and the third walk finds everything.
func TestKillsAtEveryPageMissNothing(t *testing.T) {
	for _, takes := range []time.Duration{0, time.Second} { // with 0, part of what was read is not durable
		for first := 1; first <= 4; first++ {
			for second := 1; second <= 4; second++ {
				if takes == 0 && second != first {
					continue
				}
				t.Run(fmt.Sprintf("%v %d %d", takes, first, second), func(t *testing.T) {
					synctest.Test(t, func(t *testing.T) {
						c, r := newRollCrawl(t, 35)
						r.begun = r.begun.Add(-100 * time.Hour)
						r.write()
						c.run(Options{})
						news := 35
						for _, kill := range []int{first, second} {
							news += 33
							r.publish(33)
							r.slow(takes)
							time.Sleep(2 * time.Minute)
							begun := time.Now().Truncate(time.Millisecond) // as series keep it
							c.runAndKill(kill)
							if s := c.series(); s.Complete && !s.Tried.Before(begun) {
								t.Errorf("killed at page %d, the series is complete by %v", kill, s.Certificate.Reason)
							}
						}
						time.Sleep(time.Hour)
						c.run(Options{Visits: pagination.Schedule{Min: time.Minute, Max: time.Minute}})
						if s := c.series(); !s.Complete {
							t.Errorf("the last pass stopped by %v and is not complete", s.Certificate.Reason)
						}
						for n := 1; n <= news; n++ {
							if c.web.count(fmt.Sprintf("http://a.test/item/%d", n)) == 0 {
								t.Errorf("item %d was never requested", n)
							}
						}
					})
				})
			}
		}
	}
}

// slow makes every index page take a while.
func (r *roll) slow(takes time.Duration) {
	for p := 1; p <= (len(r.items)+9)/10; p++ {
		a := r.web.answers[r.url(p)]
		a.takes = takes
		r.web.answers[r.url(p)] = a
	}
}

// TestFirstCrawlThatIsKilledOrBounded stops the first crawl of a list at each of
// its first pages, by a kill and by a limit. The series is never falsely
// complete, and the next run repairs it.
func TestFirstCrawlThatIsKilledOrBounded(t *testing.T) {
	for _, how := range []string{"kill", "limit"} {
		for n := 1; n <= 4; n++ {
			t.Run(fmt.Sprint(how, " ", n), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					c, r := newRollCrawl(t, 35)
					r.begun = r.begun.Add(-100 * time.Hour)
					r.write()
					r.slow(time.Second)
					if how == "kill" {
						c.runAndKill(n)
					} else {
						c.run(Options{MaxPages: n})
					}
					for _, s := range c.allSeries() {
						if read := len(s.Head) + len(s.Segments); s.Complete && read == 0 {
							t.Errorf("the series is complete by %v, and nothing was read", s.Certificate.Reason)
						}
					}
					c.run(Options{})
					if s := c.series(); !s.Complete || len(s.Head) < 15 {
						t.Errorf("the series stopped by %v, complete %v, with %d items", s.Certificate.Reason, s.Complete, len(s.Head))
					}
					for n := 1; n <= 35; n++ {
						if got := c.web.count(fmt.Sprintf("http://a.test/item/%d", n)); got < 1 || got > 2 {
							t.Errorf("item %d was requested %d times", n, got)
						}
					}
					r.publish(14)
					time.Sleep(time.Until(c.series().NextVisit))
					c.run(Options{})
					if s := c.series(); s.Certificate.Reason != pagination.Overlap || s.Certificate.New != 14 {
						t.Errorf("the next pass stopped by %v with %d new; want overlap, 14 new", s.Certificate.Reason, s.Certificate.New)
					}
				})
			})
		}
	}
}

// TestInterruptedWalkSaysSo ends a run in the middle of a walk, as Ctrl-C does.
func TestInterruptedWalkSaysSo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, r := newRollCrawl(t, 35)
		r.begun = r.begun.Add(-100 * time.Hour)
		r.write()
		c.run(Options{})
		r.publish(33)
		r.slow(5 * time.Second)
		time.Sleep(time.Until(c.series().NextVisit))
		db := c.open(storage.Options{})
		cr, err := New(db, c.web, &c.settings, Options{})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second) // in page 1 or 2
		defer cancel()
		sum, err := cr.Run(ctx)
		if err != nil || !sum.Interrupted {
			t.Fatalf("Run = %+v, %v; want interrupted", sum, err)
		}
		c.close(db)
		if s := c.series(); s.Complete || s.Certificate.Reason != pagination.Interrupted || s.NextVisit.After(time.Now()) {
			t.Errorf("the pass stopped by %v, complete %v, next visit in %v; want interrupted, not complete, now",
				s.Certificate.Reason, s.Complete, time.Until(s.NextVisit))
		}
		c.run(Options{})
		if s := c.series(); !s.Complete {
			t.Errorf("the next pass stopped by %v", s.Certificate.Reason)
		}
		c.wantItems(68)
	})
}

// TestRandomFaultsAreNeverFalselyComplete lets a list grow while pages of it fail
// in every way and walks are killed, at random. After every visit that claims to
// be complete, and tells of no gap, every item that was there before it is known.
func TestRandomFaultsAreNeverFalselyComplete(t *testing.T) {
	faults := []answer{
		{status: 404},
		{status: 500},
		{status: 304},
		{status: 302, location: "/login"},
		{status: 301, location: "http://b.test/"},
		{body: "<title>Log in</title><form><input name=user></form>"},
		{body: "<title>News</title><main><ul class=roll>", cut: fetch.CutShort},
		{body: "%PDF-1.7"},
		{status: 429, header: http.Header{"Retry-After": {"30"}}},
		{err: &fetch.Error{Kind: fetch.KindReset, Retry: true}},
	}
	for seed := range uint64(16) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				rnd := rand.New(rand.NewPCG(seed, 0))
				opts := Options{Visits: pagination.Schedule{Min: time.Minute, Max: time.Minute}}
				if seed >= 8 { // visits leave gaps, and backfills read them
					opts.Pass.MaxPages, opts.Backfill = 2, BackfillGaps
				}
				c, r := newRollCrawl(t, 35)
				r.begun = r.begun.Add(-2000 * time.Hour)
				r.write()
				c.web.answers["http://a.test/login"] = answer{body: "<title>Log in</title>"}
				c.run(Options{})
				news := 35
				complete := 0
				for range 15 {
					n := rnd.IntN(36)
					r.publish(n)
					news += n
					spoilt, kill := 0, 0
					switch rnd.IntN(3) {
					case 0:
						spoilt = 1 + rnd.IntN(4)
						c.web.answers[r.url(spoilt)] = faults[rnd.IntN(len(faults))]
						if spoilt == 1 && c.web.answers[r.url(1)].status == 304 {
							r.write() // who lies about the validator that it gave is believed
						}
					case 1:
						kill = 1 + rnd.IntN(4)
					}
					time.Sleep(2 * time.Hour)                      // beyond all pauses
					begun := time.Now().Truncate(time.Millisecond) // as series keep it
					if kill > 0 {
						c.runAndKillWith(kill, opts)
					} else {
						c.run(opts)
					}
					s := c.series()
					closed := opts.Backfill != "" && s.Certificate.Gap == nil // by the backfill
					if (s.Complete || closed) && len(s.Gaps) == 0 && !s.Tried.Before(begun) {
						complete++
						c.wantAll(news, fmt.Sprintf("complete by %v with page %d spoilt and a kill at page %d", s.Certificate.Reason, spoilt, kill))
					}
					r.write()
				}
				if complete < 1 {
					t.Errorf("only %d visits of 15 were complete", complete)
				}
				for range 2 {
					time.Sleep(2 * time.Hour)
					c.run(opts)
				}
				s := c.series()
				if !s.Complete {
					t.Errorf("the last visit stopped by %v", s.Certificate.Reason)
				}
				if len(s.Gaps) == 0 { // one that was left for patience is told
					c.wantAll(news, "in the end")
				}
			})
		})
	}
}

// wantAll checks that every item is in the crawl file, fetched or in the queue.
func (c *crawl) wantAll(last int, when string) {
	c.t.Helper()
	known := map[string]bool{}
	db := c.open(storage.Options{ReadOnly: true})
	defer c.close(db)
	err := Rows(db, true, func(r *export.Row) error {
		known[r.URL] = true
		return nil
	})
	if err != nil {
		c.t.Fatal(err)
	}
	for n := 1; n <= last; n++ {
		if url := fmt.Sprintf("http://a.test/item/%d", n); !known[url] {
			c.t.Errorf("item %d of %d is not known, %s", n, last, when)
		}
	}
}
