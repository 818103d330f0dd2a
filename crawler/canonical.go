package crawler

import (
	"sync"

	"github.com/hashcrawl/hashcrawl/crawler/htmldoc"
	"github.com/hashcrawl/hashcrawl/frontier"
	"github.com/hashcrawl/hashcrawl/urlnorm"
)

// maxCanonicals is how many pages that name another one as their canonical are
// remembered, and canonicalSteps how many of them a circle may have.
const (
	maxCanonicals  = 1 << 16
	canonicalSteps = 16
)

// canonicals remember which page names which as its canonical, so that pages
// that name each other are not all left out for one another.
type canonicals struct {
	mu    sync.Mutex
	named map[uint64]uint64 // by a hash of the key; never a circle
}

// note takes in that page names another one, unless that would close a circle;
// then it returns false.
func (cs *canonicals) note(page, other uint64) bool {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	for at, steps := other, 0; steps < canonicalSteps; steps++ {
		next, ok := cs.named[at]
		if !ok {
			break
		}
		if next == page {
			return false
		}
		at = next
	}
	forget(cs.named, maxCanonicals)
	cs.named[page] = other
	return true
}

// canonical returns another page of the crawl that the page names as its
// canonical; the zero URL if it names none, itself, or several.
func (c *Crawler) canonical(p *page, doc *htmldoc.Page, base *urlnorm.Base, cs urlnorm.Charset) urlnorm.URL {
	var named urlnorm.URL
	for _, href := range doc.Canonicals {
		u, err := c.resolve(base, href, cs)
		if err != nil || named.Key != "" && u.Key != named.Key {
			return urlnorm.URL{}
		}
		named = u
	}
	p.record.Canonical = named.Display
	if named.Key == "" || named.Key == p.at.Key {
		return urlnorm.URL{}
	}
	l := c.link(named, frontier.ViaCanonical, int(p.Depth)+1)
	p.links = append(p.links, l)
	if l.Refusal != frontier.Waiting {
		return urlnorm.URL{} // it will not be fetched, so this page must not be lost for it
	}
	return named
}

// deferTo leaves a page out for the one that it names as its canonical. If that
// one has been left out for this page, they contradict each other, and whichever
// comes last is indexed.
func (c *Crawler) deferTo(p *page, named urlnorm.URL) {
	if c.wasLeftOutFor(p, named) || !c.canonicals.note(c.traps.hash(p.at.Key), c.traps.hash(named.Key)) {
		p.record.Outcome, p.record.Reason = frontier.Indexed, "its canonical names this page in turn"
		return
	}
	p.record.Outcome, p.record.Reason = frontier.Canonical, named.Display
}

// wasLeftOutFor reports whether the page was queued because named, its parent,
// was left out for it, maybe in an earlier run, of which nothing is remembered.
func (c *Crawler) wasLeftOutFor(p *page, named urlnorm.URL) bool {
	if p.Via != frontier.ViaCanonical {
		return false
	}
	record, found, err := c.store.Page(p.Parent)
	if err != nil || !found || record.Outcome != frontier.Canonical {
		return false // a store that fails ends the crawl by itself
	}
	parent, found, err := c.store.Entry(p.Parent)
	if err != nil || !found {
		return false
	}
	u, err := c.norm.Resolve(nil, parent.URL, urlnorm.Charset{})
	return err == nil && u.Key == named.Key
}
