package fetch

import (
	"context"
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gocolly/colly/v2"
)

// The fields that every request carries. deflate is understood but not asked for,
// as servers differ in what they mean by it.
const (
	acceptField         = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
	acceptEncodingField = "gzip, zstd, br"
)

// fieldOrder is the order of the request fields on the wire, after Host.
var fieldOrder = [...]string{"User-Agent", "From", "Accept", "Accept-Encoding", "If-None-Match", "If-Modified-Since"}

// A Client fetches URLs. It is safe for any number of goroutines.
type Client struct {
	opts     Options
	resolver *resolver
	network  *network // nil behind a proxy or a Transport of the caller's
	proxy    *http.Transport
	base     *colly.Collector
	agents   sync.Pool // of *agent
	decoders decoders
	scratch  sync.Pool   // of *[]byte, no longer than maxScratch
	fixed    http.Header // read only
	closed   atomic.Bool
}

// New returns a Client; Close frees its connections.
func New(o Options) (*Client, error) {
	o, err := o.check()
	if err != nil {
		return nil, err
	}
	c := &Client{opts: o, resolver: newResolver(o)}
	c.fixed = http.Header{
		"User-Agent":      {o.UserAgent},
		"Accept":          {acceptField},
		"Accept-Encoding": {acceptEncodingField},
	}
	if o.From != "" {
		c.fixed["From"] = []string{o.From}
	}
	engine := o.Transport
	switch {
	case engine != nil:
	case o.Proxy != nil:
		c.proxy = newProxyTransport(o)
		engine = c.proxy
	default:
		c.network = newNetwork(o, c.resolver)
		engine = c.network
	}
	c.base = newCollector(newClient(&roundTripper{engine: engine, client: c}))
	c.agents.New = func() any { return newAgent(c.base) }
	return c, nil
}

// Close closes idle connections and lets no fetch start. Call it after the last
// Fetch has returned; then nothing of the Client is left running.
func (c *Client) Close() {
	c.closed.Store(true)
	if c.network != nil {
		c.network.close()
	}
	if c.proxy != nil {
		c.proxy.CloseIdleConnections()
	}
}

// Resolve returns the address that a fetch from host will dial: for an IP
// literal (IPv6 with or without brackets) itself, else the first of the name's
// addresses that the guard lets pass, IPv4 before IPv6. Answers are kept for
// five minutes. After a connect that failed the name's next address comes
// first. The error is as of Fetch; its URL is the host.
func (c *Client) Resolve(ctx context.Context, host string) (netip.Addr, error) {
	if c.closed.Load() {
		return netip.Addr{}, ErrClosed
	}
	start := time.Now()
	if n := len(host); n > 2 && host[0] == '[' && host[n-1] == ']' {
		host = host[1 : n-1]
	}
	a, err := c.resolver.resolve(ctx, host)
	if err != nil {
		return netip.Addr{}, c.report(ctx, &exchange{start: start, raw: host}, err)
	}
	return a, nil
}

// Fetch gets one URL. An answer of whatever status is a Response, redirects
// included. A body that ended too soon is kept with the reason in Truncated. The
// error is an [*Error] if this URL failed, [ErrClosed] after Close, and wraps
// the cause of ctx if that ended first.
func (c *Client) Fetch(ctx context.Context, r Request) (*Response, error) {
	if c.closed.Load() {
		return nil, ErrClosed
	}
	x := &exchange{raw: r.URL, addr: r.Addr, remote: r.Addr, start: time.Now(), lend: r.Lend}
	if x.limit = r.MaxBody; x.limit <= 0 {
		x.limit = c.opts.MaxBody
	}
	if err := c.run(ctx, x, r); err != nil {
		return nil, c.report(ctx, x, err)
	}
	return &Response{
		URL: r.URL, Status: x.status, Header: x.answer, Body: x.body,
		Truncated: x.cut, Location: x.answer.Get("Location"), Proto: x.proto,
		Addr: x.remote, Reused: x.reused, WireBytes: x.wireBytes,
		Start: x.start, End: time.Now(), lent: x.lent, pool: &c.scratch,
	}, nil
}

// run fills x.
func (c *Client) run(ctx context.Context, x *exchange, r Request) error {
	t, err := parseTarget(r.URL)
	if err != nil {
		return err
	}
	if err := checkPort(t.port); err != nil {
		return err
	}
	x.target, x.url = t, t.url(c.proxy != nil)
	if x.header, err = c.requestHeader(t, r); err != nil {
		return err
	}
	fctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	x.watch.start(c.opts.Timeouts.Total, cancel)
	defer x.watch.stop()

	a := c.agents.Get().(*agent)
	err = a.run(fctx, x)
	c.agents.Put(a)
	switch {
	case x.err != nil:
		return x.err
	case err != nil:
		return failed(KindProtocol, err)
	}
	return nil
}

// requestHeader returns the header of one request. The caller owns the map but
// not the values.
func (c *Client) requestHeader(t target, r Request) (http.Header, error) {
	if !fieldValue(r.IfNoneMatch) || !fieldValue(r.IfModifiedSince) {
		return nil, failedf(KindURL, "a validator holds a control character")
	}
	h := make(http.Header, len(c.fixed)+3)
	for k, v := range c.fixed {
		h[k] = v
	}
	h["Host"] = []string{t.authority} // colly makes it Request.Host
	if r.IfNoneMatch != "" {
		h["If-None-Match"] = []string{r.IfNoneMatch}
	}
	if r.IfModifiedSince != "" {
		h["If-Modified-Since"] = []string{r.IfModifiedSince}
	}
	return h, nil
}

// report turns what ended x into the error that Fetch returns.
func (c *Client) report(ctx context.Context, x *exchange, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("fetch: %s: %w", hostOf(x.raw), context.Cause(ctx))
	}
	e := &Error{URL: x.raw, Kind: KindNetwork, Status: x.status, Start: x.start, End: time.Now(), Err: err}
	if f, ok := err.(*failure); ok {
		e.Kind, e.Once, e.Err = f.kind, f.once, f.err
	}
	e.Retry = e.Once || e.Kind.retriable()
	e.RetryAfter, _ = RetryAfter(x.answer, e.End)
	return e
}

// newProxyTransport returns the engine for requests through a proxy. Addresses
// are looked up and dialled by the proxy, so the guard has nothing to judge.
func newProxyTransport(o Options) *http.Transport {
	return &http.Transport{
		Proxy:                  func(*http.Request) (*url.URL, error) { return o.Proxy, nil },
		TLSClientConfig:        tlsConfig(o),
		TLSHandshakeTimeout:    o.Timeouts.TLS,
		ResponseHeaderTimeout:  o.Timeouts.Header,
		IdleConnTimeout:        o.Timeouts.KeepAlive,
		MaxIdleConns:           o.MaxIdleConns,
		MaxResponseHeaderBytes: maxHeaderBytes,
		DisableCompression:     true,
		ForceAttemptHTTP2:      true,
	}
}
