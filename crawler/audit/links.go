package audit

import (
	"fmt"
	"strings"

	"github.com/hashcrawl/hashcrawl/crawler/htmldoc"
	"github.com/hashcrawl/hashcrawl/urlnorm"
)

// shownLinks is how many links of one page are shown as evidence.
const shownLinks = 5

func linkRules() []Rule {
	return []Rule{
		{
			ID: "links-ugly", Severity: Error, Title: "there are links to ugly URLs",
			Remedy: "Link to the pretty URL: ugly ones would be found as pages of their own.",
			check: func(s *Survey, found report) {
				s.eachLink(found, func(u urlnorm.URL, err error, _ string) bool {
					return err == nil && u.Kind == urlnorm.Ugly && s.inside(u)
				})
			},
		},
		{
			ID: "links-hash-route", Severity: Error, Title: "there are links to #/ states, which no crawler asks for",
			Remedy: "Use #! states, or better URLs without # (the History API).",
			check: func(s *Survey, found report) {
				s.eachLink(found, func(_ urlnorm.URL, _ error, href string) bool {
					_, fragment, _ := strings.Cut(href, "#")
					return strings.HasPrefix(fragment, "/")
				})
			},
		},
		{
			ID: "links-javascript", Severity: Warning, Title: "there are links that are scripts",
			Remedy: "Give the link an address, and leave the script to onclick.",
			check: func(s *Survey, found report) {
				s.eachLink(found, func(_ urlnorm.URL, _ error, href string) bool { return isScript(href) && !isNothing(href) })
			},
		},
		{
			ID: "links-onclick", Severity: Warning, Title: "there are links that only a script makes",
			Remedy: "Use <a href> with an address; onclick may stay.", check: checkOnClick,
		},
		{
			ID: "links-hijax", Severity: Info, Title: "there are links with an address and a script (Hijax)",
			Remedy: "Nothing: that is how it should be.", check: checkHijax,
		},
		{
			ID: "links-broken", Severity: Error, Title: "there are links that no URL can be made of",
			Remedy: "Correct the address.",
			check: func(s *Survey, found report) {
				s.eachLink(found, func(_ urlnorm.URL, err error, href string) bool { return err != nil && isWeb(href) })
			},
		},
		{
			ID: "links-mixed-scheme", Severity: Warning, Title: "pages under https link to http",
			Remedy: "Link to https.",
			check: func(s *Survey, found report) {
				s.eachLink(found, func(u urlnorm.URL, err error, href string) bool {
					return err == nil && s.start.Scheme() == "https" && s.inside(u) && strings.HasPrefix(strings.ToLower(href), "http:")
				})
			},
		},
		{
			ID: "content-needs-scripts", Severity: Error, Title: "the page shows nothing without scripts",
			Remedy: "Render it on the server, or opt in and serve snapshots.", check: checkNeedsScripts,
		},
	}
}

// eachLink reports, page by page, the links that want chooses.
func (s *Survey) eachLink(found report, want func(u urlnorm.URL, err error, href string) bool) {
	seen := map[*answer]bool{}
	for _, p := range s.pages {
		for _, a := range []*answer{p.plain, p.snapshot} {
			if p.sampled || !a.ok() || seen[a] {
				continue
			}
			seen[a] = true
			base, n := s.base(p, a), 0
			var lines []Evidence
			for i := range a.doc.Links {
				href := a.doc.Links[i].Href
				if a.doc.Links[i].Kind == htmldoc.Canonical {
					continue
				}
				u, err := s.resolve(base, href)
				if !want(u, err, href) {
					continue
				}
				if n++; n <= shownLinks {
					lines = append(lines, a.evidence(`href="`+href+`"`))
				}
			}
			if n > 0 {
				url := p.url.Display
				if a == p.plain {
					url = plainOf(p.url)
				}
				found(url, plural(n, "link"), lines...)
			}
		}
	}
}

// isNothing reports whether a script does nothing, as on a button.
func isNothing(href string) bool {
	body := strings.Trim(href[len("javascript:"):], " ;")
	return body == "" || body == "void(0)" || body == "void 0"
}

// isWeb reports whether a reference is one to a web page.
func isWeb(href string) bool {
	scheme, _, has := strings.Cut(href, ":")
	return !has || strings.ContainsAny(scheme, "/?#") || strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https")
}

// documents calls fn with every HTML document, the shell of states once.
func (s *Survey) documents(fn func(url string, a *answer)) {
	seen := map[*answer]bool{}
	for _, p := range s.pages {
		if p.sampled {
			continue
		}
		if p.plain.ok() && !seen[p.plain] {
			seen[p.plain] = true
			fn(plainOf(p.url), p.plain)
		}
		if p.snapshot.ok() {
			fn(p.url.Display, p.snapshot)
		}
	}
}

func checkOnClick(s *Survey, found report) {
	s.documents(func(url string, a *answer) {
		if a.markup.onclick > 0 {
			found(url, fmt.Sprintf("%d of them", a.markup.onclick), a.evidence(a.markup.example))
		}
	})
}

func checkHijax(s *Survey, found report) {
	s.documents(func(url string, a *answer) {
		if a.markup.hijax > 0 {
			found(url, fmt.Sprintf("%d of them", a.markup.hijax), a.evidence(""))
		}
	})
}

// checkNeedsScripts finds pages without words and links that load scripts and
// have no snapshot that is better.
func checkNeedsScripts(s *Survey, found report) {
	for _, p := range s.pages {
		a := p.document()
		if !p.sampled && a.ok() && len(a.hops) == 0 && a.markup.scripts > 0 && len(strings.Fields(a.doc.Text)) < 10 && a.linkCount() == 0 {
			found(p.url.Display, fmt.Sprintf("%d words, no links, %d scripts", len(strings.Fields(a.doc.Text)), a.markup.scripts), a.evidence("title: "+a.doc.Title))
		}
	}
}

// linkCount returns how many links people can follow.
func (a *answer) linkCount() int {
	n := 0
	for i := range a.doc.Links {
		if a.doc.Links[i].Kind == htmldoc.Anchor || a.doc.Links[i].Kind == htmldoc.Area {
			n++
		}
	}
	return n
}
