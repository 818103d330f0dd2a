package robots

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf16"
)

// verdicts are files, targets and what hashcrawl may request. They are seeds
// of the fuzz test too.
var verdicts = []struct {
	name, body, target string
	want               bool
	line               int
}{
	{"no file", "", "/x", true, 0},
	{"longest rule decides, not the first", "User-agent: *\nDisallow: /a\nAllow: /a/b\n", "/a/b/c", true, 3},
	{"of two as long the one that allows", "User-agent: *\nDisallow: /a*\nAllow: /*a\n", "/a", true, 3},
	{"of two the same the first is named", "User-agent: *\nDisallow: /a\nDisallow: /a\n", "/a", false, 2},
	{"length counts each star", "User-agent: *\nAllow: /a/\nDisallow: /***\n", "/a/", false, 3},
	{"length counts the end mark", "User-agent: *\nAllow: /a\nDisallow: /a$\n", "/a", false, 3},
	{"length is that of the normal form", "User-agent: *\nAllow: /%61b\nDisallow: /ab\n", "/ab", true, 2},
	{"length of an escaped letter is three", "User-agent: *\nAllow: /é\nDisallow: /*é\n", "/%C3%A9", false, 3},

	{"wildcards are anchored", "User-agent: *\nDisallow: /a*b\n", "/xa1b", true, 0},
	{"a star matches nothing too", "User-agent: *\nDisallow: /a*b*c\n", "/abc", false, 2},
	{"pieces do not overlap", "User-agent: *\nDisallow: /aba*aba$\n", "/ababa", true, 0},
	{"the last piece can stand twice", "User-agent: *\nDisallow: /*.php$\n", "/a.php.php", false, 2},
	{"an end mark is no prefix", "User-agent: *\nDisallow: /*.php$\n", "/a.php?x", true, 0},
	{"star then end", "User-agent: *\nDisallow: /a*$\n", "/abc", false, 2},
	{"end mark alone", "User-agent: *\nDisallow: $\n", "/", true, 0},
	{"star alone", "User-agent: *\nDisallow: *\n", "/", false, 2},
	{"star instead of the slash", "User-agent: *\nDisallow: *b\n", "/ab", false, 2},
	{"dollar inside is a dollar", "User-agent: *\nDisallow: /a$b$\n", "/a$b", false, 2},
	{"escaped dollar at the end is a dollar", "User-agent: *\nDisallow: /a%24\n", "/a$x", false, 2},
	{"escaped star is a star", "User-agent: *\nDisallow: /a%2ab\n", "/axb", true, 0},
	{"escaped star is a raw star", "User-agent: *\nDisallow: /a%2ab\n", "/a*b", false, 2},
	{"star in the target", "User-agent: *\nDisallow: /a*b\n", "/a%2A%2ab", false, 2},

	{"escapes of letters are letters", "User-agent: *\nDisallow: /%61%2Dz\n", "/a-z", false, 2},
	{"also in the target", "User-agent: *\nDisallow: /a-z\n", "/%61%2dz", false, 2},
	{"an escaped slash is no slash", "User-agent: *\nDisallow: /a/b\n", "/a%2Fb", true, 0},
	{"digits of escapes have no case", "User-agent: *\nDisallow: /a%2fb\n", "/a%2Fb", false, 2},
	{"a blank matches no escape", "User-agent: *\nDisallow: /a b\n", "/a%20b", true, 0},
	{"bytes that no URL holds are escaped on the wire", "User-agent: *\nDisallow: /a|b\n", "/a%7Cb", false, 2},
	{"a stray percent is escaped on the wire", "User-agent: *\nDisallow: /100%\n", "/100%25", false, 2},
	{"percent and one digit", "User-agent: *\nDisallow: /%4\n", "/%4", false, 2},
	{"no double decoding", "User-agent: *\nDisallow: /%2561\n", "/%61", true, 0},
	{"bytes that are no UTF-8", "User-agent: *\nDisallow: /\xFC\n", "/%fc", false, 2},

	{"ugly URL, raw slash", "User-agent: *\nDisallow: /?_escaped_fragment_=/a\n", "/?_escaped_fragment_=/a/b", false, 2},
	{"ugly URL, escaped ampersand", "User-agent: *\nDisallow: /*_escaped_fragment_=*%26x=\n", "/?_escaped_fragment_=k=v%26x=1", false, 2},
	{"ugly URL behind a query", "User-agent: *\nDisallow: /*?_escaped_fragment_\n", "/?a=1&_escaped_fragment_=x", true, 0},
	{"a state in a rule is a comment", "User-agent: *\nDisallow: /#!private\n", "/other", false, 2},

	{"robots.txt is always allowed", "User-agent: *\nDisallow: /\n", "/robots.txt", true, 0},
	{"but not what begins so", "User-agent: *\nDisallow: /\n", "/robots.txt?x", false, 2},
	{"an empty target is the root", "User-agent: *\nDisallow: /$\n", "", false, 2},

	{"own group and not the others'", "User-agent: *\nDisallow: /\nUser-agent: hashcrawl\nDisallow: /a\n", "/b", true, 0},
	{"groups of one name are merged", "User-agent: hashcrawl\nDisallow: /a\nUser-agent: x\nDisallow: /\nUser-agent: HashCrawl/2\nAllow: /a/b\n", "/a/b", true, 6},
	{"names in a run share their rules", "User-agent: x\n\n# c\nUser-agent: hashcrawl\nSitemap: s\nfoo: bar\nDisallow: /\n", "/", false, 7},
	{"an empty rule ends the run", "User-agent: hashcrawl\nDisallow:\nUser-agent: x\nDisallow: /\n", "/", true, 0},
	{"no group for us", "User-agent: x\nDisallow: /\n", "/", true, 0},
	{"part of our name is not ours", "User-agent: hashcrawl-news\nUser-agent: hash\nUser-agent: crawl\nDisallow: /\n", "/", true, 0},
	{"a name behind another is not read", "User-agent: Mozilla/5.0 (compatible; hashcrawl)\nDisallow: /\n", "/", true, 0},
	{"rules before any name", "Disallow: /\nAllow: /\nUser-agent: *\nDisallow: /a\n", "/b", true, 0},
	{"misspelt and without colons", "user agent *\nuseragent *\ndisalow /a\n", "/a", false, 3},
	{"allow is known by its beginning", "User-agent: *\nDisallow: /a\nAllowed: /a/b\n", "/a/b", true, 3},
	{"blanks are tabs too", "\v User-agent\t:\t*\f\n\tDisallow\t:\t/a\t#c\n", "/a", false, 2},
	{"CR, CR LF and LF count as one line each", "User-agent: *\r\rDisallow: /b\r\n\r\nDisallow: /a\n", "/a", false, 5},
	{"NUL ends a line", "User-agent: *\nDisallow: /a\x00b\n", "/a", false, 2},
	{"mark before the first line", "\uFEFFUser-agent: *\nDisallow: /a\n", "/a", false, 2},
}

