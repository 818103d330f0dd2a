package htmldoc

import (
	"strings"

	"golang.org/x/net/html/atom"
)

// Bounds of an outline.
const (
	maxOutlineDepth = 256     // elements below are leaves of the deepest that is open
	maxOutlineNodes = 1 << 17 // further elements are left out
	maxOutlineAttr  = 512     // bytes of one attribute's value; longer ones are cut
)

// An Outline is the element structure of a page, light enough to be built in
// the same pass: enough to find blocks, rows and pagers, not to render. It has
// the implied end tags of p, li, dt, dd, option and of table parts, ignores end
// tags that match nothing in their scope, and neither moves nor copies
// elements, as a tree builder would.
type Outline struct {
	// Nodes are the elements in document order. Nodes[0] is the root, which
	// stands for the document and has no tag.
	Nodes []Node

	// Attrs are the attributes of all nodes, see Node.
	Attrs []Attr

	// Text is the visible text of the page, white space folded.
	Text string

	// Truncated says that the page has more elements than the outline.
	Truncated bool
}

// A Node is one element. Its descendants are Nodes[i+1:End], its first child,
// if any, is i+1, and the next sibling of a child is at the child's End.
type Node struct {
	Tag    atom.Atom // 0 for names that HTML does not know
	Parent int32     // -1 for the root
	End    int32     // after the last descendant
	Link   int32     // in Page.Links, -1 if the element is no link

	// The element's attributes are Attrs[AttrStart:AttrEnd].
	AttrStart, AttrEnd int32

	// The element's visible text is Text[TextStart:TextEnd], possibly with a
	// blank in front.
	TextStart, TextEnd uint32
}

// An Attr is one attribute of a node: class, id, rel, role, name, value, type,
// title, datetime, onclick and all of aria-*, data-* and item*.
type Attr struct{ Key, Val string }

// Attr returns the value of the attribute key of node i, "" if the node has
// none.
func (o *Outline) Attr(i int, key string) string {
	n := &o.Nodes[i]
	for _, a := range o.Attrs[n.AttrStart:n.AttrEnd] {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

// NodeText returns the visible text of node i.
func (o *Outline) NodeText(i int) string {
	n := &o.Nodes[i]
	return strings.TrimSpace(o.Text[n.TextStart:n.TextEnd])
}

// Children returns an iterator over the children of node i.
func (o *Outline) Children(i int) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		end := int(o.Nodes[i].End)
		for c := i + 1; c < end; c = int(o.Nodes[c].End) {
			if !yield(c) {
				return
			}
		}
	}
}

// An outliner builds an Outline from tags.
type outliner struct {
	on        bool
	nodes     []Node
	attrs     []rawAttr
	arena     []byte
	open      []openElement // the root first
	count     [256]uint16   // of open elements, by the slot of their names
	flat      int           // elements open below the deepest that is followed
	truncated bool
}

// An openElement is a node without its end.
type openElement struct {
	node int32
	name elementName
}

// An elementName is the atom of a name that HTML knows, or a hash of another
// with the highest bit set, which no atom has.
type elementName uint32

// slot returns where an outliner counts elements of this name, and others.
func (n elementName) slot() uint8 { return uint8(n>>8 ^ n>>16 ^ n) }

// atom returns the atom of the name, 0 if HTML does not know it.
func (n elementName) atom() atom.Atom {
	if n>>31 != 0 {
		return 0
	}
	return atom.Atom(n)
}

// nameOf returns the name of the element tag, which stands at the start of s
// as for [tagAtom]. Two unknown names with one hash are taken for one.
func nameOf(tag atom.Atom, s []byte) elementName {
	if tag != 0 {
		return elementName(tag)
	}
	h := uint32(2166136261)
	for _, c := range s {
		switch c {
		case ' ', '\n', '\r', '\t', '\f', '/', '>':
			return elementName(h | 1<<31)
		}
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		h = (h ^ uint32(c)) * 16777619
	}
	return elementName(h | 1<<31)
}

