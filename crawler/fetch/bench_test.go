package fetch

import (
	"bytes"
	"fmt"
	"net"
	"net/http"
	"sync"
	"testing"

	"github.com/klauspost/compress/gzip"
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

// benchServer answers every request with the page of benchPage as gzip. It does
// next to nothing for it, so that what is measured is the client.
func benchServer(b *testing.B) (url string, size int) {
	b.Helper()
	plain, packed := benchPage(b)
	answer := fmt.Appendf(nil, "HTTP/1.1 200 OK\r\nDate: Mon, 30 Nov 2026 12:00:00 GMT\r\nContent-Type: text/html; charset=utf-8\r\n"+
		"Content-Encoding: gzip\r\nContent-Length: %d\r\n\r\n%s", len(packed), packed)
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			wg.Go(func() {
				defer c.Close()
				for buf := make([]byte, 4<<10); ; { // a request comes in one read
					if _, err := c.Read(buf); err != nil {
						return
					}
					if _, err := c.Write(answer); err != nil {
						return
					}
				}
			})
		}
	})
	b.Cleanup(func() { ln.Close(); wg.Wait() })
	b.SetBytes(int64(len(plain)))
	return "http://" + ln.Addr().String(), len(plain)
}

func BenchmarkFetch(b *testing.B) {
	site, size := benchServer(b)
	c, err := New(Options{UserAgent: "hashcrawl/bench", AllowLoopback: true})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(c.Close)
	b.ReportAllocs()
	for b.Loop() {
		r, err := c.Fetch(b.Context(), Request{URL: site + "/news/2024/05/some-article?page=3"})
		if err != nil || len(r.Body) != size {
			b.Fatalf("Fetch = %v, %v", r, err)
		}
	}
}

// BenchmarkNetHTTP is the floor: a bare http.Transport whose buffers and gzip
// reader are kept for reuse, as one worker of a crawler without any limits would
// do it, and a body that is not the caller's.
func BenchmarkNetHTTP(b *testing.B) {
	site, size := benchServer(b)
	tr := &http.Transport{DisableCompression: true}
	b.Cleanup(tr.CloseIdleConnections)
	var zr gzip.Reader
	var packed, plain bytes.Buffer
	b.ReportAllocs()
	for b.Loop() {
		req, err := http.NewRequest("GET", site+"/news/2024/05/some-article?page=3", nil)
		if err != nil {
			b.Fatal(err)
		}
		req.Header.Set("Accept-Encoding", "gzip")
		res, err := tr.RoundTrip(req)
		if err != nil {
			b.Fatal(err)
		}
		packed.Reset()
		packed.ReadFrom(res.Body)
		res.Body.Close()
		if err := zr.Reset(bytes.NewReader(packed.Bytes())); err != nil {
			b.Fatal(err)
		}
		plain.Reset()
		if _, err := plain.ReadFrom(&zr); err != nil || plain.Len() != size {
			b.Fatalf("%d bytes, %v", plain.Len(), err)
		}
	}
}

// BenchmarkOverhead is what a fetch costs beside the network and the body: colly,
// the context, the watchdog, headers.
func BenchmarkOverhead(b *testing.B) {
	c, err := New(Options{UserAgent: "hashcrawl/bench", Transport: canned{}})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(c.Close)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := c.Fetch(b.Context(), Request{URL: "http://a.test/news/2024/05/some-article?page=3"}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkAgent is what a clone of the collector costs, which the pool saves.
func BenchmarkAgent(b *testing.B) {
	base := newCollector(newClient(unreachable{}))
	b.ReportAllocs()
	for b.Loop() {
		newAgent(base)
	}
}
