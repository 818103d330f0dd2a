package audit

import (
	"fmt"
	"strings"
	"time"

	"github.com/hashcrawl/hashcrawl/ajaxscheme"
	"github.com/hashcrawl/hashcrawl/urlnorm"
)

// A snapshot is slow if it takes this much longer than the page and is not
// quick in itself.
const (
	slowFactor = 3
	slowAtAll  = time.Second
)

// eachSnapshot calls fn with every page that has a snapshot which was answered.
func (s *Survey) eachSnapshot(fn func(*page)) {
	for _, p := range s.pages {
		if p.snapshot != nil && p.snapshot.err == nil {
			fn(p)
		}
	}
}

// eachGoodState calls fn with every state whose snapshot is an HTML document.
func (s *Survey) eachGoodState(fn func(*page)) {
	s.eachSnapshot(func(p *page) {
		if p.state() != "" && p.snapshot.ok() {
			fn(p)
		}
	})
}

func schemeRules() []Rule {
	return []Rule{
		{
			ID: "scheme-found", Severity: Info, Title: "the site uses the AJAX crawling scheme",
			Remedy: "Nothing.", check: checkSchemeFound,
		},
		{
			ID: "optin-invalid", Severity: Error, Title: "the opt-in tag does not count",
			Remedy: `Write <meta name="fragment" content="!"> in the head, exactly so.`, check: checkOptInInvalid,
		},
		{
			ID: "states-without-optin", Severity: Info, Title: "the page behind the states has not opted in",
			Remedy: "If the page without a state has content too, add the tag, or serve the content without scripts.", check: checkStatesWithoutOptIn,
		},
		{
			ID: "snapshot-status", Severity: Error, Title: "the ugly URL does not answer with a snapshot",
			Remedy: "Answer 200 with the HTML of the state; 404 only for states that do not exist.", check: checkSnapshotStatus,
		},
		{
			ID: "snapshot-is-shell", Severity: Error, Title: "the ugly URL answers with the shell",
			Remedy: "Let the server look at _escaped_fragment_ and render the state.", check: checkSnapshotIsShell,
		},
		{
			ID: "snapshot-same", Severity: Error, Title: "different states have the same snapshot",
			Remedy: "Render what the value of _escaped_fragment_ names; check that no cache drops the query.", check: checkSnapshotSame,
		},
		{
			ID: "unknown-state-ok", Severity: Warning, Title: "a state that cannot exist is answered with 200",
			Remedy: "Answer 404 for states that the application does not know.", check: checkUnknownState,
		},
		{
			ID: "query-dropped", Severity: Warning, Title: "the snapshot is the same with and without the page's query",
			Remedy: "If the query chooses the content, pass it to the renderer, all but _escaped_fragment_.", check: checkQueryDropped,
		},
		{
			ID: "bare-parameter", Severity: Warning, Title: "?_escaped_fragment_ and ?_escaped_fragment_= are answered differently",
			Remedy: "Treat a parameter without = like one with an empty value: crawlers send both.", check: checkBareParameter,
		},
		{
			ID: "snapshot-opts-in", Severity: Warning, Title: "the snapshot still has the opt-in tag",
			Remedy: "Take the tag out of snapshots: a crawler that obeys it asks for ever.", check: checkSnapshotOptsIn,
		},
		{
			ID: "redirect-loses-state", Severity: Error, Title: "the redirect of an ugly URL loses the state",
			Remedy: "Redirect to the pretty URL of the same state, or to its ugly URL.", check: checkRedirectLosesState,
		},
		{
			ID: "round-trip", Severity: Warning, Title: "the pretty URL does not survive the way to the server and back",
			Remedy: "Use states of UTF-8 text without escapes, and name the page by one spelling only.", check: checkRoundTrip,
		},
		{
			ID: "validators-shared", Severity: Warning, Title: "different documents have the same validators",
			Remedy: "Make ETag and Last-Modified from the snapshot, not from the shell; or send none.", check: checkValidators,
		},
		{
			ID: "snapshot-slow", Severity: Warning, Title: "the snapshot is much slower than the page",
			Remedy: "Keep rendered snapshots in a cache.", check: checkSnapshotSlow,
		},
		{
			ID: "snapshot-by-agent", Severity: Warning, Title: "snapshots depend on the User-Agent",
			Remedy: "Decide by _escaped_fragment_ alone: a list of robots is never complete, and other content for robots is cloaking.", check: checkSnapshotByAgent,
		},
	}
}

