package crawler

import (
	"fmt"
	"time"

	"github.com/hashcrawl/hashcrawl/frontier"
	"github.com/hashcrawl/hashcrawl/storage"
)

// countCrashes tells the frontier which entries were under way when the process
// died. Each is counted and forgotten in one commit.
func (c *Crawler) countCrashes() error {
	leases, err := c.store.Leases()
	if err != nil {
		return err
	}
	for _, was := range leases {
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
	return nil
}

// careful is how long a resumed crawl makes every lease durable before it sends
// a request.
const careful = 10 * time.Second

// begin notes that a request for an entry is to be under way, so that one which
// kills the process is known by it. The note becomes durable with the next
// group, which is too late for what kills the process at once. So it is made
// durable first, with everything before it, when a resumed crawl is young, for
// the first entry of a host in it, and for suspects: what killed the process is
// then met again under one of these.
func (c *Crawler) begin(l *frontier.Lease) error {
	c.store.Append(storage.Commit{Lease: &storage.Lease{Slot: l.Slot, ID: l.ID, Alone: l.Alone}})
	if l.Alone || c.opts.Resumed && (l.First || time.Since(c.started) < careful) {
		return c.store.Sync()
	}
	return nil
}

// proved returns why an entry that kills the process is not fetched any more.
func proved(l *frontier.Lease) string {
	return fmt.Sprintf("crash: the crawler died %d times while fetching it, %d of them with nothing else under way", int(l.Crashes.Company)+int(l.Crashes.Alone), l.Crashes.Alone)
}
