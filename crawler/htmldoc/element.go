package htmldoc

import "golang.org/x/net/html/atom"

// traits are what the parser needs to know of an element by its name alone.
type traits uint8

const (
	inline    traits = 1 << iota // does not part words, in the style sheet of [WHATWG-HTML §15.3]
	reads                        // its attributes are always read
	void                         // has no contents and no end tag [WHATWG-HTML §13.1.2]
	rawText                      // what follows is text to the tokenizer, up to its end tag
	breakout                     // ends foreign content [WHATWG-HTML §13.2.6.5]
	container                    // its end tag closes what is open inside
)

// traitsOf returns the traits of the element tag in the HTML namespace. An
// unknown element parts words: pages that use custom elements build blocks of
// them more often than phrases.
func traitsOf(tag atom.Atom) traits {
	switch tag {
	case atom.A, atom.Time:
		return inline | reads
	case atom.Span, atom.B, atom.I, atom.Em, atom.Strong, atom.Small, atom.S, atom.U, atom.Code, atom.Big,
		atom.Nobr, atom.Ruby, atom.Strike, atom.Sub, atom.Sup, atom.Tt, atom.Var:
		return inline | breakout
	case atom.Abbr, atom.Acronym, atom.Bdi, atom.Bdo, atom.Cite, atom.Data, atom.Del, atom.Dfn, atom.Font,
		atom.Ins, atom.Kbd, atom.Label, atom.Mark, atom.Q, atom.Samp, atom.Svg, atom.Math:
		return inline
	case atom.Div, atom.Li, atom.Ul, atom.Ol, atom.Dl, atom.Dt, atom.Dd, atom.Table, atom.Body, atom.Blockquote,
		atom.Center, atom.Menu, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		return breakout | container
	case atom.Td, atom.Th, atom.Tr, atom.Tbody, atom.Thead, atom.Tfoot, atom.Caption, atom.Section, atom.Article,
		atom.Nav, atom.Aside, atom.Header, atom.Footer, atom.Main, atom.Form, atom.Fieldset, atom.Figure:
		return container
	case atom.P, atom.Pre, atom.Head, atom.Listing:
		return breakout
	case atom.Meta:
		return void | reads | breakout
	case atom.Link, atom.Base, atom.Area, atom.Frame:
		return void | reads
	case atom.Img, atom.Br, atom.Hr, atom.Embed:
		return void | breakout
	case atom.Wbr:
		return void | inline
	case atom.Input, atom.Col, atom.Source, atom.Track, atom.Param:
		return void
	case atom.Html:
		return reads
	case atom.Template:
		return inline | reads
	case atom.Script, atom.Iframe:
		return inline | reads | rawText
	case atom.Style, atom.Noscript:
		return inline | rawText
	case atom.Title, atom.Textarea, atom.Noembed, atom.Noframes, atom.Xmp, atom.Plaintext:
		return rawText
	}
	return 0
}

// tagAtom returns the atom of the tag name at the start of s, which goes on up
// to white space, "/" or ">"; 0 if it is no name that HTML knows.
func tagAtom(s []byte) atom.Atom {
	var name [16]byte // the longest name that is told from unknown ones has 14
	for i, c := range s {
		if c <= '>' && endsName(c) {
			return atom.Lookup(name[:i])
		}
		if i == len(name) {
			return 0
		}
		name[i] = lower(c)
	}
	return 0
}

// endsName reports whether c, behind a tag name, does not belong to it.
func endsName(c byte) bool {
	switch c {
	case ' ', '\n', '\r', '\t', '\f', '/', '>':
		return true
	}
	return false
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}

// A tagMemory remembers the atoms and traits of short names that it was asked
// for: a page has few names and many tags. The zero value is ready.
type tagMemory [64]struct {
	name   uint64 // its bytes in lower case
	tag    atom.Atom
	traits traits
}

// of returns what tagAtom and traitsOf say of the name at the start of s, which
// begins with a letter.
func (m *tagMemory) of(s []byte) (atom.Atom, traits) {
	name, isShort := uint64(0), false
	for i, c := range s {
		if c <= '>' && endsName(c) {
			isShort = true
			break
		}
		if i == 8 {
			break
		}
		name = name<<8 | uint64(lower(c))
	}
	if !isShort {
		tag := tagAtom(s)
		return tag, traitsOf(tag)
	}
	e := &m[name*0x9e3779b97f4a7c15>>(64-6)]
	if e.name != name {
		e.name, e.tag = name, tagAtom(s)
		e.traits = traitsOf(e.tag)
	}
	return e.tag, e.traits
}
