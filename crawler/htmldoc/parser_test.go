package htmldoc

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hashcrawl/hashcrawl/ajaxscheme"
)

// linkLine writes a link as "index kind href|text rel".
func linkLine(l Link) string {
	s := strconv.Itoa(l.Index) + " " + l.Kind.String() + " " + l.Href + "|" + l.Text
	if l.Rel != 0 {
		s += " " + l.Rel.String()
	}
	return s
}

func linkLines(p *Page) []string {
	lines := make([]string, len(p.Links))
	for i, l := range p.Links {
		lines[i] = linkLine(l)
	}
	return lines
}

func TestParseFindsLinks(t *testing.T) {
	for _, tc := range []struct {
		name, doc string
		want      []string
	}{
		{"one", `<a href="/x">X</a>`, []string{"0 a /x|X"}},
		{"reference kept raw", "<a href=\" #!a b\t\">x</a>", []string{"0 a  #!a b\t|x"}},
		{"character references", `<a href="?a=1&amp;b=2&copy=3&#x23;">&lt;x&gt;</a>`, []string{"0 a ?a=1&b=2&copy=3#|<x>"}},
		{"carriage return in a value", "<a href=\"a\r\nb\rc\">x</a>", []string{"0 a a\nb\nc|x"}},
		{"upper-case names", `<A HREF=/Up REL=NOFOLLOW>x</A>`, []string{"0 a /Up|x nofollow"}},
		{"unquoted value with a slash", `<a href=/x/>y</a>`, []string{"0 a /x/|y"}},
		{"first of two attributes", `<a href=1 href=2>x</a>`, []string{"0 a 1|x"}},
		{"no value and empty value", `<a href>x</a><a href="">y</a>`, []string{"0 a |x", "1 a |y"}},
		{"an anchor without href has no index", `<a name=n>x</a><a href=1>y</a>`, []string{"0 a 1|y"}},
		{
			"other schemes", `<a href="javascript:void(0)">x</a><a href="MAILTO:a@b.test">y</a>`,
			[]string{"0 a javascript:void(0)|x", "1 a MAILTO:a@b.test|y"},
		},
		{
			"outside the body", `<a href=0>a</a><head><a href=1>b</a></head></body></html><a href=2>c`,
			[]string{"0 a 0|a", "1 a 1|b", "2 a 2|c"},
		},
		{
			"areas and frames have no index",
			`<area href=a alt=" the  area " rel=ugc><frame src=f><iframe src=i srcdoc="<a href=no>"></iframe><a href=b>b</a>`,
			[]string{"-1 area a|the area ugc", "-1 frame f|", "-1 iframe i|", "0 a b|b"},
		},
		{
			"link elements", `<link rel="next" href=n><link rel=PREVIOUS href=p><link rel=canonical href=c>` +
				`<link rel=amphtml href=m><link rel=alternate hreflang=de href=d><link rel=stylesheet href=s><link rel=next>`,
			[]string{"-1 link-next n| next", "-1 link-prev p| prev", "-1 link-canonical c|", "-1 link-amphtml m|", "-1 link-alternate d|"},
		},
		{
			"feeds and style sheets are no pages", `<link rel=alternate type="application/rss+xml" href=f>` +
				`<link rel="alternate stylesheet" href=s><link rel=alternate type="Text/HTML; charset=utf-8" href=h>`,
			[]string{"-1 link-alternate h|"},
		},
		{"forms are no links", `<form action=/search><input name=q></form>`, []string{}},
		{
			"rel tokens", `<a rel="external nofollow  UGC" href=1>x</a><a rel=nofollow,sponsored href=2>y</a><a rel="prev bookmark" href=3>z</a>`,
			[]string{"0 a 1|x nofollow ugc", "1 a 2|y nofollow sponsored", "2 a 3|z prev bookmark"},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := linkLines(Parse([]byte(tc.doc), Options{})); !slices.Equal(got, tc.want) {
				t.Errorf("Parse(%q).Links = %q, want %q", tc.doc, got, tc.want)
			}
		})
	}
}

