package crawler

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hashcrawl/hashcrawl/frontier"
	"github.com/hashcrawl/hashcrawl/pagination"
	"github.com/hashcrawl/hashcrawl/storage"
	"github.com/hashcrawl/hashcrawl/urlnorm"
)

// countCrashes tells the frontier which entries were under way when the process
// died. Each is counted and forgotten in one commit.
func (c *Crawler) countCrashes() error {
	leases, err := c.store.Leases()
	if err != nil {
		return err
	}
	errands, err := c.store.ErrandCrashes()
	if err != nil {
		return err
	}
	known := map[string]frontier.Crashes{}
	for _, e := range errands {
		known[e.URL] = e.Crashes
	}
	for _, was := range leases {
		if was.Errand != "" {
			known[was.Errand] = known[was.Errand].Add(was.Alone)
			c.store.Append(storage.Commit{
				Errand: &storage.ErrandCrashes{URL: was.Errand, Crashes: known[was.Errand]}, Lease: &storage.Lease{Slot: was.Slot},
			})
			continue
		}
		crashes, err := c.frontier.Crashed(was.ID, was.Alone, func(ch frontier.Changes) {
			c.store.Append(storage.Commit{Changes: ch, Lease: &storage.Lease{Slot: was.Slot}})
		})
		if err != nil {
			return err
		}
		if crashes.Suspect() {
			c.opts.Log.Warn("a URL was under way at several crashes; it is fetched last, and alone", "entry", was.ID, "crashes", crashes.Company, "alone", crashes.Alone)
		}
	}
	for url, crashes := range known {
		c.frontier.CrashedErrands(url, crashes)
		if crashes.Suspect() {
			c.opts.Log.Warn("a URL was under way at several crashes; it is fetched last, and alone", "url", url, "crashes", crashes.Company, "alone", crashes.Alone)
		}
	}
	return nil
}

// careful is how long a resumed crawl makes every lease durable before it sends
// a request.
const careful = 10 * time.Second

// begin notes that a request for an entry or an errand is to be under way, so that one which
// kills the process is known by it. The note becomes durable with the next
// group, which is too late for what kills the process at once. So it is made
// durable first, with everything before it, when a resumed crawl is young, for
// the first entry of a host in it, for errands, and for suspects: what killed the process is
// then met again under one of these.
func (c *Crawler) begin(l *frontier.Lease) error {
	lease := storage.Lease{Slot: l.Slot, ID: l.ID, Alone: l.Alone}
	if l.Errand != nil {
		lease.Errand = l.Errand.URL
	}
	c.store.Append(storage.Commit{Lease: &lease})
	if l.Alone || c.opts.Resumed && (l.First || l.Errand != nil || time.Since(c.started) < careful) {
		return c.store.Sync()
	}
	return nil
}

// ending returns what is committed with the end of a lease: the commit, and that it
// is over.
func ending(l *frontier.Lease, r *frontier.Result, commit storage.Commit) storage.Commit {
	commit.Lease = &storage.Lease{Slot: l.Slot}
	if l.Errand != nil && r.Disposition == frontier.Done && l.Crashes != (frontier.Crashes{}) && !l.Crashes.Proved() {
		commit.Errand = &storage.ErrandCrashes{URL: l.Errand.URL}
	}
	return commit
}

// giveUpErrand ends an errand that kills the process, as one that brings nothing:
// without its robots.txt an origin is not asked for anything, a walk over a series
// fails, and the page behind a state is not known.
func (c *Crawler) giveUpErrand(l *frontier.Lease) {
	why := proved(l)
	c.opts.Log.Warn("a URL kills the process; it is not asked for any more", "url", l.Errand.URL, "reason", why)
	switch e := l.Errand; {
	case strings.HasPrefix(e.For, seriesErrand):
		p := &page{Lease: l, record: &storage.Page{}}
		p.URL = e.URL
		st := c.seriesOf(e)
		c.endErrand(p, st, frontier.Result{}, func() {
			w := st.walk
			if text := e.URL + ": " + why; !slices.Contains(w.Evidence, text) { // each visit comes here
				w.Evidence = append(slices.Clone(w.Evidence), text)
			}
			w.fail(pagination.ServerError)
		})
		return
	case e.For == errandShell:
		if at, err := c.resolve(nil, e.URL, urlnorm.Charset{}); err == nil {
			c.shells.learn(&storage.Shell{URL: at.Display}, l.Host)
		}
	default:
		c.giveUp(e.For, "robots.txt: "+why)
	}
	c.finish(l, frontier.Result{Released: l.Errand.Holds}, storage.Commit{})
}

// proved returns why an entry that kills the process is not fetched any more.
func proved(l *frontier.Lease) string {
	return fmt.Sprintf("crash: the crawler died %d times while fetching it, %d of them with nothing else under way", int(l.Crashes.Company)+int(l.Crashes.Alone), l.Crashes.Alone)
}
