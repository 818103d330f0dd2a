package fetch

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"sync"
	"time"
)

// maxInterim is how many 1xx answers may come before the real one.
const maxInterim = 32

// A conn carries one request at a time. It belongs to the exchange that took it
// from the pool or dialled it, then to the pool.
type conn struct {
	net    *network
	key    connKey
	tcp    net.Conn
	stream net.Conn // tcp, or TLS over it
	h2     *http.ClientConn

	in      *bufio.Reader // nil while idle
	budget  int64         // bytes the header may still take; < 0 in a body
	came    bool          // a byte of the answer came
	ioErr   error         // what the last read ended with
	served  int           // answers
	idleEnd time.Time     // in the pool: when to close
}

func (n *network) newConn(key connKey, tcp, stream net.Conn) *conn {
	return &conn{net: n, key: key, tcp: tcp, stream: stream}
}

// Read feeds c.in. While a header is read, it gives no more than the budget.
func (c *conn) Read(p []byte) (int, error) {
	if c.budget == 0 {
		c.ioErr = failedf(KindHeaderSize, "the response header is larger than %d bytes", maxHeaderBytes)
		return 0, c.ioErr
	}
	if c.budget > 0 && int64(len(p)) > c.budget {
		p = p[:c.budget]
	}
	n, err := c.stream.Read(p)
	if c.budget > 0 {
		c.budget -= int64(n)
	}
	c.came = c.came || n > 0
	c.ioErr = err
	return n, err
}

// send performs one request. After an error the connection is closed. The body
// of the response gives the connection back.
func (c *conn) send(req *http.Request, x *exchange) (*http.Response, error) {
	if c.h2 != nil {
		return c.sendHTTP2(req)
	}
	ctx := req.Context()
	c.in = c.net.buffers.reader(c)
	c.budget, c.came, c.ioErr = maxHeaderBytes, false, nil
	stop := context.AfterFunc(ctx, c.interrupt)
	res, err := c.roundTrip(req, x)
	if err != nil {
		stop()
		c.close()
		return nil, err
	}
	c.budget = -1
	c.served++
	c.stream.SetDeadline(time.Time{})
	if ctx.Err() != nil { // the line above may have undone the interrupt
		c.interrupt()
	}
	res.Body = &connBody{c: c, src: res.Body, stop: stop, keep: !res.Close}
	return res, nil
}

// interrupt makes reads and writes under way return.
func (c *conn) interrupt() { c.stream.SetDeadline(time.Unix(1, 0)) }

// roundTrip writes the request and reads the response header.
func (c *conn) roundTrip(req *http.Request, x *exchange) (*http.Response, error) {
	c.stream.SetDeadline(time.Now().Add(c.net.times.Header))
	if err := c.writeRequest(x); err != nil {
		return nil, c.failure(err)
	}
	for range maxInterim {
		res, err := http.ReadResponse(c.in, req)
		if err != nil {
			if c.ioErr != nil {
				err = c.ioErr
			}
			return nil, c.failure(err)
		}
		switch s := res.StatusCode; {
		case s >= 200:
			return res, nil
		case s < 100: // net/http lets any three digits pass
			return nil, failedf(KindProtocol, "status %03d", s)
		case s == http.StatusSwitchingProtocols:
			return nil, failedf(KindProtocol, "the server switched protocols unasked")
		}
	}
	return nil, failedf(KindHeaderSize, "more than %d interim responses", maxInterim)
}

// failure says more of an end that came in place of an answer; other errors go
// through.
func (c *conn) failure(err error) error {
	if c.ioErr == io.EOF && !c.came {
		return failedf(KindReset, "the server closed the connection without an answer")
	}
	return err
}

// writeRequest sends the request line and header in one piece.
func (c *conn) writeRequest(x *exchange) error {
	buf := c.net.buffers.get()
	defer c.net.buffers.put(buf)
	b := append((*buf)[:0], "GET "...)
	b = append(b, x.target.path...)
	b = append(b, " HTTP/1.1\r\nHost: "...)
	b = append(b, x.target.authority...)
	for _, name := range fieldOrder {
		for _, v := range x.header[name] {
			b = append(b, "\r\n"...)
			b = append(b, name...)
			b = append(b, ": "...)
			b = append(b, v...)
		}
	}
	b = append(b, "\r\n\r\n"...)
	*buf = b
	_, err := c.stream.Write(b)
	return err
}

// sendHTTP2 performs one request over HTTP/2.
func (c *conn) sendHTTP2(req *http.Request) (*http.Response, error) {
	res, err := c.h2.RoundTrip(req)
	if err != nil {
		c.close()
		return nil, err
	}
	c.served++
	res.Body = &connBody{c: c, src: res.Body, stop: func() bool { return true }, keep: true}
	return res, nil
}

// unanswered reports whether a request that failed with err may go out again at
// once: nothing came for it, and the connection may have been closed before the
// server saw it.
func (c *conn) unanswered(err error) bool {
	if c.h2 != nil {
		return kindOf(err) == KindReset
	}
	return c.served > 0 && !c.came && !timedOut(err)
}

// close ends the connection.
func (c *conn) close() {
	if c.h2 != nil {
		c.h2.Close()
	}
	c.stream.Close()
	c.releaseReader()
}

// rest makes c ready to lie in the pool; it reports false if c is of no more
// use.
func (c *conn) rest() bool {
	if c.h2 != nil {
		return c.h2.Err() == nil
	}
	// Bytes that nobody asked for would be taken for the next answer.
	if c.in.Buffered() > 0 {
		return false
	}
	c.releaseReader()
	return true
}

func (c *conn) releaseReader() {
	if c.in != nil {
		c.net.buffers.putReader(c.in)
		c.in = nil
	}
}

// usable reports whether an idle connection still seems to be open.
func (c *conn) usable() bool {
	if c.h2 != nil {
		return c.h2.Err() == nil && c.h2.Available() > 0
	}
	return quiet(c.tcp)
}

// A connBody is the body of a response; at its end the connection goes to the
// pool.
type connBody struct {
	c    *conn
	src  io.ReadCloser
	stop func() bool // ends the watch over the context; false if that ended first
	keep bool
	done bool
}

func (b *connBody) Read(p []byte) (int, error) {
	if b.done {
		return 0, io.EOF
	}
	n, err := b.src.Read(p)
	if err == io.EOF {
		b.release(true)
	}
	return n, err
}

// Close closes the connection unless the body was read to its end.
func (b *connBody) Close() error {
	b.release(false)
	return nil
}

func (b *connBody) release(whole bool) {
	if b.done {
		return
	}
	b.done = true
	if b.stop() && whole && b.keep && b.c.rest() {
		b.c.net.idle.put(b.c)
		return
	}
	if b.c.h2 != nil {
		b.src.Close()
	}
	b.c.close()
}

// buffers are the buffers that connections need only while they work.
type buffers struct {
	readers, writes sync.Pool
}

const readBuffer = 16 << 10

func (b *buffers) reader(c *conn) *bufio.Reader {
	if r, ok := b.readers.Get().(*bufio.Reader); ok {
		r.Reset(c)
		return r
	}
	return bufio.NewReaderSize(c, readBuffer)
}

func (b *buffers) putReader(r *bufio.Reader) {
	r.Reset(nil)
	b.readers.Put(r)
}

func (b *buffers) get() *[]byte {
	if p, ok := b.writes.Get().(*[]byte); ok {
		return p
	}
	return new([]byte)
}

func (b *buffers) put(p *[]byte) { b.writes.Put(p) }