func TestParseKnowsWhatIsMarkup(t *testing.T) {
	for _, tc := range []struct {
		name, doc string
		want      []string
	}{
		{"noscript is markup", `<noscript><a href=1>x</a></noscript>`, []string{"0 a 1|x"}},
		{"noscript in the head is markup", `<head><noscript><link rel=next href=n></noscript>`, []string{"-1 link-next n| next"}},
		{"template is inert", `<template><a href=1>x</a><template></template><a href=2>y</a></template><a href=3>z</a>`, []string{"0 a 3|z"}},
		{
			"drawing in a template", `<template><svg><path></svg></template><title><a href=no></title><template><svg></template><title><a href=no></title><a href=1>x</a>`,
			[]string{"0 a 1|x"},
		},
		{
			"declared shadow root is shown", `<div><template shadowrootmode=open><a href=1>x</a></template></div><a href=2>y</a>`,
			[]string{"0 a 1|x", "1 a 2|y"},
		},
		{
			"raw text elements", `<script>"<a href=1>"</script><style><a href=2></style><textarea><a href=3></textarea>` +
				`<title><a href=4></title><xmp><a href=5></xmp><noframes><a href=6></noframes><noembed><a href=7></noembed><a href=8>x</a>`,
			[]string{"0 a 8|x"},
		},
		{"script that writes a script", `<script><!--<script></script><a href=1>--></script><a href=2>x</a>`, []string{"0 a 2|x"}},
		{
			"comments", `<!-- <a href=1> --><!><!-><a href=2>x</a><!--><a href=3>y</a><!--- <a href=4> --!><a href=5>z</a>`,
			[]string{"0 a 2|x", "1 a 3|y", "2 a 5|z"},
		},
		{
			"empty elements of a drawing", `<svg><title/><style/><script/><a href=1>x</a></svg><a href=2>y</a>`,
			[]string{"0 a 1|x", "1 a 2|y"},
		},
		{
			"HTML in a drawing", `<svg><foreignObject><title><a href=no></title><a href=1>x</a></foreignObject><style/></svg><a href=2>y</a>`,
			[]string{"0 a 1|x", "1 a 2|y"},
		},
		{"HTML ends an open drawing", `<svg><path><p><title><a href=no></title><a href=1>x</a>`, []string{"0 a 1|x"}},
		{"old references in drawings", `<svg><a xlink:href=1><text>x</text></a></svg><a xlink:href=no>y</a>`, []string{"-1 a 1|x"}},
		{
			"CDATA in a drawing", `<svg><script><![CDATA[ if (a>b) "<a href=no>" ]]></script><a href=1><![CDATA[<x>]]></a></svg><![CDATA[ > <a href=2>y</a>]]>`,
			[]string{"0 a 1|<x>", "1 a 2|y"},
		},
		{"style of a drawing", `<a href=1><svg><style>.a{}</style><text>x</text></svg></a>`, []string{"0 a 1|x"}},
		{"source of a formula", `<a href=1><math><mi>x</mi><annotation>\\x</annotation></math></a>`, []string{"0 a 1|x"}},
		{"formula", `<math><mi><title>a</title></mi><style/><a href=1>x</a></math>`, []string{"0 a 1|x"}},
		{"plaintext", `<a href=1>x</a><plaintext><a href=2>`, []string{"0 a 1|x"}},
		{"tag cut off by the end", `<a href=1>x</a><a href=2`, []string{"0 a 1|x"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := linkLines(Parse([]byte(tc.doc), Options{})); !slices.Equal(got, tc.want) {
				t.Errorf("Parse(%q).Links = %q, want %q", tc.doc, got, tc.want)
			}
		})
	}
}

func TestLinkTextIsWhatPeopleSee(t *testing.T) {
	long := strings.Repeat("ä", 400)
	for _, tc := range []struct {
		name, doc string
		want      []string
	}{
		{"folded", "<a href=1>\n  Next&nbsp;\u3000 page <b>2</b>\t</a>", []string{"Next page 2"}},
		{"phrases do not part words, blocks do", `<a href=1><b>N</b>ext<div>page</div>two<br>three</a>`, []string{"Next page two three"}},
		{"scripts and comments inside", `<a href=1>a<!-- x --><script>b</script>c</a>`, []string{"ac"}},
		{"alt for want of text", `<a href=1> <img><img alt=""><img alt=" the  picture "><img alt=second> </a>`, []string{"the picture"}},
		{"text before alt", `<a href=1><img alt=picture>text</a>`, []string{"text"}},
		{"alt of an image outside", `<a href=1></a><img alt=x>`, []string{""}},
		{"a drawing's title is not shown", `<a href=1><svg><title>icon</title></svg></a>`, []string{""}},
		{"a new anchor ends the old", `<a href=1>one<a href=2>two</a> three`, []string{"one", "two"}},
		{"an anchor without href ends the old", `<a href=1>one<a name=n>two</a>`, []string{"one"}},
		{"the end of what lies around ends it", `<ul><li><a href=1>one</li><li>two</li></ul><div><a href=2>three</div>four`, []string{"one", "three"}},
		{
			"cell and item without end tags", `<table><tr><td><a href=1>one<td>two<tr><td><a href=2>three</table><ul><li><a href=3>four<li>five</ul>`,
			[]string{"one", "three", "four"},
		},
		{"anchor around an item", `<ul><a href=1><li>one</li></a></ul>`, []string{"one"}},
		{"anchor around blocks", `<a href=1><div><h2>one</h2><ul><li>two<li>three</ul></div></a>four`, []string{"one two three"}},
		{"stray end tags", `<a href=1>one</b></p></i>two</a>`, []string{"one two"}},
		{"NULs", "<a href=1>o\x00n\x00e</a>", []string{"one"}},
		{"cut before a blank", `<a href=1>` + strings.Repeat("x", 511) + " y</a>", []string{strings.Repeat("x", 511)}},
		{"cut on a rune", `<a href=1>` + long + `</a>`, []string{strings.Repeat("ä", 256)}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var got []string
			for _, l := range Parse([]byte(tc.doc), Options{}).Links {
				got = append(got, l.Text)
			}
			if !slices.Equal(got, tc.want) {
				t.Errorf("Parse(%q) link texts = %q, want %q", tc.doc, got, tc.want)
			}
		})
	}
}

