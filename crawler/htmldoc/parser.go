package htmldoc

import (
	"bytes"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/hashcrawl/hashcrawl/ajaxscheme"
)

// Bounds of single values; longer ones are cut, or none. They keep one hostile
// element from filling a page record.
const (
	maxTitle       = 1 << 10
	maxLang        = 64
	maxDescription = 4 << 10
	maxLinkText    = 512
)

// maxPage is the length beyond which a page is not read, so that offsets fit
// 32 bits. Callers bound pages far below.
const maxPage = 1 << 30

// Parse reads one page. The bytes must be UTF-8, as [Decode] gives it; other
// bytes do no harm but come back as they are. Parse never fails.
func Parse(utf8 []byte, o Options) *Page { return new(Parser).Parse(utf8, o) }

// A Parser parses pages one after another and reuses its buffers. The zero
// value is ready. It must not be used by two goroutines at once; the pages that
// it returned are independent of it and of each other, until [Parser.Recycle].
type Parser struct {
	opts Options
	page *Page
	z    *html.Tokenizer
	src  bytes.Reader

	tags   tagMemory
	text   foldedText // the visible text
	arena  []byte     // values of attributes that the page keeps
	links  []rawLink
	spare  []Link // of a page that was given back
	anchor anchor
	attrs  attrs // of the current start tag, if they were read
	index  int   // of the next <a href>

	selected []attr // see selectAttrs

	loaders     []rawLoader
	openLoaders []openLoader // the outermost first

	foreign  foreign
	raw      atom.Atom // the raw text element that the next text is in
	controls bool      // the page has carriage returns or NULs, which do not read as they are written
	inert    int       // depth of inert templates
	noscript bool
	hasLang  bool // <html lang> was seen

	head    ajaxscheme.Detector
	times   timeClaims
	outline outliner
}

// Sizes up to which buffers are kept for the next page, in elements.
const (
	keepBytes = 1 << 20
	keepItems = 1 << 14
)

// recycled returns b emptied, or nil if b holds more than keep elements: one
// huge page must not hold its memory for the rest of the crawl.
func recycled[T any](b []T, keep int) []T {
	if cap(b) > keep {
		return nil
	}
	return b[:0]
}

func (p *Parser) reset(doc []byte, o Options) {
	p.opts, p.page = o, new(Page)
	p.src.Reset(doc[:min(len(doc), maxPage)])
	p.z = html.NewTokenizer(&p.src)
	p.text.reset()
	p.arena, p.links = recycled(p.arena, keepBytes), recycled(p.links, keepItems)
	p.loaders, p.openLoaders = recycled(p.loaders, keepItems), p.openLoaders[:0]
	p.anchor, p.index = anchor{link: -1}, 0
	p.foreign.reset()
	p.raw, p.inert, p.noscript, p.hasLang = 0, 0, false, false
	p.controls = bytes.IndexByte(doc, '\r') >= 0 || bytes.IndexByte(doc, 0) >= 0
	p.head, p.times = ajaxscheme.Detector{}, timeClaims{}
	p.outline.reset(o.Outline)
}

// Parse reads one page; see the function [Parse].
func (p *Parser) Parse(utf8 []byte, o Options) *Page {
	p.reset(utf8, o)
	for {
		switch p.z.Next() {
		case html.ErrorToken:
			return p.finish()
		case html.TextToken:
			p.textToken()
		case html.StartTagToken:
			p.startTag(false)
		case html.SelfClosingTagToken:
			p.startTag(true)
		case html.EndTagToken:
			p.endTag()
		}
	}
}

