package crawler

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hashcrawl/hashcrawl/crawler/robots"
)

func visitorOf(t *testing.T, w *web) *Visitor {
	t.Helper()
	v, err := NewVisitor(w)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestVisitorKeepsThePromises asks for documents one by one: robots.txt first,
// gaps between requests, nothing that is forbidden, also not by a redirect.
func TestVisitorKeepsThePromises(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &web{answers: map[string]answer{
			"http://a.test/robots.txt": {body: "User-agent: *\nDisallow: /secret\nCrawl-delay: 7"},
			"http://a.test/1":          {body: "1"},
			"http://a.test/away":       {status: 302, location: "http://b.test/"},
			"http://a.test/sly":        {status: 302, location: "/secret/x"},
			"http://b.test/":           {body: "b"},
		}}
		v := visitorOf(t, w)
		for _, tc := range []struct {
			url string
			err error
		}{{"http://a.test/1", nil}, {"http://a.test/secret", ErrForbidden}, {"http://a.test/away", nil}, {"http://a.test/sly", ErrForbidden}} {
			if _, err := v.Get(t.Context(), tc.url, 1000); !errors.Is(err, tc.err) {
				t.Errorf("Get(%q) = %v; want %v", tc.url, err, tc.err)
			}
		}
		var urls []string
		last := map[string]time.Time{}
		for _, r := range w.log {
			urls = append(urls, r.url)
			host := r.url[:len("http://a.test")]
			if end, ok := last[host]; ok && host == "http://a.test" && r.start.Sub(end) < 7*time.Second {
				t.Errorf("%s came %v after the answer before; want the Crawl-delay", r.url, r.start.Sub(end))
			} else if ok && r.start.Sub(end) < 2*time.Second {
				t.Errorf("%s came %v after the answer before; want 2s", r.url, r.start.Sub(end))
			}
			last[host] = r.end
		}
		want := "http://a.test/robots.txt http://a.test/1 http://a.test/away http://b.test/robots.txt http://b.test/ http://a.test/sly"
		if got := strings.Join(urls, " "); got != want {
			t.Errorf("requested were\n%s\nwant\n%s", got, want)
		}
	})
}

// TestVisitorReadsRobots follows the redirects of a robots.txt, at most five.
func TestVisitorReadsRobots(t *testing.T) {
	hop := func(n string) answer { return answer{status: 301, location: "/" + n} }
	for _, tc := range []struct {
		name    string
		answers map[string]answer
		means   robots.Answer // 0: it cannot be had
		asked   int
	}{
		{"there is one", map[string]answer{"http://a.test/robots.txt": {body: "User-agent: *\nDisallow: /"}}, robots.UseBody, 1},
		{"there is none", nil, robots.AllowAll, 1},
		{"five hops", map[string]answer{
			"http://a.test/robots.txt": hop("1"), "http://a.test/1": hop("2"), "http://a.test/2": hop("3"), "http://a.test/3": hop("4"),
			"http://a.test/4": hop("5"), "http://a.test/5": {body: "User-agent: *\nDisallow: /"},
		}, robots.UseBody, 6},
		{"six hops", map[string]answer{
			"http://a.test/robots.txt": hop("1"), "http://a.test/1": hop("2"), "http://a.test/2": hop("3"), "http://a.test/3": hop("4"),
			"http://a.test/4": hop("5"), "http://a.test/5": hop("6"),
		}, robots.AllowAll, 6},
		{"the server fails", map[string]answer{"http://a.test/robots.txt": {status: 503}}, 0, 1},
		{"it is cut", map[string]answer{"http://a.test/robots.txt": {body: "User-", cut: "short"}}, 0, 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := &web{answers: tc.answers}
				r, err := visitorOf(t, w).Robots(t.Context(), "http://a.test/x#!y")
				var means robots.Answer
				if err == nil {
					means = r.Means
				}
				if means != tc.means || len(w.log) != tc.asked {
					t.Errorf("Robots means %q, %v, after %d requests; want %q after %d", means, err, len(w.log), tc.means, tc.asked)
				}
				for i := 1; i < len(w.log); i++ {
					if gap := w.log[i].start.Sub(w.log[i-1].end); gap < 2*time.Second {
						t.Errorf("request %d came after %v; want 2s", i, gap)
					}
				}
			})
		})
	}
}
