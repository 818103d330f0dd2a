package htmldoc

import "bytes"

// An attr is one attribute of the current start tag. Its bytes are valid until
// the next token.
type attr struct{ key, val []byte }

// maxAttrs is the most attributes of one tag that are read.
const maxAttrs = 512

// An attrs holds the attributes of the current start tag, as parts of its
// source where that is possible. The tokenizer makes two copies for each
// attribute, needed or not, which would cost as much as half of the package's
// own work; so its answer is asked only for values that are written otherwise
// than they read.
type attrs struct {
	list []attr
	// asRead is set when the list is the tokenizer's; else the values are as
	// written.
	asRead bool
}

// readAttrs reads the attributes of the current start tag, whose source is
// given.
func (p *Parser) readAttrs(source []byte) {
	var ok bool
	p.attrs.asRead = false
	if p.attrs.list, ok = sourceAttrs(p.attrs.list[:0], source); !ok {
		p.decodeAttrs()
	}
}

// decodeAttrs has the tokenizer read the attributes of the current start tag.
func (p *Parser) decodeAttrs() {
	p.attrs.list, p.attrs.asRead = p.attrs.list[:0], true
	_, more := p.z.TagName()
	for more && len(p.attrs.list) < maxAttrs {
		var key, val []byte
		key, val, more = p.z.TagAttr()
		p.attrs.list = append(p.attrs.list, attr{key, val})
	}
}

// attr returns the value of the attribute name of the current start tag, and
// whether the tag has it. Of attributes with one name the first counts
// [WHATWG-HTML §13.2.5.33].
func (p *Parser) attr(name string) ([]byte, bool) {
	for _, a := range p.attrs.list {
		if string(a.key) != name {
			continue
		}
		if !p.attrs.asRead && p.isCoded(a.val) {
			p.decodeAttrs()
			return p.attr(name)
		}
		return a.val, true
	}
	return nil, false
}

// selectAttrs returns the attributes whose names are wanted.
func (p *Parser) selectAttrs(wanted func(key []byte) bool) []attr {
	p.selected = p.selected[:0]
	for _, a := range p.attrs.list {
		if !wanted(a.key) {
			continue
		}
		if !p.attrs.asRead && p.isCoded(a.val) {
			p.decodeAttrs()
			return p.selectAttrs(wanted)
		}
		p.selected = append(p.selected, a)
	}
	return p.selected
}

// sourceAttrs appends the attributes of the start tag with the source tag to
// dst, as parts of tag. It declines names with capitals or NULs. A fuzz test
// holds it to the tokenizer's reading [WHATWG-HTML §13.2.5.32–39].
func sourceAttrs(dst []attr, tag []byte) ([]attr, bool) {
	s := tag[1+nameLen(tag[1:]):]
	for {
		s = trimSpace(s)
		if len(s) == 0 || s[0] == '>' || len(dst) == maxAttrs {
			return dst, true
		}
		n, ok := keyLen(s)
		if !ok {
			return dst, false
		}
		key := s[:n]
		var val []byte
		val, s = attrValue(s[n:])
		if n > 0 {
			dst = append(dst, attr{key, val})
		}
	}
}

// nameLen returns the length of the tag name at the start of s.
func nameLen(s []byte) int {
	for i, c := range s {
		switch c {
		case ' ', '\n', '\r', '\t', '\f', '/', '>':
			return i
		}
	}
	return len(s)
}

// keyLen returns the length of the attribute name at the start of s, and
// whether it reads as it is written. An "=" in front belongs to the name.
func keyLen(s []byte) (n int, ok bool) {
	for i, c := range s {
		switch {
		case 'a' <= c && c <= 'z':
		case 'A' <= c && c <= 'Z', c == 0:
			return 0, false
		case c == '=' && i > 0, c == ' ', c == '\n', c == '\r', c == '\t', c == '\f', c == '/', c == '>':
			return i, true
		}
	}
	return len(s), true
}

// attrValue returns the value that follows a name at the start of s, and what
// follows the value. A "/" after the name is skipped.
func attrValue(s []byte) (val, rest []byte) {
	s = trimSpace(s)
	if len(s) == 0 || s[0] != '=' {
		if len(s) > 0 && s[0] == '/' {
			s = s[1:]
		}
		return nil, s
	}
	s = trimSpace(s[1:])
	if len(s) == 0 || s[0] == '>' {
		return nil, s
	}
	if quote := s[0]; quote == '"' || quote == '\'' {
		s = s[1:]
		if i := bytes.IndexByte(s, quote); i >= 0 {
			return s[:i], s[i+1:]
		}
		return s, nil
	}
	for i, c := range s {
		switch c {
		case ' ', '\n', '\r', '\t', '\f', '>':
			return s[:i], s[i:]
		}
	}
	return s, nil
}

// trimSpace returns s without the white space in front.
func trimSpace(s []byte) []byte {
	for i, c := range s {
		switch c {
		case ' ', '\n', '\r', '\t', '\f':
		default:
			return s[i:]
		}
	}
	return nil
}
