package sitemap

import (
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"
)

// maxLoc is one more than the longest URL that a sitemap may hold
// [SITEMAPS §xmlTagDefinitions].
const maxLoc = 2048

// Errors of Add that leave the writer as it was: the entry is not written,
// the next one can be.
var (
	ErrLong = errors.New("sitemap: URL of 2,048 characters or more")
	ErrUgly = errors.New("sitemap: ugly URL")
	ErrLoc  = errors.New("sitemap: no absolute http or https URL")
)

// ErrParts says that what is to be written does not fit into one document.
var ErrParts = errors.New("sitemap: more than fits into one sitemap; write it to a file, which makes an index")

// IndexPart is the number under which WriteOptions.Open is asked for the index.
const IndexPart = 0

// WriteOptions says where a Writer writes.
type WriteOptions struct {
	// Open opens part 1, 2, …, each when the one before is closed, and at the
	// end IndexPart if there was more than one. The writer closes what it
	// opened, also after an error.
	Open func(part int) (io.WriteCloser, error)
	// URL names a part in the index, absolutely. It is not needed when there
	// is one part only.
	URL func(part int) string
	// Gzip packs the parts, but not the index.
	Gzip bool
	// MaxEntries and MaxBytes (unpacked) split the parts; 0 and what exceeds
	// the protocol's limits stand for these.
	MaxEntries int
	MaxBytes   int64
}

// SinglePart returns an Open that writes one document to w, without closing
// w, and refuses a second with ErrParts.
func SinglePart(w io.Writer) func(part int) (io.WriteCloser, error) {
	return func(part int) (io.WriteCloser, error) {
		if part != 1 {
			return nil, ErrParts
		}
		return unclosed{w}, nil
	}
}

type unclosed struct{ io.Writer }

func (unclosed) Close() error { return nil }

const (
	xmlHead   = `<?xml version="1.0" encoding="UTF-8"?>` + "\n"
	namespace = `xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"`
	urlHead   = xmlHead + "<urlset " + namespace + ">\n"
	urlFoot   = "</urlset>\n"
	indexHead = xmlHead + "<sitemapindex " + namespace + ">\n"
	indexFoot = "</sitemapindex>\n"
)

// A Writer writes display URLs as sitemaps. It is for one goroutine.
type Writer struct {
	opts    WriteOptions
	part    int // number of the open or last part
	out     *part
	entries int   // in the open part
	bytes   int64 // in the open part
	err     error // first error that is not an entry's own
	buf     []byte
}

// NewWriter returns a writer. Nothing is opened before the first entry.
func NewWriter(o WriteOptions) *Writer {
	if o.MaxEntries <= 0 || o.MaxEntries > MaxEntries {
		o.MaxEntries = MaxEntries
	}
	if o.MaxBytes <= 0 || o.MaxBytes > MaxBytes {
		o.MaxBytes = MaxBytes
	}
	return &Writer{opts: o}
}

// Parts returns how many parts were opened, without the index.
func (w *Writer) Parts() int { return w.part }

// Add writes a display URL, with its date if that is not zero. ErrLong,
// ErrUgly and ErrLoc concern this entry only; any other error is final.
func (w *Writer) Add(loc string, lastMod time.Time) error {
	if err := check(loc); err != nil {
		return err
	}
	if w.err != nil {
		return w.err
	}
	w.buf = appendEntry(w.buf[:0], "url", loc, lastMod)
	w.err = w.write(w.buf)
	return w.err
}

// check returns the reason for which a sitemap may not list a URL.
func check(loc string) error {
	switch {
	case !isAbsolute(loc):
		return ErrLoc
	case len(loc) >= maxLoc && utf8.RuneCountInString(loc) >= maxLoc:
		return ErrLong
	}
	// Readers of the sitemap map pretty URLs themselves; an ugly one would be
	// a page of its own to them [G-AJAX §sitemaps].
	beforeState, _, _ := strings.Cut(loc, "#")
	_, query, _ := strings.Cut(beforeState, "?")
	for param := range strings.SplitSeq(query, "&") {
		if name, _, _ := strings.Cut(param, "="); name == "_escaped_fragment_" {
			return ErrUgly
		}
	}
	return nil
}

