package urlnorm

import (
	"errors"
	"strings"
	"testing"
)

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
		{"alias", "hosts: &a\n  - *a\n", "line 1: "},
		{"tag on nothing", "hosts:\n  - host: a.test\n    rules: !x \n", "line 3: "},
		{"nesting", "hosts: " + strings.Repeat("[", 100000), "line 1: "},
		{"nesting by dashes", "hosts:\n  " + strings.Repeat("- ", 100000), "line 2: "},
		{"syntax", "hosts:\n  - host: [\n", "line "},
	} {
		_, err := ParseHostRules([]byte(tc.text))
		if !errors.Is(err, ErrConfig) || !strings.HasPrefix(err.Error(), tc.want) {
			t.Errorf("%s: error %v, want one that begins with %q", tc.name, err, tc.want)
		}
	}
}
