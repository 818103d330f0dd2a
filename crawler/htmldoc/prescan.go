package htmldoc

import (
	"bytes"
	"strings"

	"golang.org/x/net/html"
)

// prescanSize is how far the declaration of a charset is looked for. The
// standard asks authors to put it into the first 1,024 bytes; browsers look
// further, and so do we.
const prescanSize = 4 << 10

// hints are what the start of a page says of its charset.
type hints struct {
	charset string // the name of the declared charset, "" if none is known
	lang    string // of <html lang>
}

// prescan reads the declaration of the charset at the start of body
// [WHATWG-HTML §13.2.3.2, "prescan a byte stream"], but with a tokenizer, so
// that a <meta> in a script's text is none.
func prescan(body []byte) hints {
	var h hints
	z := html.NewTokenizer(bytes.NewReader(body[:min(len(body), prescanSize)]))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return h
		case html.StartTagToken, html.SelfClosingTagToken:
			name, more := z.TagName()
			switch string(name) {
			case "html":
				h.lang = attrOf(z, more, "lang")
			case "meta":
				if h.charset = metaCharset(z, more); h.charset != "" {
					return h
				}
			case "noscript":
				z.NextIsNotRawText()
			}
		}
	}
}

func attrOf(z *html.Tokenizer, more bool, name string) string {
	for more {
		var key, val []byte
		if key, val, more = z.TagAttr(); string(key) == name {
			return string(val)
		}
	}
	return ""
}

// metaCharset returns the name of the charset that the current <meta> declares,
// "" if none. UTF-16 is read as UTF-8: the <meta> could not have been read.
func metaCharset(z *html.Tokenizer, more bool) string {
	var charset, content string
	pragma := false
	for more {
		var key, val []byte
		key, val, more = z.TagAttr()
		switch string(key) {
		case "charset":
			charset = string(val)
		case "content":
			content = charsetIn(string(val))
		case "http-equiv":
			pragma = strings.EqualFold(string(val), "content-type")
		}
	}
	if charset == "" && pragma {
		charset = content
	}
	_, name := lookup(charset)
	if strings.HasPrefix(name, "utf-16") {
		return "utf-8"
	}
	return name
}

// charsetIn returns the label after "charset=" in s, "" if there is none
// [WHATWG-HTML §2.5.3].
func charsetIn(s string) string {
	const space, key = " \t\n\f\r", "charset"
	for lower := strings.ToLower(s); ; {
		i := strings.Index(lower, key)
		if i < 0 || len(lower) != len(s) { // lengths differ only beyond ASCII
			return ""
		}
		s, lower = s[i+len(key):], lower[i+len(key):]
		if rest := strings.TrimLeft(s, space); strings.HasPrefix(rest, "=") {
			return unquoted(strings.TrimLeft(rest[1:], space))
		}
	}
}

// unquoted returns the quoted string or the token at the start of s.
func unquoted(s string) string {
	if s != "" && (s[0] == '"' || s[0] == '\'') {
		value, _, closed := strings.Cut(s[1:], s[:1])
		if !closed {
			return ""
		}
		return value
	}
	if i := strings.IndexAny(s, "; \t\n\f\r"); i >= 0 {
		s = s[:i]
	}
	return s
}
