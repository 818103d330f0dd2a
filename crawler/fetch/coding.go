package fetch

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"
)

// maxCodings is how many layers of coding are undone. Two happen by a proxy's
// mistake; more are an attack.
const maxCodings = 2

// maxWindow is the largest window a zstd content coding may ask for
// [RFC9659 §3].
const maxWindow = 8 << 20

// maxOverhead is how much longer than the limit of the decoded body what a
// decoder reads may be.
const maxOverhead = 1 << 20

// A coding is a content coding that we can undo.
type coding uint8

const (
	codingGzip coding = iota
	codingDeflate
	codingBrotli
	codingZstd
	codings
)

// contentCodings reads Content-Encoding [RFC9110 §8.4] in the order in which the
// codings were applied.
func contentCodings(h http.Header) ([]coding, error) {
	fields := h["Content-Encoding"]
	if len(fields) == 0 {
		return nil, nil
	}
	var list []coding
	for name := range strings.SplitSeq(strings.Join(fields, ","), ",") {
		name = strings.ToLower(strings.Trim(name, " \t"))
		switch name {
		case "", "identity", "none", "utf-8": // the last two are no codings, but are sent
			continue
		case "gzip", "x-gzip":
			list = append(list, codingGzip)
		case "deflate":
			list = append(list, codingDeflate)
		case "br":
			list = append(list, codingBrotli)
		case "zstd":
			list = append(list, codingZstd)
		default:
			return nil, fmt.Errorf("unknown content coding %.40q", name)
		}
		if len(list) > maxCodings {
			return nil, fmt.Errorf("more than %d content codings", maxCodings)
		}
	}
	return list, nil
}

// A decoder undoes one coding. It can be used for one stream after another.
type decoder interface {
	io.Reader
	reset(r io.Reader) error // begins a stream; may read from r
	rest()                   // lets go of the stream
	coding() coding
}

// decoders keep decoders for reuse: one of gzip owns 40 KB, one of zstd more.
type decoders struct {
	pools [codings]sync.Pool
}

// stack puts a decoder over the wire for each coding and returns the top of
// them. The decoders go back by close, also after an error. A body of no bytes
// is empty under any coding: then the error is io.EOF.
func (ds *decoders) stack(codings []coding, wire *wireReader) (top io.Reader, opened []decoder, err error) {
	top = wire
	if len(codings) == 0 {
		return top, nil, nil
	}
	if err := wire.peek(); err != nil {
		return nil, nil, err
	}
	// The last coding listed was applied last [RFC9110 §8.4].
	for i, c := range slices.Backward(codings) {
		if i < len(codings)-1 {
			top = &inner{top, wire, wire.x.limit + maxOverhead}
		}
		d, err := ds.open(c, top)
		if err != nil {
			return nil, opened, err
		}
		opened = append(opened, d)
		top = d
	}
	return top, opened, nil
}

// open returns a decoder that reads r; it goes back by close.
func (ds *decoders) open(c coding, r io.Reader) (decoder, error) {
	d, _ := ds.pools[c].Get().(decoder)
	if d == nil {
		d = newDecoder(c)
	}
	if err := d.reset(r); err != nil {
		ds.close(d)
		return nil, err
	}
	return d, nil
}

// close takes d back.
func (ds *decoders) close(d decoder) {
	d.rest()
	ds.pools[d.coding()].Put(d)
}

// noInput is what a decoder at rest holds in place of a connection.
type noInput struct{}

func (noInput) Read([]byte) (int, error) { return 0, io.EOF }

func newDecoder(c coding) decoder {
	switch c {
	case codingGzip:
		return &gzipDecoder{in: bufio.NewReaderSize(nil, 4<<10)}
	case codingDeflate:
		return &deflateDecoder{in: bufio.NewReaderSize(nil, 4<<10)}
	case codingBrotli:
		return &brotliDecoder{}
	}
	return &zstdDecoder{}
}

// A gzipDecoder reads gzip members until something else follows, which it
// ignores as browsers do: zeros, or a warning that a script printed too late.
type gzipDecoder struct {
	in *bufio.Reader
	gz gzip.Reader
}

func (d *gzipDecoder) coding() coding { return codingGzip }
func (d *gzipDecoder) rest()          { d.in.Reset(noInput{}) }

func (d *gzipDecoder) reset(r io.Reader) error {
	d.in.Reset(r)
	return d.member()
}

// member begins to read the next member.
func (d *gzipDecoder) member() error {
	err := d.gz.Reset(d.in)
	d.gz.Multistream(false)
	return noEOF(err)
}

func (d *gzipDecoder) Read(p []byte) (int, error) {
	n, err := d.gz.Read(p)
	if err != io.EOF {
		return n, err
	}
	if magic, _ := d.in.Peek(2); string(magic) != "\x1f\x8b" {
		return n, io.EOF
	}
	return n, d.member()
}

// A deflateDecoder reads zlib, which is what "deflate" means [RFC9110 §8.4.1.2],
// or the bare deflate that some servers send.
type deflateDecoder struct {
	in    *bufio.Reader
	zlib  io.ReadCloser
	flate io.ReadCloser
	cur   io.Reader
}

func (d *deflateDecoder) coding() coding { return codingDeflate }
func (d *deflateDecoder) rest()          { d.in.Reset(noInput{}) }

func (d *deflateDecoder) reset(r io.Reader) (err error) {
	d.in.Reset(r)
	head, err := d.in.Peek(2)
	if err != nil {
		return noEOF(err)
	}
	// Compression method 8, and a multiple of 31 [RFC1950 §2.2]. Bare deflate
	// that starts so would be a stored block of an unusual kind.
	if head[0]&0x0F == 8 && (uint(head[0])<<8|uint(head[1]))%31 == 0 {
		if d.zlib == nil {
			d.zlib, err = zlib.NewReader(d.in)
		} else {
			err = d.zlib.(zlib.Resetter).Reset(d.in, nil)
		}
		d.cur = d.zlib
		return noEOF(err)
	}
	if d.flate == nil {
		d.flate = flate.NewReader(d.in)
	} else if err = d.flate.(flate.Resetter).Reset(d.in, nil); err != nil {
		return err
	}
	d.cur = d.flate
	return nil
}

func (d *deflateDecoder) Read(p []byte) (int, error) { return d.cur.Read(p) }

type brotliDecoder struct{ br brotli.Reader }

func (d *brotliDecoder) coding() coding             { return codingBrotli }
func (d *brotliDecoder) rest()                      { d.br.Reset(noInput{}) }
func (d *brotliDecoder) reset(r io.Reader) error    { return d.br.Reset(r) }
func (d *brotliDecoder) Read(p []byte) (int, error) { return d.br.Read(p) }

type zstdDecoder struct{ z *zstd.Decoder }

func (d *zstdDecoder) coding() coding { return codingZstd }
func (d *zstdDecoder) rest()          { d.z.Reset(nil) }

func (d *zstdDecoder) reset(r io.Reader) (err error) {
	if d.z == nil {
		// With a concurrency of 1 a decoder starts no goroutine, so one that the
		// pool drops needs no Close.
		d.z, err = zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
			zstd.WithDecoderMaxWindow(maxWindow))
		return err
	}
	return d.z.Reset(r)
}

func (d *zstdDecoder) Read(p []byte) (int, error) { return d.z.Read(p) }

// noEOF makes of an end inside a header the error that it is.
func noEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}
