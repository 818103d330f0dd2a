package fetch

import (
	"context"
	"errors"
	"io"
	"net/http"
)

// The buffers into which bodies are read, before they are lent to the caller or
// copied to a slice of their size. Those that grew larger go to the caller as
// they are.
const (
	minScratch = 32 << 10
	maxScratch = 1 << 20
)

// errTooLarge ends the reading of a body that is longer than the limit.
var errTooLarge = errors.New("the body is too large")

// readBody reads the body of res into x, with the reason if it is not whole. An
// error means that there is nothing worth keeping.
func (c *Client) readBody(ctx context.Context, x *exchange, res *http.Response) error {
	codings, err := contentCodings(res.Header)
	if err != nil {
		return x.undecodable(failed(KindEncoding, err))
	}
	x.watch.watchBody(c.opts.Timeouts.Idle)
	wire := &wireReader{ctx: ctx, x: x, src: res.Body}
	top, opened, err := c.decoders.stack(codings, wire)
	if err == nil {
		x.body, x.lent, err = c.readAll(top, x.limit, x.lend)
	}
	for _, d := range opened {
		c.decoders.close(d)
	}
	if err == io.EOF && len(codings) > 0 {
		wire.finish()
	}
	return x.settle(wire, err)
}

// readAll reads r up to a limit. The body stands in the buffer that it returns
// if it was to be lent, and in one of its size if not. The error is never nil:
// io.EOF after a whole body, errTooLarge at the limit, or what r said.
func (c *Client) readAll(r io.Reader, limit int64, lend bool) (body []byte, lent *[]byte, err error) {
	p, _ := c.scratch.Get().(*[]byte)
	if p == nil {
		p = new([]byte)
		*p = make([]byte, minScratch)
	}
	buf, n, err := fill(*p, r, limit)
	if len(buf) > maxScratch {
		c.scratch.Put(p) // still the buffer of before
		return buf[:n:n], nil, err
	}
	*p = buf
	if lend {
		return buf[:n:n], p, err
	}
	body = make([]byte, n)
	copy(body, buf)
	c.scratch.Put(p)
	return body, nil, err
}

// fill reads r into buf, which grows, until r ends or gave more than limit
// bytes; n of them are kept.
func fill(buf []byte, r io.Reader, limit int64) (_ []byte, n int, err error) {
	for {
		if n == len(buf) {
			// One byte more than the limit tells a body of just that size.
			grown := make([]byte, max(min(2*int64(len(buf)), limit+1), int64(len(buf))+1))
			copy(grown, buf)
			buf = grown
		}
		var m int
		m, err = r.Read(buf[n:])
		n += m
		if int64(n) > limit {
			return buf, int(limit), errTooLarge
		}
		if err != nil {
			return buf, n, err
		}
	}
}

// settle decides what the end of the body means; x.body holds what came before.
func (x *exchange) settle(wire *wireReader, err error) error {
	switch {
	case err == errTooLarge, wire.glut:
		x.cut = CutSize
	case wire.err != nil: // the caller's context ended
		return wire.err
	case wire.cut != Whole:
		x.cut = wire.cut
	case err == io.EOF:
	case len(x.body) > 0:
		// Browsers show what a broken stream gave, so it is worth keeping.
		x.cut = CutShort
	default:
		return x.undecodable(&failure{kind: KindEncoding, once: true, err: err})
	}
	return nil
}

// undecodable returns f, unless the answer is one that the status and the header
// alone make: a redirect is followed, and what is missing is missing, whatever
// the server says in words.
func (x *exchange) undecodable(f *failure) error {
	if x.status >= 300 && x.status < 500 {
		x.cut = CutShort
		return nil
	}
	return f
}

// A wireReader reads the body off the connection, counts it, and tells why it
// ended.
type wireReader struct {
	ctx   context.Context // of the exchange, which owns the reader
	x     *exchange
	src   io.Reader
	first [1]byte
	ahead bool // first waits to be read
	eof   bool
	glut  bool // a decoder has read more than a body within the limit can take

	cut Truncation // set with any end but a clean one
	err error      // the caller's context ended: nothing is kept
}

// Read reads the body as it is on the wire.
func (w *wireReader) Read(p []byte) (int, error) {
	if w.ahead && len(p) > 0 {
		p[0], w.ahead = w.first[0], false
		return 1, nil
	}
	return w.read(p)
}

// peek waits for the first byte, which Read then gives.
func (w *wireReader) peek() error {
	for {
		n, err := w.read(w.first[:])
		if n > 0 {
			w.ahead = true
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (w *wireReader) read(p []byte) (int, error) {
	if w.eof {
		return 0, io.EOF
	}
	if w.x.wireBytes > w.x.limit+maxOverhead {
		w.glut = true
		return 0, errTooLarge
	}
	n, err := w.src.Read(p)
	w.x.wireBytes += int64(n)
	w.x.watch.moved()
	switch {
	case err == nil:
	case err == io.EOF:
		w.eof = true
	default:
		w.broke()
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

// broke notes why the body ended before its end.
func (w *wireReader) broke() {
	switch cause := context.Cause(w.ctx); cause {
	case nil:
		w.cut = CutShort
	case errTotal:
		w.cut = CutTime
	case errIdle:
		w.cut = CutIdle
	default:
		w.err = cause
	}
}

// An inner is what one decoder gives another, which may make nothing of it: the
// time limit does not act where nothing is read from the network.
type inner struct {
	io.Reader
	wire *wireReader
	left int64 // that may be read
}

func (r *inner) Read(p []byte) (int, error) {
	if r.left <= 0 {
		r.wire.glut = true
		return 0, errTooLarge
	}
	n, err := r.Reader.Read(p)
	r.left -= int64(n)
	return n, err
}

// finish reads what may stand between the end of a coded stream and the end of
// the message, so that the connection can be used again. A server that has more
// to say loses it.
func (w *wireReader) finish() {
	if !w.eof {
		var rest [256]byte
		w.src.Read(rest[:])
	}
}
