package htmldoc

import (
	"bytes"
	"strings"

	"golang.org/x/net/html/atom"
)

// A Loader is an element, no link, with the address of a document that a script
// loads or goes to: a button that loads further rows, an option of a list of
// pages. Most of them are something else; who wants to know asks the text.
type Loader struct {
	Kind LoaderKind
	Node int    // in Outline.Nodes; -1 if the page has no outline, or not that part of it
	Attr string // the attribute's name
	Href string // its value, as Link.Href; at most 512 bytes

	// Text is the visible text of the element, white space folded; "" if it
	// is longer than 128 bytes. It ends with the element's own end tag or that
	// of a container around it.
	Text string
}

// A LoaderKind says what makes an element a loader.
type LoaderKind uint8

// The kinds of loaders.
const (
	LoadsNext   LoaderKind = iota + 1 // an attribute that is named as the next rows' address
	LoadsSeen                         // an address that is loaded when the element comes into sight
	LoadsSome                         // an address, of whatever it may be
	LoadsOption                       // <option>, whose value may be an address
)

const (
	maxLoaders     = 1 << 12 // further ones are left out
	maxLoaderText  = 128
	maxOpenLoaders = 8 // of those inside them the text is not read
)

// loaderKind returns what the attribute key makes of an element that has an
// address in it; 0 for nothing.
func loaderKind(key []byte) LoaderKind {
	switch string(key) {
	case "data-next-url", "data-next", "data-next-page", "data-next-href", "data-nexturl", "data-next-page-url", "data-next-link",
		"data-load-more-url", "data-more-url", "data-infinite-next", "data-load-more", "data-nextpage":
		return LoadsNext
	case "data-url", "data-href", "data-link", "data-ajax-url", "data-page-url", "data-hx-get", "hx-get", "data-up-href", "up-href":
		return LoadsSome
	}
	return 0
}