func TestParseReadsTheHead(t *testing.T) {
	for _, tc := range []struct {
		name, doc string
		got       func(*Page) string
		want      string
	}{
		{"title", "<title>\n A &amp;\n B </title><title>C</title>", title, "A & B"},
		{"title in the body", `<body><p>x<title>T</title>`, title, "T"},
		{"an empty title gives way", `<title> </title><title>T</title>`, title, "T"},
		{"title of a drawing", `<svg><title>icon</title></svg>`, title, ""},
		{"long title", "<title>" + strings.Repeat("x", 5000) + "</title>", title, strings.Repeat("x", maxTitle)},
		{"lang", `<html lang=" pt-BR ">`, lang, "pt-BR"},
		{"xml:lang", `<html xml:lang="el">`, lang, "el"},
		{"lang before pragma", `<meta http-equiv=content-language content=de><html lang=fr>`, lang, "fr"},
		{"lang by pragma", `<meta http-equiv=Content-Language content=de>`, lang, "de"},
		{"long lang", "<html lang=" + strings.Repeat("x", 5000) + "><html lang=de>", lang, ""},
		{"pragma with several languages", `<meta http-equiv=content-language content="de, fr">`, lang, ""},
		{"description", `<meta name=Description content=" a
 b "><meta name=description content=c>`, func(p *Page) string { return p.Description }, "a b"},
		{"base", `<base target=x><base href="/a"><base href="/b">`, base, "/a"},
		{"base in the body", `<body><p><base href="/a">`, base, "/a"},
		{"base in a template", `<template><base href="/a"></template>`, base, ""},
		{"canonicals", `<link rel=canonical href=a><link href=b rel="Canonical"><body><link rel=canonical href=c>`, canonicals, "a b c"},
		{
			"robots", `<meta name=ROBOTS content="NoIndex"><meta name=hashcrawl content=none><meta name=viewport content=x><body><meta name=googlebot content=noarchive>`,
			robots, "robots=NoIndex hashcrawl=none googlebot=noarchive",
		},
		{"robots without content", `<meta name=robots>`, robots, ""},
		{"own agent", `<meta name=Example content=none>`, robots, "example=none"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := tc.got(Parse([]byte(tc.doc), Options{Agent: "example"})); got != tc.want {
				t.Errorf("Parse(%q) = %q, want %q", tc.doc, got, tc.want)
			}
		})
	}
}

func title(p *Page) string      { return p.Title }
func lang(p *Page) string       { return p.Lang }
func base(p *Page) string       { return p.Base }
func canonicals(p *Page) string { return strings.Join(p.Canonicals, " ") }

func robots(p *Page) string {
	var s []string
	for _, m := range p.RobotsMeta {
		s = append(s, m.Name+"="+m.Content)
	}
	return strings.Join(s, " ")
}

func TestParseReadsTheOptIn(t *testing.T) {
	const tag = `<meta name="fragment" content="!">`
	for _, tc := range []struct {
		name, doc string
		want      ajaxscheme.OptIn
	}{
		{"in the head", `<html><head>` + tag, ajaxscheme.OptInValid},
		{"no head at all", tag + `<p>x`, ajaxscheme.OptInValid},
		{"after raw text", `<title>a<p>b</title><script>"<body>"</script><style>p{}</style>` + tag, ajaxscheme.OptInValid},
		{"references and capitals", `<META NAME=fragment CONTENT="&#33;">`, ajaxscheme.OptInValid},
		{"after text", `<head>x` + tag, ajaxscheme.OptInInvalid},
		{"in the body", `<head></head><body>` + tag, ajaxscheme.OptInInvalid},
		{"in a template", `<head><template>` + tag + `</template>`, ajaxscheme.OptInInvalid},
		{"in a script", `<head><script>'` + tag + `'</script>`, ajaxscheme.OptInNone},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := Parse([]byte(tc.doc), Options{}).OptIn; got != tc.want {
				t.Errorf("Parse(%q).OptIn = %v, want %v", tc.doc, got, tc.want)
			}
		})
	}
}

