package crawler

import (
	"fmt"
	"net/http"
	"testing"
	"testing/synctest"
)

// TestCanonicalIsInThePagesCharset has pages that write their own address in
// windows-1251, in which browsers and links encode it too.
func TestCanonicalIsInThePagesCharset(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cp1251 := http.Header{"Content-Type": {"text/html; charset=windows-1251"}}
		c := newCrawl(t, map[string]answer{
			"http://a.test/": {body: "<a href=\"/?q=\xEF\xF0\xE8\xE2\xE5\xF2\">x</a>", header: cp1251},
			"http://a.test/?q=%EF%F0%E8%E2%E5%F2": {
				body:   "<link rel=canonical href=\"/?q=\xEF\xF0\xE8\xE2\xE5\xF2\"><title>\xEF\xF0\xE8\xE2\xE5\xF2</title>",
				header: cp1251,
			},
		}, "http://a.test/")
		c.run(Options{})
		c.wantIndexed("http://a.test/", "http://a.test/?q=%EF%F0%E8%E2%E5%F2")
	})
}

// TestPagesThatNameEachOtherAreNotAllLost has circles of canonicals: one page of
// each is indexed, however its pages were found and whenever.
func TestPagesThatNameEachOtherAreNotAllLost(t *testing.T) {
	names := func(title, canonical string) answer {
		return answer{body: fmt.Sprintf("<title>%s</title><link rel=canonical href=%q>%s", title, canonical, title)}
	}
	for _, tc := range []struct {
		name  string
		seed  answer
		pages map[string]answer
		want  []string
		runs  int // the limit of each is one page
	}{
		{
			name: "two that were linked", seed: links("/a", "/b"),
			pages: map[string]answer{"/a": names("a", "/b"), "/b": names("b", "/a")}, want: []string{"/", "/b"},
		},
		{
			name: "two of which one is found by the other", seed: links("/a"),
			pages: map[string]answer{"/a": names("a", "/b"), "/b": names("b", "/a")}, want: []string{"/", "/b"},
		},
		{
			name: "the same, with a restart between", seed: links("/a"), runs: 3,
			pages: map[string]answer{"/a": names("a", "/b"), "/b": names("b", "/a")}, want: []string{"/", "/b"},
		},
		{
			name: "three", seed: links("/a", "/b", "/c"),
			pages: map[string]answer{"/a": names("a", "/b"), "/b": names("b", "/c"), "/c": names("c", "/a")}, want: []string{"/", "/c"},
		},
		{
			name: "a chain is none", seed: links("/a", "/b", "/c"),
			pages: map[string]answer{"/a": names("a", "/b"), "/b": names("b", "/c"), "/c": names("c", "/c")}, want: []string{"/", "/c"},
		},
		{
			name: "states", seed: links("#!a", "#!b"),
			pages: map[string]answer{"/?_escaped_fragment_=a": names("a", "/#!b"), "/?_escaped_fragment_=b": names("b", "/#!a")}, want: []string{"/", "/#!b"},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				answers := map[string]answer{"http://a.test/": tc.seed}
				for path, a := range tc.pages {
					answers["http://a.test"+path] = a
				}
				c := newCrawl(t, answers, "http://a.test/")
				c.settings.NoSitemaps = true
				for range tc.runs {
					c.run(Options{MaxPages: 1})
				}
				c.run(Options{})
				var want []string
				for _, path := range tc.want {
					want = append(want, "http://a.test"+path)
				}
				c.wantIndexed(want...)
			})
		})
	}
}
