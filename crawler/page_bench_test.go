package crawler

import (
	"bytes"
	"io"
	"net/http"
	"path/filepath"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"
	"golang.org/x/net/html"

	"github.com/hashcrawl/hashcrawl/crawler/fetch"
	"github.com/hashcrawl/hashcrawl/crawler/htmldoc"
	"github.com/hashcrawl/hashcrawl/frontier"
	"github.com/hashcrawl/hashcrawl/storage"
	"github.com/hashcrawl/hashcrawl/urlnorm"
)

// BenchmarkPage prices the stages of a page of 20 KB with 75 links, each by
// itself; docs/performance.md has the table. What a request costs is
// BenchmarkFetch in crawler/fetch.
func BenchmarkPage(b *testing.B) {
	settings := &Settings{
		Seeds: []string{"http://a.test/news/"}, Scope: ScopeHost, MaxDepth: -1, AJAX: AJAXAuto, Ugly: UglyCount,
		Traps: map[string]int{"same-body": 0, "same-text": 0},
	}
	norm, err := settings.Normalizer()
	if err != nil {
		b.Fatal(err)
	}
	db, err := storage.Open(filepath.Join(b.TempDir(), "crawl.db"), storage.Options{Create: true, Norm: norm.ID()})
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	c, err := New(db, &web{}, settings, Options{})
	if err != nil {
		b.Fatal(err)
	}
	u, err := norm.Resolve(nil, "http://a.test/news/", urlnorm.Charset{})
	if err != nil {
		b.Fatal(err)
	}
	resp := &fetch.Response{
		URL: u.Fetch, Status: 200, Header: http.Header{"Content-Type": {"text/html; charset=utf-8"}}, Body: []byte(newsPage(false)),
		Start: time.Now(), End: time.Now(),
	}
	var packed bytes.Buffer
	zw := gzip.NewWriter(&packed)
	zw.Write(resp.Body)
	zw.Close()
	var zr gzip.Reader
	parser := &htmldoc.Parser{}
	doc := parser.Parse(resp.Body, htmldoc.Options{Agent: productToken, Text: gistText})
	base, err := norm.Base(u.Display)
	if err != nil {
		b.Fatal(err)
	}
	blank := func() *page {
		p := &page{Lease: &frontier.Lease{Entry: frontier.Entry{URL: u.Display}, Host: u.Host()}, at: u, resp: resp}
		p.record = recordOf(p)
		return p
	}
	read := blank()
	c.read(read)
	lease := &frontier.Lease{Entry: frontier.Entry{ID: frontier.ID{Host: 1}}}
	for _, stage := range []struct {
		name string
		do   func()
	}{
		{"gunzip", func() { zr.Reset(bytes.NewReader(packed.Bytes())); io.Copy(io.Discard, &zr) }},
		{"decode", func() { htmldoc.Decode(resp.Body, "text/html; charset=utf-8", "") }},
		{"tokenise", func() {
			for z := html.NewTokenizer(bytes.NewReader(resp.Body)); z.Next() != html.ErrorToken; {
				z.TagName()
			}
		}},
		{"parse", func() { parser.Parse(resp.Body, htmldoc.Options{Agent: productToken, Text: gistText}) }},
		{"resolve", func() {
			for i := range doc.Links {
				norm.Resolve(base, doc.Links[i].Href, urlnorm.Charset{})
			}
		}},
		{"judge-links", func() { c.collect(blank(), nil, doc, base, urlnorm.Charset{}, false) }},
		{"compare", func() { sightOf(resp.Body, doc); gist(gist(0, doc.Title), doc.Text) }},
		{"dedup", func() { c.frontier.Add(read.links, func(frontier.Changes) {}) }},
		{"commit", func() { db.Append(storage.Commit{Page: read.record, Lease: &storage.Lease{Slot: lease.Slot}}) }},
		{"read-in-all", func() { c.read(blank()) }},
	} {
		b.Run("stage="+stage.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				stage.do()
			}
		})
	}
}
