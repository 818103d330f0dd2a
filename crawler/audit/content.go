package audit

import (
	"fmt"
	"mime"
	"strings"

	"golang.org/x/net/html/charset"
)

// maxDepth is how deep a browser builds a tree: deeper elements end up beside
// one another [WHATWG-HTML §13.2.6.1, as browsers implement it].
const maxDepth = 512

func contentRules() []Rule {
	return []Rule{
		{
			ID: "title-missing", Severity: Warning, Title: "the page has no title",
			Remedy: "Give every page and snapshot a <title> of its own.", check: checkTitleMissing,
		},
		{
			ID: "title-duplicate", Severity: Warning, Title: "several pages have the same title",
			Remedy: "Say in the title what the page is about; let the application set it for every state.",
			check: func(s *Survey, found report) {
				s.duplicates(found, "title", func(a *answer) string { return a.doc.Title })
			},
		},
		{
			ID: "description-missing", Severity: Info, Title: "the page has no description",
			Remedy: `Add <meta name="description" content="…">.`, check: checkDescriptionMissing,
		},
		{
			ID: "description-duplicate", Severity: Warning, Title: "several pages have the same description",
			Remedy: "Describe what the page is about, or leave the description out.",
			check: func(s *Survey, found report) {
				s.duplicates(found, "description", func(a *answer) string { return a.doc.Description })
			},
		},
		{
			ID: "charset-undeclared", Severity: Warning, Title: "the charset is not declared",
			Remedy: "Send Content-Type: text/html; charset=utf-8.", check: checkCharsetUndeclared,
		},
		{
			ID: "charset-conflict", Severity: Warning, Title: "header and document declare different charsets",
			Remedy: "Declare one; the header wins.", check: checkCharsetConflict,
		},
		{
			ID: "soft-404", Severity: Warning, Title: "a page that cannot exist is answered with 200",
			Remedy: "Answer 404.", check: checkSoft404,
		},
		{
			ID: "page-too-large", Severity: Error, Title: "the page is too large to be read whole",
			Remedy: "Split it: crawlers read the first few megabytes.", check: checkTooLarge,
		},
		{
			ID: "page-cut", Severity: Error, Title: "the page breaks off",
			Remedy: "Look for what ends the answer early: a time limit, a proxy, a crash.", check: checkCut,
		},
		{
			ID: "nesting-too-deep", Severity: Warning, Title: "elements are nested deeper than browsers build them",
			Remedy: "Close what is opened; look for a template that includes itself.", check: checkNesting,
		},
		{
			ID: "login-wall", Severity: Error, Title: "the page asks for a login",
			Remedy: "Nothing, if it is not to be found; else serve it without a login.", check: checkLogin,
		},
	}
}

// indexable calls fn with the document of every page that could be indexed.
func (s *Survey) indexable(fn func(*page, *answer)) {
	for _, p := range s.pages {
		a := p.document()
		if !p.sampled && a.ok() && len(a.hops) == 0 && !a.directives.NoIndex && !(p.snapshot != nil && p.plain.ok() && a.likeShell(p.plain)) {
			fn(p, a)
		}
	}
}

func checkTitleMissing(s *Survey, found report) {
	s.indexable(func(p *page, a *answer) {
		if a.doc.Title == "" {
			found(p.url.Display, "", a.evidence("no <title>"))
		}
	})
}

func checkDescriptionMissing(s *Survey, found report) {
	s.indexable(func(p *page, a *answer) {
		if a.doc.Description == "" {
			found(p.url.Display, "", a.evidence("no meta description"))
		}
	})
}

// duplicates reports the pages that share a value with an earlier one. Pages of
// one canonical are one page.
func (s *Survey) duplicates(found report, what string, value func(*answer) string) {
	first := map[string]*page{}
	s.indexable(func(p *page, a *answer) {
		v := value(a)
		if u, _, ok := s.canonicalOf(p); v == "" || ok && u.Key != p.url.Key {
			return
		}
		if o := first[v]; o != nil {
			found(p.url.Display, "as "+o.url.Display, a.evidence(what+": "+v), o.document().evidence(what+": "+v))
			return
		}
		first[v] = p
	})
}

// declared returns the charset that the header declares, "" if it does not.
func (a *answer) declared() string {
	_, params, _ := mime.ParseMediaType(a.header.Get("Content-Type"))
	return params["charset"]
}

func checkCharsetUndeclared(s *Survey, found report) {
	s.documents(func(url string, a *answer) {
		if a.declared() == "" && a.markup.charset == "" && !a.markup.bom {
			found(url, "read as "+a.charset, a.evidence("Content-Type: "+a.header.Get("Content-Type")))
		}
	})
}

func checkCharsetConflict(s *Survey, found report) {
	s.documents(func(url string, a *answer) {
		header, meta := a.declared(), a.markup.charset
		if header == "" || meta == "" {
			return
		}
		_, h := charset.Lookup(header)
		_, m := charset.Lookup(meta)
		if h != m {
			found(url, fmt.Sprintf("the header says %s, the document %s", header, meta), a.evidence("Content-Type: "+a.header.Get("Content-Type")), a.evidence("<meta charset="+meta+">"))
		}
	})
}

func checkSoft404(s *Survey, found report) {
	if a := s.missing; a != nil && a.err == nil && a.status == 200 && !a.away && !a.loop {
		line := "status 200"
		if len(a.hops) > 0 {
			line = "redirects to " + a.at.Display
		}
		found(a.request, line, a.evidence(line))
	}
}

func checkTooLarge(s *Survey, found report) {
	s.eachAnswer(func(url string, a *answer) {
		if a.truncated == "size" {
			found(url, fmt.Sprintf("the first %.1f MB were read", float64(a.length)/1e6), a.evidence("Content-Length: "+a.header.Get("Content-Length")))
		}
	})
}

func checkCut(s *Survey, found report) {
	s.eachAnswer(func(url string, a *answer) {
		if a.truncated != "" && a.truncated != "size" {
			found(url, fmt.Sprintf("after %d bytes (%s)", a.length, a.truncated), a.evidence(string(a.truncated)))
		}
	})
}

func checkNesting(s *Survey, found report) {
	s.documents(func(url string, a *answer) {
		if a.markup.depth > maxDepth {
			found(url, fmt.Sprintf("%d deep", a.markup.depth), a.evidence(""))
		}
	})
}

// eachAnswer calls fn with every answer about a page, the shell of states once.
func (s *Survey) eachAnswer(fn func(url string, a *answer)) {
	seen := map[*answer]bool{}
	for _, p := range s.pages {
		if !seen[p.plain] {
			seen[p.plain] = true
			fn(plainOf(p.url), p.plain)
		}
		if p.snapshot != nil {
			fn(p.url.Display, p.snapshot)
		}
	}
}

func checkLogin(s *Survey, found report) {
	s.eachAnswer(func(url string, a *answer) {
		switch {
		case a.status == 401 || a.status == 407:
			found(url, a.said(), a.evidence("WWW-Authenticate: "+a.header.Get("Www-Authenticate")))
		case a.ok() && a.markup.password && (len(a.hops) > 0 || len(strings.Fields(a.doc.Text)) < 60):
			found(url, "the answer is a form for a password", a.evidence("title: "+a.doc.Title))
		}
	})
}
