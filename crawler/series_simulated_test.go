package crawler

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hashcrawl/hashcrawl/crawler/fetch"
	"github.com/hashcrawl/hashcrawl/pagination"
	"github.com/hashcrawl/hashcrawl/pagination/simulate"
	"github.com/hashcrawl/hashcrawl/storage"
)

var (
	simulatedSeeds  = flag.Int("simulate.seeds", 1, "sites of each scenario that a whole crawl visits")
	simulatedVisits = flag.Int("simulate.visits", 6, "visits to each")
)

// listURL is where a simulated list stands: on a host that needs no gap.
const listURL = "http://127.0.0.1/list/"

// A simulatedWeb answers the requests of a crawl from a simulated site.
type simulatedWeb struct {
	sc simulate.Scenario

	mu      sync.Mutex     // guards what follows
	fetch   simulate.Fetch // of the visit under way
	emitted []string       // items that were requested in it
}

func (w *simulatedWeb) Resolve(context.Context, string) (netip.Addr, error) {
	return netip.AddrFrom4([4]byte{127, 0, 0, 1}), nil
}

// Fetch answers as a server would. An index page takes as long as the scenario
// says, and may kill the crawl.
func (w *simulatedWeb) Fetch(_ context.Context, r fetch.Request) (*fetch.Response, error) {
	start := time.Now()
	target := strings.TrimPrefix(r.URL, "http://127.0.0.1")
	status, body, err := w.answer(target)
	if err != nil {
		return nil, err
	}
	if pageNumber(target) > 0 {
		time.Sleep(w.sc.Fetch)
	}
	return &fetch.Response{
		URL: r.URL, Status: status, Header: http.Header{"Content-Type": {"text/html; charset=utf-8"}}, Body: []byte(body),
		WireBytes: int64(len(body)), Start: start, End: time.Now(),
	}, nil
}

// ServeHTTP answers over a socket. Time on the site is its own.
func (w *simulatedWeb) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	status, body, err := w.answer(r.URL.RequestURI())
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	rw.Header().Set("Content-Type", "text/html; charset=utf-8")
	rw.WriteHeader(status)
	io.WriteString(rw, body)
}

// answer returns what the site answers for a target; the error is that of a
// fetch that kills the crawl.
func (w *simulatedWeb) answer(target string) (status int, body string, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch page := pageNumber(target); {
	case page > 0:
		l, err := w.fetch(page)
		if err != nil {
			return 0, "", err
		}
		if !l.Found {
			return 404, "", nil
		}
		return 200, indexHTML(w.sc, page, l), nil
	case strings.HasPrefix(target, "/item/"):
		w.emitted = append(w.emitted, target)
		return 200, "<title>Item</title><p>What happened.", nil
	case strings.HasPrefix(target, "/frame/"):
		return 200, "<title>About</title><p>Who we are.", nil
	}
	return 404, "", nil
}

// pageNumber returns the number of the index page with a target; 0 if it is
// none.
func pageNumber(target string) (n int) {
	if target == "/list/" {
		return 1
	}
	if _, err := fmt.Sscanf(target, "/list/?page=%d", &n); err != nil {
		return 0
	}
	return n
}

func pageTarget(n int) string {
	if n == 1 {
		return "/list/"
	}
	return fmt.Sprintf("/list/?page=%d", n)
}

// indexHTML renders an index page as sites do: the list among other links, and
// a pager below.
func indexHTML(sc simulate.Scenario, page int, l simulate.Listing) string {
	var b strings.Builder
	b.WriteString("<!DOCTYPE html><html lang=en><title>The list</title><header><a href=/about>About us</a> <a href=/contact>Contact</a></header>\n" +
		"<main><h1>The list</h1>\n")
	if !sc.NewestLast {
		b.WriteString("<p class=sort>Sort by: <b class=active>Newest</b> <a rel=nofollow href=\"/list/?sort=popular\">Most popular</a> <a rel=nofollow href=\"/list/?sort=rating\">Rating</a></p>\n")
	}
	b.WriteString("<ol class=rows>\n")
	for _, r := range l.Rows {
		fmt.Fprintf(&b, "<li class=row><h3><a href=%q>Report number %s of what has happened</a></h3>", r.Key, r.Key[strings.LastIndexByte(r.Key, '/')+1:])
		if d := r.Date.From; !d.IsZero() {
			fmt.Fprintf(&b, "<time datetime=%q>%s</time>", d.Format("2006-01-02T15:04Z07:00"), d.Format("2 January 2006, 15:04"))
		}
		b.WriteString("<p>The beginning of the report, in a few words.</p></li>\n")
	}
	b.WriteString("</ol>\n<nav class=pagination>")
	last := max(l.Last, 1)
	for n := 1; n <= last; n++ {
		switch {
		case n == page:
			fmt.Fprintf(&b, "<span class=current>%d</span> ", n)
		case n <= 2 || n >= last-1 || n >= page-2 && n <= page+2:
			fmt.Fprintf(&b, "<a href=%q>%d</a> ", pageTarget(n), n)
		case n == 3 || n == last-2:
			b.WriteString("… ")
		}
	}
	if l.HasNext {
		fmt.Fprintf(&b, "<a class=next href=%q>Next</a>", pageTarget(page+1))
	}
	b.WriteString("</nav></main><footer><a href=/imprint>Imprint</a></footer>")
	return b.String()
}

// A crawlWalker lets a whole crawl visit a simulated list.
type crawlWalker struct {
	*crawl
	web     *simulatedWeb
	db      *storage.DB
	fetcher Fetcher // the web itself, or what asks it over a socket
}

