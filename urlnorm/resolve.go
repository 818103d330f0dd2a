package urlnorm

import (
	"bytes"
	"fmt"
	"strings"
)

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
