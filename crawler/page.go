package crawler

import (
	"fmt"
	"mime"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/cespare/xxhash/v2"

	"github.com/hashcrawl/hashcrawl/ajaxscheme"
	"github.com/hashcrawl/hashcrawl/crawler/fetch"
	"github.com/hashcrawl/hashcrawl/crawler/htmldoc"
	"github.com/hashcrawl/hashcrawl/crawler/robots"
	"github.com/hashcrawl/hashcrawl/frontier"
	"github.com/hashcrawl/hashcrawl/pagination/listing"
	"github.com/hashcrawl/hashcrawl/storage"
	"github.com/hashcrawl/hashcrawl/urlnorm"
)

// maxHops is how many redirects may follow one another [RFC9110 §15.4 asks for
// a limit and leaves it open].
const maxHops = 10

// A page is one fetch on its way from lease to commit.
type page struct {
	*frontier.Lease
	at    urlnorm.URL   // what is requested
	rules *robots.Rules // of its origin
	resp  *fetch.Response

	record *storage.Page
	links  []frontier.Link
	again  bool           // it is to be tried again
	config []byte         // new settings; nil if they stay
	sight  sight          // what it shows; zero if it is no page
	shell  *storage.Shell // that the page is; nil if it is not known as one

	reader  *reader          // that has read it, until the page is released; nil if none has
	listing *listing.Page    // what the page is to series; nil if nothing
	series  []storage.Series // that the page has changed
}

// recordOf begins the record of a page that was answered.
func recordOf(p *page) *storage.Page {
	r := p.resp
	return &storage.Page{
		ID: p.ID, Status: r.Status, Fetched: r.End, Took: r.End.Sub(r.Start), Attempts: p.Attempts + 1,
		Bytes: int64(len(r.Body)), Truncated: string(r.Truncated), ContentType: shortField(r, "Content-Type"),
		ETag: shortField(r, "Etag"), Modified: shortField(r, "Last-Modified"),
	}
}

// maxField is how long a field of an answer may be that is kept of every page.
const maxField = 1 << 10

// shortField returns a field of an answer; "" if it is too long to be kept, as
// half a validator is none.
func shortField(r *fetch.Response, name string) string {
	if v := r.Header.Get(name); len(v) <= maxField {
		return v
	}
	return ""
}

// fail makes the page's outcome a failure.
func (p *page) fail(why string) { p.record.Outcome, p.record.Reason = frontier.Failed, why }

// isSnapshot reports whether what was requested is a snapshot.
func (p *page) isSnapshot() bool { return p.at.Kind != urlnorm.Plain }

// judge decides the outcome of an answer, by its status first.
func (c *Crawler) judge(p *page) {
	switch s := p.resp.Status; {
	case s == http.StatusOK || s == http.StatusNonAuthoritativeInfo:
		c.judgeContent(p)
	case s == 301 || s == 302 || s == 303 || s == 307 || s == 308:
		c.redirect(p)
	case s == 408 || s == 429 || s >= 500:
		p.fail(fmt.Sprintf("http %d", s))
		if !p.LastTry() {
			p.again, p.record.Outcome = true, frontier.Waiting
		}
	case s >= 400 && p.Sitemap:
		p.record.Outcome, p.record.Reason = frontier.SitemapRead, fmt.Sprintf("there is none: http %d", s)
	default:
		p.fail(fmt.Sprintf("http %d", s))
	}
}

// redirect sends the target of a redirect to the frontier, where it waits for
// its own turn, robots rules and all.
func (c *Crawler) redirect(p *page) {
	if p.resp.Location == "" {
		p.fail(fmt.Sprintf("http %d without Location", p.resp.Status))
		return
	}
	// The reference is to the URL that was requested [RFC9110 §10.2.2], whose
	// state the target takes over only if the server repeats it.
	base, err := c.norm.Base(p.at.Fetch)
	if err != nil {
		p.fail(err.Error())
		return
	}
	to, err := c.resolve(base, p.resp.Location, urlnorm.Charset{})
	if err != nil {
		p.fail(fmt.Sprintf("redirects to %.200q: %v", p.resp.Location, err))
		return
	}
	if to.Kind == urlnorm.Ugly && ajaxscheme.IsPretty(to.Display) {
		// What is asked for is the ugly URL of the state, however the server spells it.
		if pretty, err := c.resolve(nil, to.Display, urlnorm.Charset{}); err == nil {
			to = pretty
		}
	}
	p.record.Target = to.Display
	if p.at.Kind == urlnorm.Pretty && to.Kind == urlnorm.Plain {
		// Sites send all states that they do not know to one page.
		p.record.Reason = "the redirect loses the state"
	}
	if to.Fetch == p.at.Fetch {
		p.fail("redirects to itself")
		return
	}
	if p.Snapshot && to.Kind == urlnorm.Ugly && to.Display == p.at.Display {
		// Another spelling of the ugly URL, but for this page it is only spelt in one way.
		p.fail("redirects to itself")
		return
	}
	if p.Snapshot && to.Key == p.at.Key && to.Kind == urlnorm.Plain && c.settings.AJAX == AJAXAuto {
		// The page would opt in again, and so on without end.
		p.record.Outcome, p.record.Reason = frontier.Shell, "the snapshot redirects to the shell itself"
		return
	}
	c.redirectTo(p, to)
}

