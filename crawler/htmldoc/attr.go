package htmldoc

// An attr is one attribute of the current start tag. Its bytes are valid until
// the next token.
type attr struct{ key, val []byte }

// readAttrs reads the attributes of the current start tag into p.attrs.
func (p *Parser) readAttrs() {
	if _, more := p.z.TagName(); !more {
		return
	}
	for {
		key, val, more := p.z.TagAttr()
		p.attrs = append(p.attrs, attr{key, val})
		if !more {
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
