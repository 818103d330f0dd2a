package sitemap

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"
)

// readAll reads a document and returns its entries.
func readAll(r io.Reader) ([]Entry, Summary, error) {
	var entries []Entry
	sum, err := Read(r, func(e Entry) bool {
		entries = append(entries, e)
		return true
	})
	return entries, sum, err
}

func locs(entries []Entry) []string {
	var all []string
	for _, e := range entries {
		all = append(all, e.Loc)
	}
	return all
}

func packed(t testing.TB, doc string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := io.WriteString(z, doc); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// documents are the seeds of the fuzz test too.
var documents = []struct {
	name, doc string
	want      []string
	sum       Summary
	err       error
}{
	{
		name: "fields in any order", doc: "<urlset><url><lastmod>2020-01-02</lastmod><loc>http://a.test/1</loc></url></urlset>",
		want: []string{"http://a.test/1"}, sum: Summary{Kind: URLSet},
	},
	{
		name: "upper case", doc: "<URLSET><URL><LOC>http://a.test/1</LOC></URL></URLSET>",
		want: []string{"http://a.test/1"}, sum: Summary{Kind: URLSet},
	},
	{
		name: "root missing", doc: "<url><loc>http://a.test/1</loc></url><url><loc>http://a.test/2</loc></url>",
		want: []string{"http://a.test/1", "http://a.test/2"}, sum: Summary{Kind: URLSet},
	},
	{
		name: "end of loc missing", doc: "<urlset><url><loc>http://a.test/1</url><url><loc>http://a.test/2<lastmod>2020-01-02</lastmod></url></urlset>",
		want: []string{"http://a.test/1", "http://a.test/2"}, sum: Summary{Kind: URLSet},
	},
	{
		name: "end of url missing", doc: "<urlset><url><loc>http://a.test/1</loc><url><loc>http://a.test/2</loc></urlset>",
		want: []string{"http://a.test/1", "http://a.test/2"}, sum: Summary{Kind: URLSet},
	},
	{
		name: "tag without its end", doc: "<urlset><url<loc>http://a.test/1</loc></url></urlset>",
		want: []string{"http://a.test/1"}, sum: Summary{Kind: URLSet},
	},
	{
		name: "loc without an entry", doc: "<urlset><loc>http://a.test/1</loc></urlset>",
		sum: Summary{Kind: URLSet},
	},
	{
		name: "empty loc", doc: "<urlset><url><loc> </loc></url><url><loc/></url><url/></urlset>",
		sum: Summary{Kind: URLSet, Dropped: 3},
	},
	{
		name: "loc in an unprefixed extension", doc: `<urlset><url><image xmlns="i"><loc>http://a.test/i.png</loc></image><loc>http://a.test/1</loc></url></urlset>`,
		want: []string{"http://a.test/1"}, sum: Summary{Kind: URLSet},
	},
	{
		name: "nested extension of one name", doc: "<urlset><url><x:a><x:a></x:a><loc>http://a.test/no</loc></x:a><loc>http://a.test/1</loc></url></urlset>",
		want: []string{"http://a.test/1"}, sum: Summary{Kind: URLSet},
	},
	{
		name: "extension that never ends", doc: "<urlset><url><loc>http://a.test/1</loc><x:a></url><url><loc>http://a.test/2</loc></url></urlset>",
		want: []string{"http://a.test/1", "http://a.test/2"}, sum: Summary{Kind: URLSet},
	},
	{
		name: "alternate link left open", doc: `<urlset><url><xhtml:link rel="alternate" hreflang="de" href="http://a.test/de"><loc>http://a.test/1</loc></url></urlset>`,
		want: []string{"http://a.test/1"}, sum: Summary{Kind: URLSet},
	},
	{
		name: "index in a urlset", doc: "<urlset><sitemap><loc>http://a.test/s1.xml</loc></sitemap></urlset>",
		want: []string{"http://a.test/s1.xml"}, sum: Summary{Kind: URLSet},
	},
	{
		name: "wrapped in an unknown root", doc: "<x><urlset><url><loc>http://a.test/1</loc></url></urlset></x>",
		want: []string{"http://a.test/1"}, sum: Summary{Kind: URLSet},
	},
	{
		name: "control characters and bad UTF-8 around", doc: "<urlset>\x01\xff<url>\x02<loc>http://a.test/1</loc></url></urlset>",
		want: []string{"http://a.test/1"}, sum: Summary{Kind: URLSet},
	},
	{
		name: "references", doc: "<urlset><url><loc>http://a.test/&#x61;&#98;&amp;&copy=1&eacute;&nosuch;</loc></url></urlset>",
		want: []string{"http://a.test/ab&&copy=1é&nosuch;"}, sum: Summary{Kind: URLSet},
	},
	{
		name: "references are not expanded twice", doc: "<urlset><url><loc>http://a.test/?a&amp;amp;b</loc></url></urlset>",
		want: []string{"http://a.test/?a&amp;b"}, sum: Summary{Kind: URLSet},
	},
	{
		name: "references in CDATA are text", doc: "<urlset><url><loc><![CDATA[http://a.test/?a&amp;b]]></loc></url></urlset>",
		want: []string{"http://a.test/?a&amp;b"}, sum: Summary{Kind: URLSet},
	},
	{
		name: "brackets in CDATA", doc: "<urlset><url><loc><![CDATA[http://a.test/]]]]></loc></url></urlset>",
		want: []string{"http://a.test/]]"}, sum: Summary{Kind: URLSet},
	},
	{
		name: "billion laughs", doc: `<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><urlset><url><loc>http://a.test/&b;</loc></url><url><loc>http://a.test/2</loc></url></urlset>`,
		want: []string{"http://a.test/2"}, sum: Summary{Kind: URLSet, Dropped: 1},
	},
	{
		name: "tags in comments", doc: "<urlset><!-- <url><loc>http://a.test/no</loc></url> --><url><loc>http://a.test/1</loc></url></urlset>",
		want: []string{"http://a.test/1"}, sum: Summary{Kind: URLSet},
	},
	{
		name: "> in an attribute", doc: `<urlset a="x>y" b='</urlset>'><url><loc>http://a.test/1</loc></url></urlset>`,
		want: []string{"http://a.test/1"}, sum: Summary{Kind: URLSet},
	},
	{
		name: "two documents in one", doc: "<urlset><url><loc>http://a.test/1</loc></url></urlset>\n<?xml version='1.0'?><urlset><url><loc>http://a.test/2</loc></url></urlset>",
		want: []string{"http://a.test/1", "http://a.test/2"}, sum: Summary{Kind: URLSet},
	},

	{
		name: "cut in a URL", doc: "<urlset><url><loc>http://a.test/1</loc></url><url><loc>http://a.test/2",
		want: []string{"http://a.test/1"}, sum: Summary{Kind: URLSet, Stop: StopCut},
	},
	{
		name: "cut behind a URL", doc: "<urlset><url><loc>http://a.test/1<",
		sum: Summary{Kind: URLSet, Stop: StopCut},
	},
	{
		name: "cut in the end tag", doc: "<urlset><url><loc>http://a.test/1</",
		want: []string{"http://a.test/1"}, sum: Summary{Kind: URLSet, Stop: StopCut},
	},
	{
		name: "cut in CDATA", doc: "<urlset><url><loc><![CDATA[http://a.test/1",
		sum: Summary{Kind: URLSet, Stop: StopCut},
	},
	{
		name: "cut before CDATA", doc: "<urlset><url><loc>http://a.test/1<![CDA",
		sum: Summary{Kind: URLSet, Stop: StopCut},
	},
	{
		name: "comment that never ends", doc: "<urlset><url><loc>http://a.test/1</loc></url><!-- <url>",
		want: []string{"http://a.test/1"}, sum: Summary{Kind: URLSet, Stop: StopCut},
	},

	{
		name: "text with all line ends", doc: "http://a.test/1\r\nhttp://a.test/2\rHTTPS://a.test/3\n\n\thttp://a.test/4 ",
		want: []string{"http://a.test/1", "http://a.test/2", "HTTPS://a.test/3", "http://a.test/4"}, sum: Summary{Kind: Text},
	},
	{
		name: "text with other lines", doc: "# urls\nhttp://a.test/1\n/relative\nftp://a.test/2\n",
		want: []string{"http://a.test/1"}, sum: Summary{Kind: Text, Dropped: 3},
	},
	{name: "prose", doc: "this is a bogus sitemap", sum: Summary{Dropped: 1}, err: ErrNotSitemap},
	{name: "JSON", doc: `{"urls":["http://a.test/1"]}`, sum: Summary{Dropped: 1}, err: ErrNotSitemap},
	{name: "white space", doc: "\uFEFF \r\n", sum: Summary{Kind: Empty}},
	{name: "HTML", doc: "<!DOCTYPE html><title>x</title><body><url><loc>http://a.test/1</loc></url>", sum: Summary{}, err: ErrNotSitemap},
	{name: "XHTML that names itself", doc: `<html xmlns="x"><urlset></urlset></html>`, err: ErrNotSitemap},
	{name: "other XML", doc: "<opml><outline/></opml>", err: ErrNotSitemap},

	{
		name: "RSS 2.0", doc: `<rss><channel><link>http://a.test/</link><item><link>http://a.test/1</link><guid>http://a.test/g</guid><media:content url="x"><link>http://a.test/m</link></media:content></item><item><atom:link href="http://a.test/no"/><guid isPermaLink="false">7</guid></item></channel></rss>`,
		want: []string{"http://a.test/1"}, sum: Summary{Kind: RSS, Dropped: 1},
	},
	{
		name: "RSS 1.0", doc: `<rdf:RDF><channel><link>http://a.test/</link></channel><image><url>http://a.test/i</url></image><item rdf:about="http://a.test/1"><link>http://a.test/1</link></item><item rdf:about="http://a.test/2"/></rdf:RDF>`,
		want: []string{"http://a.test/1", "http://a.test/2"}, sum: Summary{Kind: RSS},
	},
	{
		name: "Atom", doc: `<feed><link href="http://a.test/"/><entry><link rel="edit" href="http://a.test/e"/><link rel='alternate' type="text/html" href='http://a.test/?x=1&amp;y=2'/><id>http://a.test/id</id></entry><entry><id>http://a.test/id2</id></entry><entry><id>tag:a.test,2020:3</id></entry></feed>`,
		want: []string{"http://a.test/?x=1&y=2", "http://a.test/id2"}, sum: Summary{Kind: Atom, Dropped: 1},
	},
	{
		name: "Atom with a prefix", doc: `<a:feed xmlns:a="http://www.w3.org/2005/Atom"><a:entry><a:link href=http://a.test/1 /></a:entry></a:feed>`,
		want: []string{"http://a.test/1"}, sum: Summary{Kind: Atom},
	},
}

func TestRead(t *testing.T) {
	for _, tc := range documents {
		t.Run(tc.name, func(t *testing.T) {
			entries, sum, err := readAll(strings.NewReader(tc.doc))
			tc.sum.Entries = len(tc.want)
			if got := locs(entries); !slices.Equal(got, tc.want) || !errors.Is(err, tc.err) || sum != tc.sum {
				t.Errorf("Read(%q)\n= %q, %+v, %v\nwant %q, %+v, %v", tc.doc, got, sum, err, tc.want, tc.sum, tc.err)
			}
		})
	}
}

func TestReadTellsSitemapsFromPages(t *testing.T) {
	entries, _, _ := readAll(strings.NewReader("<urlset><url><loc>http://a.test/1</loc></url><sitemap><loc>http://a.test/2</loc><loc>http://a.test/3</loc></sitemap></urlset>"))
	var got []bool
	for _, e := range entries {
		got = append(got, e.Sitemap)
	}
	if want := []bool{false, true, true}; !slices.Equal(got, want) {
		t.Errorf("Sitemap = %v, want %v", got, want)
	}
}

func TestReadDates(t *testing.T) {
	at := func(s string) time.Time {
		d, err := time.Parse(time.RFC3339, s)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	for _, tc := range []struct {
		name, doc          string
		lastMod, published time.Time
	}{
		{
			"news", "<urlset><url><loc>/1</loc><lastmod>2020-01-02</lastmod><news:news><news:publication><news:name>N</news:name></news:publication><news:publication_date>2020-01-01T10:00:00+01:00</news:publication_date></news:news></url></urlset>",
			at("2020-01-02T00:00:00Z"), at("2020-01-01T09:00:00Z"),
		},
		{
			"a video's date is not the page's", "<urlset><url><loc>/1</loc><video:video><video:publication_date>2020-01-01</video:publication_date></video:video></url></urlset>",
			time.Time{},
			time.Time{},
		},
		{
			"RSS", "<rss><item><link>/1</link><pubDate>Thu, 02 Jan 2020 03:04:05 EST</pubDate></item></rss>",
			at("2020-01-02T08:04:05Z"),
			time.Time{},
		},
		{
			"Dublin Core", "<rdf:RDF><item><link>/1</link><dc:date>2020-01-02T03:04Z</dc:date></item></rdf:RDF>",
			at("2020-01-02T03:04:00Z"),
			time.Time{},
		},
		{
			"Atom", "<feed><entry><id>http://a.test/</id><updated>2020-01-02T00:00:00Z</updated><published>2020-01-01T00:00:00Z</published></entry></feed>",
			at("2020-01-02T00:00:00Z"), at("2020-01-01T00:00:00Z"),
		},
		{"nonsense", "<urlset><url><loc>/1</loc><lastmod>yesterday</lastmod></url></urlset>", time.Time{}, time.Time{}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			entries, sum, err := readAll(strings.NewReader(tc.doc))
			if err != nil || len(entries) != 1 {
				t.Fatalf("%v, %+v, %v", entries, sum, err)
			}
			if e := entries[0]; !e.LastMod.Equal(tc.lastMod) || !e.Published.Equal(tc.published) {
				t.Errorf("LastMod %v, Published %v; want %v, %v", e.LastMod, e.Published, tc.lastMod, tc.published)
			}
		})
	}
}

func TestParseDate(t *testing.T) {
	for _, tc := range []struct{ in, want string }{
		{"2014", "2014-01-01T00:00:00Z"},
		{"2014-06-03", "2014-06-03T00:00:00Z"},
		{" 2014-06-03\n", "2014-06-03T00:00:00Z"},
		{"2014-06-03T10:30", "2014-06-03T10:30:00Z"},
		{"2014-06-03 10:30:45", "2014-06-03T10:30:45Z"},
		{"2014-06-03 10:30:45 +0200", "2014-06-03T08:30:45Z"},
		{"2014-06-03T10:30:45.5Z", "2014-06-03T10:30:45.5Z"},
		{"2014-06-03T10:30:45+0200", "2014-06-03T08:30:45Z"},
		{"5 Jan 17 12:34:56 PDT", "2017-01-05T19:34:56Z"},
		{"Thu, 5 Jan 2017 12:34 GMT", "2017-01-05T12:34:00Z"},
		{"2014-13-01", ""},
		{"2014-02-30", ""},
		{"2014-06-03T25:00Z", ""},
		{"0000", ""},
		{"201", ""},
		{"14-06-03", ""},
		{"Thu, 05 Jan 2017 12:34:55", ""}, // no zone: it could be any
		{"Thu, 05 Jan 2017 12:34:55 XYZ", ""},
		{"1483619690", ""},
	} {
		got, ok := ParseDate(tc.in)
		if ok != (tc.want != "") || ok && got.Format(time.RFC3339Nano) != tc.want {
			t.Errorf("ParseDate(%q) = %v, %v; want %q", tc.in, got, ok, tc.want)
		}
	}
}

func TestCovers(t *testing.T) {
	for _, tc := range []struct {
		sitemap, page string
		want          bool
	}{
		{"http://a.test/s.xml", "http://a.test/x/y", true},
		{"http://a.test/d/s.xml", "http://a.test/d", false},
		{"http://a.test/d/s.xml?u=/", "http://a.test/d/x", true},
		{"http://a.test/s.xml", "http://a.test:8080/x", false},
		{"http://a.test/s.xml", "http://a.test.evil.test/x", false},
		{"http://a.test", "http://a.test/x", true},
		{"http://a.test", "http://a.tester/x", false},
		{"http://a.test?s", "http://a.test/x", true},
	} {
		if got := Covers(tc.sitemap, tc.page); got != tc.want {
			t.Errorf("Covers(%q, %q) = %v, want %v", tc.sitemap, tc.page, got, tc.want)
		}
	}
}

// generated is a document that is written while it is read.
func generated(head, foot string, n int, line func(i int) string) io.Reader {
	return io.MultiReader(strings.NewReader(head), &lines{n: n, line: line}, strings.NewReader(foot))
}

type lines struct {
	n, i int
	line func(int) string
	rest string
}

func (l *lines) Read(p []byte) (int, error) {
	if l.rest == "" {
		if l.i == l.n {
			return 0, io.EOF
		}
		l.rest = l.line(l.i)
		l.i++
	}
	n := copy(p, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}

func urlLine(i int) string { return fmt.Sprintf("<url><loc>http://a.test/%d</loc></url>\n", i) }

func TestReadStopsAtTheLimits(t *testing.T) {
	long := "<!--" + strings.Repeat("x", 1<<20) + "-->"
	for _, tc := range []struct {
		name string
		doc  io.Reader
		want Summary
	}{
		{"50,000 entries", generated("<urlset>", "</urlset>", 50_000, urlLine), Summary{Kind: URLSet, Entries: 50_000}},
		{"50,001 entries", generated("<urlset>", "</urlset>", 50_001, urlLine), Summary{Kind: URLSet, Entries: 50_000, Stop: StopEntries}},
		{"50,001 lines", generated("", "", 50_001, func(i int) string { return fmt.Sprintf("http://a.test/%d\n", i) }), Summary{Kind: Text, Entries: 50_000, Stop: StopEntries}},
		{"51 MiB", generated("<urlset>"+urlLine(1), "</urlset>", 51, func(int) string { return long }), Summary{Kind: URLSet, Entries: 1, Stop: StopBytes}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			sum, err := Read(tc.doc, func(Entry) bool { return true })
			if err != nil || sum != tc.want {
				t.Errorf("Read = %+v, %v; want %+v", sum, err, tc.want)
			}
		})
	}
}

func TestReadEndsExactlyAtTheByteLimit(t *testing.T) {
	doc := "<urlset><url><loc>http://a.test/1</loc></url></urlset>"
	for extra, want := range map[string]Stop{"": StopNone, "\n": StopBytes} {
		sum, err := read(strings.NewReader(doc+extra), MaxEntries, int64(len(doc)), func(Entry) bool { return true })
		if err != nil || sum.Stop != want || sum.Entries != 1 {
			t.Errorf("with %q behind the limit: %+v, %v; want stop %q", extra, sum, err, want)
		}
	}
}

func TestReadDropsTheLineAtTheByteLimit(t *testing.T) {
	doc := "http://a.test/1\nhttp://a.test/23"
	sum, err := read(strings.NewReader(doc), MaxEntries, int64(len(doc)-1), func(Entry) bool { return true })
	if want := (Summary{Kind: Text, Entries: 1, Dropped: 1, Stop: StopBytes}); err != nil || sum != want {
		t.Errorf("read = %+v, %v; want %+v", sum, err, want)
	}
}

func TestReadInflatesNoBomb(t *testing.T) {
	var bomb bytes.Buffer
	z, err := gzip.NewWriterLevel(&bomb, gzip.BestSpeed)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(z, "<urlset>"+urlLine(1)+"<!--"); err != nil {
		t.Fatal(err)
	}
	zeros := make([]byte, 1<<20)
	for range 64 {
		if _, err := z.Write(zeros); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	sum, err := Read(bytes.NewReader(bomb.Bytes()), func(Entry) bool { return true })
	runtime.ReadMemStats(&after)
	if err != nil || sum.Stop != StopBytes || sum.Entries != 1 {
		t.Errorf("Read = %+v, %v; want one entry, stop %q", sum, err, StopBytes)
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 2<<20 {
		t.Errorf("allocated %d bytes, want a few buffers", used)
	}
}

func TestReadUnpacksByMagicBytes(t *testing.T) {
	doc := "<urlset>" + urlLine(1) + urlLine(2) + "</urlset>"
	once := packed(t, doc)
	twice := packed(t, string(once))
	damaged := bytes.Clone(packed(t, "<urlset>"+strings.Repeat(urlLine(1), 2000)+"</urlset>"))
	for i := len(damaged) / 2; i < len(damaged); i++ {
		damaged[i] ^= 0x55
	}
	for _, tc := range []struct {
		name string
		doc  []byte
		min  int
		stop Stop
	}{
		{"packed", once, 2, StopNone},
		{"packed twice", twice, 2, StopNone},
		{"two members", append(packed(t, "<urlset>"+urlLine(1)), packed(t, urlLine(2)+"</urlset>")...), 2, StopNone},
		{"garbage behind", append(bytes.Clone(once), "<!-- cached -->"...), 2, StopNone},
		{"zeros behind", append(bytes.Clone(once), make([]byte, 512)...), 2, StopNone},
		{"cut", packed(t, "<urlset>"+strings.Repeat(urlLine(1), 2000)+"</urlset>")[:200], 1, StopRead},
		{"damaged", damaged, 1, StopRead},
		{"magic bytes only", []byte{0x1F, 0x8B}, 0, StopRead},
	} {
		t.Run(tc.name, func(t *testing.T) {
			entries, sum, err := readAll(bytes.NewReader(tc.doc))
			if err != nil || len(entries) < tc.min || sum.Stop != tc.stop || (sum.Err != nil) != (tc.stop == StopRead) {
				t.Errorf("%d entries, %+v, %v; want %d or more, stop %q", len(entries), sum, err, tc.min, tc.stop)
			}
		})
	}
}

func TestReadKeepsWhatCameBeforeAnError(t *testing.T) {
	lost := errors.New("connection lost")
	r := io.MultiReader(strings.NewReader("<urlset>"+urlLine(1)+"<url><loc>http://a.test/2"), iotest.ErrReader(lost))
	entries, sum, err := readAll(r)
	if err != nil || len(entries) != 1 || sum.Stop != StopRead || !errors.Is(sum.Err, lost) {
		t.Errorf("%v, %+v, %v; want one entry and %v", entries, sum, err, lost)
	}
}

func TestReadStopsForTheCaller(t *testing.T) {
	calls := 0
	sum, err := Read(strings.NewReader("<urlset>"+urlLine(1)+urlLine(2)+"</urlset>"), func(Entry) bool { calls++; return false })
	if err != nil || calls != 1 || sum.Stop != StopCaller {
		t.Errorf("%d calls, %+v, %v; want 1, stop %q", calls, sum, err, StopCaller)
	}
}

func TestReadDropsEndlessFields(t *testing.T) {
	doc := "<urlset><url><loc>http://a.test/" + strings.Repeat("&amp;", 1<<20) + "</loc></url>" + urlLine(2) +
		"<url " + strings.Repeat("a ", 1<<20) + "><loc>http://a.test/3</loc></url></urlset>"
	entries, sum, err := readAll(strings.NewReader(doc))
	if got := locs(entries); err != nil || !slices.Equal(got, []string{"http://a.test/2", "http://a.test/3"}) || sum.Dropped != 1 {
		t.Errorf("%.200q, %+v, %v", got, sum, err)
	}
}

// FuzzRead holds that reading depends on the bytes alone, not on how they
// arrive or are packed, and that it keeps its limits.
func FuzzRead(f *testing.F) {
	for _, d := range documents {
		f.Add([]byte(d.doc))
	}
	f.Add(packed(f, "<urlset><url><loc>http://a.test/1</loc></url></urlset>"))
	f.Add([]byte("\xFF\xFE<\x00u\x00r\x00l\x00>\x00"))
	f.Add([]byte(`<?xml version="1.0" encoding="koi8-r"?><urlset><url><loc>http://a.test/` + "\xC1</loc></url></urlset>"))
	f.Fuzz(func(t *testing.T, doc []byte) {
		entries, sum, err := readAll(bytes.NewReader(doc))
		if sum.Entries != len(entries) || sum.Entries > MaxEntries {
			t.Errorf("%d entries, summary says %d", len(entries), sum.Entries)
		}
		for _, e := range entries {
			if e.Loc == "" || len(e.Loc) > 3*maxText || trimSpace(e.Loc) != e.Loc {
				t.Errorf("loc %.100q", e.Loc)
			}
		}
		slowly, slowSum, slowErr := readAll(iotest.OneByteReader(bytes.NewReader(doc)))
		if !slices.Equal(entries, slowly) || !errors.Is(slowErr, err) || sum.Stop != slowSum.Stop {
			t.Errorf("byte by byte: %v, %+v, %v\nat once: %v, %+v, %v", slowly, slowSum, slowErr, entries, sum, err)
		}
		if len(doc) > 1 && doc[0] == 0x1F {
			return // packing it once more would reach the bound of layers
		}
		unpacked, _, packedErr := readAll(bytes.NewReader(packed(t, string(doc))))
		if !slices.Equal(entries, unpacked) || !errors.Is(packedErr, err) {
			t.Errorf("packed: %v, %v\nplain: %v, %v", unpacked, packedErr, entries, err)
		}
	})
}

func BenchmarkRead(b *testing.B) {
	var doc strings.Builder
	doc.WriteString(urlHead)
	for i := range 10_000 {
		fmt.Fprintf(&doc, "  <url>\n    <loc>http://www.example.test/catalogue/item?id=%d&amp;lang=en</loc>\n    <lastmod>2024-03-%02dT10:20:30+00:00</lastmod>\n    <changefreq>weekly</changefreq>\n    <priority>0.5</priority>\n  </url>\n", i, i%28+1)
	}
	doc.WriteString(urlFoot)
	b.SetBytes(int64(doc.Len()))
	b.ReportAllocs()
	for b.Loop() {
		if sum, err := Read(strings.NewReader(doc.String()), func(Entry) bool { return true }); err != nil || sum.Entries != 10_000 {
			b.Fatal(sum, err)
		}
	}
}

// TestReadIsNotFedForEver has gzip layers that make nothing of what they read.
func TestReadIsNotFedForEver(t *testing.T) {
	const limit = 10_000
	packed := func(b []byte) []byte {
		var out bytes.Buffer
		w := gzip.NewWriter(&out)
		w.Write(b)
		w.Close()
		return out.Bytes()
	}
	nothing := bytes.Repeat(packed(nil), limit)
	for name, body := range map[string][]byte{"one layer": nothing, "two layers": packed(nothing)} {
		sum, err := read(bytes.NewReader(body), MaxEntries, limit, func(Entry) bool { return true })
		if sum.Stop != StopBytes {
			t.Errorf("%s: read = %+v, %v; want it to stop at the limit", name, sum, err)
		}
	}
}
