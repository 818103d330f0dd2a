package pager

import (
	"strings"

	"github.com/hashcrawl/hashcrawl/crawler/htmldoc"
)

// plainTexts is how many texts of links a Labeler remembers as no pager's. The
// pages of a site have most of them in common.
const plainTexts = 4096

// MayContinue reports from the links of a page alone, which need no outline,
// whether one of them may be a pager's. Label finds nothing on other pages but
// elements that load further rows.
func (l *Labeler) MayContinue(p *htmldoc.Page) bool {
	for i := range p.Links {
		switch link := &p.Links[i]; link.Kind {
		case htmldoc.LinkNext, htmldoc.LinkPrev:
			return true
		case htmldoc.Anchor, htmldoc.Area:
			if link.Rel.Has(htmldoc.RelNext|htmldoc.RelPrev) || l.says(link.Text) {
				return true
			}
		}
	}
	return false
}

// says reports whether a text says anything that links of pagers say.
func (l *Labeler) says(text string) bool {
	if len(text) > maxPagerText || l.plain[text] {
		return false
	}
	if r := read(text); r.kind != kindNone {
		return true
	}
	if len(l.plain) >= plainTexts || l.plain == nil {
		l.plain = make(map[string]bool)
	}
	l.plain[strings.Clone(text)] = true
	return false
}

// promises reports whether a link with the text r gives reason to look at the
// elements of the page.
func promises(l *htmldoc.Link, r *reading) bool {
	return r.kind != kindNone || l.Rel.Has(htmldoc.RelNext|htmldoc.RelPrev)
}
