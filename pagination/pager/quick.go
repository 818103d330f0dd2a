package pager

import "github.com/hashcrawl/hashcrawl/crawler/htmldoc"

// MayContinue reports from the links and loaders of a page alone, which need no
// outline, whether one of them may be a pager's or load further rows. Label finds
// nothing on other pages.
func MayContinue(p *htmldoc.Page) bool {
	for i := range p.Links {
		switch l := &p.Links[i]; l.Kind {
		case htmldoc.LinkNext, htmldoc.LinkPrev:
			return true
		case htmldoc.Anchor, htmldoc.Area:
			if r := read(l.Text); promises(l, &r) {
				return true
			}
		}
	}
	for i := range p.Loaders {
		if mayLoadMore(&p.Loaders[i]) {
			return true
		}
	}
	return false
}

// promises reports whether a link with the text r gives reason to look at the
// elements of the page.
func promises(l *htmldoc.Link, r *reading) bool {
	switch r.kind {
	case kindNone, kindAll, kindPage, kindFirst, kindLast: // "home", or beside a page's number or direction
	case kindMore:
		if r.exact || r.arrow != arrowNone { // "more about cats" stands anywhere
			return true
		}
	default:
		return true
	}
	return l.Rel.Has(htmldoc.RelNext | htmldoc.RelPrev)
}
