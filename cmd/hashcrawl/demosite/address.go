package demosite

import (
	"net/url"
	"strings"
)

// token is the query parameter that carries a state on the wire [G-AJAX].
const token = "_escaped_fragment_"

// address names what a request asks for, free of spelling: it is the key of
// everything the site serves.
type address struct {
	path  string // decoded
	query string // raw, without the token
	ugly  bool   // the token was there: a snapshot is asked for
	state string // what follows #!, decoded once
}

// parseAddress reads the request target of u. ok is false if an escape in the
// token's value is broken.
func parseAddress(u *url.URL) (a address, ok bool) {
	a = address{path: u.Path, query: u.RawQuery}
	rest, last := "", u.RawQuery
	if i := strings.LastIndexByte(u.RawQuery, '&'); i >= 0 {
		rest, last = u.RawQuery[:i], u.RawQuery[i+1:]
	}
	// A request without "=" is the older spelling of an empty state.
	name, value, _ := strings.Cut(last, "=")
	if name != token {
		return a, true
	}
	state, err := url.PathUnescape(value) // not QueryUnescape: "+" stays [G-AJAX]
	if err != nil {
		return a, false
	}
	a.query, a.ugly, a.state = rest, true, plainState(state)
	return a, true
}

// plainState undoes the escapes that a browser writes into location.hash for
// blanks and for text beyond ASCII, and no others: the application thereby
// understands a pretty URL copied from an address bar, while %26 in a state
// stays the text it is.
func plainState(state string) string {
	var b strings.Builder
	for i := 0; i < len(state); i++ {
		if state[i] == '%' && i+2 < len(state) {
			if c, err := url.PathUnescape(state[i : i+3]); err == nil && (c[0] >= 0x80 || c[0] == ' ') {
				b.WriteString(c)
				i += 2
				continue
			}
		}
		b.WriteByte(state[i])
	}
	return b.String()
}

// target returns the request target that a crawler sends for a.
func (a address) target() string {
	t := (&url.URL{Path: a.path}).EscapedPath()
	sep := "?"
	if a.query != "" {
		t += "?" + a.query
		sep = "&"
	}
	if a.ugly {
		t += sep + token + "=" + escapeState(a.state)
	}
	return t
}

// display returns the pretty or plain URL of a, relative to the site's root.
// The state is in the spelling in which the site's links have it.
func (a address) display() string {
	plain := address{path: a.path, query: a.query}.target()
	if a.state == "" {
		return plain
	}
	return plain + "#!" + a.state
}

// escapeState escapes the bytes %00-20, %23, %25, %26, %2B and %7F-FF
// [G-AJAX]. The site's states hold no other byte on which encoders differ.
func escapeState(state string) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for i := 0; i < len(state); i++ {
		c := state[i]
		if c <= 0x20 || c >= 0x7F || strings.IndexByte("#%&+", c) >= 0 {
			b.WriteByte('%')
			b.WriteByte(hex[c>>4])
			b.WriteByte(hex[c&15])
			continue
		}
		b.WriteByte(c)
	}
	return b.String()
}
