package robots

import (
	"bytes"
	"strings"

	"github.com/temoto/robotstxt"
)

// A pattern is the compiled path of a rule: literal pieces with "anything"
// between them, and possibly an end.
type pattern struct {
	// literal asks temoto whether a target starts with the only piece; nil if
	// there are several, or if temoto would read the piece differently.
	literal *robotstxt.Group
	pieces  [][]byte // in normal form; the first is a prefix of the target
	atEnd   bool     // the last piece is a suffix of the target
}

// compilePattern compiles the path of a rule. The length is that of its
// normal form in octets, wildcards included: what [RFC9309 §2.2.2] measures a
// rule by.
func compilePattern(path string) (p pattern, length int) {
	body, atEnd := strings.CutSuffix(path, "$")
	p.atEnd = atEnd
	if atEnd {
		length = 1
	}
	for piece := range strings.SplitSeq(body, "*") {
		normal := appendNormal(nil, piece)
		length += len(normal)
		if n := len(p.pieces); n > 0 {
			length++ // the wildcard
			if n > 1 && len(normal) == 0 && len(p.pieces[n-1]) == 0 {
				continue // "**" matches what "*" does
			}
		}
		p.pieces = append(p.pieces, normal)
	}
	if len(p.pieces) == 1 && !p.atEnd {
		p.literal = temotoLiteral(string(p.pieces[0]))
	}
	return p, length
}

// temotoLiteral returns a temoto group that forbids just what starts with
// path, or nil if temoto could read path as something else: it takes '#' for
// a comment, splits at blanks, puts a '/' in front, and knows no byte of '*'
// or '$' that is not a wildcard.
func temotoLiteral(path string) *robotstxt.Group {
	if path == "" || path[0] != '/' {
		return nil
	}
	for i := 0; i < len(path); i++ {
		if c := path[i]; c <= ' ' || c >= 0x7F || c == '#' || c == '*' || c == '$' {
			return nil
		}
	}
	data, err := robotstxt.FromString("User-agent: *\nDisallow: " + path + "\n")
	if err != nil {
		return nil
	}
	return data.FindGroup("*")
}

// matches reports whether the pattern matches target, which is in normal
// form. Each piece is looked for behind the place of the one before: the
// leftmost place leaves most room for the rest, so no place is tried twice
// and the time is linear in the target.
func (p *pattern) matches(target []byte) bool {
	first, rest := p.pieces[0], p.pieces[1:]
	if !bytes.HasPrefix(target, first) {
		return false
	}
	target = target[len(first):]
	if len(rest) == 0 {
		return !p.atEnd || len(target) == 0
	}
	last := len(rest) - 1
	for i, piece := range rest {
		if i == last && p.atEnd {
			return bytes.HasSuffix(target, piece)
		}
		at := bytes.Index(target, piece)
		if at < 0 {
			return false
		}
		target = target[at+len(piece):]
	}
	return true
}
