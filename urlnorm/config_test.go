package urlnorm

import (
	"errors"
	"strings"
	"testing"
)

func TestConfigRefusesWhatItDoesNotKnow(t *testing.T) {
	for _, c := range []Config{
		{Profile: "lenient"},
		{Rules: []string{"sort-query"}},
		{Rules: []string{"+sort_query"}},
		{Rules: []string{"-dot-segments"}},
		{MaxLength: -1},
		{Hosts: []HostRules{{Host: "a b"}}},
		{Hosts: []HostRules{{Host: ""}}},
		{Hosts: []HostRules{{Host: "a.test", Profile: "x"}}},
	} {
		if n, err := New(c); !errors.Is(err, ErrConfig) {
			t.Errorf("New(%+v) = %v, %v, want ErrConfig", c, n, err)
		}
	}
}

func TestIDNamesTheRules(t *testing.T) {
	for _, tc := range []struct {
		config Config
		want   string
	}{
		{Config{}, "1 crawl"},
		{Config{Profile: "crawl"}, "1 crawl"},
		{Config{Profile: "strict", Rules: []string{"+sort-query", "-fragment"}}, "1 strict +sort-query -fragment"},
		{Config{AJAXOff: true}, "1 crawl ajax-off"},
		{Config{MaxLength: 99}, "1 crawl"},
	} {
		if got := mustNew(t, tc.config).ID(); got != tc.want {
			t.Errorf("New(%+v).ID() = %q, want %q", tc.config, got, tc.want)
		}
	}
	a := mustNew(t, Config{Hosts: []HostRules{{Host: "a.test"}}}).ID()
	b := mustNew(t, Config{Hosts: []HostRules{{Host: "b.test"}}}).ID()
	if a == b || !strings.HasPrefix(a, "1 crawl lists:") {
		t.Errorf("IDs of two lists are %q and %q", a, b)
	}
}

func TestRulesOfHosts(t *testing.T) {
	n := mustNew(t, Config{
		Lists:     Lists{UnusedParams: []string{"x*"}},
		IPDomains: map[string]string{"192.0.2.1": "a.test"},
		Hosts: []HostRules{
			{Host: "A.test", Rules: []string{"+sort-query"}, Lists: Lists{DefaultParams: map[string]string{"sort": "date"}}},
			{Host: "*.b.test", Profile: "strict", Lists: Lists{KeepFragments: []string{"/"}}},
			{Host: "*.test", Rules: []string{"-empty-query"}},
		},
	})
	for _, tc := range []struct{ ref, key string }{
		{"http://a.test/?c&b", "http://a.test/?b&c"},
		{"http://a.test./?sort=date&xy=1&sort=name", "http://a.test/?sort=name"},
		{"http://c.test/?c&b&sort=date&x=1", "http://c.test/?c&b&sort=date"},
		{"http://m.b.test/#/route", "http://m.b.test/#/route"},
		{"http://b.test/?utm_source=1#top", "http://b.test/?utm_source=1"},
		{"http://bb.test/?#/route", "http://bb.test/?"},
		{"http://d.example/?", "http://d.example/"},
		{"http://192.0.2.1/?b&a", "http://a.test/?b&a"},
	} {
		u, err := n.Resolve(nil, tc.ref, Charset{})
		if err != nil || u.Key != tc.key {
			t.Errorf("Resolve(%q) = %+v, %v, want key %q", tc.ref, u, err, tc.key)
		}
	}
	u, err := n.Resolve(nil, "http://b.test/#/r", Charset{})
	if err != nil || u.Fetch != "http://b.test/" || u.Display != "http://b.test/#/r" {
		t.Errorf("a kept fragment gives %+v, %v", u, err)
	}
}

