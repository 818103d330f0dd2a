package urlnorm

import (
	"strings"
	"testing"
)

func TestCleanFollowsRobots(t *testing.T) {
	n := mustNew(t, Config{})
	for _, tc := range []struct{ line, ref, key string }{
		{"sid&ref /forum/", "http://a.test/forum/x?sid=1&id=2&ref=3", "http://a.test/forum/x?id=2"},
		{"sid /forum/", "http://a.test/news?sid=1", "http://a.test/news?sid=1"},
		{"sid", "http://a.test/?sid=1#!s", "http://a.test/#!s"},
		{"sid", "http://a.test/?SID=1&sidx=2", "http://a.test/?SID=1&sidx=2"},
		{"sid /*.php", "http://a.test/x/y.php5?sid=1", "http://a.test/x/y.php5"},
		{"sid /*.php$", "http://a.test/x/y.php5?sid=1", "http://a.test/x/y.php5?sid=1"},
		{"s%69d /%7ea", "http://a.test/~a?sid=1", "http://a.test/~a"},
	} {
		c, ok := ParseCleanParam(tc.line)
		u, err := n.Resolve(nil, tc.ref, Charset{})
		if got := n.Clean(u, []CleanParam{c}); !ok || err != nil || got.Key != tc.key || got.Fetch != u.Fetch {
			t.Errorf("Clean-param %q: Clean(%q) = %+v, want key %q", tc.line, tc.ref, got, tc.key)
		}
		off := mustNew(t, Config{Rules: []string{"-clean-param"}})
		if got := off.Clean(u, []CleanParam{c}); got != u {
			t.Errorf("Clean-param %q: switched off, Clean(%q) = %+v", tc.line, tc.ref, got)
		}
	}
	for _, bad := range []string{"", " ", "&", "a b c", strings.Repeat("x", 501)} {
		if c, ok := ParseCleanParam(bad); ok {
			t.Errorf("ParseCleanParam(%q) = %+v, want none", bad, c)
		}
	}
}
