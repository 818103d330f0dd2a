package sitemap

import (
	"bufio"
	"bytes"
	"errors"
	"html"
	"strings"
)

// maxTag bounds what is kept of a tag; the rest up to its '>' is skipped.
const maxTag = 16 << 10

// A tag is the start or end of an element.
type tag struct {
	name
	end   bool   // </name>
	empty bool   // <name/>
	attrs []byte // as written; good until the next tag
}

// attr returns the value of an attribute, "" if it is absent. Prefixes count
// as part of the name.
func (t tag) attr(name string) string {
	for rest := t.attrs; ; {
		key, after, ok := bytes.Cut(rest, []byte("="))
		if !ok {
			return ""
		}
		after = bytes.TrimLeft(after, " \t\r\n")
		if len(after) == 0 {
			return ""
		}
		var value []byte
		if q := after[0]; q == '"' || q == '\'' {
			value, rest, _ = bytes.Cut(after[1:], after[:1])
		} else if i := bytes.IndexAny(after, " \t\r\n"); i >= 0 {
			value, rest = after[:i], after[i:]
		} else {
			value, rest = after, nil
		}
		if fields := bytes.Fields(key); len(fields) > 0 && strings.EqualFold(string(fields[len(fields)-1]), name) {
			text, _ := unescape(string(value))
			return trimSpace(text)
		}
	}
}

// A scanner splits a document into tags and the text between them. It takes
// everything for XML that can be taken for it and never fails; it reads each
// byte once.
type scanner struct {
	r *bufio.Reader
	// keep says whether text is collected in text. Without it text is
	// skipped unseen.
	keep bool
	text []byte // at most maxText bytes
	long bool   // there was more
	// entities: the document declares entities of its own, so an entity that
	// is unknown is one of them and no stray '&'.
	entities bool
	// undefined: the text collected holds an entity that is not expanded.
	undefined bool
	// closing: the last text is whole, as a tag has begun behind it.
	closing bool
	body    []byte // of the tag being read
	names   map[string]name
}

// A name is that of an element. Its parts are in lower case, as some
// generators write <URL><LOC>.
type name struct{ prefix, local string }

// maxNames bounds how many names a scanner remembers, so that it need not
// make strings of the same few names again and again.
const maxNames = 64

// nameOf returns a name as written.
func (s *scanner) nameOf(written []byte) name {
	if n, ok := s.names[string(written)]; ok {
		return n
	}
	n := name{local: strings.ToLower(string(written))}
	if prefix, local, ok := strings.Cut(n.local, ":"); ok {
		n = name{prefix, local}
	}
	if s.names == nil {
		s.names = make(map[string]name, maxNames)
	}
	if len(s.names) < maxNames {
		s.names[string(written)] = n
	}
	return n
}

// next returns the next tag, adding the text before it to s.text if s.keep.
// At the end of the document it returns false.
func (s *scanner) next() (tag, bool) {
	for {
		s.closing = false
		if !s.skipTo('<') {
			return tag{}, false
		}
		c, err := s.r.ReadByte()
		switch {
		case err != nil:
			return tag{}, false
		case c == '!':
			if !s.declaration() {
				return tag{}, false
			}
		case c == '?':
			if !s.skipPast("?>", false) {
				return tag{}, false
			}
		case c == '/' || isNameStart(c):
			if c != '/' {
				s.unread()
			}
			s.closing = true
			return s.tag(c == '/')
		default:
			s.unread()
			s.add([]byte{'<'}) // a stray '<' is text
		}
	}
}

// unread puts the byte back that was read last.
func (s *scanner) unread() {
	if err := s.r.UnreadByte(); err != nil {
		panic(err) // unreachable unless something else was done since ReadByte
	}
}

// skipTo reads text up to and with c, and reports whether c came.
func (s *scanner) skipTo(c byte) bool {
	start := len(s.text)
	for {
		chunk, err := s.r.ReadSlice(c)
		s.add(bytes.TrimSuffix(chunk, []byte{c}))
		if err == nil || !errors.Is(err, bufio.ErrBufferFull) {
			s.expand(start)
			return err == nil
		}
	}
}

// collect begins to collect text.
func (s *scanner) collect() {
	s.keep, s.text, s.long, s.undefined = true, s.text[:0], false, false
}

// add collects text if any is wanted.
func (s *scanner) add(text []byte) {
	if !s.keep {
		return
	}
	if room := maxText - len(s.text); len(text) > room {
		text, s.long = text[:room], true
	}
	s.text = append(s.text, text...)
}

