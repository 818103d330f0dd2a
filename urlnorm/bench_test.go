package urlnorm

import (
	neturl "net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	whatwg "github.com/nlnwa/whatwg-url/url"
)

// pageReferences are the references of one page.
type pageReferences struct {
	page string
	refs []string
}

// realisticReferences reads testdata/urlnorm/references.txt.
func realisticReferences(t testing.TB) []pageReferences {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "testdata", "urlnorm", "references.txt"))
	if err != nil {
		t.Fatal(err)
	}
	var pages []pageReferences
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case strings.HasPrefix(line, "# "):
		case strings.HasPrefix(line, "> "):
			pages = append(pages, pageReferences{page: line[2:]})
		default:
			p := &pages[len(pages)-1]
			p.refs = append(p.refs, line)
		}
	}
	return pages
}

// absoluteURLs resolves all of them.
func absoluteURLs(t testing.TB) []string {
	n := mustNew(t, Config{AJAXOff: true})
	var urls []string
	for _, p := range realisticReferences(t) {
		base, err := n.Base(p.page)
		if err != nil {
			t.Fatal(err)
		}
		for _, ref := range p.refs {
			u, err := n.Resolve(base, ref, Charset{})
			if err != nil {
				t.Fatal(err)
			}
			urls = append(urls, u.Fetch)
		}
	}
	return urls
}

// BenchmarkResolve gives fetch form, key and display URL of a reference of a
// page whose base was parsed once: what a crawler does for each link. One
// operation is one reference.
func BenchmarkResolve(b *testing.B) {
	for _, profile := range []string{strict, crawl, aggressive} {
		b.Run("profile="+profile, func(b *testing.B) {
			n := mustNew(b, Config{Profile: profile})
			type job struct {
				base *Base
				ref  string
			}
			var jobs []job
			for _, p := range realisticReferences(b) {
				base, err := n.Base(p.page)
				if err != nil {
					b.Fatal(err)
				}
				for _, ref := range p.refs {
					jobs = append(jobs, job{base, ref})
				}
			}
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				j := jobs[i%len(jobs)]
				i++
				if _, err := n.Resolve(j.base, j.ref, Charset{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkAbsolute is the same list with every reference made absolute, so
// that parsers can be compared. Ours makes fetch form and key; the others
// only parse and serialise.
func BenchmarkAbsolute(b *testing.B) {
	urls := absoluteURLs(b)
	n := mustNew(b, Config{})
	for _, bench := range []struct {
		name string
		f    func(string) error
	}{
		{"hashcrawl", func(s string) error { _, err := n.Resolve(nil, s, Charset{}); return err }},
		{"net-url", func(s string) error { _, err := neturl.Parse(s); return err }},
		{"net-url+string", func(s string) error {
			u, err := neturl.Parse(s)
			if err == nil {
				_ = u.String()
			}
			return err
		}},
		{"nlnwa", func(s string) error {
			u, err := whatwg.Parse(s)
			if err == nil {
				_ = u.Href(true)
			}
			return err
		}},
	} {
		b.Run("by="+bench.name, func(b *testing.B) {
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				if err := bench.f(urls[i%len(urls)]); err != nil {
					b.Fatal(err)
				}
				i++
			}
		})
	}
}

// BenchmarkKind measures single kinds of URLs.
func BenchmarkKind(b *testing.B) {
	n := mustNew(b, Config{})
	for _, kind := range []struct{ name, url string }{
		{"plain", "https://www.example.com/news/world/2024/05/17/harbour-bridge-reopens"},
		{"query", "https://www.example.com/viewtopic.php?f=12&t=48213&start=30"},
		{"escapes", "https://ja.example.org/wiki/%E3%82%AF%E3%83%AD%E3%83%BC%E3%83%A9?x=%7e"},
		{"tracking", "https://www.example.com/a?utm_source=x&utm_medium=y&id=1"},
		{"state", "http://app.example.org/#!/message/18402"},
		{"idn-host", "http://bücher.example/katalog"},
		{"ipv4-host", "http://192.168.10.1:8080/status"},
		{"refused", "javascript:void(0)"},
	} {
		b.Run("url="+kind.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, _ = n.Resolve(nil, kind.url, Charset{}) // the last is refused
			}
		})
	}
}
