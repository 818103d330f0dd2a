package audit

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/hashcrawl/hashcrawl/urlnorm"
)

// canonicalOf returns the canonical that a page's document names, if it names
// one, and what stands there.
func (s *Survey) canonicalOf(p *page) (to urlnorm.URL, href string, ok bool) {
	a := p.document()
	if !a.ok() || len(a.doc.Canonicals) == 0 {
		return to, "", false
	}
	href = a.doc.Canonicals[0]
	to, err := s.resolve(s.base(p, a), href)
	return to, href, err == nil
}

func canonicalLine(href string) string { return `<link rel="canonical" href="` + href + `">` }

func canonicalRules() []Rule {
	return []Rule{
		{
			ID: "canonical-ugly", Severity: Error, Title: "the canonical is an ugly URL",
			Remedy: "Name the pretty URL: the ugly one is for the wire alone.", check: checkCanonicalUgly,
		},
		{
			ID: "canonical-to-root", Severity: Error, Title: "the states name the page without a state as their canonical",
			Remedy: "Let every snapshot name its own pretty URL.", check: checkCanonicalToRoot,
		},
		{
			ID: "canonical-relative", Severity: Warning, Title: "the canonical is relative",
			Remedy: "Write the whole URL, with scheme and host.", check: checkCanonicalRelative,
		},
		{
			ID: "canonical-several", Severity: Error, Title: "there are several canonicals",
			Remedy: "Keep one; with several that differ, none counts.", check: checkCanonicalSeveral,
		},
		{
			ID: "canonical-dead", Severity: Error, Title: "the canonical leads to a page that cannot be indexed",
			Remedy: "Name a page that answers 200 itself and may be indexed.", check: checkCanonicalDead,
		},
		{
			ID: "canonical-chain", Severity: Warning, Title: "the canonical names another canonical",
			Remedy: "Name the last page of the chain.", check: checkCanonicalChain,
		},
	}
}

func checkCanonicalUgly(s *Survey, found report) {
	for _, p := range s.pages {
		if u, href, ok := s.canonicalOf(p); ok && u.Kind == urlnorm.Ugly {
			found(p.url.Display, "", p.document().evidence(canonicalLine(href)))
		}
	}
}

func checkCanonicalToRoot(s *Survey, found report) {
	for _, p := range s.pages {
		u, href, ok := s.canonicalOf(p)
		if ok && p.state() != "" && u.Kind == urlnorm.Plain && (u.Display == plainOf(p.url) || u.Target() == "/") {
			found(p.url.Display, "to "+u.Display, p.document().evidence(canonicalLine(href)))
		}
	}
}

func checkCanonicalRelative(s *Survey, found report) {
	for _, p := range s.pages {
		if _, href, ok := s.canonicalOf(p); ok {
			before, _, _ := strings.Cut(href, "#")
			if u, err := url.Parse(strings.TrimSpace(before)); err == nil && !u.IsAbs() {
				found(p.url.Display, "", p.document().evidence(canonicalLine(href)))
			}
		}
	}
}

func checkCanonicalSeveral(s *Survey, found report) {
	for _, p := range s.pages {
		a := p.document()
		if !a.ok() || len(a.doc.Canonicals) < 2 {
			continue
		}
		var lines []Evidence
		for _, href := range a.doc.Canonicals {
			if len(lines) < 5 {
				lines = append(lines, a.evidence(canonicalLine(href)))
			}
		}
		found(p.url.Display, fmt.Sprintf("%d of them", len(a.doc.Canonicals)), lines...)
	}
}

func checkCanonicalDead(s *Survey, found report) {
	for _, p := range s.pages {
		u, href, ok := s.canonicalOf(p)
		if !ok || u.Key == p.url.Key {
			continue
		}
		to := s.byKey[u.Key]
		if to == nil {
			continue
		}
		a, why := to.document(), ""
		switch {
		case a.unasked():
			continue
		case a.err != nil, a.loop, a.away:
			why = a.said()
		case len(a.hops) > 0:
			why = "redirects to " + a.at.Display
		case a.status != 200:
			why = a.said()
		case a.html && a.directives.NoIndex:
			why = "noindex"
		default:
			continue
		}
		found(p.url.Display, u.Display+": "+why, p.document().evidence(canonicalLine(href)), a.evidence(why))
	}
}

func checkCanonicalChain(s *Survey, found report) {
	for _, p := range s.pages {
		u, href, ok := s.canonicalOf(p)
		if !ok || u.Key == p.url.Key || s.byKey[u.Key] == nil {
			continue
		}
		to := s.byKey[u.Key]
		if next, nextHref, ok := s.canonicalOf(to); ok && next.Key != u.Key {
			found(p.url.Display, u.Display+" names "+next.Display, p.document().evidence(canonicalLine(href)), to.document().evidence(canonicalLine(nextHref)))
		}
	}
}
