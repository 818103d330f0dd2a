package urlnorm

import (
	"strconv"
	"strings"
)

// A reference is a raw reference cut into components, nothing decoded or
// written yet. All strings share the input's memory.
type reference struct {
	form     form
	https    bool   // as named by the reference
	scheme   string // raw, empty if the reference has none
	user     string
	hasUser  bool
	host     string
	port     string
	hasPort  bool
	path     string
	query    string
	hasQuery bool
	fragment string
	hasFrag  bool
}

// form says what a reference takes from its base.
type form uint8

const (
	absolute  form = iota // host, path and query of its own
	rooted                // an absolute path
	relative              // a path to be merged with the base's
	queryOnly             // a query of its own, the base's path
	same                  // the base's path and query
)

// clean drops what the URL parser ignores [WHATWG-URL §4.4]: C0 controls and
// spaces at both ends, tabs and newlines anywhere.
func clean(s string) string {
	for len(s) > 0 && s[0] <= ' ' {
		s = s[1:]
	}
	for len(s) > 0 && s[len(s)-1] <= ' ' {
		s = s[:len(s)-1]
	}
	if strings.IndexByte(s, '\t') < 0 && strings.IndexByte(s, '\n') < 0 && strings.IndexByte(s, '\r') < 0 {
		return s
	}
	b := make([]byte, 0, len(s))
	for i := range len(s) {
		if c := s[i]; c != '\t' && c != '\n' && c != '\r' {
			b = append(b, c)
		}
	}
	return string(b)
}

// split cuts a reference into its components as the states of
// [WHATWG-URL §4.4] do for special schemes other than file. base may be nil.
// The fragment is cut at the first #, before anything else is looked at.
func split(base *Base, s string) (r reference, err error) {
	s = clean(s)
	if i := strings.IndexByte(s, '#'); i >= 0 {
		r.fragment, r.hasFrag, s = s[i+1:], true, s[:i]
	}
	scheme, rest := cutScheme(s)
	switch {
	case scheme == "":
		if base == nil {
			return r, refuse(ErrRelative, s)
		}
		return r, r.splitRelative(rest)
	case equalFold(scheme, "https"):
		r.https = true
	case !equalFold(scheme, "http"):
		return r, refuse(ErrScheme, scheme)
	}
	r.scheme = scheme
	// "http:a/b" is relative to a base of the same scheme.
	if base != nil && base.https == r.https && !strings.HasPrefix(rest, "//") {
		return r, r.splitRelative(rest)
	}
	return r, r.splitAuthority(rest)
}

// cutScheme cuts "scheme:" off s; without one, scheme is empty.
func cutScheme(s string) (scheme, rest string) {
	for i := range len(s) {
		switch c := s[i]; {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z':
		case i > 0 && (c >= '0' && c <= '9' || c == '+' || c == '-' || c == '.'):
		case i > 0 && c == ':':
			return s[:i], s[i+1:]
		default:
			return "", s
		}
	}
	return "", s
}

func isSlash(c byte) bool { return c == '/' || c == '\\' }

// splitRelative is the relative state and the relative slash state.
func (r *reference) splitRelative(s string) error {
	switch {
	case s == "":
		r.form = same
	case s[0] == '?':
		r.form, r.query, r.hasQuery = queryOnly, s[1:], true
	case !isSlash(s[0]):
		r.form = relative
		r.splitQuery(s)
	case len(s) > 1 && isSlash(s[1]):
		return r.splitAuthority(s)
	default:
		r.form = rooted
		r.splitQuery(s)
	}
	return nil
}

// splitAuthority is the authority state: s is what follows the scheme, with
// any number of slashes in front.
func (r *reference) splitAuthority(s string) error {
	r.form = absolute
	for len(s) > 0 && isSlash(s[0]) {
		s = s[1:]
	}
	end := 0
	for end < len(s) && s[end] != '/' && s[end] != '?' && s[end] != '\\' {
		end++
	}
	auth := s[:end]
	if at := strings.LastIndexByte(auth, '@'); at >= 0 {
		r.user, r.hasUser, auth = auth[:at], true, auth[at+1:]
	}
	r.host = auth
	bracket := false
	for i := range len(auth) {
		c := auth[i]
		if c == ':' && !bracket {
			r.host, r.port, r.hasPort = auth[:i], auth[i+1:], true
			break
		}
		bracket = c == '[' || bracket && c != ']'
	}
	if r.host == "" {
		return refuse(ErrNoHost, s)
	}
	r.splitQuery(s[end:])
	return nil
}

func (r *reference) splitQuery(s string) {
	r.path = s
	if i := strings.IndexByte(s, '?'); i >= 0 {
		r.path, r.query, r.hasQuery = s[:i], s[i+1:], true
	}
}

// portNumber reads the port of an authority. It is -1 for an empty port and
// for the scheme's own.
func portNumber(s string, https bool) (int, error) {
	if s == "" {
		return -1, nil
	}
	n := 0
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return 0, refuse(ErrPort, s)
		}
		if n = n*10 + int(s[i]-'0'); n > 65535 {
			return 0, refuse(ErrPort, s)
		}
	}
	if n == 80 && !https || n == 443 && https {
		return -1, nil
	}
	return n, nil
}

// appendUser appends the userinfo and its @, nothing if both parts are empty.
func appendUser(dst []byte, s string, mend mending) []byte {
	if mend.strayPercent {
		s = escapeStray(s, false)
	}
	name, password, _ := strings.Cut(s, ":")
	if name == "" && password == "" {
		return dst
	}
	dst = appendEncoded(dst, name, inUser)
	if password != "" {
		dst = append(dst, ':')
		dst = appendEncoded(dst, password, inUser)
	}
	return append(dst, '@')
}

func appendPort(dst []byte, port int) []byte {
	if port < 0 {
		return dst
	}
	return strconv.AppendInt(append(dst, ':'), int64(port), 10)
}