func TestParseRefresh(t *testing.T) {
	for _, tc := range []struct {
		content string
		delay   time.Duration
		target  string
		ok      bool
	}{
		{"0;url=/a", 0, "/a", true},
		{" 5 ; URL = 'a b' x", 5 * time.Second, "a b", true},
		{"5,/a", 5 * time.Second, "/a", true},
		{"5 /a", 5 * time.Second, "/a", true},
		{"1.7;url=\"/a", time.Second, "/a", true},
		{".5; url=/a", 0, "/a", true},
		{"0; urls", 0, "urls", true},
		{"0; url", 0, "url", true},
		{"30", 30 * time.Second, "", true},
		{"30;", 30 * time.Second, "", true},
		{"0;url=#!/a;b", 0, "#!/a;b", true},
		{"99999999999999999999999;x", 365 * 24 * time.Hour, "x", true},
		{"", 0, "", false},
		{"url=/a", 0, "", false},
		{"-1;url=/a", 0, "", false},
		{"5x;url=/a", 0, "", false},
	} {
		t.Run(tc.content, func(t *testing.T) {
			delay, target, ok := parseRefresh([]byte(tc.content))
			if delay != tc.delay || string(target) != tc.target || ok != tc.ok {
				t.Errorf("parseRefresh(%q) = %v, %q, %v; want %v, %q, %v", tc.content, delay, target, ok, tc.delay, tc.target, tc.ok)
			}
		})
	}
}

func TestRefreshForPeopleWithoutScriptsIsOnlyALink(t *testing.T) {
	p := Parse([]byte(`<noscript><meta http-equiv=refresh content="0;url=/nojs"></noscript>`), Options{})
	if want := []string{"-1 meta-refresh /nojs|"}; p.Refresh != nil || !slices.Equal(linkLines(p), want) {
		t.Errorf("Refresh = %+v, links %q; want none, %q", p.Refresh, linkLines(p), want)
	}
}

func TestPublishedIsWhatThePageStatesOfItself(t *testing.T) {
	ld := func(json string) string { return `<script type="Application/LD+JSON; x">` + json + `</script>` }
	for _, tc := range []struct{ name, doc, want string }{
		{"meta before all", `<time datetime=2020-01-01></time>` + ld(`{"datePublished":"2021-01-01"}`) +
			`<meta property=article:published_time content=" 2022-01-01T10:00Z ">`, "2022-01-01T10:00Z"},
		{"JSON-LD", `<time datetime=2020-01-01></time>` + ld(`{"a":{"b":["}\"{"]},"datePublished" : "2021-01-01"}`), "2021-01-01"},
		{"JSON-LD of comments", ld(`{"datePublished":"2021-01-01","comment":[{"datePublished":"2021-02-01"}]}`), "2021-01-01"},
		{"comments first", ld(`{"comment":[{"datePublished":"2021-02-01"}],"datePublished":"2021-01-01"}`), "2021-01-01"},
		{"JSON-LD of a list", ld(`[{"datePublished":"2021-01-01"},{"datePublished":"2021-02-01"}]`), ""},
		{"one moment, written twice", ld(`{"datePublished":"2021-01-01T10:00Z"}`) + ld(`{"datePublished":"2021-01-01"}`), "2021-01-01T10:00Z"},
		{"JSON-LD that breaks off", ld(`{"datePublished":"2021-01-01`), "2021-01-01"},
		{"value is no string", ld(`{"datePublished":{"@value":"x"}}`), ""},
		{"other script", `<script>x={"datePublished":"2021-01-01"}</script>`, ""},
		{"one time", `<time datetime=2020-01-01>x</time><time>y</time>`, "2020-01-01"},
		{"times that differ", `<time datetime=2020-01-01>x</time><time datetime=2020-01-02>y</time>`, ""},
		{"time that says so", `<time datetime=2020-01-01>x</time><time itemprop=datePublished datetime=2020-01-02>y</time>`, "2020-01-02"},
		{"endless value", `<time datetime=` + strings.Repeat("2", 1000) + `>x</time>`, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := Parse([]byte(tc.doc), Options{}).Published; got != tc.want {
				t.Errorf("Parse(%q).Published = %q, want %q", tc.doc, got, tc.want)
			}
		})
	}
}

