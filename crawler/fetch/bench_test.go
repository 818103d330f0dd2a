package fetch

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	kgzip "github.com/klauspost/compress/gzip"
)

// benchPage returns a page that takes about 8 KB as gzip, and that gzip.
func benchPage(tb testing.TB) (plain, packed []byte) {
	tb.Helper()
	var page bytes.Buffer
	page.WriteString("<!doctype html><title>Bench</title><body>")
	for i := range 420 {
		fmt.Fprintf(&page, "<p class=row><a href=\"/news/%d/%x\">Item %d</a> %x\n", i, i*2654435761%1000003, i, i*40503%65537)
	}
	var z bytes.Buffer
	w := gzip.NewWriter(&z)
	w.Write(page.Bytes())
	w.Close()
	return page.Bytes(), z.Bytes()
}

// benchServer serves the page of benchPage as gzip.
func benchServer(b *testing.B) (*httptest.Server, int) {
	b.Helper()
	plain, packed := benchPage(b)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header()["Content-Type"] = []string{"text/html; charset=utf-8"}
		w.Header()["Content-Encoding"] = []string{"gzip"}
		w.Write(packed)
	}))
	b.Cleanup(s.Close)
	b.SetBytes(int64(len(plain)))
	return s, len(plain)
}

func BenchmarkFetch(b *testing.B) {
	s, size := benchServer(b)
	c, err := New(Options{UserAgent: "hashcrawl/bench", AllowLoopback: true})
	if err != nil {
		b.Fatal(err)
	}
	defer c.Close()
	b.ReportAllocs()
	for b.Loop() {
		r, err := c.Fetch(b.Context(), Request{URL: s.URL + "/news/2024/05/some-article?page=3"})
		if err != nil || len(r.Body) != size {
			b.Fatalf("Fetch = %v, %v", r, err)
		}
	}
}

// BenchmarkNetHTTP is the floor: a bare http.Transport, a gzip reader kept for
// reuse, and a copy of the body for the caller.
func BenchmarkNetHTTP(b *testing.B) {
	s, size := benchServer(b)
	tr := &http.Transport{DisableCompression: true}
	defer tr.CloseIdleConnections()
	var zr kgzip.Reader
	b.ReportAllocs()
	for b.Loop() {
		req, err := http.NewRequest("GET", s.URL+"/news/2024/05/some-article?page=3", nil)
		if err != nil {
			b.Fatal(err)
		}
		req.Header.Set("User-Agent", "hashcrawl/bench")
		req.Header.Set("Accept-Encoding", "gzip")
		res, err := tr.RoundTrip(req)
		if err != nil {
			b.Fatal(err)
		}
		if err := zr.Reset(res.Body); err != nil {
			b.Fatal(err)
		}
		body, err := io.ReadAll(&zr)
		res.Body.Close()
		if err != nil || len(body) != size {
			b.Fatalf("%d bytes, %v", len(body), err)
		}
	}
}
