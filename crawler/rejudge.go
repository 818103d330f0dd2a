package crawler

import (
	"github.com/hashcrawl/hashcrawl/frontier"
	"github.com/hashcrawl/hashcrawl/storage"
	"github.com/hashcrawl/hashcrawl/urlnorm"
)

// rejudged are the refusals that other settings can lift.
var rejudged = map[frontier.Outcome]bool{
	frontier.OutOfScope: true, frontier.Excluded: true, frontier.TooDeep: true,
	frontier.NoFollow: true, frontier.UglyLink: true, frontier.Trap: true,
}

// Rejudge queues the links that were refused under earlier settings and are
// not under those of now, and returns how many there are. What waits and is no
// longer wanted is found out when its turn comes.
func (c *Crawler) Rejudge(refused func(func(frontier.Entry) error) error) (queued int, err error) {
	const batch = 1000
	links := make([]frontier.Link, 0, batch)
	flush := func() {
		queued += c.frontier.Add(links, func(ch frontier.Changes) { c.store.Append(storage.Commit{Changes: ch}) })
		links = links[:0]
	}
	err = refused(func(e frontier.Entry) error {
		if !rejudged[e.Refusal] || e.Refusal == frontier.NoFollow && !c.settings.Nofollow ||
			e.Refusal == frontier.UglyLink && c.settings.Ugly == UglyCount {
			return nil
		}
		// What a rule has seen is not stored, so one that is as it was before
		// must not judge again.
		if _, changed := c.settings.Traps[e.Rule]; e.Refusal == frontier.Trap && !changed {
			return nil
		}
		u, err := c.norm.Resolve(nil, e.URL, urlnorm.Charset{})
		if err != nil {
			return nil // recorded when the rules were others; it stays refused
		}
		l := c.link(u, e.Via, int(e.Depth))
		if l.Refusal == frontier.Waiting {
			if links = append(links, l); len(links) == batch {
				flush()
			}
		}
		return nil
	})
	flush()
	return queued, err
}