func newCrawlWalker(t *testing.T, sc simulate.Scenario, seed string) *crawlWalker {
	c := newCrawl(t, nil, seed)
	c.settings.NoSitemaps, c.settings.Delay = true, new(Duration)
	if sc.NewestLast { // rising numbers and no dates prove nothing
		c.settings.Markers = "hosts:\n  - host: 127.0.0.1\n    order: oldest-first\n"
	}
	w := &crawlWalker{crawl: c, web: &simulatedWeb{sc: sc}}
	w.fetcher = w.web
	w.db = c.open(storage.Options{Create: true, Norm: c.norm().ID()})
	t.Cleanup(func() { c.close(w.db) })
	return w
}

// Visit carries out one run of the crawl. A run that is killed leaves what was
// committed; the next one opens the file anew.
func (w *crawlWalker) Visit(now time.Time, fetch simulate.Fetch) (emitted []string, complete bool) {
	if w.fetcher == w.web { // the clock is virtual
		time.Sleep(time.Until(now))
	}
	w.web.fetch, w.web.emitted = fetch, nil
	cr, err := New(w.db, w.fetcher, &w.settings, Options{Workers: 1, Visits: pagination.Schedule{Min: time.Millisecond, Max: time.Millisecond}})
	if err != nil {
		w.t.Fatal(err)
	}
	switch _, err = cr.Run(w.t.Context()); {
	case errors.Is(err, simulate.ErrKilled):
		w.close(w.db)
		w.db = w.open(storage.Options{})
		return w.web.emitted, false
	case err != nil:
		w.t.Fatal(err)
	}
	series := 0
	err = w.db.AllSeries(func(s storage.Series) error {
		series++
		complete = s.Complete
		return nil
	})
	if err != nil || series != 1 {
		w.t.Fatalf("the crawl knows %d series, %v; want 1", series, err)
	}
	return w.web.emitted, complete
}

// TestSimulatedSeriesThroughTheWholeCrawler lets crawls and bare passes visit
// the same simulated sites. The table of docs/pagination.md is that of
//
//	go test ./crawler -run SimulatedSeries -simulate.seeds 20 -simulate.visits 150 -timeout 2h -v
func TestSimulatedSeriesThroughTheWholeCrawler(t *testing.T) {
	var rows strings.Builder
	for _, sc := range simulate.Scenarios() {
		t.Run(sc.Name, func(t *testing.T) {
			var crawled, bare simulate.Score
			for seed := range *simulatedSeeds {
				synctest.Test(t, func(t *testing.T) {
					w := newCrawlWalker(t, sc, listURL)
					crawled.Add(simulate.Run(sc, uint64(seed+1), *simulatedVisits, w))
				})
				bare.Add(simulate.Run(sc, uint64(seed+1), *simulatedVisits, simulate.NewSeriesWalker(sc)))
			}
			fmt.Fprintf(&rows, "| %s | %d | %d | %d | %.5f | %.5f | %d | %d | %.3f | %.3f | %d | %d |\n", sc.Name, crawled.Items, crawled.Missed, crawled.Gone,
				crawled.Recall(), bare.Recall(), crawled.Pages, crawled.Minimum, crawled.Ratio(), bare.Ratio(), crawled.False, bare.False)
			if crawled.Recall() < bare.Recall()-0.01 || crawled.Ratio() > bare.Ratio()*1.01 {
				t.Errorf("recall %.5f, ratio %.3f; the bare pass has %.5f and %.3f", crawled.Recall(), crawled.Ratio(), bare.Recall(), bare.Ratio())
			}
			if crawled.False > bare.False {
				t.Errorf("falsely complete after %d visits, the bare pass after %d", crawled.False, bare.False)
			}
		})
	}
	t.Logf("\n%s", rows.String())
}

// TestSimulatedSeriesOverSockets lets crawls visit simulated sites on a real
// server. Their clock is the real one and runs apart from that of the site, so
// that nothing of the pace holds: the scenarios are without dates.
func TestSimulatedSeriesOverSockets(t *testing.T) {
	names := map[string]bool{"clean, 3 pages a visit": true, "5 sticky, re-pinned, on every page": true, "newest on the last page": true}
	for _, sc := range simulate.Scenarios() {
		if !names[sc.Name] {
			continue
		}
		t.Run(sc.Name, func(t *testing.T) {
			var site http.Handler
			srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { site.ServeHTTP(w, r) }))
			defer srv.Close()
			client, err := fetch.New(fetch.Options{UserAgent: testAgent, AllowLoopback: true})
			if err != nil {
				t.Fatal(err)
			}
			defer client.Close()
			w := newCrawlWalker(t, sc, srv.URL+"/list/")
			site, w.fetcher = w.web, client
			crawled := simulate.Run(sc, 1, *simulatedVisits, w)
			bare := simulate.Run(sc, 1, *simulatedVisits, simulate.NewSeriesWalker(sc))
			if crawled.Recall() < bare.Recall()-0.01 || float64(crawled.Pages) > 1.01*float64(bare.Pages)+1 || crawled.False > bare.False {
				t.Errorf("recall %.5f, %d pages, falsely complete %d; the bare pass has %.5f, %d, %d",
					crawled.Recall(), crawled.Pages, crawled.False, bare.Recall(), bare.Pages, bare.False)
			}
			t.Logf("recall %.5f, %d pages; the bare pass has %.5f, %d", crawled.Recall(), crawled.Pages, bare.Recall(), bare.Pages)
		})
	}
}