func TestVerdicts(t *testing.T) {
	for _, tc := range verdicts {
		t.Run(tc.name, func(t *testing.T) {
			v := Parse([]byte(tc.body)).Rules("hashcrawl").Test(tc.target)
			if v.Allowed != tc.want || v.Line != tc.line {
				t.Errorf("%s\nTest(%q) = %+v, want %v by line %d", tc.body, tc.target, v, tc.want, tc.line)
			}
		})
	}
}

func TestVerdictNamesItsEvidence(t *testing.T) {
	file := Parse([]byte("User-agent: x\nUser-agent: HashCrawl/1.0 # ours\nDisallow : /a  # why\nUser-agent: hashcrawl\nAllow: /a/b\n"))
	for target, want := range map[string]Verdict{
		"/a":   {Allowed: false, Group: "HashCrawl/1.0", Rule: "Disallow : /a", Line: 3},
		"/a/b": {Allowed: true, Group: "hashcrawl", Rule: "Allow: /a/b", Line: 5},
		"/c":   {Allowed: true, Group: "HashCrawl/1.0"},
	} {
		if got := file.Rules("hashcrawl").Test(target); got != want {
			t.Errorf("Test(%q) = %+v, want %+v", target, got, want)
		}
	}
	if got := file.Rules("other").Test("/a"); got != (Verdict{Allowed: true}) {
		t.Errorf("without a group: %+v", got)
	}
}

func TestRulesFindsGroupsByAgent(t *testing.T) {
	file := Parse([]byte("User-agent: *\nDisallow: /\nUser-agent: hashcrawl\nDisallow: /a\n"))
	for agent, own := range map[string]bool{
		"hashcrawl":     true,
		"HashCrawl":     true,
		"hashcrawl/1.2": true,
		"Mozilla/5.0 (compatible; hashcrawl/1.2; +http://a.test/)": true,
		"Mozilla hashcrawl 1.2": true,
		"hashcrawl bot":         false, // no token, and no version that would make it a header
		"xhashcrawl":            false,
		"hashcrawl-x/1":         false,
		"*":                     false,
		"":                      false,
	} {
		if got := file.Rules(agent).Test("/b").Allowed; got != own {
			t.Errorf("Rules(%q): own group %v, want %v", agent, got, own)
		}
	}
}

