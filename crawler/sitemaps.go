package crawler

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hashcrawl/hashcrawl/crawler/fetch"
	"github.com/hashcrawl/hashcrawl/crawler/robots"
	"github.com/hashcrawl/hashcrawl/crawler/sitemap"
	"github.com/hashcrawl/hashcrawl/frontier"
	"github.com/hashcrawl/hashcrawl/urlnorm"
)

// guessedSitemap is where a sitemap is looked for if the robots.txt names none.
const guessedSitemap = "/sitemap.xml"

// wantsSitemaps reports whether the scope takes an interest in the sitemaps of
// the site that u is on.
func (sc *scope) wantsSitemaps(u urlnorm.URL) bool {
	switch sc.kind {
	case ScopePage:
		return false
	case ScopePrefix: // the sitemap stands outside, what it lists may not
		return slices.ContainsFunc(sc.roots, func(root string) bool {
			return len(root) > len(authority(u)) && root[:len(authority(u))+1] == authority(u)+"/"
		})
	}
	return sc.contains(u)
}

// sitemapsOf returns the sitemaps that the robots.txt of an origin names, or
// the place where one is looked for.
func (c *Crawler) sitemapsOf(origin string, body []byte) []frontier.Link {
	if c.settings.NoSitemaps {
		return nil
	}
	base, err := c.norm.Base(origin + "/")
	if err != nil {
		return nil
	}
	refs := robots.Parse(body).Sitemaps()
	if len(refs) == 0 {
		refs = []string{guessedSitemap}
	}
	at, err := c.norm.Resolve(base, "/", urlnorm.Charset{})
	if err != nil || !c.currentScope().wantsSitemaps(at) {
		return nil
	}
	var links []frontier.Link
	for _, ref := range refs {
		if l, ok := c.sitemapLink(base, ref); ok {
			links = append(links, l)
		}
	}
	return links
}

// sitemapLink returns the link to a sitemap, whose place no scope restricts.
func (c *Crawler) sitemapLink(base *urlnorm.Base, ref string) (frontier.Link, bool) {
	u, err := c.resolve(base, ref, urlnorm.Charset{})
	if err != nil {
		return frontier.Link{}, false
	}
	return frontier.Link{
		URL: u.Display, Key: u.Key, Host: u.Host(), Class: frontier.ClassSeed, Via: frontier.ViaSitemap, Sitemap: true,
	}, true
}

// mayBeSitemap reports whether an answer is to be read as a sitemap: what was
// found as one, and a seed that is no page, since who gives a sitemap as a seed
// means what it lists.
func (p *page) mayBeSitemap(html bool) bool {
	isSeed := p.Errand == nil && p.Class == frontier.ClassSeed
	return p.Sitemap || isSeed && (!html || bytes.HasPrefix(bytes.TrimSpace(p.resp.Body), []byte("<?xml")))
}

// readSitemap takes the entries of a sitemap as links. It returns false if the
// answer is a page all the same, or no sitemap that anybody has called one.
func (c *Crawler) readSitemap(p *page, html bool) bool {
	base, err := c.norm.Base(p.at.Display)
	if err != nil {
		p.fail(err.Error())
		return true
	}
	var dated []datedLink
	sum, err := sitemap.Read(bytes.NewReader(p.resp.Body), func(e sitemap.Entry) bool {
		if l, ok := c.sitemapEntry(p, base, e); ok {
			dated = append(dated, datedLink{l, changed(e, p.resp.End)})
		}
		return true
	})
	if !p.Sitemap && (err != nil || sum.Kind == sitemap.Text || sum.Kind == sitemap.Empty) {
		return false // every text is a list of URLs to whoever looks for one
	}
	if err != nil && html && c.isPage(p) {
		return false
	}
	p.links = newestFirst(dated)
	p.record.Outcome = frontier.SitemapRead
	switch {
	case err != nil:
		p.record.Reason = err.Error()
	case p.resp.Truncated != fetch.Whole:
		p.record.Reason = fmt.Sprintf("read as far as it goes: the body is cut (%s)", p.resp.Truncated)
	case sum.Stop != sitemap.StopNone:
		p.record.Reason = fmt.Sprintf("read as far as it goes: %s", sum.Stop)
	}
	return true
}

// isPage reports whether the HTML that came for a sitemap is a page of the site,
// which would be lost: sites name their map for people as a sitemap, or send
// from the sitemap that they do not have to their home page. Under the name of
// a file it is only an apology. What is longer than a page may be is cut.
func (c *Crawler) isPage(p *page) bool {
	path, _, _ := strings.Cut(p.at.Target(), "?")
	switch strings.ToLower(path[strings.LastIndexByte(path, '.')+1:]) {
	case "xml", "gz", "txt", "rss", "atom":
		return false
	}
	if o, _ := c.currentScope().judge(p.at, max(1, int(p.Depth))); o != frontier.Waiting {
		return false
	}
	if limit := cmp.Or(c.settings.MaxBody, fetch.DefaultMaxBody); int64(len(p.resp.Body)) > limit {
		p.resp.Body, p.resp.Truncated = p.resp.Body[:limit], fetch.CutSize
		p.record.Bytes, p.record.Truncated = limit, string(fetch.CutSize)
	}
	return true
}

// A datedLink is an entry with the time at which its page is said to have
// changed; zero if that is not said.
type datedLink struct {
	link    frontier.Link
	changed time.Time
}

// changed returns when the page of an entry was last changed or published. A
// time in the future is a mistake, and no hint.
func changed(e sitemap.Entry, now time.Time) time.Time {
	at := e.LastMod
	if at.IsZero() || at.After(now) {
		at = e.Published
	}
	if at.After(now) {
		return time.Time{}
	}
	return at
}

// newestFirst orders the entries of a sitemap by the hints in it: what changed
// last is fetched first, and what has no date comes last, as it stands.
func newestFirst(dated []datedLink) []frontier.Link {
	slices.SortStableFunc(dated, func(a, b datedLink) int { return b.changed.Compare(a.changed) })
	links := make([]frontier.Link, len(dated))
	for i := range dated {
		links[i] = dated[i].link
	}
	return links
}

// sitemapEntry returns the link that an entry of a sitemap makes, if any.
func (c *Crawler) sitemapEntry(p *page, base *urlnorm.Base, e sitemap.Entry) (frontier.Link, bool) {
	if e.Sitemap {
		l, ok := c.sitemapLink(base, e.Loc)
		l.Depth = p.Depth + 1
		return l, ok && int(p.Depth) < sitemap.MaxDepth
	}
	u, err := c.resolve(base, e.Loc, urlnorm.Charset{})
	if err != nil {
		return frontier.Link{}, false
	}
	l := c.link(u, frontier.ViaSitemap, 1)
	if u.Kind == urlnorm.Ugly && c.settings.Ugly == UglyCount {
		l.Refusal, l.Rule = frontier.UglyLink, ""
	}
	return l, true
}
