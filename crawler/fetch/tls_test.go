package fetch

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"

	"github.com/hashcrawl/hashcrawl/crawler/fetch/faultserver"
)

// An authority signs certificates for tests.
type authority struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
	pool *x509.CertPool
}

func newAuthority(t *testing.T) *authority {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	tmpl := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test authority"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, tmpl, tmpl, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	a := &authority{key: key, pool: x509.NewCertPool()}
	if a.cert, err = x509.ParseCertificate(der); err != nil {
		t.Fatal(err)
	}
	a.pool.AddCert(a.cert)
	return a
}

// sign returns a certificate for the names that ends at end.
func (a *authority) sign(t *testing.T, end time.Time, names ...string) tls.Certificate {
	t.Helper()
	tmpl := &x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: "site"},
		NotBefore: time.Now().Add(-2 * time.Hour), NotAfter: end,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	for _, n := range names {
		if ip := net.ParseIP(n); ip != nil {
			tmpl.IPAddresses = append(tmpl.IPAddresses, ip)
		} else {
			tmpl.DNSNames = append(tmpl.DNSNames, n)
		}
	}
	der, err := x509.CreateCertificate(rand.Reader, tmpl, a.cert, &a.key.PublicKey, a.key)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: a.key}
}

// N02: what a certificate has to be, and the name that decides.
func TestTLSIsVerified(t *testing.T) {
	ca, stranger := newAuthority(t), newAuthority(t)
	hour := time.Now().Add(time.Hour)
	tlsFailed := outcome{kind: KindTLS}
	fine := outcome{status: 200, body: "<p>nothing wrong here</p>"}
	for _, tc := range []struct {
		name string
		cert tls.Certificate
		conf func(*tls.Config)
		o    Options
		want outcome
	}{
		{name: "good", cert: ca.sign(t, hour, "site.test"), want: fine},
		{name: "expired", cert: ca.sign(t, time.Now().Add(-time.Hour), "site.test"), want: tlsFailed},
		{name: "unknown authority", cert: stranger.sign(t, hour, "site.test"), want: tlsFailed},
		{name: "other host", cert: ca.sign(t, hour, "other.test", "127.0.0.1"), want: tlsFailed},
		{
			name: "TLS 1.0", cert: ca.sign(t, hour, "site.test"), want: tlsFailed,
			conf: func(c *tls.Config) { c.MinVersion, c.MaxVersion = tls.VersionTLS10, tls.VersionTLS10 },
		},
		{
			name: "expired, allowed for the host", cert: ca.sign(t, time.Now().Add(-time.Hour), "site.test"),
			o: Options{InsecureTLSHosts: []string{"site.test"}}, want: fine,
		},
		{
			name: "expired, allowed for another", cert: ca.sign(t, time.Now().Add(-time.Hour), "site.test"),
			o: Options{InsecureTLSHosts: []string{"other.test"}}, want: tlsFailed,
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			conf := &tls.Config{Certificates: []tls.Certificate{tc.cert}}
			if tc.conf != nil {
				tc.conf(conf)
			}
			s := startFaults(t, faultserver.Options{TLS: conf})
			_, port, _ := net.SplitHostPort(s.Addr())
			tc.o.RootCAs = ca.pool
			tc.o.Resolver = ResolverFunc(onLoopback)
			c := newTestClient(t, tc.o)
			if got := fetchOutcome(t, c, "https://site.test:"+port+"/"); got != tc.want {
				t.Errorf("got %+v, want %+v", got, tc.want)
			}
		})
	}
}

func TestPlainServerIsNoTLSServer(t *testing.T) {
	s := httptest.NewServer(http.NotFoundHandler())
	defer s.Close()
	c := newTestClient(t, Options{})
	if got, want := fetchOutcome(t, c, strings.Replace(s.URL, "http:", "https:", 1)), (outcome{kind: KindTLS}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// B15
func TestStalledHandshakeTimesOut(t *testing.T) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close() // accepts by its backlog, and never answers
	c := newTestClient(t, Options{Timeouts: Timeouts{TLS: 50 * time.Millisecond}})
	if got, want := fetchOutcome(t, c, "https://"+ln.Addr().String()+"/"), (outcome{kind: KindTimeoutTLS, retry: true}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// startHTTP2 starts an HTTP/2 server with a certificate for 127.0.0.1.
func startHTTP2(t *testing.T, h http.Handler) (*httptest.Server, *Client) {
	t.Helper()
	s := httptest.NewUnstartedServer(h)
	s.EnableHTTP2 = true
	s.StartTLS()
	t.Cleanup(s.Close)
	pool := x509.NewCertPool()
	pool.AddCert(s.Certificate())
	return s, newTestClient(t, Options{RootCAs: pool, MaxBody: 1 << 20, Timeouts: Timeouts{Idle: 5 * time.Second}})
}

func TestHTTP2(t *testing.T) {
	var conns atomic.Int32
	seen := make(map[string]bool)
	s, c := startHTTP2(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !seen[r.RemoteAddr] {
			seen[r.RemoteAddr] = true
			conns.Add(1)
		}
		switch r.URL.Path {
		case "/gzip":
			w.Header().Set("Content-Encoding", "gzip")
			io.WriteString(w, faultserver.Gzip("<p>hello</p>"))
		case "/large-header":
			for i := range 300 {
				w.Header().Set("X-"+strconv.Itoa(i), strings.Repeat("x", 1<<10))
			}
		default:
			io.WriteString(w, r.RequestURI+" "+r.Host+" "+r.UserAgent())
		}
	}))
	host := strings.TrimPrefix(s.URL, "https://")
	for i, path := range []string{"/a", "/a|b^?x|%", "//x", "//a|b", "/?_escaped_fragment_=/a?b", "/?"} {
		r := mustFetch(t, c, s.URL+path)
		if want := path + " " + host + " hashcrawl/test (+https://a.test/)"; string(r.Body) != want || r.Proto != "HTTP/2.0" || r.Reused != (i > 0) {
			t.Errorf("%s: got %q over %s, reused %v", path, r.Body, r.Proto, r.Reused)
		}
	}
	if r := mustFetch(t, c, s.URL+"/gzip"); string(r.Body) != "<p>hello</p>" {
		t.Errorf("gzip: got %q", r.Body)
	}
	if n := conns.Load(); n != 1 {
		t.Errorf("%d connections, want 1", n)
	}
	// net/http ends the connection without saying that size was the reason.
	if got, want := fetchOutcome(t, c, s.URL+"/large-header"), (outcome{kind: KindProtocol}); got != want {
		t.Errorf("large header: got %+v, want %+v", got, want)
	}
}

func TestHTTP2LimitsBodies(t *testing.T) {
	s, c := startHTTP2(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for r.Context().Err() == nil {
			if _, err := w.Write(make([]byte, 64<<10)); err != nil {
				return
			}
		}
	}))
	if r := mustFetch(t, c, s.URL+"/"); len(r.Body) != 1<<20 || r.Truncated != CutSize {
		t.Errorf("%d bytes, cut %q", len(r.Body), r.Truncated)
	}
}

