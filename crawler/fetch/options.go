package fetch

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"
)

// DefaultMaxBody is the limit of a decoded body when [Options.MaxBody] is 0.
const DefaultMaxBody = 10 << 20

// maxHeaderBytes is what a response header, with all 1xx answers before it, may
// take on the wire.
const maxHeaderBytes = 256 << 10

// Options configure a [Client]. Only UserAgent has no usable zero value.
type Options struct {
	// UserAgent is sent with every request. It must not be empty.
	UserAgent string
	// From is the contact address of [RFC9110 §10.1.2]; "" sends none.
	From string
	// MaxBody is the most decoded bytes kept of one body; 0 means
	// [DefaultMaxBody].
	MaxBody int64
	// MaxIdleConns bounds the connections kept for reuse over all hosts; 0
	// means 1024. The one idle for longest is closed first.
	MaxIdleConns int
	Timeouts     Timeouts

	// AllowNets are addresses that the guard lets pass although they are not
	// public.
	AllowNets []netip.Prefix
	// AllowLoopback lets 127.0.0.0/8 and ::1 pass.
	AllowLoopback bool
	// AllowHosts are hosts, as they stand in a URL (lower case, no port, IPv6
	// without brackets), whose addresses pass whatever they are: a seed that is
	// itself private.
	AllowHosts []string
	// InsecureTLSHosts are hosts whose certificate is not verified. Through a
	// proxy every certificate is.
	InsecureTLSHosts []string
	// RootCAs verify servers; nil means those of the system.
	RootCAs *x509.CertPool

	// Proxy is asked for every request when it is set; the proxies named in the
	// environment never are. The guard cannot see through a proxy.
	Proxy *url.URL
	// Resolver looks up host names; nil means the resolver of the system.
	Resolver Resolver
	// Transport replaces the network, for tests. It must send Request.URL as
	// URL.RequestURI spells it, and neither decode bodies nor follow redirects.
	Transport http.RoundTripper
}

// A Resolver looks up the addresses of a host name. An error that wraps a
// [net.DNSError] with IsNotFound set says that the name does not exist.
// [ResolverFunc] makes one of a function.
type Resolver interface {
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

// ResolverFunc is a [Resolver] made of a function that does not care for the
// network.
type ResolverFunc func(ctx context.Context, host string) ([]netip.Addr, error)

// LookupNetIP calls f.
func (f ResolverFunc) LookupNetIP(ctx context.Context, _, host string) ([]netip.Addr, error) {
	return f(ctx, host)
}

// Timeouts limit the phases of a fetch. A zero field means the default that
// stands behind it; there is no way to wait for ever.
type Timeouts struct {
	DNS       time.Duration // 10 s: look-up of a name
	Connect   time.Duration // 10 s: TCP connect
	TLS       time.Duration // 10 s: TLS handshake
	Header    time.Duration // 30 s: from the request to the end of the response header
	Idle      time.Duration // 20 s: between two reads of a body
	Total     time.Duration // 2 min: the whole fetch; what of the body is there by then is kept
	KeepAlive time.Duration // 60 s: how long an idle connection is kept for reuse
}

// withDefaults fills the zero fields.
func (t Timeouts) withDefaults() Timeouts {
	for _, f := range []struct {
		d   *time.Duration
		def time.Duration
	}{
		{&t.DNS, 10 * time.Second},
		{&t.Connect, 10 * time.Second},
		{&t.TLS, 10 * time.Second},
		{&t.Header, 30 * time.Second},
		{&t.Idle, 20 * time.Second},
		{&t.Total, 2 * time.Minute},
		{&t.KeepAlive, time.Minute},
	} {
		if *f.d == 0 {
			*f.d = f.def
		}
	}
	return t
}

// check returns o with defaults filled in, or what is wrong with it.
func (o Options) check() (Options, error) {
	if o.UserAgent == "" {
		return o, errors.New("fetch: Options.UserAgent is empty")
	}
	if !fieldValue(o.UserAgent) || !fieldValue(o.From) {
		return o, errors.New("fetch: Options.UserAgent or From holds a control character")
	}
	if o.MaxBody < 0 || o.MaxIdleConns < 0 {
		return o, errors.New("fetch: Options.MaxBody or MaxIdleConns is negative")
	}
	if o.Proxy != nil && o.Transport != nil {
		return o, errors.New("fetch: Options.Proxy and Transport exclude each other")
	}
	if o.Proxy != nil {
		switch o.Proxy.Scheme {
		case "http", "https", "socks5", "socks5h":
		default:
			return o, fmt.Errorf("fetch: proxy scheme %q is none of http, https, socks5, socks5h", o.Proxy.Scheme)
		}
	}
	if o.MaxBody == 0 {
		o.MaxBody = DefaultMaxBody
	}
	if o.MaxIdleConns == 0 {
		o.MaxIdleConns = 1024
	}
	o.Timeouts = o.Timeouts.withDefaults()
	return o, nil
}

// fieldValue reports whether s can stand in a header field as it is
// [RFC9110 §5.5].
func fieldValue(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7F })
}
