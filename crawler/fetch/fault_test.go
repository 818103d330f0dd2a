package fetch

import (
	"errors"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hashcrawl/hashcrawl/crawler/fetch/faultserver"
)

// startFaults starts a fault server for the test.
func startFaults(t *testing.T, o faultserver.Options) *faultserver.Server {
	t.Helper()
	s, err := faultserver.Start(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// newTestClient returns a client that may talk to loopback, with o's other fields.
func newTestClient(t testing.TB, o Options) *Client {
	t.Helper()
	o.UserAgent = "hashcrawl/test (+https://a.test/)"
	o.AllowLoopback = true
	c, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// an outcome is what a fetch ended with, as far as the tables tell.
type outcome struct {
	status int
	body   string // "<n bytes>" when it is long
	cut    Truncation
	kind   Kind
	retry  bool
	once   bool
}

// fetchOutcome fetches url and describes the end.
func fetchOutcome(t *testing.T, c *Client, url string) outcome {
	t.Helper()
	r, err := c.Fetch(t.Context(), Request{URL: url})
	if err != nil {
		e, ok := errors.AsType[*Error](err)
		if !ok {
			t.Fatalf("Fetch(%q): error %v is no *Error", url, err)
		}
		return outcome{status: e.Status, kind: e.Kind, retry: e.Retry, once: e.Once}
	}
	o := outcome{status: r.Status, body: string(r.Body), cut: r.Truncated}
	if len(r.Body) > 4096 {
		o.body = long(r.Body)
	}
	return o
}

func long[T string | []byte](b T) string {
	return "<" + strconv.Itoa(len(b)) + " bytes>"
}

// faultRow is a row of the fault tables: an answer of faultserver and what Fetch
// makes of it. The id before the first "-" is that of the fault.
type faultRow struct {
	path string
	why  string
	want outcome
}

func runFaults(t *testing.T, o Options, rows []faultRow) {
	s := startFaults(t, faultserver.Options{})
	for _, row := range rows {
		t.Run(strings.TrimPrefix(row.path, "/"), func(t *testing.T) {
			c := newTestClient(t, o)
			if got := fetchOutcome(t, c, s.URL()+row.path); got != row.want {
				t.Errorf("%s (%s)\n got %+v\nwant %+v", row.path, row.why, got, row.want)
			}
			// Whatever came, the client works on.
			if got, want := fetchOutcome(t, c, s.URL()+"/fine"), (outcome{status: 200, body: "<p>nothing wrong here</p>"}); got != want {
				t.Errorf("the page after %s: got %+v, want %+v", row.path, got, want)
			}
		})
	}
}

func TestFaultsOfBodies(t *testing.T) {
	const mib = 1 << 20
	hello := "<p>hello</p>"
	runFaults(t, Options{MaxBody: mib}, []faultRow{
		{"/B01", "bomb under Content-Encoding", outcome{status: 200, body: "<1048576 bytes>", cut: CutSize}},
		{"/B02", "a gzip file is not inflated", outcome{status: 200, body: long(faultserver.Bomb()), cut: bombCut(mib)}},
		{"/B02.xml.gz", "nor by its name", outcome{status: 200, body: long(faultserver.Bomb()), cut: bombCut(mib)}},
		{"/B04", "two layers", outcome{status: 200, body: hello}},
		{"/B04-fields", "two layers in two fields", outcome{status: 200, body: hello}},
		{"/B04-bomb", "a bomb in two layers", outcome{status: 200, body: "<1048576 bytes>", cut: CutSize}},
		{"/B05", "three layers", outcome{status: 200, kind: KindEncoding}},
		{"/B06", "unknown coding", outcome{status: 200, kind: KindEncoding}},
		{"/B07", "bad gzip", outcome{status: 200, kind: KindEncoding, retry: true, once: true}},
		{"/B07-br", "bad brotli", outcome{status: 200, kind: KindEncoding, retry: true, once: true}},
		{"/B07-zstd", "bad zstd", outcome{status: 200, kind: KindEncoding, retry: true, once: true}},
		{"/B07-deflate", "bad deflate", outcome{status: 200, kind: KindEncoding, retry: true, once: true}},
		{"/B08", "no bytes of gzip", outcome{status: 200}},
		{"/B08-close", "no bytes of gzip, of unknown length", outcome{status: 200}},
		{"/B10", "larger than the limit", outcome{status: 200, body: "<1048576 bytes>", cut: CutSize}},
		{"/B11", "endless", outcome{status: 200, body: "<1048576 bytes>", cut: CutSize}},
		{"/H06", "length too long", outcome{status: 200, body: "ok", cut: CutShort}},
		{"/H06-404", "length too long, on an error page", outcome{status: 404, body: "ok", cut: CutShort}},
		{"/H07", "length too short", outcome{status: 200, body: "o"}},
		{"/H09", "largest length there is", outcome{status: 200, body: "ok", cut: CutShort}},
		{"/H10", "bad chunk size", outcome{status: 200, body: "ok", cut: CutShort}},
		{"/H10-cut", "cut in a chunk", outcome{status: 200, body: "okmore", cut: CutShort}},
		{"/trailer", "endless trailer", outcome{status: 200, body: "ok", cut: CutShort}},
		{"/gzip-and-more", "bytes after the stream are ignored, as in browsers", outcome{status: 200, body: hello}},
		{"/gzip-members", "two members are one body [RFC1952 §2.2]", outcome{status: 200, body: hello + hello}},
		{"/gzip-bad-sum", "a wrong checksum does not lose the page", outcome{status: 200, body: hello, cut: CutShort}},
		{"/gzip-Uppercase", "names of codings have no case", outcome{status: 200, body: hello}},
		{"/identity", "no coding", outcome{status: 200, body: hello}},
	})
}

// bombCut says how a bomb as such ends under a limit.
func bombCut(limit int) Truncation {
	if len(faultserver.Bomb()) > limit {
		return CutSize
	}
	return Whole
}

func TestFaultsOfHeaders(t *testing.T) {
	runFaults(t, Options{}, []faultRow{
		{"/H01", "300 KB field", outcome{kind: KindHeaderSize}},
		{"/H01-legal", "200 KB field", outcome{status: 200, body: "ok"}},
		{"/H02", "100,000 fields", outcome{kind: KindHeaderSize}},
		{"/H03", "flood of 1xx", outcome{kind: KindHeaderSize}},
		{"/H03-few", "some 1xx", outcome{status: 200, body: "ok"}},
		{"/H04-letters", "status line", outcome{kind: KindProtocol}},
		{"/H04-short", "status line", outcome{kind: KindProtocol}},
		{"/H04-zero", "three digits, but no status", outcome{kind: KindProtocol}},
		{"/H04-ssh", "status line", outcome{kind: KindProtocol}},
		{"/H04-html", "HTTP/0.9", outcome{kind: KindProtocol}},
		{"/H04-http2", "HTTP/2 in text", outcome{kind: KindProtocol}},
		{"/H04-nothing", "empty lines", outcome{kind: KindProtocol}},
		{"/H05", "no reason", outcome{status: 200, body: "ok"}},
		{"/H05-lf", "LF line ends", outcome{status: 200, body: "ok"}},
		{"/H05-999", "odd status", outcome{status: 999, body: "no"}},
		{"/H05-1.0", "HTTP/1.0", outcome{status: 200, body: "ok"}},
		{"/H08", "negative length", outcome{kind: KindProtocol}},
		{"/H08-two", "two lengths", outcome{kind: KindProtocol}},
		{"/H11", "NUL in a field", outcome{kind: KindProtocol}},
		{"/H11-space", "space in a field name", outcome{status: 200, body: "ok"}},
		{"/H12", "junk type", outcome{status: 200, body: "<p>hello</p>"}},
		{"/H12-gbk", "charsets are not converted here", outcome{status: 200, body: "\xc4\xe3"}},
		{"/switching", "101 unasked", outcome{kind: KindProtocol}},
		{"/B17", "reset in place of an answer", outcome{kind: KindReset, retry: true}},
		{"/B17-close", "end in place of an answer", outcome{kind: KindReset, retry: true}},
		{"/B17-head", "end inside the header", outcome{kind: KindReset, retry: true}},
	})
}

func TestAnswersOfAnyStatusAreReturned(t *testing.T) {
	runFaults(t, Options{}, []faultRow{
		{"/R01", "loop", outcome{status: 302, body: "moved"}},
		{"/R02?x", "growing chain", outcome{status: 302, body: "moved"}},
		{"/R05-file", "other scheme", outcome{status: 302, body: "moved"}},
		{"/R06", "bad Location", outcome{status: 302, body: "moved"}},
		{"/R06-empty", "empty Location", outcome{status: 302, body: "moved"}},
		{"/R06-none", "no Location", outcome{status: 302, body: "moved"}},
		{"/R07", "metadata service", outcome{status: 302, body: "moved"}},
		{"/S01", "429", outcome{status: 429, body: "slow down"}},
		{"/S03", "503", outcome{status: 503, body: "later"}},
		{"/S05-304", "304 has no body", outcome{status: 304}},
		{"/S05-204", "204 has no body", outcome{status: 204}},
	})
}

// Each row has a limit of its own, scaled down; the others stay as they are, so
// that a slow machine changes no outcome.
func TestFaultsOfTime(t *testing.T) {
	const short = 150 * time.Millisecond
	s := startFaults(t, faultserver.Options{})
	for _, tc := range []struct {
		path   string
		times  Timeouts
		want   outcome
		prefix string // in place of outcome.body
	}{
		{path: "/B12", times: Timeouts{Header: short}, want: outcome{kind: KindTimeoutHeader, retry: true}},
		{path: "/B12", times: Timeouts{Total: short}, want: outcome{kind: KindTimeoutTotal, retry: true}},
		{path: "/B13", times: Timeouts{Total: time.Second}, want: outcome{status: 200, cut: CutTime}, prefix: "x"},
		{path: "/B14", times: Timeouts{Idle: short}, want: outcome{status: 200, cut: CutIdle}, prefix: "<a href=/x>"},
		{path: "/B16", times: Timeouts{Header: short}, want: outcome{kind: KindTimeoutHeader, retry: true}},
	} {
		t.Run(strings.TrimPrefix(tc.path, "/"), func(t *testing.T) {
			c := newTestClient(t, Options{Timeouts: tc.times})
			got := fetchOutcome(t, c, s.URL()+tc.path)
			if !strings.HasPrefix(got.body, tc.prefix) {
				t.Errorf("body %q does not begin with %q", got.body, tc.prefix)
			}
			if got.body = ""; got != tc.want {
				t.Errorf("%s\n got %+v\nwant %+v", tc.path, got, tc.want)
			}
			<-s.Ended(tc.path) // the server saw the connection closed
		})
	}
}

func TestEndlessBodyClosesTheConnection(t *testing.T) {
	s := startFaults(t, faultserver.Options{})
	c := newTestClient(t, Options{MaxBody: 1 << 20})
	fetchOutcome(t, c, s.URL()+"/B11")
	<-s.Ended("/B11")
}

func TestCutGzipKeepsItsPrefix(t *testing.T) {
	s := startFaults(t, faultserver.Options{})
	c := newTestClient(t, Options{})
	r, err := c.Fetch(t.Context(), Request{URL: s.URL() + "/B09"})
	if err != nil || r.Truncated != CutShort {
		t.Fatalf("Fetch = %+v, %v; want a short page", r, err)
	}
	page := faultserver.CutPage()
	if !strings.HasPrefix(page, string(r.Body)) || len(r.Body) < len(page)*9/10 {
		t.Errorf("%d of %d bytes kept, or others than were sent", len(r.Body), len(page))
	}
}

func TestBodyOfJustTheLimitIsWhole(t *testing.T) {
	s := startFaults(t, faultserver.Options{})
	for size, want := range map[int]Truncation{99: Whole, 100: Whole, 101: CutSize} {
		body := strings.Repeat("x", size)
		s.Handle("/plain", func(c *faultserver.Conn) bool { return c.Page(body) })
		s.Handle("/gzip", func(c *faultserver.Conn) bool {
			return c.Page(faultserver.Gzip(body), "Content-Encoding: gzip")
		})
		c := newTestClient(t, Options{MaxBody: 100})
		for _, path := range []string{"/plain", "/gzip"} {
			if got := fetchOutcome(t, c, s.URL()+path); got.cut != want {
				t.Errorf("%s of %d bytes: cut %q, want %q", path, size, got.cut, want)
			}
		}
	}
}

// The sum of all allocations bounds the growth of the heap from above.
func TestBombsTakeBoundedMemory(t *testing.T) {
	const limit = 1 << 20
	s := startFaults(t, faultserver.Options{})
	faultserver.Bomb()
	for _, path := range []string{"/B01", "/B02", "/B04-bomb", "/B11", "/H02", "/H09"} {
		c := newTestClient(t, Options{MaxBody: limit})
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		fetchOutcome(t, c, s.URL()+path)
		runtime.ReadMemStats(&after)
		if got := after.TotalAlloc - before.TotalAlloc; got > limit+16<<20 {
			t.Errorf("%s allocated %d bytes under a limit of %d", path, got, limit)
		}
	}
}

func TestErrorKeepsStatusAndRetryAfter(t *testing.T) {
	s := startFaults(t, faultserver.Options{})
	c := newTestClient(t, Options{})
	_, err := c.Fetch(t.Context(), Request{URL: s.URL() + "/B07-503"})
	e, ok := errors.AsType[*Error](err)
	if !ok || e.Status != 503 || e.RetryAfter != 7*time.Second || e.Kind != KindEncoding {
		t.Errorf("Fetch = %+v; want an encoding error with status 503 and 7 s", err)
	}
	if e.Start.IsZero() || e.End.Before(e.Start) {
		t.Errorf("from %v to %v", e.Start, e.End)
	}
}

func TestErrorNamesTheHost(t *testing.T) {
	s := startFaults(t, faultserver.Options{})
	c := newTestClient(t, Options{})
	_, err := c.Fetch(t.Context(), Request{URL: s.URL() + "/H04-ssh"})
	if err == nil || !strings.Contains(err.Error(), s.Addr()) || strings.Contains(err.Error(), "fetch.invalid") {
		t.Errorf("error %q does not name %s alone", err, s.Addr())
	}
}

func TestRequestCanHaveALimitOfItsOwn(t *testing.T) {
	s := startFaults(t, faultserver.Options{})
	c := newTestClient(t, Options{MaxBody: 1000})
	for limit, want := range map[int64]int{0: 1000, 10: 10, 2000: 2000, 1 << 30: len(faultserver.CutPage())} {
		s.Handle("/page", func(c *faultserver.Conn) bool { return c.Page(faultserver.CutPage()) })
		r, err := c.Fetch(t.Context(), Request{URL: s.URL() + "/page", MaxBody: limit})
		if err != nil || len(r.Body) != want {
			t.Errorf("Fetch with MaxBody %d: %d bytes, %v; want %d", limit, len(r.Body), err, want)
		}
	}
}
