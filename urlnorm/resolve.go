package urlnorm

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
)

// A Base is a page's URL, parsed once for all references of the page. It is
// immutable and may be shared by goroutines.
type Base struct {
	https    bool
	prefix   string // scheme, userinfo, host and port: all before the path
	host     int    // offset of the host name in prefix
	port     int    // offset of the end of the host name in prefix
	path     string
	dir      int // length of path up to and with its last slash
	query    string
	hasQuery bool
}

// Base parses the URL of a page for [Normalizer.Resolve]. It takes a display
// URL, or the Display of a resolved <base href>. References of a snapshot
// resolve against the pretty URL, never against the ugly URL that was
// requested, so an ugly URL is taken for its pretty one.
func (n *Normalizer) Base(display string) (*Base, error) {
	u, err := n.Resolve(nil, display, Charset{})
	if err != nil {
		return nil, err
	}
	plain, _, _ := strings.Cut(u.Display, "#")
	host, port, path := authority(plain)
	b := &Base{
		https:  strings.HasPrefix(plain, "https:"),
		prefix: plain[:path],
		host:   host,
		port:   port,
		path:   plain[path:],
	}
	if i := strings.IndexByte(b.path, '?'); i >= 0 {
		b.path, b.query, b.hasQuery = b.path[:i], b.path[i+1:], true
	}
	b.dir = strings.LastIndexByte(b.path, '/') + 1
	return b, nil
}

// String returns the URL that the base was made of, without its state.
func (b *Base) String() string {
	if b.hasQuery {
		return b.prefix + b.path + "?" + b.query
	}
	return b.prefix + b.path
}

// layout holds the offsets of a URL's components in a buffer.
type layout struct {
	https      bool
	host, port int // the host name is [host:port)
	path       int
	query      int // of the ?; equal to end without a query
	end        int
}

// scratchSize is the buffer that a URL's names are written into before they
// are copied to one string; it suffices for names of 150 bytes or so, longer
// ones cost a second allocation.
const scratchSize = 512

// Resolve resolves a reference as it stands in a page: an attribute's value,
// a Location header, a line of a sitemap. base is the page's, nil if there is
// none, and then the reference must be absolute. cs is the page's charset.
// Errors: ErrScheme, ErrRelative, ErrNoHost, ErrHost, ErrPort, ErrTooLong.
//
// The result shares no memory with ref.
func (n *Normalizer) Resolve(base *Base, ref string, cs Charset) (URL, error) {
	r, err := split(base, ref)
	if err != nil {
		return URL{}, err
	}
	var scratch [scratchSize]byte
	buf, req, err := n.assemble(scratch[:0], base, &r, cs)
	if err != nil {
		return URL{}, err
	}
	switch {
	case n.isState(&r):
		return n.finishPretty(buf, req, r.fragment[1:])
	case !n.ajaxOff && req.at.query < req.at.end:
		if rest, value, ok := cutUgly(buf[req.at.query+1:]); ok {
			return n.finishUgly(buf, req, rest, value)
		}
	}
	if r.hasFrag && req.rules.keepsFragment(r.fragment) {
		return n.finishFragment(buf, req, r.fragment)
	}
	return n.finishPlain(buf, req)
}

// isState reports whether the fragment of a reference is a state.
func (n *Normalizer) isState(r *reference) bool {
	return !n.ajaxOff && len(r.fragment) > 0 && r.fragment[0] == '!'
}

// assemble writes what stands before the fragment.
func (n *Normalizer) assemble(buf []byte, base *Base, r *reference, cs Charset) ([]byte, keyRequest, error) {
	if err := n.checkLength(base, r); err != nil {
		return nil, keyRequest{}, err
	}
	buf, at, err := n.appendAuthority(buf, base, r)
	if err != nil {
		return nil, keyRequest{}, err
	}
	rules := n.rules(buf[at.host:at.port])
	buf = appendPathOf(buf, &at, base, r, rules.mend)
	buf = n.appendQueryOf(buf, &at, base, r, cs)
	return buf, keyRequest{rules: rules, at: at, dropUser: dropsUser(buf, base, r, at)}, nil
}

// checkLength refuses long input before any work is done on it. A fragment
// that is no state is dropped and counts for nothing.
func (n *Normalizer) checkLength(base *Base, r *reference) error {
	length := len(r.user) + len(r.host) + len(r.port) + len(r.path) + len(r.query)
	if strings.HasPrefix(r.fragment, "!") {
		length += len(r.fragment)
	}
	if base != nil {
		length += len(base.prefix)
	}
	if length > n.maxLength {
		return n.tooLong(length)
	}
	return nil
}

func (n *Normalizer) tooLong(length int) error {
	return fmt.Errorf("%w: %d bytes, at most %d are taken", ErrTooLong, length, n.maxLength)
}

// appendAuthority writes everything before the path.
func (n *Normalizer) appendAuthority(buf []byte, base *Base, r *reference) ([]byte, layout, error) {
	if r.form != absolute {
		buf = append(buf, base.prefix...)
		return buf, layout{https: base.https, host: base.host, port: base.port, path: len(buf)}, nil
	}
	// A reference that begins with // has no scheme of its own.
	https := r.https || base != nil && r.scheme == "" && base.https
	if https {
		buf = append(buf, "https://"...)
	} else {
		buf = append(buf, "http://"...)
	}
	if r.hasUser {
		buf = appendUser(buf, r.user, n.all.mend)
	}
	at := layout{https: https, host: len(buf)}
	buf, err := appendHost(buf, r.host)
	if err != nil {
		return buf, at, err
	}
	at.port = len(buf)
	port, err := portNumber(r.port, https)
	if err != nil {
		return buf, at, err
	}
	buf = appendPort(buf, port)
	at.path = len(buf)
	return buf, at, nil
}

