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
