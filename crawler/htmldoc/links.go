package htmldoc

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/atom"
)

// A rawLink is a Link whose strings are still spans of the parser's buffers.
type rawLink struct {
	index   int32
	kind    Kind
	rel     Rel
	visible bool // text is a span of the visible text, not of the arena
	href    span
	text    span

	hreflang, media span
}

// An anchor is the open <a>, if there is one.
type anchor struct {
	link  int // in Parser.links, -1 if none is open
	start int // offset in the visible text
	depth int // containers opened inside, less those closed
	alt   span
}

// startAnchor takes <a>, which ends the one before it. In SVG the reference
// may also be an xlink:href; this one no selector for a[href] finds, so it has
// no index.
func (p *Parser) startAnchor(isForeign bool) {
	p.endAnchor()
	index := int32(p.index)
	href, ok := p.attr("href")
	if ok {
		p.index++
	} else if href, ok = p.attr("xlink:href"); !ok || !isForeign {
		return
	} else {
		index = -1
	}
	l := rawLink{index: index, kind: Anchor, href: p.keep(href)}
	if rel, ok := p.attr("rel"); ok {
		l.rel = parseRel(rel)
	}
	p.links = append(p.links, l)
	p.anchor = anchor{link: len(p.links) - 1, start: len(p.text.buf)}
}

// endAnchor takes the end of the open anchor, which is its own end tag, the
// next <a>, or the end of an element around it, and gives it its text.
func (p *Parser) endAnchor() {
	a := p.anchor
	p.anchor = anchor{link: -1}
	if a.link < 0 {
		return
	}
	text := p.text.buf[a.start:]
	if len(text) > 0 && text[0] == ' ' {
		text = text[1:]
		a.start++
	}
	if len(text) == 0 {
		p.links[a.link].text = a.alt
		return
	}
	text = bytes.TrimSuffix(text[:cutLen(text, maxLinkText)], []byte{' '})
	p.links[a.link].text = span{uint32(a.start), uint32(a.start + len(text))}
	p.links[a.link].visible = true
}

// containerStart takes the start tag of a container. That of a row, cell or
// item ends an anchor that was left open in the one before. An anchor without
// text so far is one that wrongly stands around the item: its text is to come.
func (p *Parser) containerStart(tag atom.Atom) {
	if p.anchor.link < 0 {
		return
	}
	switch tag {
	case atom.Li, atom.Dt, atom.Dd, atom.Td, atom.Th, atom.Tr:
		if p.anchor.depth == 0 && len(p.text.buf) > p.anchor.start {
			p.endAnchor()
			return
		}
	}
	p.anchor.depth++
}

// wantsAlt reports whether the alt of an image is the best text so far.
func (a *anchor) wantsAlt(t *foldedText) bool {
	return a.link >= 0 && a.alt.empty() && len(t.buf) <= a.start
}

// takeAlt keeps the alt of the current <img>.
func (a *anchor) takeAlt(p *Parser) {
	if !a.wantsAlt(&p.text) {
		return
	}
	if alt, ok := p.attr("alt"); ok {
		a.alt = p.keepFolded(alt)
	}
}

// keepFolded keeps s with white space folded, at most maxLinkText bytes of it.
func (p *Parser) keepFolded(s []byte) span {
	t := foldedText{buf: p.arena[len(p.arena):]}
	t.add(s[:cutLen(s, 16*maxLinkText)])
	return p.keep(t.buf[:cutLen(t.buf, maxLinkText)])
}

func (p *Parser) areaLink() {
	href, ok := p.attr("href")
	if !ok {
		return
	}
	l := rawLink{index: -1, kind: Area, href: p.keep(href)}
	if rel, ok := p.attr("rel"); ok {
		l.rel = parseRel(rel)
	}
	if alt, ok := p.attr("alt"); ok {
		l.text = p.keepFolded(alt)
	}
	p.links = append(p.links, l)
}

// frameLink takes <frame> and <iframe>. The srcdoc of an iframe is not read.
func (p *Parser) frameLink(tag atom.Atom) {
	src, ok := p.attr("src")
	if !ok {
		return
	}
	kind := Frame
	if tag == atom.Iframe {
		kind = IFrame
	}
	p.links = append(p.links, rawLink{index: -1, kind: kind, href: p.keep(src)})
}

// linkElement takes <link>. One element can be several links, as in
// rel="canonical amphtml"; the first of the kinds in the order below counts,
// except that a canonical is always noted.
func (p *Parser) linkElement() {
	href, ok := p.attr("href")
	if !ok {
		return
	}
	rel, _ := p.attr("rel")
	kind, ok := p.linkKind(rel)
	if !ok {
		return
	}
	l := rawLink{index: -1, kind: kind, rel: parseRel(rel), href: p.keep(href)}
	switch kind {
	case Canonical:
		p.page.Canonicals = append(p.page.Canonicals, string(href))
	case Alternate:
		if v, ok := p.attr("hreflang"); ok {
			l.hreflang = p.keep(v)
		}
		if v, ok := p.attr("media"); ok {
			l.media = p.keep(v)
		}
	}
	p.links = append(p.links, l)
}

// linkKind returns the kind of the current <link> with this rel.
func (p *Parser) linkKind(rel []byte) (Kind, bool) {
	switch {
	case hasToken(rel, "canonical"):
		return Canonical, true
	case hasToken(rel, "next"):
		return LinkNext, true
	case hasToken(rel, "prev"), hasToken(rel, "previous"):
		return LinkPrev, true
	case hasToken(rel, "amphtml"):
		return AMP, true
	case hasToken(rel, "alternate") && !hasToken(rel, "stylesheet") && p.typeIsHTML():
		return Alternate, true
	}
	return 0, false
}

// typeIsHTML reports whether the type attribute of the current tag names HTML
// or is absent: feeds and oEmbed answers are alternates of another type.
func (p *Parser) typeIsHTML() bool {
	typ, _ := p.attr("type")
	typ, _, _ = bytes.Cut(typ, []byte{';'})
	typ = bytes.TrimSpace(typ)
	return len(typ) == 0 || strings.EqualFold(string(typ), "text/html") ||
		strings.EqualFold(string(typ), "application/xhtml+xml")
}

// parseRel returns the bits of the tokens in a rel attribute.
func parseRel(s []byte) Rel {
	var r Rel
	for len(s) > 0 {
		var token []byte
		token, s = nextToken(s)
		for i, name := range relNames {
			if strings.EqualFold(string(token), name) {
				r |= 1 << i
			}
		}
		if strings.EqualFold(string(token), "previous") {
			r |= RelPrev
		}
	}
	return r
}

// hasToken reports whether the space-separated s has token, in any case.
func hasToken(s []byte, token string) bool {
	for len(s) > 0 {
		var t []byte
		if t, s = nextToken(s); strings.EqualFold(string(t), token) {
			return true
		}
	}
	return false
}

// nextToken returns the first token of s and what follows it. A comma parts
// tokens too: rel="nofollow,noindex" is no HTML, but its author meant it.
func nextToken(s []byte) (token, rest []byte) {
	s = bytes.TrimLeft(s, " \t\n\f\r,")
	if i := bytes.IndexAny(s, " \t\n\f\r,"); i >= 0 {
		return s[:i], s[i:]
	}
	return s, nil
}

// cutLen returns the length of the longest prefix of s of at most n bytes that
// does not end inside a rune.
func cutLen(s []byte, n int) int {
	if len(s) <= n {
		return len(s)
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return n
}