func TestHTTP2HeaderTimesOut(t *testing.T) {
	s, _ := startHTTP2(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	pool := x509.NewCertPool()
	pool.AddCert(s.Certificate())
	c := newTestClient(t, Options{RootCAs: pool, Timeouts: Timeouts{Header: 50 * time.Millisecond}})
	if got, want := fetchOutcome(t, c, s.URL+"/"), (outcome{kind: KindTimeoutHeader, retry: true}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// N03, in the middle of a body: what came is kept.
func TestHTTP2StreamResetKeepsThePrefix(t *testing.T) {
	s, c := startHTTP2(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, "<a href=/x>")
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler) // RST_STREAM
	}))
	if got, want := fetchOutcome(t, c, s.URL+"/"), (outcome{status: 200, body: "<a href=/x>", cut: CutShort}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// N03, before an answer: GOAWAY and RST_STREAM are answered by one more try on a
// new connection.
func TestHTTP2RefusalIsTriedOnceMore(t *testing.T) {
	for name, refuse := range map[string]func(*http2.Framer, uint32){
		"GOAWAY": func(f *http2.Framer, _ uint32) { f.WriteGoAway(0, http2.ErrCodeNo, nil) },
		"RST_STREAM": func(f *http2.Framer, id uint32) {
			f.WriteRSTStream(id, http2.ErrCodeRefusedStream)
		},
	} {
		for _, tc := range []struct {
			times int32
			want  outcome
		}{
			{1, outcome{status: 200, body: ""}},
			{9, outcome{kind: KindReset, retry: true}},
		} {
			ca := newAuthority(t)
			conf := &tls.Config{NextProtos: []string{"h2"}, Certificates: []tls.Certificate{ca.sign(t, time.Now().Add(time.Hour), "127.0.0.1")}}
			ln, err := tls.Listen("tcp", "127.0.0.1:0", conf)
			if err != nil {
				t.Fatal(err)
			}
			var conns atomic.Int32
			done := make(chan struct{})
			go func() {
				defer close(done)
				for {
					nc, err := ln.Accept()
					if err != nil {
						return
					}
					serveFrames(nc, func(f *http2.Framer, id uint32) {
						if conns.Add(1) <= tc.times {
							refuse(f, id)
							return
						}
						f.WriteHeaders(http2.HeadersFrameParam{StreamID: id, EndHeaders: true, EndStream: true, BlockFragment: status200()})
					})
				}
			}()
			c := newTestClient(t, Options{RootCAs: ca.pool, Timeouts: Timeouts{Header: 5 * time.Second}})
			if got := fetchOutcome(t, c, "https://"+ln.Addr().String()+"/"); got != tc.want {
				t.Errorf("%s %d times: got %+v, want %+v", name, tc.times, got, tc.want)
			}
			if n := conns.Load(); n != 2 {
				t.Errorf("%s %d times: %d requests, want 2", name, tc.times, n)
			}
			c.Close()
			ln.Close()
			<-done
		}
	}
}

// serveFrames speaks just enough HTTP/2 to hand one request to answer.
func serveFrames(nc net.Conn, answer func(f *http2.Framer, stream uint32)) {
	defer nc.Close()
	preface := make([]byte, len(http2.ClientPreface))
	if _, err := io.ReadFull(nc, preface); err != nil {
		return
	}
	f := http2.NewFramer(nc, nc)
	f.WriteSettings()
	for {
		fr, err := f.ReadFrame()
		if err != nil {
			return
		}
		if h, ok := fr.(*http2.HeadersFrame); ok {
			answer(f, h.StreamID)
		}
	}
}

func status200() []byte {
	var b strings.Builder
	hpack.NewEncoder(&b).WriteField(hpack.HeaderField{Name: ":status", Value: "200"})
	return []byte(b.String())
}

// onLoopback resolves every name to 127.0.0.1.
func onLoopback(context.Context, string) ([]netip.Addr, error) {
	return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
}
