package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hashcrawl/hashcrawl/crawler"
	"github.com/hashcrawl/hashcrawl/storage"
)

// A web is a number of hosts, each at a loopback address of its own, with pages
// that link to pages of all of them.
type web struct {
	hosts, pages int
	took         time.Duration // of an answer
	slow         int           // the last hosts, so many: they ask for a gap, and have fewer pages
	slowPages    int           // of each of these
	gap          time.Duration // that they ask for
	port         string
	visit        func(path string)       // called with every request, before the answer
	visitHost    func(host, path string) // likewise

	mu  sync.Mutex // guards log
	log []visit
}

// A visit is one request as a host saw it.
type visit struct {
	host, path string
	start, end time.Time
}

// serve starts the hosts; the test is skipped where there is one loopback
// address only.
func (w *web) serve(t *testing.T) {
	t.Helper()
	for h := range w.hosts {
		l, err := net.Listen("tcp", w.host(h)+":"+w.port)
		if err != nil {
			t.Skipf("no loopback address for host %d: %v", h, err)
		}
		if w.port == "" {
			_, w.port, _ = net.SplitHostPort(l.Addr().String())
		}
		srv := &httptest.Server{Listener: l, Config: &http.Server{Handler: http.HandlerFunc(w.answer)}}
		srv.Start()
		t.Cleanup(srv.Close)
	}
}

func (w *web) host(n int) string { return fmt.Sprintf("127.0.1.%d", n+1) }

// isSlow reports whether a host asks for a gap.
func (w *web) isSlow(host int) bool { return host >= w.hosts-w.slow }

// pagesOf returns how many pages a host has.
func (w *web) pagesOf(host int) int {
	if w.isSlow(host) {
		return w.slowPages
	}
	return w.pages
}

func (w *web) url(host, page int) string {
	host %= w.hosts
	return fmt.Sprintf("http://%s:%s/%d", w.host(host), w.port, page%w.pagesOf(host))
}

func (w *web) answer(rw http.ResponseWriter, r *http.Request) {
	host, _, _ := net.SplitHostPort(r.Host)
	v := visit{host: host, path: r.URL.Path, start: time.Now()}
	if w.visit != nil {
		w.visit(r.URL.Path)
	}
	if w.visitHost != nil {
		w.visitHost(host, r.URL.Path)
	}
	time.Sleep(w.took)
	v.end = time.Now()
	w.mu.Lock()
	w.log = append(w.log, v)
	w.mu.Unlock()
	_, number, _ := strings.Cut(host, "127.0.1.")
	h, _ := strconv.Atoi(number)
	if r.URL.Path == "/robots.txt" && w.isSlow(h-1) {
		fmt.Fprintf(rw, "User-agent: *\nCrawl-delay: %v\n", w.gap.Seconds())
		return
	}
	page, err := strconv.Atoi(strings.Trim(r.URL.Path, "/"))
	if err != nil {
		http.NotFound(rw, r)
		return
	}
	// Pages that differ in numbers alone are taken for a trap when they are many.
	fmt.Fprintf(rw, "<title>%d</title><p>%s", page, spelt.Replace(strconv.Itoa(page)))
	for i := range 4 {
		fmt.Fprintf(rw, "<a href=%q>x</a><a href=%q>y</a>", w.url(h+i, page+1), w.url(h*7+page*3+i, page*2+i))
	}
}

// spelt spells a number out.
var spelt = strings.NewReplacer("0", "nought ", "1", "one ", "2", "two ", "3", "three ", "4", "four ",
	"5", "five ", "6", "six ", "7", "seven ", "8", "eight ", "9", "nine ")

// requests returns the log so far.
func (w *web) requests() []visit {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.log)
}

// all returns the URLs of all pages, sorted.
func (w *web) all() (urls []string) {
	for h := range w.hosts {
		for p := range w.pagesOf(h) {
			urls = append(urls, w.url(h, p))
		}
	}
	slices.Sort(urls)
	return urls
}

// checkGaps checks that no host had two requests at a time, and that each was left
// alone between an answer and the next request for as long as gap says.
func (w *web) checkGaps(t *testing.T, gap func(before, next visit) time.Duration) {
	t.Helper()
	log := w.requests()
	slices.SortFunc(log, func(a, b visit) int { return a.start.Compare(b.start) })
	last := map[string]visit{}
	for _, v := range log {
		if before, ok := last[v.host]; ok {
			if passed, want := v.start.Sub(before.end), gap(before, v); passed < want {
				t.Errorf("%s was asked for %s %v after an answer; want %v", v.host, v.path, passed, want)
			}
		}
		last[v.host] = v
	}
}

