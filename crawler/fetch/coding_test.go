package fetch

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"compress/zlib"
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/zstd"
)

func TestContentCodings(t *testing.T) {
	for _, tc := range []struct {
		fields []string
		want   []coding
		bad    bool
	}{
		{},
		{fields: []string{""}},
		{fields: []string{"identity"}},
		{fields: []string{"gzip"}, want: []coding{codingGzip}},
		{fields: []string{" GZIP\t"}, want: []coding{codingGzip}},
		{fields: []string{"x-gzip"}, want: []coding{codingGzip}},
		{fields: []string{"deflate, br"}, want: []coding{codingDeflate, codingBrotli}},
		{fields: []string{"zstd", "gzip"}, want: []coding{codingZstd, codingGzip}},
		{fields: []string{"gzip,,identity,gzip"}, want: []coding{codingGzip, codingGzip}},
		{fields: []string{"gzip, gzip, gzip"}, bad: true},
		{fields: []string{"compress"}, bad: true},
		{fields: []string{"gzip;q=1"}, bad: true},
	} {
		h := http.Header{}
		if tc.fields != nil {
			h["Content-Encoding"] = tc.fields
		}
		got, err := contentCodings(h)
		if !slices.Equal(got, tc.want) || tc.bad != (err != nil) {
			t.Errorf("contentCodings(%q) = %v, %v; want %v", tc.fields, got, err, tc.want)
		}
	}
}

