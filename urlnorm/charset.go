package urlnorm

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
)

// A Charset is the encoding of the page on which a reference was found. The
// query of the reference is sent in it; path, host and state are always UTF-8
// [WHATWG-URL §4.4]. The zero value is UTF-8. Charsets are comparable in
// meaning by Name and may be shared by goroutines.
type Charset struct {
	name string
	enc  encoding.Encoding // nil for UTF-8
}

// CharsetByLabel returns the charset for a label as it stands in a header or
// a meta tag, by the table of the Encoding Standard. UTF-16 and the
// replacement encoding give UTF-8, as the standard's "get an output encoding"
// asks. An unknown label is ErrSyntax.
func CharsetByLabel(label string) (Charset, error) {
	label = strings.TrimSpace(label)
	if label == "" {
		return Charset{}, nil
	}
	enc, err := htmlindex.Get(label)
	if err != nil {
		return Charset{}, fmt.Errorf("%w: unknown charset %q", ErrSyntax, clip(label))
	}
	name, err := htmlindex.Name(enc)
	if err != nil {
		return Charset{}, fmt.Errorf("%w: unknown charset %q", ErrSyntax, clip(label))
	}
	switch name {
	case "utf-8", "utf-16be", "utf-16le", "replacement":
		return Charset{}, nil
	}
	return Charset{name: name, enc: enc}, nil
}

// Name returns the standard's name in lower case, such as "utf-8" or "gbk".
func (c Charset) Name() string {
	if c.enc == nil {
		return "utf-8"
	}
	return c.name
}

// isPlain reports whether s is the same bytes in UTF-8 and in c.
func (c Charset) isPlain(s string) bool {
	if c.enc == nil {
		return true
	}
	stateful := c.name == iso2022JP
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf || stateful && isShift(s[i]) {
			return false
		}
	}
	return true
}

const iso2022JP = "iso-2022-jp"

// isShift reports a control that would switch the state of ISO-2022-JP. The
// standard's encoder refuses these.
func isShift(c byte) bool { return c == 0x0E || c == 0x0F || c == 0x1B }

// appendQuery appends s, percent-encoded after encoding to c
// [WHATWG-URL §1.3]. What c cannot say becomes a numeric character
// reference, escaped: %26%23NNNN%3B. Bytes of s that are no UTF-8 are taken
// for bytes of the page and pass as they are.
func (c Charset) appendQuery(dst []byte, s string, bits uint16) []byte {
	enc := c.enc.NewEncoder()
	for i := 0; i < len(s); {
		if s[i] < utf8.RuneSelf && !(c.name == iso2022JP && isShift(s[i])) {
			dst = appendEncoded(dst, s[i:i+1], bits)
			i++
			continue
		}
		run := c.encodable(enc, s[i:])
		if run > 0 {
			b, _ := enc.String(s[i : i+run])
			dst = appendEncoded(dst, b, bits)
			i += run
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			dst = appendEscape(dst, s[i])
		default:
			if r < utf8.RuneSelf {
				r = utf8.RuneError
			}
			dst = append(dst, "%26%23"...)
			dst = strconv.AppendInt(dst, int64(r), 10)
			dst = append(dst, "%3B"...)
		}
		i += size
	}
	return dst
}

// encodable returns the length of the run of non-ASCII runes at the start of
// s that c can say. They are encoded together, so that a charset with shift
// states enters and leaves them once.
func (c Charset) encodable(enc *encoding.Encoder, s string) int {
	n := 0
	for n < len(s) && s[n] >= utf8.RuneSelf {
		r, size := utf8.DecodeRuneInString(s[n:])
		if r == utf8.RuneError && size == 1 || !c.has(enc, r, s[n:n+size]) {
			break
		}
		n += size
	}
	return n
}

// has reports whether c can say r, whose UTF-8 is s.
func (c Charset) has(enc *encoding.Encoder, r rune, s string) bool {
	// x/text writes private-use runes into GB 18030 that the standard's
	// encoder refuses [WHATWG-ENC §10.2.2].
	if r == 0xE5E5 {
		return false
	}
	_, err := enc.String(s)
	return err == nil
}
