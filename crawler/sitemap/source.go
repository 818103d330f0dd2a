package sitemap

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
)

// maxLayers is how many gzip layers are removed: servers exist that pack
// what is packed already.
const maxLayers = 2

// A source turns the bytes of a document into UTF-8 text. It counts them
// in every layer, stops at the limit, and ends quietly at any failure, so that
// what was read before counts.
type source struct {
	limit int64
	over  bool  // the document is longer than the limit
	err   error // what failed, if anything did
}

// open returns the document as text.
func (s *source) open(r io.Reader) *bufio.Reader {
	b := s.layer(r)
	for range maxLayers {
		if magic, _ := b.Peek(2); !bytes.Equal(magic, []byte{0x1F, 0x8B}) {
			break
		}
		z, err := gzip.NewReader(b)
		if err != nil {
			s.err = err
			return bufio.NewReader(strings.NewReader(""))
		}
		b = s.layer(&member{z: z})
	}
	head, _ := b.Peek(1024)
	if enc := charset(head); enc != nil {
		return bufio.NewReaderSize(enc.NewDecoder().Reader(b), 64<<10)
	}
	return b
}

// layer returns r buffered, with the limit. A layer of gzip may make nothing of
// what it reads, so the limit of the text alone is none for the ones below.
func (s *source) layer(r io.Reader) *bufio.Reader {
	return bufio.NewReaderSize(&limited{s: s, r: &quiet{s, r}, left: s.limit}, 64<<10)
}

// A quiet turns failures into an end, and keeps them in s.err.
type quiet struct {
	s *source
	r io.Reader
}

func (q *quiet) Read(p []byte) (int, error) {
	n, err := q.r.Read(p)
	if err != nil && err != io.EOF {
		if q.s.err == nil {
			q.s.err = err
		}
		err = io.EOF
	}
	return n, err
}

// A member reads a gzip stream and takes garbage behind it for its end, as
// gzip(1) does: caches append comments.
type member struct {
	z    *gzip.Reader
	read bool
}

func (m *member) Read(p []byte) (int, error) {
	n, err := m.z.Read(p)
	if m.read = m.read || n > 0; m.read && errors.Is(err, gzip.ErrHeader) {
		err = io.EOF
	}
	return n, err
}

// A limited ends its reader at a limit and notes whether there was more.
type limited struct {
	s    *source
	r    io.Reader
	left int64
}

func (l *limited) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	if l.left == 0 {
		var one [1]byte
		for {
			n, err := l.r.Read(one[:])
			if n > 0 {
				l.s.over = true
				return 0, io.EOF
			}
			if err != nil {
				return 0, err
			}
		}
	}
	n, err := l.r.Read(p[:min(int64(len(p)), l.left)])
	l.left -= int64(n)
	return n, err
}

// charset returns the encoding of a document that begins with head, or nil
// for UTF-8. The bytes are trusted first, then the XML declaration, unless
// the bytes prove it wrong: a declaration that can be read is no UTF-16.
func charset(head []byte) encoding.Encoding {
	switch {
	case bytes.HasPrefix(head, []byte{0xFF, 0xFE}), bytes.HasPrefix(head, []byte("<\x00")):
		return unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)
	case bytes.HasPrefix(head, []byte{0xFE, 0xFF}), bytes.HasPrefix(head, []byte("\x00<")):
		return unicode.UTF16(unicode.BigEndian, unicode.UseBOM)
	case bytes.HasPrefix(head, []byte("\uFEFF")):
		return nil
	}
	label := declared(head)
	enc, err := htmlindex.Get(label)
	if err != nil {
		return nil
	}
	name, err := htmlindex.Name(enc)
	if err != nil || strings.HasPrefix(name, "utf-") {
		return nil
	}
	return enc
}

// declared returns the encoding that an XML declaration at the start of head
// names, "" if there is none.
func declared(head []byte) string {
	head = bytes.TrimLeft(head, " \t\r\n")
	if !bytes.HasPrefix(head, []byte("<?xml")) {
		return ""
	}
	decl, _, _ := bytes.Cut(head, []byte("?>"))
	_, value, ok := bytes.Cut(decl, []byte("encoding"))
	value = bytes.TrimLeft(value, " \t\r\n=")
	if !ok || len(value) == 0 || value[0] != '"' && value[0] != '\'' {
		return ""
	}
	label, _, _ := bytes.Cut(value[1:], value[:1])
	return string(label)
}
