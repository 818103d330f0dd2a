package audit

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashcrawl/hashcrawl/ajaxscheme"
	"github.com/hashcrawl/hashcrawl/urlnorm"
)

// An Escape is a way to write a state in an ugly URL, and the page that the
// server gave for it.
type Escape struct {
	Dialect string `json:"dialect"`
	Probe   string `json:"probe"`  // request URL; "" if there was no state to try it on
	Status  int    `json:"status"` // 0 if nothing was asked for or no answer came
	Page    string `json:"page"`   // what came: "the state", "the shell", another page's title …
	wanted  bool   // a server of the scheme has to understand it
}

// A dialect is a way to write a state. Crawlers wrote all of these
// [G-AJAX §mapping], so a good server understands those that are wanted.
type dialect struct {
	name   string
	fits   func(state string) bool // whether the state shows the difference
	spell  func(state string) string
	wanted bool
}

func anyState(string) bool { return true }

func contains(sub string) func(string) bool {
	return func(state string) bool { return strings.Contains(state, sub) }
}

// dialects are tried in this order, each on the first state that it fits.
func dialects() []dialect {
	replaced := func(old, with string) func(string) string {
		return func(state string) string { return strings.ReplaceAll(urlnorm.EscapeState(state), old, with) }
	}
	return []dialect{
		{"literal: / = ? : as they are", anyState, urlnorm.EscapeState, true},
		{"single-escaped: every byte but letters and digits", notLetters, escapeAll, true},
		{"%2F for /", contains("/"), replaced("/", "%2F"), true},
		{"%20 for a blank", contains(" "), urlnorm.EscapeState, true},
		{"+ for a blank", contains(" "), replaced("%20", "+"), false},
		{"%2B for +", contains("+"), urlnorm.EscapeState, true},
		{"+ as it is", contains("+"), replaced("%2B", "+"), false},
		{"%26 for &", contains("&"), urlnorm.EscapeState, true},
		{"& as it is", contains("&"), replaced("%26", "&"), false},
		{"%23 for #", contains("#"), urlnorm.EscapeState, true},
		{"UTF-8, escaped", notASCII, urlnorm.EscapeState, true},
		{"%25 for %", contains("%"), urlnorm.EscapeState, true},
		{"escaped twice", notLetters, func(state string) string { return strings.ReplaceAll(escapeAll(state), "%", "%25") }, false},
	}
}

func notLetters(state string) bool { return escapeAll(state) != state }

func notASCII(state string) bool {
	return strings.ContainsFunc(state, func(r rune) bool { return r > 0x7e })
}

// escapeAll escapes every byte but ASCII letters and digits.
func escapeAll(state string) string {
	var b strings.Builder
	for i := range len(state) {
		c := state[i]
		if c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' {
			b.WriteByte(c)
			continue
		}
		fmt.Fprintf(&b, "%%%02X", c)
	}
	return b.String()
}

// probeEscapes finds out which dialects the server understands, on states whose
// snapshot is known to be good.
func (s *Survey) probeEscapes(ctx context.Context) {
	var good []*page
	for _, p := range s.pages {
		if p.state() != "" && p.snapshot.ok() && len(p.snapshot.hops) == 0 && (!p.plain.ok() || !p.snapshot.likeShell(p.plain)) {
			good = append(good, p)
		}
	}
	if good == nil {
		return
	}
	asked := map[string]*answer{}
	for _, p := range good {
		asked[p.snapshot.request] = p.snapshot
	}
	for _, d := range dialects() {
		e := Escape{Dialect: d.name, Page: "no state with such a character is known", wanted: d.wanted}
		for _, p := range good {
			if d.fits(p.state()) {
				s.probeEscape(ctx, p, d, &e, asked)
				break
			}
		}
		s.escapes = append(s.escapes, e)
	}
}

// probeEscape asks for the snapshot of a state in one dialect.
func (s *Survey) probeEscape(ctx context.Context, p *page, d dialect, e *Escape, asked map[string]*answer) {
	before, _, _ := strings.Cut(uglyOf(p.url.Display), ajaxscheme.Param+"=")
	u, err := s.resolve("", before+ajaxscheme.Param+"="+d.spell(p.state()))
	if err != nil {
		e.Page = err.Error()
		return
	}
	e.Probe = u.Fetch
	a := asked[u.Fetch]
	if a == nil {
		a = s.ask(ctx, u)
		asked[u.Fetch] = a
	}
	e.Status, e.Page = a.status, s.nameOf(p, a)
}

// nameOf returns which page an answer to a probe of p's state is.
func (s *Survey) nameOf(p *page, a *answer) string {
	switch {
	case !a.ok():
		return a.said()
	case a.same(p.snapshot):
		return "the state"
	case p.plain.ok() && a.likeShell(p.plain):
		return "the shell"
	}
	return "another page: " + clip(a.doc.Title)
}

func escapeRules() []Rule {
	return []Rule{
		{
			ID: "escape-dialects", Severity: Info, Title: "how the server reads states",
			Remedy: "Nothing, if the rows that crawlers need say \"the state\".",
			check: func(s *Survey, found report) {
				var rows []Evidence
				for _, e := range s.escapes {
					if e.Probe != "" {
						rows = append(rows, Evidence{Request: e.Probe, Status: e.Status, Line: e.Dialect + " → " + e.Page})
					}
				}
				if rows != nil {
					found(s.start.Display, "", rows...)
				}
			},
		},
		{
			ID: "escape-not-understood", Severity: Warning, Title: "the server does not understand a spelling of states that crawlers use",
			Remedy: "Unescape the value of _escaped_fragment_ exactly once: every %XX, and nothing else.",
			check: func(s *Survey, found report) {
				for _, e := range s.escapes {
					if e.wanted && e.Probe != "" && e.Page != "the state" {
						found(s.start.Display, e.Dialect+" → "+e.Page, Evidence{Request: e.Probe, Status: e.Status, Line: e.Page})
					}
				}
			},
		},
		{
			ID: "escape-plus-is-blank", Severity: Warning, Title: "the server takes + in a state for a blank",
			Remedy: "Do not decode the value as a form: in the scheme + is a plus, and a blank is %20.",
			check: func(s *Survey, found report) {
				for _, e := range s.escapes {
					if e.Dialect == "+ for a blank" && e.Page == "the state" {
						found(s.start.Display, "a state with a real plus cannot be told from one with a blank",
							Evidence{Request: e.Probe, Status: e.Status, Line: e.Page})
					}
				}
			},
		},
	}
}
