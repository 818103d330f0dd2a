package ajaxscheme

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/hashcrawl/hashcrawl/urlnorm"
)

func TestUgly(t *testing.T) {
	for _, tc := range []struct {
		name, pretty string
		want         UglyURL
		err          error
	}{
		{name: "state in a path", pretty: "http://a.test/x#!k=v&l=w", want: "http://a.test/x?_escaped_fragment_=k=v%26l=w"}, // [G-AJAX §mapping]
		{name: "no path", pretty: "http://a.test#!s", want: "http://a.test?_escaped_fragment_=s"},
		{name: "query kept as it is", pretty: "http://a.test/?b=%2f&a&a=#!s", want: "http://a.test/?b=%2f&a&a=&_escaped_fragment_=s"},
		{name: "empty query dropped", pretty: "http://a.test/?#!s", want: "http://a.test/?_escaped_fragment_=s"},
		{name: "empty state", pretty: "http://a.test/#!", want: "http://a.test/?_escaped_fragment_="},
		{name: "stale state dropped", pretty: "http://a.test/?_escaped_fragment_=x&y#!s", want: "http://a.test/?y&_escaped_fragment_=s"},
		{name: "name within a name kept", pretty: "http://a.test/?x_escaped_fragment_=1#!s", want: "http://a.test/?x_escaped_fragment_=1&_escaped_fragment_=s"},
		{name: "second hash", pretty: "http://a.test/#!a#!b", want: "http://a.test/?_escaped_fragment_=a%23!b"},
		{name: "escape in the state", pretty: "http://a.test/#!R%26D", want: "http://a.test/?_escaped_fragment_=R%2526D"},
		{name: "raw marks", pretty: "http://a.test/#!/a?b=c:d;e,f@g$h'i(j)k*l~m!n", want: "http://a.test/?_escaped_fragment_=/a?b=c:d;e,f@g$h'i(j)k*l~m!n"},
		{name: "escaped marks", pretty: "http://a.test/#!\"<>[\\]^`{|}+&#%", want: "http://a.test/?_escaped_fragment_=%22%3C%3E%5B%5C%5D%5E%60%7B%7C%7D%2B%26%23%25"},
		{name: "bytes", pretty: "http://a.test/#!\x00\x7fé\xff", want: "http://a.test/?_escaped_fragment_=%00%7F%C3%A9%FF"},
		{name: "plain", pretty: "http://a.test/", err: ErrNotPretty},
		{name: "plain fragment", pretty: "http://a.test/#top", err: ErrNotPretty},
		{name: "! not first", pretty: "http://a.test/#a!b", err: ErrNotPretty},
		{name: "escaped !", pretty: "http://a.test/#%21a", err: ErrNotPretty},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := Ugly(tc.pretty)
			if !errors.Is(err, tc.err) || got != tc.want {
				t.Errorf("Ugly(%q) = %q, %v; want %q, %v", tc.pretty, got, err, tc.want, tc.err)
			}
		})
	}
}

func TestPretty(t *testing.T) {
	for _, tc := range []struct {
		name, ugly, want string
		err              error
	}{
		{name: "state", ugly: "http://a.test/?_escaped_fragment_=k=v%26l=w", want: "http://a.test/#!k=v&l=w"}, // [G-AJAX §mapping]
		{name: "behind a query", ugly: "http://a.test/?a=1&b&_escaped_fragment_=s", want: "http://a.test/?a=1&b#!s"},
		{name: "empty value", ugly: "http://a.test/?a&_escaped_fragment_=", want: "http://a.test/?a"},
		{name: "bare name", ugly: "http://a.test/?_escaped_fragment_", want: "http://a.test/"},
		{name: "bare name behind a query", ugly: "http://a.test/?a&_escaped_fragment_", want: "http://a.test/?a"},
		{name: "empty query before", ugly: "http://a.test/?&_escaped_fragment_=s", want: "http://a.test/#!s"},
		{name: "plus", ugly: "http://a.test/?_escaped_fragment_=a+b%2bc", want: "http://a.test/#!a+b+c"},
		{name: "one level", ugly: "http://a.test/?_escaped_fragment_=%2541", want: "http://a.test/#!%41"},
		{name: "no text", ugly: "http://a.test/?_escaped_fragment_=%e9%C3%A9", want: "http://a.test/#!%E9é"},
		{name: "stray percent", ugly: "http://a.test/?_escaped_fragment_=5%&", err: ErrNotUgly},
		{name: "stray percent in the value", ugly: "http://a.test/?_escaped_fragment_=5%2", want: "http://a.test/#!5%2"},
		{name: "fragment of a browser", ugly: "http://a.test/?_escaped_fragment_=a#top", want: "http://a.test/#!a"},
		{name: "state behind", ugly: "http://a.test/?_escaped_fragment_=a#!b", want: "http://a.test/#!b"},
		{name: "twice", ugly: "http://a.test/?_escaped_fragment_=a&_escaped_fragment_=b", err: ErrNotUgly},
		{name: "not last", ugly: "http://a.test/?_escaped_fragment_=a&b", err: ErrNotUgly},
		{name: "other case", ugly: "http://a.test/?_ESCAPED_FRAGMENT_=a", err: ErrNotUgly},
		{name: "in the path", ugly: "http://a.test/_escaped_fragment_=a", err: ErrNotUgly},
		{name: "in the fragment", ugly: "http://a.test/#?_escaped_fragment_=a", err: ErrNotUgly},
		{name: "plain", ugly: "http://a.test/", err: ErrNotUgly},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := Pretty(tc.ugly)
			if !errors.Is(err, tc.err) || got != tc.want {
				t.Errorf("Pretty(%q) = %q, %v; want %q, %v", tc.ugly, got, err, tc.want, tc.err)
			}
			if IsUgly(tc.ugly) != (tc.err == nil) {
				t.Errorf("IsUgly(%q) = %v", tc.ugly, IsUgly(tc.ugly))
			}
		})
	}
}

