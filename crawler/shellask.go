package crawler

import (
	"context"
	"net/http"
	"strings"

	"github.com/hashcrawl/hashcrawl/crawler/fetch"
	"github.com/hashcrawl/hashcrawl/crawler/htmldoc"
	"github.com/hashcrawl/hashcrawl/crawler/robots"
	"github.com/hashcrawl/hashcrawl/frontier"
	"github.com/hashcrawl/hashcrawl/storage"
	"github.com/hashcrawl/hashcrawl/urlnorm"
)

// This file asks for the page behind a state ahead of its turn.

// errandShell is what an errand is for that asks for the page behind a state.
const errandShell = "shell"

// shellErrand returns the errand that has to go before the lease of a state, or
// nil: the page behind it, if nothing is known of it and it may be asked for.
func (c *Crawler) shellErrand(u urlnorm.URL, rules *robots.Rules) (*frontier.Errand, error) {
	plain, state, ok := strings.Cut(u.Display, "#!")
	if !ok || state == "" || c.settings.AJAX == AJAXOff {
		return nil, nil
	}
	at, err := c.resolve(nil, plain, urlnorm.Charset{})
	if err != nil {
		return nil, nil // the state alone can be asked for
	}
	if allowed, _ := c.allowed(rules, at); !allowed {
		return nil, nil
	}
	if o, _ := c.currentScope().judge(at, 0); o == frontier.Excluded {
		return nil, nil
	}
	if want, err := c.shells.wanting(at.Display, at.Host()); !want {
		return nil, err
	}
	return &frontier.Errand{URL: at.Fetch, To: at.Host(), For: errandShell, Visit: true, Needed: true}, nil
}

// fetchShell carries out an errand for the page behind a state: one request. An
// answer that the page's own turn can do with is kept for it. Whatever comes,
// the states are asked for next.
func (c *Crawler) fetchShell(ctx context.Context, l *frontier.Lease, at urlnorm.URL) error {
	addr, ok, err := c.bind(ctx, l)
	if !ok {
		return err
	}
	var resp *fetch.Response
	if err == nil {
		resp, err = c.fetcher.Fetch(ctx, fetch.Request{URL: at.Fetch, Addr: addr})
	}
	c.requests.Add(1)
	if err != nil {
		fe, ok := asFetchError(err)
		if !ok {
			c.finish(l, frontier.Result{Disposition: frontier.Requeue}, storage.Commit{})
			return err
		}
		c.shells.learn(&storage.Shell{URL: at.Display}, l.Host)
		res := frontier.Result{}
		if wasSent(fe) {
			res.Request = requestOfError(fe)
		}
		c.finish(l, res, storage.Commit{})
		return nil
	}
	c.bytes.Add(int64(len(resp.Body)))
	shell := newShell(at.Display, resp, c.sightOfAnswer(resp))
	keepAnswer(shell, resp)
	c.shells.learn(shell, l.Host)
	c.opts.Log.Debug("asked for the page behind its states", "url", at.Display, "status", resp.Status)
	c.finish(l, frontier.Result{Request: requestOf(resp)}, storage.Commit{Shell: shell})
	return nil
}

// sightOfAnswer returns what a page shows; zero if it is no page that states
// could be those of.
func (c *Crawler) sightOfAnswer(resp *fetch.Response) sight {
	if resp.Status != http.StatusOK || !isHTML(resp) {
		return sight{}
	}
	text, _ := htmldoc.Decode(resp.Body, resp.Header.Get("Content-Type"), "")
	return sightOf(resp.Body, htmldoc.Parse(text, htmldoc.Options{}))
}

// newShell returns what the crawl file keeps of an answer as a shell.
func newShell(url string, resp *fetch.Response, at sight) *storage.Shell {
	return &storage.Shell{
		URL: url, Fetched: resp.End, Status: resp.Status, Sight: at.shows, BodyHash: at.body,
		ETag: resp.Header.Get("Etag"), Modified: resp.Header.Get("Last-Modified"),
	}
}

// keptFields are the fields of an answer that the record of a page needs.
var keptFields = [...]string{"Content-Type", "Content-Language", "X-Robots-Tag", "Link", "Refresh", "Location", "Etag", "Last-Modified"}

// keepAnswer keeps an answer for the page's own turn, unless it is too long, not
// whole, or one after which the page is to be tried again.
func keepAnswer(shell *storage.Shell, resp *fetch.Response) {
	if s := resp.Status; len(resp.Body) > keptBody || resp.Truncated != fetch.Whole || s == 408 || s == 429 || s >= 500 {
		return
	}
	shell.Kept, shell.Body = true, resp.Body
	for _, name := range keptFields {
		for _, v := range resp.Header.Values(name) {
			shell.Fields = append(shell.Fields, storage.Field{Name: name, Value: v})
		}
	}
}

// keptAnswer returns the answer that a plain page gave before its turn came, for
// the sake of its states; nil if it has to be asked for.
func (c *Crawler) keptAnswer(p *page) (*fetch.Response, error) {
	c.shells.mu.Lock()
	defer c.shells.mu.Unlock()
	if c.shells.kept == 0 || p.at.Kind != urlnorm.Plain || p.Sitemap {
		return nil, nil
	}
	s, found, err := c.store.Shell(p.at.Display)
	if err != nil || !found || !s.Kept {
		return nil, err
	}
	c.shells.kept--
	resp := &fetch.Response{URL: p.at.Fetch, Status: s.Status, Header: http.Header{}, Body: s.Body, Start: s.Fetched, End: s.Fetched}
	for _, f := range s.Fields {
		resp.Header.Add(f.Name, f.Value)
	}
	resp.Location = resp.Header.Get("Location")
	s.Kept, s.Fields, s.Body = false, nil, nil
	p.shell = &s
	return resp, nil
}