// mentionsLoader reports whether the start tag with the given source may have an
// attribute that makes it a loader. Every tag that is no link is asked, so that
// it looks only at hyphens, and reads the few names that begin as loaders' do.
func mentionsLoader(source []byte) bool {
	for from := 0; ; {
		i := bytes.IndexByte(source[from:], '-')
		if i < 0 {
			return false
		}
		i += from
		from = i + 1
		switch source[i-1] | 0x20 {
		case 'a', 'x', 'p': // "data", "hx", "up"
		default:
			continue
		}
		start := i
		for isLetter(source[start-1]) {
			start--
		}
		if c := source[start-1]; c == '-' || i-start > len("data") {
			continue
		}
		var name [20]byte // the longest one has 18
		n := 0
		for _, c := range source[start:min(start+len(name), len(source))] {
			if !isLetter(c) && c != '-' {
				break
			}
			name[n] = c | 0x20 // a hyphen has that bit
			n++
		}
		if loaderKind(name[:n]) != 0 {
			return true
		}
	}
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// isAddress reports whether an attribute's value is an address and not a
// template, an object or a word.
func isAddress(s []byte) bool { return bytes.ContainsAny(s, "/?") && !bytes.ContainsAny(s, " <{") }

// isFileName reports whether s is the name of a page beside this one.
func isFileName(s []byte) bool {
	i := bytes.LastIndexByte(s, '.')
	return i > 0 && len(s)-i <= 6 && !bytes.ContainsAny(s, " :")
}

// A rawLoader is a Loader whose strings are still spans of the parser's buffers.
type rawLoader struct {
	kind       LoaderKind
	node       int32
	attr, href span
	text       span
}

// An openLoader is a loader whose text is being read.
type openLoader struct {
	loader int32 // in Parser.loaders
	name   elementName
	depth  int32  // elements of the name, and containers, opened inside, less those closed
	start  uint32 // offset in the visible text
}

// takeLoader notes the current start tag, whose attributes were read, if it is a
// loader's. Its node in the outline is given, -1 if it has none.
func (p *Parser) takeLoader(tag atom.Atom, name elementName, node int) {
	if len(p.loaders) >= maxLoaders || tag == atom.Select {
		return
	}
	var kind LoaderKind
	var found attr
	if tag == atom.Option {
		if v, ok := p.attr("value"); ok && (isAddress(v) || isFileName(v)) {
			kind, found = LoadsOption, attr{[]byte("value"), v}
		}
	} else {
		kind, found = p.findLoader()
	}
	if kind == 0 {
		return
	}
	at := len(p.loaders)
	p.loaders = append(p.loaders, rawLoader{kind: kind, node: int32(node), attr: p.keep(found.key), href: p.keep(found.val[:cutLen(found.val, maxOutlineAttr)])})
	if traitsOf(tag)&void == 0 && len(p.openLoaders) < maxOpenLoaders {
		p.openLoaders = append(p.openLoaders, openLoader{loader: int32(at), name: name, start: uint32(len(p.text.buf))})
		return
	}
	p.dropMute(at)
}

// findLoader returns the attribute of the current start tag that makes it a
// loader, the most telling one.
func (p *Parser) findLoader() (kind LoaderKind, found attr) {
	for _, a := range p.selectAttrs(func(key []byte) bool { return loaderKind(key) != 0 }) {
		if k := loaderKind(a.key); (kind == 0 || k < kind) && isAddress(a.val[:cutLen(a.val, maxOutlineAttr)]) {
			kind, found = k, a
		}
	}
	if kind != LoadsSome {
		return kind, found
	}
	for _, name := range [...]string{"hx-trigger", "data-hx-trigger"} {
		if t, ok := p.attr(name); ok && (bytes.HasPrefix(t, []byte("revealed")) || bytes.HasPrefix(t, []byte("intersect"))) {
			return LoadsSeen, found
		}
	}
	return kind, found
}

// loaderStart takes a start tag inside of open loaders. An option or item ends
// the one before it.
func (p *Parser) loaderStart(tag atom.Atom, name elementName, t traits) {
	for i := len(p.openLoaders) - 1; i >= 0; i-- {
		o := &p.openLoaders[i]
		switch {
		case len(p.text.buf)-int(o.start) > maxLoaderText+2: // a blank on either side
			p.closeLoaders(i)
		case name == o.name && o.depth == 0 && isItem(tag):
			p.closeLoaders(i)
		case t&void == 0 && (name == o.name || t&container != 0):
			o.depth++
		}
	}
}

// isItem reports whether an element ends where the next of its kind begins.
func isItem(tag atom.Atom) bool {
	switch tag {
	case atom.Option, atom.Li, atom.Dt, atom.Dd, atom.P, atom.Td, atom.Th, atom.Tr, atom.A, atom.Button:
		return true
	}
	return false
}

// loaderEnd takes an end tag inside of open loaders.
func (p *Parser) loaderEnd(tag atom.Atom, name elementName, t traits) {
	for i := len(p.openLoaders) - 1; i >= 0; i-- {
		o := &p.openLoaders[i]
		if name != o.name && t&container == 0 && tag != atom.Select {
			continue
		}
		if o.depth--; o.depth < 0 {
			p.closeLoaders(i)
		}
	}
}

// closeLoaders ends the text of the open loaders from the ith on.
func (p *Parser) closeLoaders(i int) {
	for j := len(p.openLoaders) - 1; j >= i; j-- {
		o := p.openLoaders[j]
		text := p.text.buf[o.start:]
		if n := len(text); n > 0 && text[0] == ' ' {
			text, o.start = text[1:], o.start+1
		}
		text = bytes.TrimSuffix(text, []byte{' '})
		if len(text) <= maxLoaderText {
			p.loaders[o.loader].text = span{o.start, o.start + uint32(len(text))}
		}
		p.dropMute(int(o.loader))
	}
	p.openLoaders = p.openLoaders[:i]
}

// dropMute takes back the loader at if it is the last one, and nothing tells what
// it loads.
func (p *Parser) dropMute(at int) {
	if l := &p.loaders[at]; at == len(p.loaders)-1 && l.text.empty() && (l.kind == LoadsSome || l.kind == LoadsOption) {
		p.loaders = p.loaders[:at]
	}
}

// finishLoaders returns the loaders, all of which are closed.
func (p *Parser) finishLoaders(text, arena string) []Loader {
	if len(p.loaders) == 0 {
		return nil
	}
	all := make([]Loader, len(p.loaders))
	for i, l := range p.loaders {
		all[i] = Loader{Kind: l.kind, Node: int(l.node), Attr: l.attr.of(arena), Href: l.href.of(arena), Text: strings.TrimSpace(l.text.of(text))}
	}
	return all
}
