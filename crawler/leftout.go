package crawler

import (
	"context"

	"github.com/hashcrawl/hashcrawl/frontier"
	"github.com/hashcrawl/hashcrawl/storage"
	"github.com/hashcrawl/hashcrawl/urlnorm"
)

// A page that names another one as its canonical is left out for that one when it
// is read, which is often before the other was asked for. If nothing is to be had
// there, or it leads back, neither would be indexed. So when nothing is left to
// fetch, the crawl looks what became of the canonicals, and indexes the pages that
// were left out in vain. Their records are whole, and nothing is asked for again.

// An end is what became of a URL for which pages were left out, or to which one
// of these leads.
type end struct {
	to     uint64           // hash of the key to which it leads; 0 if it does not
	became frontier.Outcome // Waiting if that is not known yet
}

// ends are known by the hash of the key. That is some forty bytes for each
// canonical, while nothing else goes on.
type ends map[uint64]end

// note takes the record of a page with the given key into account.
func (es ends) note(key uint64, p *storage.Page, to uint64) {
	e, wanted := es[key]
	switch {
	case !wanted, stands(e.became):
	case p.Outcome == frontier.Waiting, p.Outcome == frontier.OptedIn:
	case p.Outcome == frontier.Redirect && to == key: // the entry of the other spelling tells
	default:
		es[key] = end{to: to, became: p.Outcome}
	}
}

// stands reports whether pages may be left out for one with the outcome: it is
// indexed, or the site itself has said that it is not to be.
func stands(o frontier.Outcome) bool {
	return o == frontier.Indexed || o == frontier.NoIndex || o == frontier.Canonical
}

// inVain returns why the page with the key was left out in vain for the one with the
// key canonical; "" if it was not, or if that is not known.
func (es ends) inVain(page, canonical uint64) string {
	named := false // one on the way was left out, too
	at := es[canonical]
	for range maxHops + 1 {
		switch {
		case at.to == page:
			return "its canonical leads back to this page"
		case at.became == frontier.Canonical:
			named = true
		case at.became == frontier.Redirect:
		case at.became == frontier.Waiting, stands(at.became), named:
			return "" // a page that was left out in vain on the way is indexed itself
		default:
			return "its canonical cannot be indexed: " + at.became.String()
		}
		at = es[at.to]
	}
	if named {
		return ""
	}
	return "its canonical leads nowhere"
}

// indexLeftOut indexes the pages that were left out in vain, and changes counts
// accordingly. The frontier is closed: nobody else counts. A kill costs nothing:
// each page is one commit, and the next run that comes to its end goes on.
func (c *Crawler) indexLeftOut(ctx context.Context, counts *frontier.Counts) error {
	if counts[frontier.Canonical] == 0 {
		return nil
	}
	if err := c.store.Sync(); err != nil {
		return err
	}
	es := ends{}
	each := func(fn func(e *frontier.Entry, p *storage.Page)) error {
		return c.store.Pages(func(e frontier.Entry, p storage.Page) error {
			fn(&e, &p)
			return context.Cause(ctx)
		})
	}
	err := each(func(_ *frontier.Entry, p *storage.Page) {
		if p.Outcome == frontier.Canonical {
			es[c.keyHash(p.Canonical)] = end{}
		}
	})
	// Each turn finds the ends that the one before has led to.
	more := true
	for turn := 0; turn <= maxHops && more && err == nil; turn++ {
		var found []uint64
		err = each(func(e *frontier.Entry, p *storage.Page) {
			key := c.keyHash(e.URL)
			if _, wanted := es[key]; !wanted {
				return
			}
			to := uint64(0)
			switch p.Outcome {
			case frontier.Canonical:
				to = c.keyHash(p.Canonical)
			case frontier.Redirect:
				to = c.keyHash(p.Target)
				found = append(found, to)
			}
			es.note(key, p, to)
		})
		more = false
		for _, key := range found {
			if _, known := es[key]; !known {
				es[key], more = end{}, true
			}
		}
	}
	if err != nil {
		return err
	}
	indexed := 0
	err = each(func(e *frontier.Entry, p *storage.Page) {
		if p.Outcome != frontier.Canonical {
			return
		}
		key := c.keyHash(e.URL)
		why := es.inVain(key, c.keyHash(p.Canonical))
		if why == "" {
			return
		}
		p.Outcome, p.Reason = frontier.Indexed, why
		es[key] = end{became: frontier.Indexed} // those that lead here were not left out in vain
		counts[frontier.Canonical]--
		counts[frontier.Indexed]++
		indexed++
		c.store.Append(storage.Commit{Page: p, Changes: frontier.Changes{Counts: *counts}})
		c.opts.Log.Debug("indexed after all", "url", e.URL, "reason", why)
	})
	if indexed > 0 {
		c.opts.Log.Info("pages whose canonical cannot be indexed are indexed themselves", "pages", indexed)
	}
	if err != nil {
		return err
	}
	return c.store.Sync()
}

// keyHash returns a hash of the key of a display URL.
func (c *Crawler) keyHash(display string) uint64 {
	u, err := c.resolve(nil, display, urlnorm.Charset{})
	if err != nil { // recorded under other rules: a key of its own
		return c.traps.hash(display)
	}
	return c.traps.hash(u.Key)
}
