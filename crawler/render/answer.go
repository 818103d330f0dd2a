package render

import (
	"context"
	"strings"
	"time"

	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	fetching "github.com/hashcrawl/hashcrawl/crawler/fetch"
)

// Bounds of what pages load.
const (
	maxPart     = 10 << 20 // bytes of one answer
	maxParts    = 32 << 20 // bytes of answers that are kept for other pages
	maxRequests = 200      // of one page
	maxRefused  = 50       // requests of one page that are told of
)

// parts are answers that several pages need, such as scripts: each is asked for
// once.
type parts struct {
	answers map[string]*fetching.Response
	bytes   int
}

// keep keeps an answer, if there is room.
func (p *parts) keep(url string, r *fetching.Response) {
	if r.Status != 200 || p.bytes+len(r.Body) > maxParts {
		return
	}
	if p.answers == nil {
		p.answers = map[string]*fetching.Response{}
	}
	p.answers[url] = r
	p.bytes += len(r.Body)
}

// answer answers a request of a page: v is its visit, nil if that is over.
func (t *tab) answer(v *visit, ev *fetch.EventRequestPaused) {
	defer t.note(func(now *visit) {
		if now == v {
			now.pending--
		}
	})
	reason := network.ErrorReasonBlockedByClient
	if v != nil {
		var resp *fetching.Response
		if resp, reason = t.load(v, ev); resp != nil {
			t.fulfil(ev.RequestID, resp)
			return
		}
	}
	ctx, cancel := context.WithTimeout(t.ctx, grace)
	defer cancel()
	_, _ = chromedp.Call(ctx, fetch.FailRequest, fetch.FailRequestParams{RequestID: ev.RequestID, ErrorReason: reason}) // fails if the tab is gone
}

// load asks for what a page wants; nil, with the reason that the page is told,
// if it does not get it.
func (t *tab) load(v *visit, ev *fetch.EventRequestPaused) (*fetching.Response, network.ErrorReason) {
	url, _, _ := strings.Cut(ev.Request.URL, "#")
	switch ev.ResourceType {
	case network.ResourceTypeImage, network.ResourceTypeMedia, network.ResourceTypeFont, network.ResourceTypePrefetch,
		network.ResourceTypePing, network.ResourceTypeCSPViolationReport, network.ResourceTypeManifest,
		network.ResourceTypeOther: // icons
		return nil, network.ErrorReasonBlockedByClient
	}
	if ev.Request.Method != "GET" {
		t.refuse(v, ev.Request.Method+" "+url)
		return nil, network.ErrorReasonBlockedByClient
	}
	if !t.browser.opts.Allow(url) || t.tooMany(v) {
		t.refuse(v, url)
		return nil, network.ErrorReasonBlockedByClient
	}
	resp, err := t.browser.get(v, url)
	if err != nil {
		if v.ctx.Err() == nil {
			t.refuse(v, url+": "+err.Error())
		}
		return nil, network.ErrorReasonFailed
	}
	return resp, ""
}

// get returns the answer to a request, from another page's if there is one.
func (b *Browser) get(v *visit, url string) (*fetching.Response, error) {
	b.loading.Lock()
	defer b.loading.Unlock()
	if r := b.parts.answers[url]; r != nil {
		return r, nil
	}
	if v.ctx.Err() != nil {
		return nil, context.Cause(v.ctx)
	}
	r, err := b.opts.Loader.Load(v.ctx, url, maxPart)
	if err == nil {
		b.parts.keep(url, r)
	}
	return r, err
}

// tooMany reports whether a page has asked for more than any page needs.
func (t *tab) tooMany(v *visit) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return v.sent > maxRequests
}

// refuse notes a request that was not let through.
func (t *tab) refuse(v *visit, what string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(v.refused) < maxRefused {
		v.refused = append(v.refused, what)
	}
}

// dropped are the header fields that no longer hold for a body whose codings
// were removed, or that are the browser's business with a network.
func dropped(name string) bool {
	switch name {
	case "Content-Encoding", "Content-Length", "Transfer-Encoding", "Connection", "Keep-Alive", "Set-Cookie", "Strict-Transport-Security", "Alt-Svc":
		return true
	}
	return false
}

// fulfil gives an answer to the page.
func (t *tab) fulfil(id fetch.RequestID, r *fetching.Response) {
	p := fetch.FulfillRequestParams{RequestID: id, ResponseCode: int64(r.Status), Body: r.Body}
	for name, values := range r.Header {
		for _, value := range values {
			if !dropped(name) {
				p.ResponseHeaders = append(p.ResponseHeaders, &fetch.HeaderEntry{Name: name, Value: value})
			}
		}
	}
	ctx, cancel := context.WithTimeout(t.ctx, 10*time.Second)
	defer cancel()
	_, _ = chromedp.Call(ctx, fetch.FulfillRequest, p) // fails if the tab is gone
}
