package fetch

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/hashcrawl/hashcrawl/crawler/fetch/faultserver"
)

func mustURL(t *testing.T, s string) *url.URL {
	t.Helper()
	u, err := url.Parse(s)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// mustFetch fetches url and fails the test if that fails.
func mustFetch(t *testing.T, c *Client, url string) *Response {
	t.Helper()
	r, err := c.Fetch(t.Context(), Request{URL: url})
	if err != nil {
		t.Fatalf("Fetch(%q): %v", url, err)
	}
	return r
}

func TestConnectionIsReused(t *testing.T) {
	s := startFaults(t, faultserver.Options{})
	c := newTestClient(t, Options{})
	for i, path := range []string{"/a", "/B04", "/B08", "/R01", "/S03", "/H03-few", "/gzip-and-more", "/a"} {
		if r := mustFetch(t, c, s.URL()+path); r.Reused != (i > 0) {
			t.Errorf("%s: Reused = %v", path, r.Reused)
		}
	}
	if n := s.Conns(); n != 1 {
		t.Errorf("%d connections, want 1", n)
	}
}

func TestConnectionThatCannotBeTrustedIsNotReused(t *testing.T) {
	for _, path := range []string{"/H06", "/H07", "/H10", "/B10", "/H05-1.0", "/B05"} {
		s := startFaults(t, faultserver.Options{})
		c := newTestClient(t, Options{MaxBody: 1000})
		c.Fetch(t.Context(), Request{URL: s.URL() + path})
		if r := mustFetch(t, c, s.URL()+"/fine"); r.Reused {
			t.Errorf("the connection of %s was used again", path)
		} else if string(r.Body) != "<p>nothing wrong here</p>" {
			t.Errorf("after %s came %q", path, r.Body)
		}
	}
}

// Bytes that come while a connection is idle are not the answer to the next
// request.
func TestLateBytesAreNoAnswer(t *testing.T) {
	s := startFaults(t, faultserver.Options{})
	sent := make(chan struct{})
	s.Handle("/late", func(c *faultserver.Conn) bool {
		c.Page("ok")
		<-sent
		keep := c.Send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwrong")
		return keep
	})
	c := newTestClient(t, Options{})
	mustFetch(t, c, s.URL()+"/late")
	close(sent)
	<-s.Ended("/late")
	if r := mustFetch(t, c, s.URL()+"/fine"); string(r.Body) != "<p>nothing wrong here</p>" {
		t.Errorf("got %q", r.Body)
	}
}

func TestConnectionClosedByTheServerIsReplacedInSilence(t *testing.T) {
	s := startFaults(t, faultserver.Options{})
	c := newTestClient(t, Options{})
	for range 5 {
		if r := mustFetch(t, c, s.URL()+"/N04"); r.Reused {
			t.Errorf("a closed connection was used again")
		}
	}
	if n := len(s.Requests()); n != 5 {
		t.Errorf("%d requests, want 5", n)
	}
}

// A server that closes just when the request arrives: the request goes out
// again, once, on a new connection.
func TestRequestOnADyingConnectionGoesOutAgain(t *testing.T) {
	s := startFaults(t, faultserver.Options{})
	first := true
	s.Handle("/dying", func(c *faultserver.Conn) bool {
		if first {
			first = false
			return false
		}
		return c.Page("alive")
	})
	c := newTestClient(t, Options{})
	mustFetch(t, c, s.URL()+"/fine")
	if r := mustFetch(t, c, s.URL()+"/dying"); string(r.Body) != "alive" || r.Reused {
		t.Errorf("got %q, reused %v", r.Body, r.Reused)
	}
	if n := s.Conns(); n != 2 {
		t.Errorf("%d connections, want 2", n)
	}
}

func TestIdleConnectionsAreBounded(t *testing.T) {
	c := newTestClient(t, Options{MaxIdleConns: 2})
	var servers []*faultserver.Server
	for range 3 {
		servers = append(servers, startFaults(t, faultserver.Options{}))
	}
	for _, s := range servers {
		mustFetch(t, c, s.URL()+"/fine")
	}
	if n := c.network.idle.order.Len(); n != 2 {
		t.Errorf("%d idle connections, want 2", n)
	}
	for i := 2; i >= 0; i-- {
		if r := mustFetch(t, c, servers[i].URL()+"/fine"); r.Reused != (i > 0) {
			t.Errorf("server %d: Reused = %v; the oldest connection has to go", i, r.Reused)
		}
	}
}

func TestIdleConnectionsAreClosedInTime(t *testing.T) {
	s := startFaults(t, faultserver.Options{})
	gone := make(chan struct{})
	s.Handle("/watched", func(c *faultserver.Conn) bool {
		c.Page("ok")
		c.Hold()
		close(gone)
		return false
	})
	c := newTestClient(t, Options{Timeouts: Timeouts{KeepAlive: 50 * time.Millisecond}})
	mustFetch(t, c, s.URL()+"/watched")
	<-gone
}

func TestRequestGoesToTheAddressItNames(t *testing.T) {
	s := startFaults(t, faultserver.Options{Addr: "0.0.0.0:0"})
	_, port, _ := splitAddr(s.Addr())
	c := newTestClient(t, Options{})
	for _, addr := range []string{"127.0.0.2", "127.0.0.3", "127.0.0.2"} {
		a := netip.MustParseAddr(addr)
		r, err := c.Fetch(t.Context(), Request{URL: "http://site.test:" + port + "/", Addr: a})
		if err != nil || r.Addr != a {
			t.Fatalf("Fetch at %s = %+v, %v", addr, r, err)
		}
		log := s.Requests()
		got := log[len(log)-1]
		if host, _, _ := splitAddr(got.Local); host != addr || got.Field("Host") != "site.test:"+port {
			t.Errorf("connected to %s with Host %q, want %s", got.Local, got.Field("Host"), addr)
		}
	}
	if n := s.Conns(); n != 2 {
		t.Errorf("%d connections, want one for each address", n)
	}
}

func splitAddr(s string) (host, port string, err error) {
	ap, err := netip.ParseAddrPort(s)
	return ap.Addr().String(), fmt.Sprint(ap.Port()), err
}

func TestContextEndsAFetchInAnyPhase(t *testing.T) {
	s := startFaults(t, faultserver.Options{})
	reached := make(chan struct{}, 1)
	s.Handle("/header", func(c *faultserver.Conn) bool {
		reached <- struct{}{}
		c.Hold()
		return false
	})
	s.Handle("/body", func(c *faultserver.Conn) bool {
		c.Send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nxxx")
		reached <- struct{}{}
		c.Hold()
		return false
	})
	stop := errors.New("stopped by the user")
	for _, path := range []string{"/header", "/body"} {
		c := newTestClient(t, Options{})
		ctx, cancel := context.WithCancelCause(t.Context())
		go func() {
			<-reached
			cancel(stop)
		}()
		r, err := c.Fetch(ctx, Request{URL: s.URL() + path})
		if !errors.Is(err, stop) {
			t.Errorf("%s: Fetch = %+v, %v; want the cause of the context", path, r, err)
		}
		if _, ok := errors.AsType[*Error](err); ok {
			t.Errorf("%s: %v blames the URL", path, err)
		}
		<-s.Ended(path)
	}
}

func TestManyWorkersShareAClient(t *testing.T) {
	s := startFaults(t, faultserver.Options{})
	c := newTestClient(t, Options{MaxIdleConns: 8, MaxBody: 1 << 20})
	var wg sync.WaitGroup
	for w := range 16 {
		wg.Go(func() {
			for i := range 25 {
				want := fmt.Sprintf("%d-%d", w, i)
				path := "/echo-" + want
				s.Handle(path, func(c *faultserver.Conn) bool {
					return c.Page(faultserver.Gzip(want), "Content-Encoding: gzip")
				})
				r, err := c.Fetch(t.Context(), Request{URL: s.URL() + path})
				if err != nil || string(r.Body) != want {
					t.Errorf("Fetch(%q) = %+v, %v", path, r, err)
				}
				c.Fetch(t.Context(), Request{URL: s.URL() + []string{"/B07", "/H06", "/H08", "/B17", "/B04"}[i%5]})
			}
		})
	}
	wg.Wait()
}

func TestRefusedConnectionIsNamed(t *testing.T) {
	c := newTestClient(t, Options{})
	if got, want := fetchOutcome(t, c, "http://"+closedAddr(t)+"/"), (outcome{kind: KindRefused, retry: true}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestClosedClientRefuses(t *testing.T) {
	c := newTestClient(t, Options{})
	c.Close()
	c.Close()
	if _, err := c.Fetch(t.Context(), Request{URL: "http://a.test/"}); !errors.Is(err, ErrClosed) {
		t.Errorf("Fetch: %v", err)
	}
	if _, err := c.Resolve(t.Context(), "a.test"); !errors.Is(err, ErrClosed) {
		t.Errorf("Resolve: %v", err)
	}
}

func TestUnusableOptionsAreRefused(t *testing.T) {
	for name, o := range map[string]Options{
		"no agent":        {},
		"control":         {UserAgent: "a\r\nb"},
		"negative limit":  {UserAgent: "a", MaxBody: -1},
		"proxy scheme":    {UserAgent: "a", Proxy: &url.URL{Scheme: "ftp", Host: "a"}},
		"proxy and other": {UserAgent: "a", Proxy: &url.URL{Scheme: "http", Host: "a"}, Transport: unreachable{t}},
	} {
		if _, err := New(o); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
