package ajaxscheme

import (
	"errors"
	"fmt"
	"strings"

	"github.com/hashcrawl/hashcrawl/urlnorm"
)

// Param is the name of the query parameter that carries a state.
const Param = "_escaped_fragment_"

// An UglyURL is a URL to be requested. It is a type of its own so that it
// cannot be stored where a display URL or a key is due.
type UglyURL string

var (
	// ErrNotPretty: a URL without #!.
	ErrNotPretty = errors.New("ajaxscheme: not a pretty URL")
	// ErrNotUgly: a URL without _escaped_fragment_ as its last parameter.
	ErrNotUgly = errors.New("ajaxscheme: not an ugly URL")
	// ErrHasState: a pretty URL where a plain one is asked for.
	ErrHasState = errors.New("ajaxscheme: URL has a state")
)

// Ugly returns the URL to request for a pretty URL. Everything before the
// first # stays as it is, but for an empty query and older states, which are
// dropped: servers that know the scheme look for ?_escaped_fragment_=, and a
// URL has one state. The parameter comes last [SEZNAM §terms] and its value
// is the state, escaped once [G-AJAX §mapping]; an empty state gives an empty
// value. Without #! the error is ErrNotPretty.
//
// A client escapes ' in a query, so the fetch form of urlnorm has %27 where
// this has the scheme's raw form.
//
// The ! must be literal, and what follows a second # belongs to the state:
// no URL parser may see the string before.
func Ugly(pretty string) (UglyURL, error) {
	plain, state, ok := cutState(pretty)
	if !ok {
		return "", fmt.Errorf("%w: %.80q", ErrNotPretty, pretty)
	}
	return withState(plain, state), nil
}

// UglyPlain returns the URL to request for the snapshot of an opted-in page:
// that of an empty state [G-AJAX §meta]. A fragment of the page is dropped.
// If plain has a state, the error is ErrHasState: such a page needs no opt-in.
func UglyPlain(plain string) (UglyURL, error) {
	if _, _, ok := cutState(plain); ok {
		return "", fmt.Errorf("%w: %.80q", ErrHasState, plain)
	}
	plain, _, _ = strings.Cut(plain, "#")
	return withState(plain, ""), nil
}

// Pretty returns the pretty URL of an ugly one: the parameter is cut off with
// its ? or &, and its value, with every %XX decoded once, follows #!
// [G-AJAX §mapping]. + stays +. An empty value gives the plain URL, without
// #!. Bytes that are no UTF-8 stay escaped. The name is matched byte for byte
// and must be that of the last parameter and of no other; both "name=" and
// the bare name are read. Otherwise the error is ErrNotUgly.
//
// A #! behind an ugly URL is the state that a browser would act on, and wins.
func Pretty(ugly string) (string, error) {
	before, fragment, hasFragment := strings.Cut(ugly, "#")
	plain, value, ok := cutParam(before)
	if !ok {
		return "", fmt.Errorf("%w: %.80q", ErrNotUgly, ugly)
	}
	state := urlnorm.UnescapeState(value)
	if hasFragment && strings.HasPrefix(fragment, "!") {
		state = fragment[1:]
	}
	if state == "" {
		return plain, nil
	}
	return plain + "#!" + state, nil
}

// IsPretty reports whether a URL has a state, be it an empty one.
func IsPretty(url string) bool {
	_, _, ok := cutState(url)
	return ok
}

// IsUgly reports whether Pretty takes a URL.
func IsUgly(url string) bool {
	before, _, _ := strings.Cut(url, "#")
	_, _, ok := cutParam(before)
	return ok
}

// cutState cuts a URL at its first # if a ! follows.
func cutState(url string) (plain, state string, ok bool) {
	plain, fragment, _ := strings.Cut(url, "#")
	state, ok = strings.CutPrefix(fragment, "!")
	return plain, state, ok
}

// withState appends the parameter to a URL without fragment.
func withState(plain, state string) UglyURL {
	path, query, _ := strings.Cut(plain, "?")
	query = urlnorm.DropStates(query)
	if query != "" {
		query += "&"
	}
	return UglyURL(path + "?" + query + Param + "=" + urlnorm.EscapeState(state))
}

// cutParam cuts the parameter off a URL without fragment.
func cutParam(url string) (plain, value string, ok bool) {
	path, query, hasQuery := strings.Cut(url, "?")
	if !hasQuery {
		return "", "", false
	}
	rest, value, ok := urlnorm.CutState(query)
	if !ok {
		return "", "", false
	}
	// Some crawlers asked for ?&_escaped_fragment_=: an empty query is none.
	if rest == "" {
		return path, value, true
	}
	return path + "?" + rest, value, true
}
