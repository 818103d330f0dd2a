package htmldoc

import "golang.org/x/net/html/atom"

// maxForeign bounds the stack of a foreign. Deeper nesting is not followed.
const maxForeign = 32

// A foreign tells SVG and MathML content from HTML content, as far as their
// difference matters without a tree: in foreign content <title/> is an empty
// element, in HTML it makes text of the rest of the page.
type foreign struct {
	// open holds the open <svg> and <math>, above each the integration points
	// that lead back into HTML, and what is never shown.
	open []atom.Atom
}

func (f *foreign) reset() { f.open = f.open[:0] }

// top returns the innermost element of the stack, 0 if there is none.
func (f *foreign) top() atom.Atom {
	if len(f.open) == 0 {
		return 0
	}
	return f.open[len(f.open)-1]
}

// active reports whether the next start tag is foreign unless it breaks out.
func (f *foreign) active() bool {
	switch f.top() {
	case atom.Svg, atom.Math, atom.Style, atom.Script, atom.Annotation:
		return true
	}
	return false
}

// silent reports whether text here is not shown: names and descriptions of
// drawings, their styles and scripts, and the sources of formulas.
func (f *foreign) silent() bool {
	switch f.top() {
	case atom.Title, atom.Desc, atom.Style, atom.Script, atom.Annotation:
		return true
	}
	return false
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
	if !selfClosing && len(f.open) < maxForeign && (!active || f.matters(tag)) {
		f.open = append(f.open, tag)
	}
	return true
}

// matters reports whether the foreign element tag changes what is foreign or
// shown inside of it.
func (f *foreign) matters(tag atom.Atom) bool {
	switch tag {
	case atom.Svg, atom.Math:
		return true
	case atom.Foreignobject, atom.Desc, atom.Title, atom.Style, atom.Script:
		return f.top() == atom.Svg
	case atom.Mi, atom.Mo, atom.Mn, atom.Ms, atom.Mtext, atom.AnnotationXml, atom.Annotation:
		return f.top() == atom.Math
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
