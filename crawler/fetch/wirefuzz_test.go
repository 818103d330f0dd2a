package fetch

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/hashcrawl/hashcrawl/crawler/fetch/faultserver"
)

// A wireEngine answers each request with the bytes of a server, over a
// connection that is otherwise ours.
type wireEngine struct {
	network *network
	answer  string
}

func (e wireEngine) RoundTrip(r *http.Request) (*http.Response, error) {
	x := r.Context().Value(exchangeKey{}).(*exchange)
	nc := &cannedConn{in: strings.NewReader(e.answer)}
	return e.network.newConn(connKey{}, nc, nc).send(r, x)
}

// A cannedConn gives its bytes and then the end.
type cannedConn struct {
	net.Conn
	in io.Reader
}

func (c *cannedConn) Read(p []byte) (int, error)  { return c.in.Read(p) }
func (c *cannedConn) Write(p []byte) (int, error) { return len(p), nil }
func (c *cannedConn) SetDeadline(time.Time) error { return nil }
func (c *cannedConn) Close() error                { return nil }

// Whatever a server sends, the outcome is a page within the limit, or an error
// of a kind that bytes can cause; and no connection is kept after an error.
func FuzzAnswer(f *testing.F) {
	for _, s := range []string{
		"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
		"HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nokokok",
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nT: x\r\n\r\n",
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\nzz\r\n",
		"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 429 Slow\r\nRetry-After: 5\r\nContent-Length: 0\r\n\r\n",
		"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nConnection: close\r\n\r\n" + faultserver.Gzip("<p>hello</p>"),
		"HTTP/1.0 302 Found\nLocation: /x\n\nmoved",
		"HTTP/1.1 304 Not Modified\r\nETag: \"a\"\r\n\r\n",
		"HTTP/1.1 101 Switching Protocols\r\n\r\n",
		"HTTP/2 200\r\n\r\n", "SSH-2.0\r\n", "<html>", "", "HTTP/1.1 200 OK\r\nFoo: a\x00b\r\n\r\n",
	} {
		f.Add(s)
	}
	const limit = 4096
	f.Fuzz(func(t *testing.T, answer string) {
		o, err := Options{UserAgent: "hashcrawl/fuzz", MaxBody: limit}.check()
		if err != nil {
			t.Fatal(err)
		}
		n := newNetwork(o, newResolver(o))
		defer n.close()
		o.Transport = wireEngine{n, answer}
		c, err := New(o)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		r, err := c.Fetch(context.Background(), Request{URL: "http://a.test/"})
		if err != nil {
			e, ok := errors.AsType[*Error](err)
			if !ok {
				t.Fatalf("error %v", err)
			}
			switch e.Kind {
			case KindProtocol, KindReset, KindHeaderSize, KindEncoding:
			default:
				t.Errorf("error of kind %s: %v", e.Kind, err)
			}
		} else if len(r.Body) > limit || r.Status < 200 {
			t.Errorf("status %d, %d bytes", r.Status, len(r.Body))
		}
		if kept := n.idle.pop(connKey{}); kept != nil && err != nil && kept.served == 0 {
			t.Errorf("the connection was kept after %v", err)
		}
	})
}
