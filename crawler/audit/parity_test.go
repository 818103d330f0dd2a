package audit

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"unicode/utf8"

	"github.com/hashcrawl/hashcrawl/urlnorm"
)

// A fakeBrowser shows prepared pages.
type fakeBrowser map[string]Rendering

func (b fakeBrowser) Render(_ context.Context, url string) (*Rendering, error) {
	r, ok := b[url]
	if !ok {
		return nil, errors.New("the page hangs")
	}
	return &r, nil
}

// TestParity compares what a browser shows with what a crawler gets.
func TestParity(t *testing.T) {
	const text = "<p>one two three four five six seven eight nine ten</p>"
	page := func(head, body string) string {
		return "<head><title>t</title>" + head + "</head><body>" + body + "</body>"
	}
	for _, tc := range []struct {
		name    string
		crawled string
		shown   *Rendering // nil: the browser fails
		score   float64    // at least
		most    float64    // at most
		differ  string
		want    []string
		never   []string
	}{
		{
			name: "the same", crawled: page("", text+"<a href=/b>b</a>"), shown: &Rendering{HTML: page("", text+"<a href=/b#x>b</a>"), Quiet: true},
			score: 1, most: 1, want: []string{"render-score"},
			never: []string{"render-text-missing", "render-text-differs", "render-title-differs", "links-only-by-script", "links-only-in-snapshot", "render-head-differs"},
		},
		{
			name: "most is missing", crawled: page("", "<p>one</p>"), shown: &Rendering{HTML: page("", text), Quiet: true},
			score: 0.4, most: 0.6, differ: "two three four five six seven eight nine ≠ (the end)", want: []string{"render-text-missing"},
		},
		{
			name: "a little differs", crawled: page("", text), shown: &Rendering{HTML: page("", "<p>one two three 4 5 six seven eight nine ten</p>"), Quiet: true},
			score: 0.85, most: 0.95, differ: "4 5 six seven eight nine ten ≠ four five six seven eight nine ten", want: []string{"render-text-differs"},
		},
		{
			name: "without blanks between words", crawled: page("", "<p>灯台の光は照らす</p>"), shown: &Rendering{HTML: page("", "<p>灯台の光は消える</p>"), Quiet: true},
			score: 0.7, most: 0.9, differ: "消 え る ≠ 照 ら す", want: []string{"render-text-differs"},
		},
		{
			name: "links on either side", crawled: page("", text+"<a href=/a>x</a><a href=/b>x</a>"), shown: &Rendering{HTML: page("", text+"<a href=/a>x</a><a href=/c>x</a>"), Quiet: true},
			score: 0.8, most: 0.9, want: []string{"links-only-by-script", "links-only-in-snapshot"},
		},
		{
			name: "the head", crawled: page("<link rel=canonical href=http://a.test/1><meta name=robots content=noindex>", text),
			shown: &Rendering{HTML: "<title>other</title><link rel=canonical href=http://a.test/2>" + text, Quiet: true, Refused: []string{"http://cdn.test/x.js"}},
			score: 0.9, most: 0.91, want: []string{"render-head-differs", "render-title-differs", "render-refused"},
		},
		{name: "it hangs", crawled: page("", text), want: []string{"render-failed"}, never: []string{"render-score"}},
		{
			name: "it never rests", crawled: page("", text), shown: &Rendering{HTML: page("", text)},
			score: 1, most: 1, want: []string{"render-not-quiet", "render-score"},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := fakeBrowser{}
				if tc.shown != nil {
					b["http://a.test/"] = *tc.shown
				}
				r := newSite(t, "a", map[string]string{"/": tc.crawled}).check(t, Options{Renderer: b})
				ids := foundIn(r)
				for _, id := range tc.want {
					if !slices.Contains(ids, id) {
						t.Errorf("found are %v; want %s", ids, id)
					}
				}
				for _, id := range tc.never {
					if slices.Contains(ids, id) {
						t.Errorf("found are %v; want no %s", ids, id)
					}
				}
				if tc.shown == nil {
					return
				}
				p := r.Parity[0]
				if p.Score < tc.score-1e-9 || p.Score > tc.most+1e-9 || p.Differ != tc.differ {
					t.Errorf("score %v, differ %q; want %v to %v, %q", p.Score, p.Differ, tc.score, tc.most, tc.differ)
				}
			})
		})
	}
}

// TestMayLoad lets pages load from their site and from named hosts.
func TestMayLoad(t *testing.T) {
	may, err := MayLoad("http://www.a.test/x#!y", []string{"cdn.test"})
	if err != nil {
		t.Fatal(err)
	}
	for url, want := range map[string]bool{
		"http://www.a.test/": true, "https://a.test/x.js": true, "http://cdn.test/lib.js": true,
		"http://www.a.test:8080/": false, "http://b.test/": false, "http://sub.cdn.test/": false, "file:///etc/passwd": false, "ws://www.a.test/": false, "": false,
	} {
		if got := may(url); got != want {
			t.Errorf("may load %q: %v; want %v", url, got, want)
		}
	}
}

// FuzzEscapeAll: what is escaped is read back, and has no byte that a query or an
// escape could be mistaken for.
func FuzzEscapeAll(f *testing.F) {
	for _, seed := range []string{"", "/a b?c&d=e#f", "%25", "café", "\x00\xff"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, state string) {
		e := escapeAll(state)
		for i := range len(e) {
			if c := e[i]; c != '%' && !(c|0x20 >= 'a' && c|0x20 <= 'z') && !(c >= '0' && c <= '9') {
				t.Fatalf("escapeAll(%q) = %q has %q", state, e, c)
			}
		}
		if back := urlnorm.UnescapeState(e); utf8.ValidString(state) && back != state {
			t.Errorf("escapeAll(%q) = %q, which is read as %q", state, e, back)
		}
	})
}

// FuzzMarkup: a document has no deeper nesting than tags, and is read without a
// fault.
func FuzzMarkup(f *testing.F) {
	for _, seed := range []string{"", "<div><p onclick=location=1>", `<a href=x onclick=y><input type=password><meta charset=utf-8>`, "<svg><title><b>", "<!--<div>"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, doc []byte) {
		m := scanMarkup(doc, doc)
		if tags := bytes.Count(doc, []byte("<")); m.depth > tags || m.onclick+m.hijax+m.scripts > tags {
			t.Errorf("scanMarkup(%q) = %+v with %d tags", doc, m, tags)
		}
	})
}
