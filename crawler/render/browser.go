package render

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"time"

	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/hashcrawl/hashcrawl/crawler/audit"
	fetching "github.com/hashcrawl/hashcrawl/crawler/fetch"
)

// A Loader asks for what pages need. *crawler.Visitor is one. It need not be
// safe for several goroutines.
type Loader interface {
	Load(ctx context.Context, url string, maxBody int64) (*fetching.Response, error)
}

// ErrNoBrowser says that no Chromium was found.
var ErrNoBrowser = errors.New("render: no Chromium was found")

// DefaultLimit is how long a page may take when Options.Limit is 0.
const DefaultLimit = 15 * time.Second

// startLimit is how long the browser may take to start.
const startLimit = 30 * time.Second

// grace is how long a page that did not come to an end has to give up what is
// there of it.
const grace = 2 * time.Second

// quiet is how long no request must be under way for the network to count as
// idle.
const quiet = 50 * time.Millisecond

// Options configure a Browser.
type Options struct {
	Path   string                // of the browser; as Find returns it
	Loader Loader                // sends the requests
	Allow  func(url string) bool // whether a page may ask for a URL; nil: anything
	Limit  time.Duration         // for a page; 0 means DefaultLimit
}

// Find returns the path of a browser: the one that is named, or an installed
// Chromium or Chrome. The error wraps ErrNoBrowser if there is none.
func Find(named string) (string, error) {
	if named != "" {
		path, err := exec.LookPath(named)
		if err != nil {
			return "", fmt.Errorf("%w at %s", ErrNoBrowser, named)
		}
		return path, nil
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "headless-shell"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", ErrNoBrowser
}

// A Browser renders pages one after the other. It is for one goroutine.
type Browser struct {
	opts  Options
	ctx   context.Context // of the browser; ends with Close
	close context.CancelFunc
	tab   *tab // nil until the first page, and after one that hung

	loading sync.Mutex // the Loader is asked by one goroutine at a time
	parts   parts      // guarded by loading
}

// Start starts the browser. It runs until Close, or until ctx ends.
func Start(ctx context.Context, o Options) (*Browser, error) {
	if o.Limit <= 0 {
		o.Limit = DefaultLimit
	}
	if o.Allow == nil {
		o.Allow = func(string) bool { return true }
	}
	flags := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(o.Path),
		// Nothing that is not caught gets anywhere: port 9 discards, and names
		// are not looked up.
		chromedp.ProxyServer("http://127.0.0.1:9"),
		chromedp.Flag("proxy-bypass-list", "<-loopback>"),
		chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND , EXCLUDE 127.0.0.1"),
		chromedp.Flag("force-webrtc-ip-handling-policy", "disable_non_proxied_udp"),
		// Frames of other sites stay in the page's process, where their
		// requests are caught too.
		chromedp.Flag("disable-features", "Translate,IsolateOrigins,site-per-process,DialMediaRouteProvider"),
		chromedp.Flag("disable-site-isolation-trials", true),
		chromedp.Flag("disable-component-update", true),
		chromedp.Flag("no-pings", true),
		chromedp.Flag("mute-audio", true),
		chromedp.Flag("js-flags", "--max-old-space-size=512"), // megabytes of a page's objects
		chromedp.DisableGPU,
		chromedp.WSURLReadTimeout(startLimit),
	)
	if os.Geteuid() == 0 {
		flags = append(flags, chromedp.NoSandbox) // Chromium refuses to run as root with it
	}
	allocator, freeAllocator := chromedp.NewExecAllocator(ctx, flags...)
	bctx, stop := chromedp.NewContext(allocator, chromedp.WithLogf(discard), chromedp.WithErrorf(discard))
	b := &Browser{opts: o, ctx: bctx, close: func() { stop(); freeAllocator() }}
	if err := chromedp.Do(bctx); err != nil {
		b.close()
		return nil, fmt.Errorf("render: %s does not start: %w", o.Path, err)
	}
	return b, nil
}

func discard(string, ...any) {}

// Close ends the browser and waits for its process.
func (b *Browser) Close() {
	b.drop()
	b.close()
}

// drop closes the tab.
func (b *Browser) drop() {
	if b.tab != nil {
		b.tab.close()
		b.tab = nil
	}
}

// Render implements audit.Renderer.
func (b *Browser) Render(ctx context.Context, url string) (*audit.Rendering, error) {
	if b.tab == nil {
		t, err := b.open(ctx)
		if err != nil {
			return nil, err
		}
		b.tab = t
	}
	r, err := b.tab.show(ctx, url)
	if err != nil || !r.Quiet {
		b.drop() // whatever still runs in it must not disturb the next page
	}
	if err != nil {
		return nil, fmt.Errorf("render: %w", err)
	}
	return r, nil
}

// open opens a tab whose requests are caught.
func (b *Browser) open(ctx context.Context) (*tab, error) {
	tctx, stop := chromedp.NewContext(b.ctx)
	t := &tab{browser: b, ctx: tctx, stop: stop, changed: make(chan struct{}, 1)}
	ends := context.AfterFunc(ctx, stop)
	defer ends()
	err := chromedp.Do(tctx)
	if err == nil {
		err = chromedp.Listen(tctx, t.event)
	}
	if err == nil {
		_, err = chromedp.Call(tctx, fetch.Enable, fetch.EnableParams{})
	}
	if err == nil {
		_, err = chromedp.Call(tctx, page.SetLifecycleEventsEnabled, page.SetLifecycleEventsEnabledParams{Enabled: true})
	}
	if err != nil {
		stop()
		return nil, fmt.Errorf("render: no tab: %w", err)
	}
	return t, nil
}
