package urlnorm

import (
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