// A rawAttr is an Attr whose strings are still spans of the outliner's arena.
type rawAttr struct{ key, val span }

func (b *outliner) reset(on bool) {
	b.on, b.flat, b.truncated = on, 0, false
	b.nodes, b.attrs, b.arena = recycled(b.nodes, keepItems), recycled(b.attrs, keepItems), recycled(b.arena, keepBytes)
	b.open, b.count = b.open[:0], [256]uint16{}
	if on {
		b.nodes = append(b.nodes, Node{Parent: -1, Link: -1})
		b.push(openElement{})
	}
}

func (b *outliner) push(e openElement) {
	b.open = append(b.open, e)
	b.count[e.name.slot()]++
}

// start takes a start tag with those of its attributes that an outline keeps.
// empty says that the element has no contents whatever its name, text is the
// length of the visible text so far, and link the index of the link that the
// tag made, or -1. It returns the index of the element's node, -1 if it was left
// out.
func (b *outliner) start(name elementName, empty bool, attrs []attr, text, link int) int {
	tag := name.atom()
	if len(b.nodes) >= maxOutlineNodes {
		b.truncated = true
		return -1
	}
	b.implyEnds(tag, text)
	n := Node{
		Tag: tag, Parent: b.open[len(b.open)-1].node, Link: int32(link), End: int32(len(b.nodes) + 1),
		AttrStart: int32(len(b.attrs)), TextStart: uint32(text), TextEnd: uint32(text),
	}
	for _, a := range attrs {
		b.attrs = append(b.attrs, rawAttr{b.keep(a.key), b.keep(a.val[:cutLen(a.val, maxOutlineAttr)])})
	}
	n.AttrEnd = int32(len(b.attrs))
	b.nodes = append(b.nodes, n)
	switch {
	case empty || traitsOf(tag)&void != 0:
	case len(b.open) >= maxOutlineDepth:
		b.flat++
	default:
		b.push(openElement{int32(len(b.nodes) - 1), name})
	}
	return int(n.End) - 1
}

func (b *outliner) keep(s []byte) span {
	start := len(b.arena)
	b.arena = append(b.arena, s...)
	return span{uint32(start), uint32(len(b.arena))}
}

// isOutlineAttr reports whether an outline keeps the attribute key.
func isOutlineAttr(key []byte) bool {
	switch string(key) {
	case "class", "id", "rel", "role", "name", "value", "type", "title", "datetime", "onclick", "hx-get", "hx-trigger", "up-href":
		return true
	}
	const most = 64 // no name longer than this is looked for
	s := string(key[:min(len(key), most)])
	return len(key) <= most &&
		(strings.HasPrefix(s, "data-") || strings.HasPrefix(s, "aria-") || strings.HasPrefix(s, "item"))
}

// implyEnds closes the elements that the start tag closes by itself
// [WHATWG-HTML §13.1.2.4].
func (b *outliner) implyEnds(tag atom.Atom, text int) {
	switch tag {
	case atom.Li:
		b.closeWithin(text, elementName(atom.Li), 0, isListScope)
	case atom.Dt, atom.Dd:
		b.closeWithin(text, elementName(atom.Dt), elementName(atom.Dd), isListScope)
	case atom.Option, atom.Optgroup:
		b.closeWithin(text, elementName(atom.Option), 0, isBlockScope)
	case atom.Td, atom.Th:
		b.closeWithin(text, elementName(atom.Td), elementName(atom.Th), isTableScope)
	case atom.Tr:
		b.closeWithin(text, elementName(atom.Tr), 0, isTableScope)
	case atom.Tbody, atom.Thead, atom.Tfoot:
		b.closeWithin(text, elementName(atom.Tr), 0, isTableScope)
		b.closeWithin(text, elementName(atom.Tbody), 0, isTableScope)
		b.closeWithin(text, elementName(atom.Thead), elementName(atom.Tfoot), isTableScope)
	case atom.A:
		b.closeWithin(text, elementName(atom.A), 0, isBlockScope)
	default:
		if closesParagraph(tag) {
			b.closeWithin(text, elementName(atom.P), 0, isBlockScope)
		}
	}
}