// encode packs b by the named coding; "raw" is deflate without zlib.
func encode(t testing.TB, name string, b []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	var w io.WriteCloser
	var err error
	switch name {
	case "gzip":
		w = gzip.NewWriter(&out)
	case "deflate":
		w = zlib.NewWriter(&out)
	case "raw":
		w, err = flate.NewWriter(&out, 6)
	case "br":
		w = brotli.NewWriter(&out)
	case "zstd":
		w, err = zstd.NewWriter(&out, zstd.WithEncoderConcurrency(1))
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(b); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// A canned engine answers every request with one response.
type canned struct {
	status int // 0 means 200
	coding string
	body   []byte
}

func (c canned) RoundTrip(r *http.Request) (*http.Response, error) {
	h := http.Header{"Content-Type": {"text/html"}, "Retry-After": {"5"}}
	if c.coding != "" {
		h["Content-Encoding"] = []string{c.coding}
	}
	return &http.Response{
		StatusCode: cmp.Or(c.status, 200), Proto: "HTTP/1.1", Header: h, Request: r,
		Body: io.NopCloser(bytes.NewReader(c.body)), ContentLength: -1,
	}, nil
}

// Each coding is read whole, again with the same decoder, and cut: what is kept
// of a cut body is a prefix of it.
func TestEachCodingIsUndone(t *testing.T) {
	page := []byte(strings.Repeat("<a href=/x>The quick brown fox</a> ", 5000))
	for _, name := range []string{"gzip", "deflate", "raw", "br", "zstd"} {
		field := strings.Replace(name, "raw", "deflate", 1)
		packed := encode(t, name, page)
		engine := &canned{coding: field, body: packed}
		c := newTestClient(t, Options{Transport: engine})
		for range 2 {
			r := mustFetch(t, c, "http://a.test/")
			if !bytes.Equal(r.Body, page) || r.Truncated != Whole || r.WireBytes != int64(len(packed)) {
				t.Errorf("%s: %d bytes of %d, cut %q, %d on the wire", name, len(r.Body), len(page), r.Truncated, r.WireBytes)
			}
			engine.body = packed[:len(packed)-len(packed)/3]
			r, err := c.Fetch(t.Context(), Request{URL: "http://a.test/"})
			if err != nil {
				// A coding that works in blocks may have given nothing by then.
				if e, ok := errors.AsType[*Error](err); !ok || e.Kind != KindEncoding {
					t.Errorf("%s, cut: %v", name, err)
				}
			} else if !bytes.HasPrefix(page, r.Body) || r.Truncated != CutShort {
				t.Errorf("%s, cut: %d bytes, cut %q", name, len(r.Body), r.Truncated)
			}
			engine.body = packed
		}
	}
}

func TestZstdWindowIsLimited(t *testing.T) {
	var out bytes.Buffer
	w, err := zstd.NewWriter(&out, zstd.WithWindowSize(64<<20), zstd.WithEncoderConcurrency(1))
	if err != nil {
		t.Fatal(err)
	}
	io.Copy(w, io.LimitReader(zeros{}, 65<<20))
	w.Close()
	c := newTestClient(t, Options{Transport: canned{coding: "zstd", body: out.Bytes()}})
	if got, want := fetchOutcome(t, c, "http://a.test/"), (outcome{status: 200, kind: KindEncoding, retry: true, once: true}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// TestDecodersAreNotFedForEver has codings that make nothing of what they read:
// the limit of the decoded body is never met, and the layer below may be a
// thousand times what came over the network.
func TestDecodersAreNotFedForEver(t *testing.T) {
	const limit = 1000
	nothing := bytes.Repeat(encode(t, "gzip", nil), 3*maxOverhead/20)
	skipped := bytes.Repeat(append([]byte{0x50, 0x2A, 0x4D, 0x18, 0, 4, 0, 0}, make([]byte, 1024)...), 3*maxOverhead/1024)
	for _, tc := range []struct {
		name, coding string
		body         []byte
	}{
		{"empty members", "gzip", nothing},
		{"empty members in a second layer", "gzip, gzip", encode(t, "gzip", nothing)},
		{"empty members under brotli", "gzip, br", encode(t, "br", nothing)},
		{"skippable frames", "zstd", skipped},
		{"skippable frames in a second layer", "zstd, zstd", encode(t, "zstd", skipped)},
	} {
		c := newTestClient(t, Options{MaxBody: limit, Transport: canned{coding: tc.coding, body: tc.body}})
		if got, want := fetchOutcome(t, c, "http://a.test/"), (outcome{status: 200, cut: CutSize}); got != want {
			t.Errorf("%s: got %+v, want %+v", tc.name, got, want)
		}
	}
}

// TestBodyThatNobodyNeedsDoesNotLoseTheAnswer has redirects and missing pages
// with codings that cannot be undone: the status and the Location are what counts.
func TestBodyThatNobodyNeedsDoesNotLoseTheAnswer(t *testing.T) {
	for _, status := range []int{301, 304, 404} {
		for _, coding := range []string{"gzip", "aws-chunked", "gzip, gzip, gzip"} {
			c := newTestClient(t, Options{Transport: canned{status: status, coding: coding, body: []byte("moved")}})
			if got, want := fetchOutcome(t, c, "http://a.test/"), (outcome{status: status, cut: CutShort}); got != want {
				t.Errorf("status %d, coding %q: got %+v, want %+v", status, coding, got, want)
			}
		}
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// Whatever codings and bytes come, the outcome is a page within the limit or an
// error that has a kind and keeps the status, and a page without codings is the
// bytes that came.
func FuzzBody(f *testing.F) {
	page := []byte("<a href=/x>The quick brown fox</a> ")
	for _, name := range []string{"gzip", "deflate", "raw", "br", "zstd"} {
		b := encode(f, name, bytes.Repeat(page, 50))
		f.Add(strings.Replace(name, "raw", "deflate", 1), b)
		f.Add(strings.Replace(name, "raw", "deflate", 1), b[:len(b)/2])
	}
	f.Add("gzip, gzip", encode(f, "gzip", encode(f, "gzip", page)))
	f.Add("", page)
	f.Add("gzip,br,x", page)
	const limit = 4096
	f.Fuzz(func(t *testing.T, coding string, body []byte) {
		c, err := New(Options{UserAgent: "hashcrawl/fuzz", MaxBody: limit, Transport: canned{coding: coding, body: body}})
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		r, err := c.Fetch(context.Background(), Request{URL: "http://a.test/"})
		if err != nil {
			if e, ok := errors.AsType[*Error](err); !ok || e.Kind != KindEncoding || e.Status != 200 || e.RetryAfter == 0 {
				t.Errorf("error %+v", err)
			}
			return
		}
		if len(r.Body) > limit || r.Truncated == CutSize && len(r.Body) != limit {
			t.Errorf("%d bytes, cut %q", len(r.Body), r.Truncated)
		}
		if codings, _ := contentCodings(r.Header); codings == nil && !bytes.HasPrefix(body, r.Body) {
			t.Errorf("%q came as %q", body, r.Body)
		}
	})
}

// Whatever comes for a URL, what goes out is its path and query to the byte, on
// one line, to the host it names.
func FuzzTarget(f *testing.F) {
	for _, s := range exactTargets {
		f.Add("http://a.test:8080" + s)
	}
	f.Add("https://user@[::1]:443?x")
	f.Fuzz(func(t *testing.T, raw string) {
		target, err := parseTarget(raw)
		if err != nil {
			if f, ok := err.(*failure); !ok || f.kind.retriable() {
				t.Errorf("parseTarget(%q): %v", raw, err)
			}
			return
		}
		if strings.ContainsAny(target.path, " \r\n#") || strings.ContainsAny(target.authority, " \r\n/?#@") || target.host == "" {
			t.Fatalf("parseTarget(%q) = %+v", raw, target)
		}
		if !strings.HasSuffix(raw, target.path) && !strings.HasSuffix("/"+raw, target.path[1:]) {
			t.Errorf("parseTarget(%q): path %q", raw, target.path)
		}
		for _, forProxy := range []bool{false, true} {
			u := target.url(forProxy)
			if got := strings.TrimPrefix(u.RequestURI(), u.Scheme+"://"+target.authority); got != target.path {
				t.Errorf("RequestURI of %q (proxy %v) = %q, want %q", raw, forProxy, got, target.path)
			}
		}
	})
}