// askedGap returns the gap that a host asks for. Of a robots.txt that is asked for
// again a kill has taken the answer, and with it the gap.
func (w *web) askedGap(before, next visit) time.Duration {
	for h := range w.hosts {
		if w.host(h) == next.host && w.isSlow(h) && before.path != "/robots.txt" && next.path != "/robots.txt" {
			return w.gap
		}
	}
	return 0
}

// verifyWhole checks the crawl in dir as hashcrawl verify does.
func verifyWhole(t *testing.T, dir, when string) {
	t.Helper()
	db, err := storage.Open(filepath.Join(dir, crawlFile), storage.Options{ReadOnly: true})
	if errors.Is(err, storage.ErrNotFound) || errors.Is(err, storage.ErrForeign) {
		return // killed before there was anything in it
	}
	if err != nil {
		t.Errorf("%s: %v", when, err)
		return
	}
	defer db.Close()
	if _, err := crawler.Verify(db, func(problem string) { t.Errorf("%s: %s", when, problem) }); err != nil {
		t.Errorf("%s: %v", when, err)
	}
}

// wantIndexed checks what the crawl in dir has indexed.
func wantIndexed(t *testing.T, dir string, want []string) {
	t.Helper()
	got := strings.Fields(output(t, "", "export", dir))
	slices.Sort(got)
	if slices.Equal(want, got) { // of long lists difference takes long
		return
	}
	if diff := difference(want, got); diff != "" {
		t.Errorf("the export is not what it should be:\n%s", diff)
	}
}

// killsVariable says how often TestKilledCrawlIsWhole kills; see
// docs/performance.md.
const killsVariable = "HASHCRAWL_TEST_KILLS"

// killsAsked returns how often a crawl is to be killed, and how many requests it
// has each time at most.
func killsAsked(t *testing.T) (kills, share int) {
	t.Helper()
	asked, ok := os.LookupEnv(killsVariable)
	if !ok {
		return 20, 60
	}
	kills, err := strconv.Atoi(asked)
	if err != nil || kills < 1 {
		t.Fatalf("%s=%q; want how often to kill", killsVariable, asked)
	}
	return kills, 200
}

// TestKilledCrawlIsWhole kills a crawl of many hosts at random moments and
// verifies its file each time. In the end every page is indexed, none was given
// up, no host had two requests at a time, and those that ask for a gap had it,
// also around every restart.
func TestKilledCrawlIsWhole(t *testing.T) {
	const workers = 8
	kills, share := killsAsked(t)
	// The pages are more than the crawl can ask for until the last kill.
	w := &web{
		hosts: 32, pages: kills * share / 24, took: 3 * time.Millisecond,
		slow: 8, slowPages: kills/3 + 2, gap: 100 * time.Millisecond,
	}
	var process victim
	var left atomic.Int64 // requests until the next kill
	w.visit = func(string) {
		if left.Add(-1) < 0 {
			process.kill()
		}
	}
	w.serve(t)
	seed := uint64(time.Now().UnixNano())
	t.Logf("random seed %d", seed)
	rnd := rand.New(rand.NewPCG(seed, 0))
	dir := filepath.Join(t.TempDir(), "c.crawl")
	args := []string{"crawl", w.url(0, 0), "--dir", dir, "--scope", "any", "--delay", "0", "--concurrency", strconv.Itoa(workers), "-q"}
	copied := filepath.Join(t.TempDir(), "copy.crawl")
	var verified sync.WaitGroup
	for killed := 1; killed <= kills; killed++ {
		left.Store(int64(share))
		cmd := hashcrawl(t, args...)
		process.start(t, cmd)
		timer := time.AfterFunc(time.Duration(30+rnd.IntN(150))*time.Millisecond, process.kill)
		err := cmd.Wait()
		timer.Stop()
		process.spare()
		verified.Wait()
		if !wasKilled(err) {
			t.Fatalf("the crawl ended before kill %d of %d: %v", killed, kills, err)
		}
		// The next one begins at once, so that a gap it does not keep is seen.
		copyCrawl(t, copied, dir)
		verified.Go(func() { verifyWhole(t, copied, fmt.Sprintf("after %d kills", killed)) })
	}
	verified.Wait()
	output(t, "", args...)
	verifyWhole(t, dir, "in the end")
	all := w.all()
	wantIndexed(t, dir, all)
	w.checkGaps(t, w.askedGap)
	asked := 0
	for _, v := range w.requests() {
		if v.path != "/robots.txt" && v.path != "/sitemap.xml" {
			asked++
		}
	}
	if most := len(all) + kills*(workers+40); asked > most { // 40: what a tenth of a second can take
		t.Errorf("%d requests for %d pages and %d kills", asked, len(all), kills)
	}
	t.Logf("%d kills, %d pages, %d requests for them", kills, len(all), asked)
}

