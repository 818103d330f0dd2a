package pager

import "strings"

// A target says where a link leads.
type target uint8

const (
	targetNone    target = iota // no address: a script, a mail address
	targetHash                  // "#"
	targetPlace                 // a place in this page
	targetSelf                  // this page
	targetSite                  // another page of this host
	targetPath                  // the same path with another query or state
	targetForeign               // another host
)

// aim fills in where a candidate leads.
func (l *Labeler) aim(c *candidate) {
	href := l.page.Links[c.link].Href
	c.to = l.urls[c.link].Display
	hash := strings.HasPrefix(href, "#") && !strings.HasPrefix(href, "#!")
	if hash || c.to == "" {
		if c.to = l.carried(c.node); c.to == "" {
			if c.to = l.script(c); hash {
				c.target = targetHash
				if href != "#" && c.to == "" {
					c.target = targetPlace
				}
			}
			return
		}
	}
	to := c.to
	c.toPage = relate(to, l.pageURL)
	switch {
	case c.toPage.is == same && strings.Contains(href, "#") && !strings.Contains(href, "#!"):
		c.target = targetPlace
	case c.toPage.is == same:
		c.target = targetSelf
	case domainOf(to) != domainOf(l.pageURL):
		c.target = targetForeign
	case pathOf(to) == pathOf(l.pageURL):
		c.target = targetPath
	default:
		c.target = targetSite
	}
	switch c.toPage.is {
	case numbers, extends:
		c.mark = markerBefore(to[:c.toPage.from])
	case extended:
		if c.toPage.from <= len(l.pageURL) {
			c.mark = markerBefore(l.pageURL[:c.toPage.from])
		}
	}
	if c.mark == markNone {
		c.mark = lastMarker(to)
	}
	switch n := c.pageNumber(); {
	case n <= 0:
	case hasDay(to, n):
		c.mark = markDate
	case rootNumber(to) == n:
		c.mark = markRoot
	case c.mark == markNone && countsOther(to, n):
		c.mark = markSize
	}
}

// relate compares an address to that of the page on which it stands. The page
// may have been asked for with a session that its links lack.
func relate(to, page string) difference {
	if d := compare(to, page); d.is != unrelated {
		return d
	}
	return compare(to, pathOf(page))
}

// carried returns the address that an attribute of a node carries for a script,
// "" if there is none that is absolute or a path.
func (l *Labeler) carried(node int32) string {
	n := &l.page.Outline.Nodes[node]
	for _, a := range l.page.Outline.Attrs[n.AttrStart:n.AttrEnd] {
		switch a.Key {
		case "data-href", "data-url", "data-next-url", "data-page-url", "data-link", "data-ajax-url":
		default:
			continue
		}
		switch {
		case strings.HasPrefix(a.Val, "http://"), strings.HasPrefix(a.Val, "https://"):
			return a.Val
		case strings.HasPrefix(a.Val, "/") && !strings.HasPrefix(a.Val, "//"):
			return originOf(l.pageURL) + a.Val
		}
	}
	return ""
}

// maxScript is the longest script of a link that is compared to others.
const maxScript = 160

// script returns the script that a link without an address runs, if it names a
// page and a number: it stands for the address, as
// __doPostBack('list','Page$3') does.
func (l *Labeler) script(c *candidate) string {
	s := l.page.Links[c.link].Href
	if !isScript(s) || !hasDigit(s) {
		s = l.page.Outline.Attr(int(c.node), "onclick")
		if !hasDigit(s) {
			return ""
		}
		s = scriptScheme + s
	}
	if len(s) > maxScript || !strings.Contains(lower(s), "pag") {
		return ""
	}
	return s
}

const scriptScheme = "javascript:"

// isScript reports whether an address is a script.
func isScript(s string) bool {
	return len(s) > len(scriptScheme) && strings.EqualFold(s[:len(scriptScheme)], scriptScheme)
}

func hasDigit(s string) bool { return strings.ContainsAny(s, "0123456789") }

// withoutPlace returns an address without its fragment, unless that is a state.
func withoutPlace(s string) string {
	if i := strings.IndexByte(s, '#'); i >= 0 && !strings.HasPrefix(s[i:], "#!") {
		return s[:i]
	}
	return s
}

// originOf returns scheme, host and port of an address.
func originOf(s string) string {
	i := strings.Index(s, "://")
	if i < 0 {
		return ""
	}
	if j := strings.IndexAny(s[i+3:], "/?#"); j >= 0 {
		return s[:i+3+j]
	}
	return s
}

// lastMarker returns what stands before the last number of an address that
// says what it is.
func lastMarker(s string) marker {
	seen := 0
	for i := len(s) - 1; i > 8 && seen < 4; i-- {
		if isDigit(s[i]) && !isDigit(s[i-1]) {
			seen++
			if m := markerBefore(s[:i]); m == markParam || m == markPath {
				return m
			}
		}
	}
	return markNone
}

// countsOther reports whether the number n stands in s as something else than
// a page: a vote, a size, a step.
func countsOther(s string, n int32) bool {
	for i, seen := len(s)-1, 0; i > 8 && seen < 4; i-- {
		if isDigit(s[i]) && !isDigit(s[i-1]) {
			seen++
			if numberAt(s[i:digitsEnd(s, i)]) == n && markerBefore(s[:i]) == markSize {
				return true
			}
		}
	}
	return false
}

// isRows reports whether the number n stands in s as the number of rows and as
// nothing else: as no page and no offset, of which that of page n is known, since
// there are n rows on a page.
func isRows(s string, n int32) bool {
	rows := false
	for i, seen := len(s)-1, 0; i > 8 && seen < 6; i-- {
		if !isDigit(s[i]) || isDigit(s[i-1]) {
			continue
		}
		seen++
		switch v := numberAt(s[i:digitsEnd(s, i)]); {
		case v == n && rowsParameter(parameterBefore(s[:i])):
			rows = true
		case v == n, v == n-1, v >= n && v/n == n-1 && v%n <= 1:
			return false
		}
	}
	return rows
}

// domainOf returns the last two labels of the host of an address: different
// ones are different sites, the same may be.
func domainOf(s string) string {
	_, s, _ = strings.Cut(s, "://")
	if i := strings.IndexAny(s, "/?#"); i >= 0 {
		s = s[:i]
	}
	if i := strings.LastIndexByte(s, '.'); i >= 0 {
		if j := strings.LastIndexByte(s[:i], '.'); j >= 0 {
			return s[j+1:]
		}
	}
	return s
}

// pathOf returns the part of an address before its query or state.
func pathOf(s string) string {
	if i := strings.IndexAny(s, "?#"); i >= 0 {
		s = s[:i]
	}
	return strings.TrimSuffix(s, "/")
}
