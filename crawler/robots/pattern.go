package robots

import (
	"bytes"
	"strings"

	"github.com/temoto/robotstxt"
)

// maxTemoto is how many rules of one crawler are put to temoto. Each costs a
// parse and about a kilobyte, and a hostile file has tens of thousands.
const maxTemoto = 1000

// wildcard stands for "anything" in the text of a pattern. No rule can hold
// the byte: a NUL ends a line.
const wildcard = 0

// A pattern is the compiled path of a rule.
type pattern struct {
	// literal asks temoto whether a target starts with text; nil if text has
	// wildcards or an end, or if temoto would read it differently.
	literal *robotstxt.Group
	text    []byte // in normal form, between wildcards
	atEnd   bool   // text ends where the target ends
}

// compilePattern compiles the path of a rule. The length is that of its
// normal form in octets, wildcards included: what [RFC9309 §2.2.2] measures a
// rule by.
func compilePattern(path string) (p pattern, length int) {
	path, p.atEnd = strings.CutSuffix(path, "$")
	if p.atEnd {
		length = 1
	}
	for i := 0; ; {
		star := strings.IndexByte(path[i:], '*')
		if star < 0 {
			p.text = appendNormal(p.text, path[i:])
			break
		}
		p.text = appendNormal(p.text, path[i:i+star])
		i += star + 1
		if n := len(p.text); n > 0 && p.text[n-1] == wildcard {
			length++ // "**" matches what "*" does, but is an octet longer
		} else {
			p.text = append(p.text, wildcard)
		}
	}
	return p, length + len(p.text)
}

// askTemoto gives the pattern a temoto group that forbids just what starts
// with its text, unless temoto would read the text as something else: it
// takes '#' for a comment, splits at blanks, puts a '/' in front, and knows
// no '*' or '$' that is not special.
func (p *pattern) askTemoto() {
	p.literal = temotoLiteral(p.text, p.atEnd)
}

func temotoLiteral(text []byte, atEnd bool) *robotstxt.Group {
	if atEnd || len(text) == 0 || text[0] != '/' {
		return nil
	}
	for _, c := range text {
		if c <= ' ' || c >= 0x7F || c == '#' || c == '*' || c == '$' {
			return nil // a wildcard too
		}
	}
	data, err := robotstxt.FromString("User-agent: *\nDisallow: " + string(text) + "\n")
	if err != nil {
		return nil
	}
	return data.FindGroup("*")
}

// temotoReads reports whether temoto's answers on a target are right: it
// compares bytes as they are, and takes the rule "/" for everything, also for
// what does not begin so.
func temotoReads(target string) bool {
	return target != "" && target[0] == '/' && isNormal(target)
}

// matches reports whether the pattern matches target, which is in normal
// form. Each piece between wildcards is looked for behind the place of the
// one before: the leftmost place leaves most room for the rest, so no place
// is tried twice and the time is linear in the target.
func (p *pattern) matches(target []byte) bool {
	piece, rest, more := cutWildcard(p.text)
	if !bytes.HasPrefix(target, piece) {
		return false
	}
	target = target[len(piece):]
	for more {
		piece, rest, more = cutWildcard(rest)
		if !more && p.atEnd {
			return bytes.HasSuffix(target, piece)
		}
		at := bytes.Index(target, piece)
		if at < 0 {
			return false
		}
		target = target[at+len(piece):]
	}
	return !p.atEnd || len(target) == 0
}

// cutWildcard splits text at its first wildcard.
func cutWildcard(text []byte) (piece, rest []byte, found bool) {
	if i := bytes.IndexByte(text, wildcard); i >= 0 {
		return text[:i], text[i+1:], true
	}
	return text, nil, false
}
