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

// surroundings returns 1, or less where the elements around a node are for
// finding one's way: menus, side columns, the foot of the page.
func (r *reader) surroundings(node int32) float64 {
	nodes := r.outline.Nodes
	worth := 1.0
	for up := node; up > 0; up = nodes[up].Parent {
		switch nodes[up].Tag {
		case atom.Body, atom.Html:
			return worth
		case atom.Main:
			return worth
		case atom.Nav, atom.Footer, atom.Aside:
			worth = min(worth, 0.2)
		}
		for _, key := range [...]string{"class", "id", "role"} {
			if isBoilerplate(r.attr(up, key)) {
				worth = min(worth, 0.3)
			}
		}
	}
	return worth
}

// boilerplate are the words by which templates name what stands on every page,
// content those that take it back.
var (
	boilerplate = []string{
		"nav", "navigation", "menu", "footer", "foot", "sidebar", "side", "widget", "widgets", "breadcrumb", "breadcrumbs",
		"related", "recent", "popular", "tagcloud", "categories", "share", "social", "complementary", "contentinfo", "aside",
		"hot", "ranking", "toplinks", "links", "sitemap", "filter", "filters", "facets", "banner",
	}
	content = []string{"content", "main", "primary", "posts", "wrap", "wrapper", "container", "layout", "page"}
)

// isBoilerplate reports whether a class or an id names boilerplate.
func isBoilerplate(names string) bool {
	for range maxWords {
		var name string
		if name, names = cutWord(names); name == "" {
			return false
		}
		if isAmong(name, boilerplate) && !isAmong(name, content) {
			return true
		}
	}
	return false
}

// isAmong reports whether a name consists of words one of which is listed, or
// ends with one that is not short.
func isAmong(name string, words []string) bool {
	for len(name) > 0 {
		word := name
		if i := strings.IndexAny(name, "-_:. "); i >= 0 {
			word, name = name[:i], name[i+1:]
		} else {
			name = ""
		}
		for _, w := range words {
			if strings.EqualFold(word, w) {
				return true
			}
			if n := len(word) - len(w); n > 0 && len(w) >= 6 && (strings.EqualFold(word[n:], w) || strings.EqualFold(word[:len(w)], w)) {
				return true
			}
		}
	}
	return false
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
	name := tag
	if id != "" {
		name += "#" + id
	}
	if class != "" {
		name += "." + class
	}
	if digits {
		return name
	}
	return strings.TrimRight(strings.Map(func(c rune) rune {
		if '0' <= c && c <= '9' {
			return -1
		}
		return c
	}, name), "-_.#")
}