// startTag takes the current start tag. A selfClosing one ("<a/>") is empty
// only in foreign content.
func (p *Parser) startTag(selfClosing bool) {
	source := p.z.Raw()
	tag, t := p.tags.of(source[1:])
	isForeign := p.foreign.start(tag, t, selfClosing)
	p.z.AllowCDATA(p.foreign.active())
	p.startRawText(tag, t, isForeign)
	p.attrs.list = p.attrs.list[:0]
	isRead := t&reads != 0 || p.outline.on || tag == atom.Img && p.anchor.wantsAlt(&p.text)
	if isRead {
		p.readAttrs(source)
	}
	p.feedDetector(tag)
	if p.inert > 0 {
		if tag == atom.Template && !isForeign {
			p.inert++
		}
		return
	}
	if t&inline == 0 {
		p.text.breakWord()
	}
	if t&container != 0 {
		p.containerStart(tag)
	}
	if len(p.openLoaders) > 0 {
		p.loaderStart(tag, nameOf(tag, source[1:]), t)
	}
	links := len(p.links)
	p.element(tag, isForeign)
	if p.inert > 0 {
		return
	}
	isLink, node := len(p.links) > links, -1
	if p.outline.on {
		link := -1
		if isLink {
			link = links
		}
		node = p.outline.start(nameOf(tag, source[1:]), selfClosing && isForeign, p.selectAttrs(isOutlineAttr), len(p.text.buf), link)
	}
	if !isLink && (tag == atom.Option || mentionsLoader(source)) {
		if !isRead {
			p.readAttrs(source)
		}
		p.takeLoader(tag, nameOf(tag, source[1:]), node)
	}
}

// startRawText notes the element whose text is to come. The tokenizer knows
// nothing of foreign content and takes scripting for on.
func (p *Parser) startRawText(tag atom.Atom, t traits, isForeign bool) {
	p.raw = 0
	switch {
	case t&rawText == 0:
	case isForeign, tag == atom.Noscript:
		p.z.NextIsNotRawText()
	default:
		p.raw = tag
	}
}

// element collects what the page says in the start tag of one element.
func (p *Parser) element(tag atom.Atom, isForeign bool) {
	if tag == atom.A {
		p.startAnchor(isForeign)
		return
	}
	if isForeign {
		return
	}
	switch tag {
	case atom.Area:
		p.areaLink()
	case atom.Frame, atom.Iframe:
		p.frameLink(tag)
	case atom.Img:
		p.anchor.takeAlt(p)
	case atom.Link:
		p.linkElement()
	case atom.Base:
		if href, ok := p.attr("href"); ok && p.page.Base == "" {
			p.page.Base = string(href)
		}
	case atom.Meta:
		p.meta()
	case atom.Html:
		p.htmlElement()
	case atom.Time:
		p.times.element(p)
	case atom.Script:
		typ, _ := p.attr("type")
		p.times.inLD = isJSONLD(typ)
	case atom.Noscript:
		p.noscript = true
	case atom.Template:
		if _, ok := p.attr("shadowrootmode"); !ok {
			p.inert++
		}
	}
}

func (p *Parser) endTag() {
	tag, t := p.tags.of(p.z.Raw()[2:])
	p.raw = 0
	p.head.End(tag)
	p.foreign.end(tag, t)
	inert := p.inert > 0
	if inert && tag == atom.Template {
		p.inert--
		p.foreign.reset() // a drawing left open inside ends with the template
	}
	p.z.AllowCDATA(p.foreign.active())
	if inert {
		return
	}
	if t&inline == 0 {
		p.text.breakWord()
	}
	if t&container != 0 {
		if p.anchor.depth--; p.anchor.depth < 0 {
			p.endAnchor()
		}
	}
	switch tag {
	case atom.A:
		p.endAnchor()
	case atom.Noscript:
		p.noscript = false
	}
	if len(p.openLoaders) > 0 {
		p.loaderEnd(tag, nameOf(tag, p.z.Raw()[2:]), t)
	}
	if p.outline.on {
		p.outline.end(nameOf(tag, p.z.Raw()[2:]), len(p.text.buf))
	}
}

