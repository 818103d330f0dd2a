package render

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/hashcrawl/hashcrawl/crawler/audit"
)

// document is the script that returns the document as people see it: without
// what is never shown, at most ten million characters.
const document = `(() => {
	const d = document.documentElement.cloneNode(true);
	for (const e of d.querySelectorAll('script, style, template, noscript')) e.remove();
	return '<!DOCTYPE html>' + d.outerHTML.slice(0, 1e7);
})()`

// A tab is a tab of the browser.
type tab struct {
	browser *Browser
	ctx     context.Context // of the tab
	stop    context.CancelFunc
	answers sync.WaitGroup // goroutines that answer requests
	shown   string         // URL of the document, without fragment

	mu      sync.Mutex // guards what follows
	visit   *visit     // nil between two pages
	changed chan struct{}
}

// A visit is one page in a tab.
type visit struct {
	ctx     context.Context
	pending int            // requests under way
	sent    int            // requests so far
	loader  cdp.LoaderID   // of the page; "" until it began to come
	loaded  []cdp.LoaderID // that have loaded, the blank page before among them
	refused []string
	last    time.Time // of the last change
}

// close closes the tab and waits until nothing answers its requests any more.
func (t *tab) close() {
	done := make(chan struct{})
	go func() {
		defer close(done)
		t.stop() // asks the browser to close it, which a page that hangs can delay
	}()
	select {
	case <-done:
	case <-time.After(grace):
	}
	t.answers.Wait()
}

// event takes an event of the tab. It must not block.
func (t *tab) event(ev any) {
	switch ev := ev.(type) {
	case *fetch.EventRequestPaused:
		t.mu.Lock()
		v := t.visit
		if v != nil {
			v.pending++
			v.sent++
			v.last = time.Now()
		}
		t.mu.Unlock()
		t.answers.Go(func() { t.answer(v, ev) })
	case *page.EventLifecycleEvent:
		if ev.Name == "load" {
			t.note(func(v *visit) { v.loaded = append(v.loaded, ev.LoaderID) })
		}
	case *page.EventJavascriptDialogOpening:
		t.answers.Go(func() {
			ctx, cancel := context.WithTimeout(t.ctx, grace)
			defer cancel()
			_, _ = chromedp.Call(ctx, page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{Accept: false}) // or the page hangs
		})
	}
}

// note changes the visit, if there is one.
func (t *tab) note(change func(*visit)) {
	t.mu.Lock()
	if t.visit != nil {
		change(t.visit)
		t.visit.last = time.Now()
	}
	t.mu.Unlock()
	select {
	case t.changed <- struct{}{}:
	default:
	}
}

// show loads a URL and returns the document when the network is idle, or what
// is there of it at the end of the limit.
func (t *tab) show(ctx context.Context, url string) (*audit.Rendering, error) {
	started := time.Now()
	limited, cancel := context.WithTimeout(t.ctx, t.browser.opts.Limit)
	defer cancel()
	ends := context.AfterFunc(ctx, cancel)
	defer ends()
	// Two states of one application are one document to the browser, which
	// would not load it anew.
	plain, _, _ := strings.Cut(url, "#")
	if plain == t.shown {
		if _, err := chromedp.Call(limited, page.Navigate, page.NavigateParams{URL: "about:blank"}); err != nil {
			return nil, err
		}
	}
	t.shown = plain
	v := &visit{ctx: limited, last: time.Now()}
	t.mu.Lock()
	t.visit = v
	t.mu.Unlock()
	defer func() {
		t.mu.Lock()
		t.visit = nil
		t.mu.Unlock()
	}()
	res, err := chromedp.Call(limited, page.Navigate, page.NavigateParams{URL: url})
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case errors.Is(err, context.DeadlineExceeded):
		return nil, fmt.Errorf("%s did not answer within %v", url, t.browser.opts.Limit)
	case err != nil:
		return nil, err
	case res.ErrorText != "":
		return nil, fmt.Errorf("%s: %s", url, res.ErrorText)
	}
	t.note(func(v *visit) { v.loader = res.LoaderID })
	r := &audit.Rendering{Quiet: t.settle(limited, v)}
	r.Took = time.Since(started)
	html, err := t.document(ctx)
	if err != nil {
		return nil, fmt.Errorf("the page hangs: %w", err)
	}
	t.mu.Lock()
	r.HTML, r.Refused = html, v.refused
	t.mu.Unlock()
	return r, nil
}

// document returns what is in the tab now.
func (t *tab) document(ctx context.Context) (string, error) {
	limited, cancel := context.WithTimeout(t.ctx, grace)
	defer cancel()
	ends := context.AfterFunc(ctx, cancel)
	defer ends()
	return chromedp.Run(limited, chromedp.Evaluate[string](document))
}

// settle waits until the page is loaded and its network idle. It returns false
// if ctx ended first.
func (t *tab) settle(ctx context.Context, v *visit) bool {
	for {
		t.mu.Lock()
		wait := quiet - time.Since(v.last)
		if !slices.Contains(v.loaded, v.loader) || v.pending > 0 {
			wait = time.Hour // until something changes
		}
		t.mu.Unlock()
		if wait <= 0 {
			return true
		}
		timer := time.NewTimer(wait)
		select {
		case <-t.changed:
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return false
		}
		timer.Stop()
	}
}
