package listing

import (
	"strings"

	"golang.org/x/net/html/atom"
)

const (
	fnvOffset = 2166136261
	fnvPrime  = 16777619
)

func mixByte(h uint32, c byte) uint32 { return (h ^ uint32(c)) * fnvPrime }

func mixWord(h, w uint32) uint32 {
	for range 4 {
		h = mixByte(h, byte(w))
		w >>= 8
	}
	return h
}

// shape returns a hash of what kind of element a node is: its tag and the first
// name in its class, digits apart. It is never 0.
func (r *reader) shape(node int32) uint32 {
	if r.shapes[node] != 0 {
		return r.shapes[node]
	}
	h := mixWord(fnvOffset, uint32(r.outline.Nodes[node].Tag))
	name, _ := cutWord(r.attr(node, "class"))
	for i := range len(name) {
		if !isDigit(name[i]) && name[i] != '-' && name[i] != '_' {
			h = mixByte(h, name[i])
		}
	}
	r.shapes[node] = max(h, 1)
	return r.shapes[node]
}

// sketch returns a hash of how a node begins: its tag and those of its first
// two children; for a row of a table its tag and how many cells it has.
func (r *reader) sketch(node int32) uint32 {
	nodes := r.outline.Nodes
	n := &nodes[node]
	h := mixWord(fnvOffset, uint32(n.Tag))
	count := uint32(0)
	for c := node + 1; c < n.End; c = nodes[c].End {
		count++
		if n.Tag != atom.Tr {
			h = mixWord(h, uint32(nodes[c].Tag))
			if count == 2 {
				return h
			}
		}
	}
	return mixWord(h, count)
}

// alike reports whether two elements may be rows of one block: they are of one
// tag, and begin alike or share a name of their classes.
func (r *reader) alike(a, b int32) bool {
	nodes := r.outline.Nodes
	return nodes[a].Tag == nodes[b].Tag &&
		(r.shape(a) == r.shape(b) || r.sketch(a) == r.sketch(b) || sharesWord(r.attr(a, "class"), r.attr(b, "class")))
}

// maxWords is how many names of a class are compared.
const maxWords = 8

// sharesWord reports whether two lists of words have one in common.
func sharesWord(a, b string) bool {
	for range maxWords {
		var word string
		if word, a = cutWord(a); word == "" {
			return false
		}
		if hasWord(b, word) {
			return true
		}
	}
	return false
}

func hasWord(list, word string) bool {
	for range maxWords {
		var w string
		if w, list = cutWord(list); w == "" {
			return false
		}
		if w == word {
			return true
		}
	}
	return false
}

// cutWord cuts the first word off a list that blanks part.
func cutWord(s string) (word, rest string) {
	from := 0
	for from < len(s) && isBlank(s[from]) {
		from++
	}
	for i := from; i < len(s); i++ {
		if isBlank(s[i]) {
			return s[from:i], s[i+1:]
		}
	}
	return s[from:], ""
}

func isBlank(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' && c != '\v' }

const blanks = " \t\n\r\f"

func trimBlanks(s string) string { return strings.Trim(s, blanks) }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// isHeading reports whether a tag is a heading or a term, which begin what
// belongs to them without being around it.
func isHeading(tag atom.Atom) bool {
	switch tag {
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Dt:
		return true
	}
	return false
}

// isPhrase reports whether a tag is no block, so that text beside it may belong
// to it.
func isPhrase(tag atom.Atom) bool {
	switch tag {
	case atom.A, atom.B, atom.Strong, atom.Em, atom.I, atom.Span, atom.Font, atom.Big, atom.Small:
		return true
	}
	return false
}