// textToken takes the current text, which is visible or belongs to a raw text
// element.
func (p *Parser) textToken() {
	if p.inert > 0 {
		return
	}
	switch p.raw {
	case 0:
		s := p.plainText()
		p.head.Text(s)
		if !p.foreign.silent() {
			p.text.add(s)
		}
	case atom.Xmp, atom.Plaintext:
		p.text.add(p.z.Text())
	case atom.Title:
		if p.page.Title == "" {
			p.page.Title = p.fold(p.z.Text(), maxTitle)
		}
	case atom.Script:
		if p.times.inLD {
			p.times.jsonLD(p.z.Text())
		}
	}
}

// plainText returns the current text outside raw text elements. Mostly its
// source is the text already.
func (p *Parser) plainText() []byte {
	s := p.z.Raw()
	if p.foreign.active() { // it may be CDATA
		return p.z.Text()
	}
	if p.isCoded(s) {
		return p.z.Text()
	}
	return s
}

// isCoded reports whether s may be written otherwise than it reads.
func (p *Parser) isCoded(s []byte) bool {
	return bytes.IndexByte(s, '&') >= 0 || p.controls && (bytes.IndexByte(s, '\r') >= 0 || bytes.IndexByte(s, 0) >= 0)
}

// finish closes what is open and makes the page: all its strings are cut from
// one copy of the visible text and the kept attributes.
func (p *Parser) finish() *Page {
	p.endAnchor()
	p.closeLoaders(0)
	var memory strings.Builder
	memory.Grow(len(p.text.buf) + len(p.arena))
	memory.Write(p.text.buf)
	memory.Write(p.arena)
	all := memory.String()
	text, arena := all[:len(p.text.buf)], all[len(p.text.buf):]

	page := p.page
	page.Links = slices.Grow(p.spare, len(p.links))[:len(p.links)]
	p.spare = nil
	for i, l := range p.links {
		page.Links[i] = Link{
			Index: int(l.index), Kind: l.kind, Rel: l.rel,
			Href: l.href.of(arena), Hreflang: l.hreflang.of(arena), Media: l.media.of(arena),
		}
		if l.visible {
			page.Links[i].Text = l.text.of(text)
		} else {
			page.Links[i].Text = l.text.of(arena)
		}
	}
	page.Loaders = p.finishLoaders(text, arena)
	page.Text = strings.TrimSuffix(cut(text, max(p.opts.Text, 0)), " ")
	page.Fingerprint = fingerprint(p.text.buf)
	page.Published = p.times.published()
	page.OptIn = p.head.OptIn()
	page.OptInContent, page.OptInFault = p.head.Fault()
	page.Outline = p.outline.finish(text)
	p.release()
	return page
}

// Recycle gives the links of a page back to the parser, which makes the next
// page's of their memory. Only strings that were taken from them may be used any
// more.
func (p *Parser) Recycle(page *Page) {
	clear(page.Links)
	p.spare = recycled(page.Links, keepItems)
	page.Links = nil
}

// release drops what the parser must not keep alive between pages.
func (p *Parser) release() {
	clear(p.attrs.list[:cap(p.attrs.list)])
	clear(p.selected[:cap(p.selected)])
	p.page, p.z = nil, nil
	p.src.Reset(nil)
	p.times = timeClaims{}
}

// A span is a part of the arena or of the visible text.
type span struct{ start, end uint32 }

func (s span) of(text string) string { return text[s.start:s.end] }

func (s span) empty() bool { return s.start == s.end }

// keep copies s into the arena.
func (p *Parser) keep(s []byte) span {
	start := len(p.arena)
	p.arena = append(p.arena, s...)
	return span{uint32(start), uint32(len(p.arena))}
}

// fold returns s with white space folded, at most n bytes of it.
func (p *Parser) fold(s []byte, n int) string {
	var t foldedText
	t.add(s[:cutLen(s, 16*n)]) // room for white space, but no copy of a huge title
	return cut(string(t.buf), n)
}