func TestParseHostRules(t *testing.T) {
	rules, err := ParseHostRules([]byte(`
hosts:
  - host: "*.a.test"
    profile: aggressive
    rules: [+empty-value, -www]
    unused-params: [ref]
    default-params: {page: "1"}
    directory-index: [home.html]
    keep-fragments: ["/"]
  - host: b.test
`))
	if err != nil || len(rules) != 2 {
		t.Fatalf("ParseHostRules = %+v, %v", rules, err)
	}
	n := mustNew(t, Config{Hosts: rules})
	u, err := n.Resolve(nil, "http://www.a.test/home.html?ref=1&b=&page=1#/x", Charset{})
	if err != nil || u.Key != "http://www.a.test/?b#/x" {
		t.Errorf("Resolve = %+v, %v", u, err)
	}
	if rules, err := ParseHostRules([]byte("# nothing\n")); err != nil || len(rules) != 0 {
		t.Errorf("ParseHostRules of a comment = %v, %v", rules, err)
	}
}

func TestParseHostRulesNamesTheLine(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"unknown key", "hosts:\n  - host: a.test\n    rule: [+www]\n", "line 3: "},
		{"unknown top key", "hosts: []\nhost: a\n", "line 2: "},
		{"unknown rule", "hosts:\n  - host: a.test\n    rules:\n      - +www\n      - +ww\n", "line 5: "},
		{"unknown profile", "hosts:\n  - host: a.test\n  - profile: x\n    host: b.test\n", "line 3: "},
		{"bad host", "hosts:\n  - rules: []\n    host: a b\n", "line 3: "},
		{"no host", "hosts:\n  - host: a.test\n  - rules: []\n", "line 3: "},
		{"doubled host", "hosts:\n  - host: a.test\n  - rules: []\n    host: A.test\n", "line 4: "},
		{"doubled key", "hosts:\n  - host: a.test\n    host: b.test\n", "line 3: "},
		{"wrong type", "hosts:\n  - host: a.test\n    rules: 1\n", "line 3: "},
		{"syntax", "hosts:\n  - host: [\n", "line "},
	} {
		_, err := ParseHostRules([]byte(tc.text))
		if !errors.Is(err, ErrConfig) || !strings.HasPrefix(err.Error(), tc.want) {
			t.Errorf("%s: error %v, want one that begins with %q", tc.name, err, tc.want)
		}
	}
}

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

func TestSSURT(t *testing.T) {
	for _, tc := range []struct{ url, want string }{
		{"http://www.a.test/p?q", "test,a,www,//http:/p?q"},
		{"https://u:p@a.test:8443/#!s", "test,a,//8443:https@u:p:/#!s"},
		{"http://10.0.0.1:81/", "10.0.0.1//81:http:/"},
		{"http://[::1]/", "[::1]//http:/"},
		{"http://a.test./", ",test,a,//http:/"},
		{"http://a,b.test/", "test,a%2Cb,//http:/"},
		{"http://h/", "h,//http:/"},
		{"http://h///x://y", "h,//http:///x://y"},
	} {
		got, err := SSURT(tc.url)
		if err != nil || got != tc.want {
			t.Errorf("SSURT(%q) = %q, %v; want %q", tc.url, got, err, tc.want)
		}
		if back, err := FromSSURT(tc.want); err != nil || back != tc.url {
			t.Errorf("FromSSURT(%q) = %q, %v; want %q", tc.want, back, err, tc.url)
		}
	}
	for _, bad := range []string{"", "a", "//", "http://h", "ftp://h/", "http:///", "x://h/"} {
		if s, err := SSURT(bad); !errors.Is(err, ErrSyntax) {
			t.Errorf("SSURT(%q) = %q, %v; want ErrSyntax", bad, s, err)
		}
	}
	for _, bad := range []string{"", "h//http:/", "h,//http:", "h,//ftp:/", "h,//x:http:/", "h,/http:/", "//http:/"} {
		if s, err := FromSSURT(bad); !errors.Is(err, ErrSyntax) {
			t.Errorf("FromSSURT(%q) = %q, %v; want ErrSyntax", bad, s, err)
		}
	}
}