// redirectTo makes a redirect of the page's outcome, however it was said.
func (c *Crawler) redirectTo(p *page, to urlnorm.URL) {
	p.record.Outcome, p.record.Target = frontier.Redirect, to.Display
	l := c.link(to, frontier.ViaRedirect, int(p.Depth))
	l.Hops = p.Hops + 1
	isSeed := false
	if p.Errand == nil { // which has no class
		l.Class, isSeed = p.Class, p.Class == frontier.ClassSeed
	}
	l.Sitemap = p.Sitemap
	l.Again = to.Key == p.at.Key // another spelling of the same page
	if isSnapshot := to.Kind == urlnorm.Ugly && !ajaxscheme.IsPretty(to.Display); l.Again && (isSnapshot || p.Snapshot) {
		l.Snapshot = isSnapshot // servers send from the page to its snapshot, and back
	}
	if p.Sitemap {
		l.Refusal, l.Rule = frontier.Waiting, ""
	}
	if l.Refusal == frontier.OutOfScope && isSeed {
		// Who gives example.com as a seed means the site that it leads to.
		p.config = c.addRoot(to)
		l.Refusal, l.Rule = c.currentScope().judge(to, int(p.Depth))
	}
	if p.Hops >= maxHops {
		l.Refusal, l.Rule, l.Again = frontier.RedirectLimit, fmt.Sprintf("%d redirects", maxHops), false
	}
	p.links = append(p.links, l)
}

// link makes the frontier's link of a URL that is in no ugly link.
func (c *Crawler) link(u urlnorm.URL, via frontier.Via, depth int) frontier.Link {
	one := [1]frontier.Link{c.scopedLink(c.currentScope(), u, via, depth)}
	c.judgeTraps(one[:], func(int) urlnorm.URL { return u })
	return one[0]
}

// scopedLink is link without the rules against traps.
func (c *Crawler) scopedLink(sc *scope, u urlnorm.URL, via frontier.Via, depth int) frontier.Link {
	l := frontier.Link{
		URL: u.Display, Key: u.Key, Host: u.Host(), Class: frontier.ClassLink, Via: via, Depth: uint16(min(depth, 1<<16-1)),
		Snapshot: c.snapshotAlways(u),
	}
	l.Refusal, l.Rule = sc.judge(u, depth)
	return l
}

// judgeTraps refuses those of links that are to be queued, were not before, and
// are a trap's. urlOf returns the URL of the link with the given index.
func (c *Crawler) judgeTraps(links []frontier.Link, urlOf func(i int) urlnorm.URL) {
	var room [128]bool
	for i, queued := range c.frontier.LinksQueued(room[:0], links) {
		l := &links[i]
		if queued || l.Refusal != frontier.Waiting {
			continue
		}
		if rule := c.traps.judge(urlOf(i), l.Via == frontier.ViaRedirect, time.Now()); rule != "" {
			l.Refusal, l.Rule = frontier.Trap, rule
		}
	}
}

// snapshotAlways reports whether the ugly URL of a plain page is requested
// without asking whether it opted in.
func (c *Crawler) snapshotAlways(u urlnorm.URL) bool {
	return c.settings.AJAX == AJAXAlways && !strings.Contains(u.Display, "#!")
}

// resolve resolves a reference, and takes the Clean-param lines of the site that
// it leads to into account where they are known.
func (c *Crawler) resolve(base *urlnorm.Base, ref string, cs urlnorm.Charset) (urlnorm.URL, error) {
	u, err := c.resolveLink(base, ref, cs)
	if err != nil {
		return u, err
	}
	if clean := c.rulebook.cleanParams(u); len(clean) > 0 {
		u = c.norm.Clean(u, clean)
	}
	return u, nil
}

// resolveLink resolves a reference without the name and password that a link may
// bring along. They do not count for the key and are sent to nobody; but what the
// page refers to would inherit them, and every page behind it have a second key.
func (c *Crawler) resolveLink(base *urlnorm.Base, ref string, cs urlnorm.Charset) (urlnorm.URL, error) {
	u, err := c.norm.Resolve(base, ref, cs)
	if err != nil || base == nil || strings.IndexByte(u.Display, '@') < 0 || !hasUser(u.Display) || hasUser(u.Key) {
		return u, err
	}
	scheme, rest, _ := strings.Cut(u.Display, "://")
	_, rest, _ = strings.Cut(rest, "@")
	return c.norm.Resolve(nil, scheme+"://"+rest, urlnorm.Charset{})
}

