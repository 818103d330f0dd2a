package fetch

import (
	"context"
	"errors"
	"io"
	"net/http"
)

// A body is what colly reads: the decoded bytes of an answer, up to the limit.
// It ends with EOF whenever the bytes so far are worth keeping, and leaves the
// reason in the exchange.
type body struct {
	x    *exchange
	wire *wireReader
	pool *decoders

	codings []coding  // outermost first; nil once opened
	top     io.Reader // what to read: the innermost decoder, or wire
	open    []decoder // to give back
	coded   bool
	left    int64 // of the limit
	got     bool  // a decoded byte came
	end     error // what Read returns from now on
}

// newBody returns the body of res. An error means that the content codings are
// not ours to decode; then the caller closes res.Body.
func (c *Client) newBody(ctx context.Context, x *exchange, res *http.Response) (*body, error) {
	codings, err := contentCodings(res.Header)
	if err != nil {
		return nil, failed(KindEncoding, err)
	}
	x.watch.watchBody(c.opts.Timeouts.Idle)
	b := &body{
		x: x, pool: &c.decoders, codings: codings, coded: len(codings) > 0, left: c.opts.MaxBody,
		wire: &wireReader{ctx: ctx, x: x, src: res.Body},
	}
	b.top = b.wire
	return b, nil
}

// Read reads decoded bytes. Its only error but EOF is one that leaves nothing
// worth keeping.
func (b *body) Read(p []byte) (int, error) {
	if b.end != nil {
		return 0, b.end
	}
	if b.codings != nil {
		if err := b.openDecoders(); err != nil {
			b.end = b.settle(err)
			return 0, b.end
		}
	}
	if b.left == 0 {
		b.end = b.probe()
		return 0, b.end
	}
	if int64(len(p)) > b.left {
		p = p[:b.left]
	}
	n, err := b.top.Read(p)
	b.left -= int64(n)
	b.got = b.got || n > 0
	if err != nil {
		b.end = b.settle(err)
	}
	return n, b.end
}

// openDecoders puts a decoder over the wire for each coding, once the first byte
// is there: a body of no bytes is empty under any coding.
func (b *body) openDecoders() error {
	if err := b.wire.peek(); err != nil {
		return err
	}
	// The last coding listed was applied last [RFC9110 §8.4].
	for i := len(b.codings) - 1; i >= 0; i-- {
		d, err := b.pool.open(b.codings[i], b.top)
		if err != nil {
			return err
		}
		b.open = append(b.open, d)
		b.top = d
	}
	b.codings = nil
	return nil
}

// probe tells a body of just the limit from a longer one.
func (b *body) probe() error {
	var one [1]byte
	if n, err := io.ReadFull(b.top, one[:]); n == 0 {
		return b.settle(err)
	}
	b.x.cut = CutSize
	return io.EOF
}

// settle decides what the end of the body means.
func (b *body) settle(err error) error {
	switch {
	case b.wire.err != nil: // the caller's context ended
		b.x.err = b.wire.err
		return b.x.err
	case b.wire.cut != Whole:
		b.x.cut = b.wire.cut
		return io.EOF
	case err == io.EOF:
		if b.coded {
			b.wire.finish()
		}
		return io.EOF
	case b.got:
		// Browsers show what a broken stream gave, so it is worth keeping.
		b.x.cut = CutShort
		return io.EOF
	}
	b.x.err = &failure{kind: KindEncoding, once: true, err: err}
	return b.x.err
}

// Close gives the decoders back and the connection too, unless bytes are left on
// it.
func (b *body) Close() error {
	for _, d := range b.open {
		b.pool.close(d)
	}
	b.open, b.top = nil, nil
	b.end = errors.ErrUnsupported
	return b.wire.src.Close()
}

// A wireReader reads the body off the connection, counts it, and tells why it
// ended.
type wireReader struct {
	ctx   context.Context // of the exchange, which owns the reader
	x     *exchange
	src   io.ReadCloser
	first [1]byte
	ahead bool // first waits to be read
	eof   bool

	cut Truncation // set with any end but a clean one
	err error      // the caller's context ended: nothing is kept
}

func (w *wireReader) Read(p []byte) (int, error) {
	if w.ahead && len(p) > 0 {
		p[0], w.ahead = w.first[0], false
		return 1, nil
	}
	return w.read(p)
}

// peek waits for the first byte.
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
	n, err := w.src.Read(p)
	w.x.wireBytes += int64(n)
	w.x.watch.moved()
	switch {
	case err == nil:
	case err == io.EOF:
		w.eof = true
	default:
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
		err = io.ErrUnexpectedEOF
	}
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