func checkSchemeFound(s *Survey, found report) {
	optIns, states := 0, 0
	var first *page
	for _, p := range s.pages {
		switch {
		case p.optedIn():
			optIns++
		case p.state() != "":
			states++
		default:
			continue
		}
		if first == nil {
			first = p
		}
	}
	if first == nil {
		return
	}
	line := `<meta name="fragment" content="!">`
	if first.state() != "" {
		line = "#!" + first.state()
	}
	found(first.url.Display, plural(optIns, "page")+" opted in with the tag, "+plural(states, "page")+" with a state after #!", first.plain.evidence(line))
}

func checkOptInInvalid(s *Survey, found report) {
	seen := map[*answer]bool{}
	for _, p := range s.pages {
		if a := p.plain; a.ok() && !seen[a] && a.doc.OptIn == ajaxscheme.OptInInvalid {
			seen[a] = true
			found(plainOf(p.url), a.doc.OptInFault, a.evidence(fmt.Sprintf(`<meta name="fragment" content=%q>: %s`, a.doc.OptInContent, a.doc.OptInFault)))
		}
	}
}

func checkStatesWithoutOptIn(s *Survey, found report) {
	seen := map[*answer]bool{}
	for _, p := range s.pages {
		if a := p.plain; p.state() != "" && a.ok() && !seen[a] && a.doc.OptIn == ajaxscheme.OptInNone {
			seen[a] = true
			found(plainOf(p.url), "", a.evidence("no fragment meta tag"))
		}
	}
}

func checkSnapshotStatus(s *Survey, found report) {
	for _, p := range s.pages {
		a := p.snapshot
		if a == nil || a.ok() || a.forbidden() || a.unasked() || len(a.hops) > 0 && a.err == nil {
			continue
		}
		found(p.url.Display, a.said(), a.evidence(a.said()))
	}
}

func checkSnapshotIsShell(s *Survey, found report) {
	s.eachSnapshot(func(p *page) {
		if a := p.snapshot; a.ok() && p.plain.ok() && len(a.hops) == 0 && a.likeShell(p.plain) {
			found(p.url.Display, "title, text and links are those of the page without scripts",
				a.evidence("title: "+a.doc.Title), p.plain.evidence("title: "+p.plain.doc.Title))
		}
	})
}

func checkSnapshotSame(s *Survey, found report) {
	var different []*page
	s.eachGoodState(func(p *page) {
		a := p.snapshot
		if len(a.hops) > 0 || p.plain.ok() && a.likeShell(p.plain) {
			return // said otherwise
		}
		for _, o := range different {
			if o.state() != p.state() && a.same(o.snapshot) {
				found(p.url.Display, "as for "+o.url.Display, a.evidence("title: "+a.doc.Title), o.snapshot.evidence("title: "+o.snapshot.doc.Title))
				return
			}
		}
		different = append(different, p)
	})
}

func checkUnknownState(s *Survey, found report) {
	a := s.unknown
	if shell := s.shells[plainOf(s.start)]; a.ok() && shell.ok() && a.likeShell(shell) {
		return // said otherwise
	}
	if a.ok() && len(a.hops) == 0 {
		found(a.at.Display, "", a.evidence("title: "+a.doc.Title))
	}
}

// checkQueryDropped compares pages that differ in the query alone.
func checkQueryDropped(s *Survey, found report) {
	without := map[string]*page{}
	s.eachSnapshot(func(p *page) {
		if p.snapshot.ok() && !strings.Contains(plainOf(p.url), "?") {
			without[p.url.Display] = p
		}
	})
	s.eachSnapshot(func(p *page) {
		path, _, has := strings.Cut(plainOf(p.url), "?")
		display := path
		if state := p.state(); state != "" {
			display += "#!" + state
		}
		o := without[display]
		if !has || o == nil || !p.snapshot.ok() || !p.snapshot.same(o.snapshot) || p.plain.ok() && p.snapshot.likeShell(p.plain) {
			return
		}
		found(p.url.Display, "the same as for "+o.url.Display, p.snapshot.evidence("title: "+p.snapshot.doc.Title), o.snapshot.evidence("title: "+o.snapshot.doc.Title))
	})
}