// hasUser reports whether a name stands before the host of an absolute URL.
func hasUser(url string) bool {
	_, rest, _ := strings.Cut(url, "://")
	i := strings.IndexAny(rest, "@/?#")
	return i >= 0 && rest[i] == '@'
}

// judgeContent decides the outcome of an answer with a body.
func (c *Crawler) judgeContent(p *page) {
	html := isHTML(p.resp)
	if p.mayBeSitemap(html) && c.readSitemap(p, html) {
		return
	}
	if !html {
		p.record.Outcome, p.record.Reason = frontier.NotHTML, p.record.ContentType
		return
	}
	p.reader = c.reader()
	p.links = p.reader.links
	c.readContent(p, p.reader)
}

// release gives back what a page was read with. Its links and the body of its
// answer must not be used any more.
func (c *Crawler) release(p *page) {
	if p.resp != nil {
		p.resp.Release()
	}
	if rd := p.reader; rd != nil {
		clear(p.links)
		if rd.links = p.links[:0]; cap(p.links) > keepLinks {
			rd.links = nil
		}
		p.reader, p.links = nil, nil
		c.readers.Put(rd)
	}
}

// readContent decides the outcome of an HTML document, and gathers its links.
func (c *Crawler) readContent(p *page, rd *reader) {
	text, charset := htmldoc.Decode(p.resp.Body, p.record.ContentType, "")
	doc := rd.parser.Parse(text, htmldoc.Options{
		Agent: productToken, Text: c.textNeeded(), Outline: c.markers != nil || rd.continuing > outlineShare,
	})
	addFields(doc, p.resp.Header)
	p.record.Title, p.record.Lang, p.record.Description = doc.Title, doc.Lang, doc.Description
	p.record.Published, p.record.TextHash = doc.Published, doc.Fingerprint
	if c.settings.StoreText {
		p.record.Text = doc.Text
	}
	if p.record.Lang == "" {
		p.record.Lang, _, _ = strings.Cut(shortField(p.resp, "Content-Language"), ",")
	}
	cs, _ := urlnorm.CharsetByLabel(charset)
	base := c.baseOf(p, doc, cs)
	directives := robots.ParseDirectives(robotsMetas(doc), p.resp.Header["X-Robots-Tag"], productToken)
	p.record.Robots, p.sight = directivesText(directives), sightOf(p.resp.Body, doc)
	canonical := c.canonical(p, doc, base, cs)
	c.collect(p, rd, doc, base, cs, directives.NoFollow)
	c.readListing(p, rd, text, doc, base, charset)
	defer rd.parser.Recycle(doc)
	switch {
	case p.isSnapshot():
		p.record.BodyHash = p.sight.body
		if why := c.judgeSnapshot(p, doc); why != "" {
			p.record.Outcome, p.record.Reason = frontier.Shell, why
			return
		}
	case doc.OptIn == ajaxscheme.OptInValid && c.settings.AJAX == AJAXAuto:
		if c.optIn(p) {
			return
		}
	}
	if to, ok := c.refreshTarget(p, doc, base, cs); ok && !directives.NoFollow {
		p.links = slices.DeleteFunc(p.links, func(l frontier.Link) bool { return l.Key == to.Key })
		c.redirectTo(p, to)
		return
	}
	if p.Errand != nil {
		return // an index page that is read again is no double
	}
	says := func() uint64 { return gist(gist(0, doc.Title), doc.Text[:min(len(doc.Text), gistText)]) }
	if rule := c.traps.sawPage(p.Host, p.sight.body, says); rule != "" {
		refuseAll(p.links, rule)
	}
	switch {
	case !directives.Indexable(p.resp.End):
		p.record.Outcome = frontier.NoIndex
	case canonical.Key != "":
		c.deferTo(p, canonical)
	default:
		p.record.Outcome = frontier.Indexed
	}
}

// optIn queues the snapshot of a page that opted in, whose own HTML is then
// only the shell. It returns false if robots rules keep the snapshot from us:
// the site has opted out again, and the page is one like any other.
func (c *Crawler) optIn(p *page) bool {
	ugly, err := ajaxscheme.UglyPlain(p.at.Display)
	if err != nil {
		return false
	}
	u, err := c.norm.Resolve(nil, string(ugly), urlnorm.Charset{})
	if err != nil {
		return false
	}
	if ok, rule := c.allowed(p.rules, u); !ok {
		p.record.Reason = "opted in, but its snapshot is forbidden by " + rule
		return false
	}
	p.record.Outcome, p.record.BodyHash = frontier.OptedIn, p.sight.body
	p.links = append(p.links, frontier.Link{
		URL: p.at.Display, Key: p.at.Key, Host: p.Host, Class: frontier.ClassSnapshot, Via: frontier.ViaSnapshot,
		Depth: p.Depth, Snapshot: true, Again: true,
	})
	return true
}