// end takes an end tag and closes its element, if one is open in its scope.
func (b *outliner) end(name elementName, text int) {
	if b.flat > 0 {
		b.flat--
		return
	}
	barrier := isBlockScope
	switch tag := name.atom(); tag {
	case atom.Table, atom.Tbody, atom.Thead, atom.Tfoot, atom.Tr, atom.Td, atom.Th, atom.Caption:
		barrier = isTableScope
	case atom.Li:
		barrier = isListScope
	default:
		if traitsOf(tag)&container != 0 || tag == atom.P {
			barrier = isCellScope
		}
	}
	b.closeWithin(text, name, 0, barrier)
}

// closeWithin closes the innermost open element that is one or other (0 for
// none), and all inside it, unless an element that is a barrier lies between.
// A cell outside of a table, as in a fragment of rows, is no barrier.
func (b *outliner) closeWithin(text int, one, other elementName, barrier func(atom.Atom) bool) {
	if b.count[one.slot()] == 0 && (other == 0 || b.count[other.slot()] == 0) {
		return
	}
	for i := len(b.open) - 1; i > 0; i-- {
		name := b.open[i].name
		if name == one || name == other && other != 0 {
			b.closeFrom(i, text)
			return
		}
		if tag := name.atom(); barrier(tag) && (!isCell(tag) || b.count[elementName(atom.Table).slot()] > 0) {
			return
		}
	}
}

// closeFrom closes the open elements from the ith on.
func (b *outliner) closeFrom(i, text int) {
	for _, e := range b.open[i:] {
		b.count[e.name.slot()]--
		n := &b.nodes[e.node]
		n.End, n.TextEnd = int32(len(b.nodes)), uint32(text)
	}
	b.open = b.open[:i]
}

// finish returns the outline, whose visible text is text, or nil if none was
// asked for.
func (b *outliner) finish(text string) *Outline {
	if !b.on {
		return nil
	}
	b.closeFrom(0, len(text))
	arena := string(b.arena)
	o := &Outline{
		Nodes: append([]Node(nil), b.nodes...), Attrs: make([]Attr, len(b.attrs)),
		Text: text, Truncated: b.truncated,
	}
	for i, a := range b.attrs {
		o.Attrs[i] = Attr{Key: a.key.of(arena), Val: a.val.of(arena)}
	}
	return o
}

func isCell(tag atom.Atom) bool { return tag == atom.Td || tag == atom.Th || tag == atom.Caption }

// isTableScope: a table's parts are closed only by its own tags.
func isTableScope(tag atom.Atom) bool { return tag == atom.Table }

// isCellScope: nothing reaches out of a cell.
func isCellScope(tag atom.Atom) bool {
	return isCell(tag) || tag == atom.Table || tag == atom.Button || tag == atom.Object
}

// isListScope: an item ends an item of the same list only.
func isListScope(tag atom.Atom) bool {
	return tag == atom.Ul || tag == atom.Ol || tag == atom.Dl || tag == atom.Menu || isCellScope(tag)
}

// isBlockScope: a phrase does not end what lies around its block.
func isBlockScope(tag atom.Atom) bool { return traitsOf(tag)&container != 0 || isCellScope(tag) }

// closesParagraph reports whether the start tag ends an open <p>.
func closesParagraph(tag atom.Atom) bool {
	switch tag {
	case atom.P, atom.Pre, atom.Hr, atom.Address, atom.Details, atom.Summary, atom.Dialog, atom.Hgroup, atom.Search,
		atom.Listing, atom.Xmp, atom.Plaintext, atom.Figcaption, atom.Dir:
		return true
	case atom.Td, atom.Th, atom.Tr, atom.Tbody, atom.Thead, atom.Tfoot, atom.Caption, atom.Body:
		return false
	}
	return traitsOf(tag)&container != 0
}