// write puts an entry into the open part, or into the next if it is full.
func (w *Writer) write(entry []byte) error {
	size := int64(len(entry))
	if w.out != nil && (w.entries == w.opts.MaxEntries || w.bytes+size+int64(len(urlFoot)) > w.opts.MaxBytes) {
		if err := w.closePart(); err != nil {
			return err
		}
	}
	if w.out == nil {
		if err := w.openPart(); err != nil {
			return err
		}
	}
	w.entries++
	w.bytes += size
	_, err := w.out.Write(entry)
	return err
}

func (w *Writer) openPart() error {
	out, err := openPart(w.opts.Open, w.part+1, w.opts.Gzip)
	if err != nil {
		return err
	}
	w.part++
	w.out, w.entries, w.bytes = out, 0, int64(len(urlHead))
	_, err = io.WriteString(out, urlHead)
	return err
}

func (w *Writer) closePart() error {
	out := w.out
	w.out = nil
	_, err := io.WriteString(out, urlFoot)
	return errors.Join(err, out.Close())
}

// Close ends the last part and writes the index if there is more than one
// part. Without entries it writes one empty urlset. It returns the first
// error of the writer, and closes what is open also then.
func (w *Writer) Close() error {
	if w.part == 0 && w.err == nil {
		w.err = w.openPart()
	}
	if w.out != nil {
		if err := w.closePart(); w.err == nil {
			w.err = err
		}
	}
	if w.part > 1 && w.err == nil {
		w.err = w.writeIndex()
	}
	return w.err
}

func (w *Writer) writeIndex() error {
	if w.part > MaxEntries {
		return fmt.Errorf("sitemap: %d parts, but an index holds %d", w.part, MaxEntries)
	}
	out, err := openPart(w.opts.Open, IndexPart, false)
	if err != nil {
		return err
	}
	buf := []byte(indexHead)
	for part := 1; part <= w.part; part++ {
		buf = appendEntry(buf, "sitemap", w.opts.URL(part), time.Time{})
	}
	_, err = out.Write(append(buf, indexFoot...))
	return errors.Join(err, out.Close())
}

// A part is an open document: a buffer, over gzip if wanted, over a file.
type part struct {
	*bufio.Writer
	zip  *gzip.Writer // nil if not packed
	file io.WriteCloser
}

func openPart(open func(int) (io.WriteCloser, error), number int, packed bool) (*part, error) {
	file, err := open(number)
	if err != nil {
		return nil, err
	}
	p := &part{file: file}
	if packed {
		p.zip = gzip.NewWriter(file)
		p.Writer = bufio.NewWriter(p.zip)
	} else {
		p.Writer = bufio.NewWriter(file)
	}
	return p, nil
}

// Close flushes the part and closes its file, whatever happens before.
func (p *part) Close() error {
	err := p.Flush()
	if p.zip != nil {
		err = errors.Join(err, p.zip.Close())
	}
	return errors.Join(err, p.file.Close())
}

// appendEntry appends an entry as an element.
func appendEntry(dst []byte, element, loc string, lastMod time.Time) []byte {
	dst = append(dst, '<')
	dst = append(dst, element...)
	dst = append(dst, "><loc>"...)
	dst = appendLoc(dst, loc)
	dst = append(dst, "</loc>"...)
	if !lastMod.IsZero() {
		dst = append(dst, "<lastmod>"...)
		dst = lastMod.UTC().AppendFormat(dst, time.RFC3339)
		dst = append(dst, "</lastmod>"...)
	}
	dst = append(dst, "</"...)
	dst = append(dst, element...)
	return append(dst, ">\n"...)
}

// appendLoc appends a URL as XML text [SITEMAPS §escaping]. Characters that
// XML cannot hold, bytes that are no UTF-8, and blanks, which a reader trims,
// are written as URL escapes, which name the same URL.
func appendLoc(dst []byte, loc string) []byte {
	for i := 0; i < len(loc); {
		r, n := utf8.DecodeRuneInString(loc[i:])
		switch {
		case r == '&':
			dst = append(dst, "&amp;"...)
		case r == '<':
			dst = append(dst, "&lt;"...)
		case r == '>':
			dst = append(dst, "&gt;"...)
		case r == '\'':
			dst = append(dst, "&apos;"...)
		case r == '"':
			dst = append(dst, "&quot;"...)
		case r == utf8.RuneError && n == 1, r == 0xFFFE, r == 0xFFFF, isSpace(r), r < ' ', r == 0x7F:
			for _, c := range []byte(loc[i : i+n]) {
				dst = fmt.Appendf(dst, "%%%02X", c)
			}
		default:
			dst = append(dst, loc[i:i+n]...)
		}
		i += n
	}
	return dst
}
