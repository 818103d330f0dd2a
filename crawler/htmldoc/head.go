package htmldoc

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// feedDetector passes the current start tag on to the detector of the opt-in,
// which also knows where the head ends. It looks at the attributes of <meta>
// only, so no others are copied for it.
func (p *Parser) feedDetector(tag atom.Atom) {
	if tag != atom.Meta {
		p.head.Start(tag, nil)
		return
	}
	var attrs []html.Attribute
	for _, a := range p.selectAttrs(isMetaAttr) {
		attrs = append(attrs, html.Attribute{Key: string(a.key), Val: string(a.val)})
	}
	p.head.Start(tag, attrs)
}

// isMetaAttr reports whether the detector looks at the attribute key.
func isMetaAttr(key []byte) bool { return string(key) == "name" || string(key) == "content" }