func TestCrawlDelay(t *testing.T) {
	for _, tc := range []struct {
		name, body string
		want       time.Duration
		ok         bool
	}{
		{"each of a run has its own", "User-agent: x\nCrawl-delay: 1\nUser-agent: hashcrawl\nCrawl-delay: 2\nDisallow: /\n", 2 * time.Second, true},
		{"behind the rules", "User-agent: x\nUser-agent: hashcrawl\nDisallow: /\nCrawl-delay: 3\n", 3 * time.Second, true},
		{"the longest of several", "User-agent: hashcrawl\nCrawl-delay: 3\nCrawl-delay: 1\nUser-agent: x\nDisallow:\nUser-agent: hashcrawl\nCrawl-delay: 2\n", 3 * time.Second, true},
		{"own group without one", "User-agent: *\nCrawl-delay: 3\nUser-agent: hashcrawl\nDisallow: /\n", 0, false},
		{"zero", "User-agent: *\nCrawl-delay: 0\n", 0, true},
		{"fraction", "User-agent: *\nCrawl-delay: .25\n", 250 * time.Millisecond, true},
		{"unit", "User-agent: *\nCrawl-delay: 10s\n", 0, false},
		{"comma", "User-agent: *\nCrawl-delay: 1,5\n", 0, false},
		{"two points", "User-agent: *\nCrawl-delay: 1.2.3\n", 0, false},
		{"sign", "User-agent: *\nCrawl-delay: +1\n", 0, false},
		{"exponent", "User-agent: *\nCrawl-delay: 1e3\n", 0, false},
		{"not a number", "User-agent: *\nCrawl-delay: NaN\n", 0, false},
		{"longer than time", "User-agent: *\nCrawl-delay: 9223372037\n", 0, false},
		{"no value", "User-agent: *\nCrawl-delay:\n", 0, false},
		{"without a colon", "User-agent: *\nCrawl-delay 4\n", 4 * time.Second, true},
		{"before any name", "Crawl-delay: 4\nUser-agent: *\nDisallow:\n", 0, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got, ok := Parse([]byte(tc.body)).Rules("hashcrawl").CrawlDelay(); got != tc.want || ok != tc.ok {
				t.Errorf("%s\nCrawlDelay() = %v, %v; want %v, %v", tc.body, got, ok, tc.want, tc.ok)
			}
		})
	}
}

func TestLinesOutsideGroups(t *testing.T) {
	file := Parse([]byte("Sitemap: http://a.test/1.xml\nUser-agent: *\nClean-param: ref&utm /shop/\nclean-param: sid\nClean-param: & /x\nSITEMAP:http://a.test/2.xml # b\nSite-map: http://a.test/1.xml\nDisallow: /\n"))
	if got, want := file.Sitemaps(), []string{"http://a.test/1.xml", "http://a.test/2.xml"}; !slices.Equal(got, want) {
		t.Errorf("Sitemaps() = %q, want %q", got, want)
	}
	want := "[{[ref utm] /shop/ 3} {[sid]  4}]"
	if got := fmt.Sprint(file.CleanParams()); got != want {
		t.Errorf("CleanParams() = %s, want %s", got, want)
	}
}

func TestNotesTellTheWebmaster(t *testing.T) {
	file := Parse([]byte("Disallow: /early\nUser-agent: *\nDisallow: /*#!\nDisallow: private\nNoindex: /x\nCrawl-delay: soon\nnonsense\n"))
	want := []Note{
		{1, NoteOrphan, "Disallow: /early"},
		{3, NoteHashbang, "Disallow: /*#!"},
		{4, NoteNoSlash, "Disallow: private"},
		{5, NoteUnknown, "Noindex: /x"},
		{6, NoteDelay, "Crawl-delay: soon"},
	}
	if got := file.Notes(); !slices.Equal(got, want) {
		t.Errorf("Notes() = %v\nwant %v", got, want)
	}
	if got := len(Parse(bytes.Repeat([]byte("x: y\n"), 1000)).Notes()); got != maxNotes {
		t.Errorf("%d notes, want %d at most", got, maxNotes)
	}
}

