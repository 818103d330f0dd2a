package crawler

import (
	"net/http"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/hashcrawl/hashcrawl/crawler/htmldoc"
)

func TestCanonicalInTheHeader(t *testing.T) {
	for _, tc := range []struct {
		why    string
		fields []string
		want   []string
	}{
		{"the usual form", []string{`<https://a.test/x>; rel="canonical"`}, []string{"https://a.test/x"}},
		{"a token, in capitals, among others", []string{`</x>;REL=Canonical;title=t`}, []string{"/x"}},
		{"several links in a field", []string{`</n>; rel=next, </x,y>; rel="shortlink canonical", </p>; rel=prev`}, []string{"/x,y"}},
		{"several fields", []string{`</n>; rel=next`, `</x>; rel=canonical`}, []string{"/x"}},
		{"quotes hide what parts links", []string{`</n>; title="a, <b>; rel=canonical"; rel=next`}, nil},
		{"only the first rel counts", []string{`</n>; rel=next; rel=canonical`}, nil},
		{"that of another document", []string{`</n>; rel=canonical; anchor="/o"`}, nil},
		{"no link", []string{`canonical`, `<`, `<>`, ``, `</n`, `"`, `<x>;"\`}, nil},
	} {
		doc := &htmldoc.Page{}
		addFields(doc, http.Header{"Link": tc.fields})
		if !slices.Equal(doc.Canonicals, tc.want) {
			t.Errorf("%s: of %q the canonicals are %q; want %q", tc.why, tc.fields, doc.Canonicals, tc.want)
		}
	}
}

// TestHeaderSpeaksForTheHead has pages whose header says what others say in
// their head.
func TestHeaderSpeaksForTheHead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		field := func(name, value string) answer {
			return answer{body: "<title>" + value + "</title>" + value, header: http.Header{name: {value}}}
		}
		c := newCrawl(t, map[string]answer{
			"http://a.test/":      links("/copy", "/gone", "/later", "/again", "/app#!1", "/app"),
			"http://a.test/copy":  field("Link", `<http://a.test/main>; rel="canonical"`),
			"http://a.test/main":  {body: "<title>main</title>main"},
			"http://a.test/gone":  field("Refresh", "0; url=/new"),
			"http://a.test/new":   {body: "<title>new</title>new"},
			"http://a.test/later": field("Refresh", "30;URL='/next'"),
			"http://a.test/next":  {body: "<title>next</title>next"},
			"http://a.test/again": field("Refresh", "60"),
			// Asked for on account of its state, and judged when its turn comes.
			"http://a.test/app":                      field("Link", `<http://a.test/main>; rel="canonical"`),
			"http://a.test/app?_escaped_fragment_=1": {body: "<title>one</title>one"},
		}, "http://a.test/")
		c.run(Options{})
		c.wants(map[string]string{
			"http://a.test/copy": "canonical: http://a.test/main", "http://a.test/main": "indexed", "http://a.test/gone": "redirect",
			"http://a.test/new": "indexed", "http://a.test/later": "indexed", "http://a.test/next": "indexed", "http://a.test/again": "indexed",
			"http://a.test/app#!1": "indexed", "http://a.test/app": "canonical: http://a.test/main",
		})
	})
}
