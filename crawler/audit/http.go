package audit

import (
	"errors"
	"fmt"
	"strings"

	"github.com/hashcrawl/hashcrawl/crawler"
)

// longChain is how many redirects in a row are worth a word.
const longChain = 2

func httpRules() []Rule {
	return []Rule{
		{
			ID: "no-answer", Severity: Error, Title: "there is no answer",
			Remedy: "See that the name resolves and the server answers in time.", check: checkNoAnswer,
		},
		{
			ID: "out-of-time", Severity: Warning, Title: "the time was over before everything was looked at",
			Remedy: "Give more time with --max-time, or look at fewer pages with --max-pages.",
			check: func(s *Survey, found report) {
				if s.cut {
					found(s.start.Display, plural(len(s.pages), "page")+" so far")
				}
			},
		},
		{
			ID: "host-busy", Severity: Error, Title: "the server asks to be left alone",
			Remedy: "Try again later, or with a longer --delay.", check: checkBusy,
		},
		{
			ID: "status", Severity: Error, Title: "the page answers with an error",
			Remedy: "Answer 200, or take the links to it away.", check: checkStatus,
		},
		{
			ID: "not-html", Severity: Info, Title: "the page is no HTML document",
			Remedy: "Nothing, if that is meant.", check: checkNotHTML,
		},
		{
			ID: "redirect-chain", Severity: Warning, Title: "there are several redirects in a row",
			Remedy: "Redirect to the last URL at once.", check: checkRedirectChain,
		},
		{
			ID: "redirect-loop", Severity: Error, Title: "the redirects never end",
			Remedy: "Look for two rules that undo each other, often about http, www or the slash at the end.", check: checkRedirectLoop,
		},
		{
			ID: "redirect-away", Severity: Info, Title: "the page redirects to another site",
			Remedy: "Nothing, if that is meant.", check: checkRedirectAway,
		},
		{
			ID: "hosts-mixed", Severity: Warning, Title: "the site answers under several schemes or names",
			Remedy: "Redirect all of them to one, with 301.", check: checkHostsMixed,
		},
	}
}

func checkNoAnswer(s *Survey, found report) {
	s.eachAnswer(func(url string, a *answer) {
		if a.err != nil && !a.forbidden() && !a.unasked() && !errors.Is(a.err, crawler.ErrBusy) && s.robotsErr == nil {
			found(url, a.err.Error(), a.evidence(a.err.Error()))
		}
	})
}

func checkBusy(s *Survey, found report) {
	s.eachAnswer(func(url string, a *answer) {
		if errors.Is(a.err, crawler.ErrBusy) || a.status == 429 || a.status == 503 {
			found(url, a.said(), a.evidence(a.said()))
		}
	})
}

func checkStatus(s *Survey, found report) {
	for _, p := range s.pages {
		a := p.plain
		if p.sampled || p.snapshot != nil || a.err != nil || a.status < 400 || a.status == 401 || a.status == 429 || a.status == 503 {
			continue
		}
		detail := a.said()
		if p.from != "" {
			detail += ", linked from " + p.from
		}
		found(p.url.Display, detail, a.evidence(a.said()))
	}
}

func checkNotHTML(s *Survey, found report) {
	for _, p := range s.pages[:1] {
		if a := p.document(); a.err == nil && a.status == 200 && !a.html {
			found(p.url.Display, "", a.evidence("Content-Type: "+a.header.Get("Content-Type")))
		}
	}
}

// chain returns the redirects of an answer as evidence.
func (a *answer) chain() []Evidence {
	var es []Evidence
	for _, h := range a.hops {
		es = append(es, Evidence{Request: h.request, Status: h.status, Line: clip("Location: " + h.location)})
	}
	return es
}

func checkRedirectChain(s *Survey, found report) {
	s.eachAnswer(func(url string, a *answer) {
		if len(a.hops) >= longChain && !a.loop {
			found(url, fmt.Sprintf("%d redirects", len(a.hops)), a.chain()...)
		}
	})
}

func checkRedirectLoop(s *Survey, found report) {
	s.eachAnswer(func(url string, a *answer) {
		if a.loop {
			found(url, "", a.chain()...)
		}
	})
}

func checkRedirectAway(s *Survey, found report) {
	s.eachAnswer(func(url string, a *answer) {
		if a.away {
			found(url, "", a.chain()...)
		}
	})
}

// checkHostsMixed looks at which of the four ways to write the site's address
// answer themselves.
func checkHostsMixed(s *Survey, found report) {
	var names []string
	evidence := []Evidence{s.pages[0].plain.evidence("answers itself")}
	for _, a := range s.variants {
		if a.err == nil && a.status == 200 {
			names = append(names, a.at.Origin())
			evidence = append(evidence, a.evidence("answers itself"))
		}
	}
	if names != nil && s.pages[0].plain.ok() && len(s.pages[0].plain.hops) == 0 {
		found(s.start.Display, "also "+strings.Join(names, ", "), evidence...)
	}
}
