package htmldoc

import "golang.org/x/net/html/atom"

// maxForeign bounds the stack of a foreign. Deeper nesting is not followed.
const maxForeign = 32

// A foreign tells SVG and MathML content from HTML content, as far as their
// difference matters without a tree: in foreign content <title/> is an empty
// element, in HTML it makes text of the rest of the page.
type foreign struct {
	// open holds the open <svg> and <math> and, above each, the integration
	// points that lead back into HTML.
	open []atom.Atom
}

// active reports whether the next start tag is foreign unless it breaks out.
func (f *foreign) active() bool {
	if len(f.open) == 0 {
		return false
	}
	top := f.open[len(f.open)-1]
	return top == atom.Svg || top == atom.Math
}

// silent reports whether text here is a name or a description of a drawing,
// which browsers do not show.
func (f *foreign) silent() bool {
	if len(f.open) == 0 {
		return false
	}
	top := f.open[len(f.open)-1]
	return top == atom.Title || top == atom.Desc
}

// start takes a start tag and reports whether its element is foreign
// [WHATWG-HTML §13.2.6.5]. A <font> breaks out only with certain attributes;
// here it never does.
func (f *foreign) start(tag atom.Atom, t traits, selfClosing bool) bool {
	if f.active() && t&breakout != 0 {
		f.leave()
	}
	active := f.active()
	if !active && tag != atom.Svg && tag != atom.Math {
		return false
	}
	if !selfClosing && len(f.open) < maxForeign && (tag == atom.Svg || tag == atom.Math || active && f.integrates(tag)) {
		f.open = append(f.open, tag)
	}
	return true
}

// integrates reports whether the foreign element tag holds HTML.
func (f *foreign) integrates(tag atom.Atom) bool {
	if f.open[len(f.open)-1] == atom.Svg {
		return tag == atom.Foreignobject || tag == atom.Desc || tag == atom.Title
	}
	switch tag {
	case atom.Mi, atom.Mo, atom.Mn, atom.Ms, atom.Mtext, atom.AnnotationXml:
		return true
	}
	return false
}

// end takes an end tag. One of an HTML element leaves foreign content that was
// not closed before it.
func (f *foreign) end(tag atom.Atom, t traits) {
	for i := len(f.open) - 1; i >= 0; i-- {
		if f.open[i] == tag {
			f.open = f.open[:i]
			return
		}
	}
	if f.active() && t&(breakout|container) != 0 {
		f.leave()
	}
}

// leave closes foreign elements up to the next integration point.
func (f *foreign) leave() {
	for f.active() {
		f.open = f.open[:len(f.open)-1]
	}
}