// refreshTarget returns the page that a meta refresh sends everybody to at
// once, which is a redirect by other means. One that gives people time to read
// is a link, and one to the page itself is nothing.
func (c *Crawler) refreshTarget(p *page, doc *htmldoc.Page, base *urlnorm.Base, cs urlnorm.Charset) (urlnorm.URL, bool) {
	if doc.Refresh == nil || doc.Refresh.URL == "" || doc.Refresh.Delay > time.Second {
		return urlnorm.URL{}, false
	}
	to, err := c.resolve(base, doc.Refresh.URL, cs)
	return to, err == nil && to.Key != p.at.Key
}

// baseOf returns what the references of the page resolve against: its <base>,
// or the display URL, never the ugly one.
func (c *Crawler) baseOf(p *page, doc *htmldoc.Page, cs urlnorm.Charset) *urlnorm.Base {
	own, err := c.norm.Base(p.at.Display)
	if err != nil {
		panic("crawler: display URL is no base: " + err.Error()) // unreachable: it was resolved before
	}
	if doc.Base == "" {
		return own
	}
	u, err := c.resolveLink(own, doc.Base, cs)
	if err != nil {
		return own
	}
	if b, err := c.norm.Base(u.Display); err == nil {
		return b
	}
	return own
}

// collect gathers the links of a page, and fills rd.urls with the URL of each of
// doc.Links, the zero URL for one without.
func (c *Crawler) collect(p *page, rd *reader, doc *htmldoc.Page, base *urlnorm.Base, cs urlnorm.Charset, nofollow bool) {
	rd.urls = append(rd.urls[:0], make([]urlnorm.URL, len(doc.Links))...)
	rd.linked = rd.linked[:0]
	p.links = slices.Grow(p.links, len(doc.Links))
	first, sc, depth := len(p.links), c.currentScope(), int(p.Depth)+1
	for i := range doc.Links {
		d := &doc.Links[i]
		if d.Kind == htmldoc.Canonical {
			continue // judged already
		}
		u, err := c.resolve(base, d.Href, cs)
		if err != nil {
			continue
		}
		rd.urls[i] = u
		if u.Key == p.at.Key {
			continue
		}
		l := c.scopedLink(sc, u, frontier.ViaLink, depth)
		// What the link itself says comes first: another scope does not lift it.
		switch {
		case u.Kind == urlnorm.Ugly && c.settings.Ugly == UglyCount:
			l.Refusal, l.Rule = frontier.UglyLink, ""
		case (nofollow || d.Rel.Has(htmldoc.RelNoFollow|htmldoc.RelUGC|htmldoc.RelSponsored)) && !c.settings.Nofollow:
			l.Refusal, l.Rule = frontier.NoFollow, ""
		}
		p.links = append(p.links, l)
		rd.linked = append(rd.linked, int32(i))
	}
	c.judgeTraps(p.links[first:], func(i int) urlnorm.URL { return rd.urls[rd.linked[i]] })
}

// isHTML reports whether an answer is an HTML document. One whose type is
// absent or no type at all is looked at; and so is one that says HTML, because
// servers say so of pictures and archives too.
func isHTML(r *fetch.Response) bool {
	ct := r.Header.Get("Content-Type")
	t, _, err := mime.ParseMediaType(ct)
	if err != nil {
		t, _, _ = strings.Cut(ct, ";")
		t = strings.ToLower(strings.TrimSpace(t))
	}
	sniffed, _, _ := strings.Cut(http.DetectContentType(r.Body), ";")
	switch {
	case !strings.Contains(t, "/"):
		return sniffed == "text/html"
	case t == "application/xhtml+xml":
		return true
	}
	// What is sniffed as text or as bytes of no known kind may be HTML all the
	// same: in UTF-16, without a tag at its start, with stray NULs.
	return t == "text/html" && (strings.HasPrefix(sniffed, "text/") || sniffed == "application/octet-stream" || len(r.Body) == 0)
}

func robotsMetas(doc *htmldoc.Page) []robots.Meta {
	var ms []robots.Meta
	for _, m := range doc.RobotsMeta {
		ms = append(ms, robots.Meta(m))
	}
	return ms
}

// hashBody returns a hash by which two bodies are compared. It is not keyed: a
// site that fakes it only hides its own pages.
func hashBody(b []byte) uint64 { return xxhash.Sum64(b) }
