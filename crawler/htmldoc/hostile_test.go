package htmldoc

import (
	"bytes"
	"runtime"
	"strings"
	"testing"
)

// hostilePages are documents that break parsers which recurse, back up or
// keep what they are given. Each ends in a link that must be found unless
// the page is one that hides it from a browser too.
var hostilePages = []struct {
	name  string
	page  func(n int) string // about n bytes
	hides bool
}{
	{"deep nesting", func(n int) string { return strings.Repeat("<div>", n/5) }, false},
	{"deep phrases", func(n int) string { return strings.Repeat("<b>", n/3) }, false},
	{"deep unknown elements", func(n int) string { return strings.Repeat("<x-y>", n/5) }, false},
	{"deep tables", func(n int) string { return strings.Repeat("<table><tr><td>", n/15) }, false},
	{"deep drawings", func(n int) string { return strings.Repeat("<svg>", n/5) + "<p>" }, false},
	{"deep lists without ends", func(n int) string { return strings.Repeat("<ul><li>", n/8) }, false},
	{"open anchors", func(n int) string { return strings.Repeat("<a href>", n/8) }, false},
	{"end tags of nothing", func(n int) string { return strings.Repeat("<b>", 300) + strings.Repeat("</i>", n/4) }, false},
	{"open then closed", func(n int) string { return strings.Repeat("<div>", n/11) + strings.Repeat("</div>", n/11) }, false},
	{"one attribute", func(n int) string { return `<p title="` + strings.Repeat("x", n) + `">` }, false},
	{"one reference", func(n int) string { return `<a href="` + strings.Repeat("&amp;", n/5) + `">` }, false},
	{"many attributes", func(n int) string { return "<a " + strings.Repeat("b ", n/2) + ">" }, false},
	{"many classes", func(n int) string { return `<a href=x rel="` + strings.Repeat("b ", n/2) + `">` }, false},
	{"attribute of ampersands", func(n int) string { return `<a href="` + strings.Repeat("&", n) + `">` }, false},
	{"one name", func(n int) string { return "<" + strings.Repeat("x", n) + ">" }, false},
	{"NULs", func(n int) string { return strings.Repeat("\x00", n) }, false},
	{"NULs in tags", func(n int) string { return strings.Repeat("<\x00a\x00 \x00=\x00>", n/10) }, false},
	{"blanks", func(n int) string { return "<a href=1>" + strings.Repeat(" ", n) + "</a>" }, false},
	{"no-break spaces", func(n int) string { return strings.Repeat("\u00a0", n/2) }, false},
	{"invalid UTF-8", func(n int) string { return strings.Repeat("\xe2\xc2\xff", n/3) }, false},
	{"angle brackets", func(n int) string { return strings.Repeat("<", n) }, false},
	{"comments without end", func(n int) string { return strings.Repeat("<!--", n/4) }, true},
	{"script without end", func(n int) string { return "<script>" + strings.Repeat("<!--<script>", n/12) }, true},
	{"JSON-LD of brackets", func(n int) string {
		return `<script type=application/ld+json>"datePublished"` + strings.Repeat(`[{"`, n/3) + "</script>"
	}, false},
	{"JSON-LD of dates", func(n int) string {
		return `<script type=application/ld+json>` + strings.Repeat(`{"datePublished":`, n/17) + "</script>"
	}, false},
	{"templates", func(n int) string { return strings.Repeat("<template>", n/10) }, true},
	{"metas", func(n int) string { return strings.Repeat("<meta name=robots content=x>", n/28) }, false},
	{"refreshes", func(n int) string { return strings.Repeat("<meta http-equiv=refresh content=0;x>", n/37) }, false},
	{"titles", func(n int) string { return strings.Repeat("<title></title>", n/15) }, false},
	{"open loaders", func(n int) string { return strings.Repeat("<b data-url=/>x ", n/16) }, false},
	{"loaders", func(n int) string { return strings.Repeat("<b data-url=/>x</b>", n/19) }, false},
	{"options", func(n int) string { return "<select>" + strings.Repeat("<option value=/>1", n/17) }, false},
	{"hyphens", func(n int) string { return "<b " + strings.Repeat("data-", n/5) + ">" }, false},
	{"paragraphs in a paragraph", func(n int) string { return strings.Repeat("<p>", n/3) }, false},
	{"empty page", func(int) string { return "" }, false},
}

func TestHostilePagesCostNoMoreThanTheirLength(t *testing.T) {
	const size = 1 << 18
	for _, tc := range hostilePages {
		t.Run(tc.name, func(t *testing.T) {
			page := []byte(tc.page(size) + "<p><a href=/end>end</a>")
			for _, o := range []Options{{}, {Outline: true, Text: 1 << 30}} {
				var p Parser
				before := allocated()
				got := p.Parse(page, o)
				const times = 80 // counts what growing buffers threw away; links and nodes are wider than the shortest tags
				if used := allocated() - before; used > times*uint64(len(page))+1<<20 {
					t.Errorf("Parse of %d bytes with %+v allocated %d bytes", len(page), o, used)
				}
				if found := len(got.Links) > 0 && got.Links[len(got.Links)-1].Href == "/end"; found == tc.hides {
					t.Errorf("last link found: %t, want %t", found, !tc.hides)
				}
			}
		})
	}
}

// allocated returns the bytes that were allocated so far.
func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}

func TestParserKeepsNoHugeBuffers(t *testing.T) {
	var p Parser
	p.Parse(bytes.Repeat([]byte("<a href=xxxxxxxxxxxxxxxx class=y>text</a>"), 1<<16), Options{Outline: true})
	p.Parse([]byte("x"), Options{})
	if n := cap(p.text.buf) + cap(p.arena) + cap(p.links) + cap(p.outline.nodes) + cap(p.outline.arena); n > 5<<20 {
		t.Errorf("after a huge page and a small one the parser holds buffers of %d elements", n)
	}
}

func BenchmarkHostile(b *testing.B) {
	for _, tc := range hostilePages {
		b.Run("page="+strings.ReplaceAll(tc.name, " ", "-"), func(b *testing.B) {
			page := []byte(tc.page(1 << 20))
			b.SetBytes(int64(len(page)))
			var p Parser
			for b.Loop() {
				p.Parse(page, Options{Outline: true})
			}
		})
	}
}
