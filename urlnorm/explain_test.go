package urlnorm

import (
	"errors"
	"slices"
	"testing"
)

func TestExplainListsWhatFired(t *testing.T) {
	for _, tc := range []struct {
		name, base, ref, charset string
		config                   Config
		want                     []Fired
	}{
		{name: "nothing", ref: "http://a.test/x", want: []Fired{}},
		{name: "parser", ref: " HTTP://A.Test:80/x/../é#top", want: []Fired{
			{"trim", " HTTP://A.Test:80/x/../é#top", "HTTP://A.Test:80/x/../é#top"},
			{"scheme-case", "HTTP", "http"},
			{"host-case", "A.Test", "a.test"},
			{"default-port", ":80", ""},
			{"percent-encode", "/x/../é", "/x/../%C3%A9"},
			{"dot-segments", "/x/../%C3%A9", "/%C3%A9"},
			{"fragment", "#top", ""},
		}},
		{name: "empty path", ref: "http://a.test?", want: []Fired{
			{"empty-path", "", "/"},
			{"empty-query", "?", ""},
		}},
		{name: "host kinds", ref: "//bücher.test", base: "https://a.test/", want: []Fired{
			{"resolve", "", "https:"},
			{"idna", "bücher.test", "xn--bcher-kva.test"},
			{"empty-path", "", "/"},
		}},
		{name: "address", ref: "http://0x7f.1/", want: []Fired{{"ip-form", "0x7f.1", "127.0.0.1"}}},
		{name: "userinfo", ref: "http://:@a.test/", want: []Fired{{"userinfo-form", ":@", ""}}},
		{name: "relative", base: "http://a.test/d/p", ref: "../x\\y", want: []Fired{
			{"resolve", "../x\\y", "http://a.test/x/y"},
			{"backslash", "../x\\y", "../x/y"},
			{"dot-segments", "/d/../x/y", "/x/y"},
		}},
		{name: "marks", ref: "http://a.test/100%|", want: []Fired{
			{"stray-percent", "/100%|", "/100%25|"},
			{"path-pipe", "/100%25|", "/100%25%7C"},
		}},
		{name: "key", ref: "http://a.test/%7e?utm_source=x&b=%c3", want: []Fired{
			{"escape-case", "/%7e", "/%7E"},
			{"escape-case", "?utm_source=x&b=%c3", "?utm_source=x&b=%C3"},
			{"unreserved", "/%7E", "/~"},
			{"tracking", "?utm_source=x&b=%C3", "?b=%C3"},
		}},
		{name: "charset", ref: "http://a.test/?中", charset: "gbk", want: []Fired{{"charset", "中", "%D6%D0"}}},
		{name: "pretty", ref: "http://a.test/#!a b", want: []Fired{
			{"ajax", "#!a b", "?_escaped_fragment_=a%20b"},
			{"percent-encode", "a b", "a%20b"},
		}},
		{name: "ugly", ref: "http://a.test/?_escaped_fragment_=a", want: []Fired{
			{"ajax", "http://a.test/?_escaped_fragment_=a", "http://a.test/#!a"},
		}},
		{name: "aggressive", ref: "https://www.a.test//x/index.html?b&a", config: Config{Profile: aggressive}, want: []Fired{
			{"protocol", "https", "http"},
			{"www", "www.a.test", "a.test"},
			{"slashes", "//x/index.html", "/x/index.html"},
			{"dirindex", "/x/index.html", "/x/"},
			{"trailing-slash", "/x/", "/x"},
			{"sort-query", "?b&a", "?a&b"},
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			n := mustNew(t, tc.config)
			base, err := n.baseOrNone(tc.base)
			if err != nil {
				t.Fatal(err)
			}
			cs, err := CharsetByLabel(tc.charset)
			if err != nil {
				t.Fatal(err)
			}
			if got := n.Explain(base, tc.ref, cs); !slices.Equal(got.Rules, tc.want) {
				t.Errorf("Explain(%q, %q) fired\n%v, want\n%v", tc.base, tc.ref, got.Rules, tc.want)
			}
		})
	}
}

func TestExplainTellsTheNames(t *testing.T) {
	n := mustNew(t, Config{})
	base, err := n.Base("http://a.test/d/")
	if err != nil {
		t.Fatal(err)
	}
	got := n.Explain(base, "p#!s", Charset{})
	if got.Base != "http://a.test/d/" || got.Fetch != "http://a.test/d/p?_escaped_fragment_=s" || got.Request != got.Fetch ||
		got.Key != "http://a.test/d/p#!s" || got.Display != got.Key || got.Kind != "pretty" || got.Error != "" {
		t.Errorf("Explain = %+v", got)
	}
	got = n.Explain(nil, "mailto:x", Charset{})
	if got.Fetch != "" || got.Key != "" || got.Error == "" || !errors.Is(got.Err, ErrScheme) || got.Rules == nil {
		t.Errorf("Explain = %+v", got)
	}
}
