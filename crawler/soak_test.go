package crawler

import (
	"errors"
	"flag"
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hashcrawl/hashcrawl/crawler/fetch"
	"github.com/hashcrawl/hashcrawl/frontier"
)

// soak makes TestSoak large:
//
//	go test ./crawler -run TestSoak -soak -v -timeout 30m
var soak = flag.Bool("soak", false, "crawl 200,000 pages of 2,000 hosts in TestSoak")

// TestSoak crawls many hosts, a third of which misbehave, each in its own way.
// The crawl ends, keeps its promises to the well-behaved ones, starts no
// goroutine per URL, and needs no more memory at the end than it did early on.
func TestSoak(t *testing.T) {
	hosts, pages := 150, 20
	if *soak {
		hosts, pages = 2000, 115 // more than 200,000 requests, as a third of the hosts has fewer
	}
	synctest.Test(t, func(t *testing.T) {
		var seeds []string
		for i := range hosts {
			seeds = append(seeds, fmt.Sprintf("http://h%d.test/", i))
		}
		c := newCrawl(t, nil, seeds...)
		w := newSoakWeb(pages)
		c.web.serve, c.web.quiet = w.serve, true
		c.settings.NoSitemaps = true
		before := runtime.NumGoroutine()
		w.sampleEach = hosts * pages / 20
		const workers = 64
		sum := c.run(Options{Workers: workers})
		good := hosts - hosts/3
		if n := sum.Counts[frontier.Indexed]; n < uint64(good*pages) {
			t.Errorf("%d pages are indexed; want at least the %d of the hosts that behave", n, good*pages)
		}
		first, last := w.heaps[len(w.heaps)/5], w.heaps[len(w.heaps)-1]
		t.Logf("%d requests, %d indexed, %d failed, %d stuck hosts; heap %d KB after a fifth, %d KB at the end; %d goroutines at the most",
			sum.Requests, sum.Counts[frontier.Indexed], sum.Counts[frontier.Failed], len(sum.Stuck), first>>10, last>>10, w.goroutines)
		// The seen set and the hosts grow by design: some 20 bytes a URL.
		if grown := int64(last) - int64(first); grown > 8<<20+int64(sum.Counts.Known())*40 {
			t.Errorf("the heap grew from %d to %d bytes", first, last)
		}
		if most := before + workers + 20; w.goroutines > most {
			t.Errorf("%d goroutines; want at most %d", w.goroutines, most)
		}
	})
}

// A soakWeb makes up hosts. It is called by one goroutine at a time: its
// crawl's web is locked while it answers.
type soakWeb struct {
	pages      int
	answered   int
	sampleEach int // answers between two looks at the heap
	heaps      []uint64
	goroutines int
	filler     string
}

func newSoakWeb(pages int) *soakWeb {
	return &soakWeb{pages: pages, filler: "<p>" + strings.Repeat("some words of a page ", 200)}
}

func (w *soakWeb) serve(url string) answer {
	if w.answered++; w.answered%w.sampleEach == 0 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		w.heaps = append(w.heaps, m.HeapAlloc)
		w.goroutines = max(w.goroutines, runtime.NumGoroutine())
	}
	host, path, _ := strings.Cut(strings.TrimPrefix(url, "http://"), "/")
	var i int
	fmt.Sscanf(host, "h%d.test", &i)
	if i%3 == 2 {
		return w.misbehave(i/3, path)
	}
	if path == "robots.txt" {
		return answer{status: 404}
	}
	return w.page(path)
}

// page links to the next pages, some back, and one that is not there.
func (w *soakWeb) page(path string) answer {
	n := 0
	fmt.Sscanf(path, "p%d", &n)
	var b strings.Builder
	fmt.Fprintf(&b, "<title>Page %x</title>%s<a href=/p%d>x</a><a href=/>x</a>", n*2654435761, w.filler, n/2)
	for j := 1; j <= 2; j++ {
		if next := 2*n + j; next < w.pages {
			fmt.Fprintf(&b, "<a href=/p%d>x</a>", next)
		}
	}
	return answer{body: b.String(), takes: 30 * time.Millisecond}
}

// misbehave answers as the ith of the hosts that do so.
func (w *soakWeb) misbehave(i int, path string) answer {
	robot := path == "robots.txt"
	gone := func(k fetch.Kind) answer {
		return answer{err: &fetch.Error{Kind: k, Retry: true, Err: errors.New("gone")}}
	}
	switch i % 12 {
	case 0: // never there
		return gone(fetch.KindRefused)
	case 1:
		return gone(fetch.KindTimeoutHeader)
	case 2:
		return answer{status: 503}
	case 3:
		return answer{status: 429, header: http.Header{"Retry-After": {"40"}}}
	}
	if robot {
		return answer{status: 404}
	}
	switch i % 12 {
	case 4: // paths without end
		return links("x/", "y/", "../z/")
	case 5: // one body everywhere
		return links("a/", "b/", "c/")
	case 6: // a calendar
		var n int
		fmt.Sscanf(path, "?month=%d", &n)
		return links(fmt.Sprintf("/?month=%d", n+1))
	case 7: // redirects without end
		return answer{status: 302, location: "/" + path + "x"}
	case 8: // broken markup
		return answer{body: strings.Repeat("<table><a href='/q\x00\xff", 500)}
	case 9: // cut bodies
		return answer{body: `<a href="/` + path + `1">x</a><a href="/cut`, cut: fetch.CutShort}
	case 10: // slow
		a := w.page(path)
		a.takes = 8 * time.Second
		return a
	}
	return answer{status: 500}
}
