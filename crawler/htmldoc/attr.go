package htmldoc

import "bytes"

// An attr is one attribute of the current start tag. Its bytes are valid until
// the next token.
type attr struct{ key, val []byte }

// maxAttrs is the most attributes of one tag that are read.
const maxAttrs = 512

// readAttrs reads the attributes of the current start tag, whose source is raw,
// into p.attrs.
func (p *Parser) readAttrs(raw []byte) {
	var ok bool
	if p.attrs, ok = plainAttrs(p.attrs[:0], raw); ok {
		return
	}
	p.attrs = p.attrs[:0]
	if _, more := p.z.TagName(); !more {
		return
	}
	for {
		key, val, more := p.z.TagAttr()
		p.attrs = append(p.attrs, attr{key, val})
		if !more || len(p.attrs) == maxAttrs {
			return
		}
	}
}

// attr returns the value of the attribute name of the current start tag, and
// whether the tag has it. Of attributes with one name the first counts
// [WHATWG-HTML §13.2.5.33].
func (p *Parser) attr(name string) ([]byte, bool) {
	for _, a := range p.attrs {
		if string(a.key) == name {
			return a.val, true
		}
	}
	return nil, false
}

// plainAttrs appends the attributes of a start tag with the source tag to dst,
// as parts of tag. It declines a tag with character references, carriage
// returns, NULs or upper-case names, for which the tokenizer makes copies.
//
// The tokenizer makes two for each attribute, needed or not. That costs as much
// as all the rest of the package's work; hence this second reading, which a
// fuzz test holds to the tokenizer's.
func plainAttrs(dst []attr, tag []byte) ([]attr, bool) {
	if bytes.IndexByte(tag, '&') >= 0 || bytes.IndexByte(tag, '\r') >= 0 || bytes.IndexByte(tag, 0) >= 0 {
		return dst, false
	}
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
		case ' ', '\n', '\t', '\f', '/', '>':
			return i
		}
	}
	return len(s)
}

// keyLen returns the length of the attribute name at the start of s, and
// whether it needs no lower-casing. An "=" in front belongs to the name.
func keyLen(s []byte) (n int, ok bool) {
	for i, c := range s {
		switch {
		case 'a' <= c && c <= 'z':
		case 'A' <= c && c <= 'Z':
			return 0, false
		case c == '=' && i > 0, c == ' ', c == '\n', c == '\t', c == '\f', c == '/', c == '>':
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
		case ' ', '\n', '\t', '\f', '>':
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