func TestParseUsesTheFirst500KiB(t *testing.T) {
	head := "User-agent: *\nDisallow: /a\n#"
	fill := func(last string) []byte {
		return []byte(head + strings.Repeat("x", MaxBytes-len(head)-len(last)) + last)
	}
	for _, tc := range []struct {
		name, last, behind, target string
		want                       bool
	}{
		{"before the limit", "", "\nDisallow: /", "/a", false},
		{"behind the limit", "", "\nDisallow: /", "/b", true},
		{"a line up to the limit", "\nDisallow: /b\n", "Disallow: /\n", "/b", false},
		{"a line across the limit is not cut short", "\nDisallow: /", "private\n", "/b", true},
		{"the last line needs no end", "\nDisallow: /b", "", "/b", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			file := Parse(append(fill(tc.last), tc.behind...))
			if v := file.Rules("hashcrawl").Test(tc.target); v.Allowed != tc.want {
				t.Errorf("Test(%q) = %+v, want %v", tc.target, v, tc.want)
			}
			notes := file.Notes()
			if cut := len(notes) > 0 && notes[len(notes)-1].Kind == NoteTruncated; cut != (tc.behind != "") {
				t.Errorf("notes %v", notes)
			}
		})
	}
}

func TestParseReadsUTF16WithItsMark(t *testing.T) {
	text := "\uFEFFUser-agent: *\nDisallow: /caf\u00E9\U0001F600\n"
	for name, order := range map[string]binary.AppendByteOrder{"little": binary.LittleEndian, "big": binary.BigEndian} {
		var body []byte
		for _, unit := range utf16.Encode([]rune(text)) {
			body = order.AppendUint16(body, unit)
		}
		if v := Parse(append(body, 0)).Rules("x").Test("/caf%C3%A9%F0%9F%98%80"); v.Allowed || v.Line != 2 {
			t.Errorf("%s endian: %+v", name, v)
		}
	}
}

func TestTestDoesNotAllocate(t *testing.T) {
	rules := Parse(typical(t)).Rules("hashcrawl")
	for _, target := range []string{
		"/catalogue/shoes?page=2", "/?_escaped_fragment_=/caf%C3%A9%26x", "/" + strings.Repeat("a", 2000),
	} {
		if n := testing.AllocsPerRun(100, func() { rules.Test(target) }); n != 0 {
			t.Errorf("Test(%.60q) allocates %v times", target, n)
		}
	}
}

// TestHostileFilesAreHarmless would not end in our lifetime if anything in
// it took more than linear time.
func TestHostileFilesAreHarmless(t *testing.T) {
	target := "/" + strings.Repeat("a", 2000)
	for name, text := range hostile() {
		t.Run(name, func(t *testing.T) {
			rules := Parse([]byte(text)).Rules("hashcrawl")
			for range 10 {
				rules.Test(target)
			}
		})
	}
}

// TestRealFilesOfTheCorpus holds the verdicts on robots.txt files of real sites that
// name the scheme, from the rows L39 to L59 of the scheme's corpus.
func TestRealFilesOfTheCorpus(t *testing.T) {
	for _, tc := range []struct {
		file, agent, target string
		want                bool
	}{
		{"groups.google.com", "hashcrawl", "/forum/?_escaped_fragment_=topic/x", true},
		{"twitter.com", "Googlebot", "/?_escaped_fragment_=/user", true},
		{"twitter.com", "Googlebot", "/search?q=%23x", true},
		{"twitter.com", "Googlebot", "/search?q=x", false},
		{"twitter.com", "Googlebot", "/user?x=1", false},
		{"www.alibaba.com", "hashcrawl", "/?lang=en&_escaped_fragment_=/user", false},
		{"www.alibaba.com", "hashcrawl", "/?_escaped_fragment_=/user", true},
		{"sourceforge.net", "hashcrawl", "/p/?_escaped_fragment_=", false},
		{"sourceforge.net", "hashcrawl", "/p/", true},
		{"www.lg.com", "hashcrawl", "/?_escaped_fragment_=x", false},
	} {
		t.Run(tc.file+tc.target, func(t *testing.T) {
			body := corpusFile(t, "real/"+tc.file+".txt")
			if v := Parse(body).Rules(tc.agent).Test(tc.target); v.Allowed != tc.want {
				t.Errorf("%s: Test(%q) = %+v, want %v", tc.agent, tc.target, v, tc.want)
			}
		})
	}
}

func TestTargetKeepsBytes(t *testing.T) {
	for url, want := range map[string]string{
		"http://a.test/?_escaped_fragment_=/a": "/?_escaped_fragment_=/a",
		"http://a.test?x#!y":                   "/?x",
		"http://a.test#/x":                     "/",
		"http://a.test//b?c=http://d/":         "//b?c=http://d/",
		"/a?u=http://b/":                       "/a?u=http://b/",
		"":                                     "/",
	} {
		if got := Target(url); got != want {
			t.Errorf("Target(%q) = %q, want %q", url, got, want)
		}
	}
}
