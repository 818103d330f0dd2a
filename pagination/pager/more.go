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
	o := l.page.Outline
	for i := range o.Nodes {
		n := &o.Nodes[i]
		if len(r.More) == maxMore {
			return
		}
		if n.Tag == atom.Select {
			r.More = l.appendOption(r.More, i)
			continue
		}
		if n.Link >= 0 || n.AttrStart == n.AttrEnd || n.Tag == atom.Option {
			continue
		}
		for _, a := range o.Attrs[n.AttrStart:n.AttrEnd] {
			if carriesNext(a) || mayCarryNext(a) && l.loads(i) {
				r.More = append(r.More, More{Node: i, Attribute: a.Key, Href: a.Val})
				break
			}
		}
	}
}

// carriesNext reports whether an attribute holds the address of the next rows,
// by its name.
func carriesNext(a htmldoc.Attr) bool {
	if !strings.HasPrefix(a.Key, "data-") {
		return false
	}
	switch a.Key {
	case "data-next-url", "data-next", "data-next-page", "data-next-href", "data-nexturl", "data-next-page-url", "data-next-link",
		"data-load-more-url", "data-more-url", "data-infinite-next", "data-load-more", "data-nextpage":
		return isAddress(a.Val)
	}
	return false
}

// mayCarryNext reports whether an attribute holds an address that a script
// loads: of the next rows, if the element says so.
func mayCarryNext(a htmldoc.Attr) bool {
	switch a.Key {
	case "data-url", "data-href", "data-link", "data-ajax-url", "data-page-url", "data-hx-get", "hx-get", "data-up-href", "up-href":
		return isAddress(a.Val)
	}
	return false
}

// isAddress reports whether an attribute's value is an address and not a
// template, an object or a word.
func isAddress(s string) bool {
	return strings.ContainsAny(s, "/?") && !strings.ContainsAny(s, " <{")
}

// loads reports whether the text of a node asks for more, or a script acts
// when the node comes into sight.
func (l *Labeler) loads(node int) bool {
	o := l.page.Outline
	for _, key := range [...]string{"hx-trigger", "data-hx-trigger"} {
		if t := o.Attr(node, key); strings.HasPrefix(t, "revealed") || strings.HasPrefix(t, "intersect") {
			return true
		}
	}
	r := read(o.NodeText(node))
	return r.exact && (r.kind == kindMore || r.kind == kindNext)
}

// appendOption appends the option for the page after this one, if the select
// node lists pages: its options are numbers, and their values addresses of
// which one is the page's own or the page's own without a number.
func (l *Labeler) appendOption(more []More, node int) []More {
	if l.page.Base != "" {
		return more
	}
	o := l.page.Outline
	end := min(int(o.Nodes[node].End), node+1+maxOptions)
	current := int32(0)
	for pass := range 2 {
		for i := node + 1; i < end; i++ {
			if o.Nodes[i].Tag != atom.Option {
				continue
			}
			href := o.Attr(i, "value")
			r := read(o.NodeText(i))
			if !isAddress(href) && !isFileName(href) || r.number < 1 || r.kind != kindNumber && r.kind != kindPageOf {
				continue
			}
			to := l.absolute(href)
			switch d := compare(to, l.pageURL); {
			case pass == 1:
				if r.number == current+1 && (d.is == numbers || d.is == extends) && markerBefore(to[:d.from]) != markSize {
					return append(more, More{Node: i, Attribute: "value", Href: href})
				}
			case d.is == same:
				current = r.number
			case d.is == extends && r.number == 2 && current == 0:
				current = 1
			}
		}
		if current == 0 {
			return more
		}
	}
	return more
}

// isFileName reports whether s is the name of a page beside this one.
func isFileName(s string) bool {
	i := strings.LastIndexByte(s, '.')
	return i > 0 && len(s)-i <= 6 && !strings.ContainsAny(s, " :")
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
