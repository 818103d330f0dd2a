package urlnorm

import (
	"strconv"
	"strings"
)

// Kind tells in which form of the AJAX crawling scheme a reference was
// written.
type Kind uint8

const (
	Plain  Kind = iota // no state
	Pretty             // with #!, also with an empty state
	Ugly               // with _escaped_fragment_ as the last parameter
)

// String returns plain, pretty or ugly.
func (k Kind) String() string {
	switch k {
	case Pretty:
		return "pretty"
	case Ugly:
		return "ugly"
	}
	return "plain"
}

// A URL is a resolved reference under its three names. The names share one
// allocation that belongs to this URL alone, never to the page on which the
// reference stood; who keeps only one of them for long may clone it.
type URL struct {
	// Fetch is what goes on the wire: the serialisation of the URL Standard
	// without the fragment, or the ugly URL for a reference with a state.
	Fetch string
	// Key is the identity in the frontier. It looks like a URL and is none:
	// it is never requested and never exported.
	Key string
	// Display is the pretty URL, or the plain URL where there is no state or
	// an empty one.
	Display string
	Kind    Kind
}

// Scheme returns "http" or "https", "" for the zero URL.
func (u URL) Scheme() string {
	i := strings.IndexByte(u.Fetch, ':')
	if i < 0 {
		return ""
	}
	return u.Fetch[:i]
}

// authority returns the offsets of host and port of a fetch form: the host
// name at [host:port), the path from path on. port < path only if the URL
// names a port.
func authority(fetch string) (host, port, path int) {
	host = strings.Index(fetch, "://")
	if host < 0 {
		return 0, 0, 0
	}
	host += 3
	path = len(fetch)
	if i := strings.IndexByte(fetch[host:], '/'); i >= 0 {
		path = host + i
	}
	host += strings.LastIndexByte(fetch[host:path], '@') + 1
	port = path
	// In an IPv6 address colons stand inside brackets.
	if i := strings.LastIndexByte(fetch[host:path], ':'); i >= 0 && fetch[path-1] != ']' {
		port = host + i
	}
	return host, port, path
}

// Host returns the host name without port; an IPv6 address has its brackets.
func (u URL) Host() string {
	host, port, _ := authority(u.Fetch)
	return u.Fetch[host:port]
}

// Port returns the effective port: the one named, else the scheme's.
func (u URL) Port() uint16 {
	_, port, path := authority(u.Fetch)
	if port < path {
		n, _ := strconv.ParseUint(u.Fetch[port+1:path], 10, 16)
		return uint16(n)
	}
	switch u.Scheme() {
	case "https":
		return 443
	case "http":
		return 80
	}
	return 0
}

// Origin returns scheme, host and port if it is not the scheme's own, such as
// "http://h:8080": what a robots.txt is valid for [RFC9309 §2.3].
func (u URL) Origin() string {
	host, _, path := authority(u.Fetch)
	prefix := len(u.Scheme()) + len("://")
	if host <= prefix {
		return u.Fetch[:path]
	}
	return u.Fetch[:prefix] + u.Fetch[host:path]
}

// Target returns path and query of the fetch form: what the request line
// carries and robots rules are matched against, byte for byte.
func (u URL) Target() string {
	_, _, path := authority(u.Fetch)
	return u.Fetch[path:]
}
