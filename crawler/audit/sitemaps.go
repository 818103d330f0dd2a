package audit

import (
	"fmt"
	"strings"

	"github.com/hashcrawl/hashcrawl/crawler/sitemap"
	"github.com/hashcrawl/hashcrawl/urlnorm"
)

func sitemapRules() []Rule {
	return []Rule{
		{
			ID: "sitemap-none", Severity: Info, Title: "there is no sitemap",
			Remedy: "Offer one and name it in robots.txt: states that few links lead to are found by it.", check: checkSitemapNone,
		},
		{
			ID: "sitemap-faulty", Severity: Error, Title: "a sitemap cannot be read as it should",
			Remedy: "Send well-formed XML of at most 50,000 entries and 50 MB, with absolute URLs.", check: checkSitemapFaulty,
		},
		{
			ID: "sitemap-ugly", Severity: Error, Title: "a sitemap lists ugly URLs",
			Remedy: "List the pretty URLs: they are what people are to see.",
			check: func(s *Survey, found report) {
				s.eachLoc(found, func(u urlnorm.URL) (string, bool) { return "", u.Kind == urlnorm.Ugly })
			},
		},
		{
			ID: "sitemap-dead", Severity: Error, Title: "a sitemap lists pages that do not answer with content",
			Remedy: "List only pages that answer 200 themselves.", check: checkSitemapDead,
		},
		{
			ID: "sitemap-forbidden", Severity: Error, Title: "a sitemap lists pages that robots.txt forbids",
			Remedy: "Allow them, or take them out.",
			check: func(s *Survey, found report) {
				s.eachLoc(found, func(u urlnorm.URL) (string, bool) {
					e, forbidden := s.decides(u.Target())
					return e.Line, forbidden
				})
			},
		},
		{
			ID: "sitemap-elsewhere", Severity: Warning, Title: "a sitemap lists pages of other sites",
			Remedy: "List pages of the sitemap's own host and scheme.",
			check: func(s *Survey, found report) {
				s.eachLoc(found, func(u urlnorm.URL) (string, bool) { return "", u.Host() != s.start.Host() })
			},
		},
		{
			ID: "sitemap-incomplete", Severity: Info, Title: "pages are missing from the sitemap",
			Remedy: "Add them.", check: checkSitemapIncomplete,
		},
	}
}

func checkSitemapNone(s *Survey, found report) {
	for _, m := range s.sitemaps {
		if m.guessed && m.err != nil {
			found(m.url, m.err.Error(), m.answer)
		}
	}
}

func checkSitemapFaulty(s *Survey, found report) {
	for _, m := range s.sitemaps {
		e := m.answer
		switch {
		case m.err != nil && !m.guessed:
			e.Line = clip(m.err.Error())
		case m.err != nil:
			continue
		case m.sum.Dropped > 0:
			e.Line = fmt.Sprintf("%d entries without a usable URL", m.sum.Dropped)
		case m.sum.Stop != sitemap.StopNone && m.sum.Stop != sitemap.StopCaller:
			e.Line = fmt.Sprintf("read as far as it goes: %s", m.sum.Stop)
		default:
			if loc := relativeLoc(m.locs); loc != "" {
				e.Line = "<loc>" + clip(loc) + "</loc> is relative"
				break
			}
			continue
		}
		found(m.url, e.Line, e)
	}
}

// relativeLoc returns the first entry that is no absolute URL, or "".
func relativeLoc(locs []sitemap.Entry) string {
	for _, e := range locs {
		if !strings.Contains(e.Loc, "://") {
			return e.Loc
		}
	}
	return ""
}

// eachLoc reports, sitemap by sitemap, the entries that want chooses.
func (s *Survey) eachLoc(found report, want func(urlnorm.URL) (line string, bad bool)) {
	for _, m := range s.sitemaps {
		n := 0
		var lines []Evidence
		for _, entry := range m.locs {
			u, err := s.resolve(m.url, entry.Loc)
			if err != nil || entry.Sitemap {
				continue
			}
			line, bad := want(u)
			if !bad {
				continue
			}
			if n++; n <= shownLinks {
				e := m.answer
				e.Line = clip(strings.TrimSpace("<loc>" + entry.Loc + "</loc> " + line))
				lines = append(lines, e)
			}
		}
		if n > 0 {
			found(m.url, plural(n, "URL"), lines...)
		}
	}
}

func checkSitemapDead(s *Survey, found report) {
	for _, m := range s.sitemaps {
		for _, entry := range m.locs {
			u, err := s.resolve(m.url, entry.Loc)
			if err != nil || s.byKey[u.Key] == nil {
				continue
			}
			a := s.byKey[u.Key].document()
			if a.forbidden() || a.unasked() || a.ok() && len(a.hops) == 0 || a.err == nil && a.status == 200 && len(a.hops) == 0 {
				continue
			}
			why := a.said()
			if len(a.hops) > 0 {
				why = "redirects to " + a.hops[0].location
			}
			e := m.answer
			e.Line = clip("<loc>" + entry.Loc + "</loc>")
			found(u.Display, why, e, a.evidence(why))
		}
	}
}

func checkSitemapIncomplete(s *Survey, found report) {
	listed := map[string]bool{}
	var first *siteMap
	for i := range s.sitemaps {
		m := &s.sitemaps[i]
		if m.err != nil || m.sum.Stop != sitemap.StopNone {
			return // it is not known what else it lists
		}
		if first == nil {
			first = m
		}
		for _, e := range m.locs {
			if u, err := s.resolve(m.url, e.Loc); err == nil {
				listed[u.Key] = true
			}
		}
	}
	if first == nil || len(listed) == 0 {
		return
	}
	n := 0
	var lines []Evidence
	for _, p := range s.pages {
		a := p.document()
		if !a.ok() || len(a.hops) > 0 || a.directives.NoIndex || listed[p.url.Key] || p.optedIn() && !p.snapshot.ok() {
			continue
		}
		if u, _, ok := s.canonicalOf(p); ok && u.Key != p.url.Key {
			continue
		}
		if n++; n <= shownLinks {
			lines = append(lines, a.evidence(p.url.Display))
		}
	}
	if n > 0 {
		found(first.url, plural(n, "page"), lines...)
	}
}
