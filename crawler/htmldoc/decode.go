package htmldoc

import (
	"bytes"
	"encoding/binary"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
)

// Decode returns the document in body as UTF-8 and the name of the charset it
// was read in, in lower case as in [WHATWG-ENC §4.2] ("utf-8", "gbk",
// "windows-1251"); urlnorm needs that name for the queries of the page's links.
//
// The charset is override, if that is a known label; else that of a byte order
// mark; else the first that fits of the charset parameter of contentType (the
// header's value, may be empty or broken) and the one declared in a <meta>;
// else one guessed from the bytes. A declared charset does not fit where the
// bytes say otherwise: servers send one charset for all files, and templates
// outlive the conversion of their sites [WHATWG-HTML §13.2.3.2, which has
// browsers believe the header]. A declaration stands if no other fits better.
//
// Bytes that are invalid in the charset become U+FFFD. UTF-8 that is valid is
// returned as it is, a part of body; otherwise the result is a copy.
func Decode(body []byte, contentType, override string) (doc []byte, charset string) {
	if e, name := lookup(override); e != nil {
		return decodeAs(trimBOM(body, name), e, name)
	}
	if name := bomCharset(body); name != "" {
		e, _ := lookup(name)
		return decodeAs(trimBOM(body, name), e, name)
	}
	if name := nakedUTF16(body); name != "" {
		e, _ := lookup(name)
		return decodeAs(body, e, name)
	}
	name := choose(body, contentType)
	e, _ := lookup(name)
	return decodeAs(body, e, name)
}

// KnownCharset reports whether label names a charset that [Decode] can read.
func KnownCharset(label string) bool {
	e, _ := lookup(label)
	return e != nil
}

// lookup returns the encoding with the label and its name, nil and "" if there
// is none. The replacement encoding counts as none: it exists to keep browsers
// from running scripts, and loses the page.
func lookup(label string) (encoding.Encoding, string) {
	e, err := htmlindex.Get(label)
	if err != nil {
		return nil, ""
	}
	name, err := htmlindex.Name(e)
	if err != nil || name == "replacement" {
		return nil, ""
	}
	return e, name
}

// decodeAs decodes body, whose byte order mark is gone.
func decodeAs(body []byte, e encoding.Encoding, name string) ([]byte, string) {
	if name == "utf-8" {
		if utf8.Valid(body) {
			return body, name
		}
		return replaceInvalid(body), name
	}
	if isASCII(body) && !escapesASCII(name) {
		return body, name
	}
	doc, err := e.NewDecoder().Bytes(body)
	if err != nil { // unreachable unless a decoder of x/text breaks its word
		return replaceInvalid(body), "utf-8"
	}
	return doc, name
}

// escapesASCII reports whether ASCII bytes may mean something else in the
// charset.
func escapesASCII(name string) bool {
	return strings.HasPrefix(name, "utf-16") || name == "iso-2022-jp"
}

// replaceInvalid returns body with U+FFFD for each maximal invalid part
// [WHATWG-ENC §4.1, §8.1].
func replaceInvalid(body []byte) []byte {
	const replacement = "\uFFFD"
	out := make([]byte, 0, len(body)+len(body)/8)
	for len(body) > 0 {
		if body[0] < utf8.RuneSelf {
			n := asciiPrefix(body)
			out, body = append(out, body[:n]...), body[n:]
			continue
		}
		r, n := utf8.DecodeRune(body)
		if r == utf8.RuneError && n == 1 {
			out = append(out, replacement...)
			n = invalidPrefix(body)
		} else {
			out = append(out, body[:n]...)
		}
		body = body[n:]
	}
	return out
}

// invalidPrefix returns the length of the start of s, which is not valid, that
// one replacement character stands for: a sequence that breaks off counts once.
func invalidPrefix(s []byte) int {
	for n := min(3, len(s)); n > 1; n-- {
		// Completed in the only way that could be right, is it valid?
		full := append([]byte(nil), s[:n]...)
		for len(full) < 4 {
			full = append(full, 0x80)
			if _, size := utf8.DecodeRune(full); size == len(full) {
				return n
			}
		}
	}
	return 1
}

// asciiPrefix returns the length of the longest prefix of s of ASCII bytes.
func asciiPrefix(s []byte) int {
	const high = 0x8080808080808080 // the bits that no ASCII byte has
	i := 0
	for len(s)-i >= 8 && binary.LittleEndian.Uint64(s[i:])&high == 0 {
		i += 8
	}
	for i < len(s) && s[i] < utf8.RuneSelf {
		i++
	}
	return i
}

func isASCII(s []byte) bool { return asciiPrefix(s) == len(s) }

// boms are the byte order marks [WHATWG-ENC §6].
var boms = [...]struct{ mark, charset string }{
	{"\xEF\xBB\xBF", "utf-8"}, {"\xFE\xFF", "utf-16be"}, {"\xFF\xFE", "utf-16le"},
}

func bomCharset(body []byte) string {
	for _, b := range boms {
		if bytes.HasPrefix(body, []byte(b.mark)) {
			return b.charset
		}
	}
	return ""
}

func trimBOM(body []byte, charset string) []byte {
	for _, b := range boms {
		if b.charset == charset {
			return bytes.TrimPrefix(body, []byte(b.mark))
		}
	}
	return body
}

