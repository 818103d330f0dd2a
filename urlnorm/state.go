package urlnorm

import (
	"strings"
	"unicode/utf8"
)

// escapedFragment is the name of the query parameter of an ugly URL
// [G-AJAX §mapping].
const escapedFragment = "_escaped_fragment_"

// EscapeState returns a state as the value of _escaped_fragment_: the bytes
// %00–20, %23, %25, %26, %2B, %7F–FF [G-AJAX §mapping], and " < > [ \ ] ^ `
// { | } besides, which HTTP allows in no query. / = ? : stay raw, because
// robots rules and servers look for them. A % of the state is escaped, also
// where it begins an escape: the server undoes one level and must see the
// state as the page wrote it. ' stays raw too, as the scheme has it; a fetch
// form has %27 there, because that is what the URL Standard's parser, and with
// it every client, makes of it in a query.
func EscapeState(state string) string {
	for i := range len(state) {
		if !is(state[i], inState) {
			return string(appendEncoded(make([]byte, 0, len(state)+32), state, inState))
		}
	}
	return state
}

// UnescapeState undoes EscapeState: it decodes every escape once and leaves +
// and a stray % alone. Bytes that would be no UTF-8 stay escaped, in upper
// case, because a state is text.
func UnescapeState(value string) string {
	s := unescape(value)
	if utf8.ValidString(s) {
		return s
	}
	b := make([]byte, 0, len(s)+32)
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && size == 1 {
			b = appendEscape(b, s[i])
		} else {
			b = append(b, s[i:i+size]...)
		}
		i += size
	}
	return string(b)
}

// appendDisplayState appends a state in the spelling of the page, so that a
// display URL maps to the ugly URL that was requested. Only what cannot stand
// in one line of text is escaped: controls, bytes that are no UTF-8, and
// spaces at the end, which every URL parser cuts off.
func appendDisplayState(dst []byte, state string) []byte {
	text := strings.TrimRight(state, " ")
	for i := 0; i < len(text); {
		c := text[i]
		if c < utf8.RuneSelf {
			if c < 0x20 || c == 0x7F {
				dst = appendEscape(dst, c)
			} else {
				dst = append(dst, c)
			}
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		if r == utf8.RuneError && size == 1 {
			dst = appendEscape(dst, c)
		} else {
			dst = append(dst, text[i:i+size]...)
		}
		i += size
	}
	for range len(state) - len(text) {
		dst = append(dst, "%20"...)
	}
	return dst
}

// appendKeyState appends a state in the form that the URL Standard gives a
// fragment, with escapes in upper case. Browsers write a link's é as %C3%A9
// when it is followed, so both spellings are one state. Unreserved bytes are
// not decoded: a state is read by the page's script, not by a URL parser.
func appendKeyState(dst []byte, state string) []byte {
	start := len(dst)
	dst = appendEncoded(dst, state, inFragment)
	for i := start; i < len(dst); i++ {
		if isEscape(dst, i) {
			dst[i+1], dst[i+2] = upper(dst[i+1]), upper(dst[i+2])
			i += 2
		}
	}
	return dst
}

func upper(c byte) byte {
	if c >= 'a' && c <= 'z' {
		return c - ('a' - 'A')
	}
	return c
}

// cutUgly splits a query (without its ?) whose last parameter is the one and
// only _escaped_fragment_ [G-AJAX §mapping] [SEZNAM §terms]. The name is
// matched byte for byte. Both "name=value" and a bare name count as ugly,
// since servers are asked in either form.
func cutUgly[T string | []byte](query T) (rest, value T, ok bool) {
	start := len(query)
	for start > 0 && query[start-1] != '&' {
		start--
	}
	value, ok = tokenValue(query[start:])
	if !ok {
		return query, query[:0], false
	}
	rest = query[:max(start-1, 0)]
	if hasToken(rest) {
		return query, query[:0], false
	}
	return rest, value, true
}

// tokenValue reports whether param is _escaped_fragment_, and its value.
func tokenValue[T string | []byte](param T) (value T, ok bool) {
	const n = len(escapedFragment)
	if len(param) < n || string(param[:n]) != escapedFragment {
		return param[:0], false
	}
	switch {
	case len(param) == n:
		return param[:0], true
	case param[n] == '=':
		return param[n+1:], true
	}
	return param[:0], false
}

// hasToken reports whether a parameter of the query is _escaped_fragment_.
func hasToken[T string | []byte](query T) bool {
	for len(query) >= len(escapedFragment) {
		if _, ok := tokenValue(cutParam(query)); ok {
			return true
		}
		i := len(cutParam(query))
		if i == len(query) {
			return false
		}
		query = query[i+1:]
	}
	return false
}

// cutParam returns the first parameter of a query.
func cutParam[T string | []byte](query T) T {
	for i := range len(query) {
		if query[i] == '&' {
			return query[:i]
		}
	}
	return query
}

// CutState splits a query (without its ?) whose last parameter is its only
// _escaped_fragment_ into the rest and the escaped state.
func CutState(query string) (rest, value string, ok bool) { return cutUgly(query) }

// DropStates removes every _escaped_fragment_ from a query: a URL has at most
// one, and a new state brings its own [G-AJAX §mapping].
func DropStates(query string) string {
	if !strings.Contains(query, escapedFragment) || !hasToken(query) {
		return query
	}
	var kept []string
	for _, p := range strings.Split(query, "&") {
		if _, ok := tokenValue(p); !ok {
			kept = append(kept, p)
		}
	}
	return strings.Join(kept, "&")
}
