package pager

import (
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/hashcrawl/hashcrawl/crawler/htmldoc"
)

const (
	// maxMore is how many elements a result lists that load more.
	maxMore = 16

	// maxOptions is how many elements of a list are looked at.
	maxOptions = 512
)

// collectMore finds the elements that carry the address of further rows.
func (l *Labeler) collectMore(r *Result) {
	all := l.page.Loaders
	for i := 0; i < len(all) && len(r.More) < maxMore; i++ {
		switch m := &all[i]; {
		case m.Node < 0:
		case m.Kind == htmldoc.LoadsOption:
			end := l.listEnd(i)
			r.More = l.appendOption(r.More, all[i:min(end, i+maxOptions)])
			i = end - 1
		case mayLoadMore(m):
			r.More = append(r.More, More{Node: m.Node, Attribute: m.Attr, Href: m.Href})
		}
	}
}

// mayLoadMore reports whether an element, as far as it can be told from itself
// alone, has the address of further rows.
func mayLoadMore(m *htmldoc.Loader) bool {
	switch m.Kind {
	case htmldoc.LoadsNext, htmldoc.LoadsSeen:
		return true
	case htmldoc.LoadsOption:
		return pageOfOption(m) > 0
	}
	r := read(m.Text)
	return r.exact && (r.kind == kindMore || r.kind == kindNext)
}

// pageOfOption returns the number of the page that an option names, 0 if it
// names none.
func pageOfOption(m *htmldoc.Loader) int32 {
	if r := read(m.Text); r.kind == kindNumber || r.kind == kindPageOf {
		return max(r.number, 0)
	}
	return 0
}

// listEnd returns the index of the loader behind those that are options of the
// same list as the ith.
func (l *Labeler) listEnd(i int) int {
	all := l.page.Loaders
	end := i + 1
	if list := l.listOf(all[i].Node); list >= 0 {
		for end < len(all) && all[end].Kind == htmldoc.LoadsOption && int32(all[end].Node) < l.page.Outline.Nodes[list].End && all[end].Node >= 0 {
			end++
		}
	}
	return end
}

// listOf returns the <select> that a node is in, -1 if it is in none.
func (l *Labeler) listOf(node int) int32 {
	nodes := l.page.Outline.Nodes
	at := nodes[node].Parent
	for at >= 0 && nodes[at].Tag != atom.Select {
		at = nodes[at].Parent
	}
	return at
}

// appendOption appends the option for the page after this one, if the options,
// which are those of one <select>, list pages: they are numbers, and their
// values addresses of which one is the page's own or the page's own without a
// number.
func (l *Labeler) appendOption(more []More, options []htmldoc.Loader) []More {
	if l.page.Base != "" || l.listOf(options[0].Node) < 0 {
		return more
	}
	current := int32(0)
	for pass := range 2 {
		for i := range options {
			m := &options[i]
			number := pageOfOption(m)
			if number == 0 {
				continue
			}
			to := l.absolute(m.Href)
			switch d := compare(to, l.pageURL); {
			case pass == 1:
				if number == current+1 && (d.is == numbers || d.is == extends) && markerBefore(to[:d.from]) != markSize {
					return append(more, More{Node: m.Node, Attribute: m.Attr, Href: m.Href})
				}
			case d.is == same:
				current = number
			case d.is == extends && number == 2 && current == 0:
				current = 1
			}
		}
		if current == 0 {
			return more
		}
	}
	return more
}

// absolute returns what a relative address stands for on this page. It is for
// comparing: paths keep their dots.
func (l *Labeler) absolute(href string) string {
	path, _, _ := strings.Cut(l.pageURL, "?")
	path, _, _ = strings.Cut(path, "#")
	switch {
	case strings.Contains(href, "://"):
		return href
	case strings.HasPrefix(href, "/"):
		return originOf(l.pageURL) + href
	case strings.HasPrefix(href, "?"):
		return path + href
	}
	return path[:strings.LastIndexByte(path, '/')+1] + href
}
