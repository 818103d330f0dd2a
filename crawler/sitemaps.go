package crawler

import (
	"bytes"
	"fmt"
	"slices"

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

// readSitemap takes the entries of a sitemap as links.
func (c *Crawler) readSitemap(p *page) {
	base, err := c.norm.Base(p.at.Display)
	if err != nil {
		p.fail(err.Error())
		return
	}
	sum, err := sitemap.Read(bytes.NewReader(p.resp.Body), func(e sitemap.Entry) bool {
		p.links = append(p.links, c.sitemapEntry(p, base, e)...)
		return true
	})
	p.record.Outcome = frontier.SitemapRead
	switch {
	case err != nil:
		p.record.Reason = err.Error()
	case sum.Stop != sitemap.StopNone:
		p.record.Reason = fmt.Sprintf("read as far as it goes: %s", sum.Stop)
	}
}

// sitemapEntry returns the link that an entry of a sitemap makes, if any.
func (c *Crawler) sitemapEntry(p *page, base *urlnorm.Base, e sitemap.Entry) []frontier.Link {
	if e.Sitemap {
		l, ok := c.sitemapLink(base, e.Loc)
		if !ok || int(p.Depth) >= sitemap.MaxDepth {
			return nil
		}
		l.Depth = p.Depth + 1
		return []frontier.Link{l}
	}
	u, err := c.resolve(base, e.Loc, urlnorm.Charset{})
	if err != nil {
		return nil
	}
	l := c.link(u, frontier.ViaSitemap, 1)
	if u.Kind == urlnorm.Ugly && c.settings.Ugly == UglyCount {
		l.Refusal, l.Rule = frontier.UglyLink, ""
	}
	return []frontier.Link{l}
}
