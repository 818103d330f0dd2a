package audit

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/hashcrawl/hashcrawl/ajaxscheme"
	"github.com/hashcrawl/hashcrawl/crawler/robots"
)

// agent is by which name robots.txt rules are looked at.
const agent = "hashcrawl"

func robotsRules() []Rule {
	return []Rule{
		{
			ID: "robots-unreachable", Severity: Error, Title: "robots.txt cannot be had",
			Remedy: "Answer with the file, or with 404 if there is none: with 5xx, 429 or no answer crawlers stay away from the whole site.", check: checkRobotsUnreachable,
		},
		{
			ID: "robots-forbids", Severity: Error, Title: "robots.txt forbids the page that was to be checked",
			Remedy: "Allow the page, if it is to be found.", check: checkRobotsForbids,
		},
		{
			ID: "robots-syntax", Severity: Warning, Title: "robots.txt has lines that do not mean what they seem to",
			Remedy: "Correct or remove the lines.", check: checkRobotsSyntax,
		},
		{
			ID: "robots-hash-in-rule", Severity: Error, Title: "a rule of robots.txt has # in it",
			Remedy: "Write the rule for the ugly URL, such as Disallow: /*_escaped_fragment_=/secret. # starts a comment, and what stands before it is the whole rule.", check: checkRobotsHash,
		},
		{
			ID: "robots-blocks-snapshots", Severity: Error, Title: "robots.txt allows the page but not its snapshot",
			Remedy: "Allow /*_escaped_fragment_, if the states are to be found; or take the opt-in tag out.", check: checkRobotsBlocksSnapshots,
		},
		{
			ID: "robots-blocks-second-parameter", Severity: Warning, Title: "robots.txt allows ?_escaped_fragment_ but not &_escaped_fragment_",
			Remedy: "Write the rule for /*_escaped_fragment_, without the separator.", check: checkRobotsBlocksSecond,
		},
		{
			ID: "noindex-differs", Severity: Warning, Title: "page and snapshot do not agree on noindex",
			Remedy: "Say the same in both: crawlers go by the one that they read.", check: checkNoIndexDiffers,
		},
		{
			ID: "noindex-unseen", Severity: Warning, Title: "noindex stands where robots.txt forbids to read it",
			Remedy: "Allow the page, so that noindex is seen; or drop noindex. A Noindex line in robots.txt counts for nothing.", check: checkNoIndexUnseen,
		},
	}
}

func checkRobotsUnreachable(s *Survey, found report) {
	if s.robotsErr != nil && !s.cut {
		found(s.start.Origin()+"/robots.txt", s.robotsErr.Error(), Evidence{Request: s.start.Origin() + "/robots.txt", Line: clip(s.robotsErr.Error())})
	}
}

func checkRobotsForbids(s *Survey, found report) {
	for _, p := range s.pages[:1] {
		if a := p.plain; a.forbidden() && (p.snapshot == nil || p.snapshot.forbidden()) {
			found(p.url.Display, a.err.Error(), Evidence{Request: s.start.Origin() + "/robots.txt", Line: clip(a.err.Error())})
		}
	}
}

func checkRobotsSyntax(s *Survey, found report) {
	if s.robots == nil || s.robots.Body == nil {
		return
	}
	at := func(line string) Evidence {
		return Evidence{Request: s.robots.URL, Status: s.robots.Status, Line: clip(line)}
	}
	if body := bytes.TrimSpace(s.robots.Body); len(body) > 0 && body[0] == '<' {
		found(s.robots.URL, "it is an HTML document", at(string(body[:min(len(body), maxLine)])))
		return
	}
	var lines []Evidence
	for _, n := range s.robots.File.Notes() {
		if n.Kind != robots.NoteHashbang && len(lines) < 20 {
			lines = append(lines, at(fmt.Sprintf("line %d (%s): %s", n.Line, n.Kind, n.Text)))
		}
	}
	if lines != nil {
		found(s.robots.URL, plural(len(lines), "line"), lines...)
	}
}

// checkRobotsHash looks for a rule with # right behind it, which its author
// meant as a part of the path.
func checkRobotsHash(s *Survey, found report) {
	if s.robots == nil {
		return
	}
	n := 0
	for line := range strings.Lines(string(s.robots.Body)) {
		n++
		key, value, ok := strings.Cut(line, ":")
		rule, _, hash := strings.Cut(strings.TrimSpace(value), "#")
		key = strings.ToLower(strings.TrimSpace(key))
		if !ok || !hash || key != "disallow" && key != "allow" || rule == "" || strings.HasSuffix(rule, " ") || strings.HasSuffix(rule, "\t") {
			continue
		}
		found(s.robots.URL, fmt.Sprintf("the rule is %q", rule), Evidence{Request: s.robots.URL, Status: s.robots.Status, Line: clip(fmt.Sprintf("line %d: %s", n, line))})
	}
}

// decides returns the line of robots.txt that forbids a target; ok is false if
// it is allowed.
func (s *Survey) decides(target string) (e Evidence, forbidden bool) {
	if s.robots == nil {
		return e, false
	}
	v := s.robots.File.Rules(agent).Test(target)
	return Evidence{Request: s.robots.URL, Status: s.robots.Status, Line: fmt.Sprintf("line %d: %s (for %s)", v.Line, v.Rule, clip(target))}, !v.Allowed
}

func checkRobotsBlocksSnapshots(s *Survey, found report) {
	for _, p := range s.pages {
		if p.snapshot.forbidden() && !p.plain.forbidden() {
			e, _ := s.decides(p.snapshot.at.Target())
			found(p.url.Display, "", e)
		}
	}
}

// checkRobotsBlocksSecond tries the two separators on a page with the scheme.
func checkRobotsBlocksSecond(s *Survey, found report) {
	app := s.usesScheme()
	if app == nil {
		return
	}
	at, err := s.resolve("", plainOf(app.url))
	if err != nil {
		return
	}
	path, _, _ := strings.Cut(at.Target(), "?")
	_, plain := s.decides(path + "?a=1")
	_, first := s.decides(path + "?" + ajaxscheme.Param + "=")
	e, second := s.decides(path + "?a=1&" + ajaxscheme.Param + "=")
	if second && !first && !plain || second && !first && app.state() != "" {
		found(plainOf(app.url), "", e)
	}
}

func checkNoIndexDiffers(s *Survey, found report) {
	s.eachSnapshot(func(p *page) {
		a, b := p.snapshot, p.plain
		if !a.ok() || !b.ok() || a.directives.NoIndex == b.directives.NoIndex {
			return
		}
		which := "the snapshot asks not to be indexed, the page does not"
		if b.directives.NoIndex {
			which = "the page asks not to be indexed, the snapshot does not"
		}
		found(p.url.Display, which, a.evidence(a.robotsLine()), b.evidence(b.robotsLine()))
	})
}

func checkNoIndexUnseen(s *Survey, found report) {
	for _, p := range s.pages {
		if p.snapshot.forbidden() && p.plain.ok() && p.plain.directives.NoIndex {
			e, _ := s.decides(p.snapshot.at.Target())
			found(p.url.Display, "", p.plain.evidence(p.plain.robotsLine()), e)
		}
	}
	if s.robots == nil {
		return
	}
	for _, n := range s.robots.File.Notes() {
		if n.Kind == robots.NoteUnknown && strings.HasPrefix(strings.ToLower(strings.TrimSpace(n.Text)), "noindex") {
			found(s.robots.URL, "", Evidence{Request: s.robots.URL, Status: s.robots.Status, Line: clip(fmt.Sprintf("line %d: %s", n.Line, n.Text))})
		}
	}
}