func checkBareParameter(s *Survey, found report) {
	if b := s.bare; b != nil && !b.without.forbidden() && !b.without.unasked() && (!b.without.ok() || !b.without.same(b.with)) {
		found(b.page.url.Display, "", b.with.evidence(s.nameOf(b.page, b.with)), b.without.evidence(s.nameOf(b.page, b.without)))
	}
}

func checkSnapshotOptsIn(s *Survey, found report) {
	s.eachSnapshot(func(p *page) {
		if a := p.snapshot; a.ok() && len(a.hops) == 0 && a.doc.OptIn == ajaxscheme.OptInValid && !(p.plain.ok() && a.likeShell(p.plain)) {
			found(p.url.Display, "", a.evidence(`<meta name="fragment" content="!">`))
		}
	})
}

func checkRedirectLosesState(s *Survey, found report) {
	s.eachSnapshot(func(p *page) {
		a := p.snapshot
		if p.state() == "" || len(a.hops) == 0 || a.loop || a.away || strings.Contains(a.at.Display, "#!") {
			return
		}
		h := a.hops[len(a.hops)-1]
		found(p.url.Display, "ends at "+a.at.Display, Evidence{Request: h.request, Status: h.status, Line: "Location: " + h.location})
	})
}

// checkRoundTrip maps every pretty URL to its ugly form and back, and compares
// it with what the snapshot calls itself.
func checkRoundTrip(s *Survey, found report) {
	s.eachGoodState(func(p *page) {
		if back, err := ajaxscheme.Pretty(uglyOf(p.url.Display)); err != nil || back != p.url.Display {
			found(p.url.Display, "comes back as "+back, Evidence{Request: p.snapshot.request})
			return
		}
		for _, href := range p.snapshot.doc.Canonicals {
			u, err := s.resolve(s.base(p, p.snapshot), href)
			if err == nil && u.Key != p.url.Key && unescaped(u.Display) == unescaped(p.url.Display) {
				found(p.url.Display, "the snapshot calls itself "+u.Display, p.snapshot.evidence(`<link rel="canonical" href="`+href+`">`))
			}
		}
	})
}

// unescaped returns a URL with its escapes undone, also those of escapes.
func unescaped(url string) string {
	for range 3 {
		url = urlnorm.UnescapeState(url)
	}
	return url
}

func checkValidators(s *Survey, found report) {
	first := map[string]*page{}
	s.eachSnapshot(func(p *page) {
		if !p.snapshot.ok() || len(p.snapshot.hops) > 0 {
			return
		}
		for _, name := range []string{"Etag", "Last-Modified"} {
			v := p.snapshot.header.Get(name)
			if v == "" {
				continue
			}
			if p.plain.ok() && p.plain.header.Get(name) == v && !p.snapshot.same(p.plain) {
				found(p.url.Display, "as that of the shell", p.snapshot.evidence(name+": "+v), p.plain.evidence(name+": "+v))
				return
			}
			if o := first[name+v]; o != nil && name == "Etag" && !o.snapshot.same(p.snapshot) {
				found(p.url.Display, "as that of "+o.url.Display, p.snapshot.evidence(name+": "+v), o.snapshot.evidence(name+": "+v))
				return
			}
			first[name+v] = p
		}
	})
}

func checkSnapshotSlow(s *Survey, found report) {
	s.eachSnapshot(func(p *page) {
		if a, b := p.snapshot, p.plain; a.ok() && b.ok() && a.took > slowAtAll && a.took > slowFactor*b.took {
			found(p.url.Display, fmt.Sprintf("%.1f s against %.1f s", a.took.Seconds(), b.took.Seconds()),
				a.evidence(fmt.Sprintf("%.1f s", a.took.Seconds())), b.evidence(fmt.Sprintf("%.1f s", b.took.Seconds())))
		}
	})
}

func checkSnapshotByAgent(s *Survey, found report) {
	s.eachSnapshot(func(p *page) {
		for _, v := range p.snapshot.header.Values("Vary") {
			if strings.Contains(strings.ToLower(v), "user-agent") {
				found(p.url.Display, "", p.snapshot.evidence("Vary: "+v))
				return
			}
		}
	})
}
