package listing

import (
	"strings"

	"golang.org/x/net/html/atom"
)

// score says how much a block looks like what the page is about.
func (r *reader) score(c *candidate, rows []Row) float64 {
	if len(rows) == 0 {
		return 0
	}
	sum, links := 0.0, 0
	for i := range rows {
		row := &rows[i]
		title := len(row.Text)
		sum += float64(min(title, maxTitle)) + 0.3*float64(min(max(row.text.len()-title, 0), 100))
		links += len(r.itemsIn(row.rows))
	}
	// A row with many links is rather a part of the page with rows of its own.
	if perRow := float64(links) / float64(len(rows)); perRow > 4 {
		sum /= 1 + (perRow-4)/4
	}
	return sum * (0.5 + 0.5*r.sameness(c)) * r.surroundings(c.node)
}

// sameness returns the share of rows that begin as most do.
func (r *reader) sameness(c *candidate) float64 {
	var counts [4]struct {
		sketch uint32
		n      int
	}
	most := 0
	for i := range c.rows {
		s := r.sketch(c.rows[i].node)
		for k := range counts {
			if counts[k].n == 0 || counts[k].sketch == s {
				counts[k].sketch = s
				counts[k].n++
				most = max(most, counts[k].n)
				break
			}
		}
	}
	return float64(most) / float64(len(c.rows))
}

// surroundings returns 1, or less where a node stands in what is for finding
// one's way: menus, side columns, the foot of the page.
func (r *reader) surroundings(node int32) float64 {
	if r.frameOf(node) >= 0 {
		return 0.2
	}
	return 1
}

// frameOf returns the innermost element around a node, or the node, that is for
// finding one's way; -1 if there is none.
func (r *reader) frameOf(node int32) int32 {
	nodes := r.outline.Nodes
	for up := node; up > 0; up = nodes[up].Parent {
		switch nodes[up].Tag {
		case atom.Body, atom.Html, atom.Main:
			return -1
		}
		if r.isFrame(up) {
			return up
		}
	}
	return -1
}

// isFrame reports whether an element by itself is for finding one's way.
func (r *reader) isFrame(node int32) bool {
	const yes, no = 1, 2
	if r.frames[node] != 0 {
		return r.frames[node] == yes
	}
	r.frames[node] = no
	n := &r.outline.Nodes[node]
	switch n.Tag {
	case atom.Nav, atom.Footer, atom.Aside:
		r.frames[node] = yes
		return true
	}
	for _, a := range r.outline.Attrs[n.AttrStart:n.AttrEnd] {
		if (a.Key == "class" || a.Key == "id" || a.Key == "role") && namesFrame(a.Val) {
			r.frames[node] = yes
			return true
		}
	}
	return false
}

// frameWords are the words by which templates name what stands on every page:
// true. With a word for the contents of a page, false, a name means something
// else.
var frameWords = map[string]bool{
	"nav": true, "navi": true, "navigation": true, "navbar": true, "menu": true, "footer": true, "foot": true, "sidebar": true, "side": true,
	"widget": true, "widgets": true, "breadcrumb": true, "breadcrumbs": true, "related": true, "recent": true, "popular": true,
	"tagcloud": true, "categories": true, "share": true, "social": true, "complementary": true, "contentinfo": true, "aside": true,
	"ranking": true, "toplinks": true, "sitemap": true, "filter": true, "filters": true, "facets": true,
	"banner": true, "submenu": true, "topmenu": true,

	"content": false, "main": false, "primary": false, "posts": false, "wrap": false, "wrapper": false, "container": false, "layout": false,
	"page": false,
}

// namesFrame reports whether a class, an id or a role names what stands on
// every page.
func namesFrame(names string) bool {
	for range maxWords {
		var name string
		if name, names = cutWord(names); name == "" {
			return false
		}
		frame := strings.HasPrefix(name, "nav") || strings.HasSuffix(name, "menu") || strings.HasSuffix(name, "sidebar")
		contents := false
		var buf partBuffer
		for name != "" {
			var word []byte
			word, name = cutPart(name, &buf)
			switch is, known := frameWords[string(word)]; {
			case known && is:
				frame = true
			case known:
				contents = true
			}
		}
		if frame && !contents {
			return true
		}
	}
	return false
}

// A partBuffer has room for the longest part of a name that is looked at.
type partBuffer [24]byte

// cutPart cuts the first of the words off a name that hyphens and the like part.
// The word is in lower case, and in buf.
func cutPart(name string, buf *partBuffer) (word []byte, rest string) {
	word = buf[:0]
	for i := range len(name) {
		switch c := name[i]; {
		case c == '-' || c == '_' || c == ':' || c == '.':
			return word, name[i+1:]
		case len(word) < len(buf):
			if 'A' <= c && c <= 'Z' {
				c += 'a' - 'A'
			}
			word = append(word, c)
		}
	}
	return word, ""
}

// maxPath is how many elements a path names.
const maxPath = 4

// path returns where a block stands, for people: the elements from the nearest
// with an id down to its rows.
func (r *reader) path(c *candidate) string { return r.walkUp(c, true) }

// signature returns a name of the block that is the same on all pages of a
// series: its path without digits, which often count pages or items.
func (r *reader) signature(c *candidate) string { return r.walkUp(c, false) }

func (r *reader) walkUp(c *candidate, digits bool) string {
	nodes := r.outline.Nodes
	parts := make([]string, 0, maxPath+1)
	row := r.elementName(c.lead, digits, false)
	if !digits {
		// The first row's class may say that it is odd, or pinned.
		row, _, _ = strings.Cut(row, ".")
	}
	if n := nodes[c.lead].Parent; n != c.node {
		parts = append(parts, r.elementName(n, digits, false))
	}
	for up := c.node; up > 0 && len(parts) < maxPath; up = nodes[up].Parent {
		if nodes[up].Tag == atom.Body || nodes[up].Tag == atom.Html {
			break
		}
		parts = append(parts, r.elementName(up, digits, true))
		if r.attr(up, "id") != "" {
			break
		}
	}
	var b strings.Builder
	for i := len(parts) - 1; i >= 0; i-- {
		b.WriteString(parts[i])
		b.WriteString(" > ")
	}
	b.WriteString(row)
	return b.String()
}

// elementName returns "ul#threads.list" or the like.
func (r *reader) elementName(node int32, digits, withID bool) string {
	tag := r.outline.Nodes[node].Tag.String()
	if tag == "" {
		tag = "?"
	}
	class, _ := cutWord(r.attr(node, "class"))
	id := ""
	if withID {
		id = trimBlanks(r.attr(node, "id"))
	}
	if !digits {
		id, class = withoutDigits(id), withoutDigits(class)
	}
	if id != "" {
		tag += "#" + id
	}
	if class != "" {
		tag += "." + class
	}
	return tag
}

// withoutDigits drops the digits of a name and what they leave at its end.
func withoutDigits(name string) string {
	return strings.TrimRight(strings.Map(func(c rune) rune {
		if '0' <= c && c <= '9' {
			return -1
		}
		return c
	}, name), "-_")
}
