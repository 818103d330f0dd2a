package fetch

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"syscall"
	"time"
)

// A connKey names what a connection is good for. The address belongs to it, so
// that a request goes to the address it was given for and to no other.
type connKey struct {
	https bool
	host  string
	port  uint16
	addr  netip.Addr
}

// A network is the engine that sends requests over TCP. HTTP/1 connections are
// its own (conn.go): they take no goroutine, and are kept by address, which
// http.Transport cannot do. HTTP/2 is net/http's.
type network struct {
	resolver *resolver
	times    Timeouts
	tls      *tls.Config
	insecure map[string]bool
	idle     *idlePool
	buffers  buffers
	h2       *http.Transport
}

// newNetwork returns an engine; close ends it.
func newNetwork(o Options, r *resolver) *network {
	n := &network{
		resolver: r, times: o.Timeouts, tls: tlsConfig(o),
		insecure: make(map[string]bool, len(o.InsecureTLSHosts)),
		idle:     newIdlePool(o.MaxIdleConns, o.Timeouts.KeepAlive),
	}
	for _, h := range o.InsecureTLSHosts {
		n.insecure[h] = true
	}
	n.h2 = newHTTP2(o)
	return n
}

// tlsConfig returns what all TLS connections share.
func tlsConfig(o Options) *tls.Config {
	return &tls.Config{
		RootCAs:            o.RootCAs,
		NextProtos:         []string{"h2", "http/1.1"},
		ClientSessionCache: tls.NewLRUClientSessionCache(1024),
		MinVersion:         tls.VersionTLS12,
	}
}

// close ends the idle connections; those of fetches under way end with them.
func (n *network) close() {
	n.idle.close()
	n.h2.CloseIdleConnections()
}

// RoundTrip sends the exchange in the context of req.
func (n *network) RoundTrip(req *http.Request) (*http.Response, error) {
	ctx := req.Context()
	x := ctx.Value(exchangeKey{}).(*exchange)
	key, err := n.key(ctx, x)
	if err != nil {
		return nil, err
	}
	for again := true; ; again = false {
		c, err := n.connect(ctx, key, again)
		if err != nil {
			return nil, err
		}
		x.remote, x.reused = key.addr, c.served > 0
		res, err := c.send(req, x)
		if err == nil {
			return res, nil
		}
		// A server may close an idle connection at any time, and HTTP/2 may
		// refuse a stream, without having looked at the request [RFC9110 §9.2.2].
		if again && ctx.Err() == nil && c.unanswered(err) {
			continue
		}
		return nil, err
	}
}

// key returns what x needs to be connected to.
func (n *network) key(ctx context.Context, x *exchange) (connKey, error) {
	k := connKey{https: x.target.https, host: x.target.host, port: x.target.port, addr: x.addr.Unmap()}
	if !k.addr.IsValid() {
		a, err := n.resolver.resolve(ctx, k.host)
		k.addr = a
		return k, err
	}
	return k, n.resolver.guard.check(k.host, k.addr)
}

// connect returns a connection for key, an idle one if that may be.
func (n *network) connect(ctx context.Context, key connKey, reuse bool) (*conn, error) {
	if reuse {
		if c := n.idle.take(key); c != nil {
			return c, nil
		}
	}
	nc, err := n.dial(ctx, key)
	if err != nil {
		if f, ok := err.(*failure); ok && f.kind != KindGuard {
			n.resolver.demote(key.host, key.addr)
		}
		return nil, err
	}
	if !key.https {
		return n.newConn(key, nc, nc), nil
	}
	tc, err := n.handshake(ctx, key, nc)
	if err != nil {
		nc.Close()
		return nil, err
	}
	c := n.newConn(key, nc, tc)
	if tc.ConnectionState().NegotiatedProtocol == "h2" {
		if c.h2, err = n.h2.NewClientConn(context.WithValue(ctx, h2ConnKey{}, tc), "https", net.JoinHostPort(key.host, "443")); err != nil {
			nc.Close()
			return nil, err
		}
	}
	return c, nil
}

// dial opens a TCP connection to the address in key and to no other. The guard
// judges what the system is about to connect to.
func (n *network) dial(ctx context.Context, key connKey) (net.Conn, error) {
	d := net.Dialer{
		Timeout:   n.times.Connect,
		KeepAlive: -1, // idle connections are closed sooner than a probe would go out
		Control: func(_, address string, _ syscall.RawConn) error {
			ap, err := netip.ParseAddrPort(address)
			if err != nil {
				return failed(KindGuard, err)
			}
			return n.resolver.guard.check(key.host, ap.Addr())
		},
	}
	nc, err := d.DialContext(ctx, "tcp", netip.AddrPortFrom(key.addr, key.port).String())
	if err == nil {
		return nc, nil
	}
	if f, ok := errors.AsType[*failure](err); ok {
		return nil, f
	}
	if kind := kindOf(err); kind != KindTimeoutHeader {
		return nil, failed(kind, err)
	}
	return nil, failed(KindTimeoutConnect, err)
}

// handshake makes nc a TLS connection to key's host. It does not close nc.
func (n *network) handshake(ctx context.Context, key connKey, nc net.Conn) (*tls.Conn, error) {
	conf := n.tls.Clone()
	conf.ServerName = strings.TrimSuffix(key.host, ".")
	conf.InsecureSkipVerify = n.insecure[key.host]
	tc := tls.Client(nc, conf)
	hctx, cancel := context.WithTimeout(ctx, n.times.TLS)
	defer cancel()
	err := tc.HandshakeContext(hctx)
	if err == nil {
		return tc, nil
	}
	switch kind := kindOf(err); kind {
	case KindTimeoutHeader:
		return nil, failed(KindTimeoutTLS, err)
	case KindReset:
		return nil, failed(kind, err)
	}
	return nil, failed(KindTLS, err)
}

// h2ConnKey is the context key of the connection that newHTTP2's transport
// takes.
type h2ConnKey struct{}

// newHTTP2 returns a transport that dials nothing: it speaks HTTP/2 over the
// connection in the context.
func newHTTP2(o Options) *http.Transport {
	protocols := new(http.Protocols)
	protocols.SetHTTP2(true)
	return &http.Transport{
		Protocols: protocols,
		DialTLSContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return ctx.Value(h2ConnKey{}).(net.Conn), nil
		},
		ResponseHeaderTimeout:  o.Timeouts.Header,
		IdleConnTimeout:        o.Timeouts.KeepAlive + time.Second,
		MaxResponseHeaderBytes: maxHeaderBytes,
		DisableCompression:     true,
		// What a server may send ahead of our reading.
		HTTP2: &http.HTTP2Config{MaxReceiveBufferPerStream: 1 << 20, MaxReceiveBufferPerConnection: 1 << 20},
	}
}