// expand replaces the entities in s.text from start on.
func (s *scanner) expand(start int) {
	if len(s.text) == start || bytes.IndexByte(s.text[start:], '&') < 0 {
		return
	}
	text, undefined := unescape(string(s.text[start:]))
	s.text = s.text[:start]
	s.add([]byte(text))
	s.undefined = s.undefined || undefined && s.entities
}

// declaration skips what follows "<!", and keeps the text of a CDATA section.
func (s *scanner) declaration() bool {
	if head, _ := s.r.Peek(2); string(head) == "--" {
		return s.skipPast("-->", false)
	}
	if head, _ := s.r.Peek(7); strings.EqualFold(string(head), "[CDATA[") {
		if _, err := s.r.Discard(7); err != nil {
			return false
		}
		return s.skipPast("]]>", true)
	}
	return s.doctype()
}

// doctype skips a document type with its internal subset, which it only asks
// whether it declares entities.
func (s *scanner) doctype() bool {
	var quote byte
	depth := 0
	for last := [2]byte{}; ; {
		c, err := s.r.ReadByte()
		if err != nil {
			return false
		}
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '[':
			depth++
		case c == ']':
			depth--
		case last == [2]byte{'<', '!'} && c == 'E':
			s.entities = true // or ELEMENT, which does no harm
		case c == '>' && depth <= 0:
			return true
		}
		last = [2]byte{last[1], c}
	}
}

// skipPast reads past the string end, whose last byte stands in it once. What
// comes before it is text if isText. It reports whether end came.
func (s *scanner) skipPast(end string, isText bool) bool {
	var tail []byte // the last bytes read, held back while they may begin end
	last := end[len(end)-1]
	for {
		chunk, err := s.r.ReadSlice(last)
		tail = append(tail, chunk...)
		if bytes.HasSuffix(tail, []byte(end)) {
			if isText {
				s.add(tail[:len(tail)-len(end)])
			}
			return true
		}
		if keep := len(end) - 1; len(tail) > keep {
			if isText {
				s.add(tail[:len(tail)-keep])
			}
			tail = append(tail[:0], tail[len(tail)-keep:]...)
		}
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return false
		}
	}
}

// tag reads a tag from its name on.
func (s *scanner) tag(end bool) (tag, bool) {
	body, ok := s.tagBody()
	if !ok {
		return tag{}, false
	}
	t := tag{end: end}
	if n := len(body); n > 0 && body[n-1] == '/' {
		t.empty, body = true, body[:n-1]
	}
	i := 0
	for i < len(body) && body[i] > ' ' && body[i] != '/' {
		i++
	}
	t.name, t.attrs = s.nameOf(body[:i]), body[i:]
	return t, true
}

// tagBody reads up to the '>' that stands outside quotes, and returns at most
// maxTag bytes before it. They are good until the next call.
func (s *scanner) tagBody() ([]byte, bool) {
	s.body = s.body[:0]
	var quote byte
	for {
		c, err := s.r.ReadByte()
		if err != nil {
			return nil, false
		}
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '>':
			return s.body, true
		case (c == '"' || c == '\'') && bytes.ContainsAny(s.body, "="):
			quote = c
		case c == '<':
			// The tag before never closed: what follows is another one.
			s.unread()
			return s.body, true
		}
		if len(s.body) < maxTag {
			s.body = append(s.body, c)
		}
	}
}

// unescape replaces character references, those of XML and those of HTML that
// end in ';', and reports whether an unknown one is left as it stands. A '&'
// that begins no reference stays: many generators escape nothing.
func unescape(s string) (text string, undefined bool) {
	var b strings.Builder
	for {
		before, after, ok := strings.Cut(s, "&")
		b.WriteString(before)
		if !ok {
			return b.String(), undefined
		}
		name, _, ok := strings.Cut(after[:min(len(after), maxReference)], ";")
		if !ok || !isReference(name) {
			b.WriteByte('&')
			s = after
			continue
		}
		ref := "&" + name + ";"
		char := html.UnescapeString(ref)
		undefined = undefined || char == ref
		b.WriteString(char)
		s = after[len(name)+1:]
	}
}

// maxReference is longer than any reference of HTML.
const maxReference = 40

// isReference reports whether s can stand between '&' and ';'.
func isReference(s string) bool {
	s = strings.TrimPrefix(s, "#")
	for i := 0; i < len(s); i++ {
		if c := s[i]; !isNameStart(c) && (c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}

// isNameStart reports whether c can begin the name of an element.
func isNameStart(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' || c >= 0x80
}