func TestFingerprintIsOfTheVisibleTextAlone(t *testing.T) {
	of := func(doc string) uint64 { return Parse([]byte(doc), Options{}).Fingerprint }
	const doc = `<title>a</title><body><p>One <b>two</b></p>three`
	for name, other := range map[string]string{
		"markup":  `<div class=x>One<br> <i>two</i></div><script>x</script>three<!-- -->`,
		"spaces":  "<p>One\u00a0\n two<p>three",
		"endings": "One two three\n\n",
	} {
		if of(doc) != of(other) {
			t.Errorf("%s: fingerprint of %q differs from that of %q", name, other, doc)
		}
	}
	if of(doc) == of(`One two threE`) || of(doc) == of(`One two three x`) {
		t.Error("other text has the same fingerprint")
	}
	if got := of(`<title>only a title</title><script>x</script>`); got != 0 {
		t.Errorf("fingerprint without visible text = %x, want 0", got)
	}
	// Crawl files hold fingerprints: the function must never change.
	if got, want := of(doc), uint64(0x5e97471f45829590); got != want {
		t.Errorf("fingerprint = %#x, want %#x", got, want)
	}
}

func TestTextIsCutOnARune(t *testing.T) {
	for n, want := range []string{"", "a", "a", "aß", "aß", "aß b"} {
		if got := Parse([]byte("<p>aß<p>b"), Options{Text: n}).Text; got != want {
			t.Errorf("Text of %d bytes = %q, want %q", n, got, want)
		}
	}
}

func TestParserForgetsThePageBefore(t *testing.T) {
	var p Parser
	pages := []string{
		`<html lang=de><base href=/b><title>t</title><svg><a href=1 rel=nofollow><template><noscript>`,
		`<script type=application/ld+json>{"datePublished":"2020-01-01"}`, `<plaintext>`, `<ul><li><a href=2>x`, `y`, ``,
	}
	for _, first := range pages {
		for _, second := range pages {
			o := Options{Outline: true, Text: 100}
			p.Parse([]byte(first), o)
			got, want := p.Parse([]byte(second), o), Parse([]byte(second), o)
			if string(describe("", got)) != string(describe("", want)) || len(got.Outline.Nodes) != len(want.Outline.Nodes) {
				t.Errorf("after %q: %q reads as\n%s\nalone as\n%s", first, second, describe("", got), describe("", want))
			}
		}
	}
}

func TestRecycledLinksAreNotThoseOfTheNextPage(t *testing.T) {
	var p Parser
	first := p.Parse([]byte(`<a href=1 rel=nofollow>one</a><a href=2>two</a><link rel=alternate hreflang=de href=3>`), Options{})
	href, want := first.Links[0].Href, linkLines(first)
	p.Recycle(first)
	second := p.Parse([]byte(`<a href=4></a>`), Options{})
	if got := linkLines(second); !slices.Equal(got, []string{"0 a 4|"}) {
		t.Errorf("the page after a recycled one has the links %q", got)
	}
	if href != "1" || first.Links != nil {
		t.Errorf("recycled: %q, %d links; want what was taken from the links to stay, and no links", href, len(first.Links))
	}
	p.Recycle(second)
	if got := linkLines(p.Parse([]byte(`<a href=1 rel=nofollow>one</a><a href=2>two</a><link rel=alternate hreflang=de href=3>`), Options{})); !slices.Equal(got, want) {
		t.Errorf("read again after others: %q, want %q", got, want)
	}
}

// TestTagsAreRememberedByName holds that a memory that has met every name, in an
// order in which each takes the place of others, says the same as without one.
func TestTagsAreRememberedByName(t *testing.T) {
	var names []string
	for _, n := range []string{"a", "b", "p", "h1", "h2", "div", "DIV", "Li", "span", "script", "noscript", "template", "blockquote", "figcaption", "x-y", "aa", "custom-1", "custom-12"} {
		names = append(names, n+">", n+" x=y>", n+"/>", n+"\n>", n)
	}
	for c := 'a'; c <= 'z'; c++ {
		for d := '0'; d <= '9'; d++ {
			names = append(names, string(c)+string(d)+">")
		}
	}
	var m tagMemory
	for range 2 {
		for _, n := range names {
			tag, tr := m.of([]byte(n))
			if want := tagAtom([]byte(n)); tag != want || tr != traitsOf(want) {
				t.Errorf("of(%q) = %v, %b; want %v, %b", n, tag, tr, want, traitsOf(want))
			}
		}
	}
}
