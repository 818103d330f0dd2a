package audit

import (
	"bytes"
	"mime"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/dchest/siphash"
)

// A markup is what the rules want to know of a document beside what every crawl
// reads: one more pass over its tokens, which keeps counts and first examples.
type markup struct {
	hash     uint64 // of the bytes
	bom      bool
	charset  string // of the first meta that declares one
	depth    int    // of the deepest nesting of elements
	scripts  int
	password bool   // it asks for a password
	hijax    int    // links with both an address and a handler
	onclick  int    // elements that only a script makes links
	example  string // the first of them
}

// voids are the elements without an end tag [WHATWG-HTML §13.1.2].
func isVoid(a atom.Atom) bool {
	switch a {
	case atom.Area, atom.Base, atom.Br, atom.Col, atom.Embed, atom.Hr, atom.Img, atom.Input, atom.Link, atom.Meta, atom.Source, atom.Track, atom.Wbr:
		return true
	}
	return false
}

// scanMarkup reads a document: raw as it was sent, and decoded.
func scanMarkup(raw, text []byte) markup {
	m := markup{hash: siphash.Hash(0, 0, raw), bom: hasBOM(raw)}
	z := html.NewTokenizer(bytes.NewReader(text))
	depth := 0
	for {
		switch z.Next() {
		case html.ErrorToken:
			return m
		case html.StartTagToken:
			t := z.Token()
			if !isVoid(t.DataAtom) {
				depth++
				m.depth = max(m.depth, depth)
			}
			m.start(&t)
		case html.SelfClosingTagToken:
			t := z.Token()
			m.start(&t)
		case html.EndTagToken:
			depth = max(0, depth-1)
		}
	}
}

func hasBOM(b []byte) bool {
	return bytes.HasPrefix(b, []byte("\xef\xbb\xbf")) || bytes.HasPrefix(b, []byte("\xff\xfe")) || bytes.HasPrefix(b, []byte("\xfe\xff"))
}

// start takes a start tag.
func (m *markup) start(t *html.Token) {
	switch t.DataAtom {
	case atom.Script:
		m.scripts++
	case atom.Input:
		m.password = m.password || strings.EqualFold(attr(t, "type"), "password")
	case atom.Meta:
		m.declares(t)
	}
	click := attr(t, "onclick")
	if click == "" || t.DataAtom == atom.Button || t.DataAtom == atom.Input {
		return
	}
	href := strings.TrimSpace(attr(t, "href"))
	switch {
	case t.DataAtom == atom.A && href != "" && href != "#" && !isScript(href):
		m.hijax++
	case t.DataAtom == atom.A || leads(click):
		if m.onclick++; m.onclick == 1 {
			m.example = clip(t.String())
		}
	}
}

// declares takes a meta that may say in which charset the document is.
func (m *markup) declares(t *html.Token) {
	if m.charset != "" {
		return
	}
	if m.charset = attr(t, "charset"); m.charset == "" && strings.EqualFold(attr(t, "http-equiv"), "content-type") {
		_, params, _ := mime.ParseMediaType(attr(t, "content"))
		m.charset = params["charset"]
	}
}

// leads reports whether a handler looks as if it went to another page.
func leads(handler string) bool {
	for _, word := range []string{"location", "navigate", "href", ".go(", "window.open"} {
		if strings.Contains(handler, word) {
			return true
		}
	}
	return false
}

// isScript reports whether a reference is a script.
func isScript(href string) bool {
	return len(href) >= len("javascript:") && strings.EqualFold(href[:len("javascript:")], "javascript:")
}

// attr returns the value of the first attribute with a name.
func attr(t *html.Token, name string) string {
	for _, a := range t.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}
