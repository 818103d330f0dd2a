package urlnorm

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/ianaindex"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/width"
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
// a meta tag: by the table of the Encoding Standard, and for labels that are
// not in it by IANA's registry, as far as x/text has the encoding. UTF-16, the
// replacement encoding and whatever does not write ASCII as ASCII give UTF-8,
// as the standard's "get an output encoding" asks [WHATWG-ENC §4.3]. "" is
// UTF-8; an unknown label is ErrSyntax.
func CharsetByLabel(label string) (Charset, error) {
	label = strings.TrimSpace(label)
	if label == "" {
		return Charset{}, nil
	}
	enc, err := htmlindex.Get(label)
	if err != nil {
		enc, err = ianaindex.IANA.Encoding(label)
	}
	if err != nil || enc == nil {
		return Charset{}, fmt.Errorf("%w: unknown charset %q", ErrSyntax, clip(label))
	}
	if ascii, err := enc.NewEncoder().String("a"); err != nil || ascii != "a" || enc == unicode.UTF8 {
		return Charset{}, nil
	}
	name, err := htmlindex.Name(enc)
	if err != nil {
		name, err = ianaindex.IANA.Name(enc)
	}
	if err != nil {
		return Charset{}, fmt.Errorf("%w: charset %q has no name", ErrSyntax, clip(label))
	}
	return Charset{name: strings.ToLower(name), enc: enc}, nil
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
// standard's encoder refuses these [WHATWG-ENC §12.2.2].
func isShift(c byte) bool { return c == 0x0E || c == 0x0F || c == 0x1B }

// appendQuery appends s, percent-encoded after encoding to c
// [WHATWG-URL §1.3]. What c cannot say becomes a numeric character
// reference, escaped: %26%23NNNN%3B. Bytes of s that are no UTF-8 are taken
// for bytes of the page and pass as they are.
func (c Charset) appendQuery(dst []byte, s string, bits uint16) []byte {
	e := queryEncoder{Charset: c, encoder: c.enc.NewEncoder()}
	for i := 0; i < len(s); {
		if s[i] < utf8.RuneSelf && !(c.name == iso2022JP && isShift(s[i])) {
			dst = appendEncoded(dst, s[i:i+1], bits)
			i++
			continue
		}
		if run, n := e.run(s[i:]); n > 0 {
			dst = appendEncoded(dst, run, bits)
			i += n
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && size == 1 {
			dst = appendEscape(dst, s[i])
		} else {
			dst = appendCharacterReference(dst, r)
		}
		i += size
	}
	return dst
}

// appendCharacterReference appends &#NNNN; with its marks escaped. A control
// that shifts stands for U+FFFD.
func appendCharacterReference(dst []byte, r rune) []byte {
	if r < utf8.RuneSelf {
		r = utf8.RuneError
	}
	dst = append(dst, "%26%23"...)
	dst = strconv.AppendInt(dst, int64(r), 10)
	return append(dst, "%3B"...)
}

// A queryEncoder encodes runs of runes that are not ASCII.
type queryEncoder struct {
	Charset
	encoder *encoding.Encoder
}

// run encodes the runes at the start of s that the charset can say, and
// returns the number of bytes of s that they take. They are encoded together,
// so that a charset with shift states enters and leaves them once.
func (e *queryEncoder) run(s string) (encoded string, n int) {
	if r, size := utf8.DecodeRuneInString(s); e.singleByte(r) != "" {
		return e.singleByte(r), size
	}
	var text []byte
	for n < len(s) && s[n] >= utf8.RuneSelf {
		r, size := utf8.DecodeRuneInString(s[n:])
		if r == utf8.RuneError && size == 1 || e.singleByte(r) != "" {
			break
		}
		one := e.asStandard(s[n : n+size])
		if _, err := e.encoder.String(one); err != nil || r == 0xE5E5 && e.isGB() {
			break
		}
		text = append(text, one...)
		n += size
	}
	encoded, _ = e.encoder.String(string(text)) // each rune was tried above
	return encoded, n
}

// singleByte returns the bytes of yen sign and overline, which the standard's
// encoders of Japanese know and those of x/text do not [WHATWG-ENC §12].
func (e *queryEncoder) singleByte(r rune) string {
	if r != '\u00A5' && r != '\u203E' {
		return ""
	}
	c := "\\"
	if r == '\u203E' {
		c = "~"
	}
	switch e.name {
	case "shift_jis", "euc-jp":
		return c
	case iso2022JP:
		return "\x1B(J" + c + "\x1B(B"
	}
	return ""
}

// asStandard replaces a rune by the one that the standard's encoder of the
// charset takes for it, and which x/text has in its tables.
func (e *queryEncoder) asStandard(s string) string {
	r, _ := utf8.DecodeRuneInString(s)
	switch e.name {
	case "shift_jis", "euc-jp", iso2022JP:
		if r == '\u2212' { // minus sign: full-width hyphen-minus
			return "\uFF0D"
		}
		if e.name == iso2022JP {
			return fullWidth(r, s)
		}
	}
	return s
}

// fullWidth replaces half-width katakana, which ISO-2022-JP has no place for.
// The two sound marks become the spacing forms, not the combining ones.
func fullWidth(r rune, s string) string {
	switch {
	case r == 0xFF9E:
		return "\u309B"
	case r == 0xFF9F:
		return "\u309C"
	case r >= 0xFF61 && r < 0xFF9E:
		return width.Widen.String(s)
	}
	return s
}

// isGB: the standard's encoders refuse U+E5E5, for which x/text has a place
// [WHATWG-ENC §10.2.2].
func (e *queryEncoder) isGB() bool { return e.name == "gb18030" || e.name == "gbk" }