// appendPathOf writes the path, merged with the base's where the reference
// has none or a relative one.
func appendPathOf(buf []byte, at *layout, base *Base, r *reference, mend mending) []byte {
	switch r.form {
	case same, queryOnly:
		buf = append(buf, base.path...)
	case relative:
		buf = append(buf, base.path[:base.dir]...)
		buf = appendPath(buf, at.path, r.path, mend)
	default:
		buf = append(buf, '/')
		path := r.path
		if path != "" && isSlash(path[0]) {
			path = path[1:]
		}
		buf = appendPath(buf, at.path, path, mend)
	}
	at.query, at.end = len(buf), len(buf)
	return buf
}

// appendQueryOf writes the query. Before a state, an empty query and older
// states are left out.
func (n *Normalizer) appendQueryOf(buf []byte, at *layout, base *Base, r *reference, cs Charset) []byte {
	query, has, written := r.query, r.hasQuery, false
	if r.form == same {
		query, has, written = base.query, base.hasQuery, true
	}
	if n.isState(r) {
		query = DropStates(query)
		has = query != ""
	}
	if !has {
		return buf
	}
	buf = append(buf, '?')
	switch {
	case written:
		buf = append(buf, query...)
	case !cs.isPlain(query):
		buf = cs.appendQuery(buf, query, inQuery)
	default:
		buf = appendEncoded(buf, query, inQuery)
	}
	at.end = len(buf)
	return buf
}

// dropsUser reports whether the userinfo was brought in by a link, and not
// inherited from a page that the user gave with it.
func dropsUser(buf []byte, base *Base, r *reference, at layout) bool {
	return base != nil && r.form == absolute && r.hasUser &&
		!bytes.Equal(buf[:at.path], []byte(base.prefix))
}

func (n *Normalizer) finishPlain(buf []byte, req keyRequest) (URL, error) {
	fetch := len(buf)
	if fetch > n.maxLength {
		return URL{}, n.tooLong(fetch)
	}
	buf, differs := appendKey(buf, req)
	s := string(buf)
	u := URL{Fetch: s[:fetch], Display: s[:fetch], Key: s[:fetch]}
	if differs {
		u.Key = s[fetch:]
	}
	return u, nil
}

// finishPretty ends the URL of a reference with a state. buf holds the part
// before the state.
func (n *Normalizer) finishPretty(buf []byte, req keyRequest, state string) (URL, error) {
	at := req.at
	sep := byte('?')
	if at.query < at.end {
		sep = '&'
	}
	buf = append(buf, sep)
	buf = append(buf, escapedFragment...)
	buf = append(buf, '=')
	buf = appendEncoded(buf, state, inSentState)
	return n.finishState(buf, req, state, Pretty)
}

// finishUgly ends the URL of a reference in ugly form, of which rest is the
// query without the token.
func (n *Normalizer) finishUgly(buf []byte, req keyRequest, rest, value []byte) (URL, error) {
	state := UnescapeState(string(value))
	// An empty query before the token is dropped: some crawlers ask for ?&.
	req.at.end = req.at.query
	if len(rest) > 0 {
		req.at.end += 1 + len(rest)
	}
	return n.finishState(buf, req, state, Ugly)
}

// finishState adds display URL and key to the fetch form in buf. req.at ends
// where the part that display URL and fetch form share does.
func (n *Normalizer) finishState(buf []byte, req keyRequest, state string, kind Kind) (URL, error) {
	fetch := len(buf)
	if fetch > n.maxLength {
		return URL{}, n.tooLong(fetch)
	}
	buf = append(buf, buf[:req.at.end]...)
	if state != "" {
		buf = append(buf, "#!"...)
		buf = appendDisplayState(buf, state)
	}
	display := len(buf)
	buf, differs := appendKey(buf, req)
	if !differs {
		buf = append(buf, buf[:req.at.end]...)
	}
	if state != "" {
		buf = append(buf, "#!"...)
		buf = appendKeyState(buf, state)
	}
	if bytes.Equal(buf[fetch:display], buf[display:]) {
		buf = buf[:display]
	}
	s := string(buf)
	u := URL{Fetch: s[:fetch], Display: s[fetch:display], Key: s[fetch:display], Kind: kind}
	if len(s) > display {
		u.Key = s[display:]
	}
	return u, nil
}

// finishFragment ends a URL whose fragment a rule of its host keeps, such as
// the #/route of a script: it counts in key and display URL.
func (n *Normalizer) finishFragment(buf []byte, req keyRequest, fragment string) (URL, error) {
	u, err := n.finishPlain(buf, req)
	if err != nil {
		return u, err
	}
	tail := string(appendEncoded([]byte{'#'}, fragment, inFragment))
	u.Display += tail
	u.Key += tail
	return u, nil
}

// baseOrNone is Base for a string that may be empty or of another scheme;
// then there is none.
func (n *Normalizer) baseOrNone(base string) (*Base, error) {
	if base == "" {
		return nil, nil
	}
	b, err := n.Base(base)
	if errors.Is(err, ErrScheme) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("base: %w", err)
	}
	return b, nil
}
