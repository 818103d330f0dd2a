package urlnorm

import (
	"strings"

	"golang.org/x/text/unicode/norm"
)

// both applies f to path and query.
func (p *parts) both(f func(string) string) {
	p.path = f(p.path)
	p.query = f(p.query)
}

// escapeCase is the rule escape-case.
func escapeCase(p *parts, _ *ruleset) { p.both(upperEscapes) }

func upperEscapes(s string) string {
	return mapEscapes(s, func(dst []byte, escape string) []byte {
		return append(dst, '%', upper(escape[1]), upper(escape[2]))
	})
}

// decodeUnreserved is the rule unreserved.
func decodeUnreserved(p *parts, _ *ruleset) {
	p.both(func(s string) string {
		return decodeEscapes(s, func(c byte) bool { return is(c, unreserved) })
	})
}

// decodeReserved is the rule reserved-decode.
func decodeReserved(p *parts, _ *ruleset) {
	p.path = decodeEscapes(p.path, func(c byte) bool { return strings.IndexByte("!$&'()*+,:;=@", c) >= 0 })
}

// decodeEscapes decodes the escapes of the bytes that are wanted.
func decodeEscapes(s string, wanted func(byte) bool) string {
	return mapEscapes(s, func(dst []byte, escape string) []byte {
		if c := escapeValue(escape, 0); wanted(c) {
			return append(dst, c)
		}
		return append(dst, escape...)
	})
}

// mapEscapes replaces every escape of s by what f appends for it.
func mapEscapes(s string, f func(dst []byte, escape string) []byte) string {
	if strings.IndexByte(s, '%') < 0 {
		return s
	}
	dst := make([]byte, 0, len(s))
	for i := 0; i < len(s); {
		if isEscape(s, i) {
			dst = f(dst, s[i:i+3])
			i += 3
		} else {
			dst = append(dst, s[i])
			i++
		}
	}
	return string(dst)
}

// strayPercent is the rule stray-percent in the query; the path has it in the
// fetch form.
func strayPercent(p *parts, _ *ruleset) { p.query = escapeStray(p.query, true) }

// escapeStray escapes every % that begins no escape; with legacy, %uXXXX
// counts as one.
func escapeStray(s string, legacy bool) string {
	if strings.IndexByte(s, '%') < 0 {
		return s
	}
	dst := make([]byte, 0, len(s)+8)
	for i := range len(s) {
		if s[i] == '%' && !isEscape(s, i) && !(legacy && isLegacyEscape(s[i:])) {
			dst = append(dst, "%25"...)
		} else {
			dst = append(dst, s[i])
		}
	}
	return string(dst)
}

// unicodeNFC is the rule unicode-nfc. It works on runs of escapes that are
// text in UTF-8, and on nothing else.
func unicodeNFC(p *parts, _ *ruleset) {
	p.both(func(s string) string {
		text := decodeEscapes(s, func(c byte) bool { return c >= 0x80 })
		if text == s {
			return s
		}
		return string(appendEncoded(nil, norm.NFC.String(text), inComposed))
	})
}

// collapseSlashes is the rule slashes. http://a/http://b/ names another URL
// in its path, so slashes after a colon stay.
func collapseSlashes(p *parts, _ *ruleset) {
	if !strings.Contains(p.path, "//") {
		return
	}
	dst := make([]byte, 0, len(p.path))
	colon := false
	for i := range len(p.path) {
		c := p.path[i]
		if c != '/' {
			colon = c == ':'
		} else if i > 0 && p.path[i-1] == '/' && !colon {
			continue
		}
		dst = append(dst, c)
	}
	p.path = string(dst)
}

// dropDirindex is the rule dirindex.
func dropDirindex(p *parts, rules *ruleset) {
	dir := strings.LastIndexByte(p.path, '/') + 1
	if rules.dirindex[strings.ToLower(p.path[dir:])] {
		p.path = p.path[:dir]
	}
}

// dropTrailingSlash is the rule trailing-slash. All slashes at the end go, as
// one would: the rule slashes may be off.
func dropTrailingSlash(p *parts, _ *ruleset) {
	if len(p.path) > 1 {
		p.path = strings.TrimSuffix(p.path, "/")
	}
}