// nakedUTF16 returns the charset of UTF-16 without a byte order mark. Such a
// page begins with "<" and an ASCII character, or with white space, and no
// other page has NULs there.
func nakedUTF16(body []byte) string {
	if len(body) < 4 {
		return ""
	}
	plain := func(c byte) bool {
		return c == '<' || c == '!' || c == '\n' || c == '\r' || c == ' ' || 'A' <= c && c <= 'z'
	}
	switch {
	case body[1] == 0 && body[3] == 0 && plain(body[0]) && plain(body[2]):
		return "utf-16le"
	case body[0] == 0 && body[2] == 0 && plain(body[1]) && plain(body[3]):
		return "utf-16be"
	}
	return ""
}

// choose returns the name of the charset of a body without a byte order mark,
// whose Content-Type is given.
func choose(body []byte, contentType string) string {
	valid := utf8.Valid(body)
	var declared []string
	if _, name := lookup(charsetIn(contentType)); name != "" { // also of a broken header: "charset=gbk; ;"
		declared = append(declared, name)
		if valid && name == "utf-8" {
			return name
		}
	}
	hints := prescan(body)
	if hints.charset != "" {
		declared = append(declared, hints.charset)
	}
	if valid && len(declared) > 0 && declared[0] == "utf-8" {
		return declared[0]
	}
	u := judgeUTF8(body)
	if u.multi == 0 && u.invalid == 0 {
		return chooseASCII(body, declared)
	}
	for _, name := range declared {
		if fits(body, name, u) {
			return name
		}
	}
	switch {
	case u.invalid == 0:
		return "utf-8"
	case len(declared) > 0:
		return declared[0]
	}
	return sniff(body, hints.lang)
}

// chooseASCII returns the charset of a body of ASCII bytes: what is declared,
// since queries are written in it. UTF-16 it is not.
func chooseASCII(body []byte, declared []string) string {
	for _, name := range declared {
		if !strings.HasPrefix(name, "utf-16") {
			return name
		}
	}
	if bytes.Contains(body, []byte("\x1b$B")) || bytes.Contains(body, []byte("\x1b$@")) {
		return "iso-2022-jp"
	}
	return "utf-8"
}

// fits reports whether body, which is not ASCII, can be in the declared charset
// name.
func fits(body []byte, name string, u utf8Verdict) bool {
	switch {
	case name == "utf-8":
		return u.mostly()
	case strings.HasPrefix(name, "utf-16"), isMultiByte(name):
		if u.invalid > 0 {
			return decodesCleanly(body, name)
		}
		bad, _ := countInvalid(body, name) // a page that is valid UTF-8 must be flawless to be something else
		return !u.certain() && bad == 0
	}
	return u.invalid > 0 // text in a single-byte charset is not valid UTF-8 by chance
}

// isMultiByte reports whether characters of the charset take several bytes.
func isMultiByte(name string) bool {
	switch name {
	case "gbk", "gb18030", "big5", "euc-jp", "shift_jis", "euc-kr", "iso-2022-jp":
		return true
	}
	return false
}

// decodesCleanly reports whether the body may be in the charset: at most one
// character and one in a hundred of those beyond ASCII is invalid. Real pages
// have broken characters, and a body that was cut ends in one.
func decodesCleanly(body []byte, name string) bool {
	bad, beyond := countInvalid(body, name)
	return bad <= 1+beyond/100
}

// countInvalid returns how many characters at the start of body are invalid in
// the charset, and how many are beyond ASCII.
func countInvalid(body []byte, name string) (bad, beyond int) {
	e, _ := lookup(name)
	doc, err := e.NewDecoder().Bytes(body[:min(len(body), sampleSize)])
	if err != nil { // unreachable unless a decoder of x/text breaks its word
		return len(body), len(body)
	}
	for _, r := range string(doc) {
		if r >= utf8.RuneSelf {
			beyond++
		}
		if r == utf8.RuneError {
			bad++
		}
	}
	return bad, beyond
}

// sampleSize is how much of a body is decoded to judge a charset.
const sampleSize = 64 << 10

// A utf8Verdict counts what in a body speaks for UTF-8.
type utf8Verdict struct {
	multi   int // valid sequences of several bytes
	weight  int // one for a sequence of two bytes, two for three, three for four
	invalid int // bytes in no valid sequence
}

func judgeUTF8(body []byte) utf8Verdict {
	var u utf8Verdict
	for len(body) > 0 {
		n := asciiPrefix(body)
		if body = body[n:]; len(body) == 0 {
			break
		}
		r, size := utf8.DecodeRune(body)
		if r == utf8.RuneError && size == 1 {
			u.invalid++
		} else {
			u.multi++
			u.weight += size - 1
		}
		body = body[size:]
	}
	return u
}

// certain reports whether the body is UTF-8 whatever is declared. A few
// characters of GBK can be valid UTF-8 by chance (about one pair in eight);
// four units of weight in a row make it one page in some thousands.
func (u utf8Verdict) certain() bool { return u.invalid == 0 && u.weight >= 4 }

// mostly reports whether a body that declares UTF-8 may be taken for it, with
// some broken characters.
func (u utf8Verdict) mostly() bool { return u.invalid <= 1+u.multi/8 }