func TestUglyPlain(t *testing.T) {
	for _, tc := range []struct {
		plain string
		want  UglyURL
		err   error
	}{
		{plain: "http://a.test/", want: "http://a.test/?_escaped_fragment_="},
		{plain: "http://a.test/p?q=1#top", want: "http://a.test/p?q=1&_escaped_fragment_="},
		{plain: "http://a.test/?", want: "http://a.test/?_escaped_fragment_="},
		{plain: "http://a.test/#!s", err: ErrHasState},
	} {
		got, err := UglyPlain(tc.plain)
		if !errors.Is(err, tc.err) || got != tc.want {
			t.Errorf("UglyPlain(%q) = %q, %v; want %q, %v", tc.plain, got, err, tc.want, tc.err)
		}
	}
}

func TestLines(t *testing.T) {
	for _, tc := range []struct{ line, pretty, ugly string }{
		{"http://a.test/#!s", "http://a.test/#!s", "http://a.test/?_escaped_fragment_=s"},
		{"http://a.test/?_escaped_fragment_=s", "http://a.test/#!s", "http://a.test/?_escaped_fragment_=s"},
		{"http://a.test/", "http://a.test/", "http://a.test/"},
		{"", "", ""},
	} {
		if got, mapped := PrettyLine(tc.line); got != tc.pretty || mapped != (got != tc.line) {
			t.Errorf("PrettyLine(%q) = %q, %v; want %q", tc.line, got, mapped, tc.pretty)
		}
		if got, mapped := UglyLine(tc.line); got != tc.ugly || mapped != (got != tc.line) {
			t.Errorf("UglyLine(%q) = %q, %v; want %q", tc.line, got, mapped, tc.ugly)
		}
	}
}

// FuzzRoundTrip holds the package's invariant, and that urlnorm maps as this
// package does and gives both names of a state one key.
func FuzzRoundTrip(f *testing.F) {
	for _, s := range []string{"", "?", "?q=1", "#!a b", "?x#!é%41'", "?_escaped_fragment_=a%20", "?&_escaped_fragment_=%e9#!", "/d/?a&&#!#!?&+%"} {
		f.Add(s)
	}
	n, err := urlnorm.New(urlnorm.Config{})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, tail string) {
		url := "http://a.test/" + tail
		if ugly, err := Ugly(url); err == nil {
			checkRoundTrip(t, n, url, string(ugly))
		}
		if pretty, err := Pretty(url); err == nil {
			sameKey(t, n, url, pretty)
		}
	})
}

func checkRoundTrip(t *testing.T, n *urlnorm.Normalizer, pretty, ugly string) {
	t.Helper()
	sameKey(t, n, pretty, ugly)
	plain, state, _ := strings.Cut(pretty, "#!")
	_, query, hasQuery := strings.Cut(plain, "?")
	if !utf8.ValidString(pretty) || hasQuery && query == "" || strings.Contains(query, Param) {
		return
	}
	want := pretty
	if state == "" {
		want = plain
	}
	if got, err := Pretty(ugly); err != nil || got != want {
		t.Errorf("Pretty(Ugly(%q)) = %q, %v", pretty, got, err)
	}
}

// sameKey tests two names of one page. What the URL parser cuts off a
// reference before it is mapped is no part of the test.
func sameKey(t *testing.T, n *urlnorm.Normalizer, a, b string) {
	t.Helper()
	if isCut(a) || isCut(b) {
		return
	}
	ua, erra := n.Resolve(nil, a, urlnorm.Charset{})
	ub, errb := n.Resolve(nil, b, urlnorm.Charset{})
	if (erra == nil) != (errb == nil) && !errors.Is(erra, urlnorm.ErrTooLong) && !errors.Is(errb, urlnorm.ErrTooLong) || erra == nil && errb == nil && ua.Key != ub.Key {
		t.Errorf("keys of %q and %q are %q and %q (%v, %v)", a, b, ua.Key, ub.Key, erra, errb)
	}
}

// isCut reports whether the URL parser drops bytes of s.
func isCut(s string) bool { return strings.ContainsAny(s, "\t\n\r") || s[len(s)-1] <= ' ' }
