package crawler

import (
	"fmt"
	"net/http"
	"testing"
	"testing/synctest"

	"github.com/hashcrawl/hashcrawl/storage"
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

// TestPagesLeftOutInVainAreIndexed has canonicals that cannot be indexed
// themselves, or lead back.
func TestPagesLeftOutInVainAreIndexed(t *testing.T) {
	names := func(canonical string) answer {
		return answer{body: fmt.Sprintf("<title>%[1]s</title><link rel=canonical href=%[1]q>for %[1]s", canonical)}
	}
	to := func(location string) answer { return answer{status: 301, location: location} }
	for _, tc := range []struct {
		name    string
		answers map[string]answer
		want    map[string]string
	}{
		{
			name:    "not there",
			answers: map[string]answer{"/": links("/a"), "/a": names("/gone")},
			want:    map[string]string{"/a": "indexed: its canonical cannot be indexed: failed", "/gone": "failed: http 404"},
		},
		{
			name:    "not there, as was known before, for several pages",
			answers: map[string]answer{"/": links("/gone", "/a", "/b", "/c"), "/a": names("/gone"), "/b": names("/gone"), "/c": names("/gone")},
			want:    map[string]string{"/a": "indexed", "/b": "indexed", "/c": "indexed"},
		},
		{
			name:    "leads back",
			answers: map[string]answer{"/": links("/a"), "/a": names("/a/"), "/a/": to("/a")},
			want:    map[string]string{"/a": "indexed: its canonical leads back to this page", "/a/": "redirect"},
		},
		{
			name:    "leads back by another URL",
			answers: map[string]answer{"/": links("/a"), "/a": names("/b"), "/b": to("/c"), "/c": to("/a")},
			want:    map[string]string{"/a": "indexed: its canonical leads back to this page"},
		},
		{
			name:    "leads to a page that names this one: one of the two is indexed",
			answers: map[string]answer{"/": links("/a"), "/a": names("/b"), "/b": to("/c"), "/c": names("/a")},
			want:    map[string]string{"/a": "indexed: its canonical leads back to this page", "/c": "canonical: http://a.test/a"},
		},
		{
			name:    "leads to what is not there",
			answers: map[string]answer{"/": links("/a"), "/a": names("/b"), "/b": to("/c")},
			want:    map[string]string{"/a": "indexed: its canonical cannot be indexed: failed"},
		},
		{
			name:    "leads round in a circle",
			answers: map[string]answer{"/": links("/a"), "/a": names("/b"), "/b": to("/c"), "/c": to("/b")},
			want:    map[string]string{"/a": "indexed: its canonical leads nowhere"},
		},
		{
			name: "forbidden, or no page",
			answers: map[string]answer{
				"/robots.txt": {body: "User-agent: *\nDisallow: /secret"}, "/": links("/a", "/b"), "/a": names("/secret"), "/b": names("/paper"),
				"/paper": {body: "%PDF-1.7", header: http.Header{"Content-Type": {"application/pdf"}}},
			},
			want: map[string]string{
				"/a": "indexed: its canonical cannot be indexed: robots", "/b": "indexed: its canonical cannot be indexed: not-html",
			},
		},
		{
			name:    "of a chain the last that is there",
			answers: map[string]answer{"/": links("/a"), "/a": names("/b"), "/b": names("/gone")},
			want:    map[string]string{"/a": "canonical: http://a.test/b", "/b": "indexed"},
		},
		{
			name: "a state, and a page that opted in",
			answers: map[string]answer{
				"/": links("/#!a", "/#!b", "/c"), "/?_escaped_fragment_=a": names("/#!gone"), "/?_escaped_fragment_=b": names("/in"), "/c": names("/out"),
				"/in": {body: optInTag}, "/in?_escaped_fragment_=": {body: "<title>snapshot</title>"},
				"/out": {body: optInTag},
			},
			want: map[string]string{"/#!a": "indexed: its canonical", "/#!b": "canonical: http://a.test/in", "/c": "indexed: its canonical cannot be indexed: failed"},
		},
		{
			name: "what is there, or asks not to be indexed, stands for the page",
			answers: map[string]answer{
				"/": links("/a", "/b", "/c"), "/a": names("/good"), "/b": names("/moved"), "/c": names("/noindex"),
				"/good": {body: "good"}, "/moved": to("/good"), "/noindex": {body: "<meta name=robots content=noindex>"},
			},
			want: map[string]string{"/a": "canonical", "/b": "canonical", "/c": "canonical"},
		},
		{
			name:    "what cannot be told yet stands, too",
			answers: map[string]answer{"/": links("/a"), "/a": names("http://www.a.test/a"), "http://www.a.test/robots.txt": {status: 503}},
			want:    map[string]string{"/a": "canonical", "http://www.a.test/a": "waiting"},
		},
	} {
		for _, pages := range []int{0, 1} { // of all runs but the last; 0: there is one run
			t.Run(fmt.Sprintf("%s/%d", tc.name, pages), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					c := newCrawl(t, map[string]answer{}, "http://a.test/")
					c.settings.Scope = ScopeDomain
					for path, a := range tc.answers {
						c.web.answers[absolute(path)] = a
					}
					if pages > 0 {
						for range len(tc.answers) {
							c.run(Options{MaxPages: pages})
						}
					}
					sum := c.run(Options{})
					want := map[string]string{}
					for path, w := range tc.want {
						want[absolute(path)] = w
					}
					c.wants(want)
					if again := c.run(Options{}); again.Counts != sum.Counts {
						t.Errorf("the next run counts %v, this one %v", again.Counts, sum.Counts)
					}
					c.wants(want)
					c.wantWhole()
				})
			})
		}
	}
}

// absolute returns the URL on a.test that a path stands for.
func absolute(path string) string {
	if path[0] == '/' {
		return "http://a.test" + path
	}
	return path
}

// wantWhole checks that every count and index of the crawl is right.
func (c *crawl) wantWhole() {
	c.t.Helper()
	db := c.open(storage.Options{ReadOnly: true})
	defer c.close(db)
	if _, err := Verify(db, func(problem string) { c.t.Error(problem) }); err != nil {
		c.t.Fatal(err)
	}
}