// copyCrawl puts the file of a crawl, as a kill has left it, in the place of the
// one in another directory.
func copyCrawl(t *testing.T, to, from string) {
	t.Helper()
	whole, err := os.ReadFile(filepath.Join(from, crawlFile))
	if errors.Is(err, os.ErrNotExist) {
		return // killed before there was one
	}
	if err == nil {
		err = os.MkdirAll(to, 0o700)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(to, crawlFile), whole, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestKilledCrawlKeepsItsGaps kills a crawl with gaps: the log of the server
// shows them all, also those around a restart.
func TestKilledCrawlKeepsItsGaps(t *testing.T) {
	const gap = 200 * time.Millisecond
	w := &web{hosts: 8, pages: 100, took: time.Millisecond}
	w.serve(t)
	dir := filepath.Join(t.TempDir(), "c.crawl")
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 5 {
		cmd := hashcrawl(t, "crawl", w.url(0, 0), "--dir", dir, "--scope", "any", "--delay", gap.String(), "-q")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		timer := time.AfterFunc(800*time.Millisecond+time.Duration(rnd.IntN(400))*time.Millisecond, func() { cmd.Process.Kill() })
		cmd.Wait()
		timer.Stop()
	}
	w.checkGaps(t, func(_, _ visit) time.Duration { return gap })
	if n := len(w.requests()); n < 20 {
		t.Errorf("only %d requests were sent", n)
	}
}

// A victim is a process that a server's handler may kill.
type victim struct {
	mu      sync.Mutex // guards process
	process *os.Process
}

// start starts cmd as the victim.
func (v *victim) start(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	v.mu.Lock()
	defer v.mu.Unlock()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	v.process = cmd.Process
}

// spare lets the victim live, whatever is asked for.
func (v *victim) spare() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.process = nil
}

// alive reports whether there is a victim.
func (v *victim) alive() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.process != nil
}

func (v *victim) kill() {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.process != nil {
		v.process.Kill()
	}
}

// TestPageThatKillsTheProcessIsGivenUp kills the process whenever one page is
// asked for, as a fault in reading that page would.
func TestPageThatKillsTheProcessIsGivenUp(t *testing.T) {
	const poison = "/3"
	var process victim
	var times atomic.Int64
	w := &web{hosts: 1, pages: 30}
	w.visit = func(path string) {
		if path == poison {
			times.Add(1)
			process.kill()
		}
	}
	w.serve(t)
	dir := filepath.Join(t.TempDir(), "c.crawl")
	starts := 0
	for {
		cmd := hashcrawl(t, "crawl", w.url(0, 0), "--dir", dir, "--delay", "0", "--concurrency", "4", "-q")
		process.start(t, cmd)
		starts++
		err := cmd.Wait()
		if err == nil {
			break
		}
		if !wasKilled(err) || starts > 10 {
			t.Fatalf("start %d ended with %v", starts, err)
		}
		verifyWhole(t, dir, fmt.Sprintf("after %d starts", starts))
	}
	if n := times.Load(); n < 6 || n > 7 {
		t.Errorf("the page was asked for %d times; want six or seven: the first may not be known of", n)
	}
	wantIndexed(t, dir, slices.DeleteFunc(w.all(), func(u string) bool { return strings.HasSuffix(u, poison) }))
	if got := output(t, "", "explain", "url", "--dir", dir, w.url(0, 3)); !strings.Contains(got, "failed, crash: the crawler died 6 times") {
		t.Errorf("explain says %s", got)
	}
	verifyWhole(t, dir, "in the end")
}
