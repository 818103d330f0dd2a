package fetch

import (
	"net/netip"
	"net/url"
	"strconv"
	"strings"
)

// A target is a URL taken apart as far as a request needs, with nothing
// re-spelt.
type target struct {
	https     bool
	authority string // host and port for the Host field; without a default port
	host      string // without port and brackets
	port      uint16
	path      string // path and query as they go on the wire
}

// parseTarget takes raw apart. It does not use net/url, which refuses and
// re-spells what stands in real URLs; raw has been normalised by urlnorm, so
// what is checked here is only what could break out of a request line or lead
// to another host.
func parseTarget(raw string) (target, error) {
	var t target
	scheme, rest, ok := strings.Cut(raw, "://")
	if !ok {
		return t, failedf(KindURL, "no absolute URL")
	}
	switch strings.ToLower(scheme) {
	case "http":
		t.port = 80
	case "https":
		t.https, t.port = true, 443
	default:
		return t, failedf(KindScheme, "scheme %.20q is not fetched", scheme)
	}
	for i := range len(rest) {
		if c := rest[i]; c <= ' ' || c == 0x7F || c == '#' {
			return t, failedf(KindURL, "byte %#02x in the URL", c)
		}
	}
	end := strings.IndexAny(rest, "/?")
	if end < 0 {
		end = len(rest)
	}
	if t.path = rest[end:]; t.path == "" || t.path[0] == '?' {
		t.path = "/" + t.path
	}
	return t, t.setAuthority(rest[:end])
}

// setAuthority reads [userinfo@]host[:port]; userinfo is dropped.
func (t *target) setAuthority(s string) error {
	s = s[strings.LastIndexByte(s, '@')+1:]
	t.host, t.authority = s, s
	if i := strings.LastIndexByte(s, ':'); i >= 0 && !strings.HasSuffix(s, "]") {
		p, err := strconv.ParseUint(s[i+1:], 10, 16)
		if err != nil || p == 0 {
			return failedf(KindURL, "port %.20q", s[i+1:])
		}
		t.host = s[:i]
		if uint16(p) == t.port {
			t.authority = t.host
		}
		t.port = uint16(p)
	}
	if in, ok := strings.CutPrefix(t.host, "["); ok {
		in, closed := strings.CutSuffix(in, "]")
		a, err := netip.ParseAddr(in)
		if !closed || err != nil || !a.Is6() || a.Zone() != "" {
			return failedf(KindURL, "host %.60q", t.host)
		}
		t.host = a.String()
		return nil
	}
	// The forbidden domain code points that are left [WHATWG-URL §host-miscellaneous].
	if t.host == "" || strings.ContainsAny(t.host, `"%<>[\]^`+"`{|}:") {
		return failedf(KindURL, "host %.60q", t.host)
	}
	return nil
}

// url returns a URL whose RequestURI is t.path to the byte. Where net/url would
// spell the path otherwise, it goes as Opaque; an Opaque that starts with two
// slashes is taken for an authority, so such a path goes in absolute form, which
// every server has to accept [RFC9112 §3.2.2]. forProxy keeps Opaque in that
// form, the one that a proxy needs.
func (t *target) url(forProxy bool) *url.URL {
	u := &url.URL{Scheme: "http", Host: t.authority}
	if t.https {
		u.Scheme = "https"
	}
	path, query, hasQuery := strings.Cut(t.path, "?")
	u.RawQuery, u.ForceQuery = query, hasQuery && query == ""
	if p, err := url.PathUnescape(path); err == nil {
		u.Path, u.RawPath = p, path
		if u.EscapedPath() == path {
			return u
		}
		u.Path, u.RawPath = "", ""
	}
	u.Opaque = path
	if forProxy || strings.HasPrefix(path, "//") {
		u.Opaque = "//" + t.authority + path
	}
	return u
}
