package robots

import (
	"bytes"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"
	"unicode/utf8"
)

// maxLine is how much of a line counts: [G-ROBOTS-CC ParseRobotsTxt] drops
// what lies beyond eight times the length of the longest URL that Internet
// Explorer took.
const maxLine = 2083*8 - 1

// maxSitemaps is how many Sitemap lines count.
const maxSitemaps = 1000

// Parse reads a robots.txt. It never fails: lines that make no sense are left
// out, and what remains counts. At most the first [MaxBytes] of body are used;
// a line that this limit cuts is left out, because its beginning can forbid
// far more than the line did. The result does not alias body.
func Parse(body []byte) *File {
	p := parser{file: &File{}}
	text, cut := decode(body)
	if cut {
		text = text[:strings.LastIndexAny(text, "\r\n")+1]
	}
	line := 0
	for len(text) > 0 {
		var this string
		this, text = cutLine(text)
		line++
		p.line(line, this[:min(len(this), maxLine)])
	}
	if cut {
		p.note(line+1, NoteTruncated, "")
	}
	return p.file
}

// cutLine splits text behind its first line, which ends in LF, CR LF or CR.
func cutLine(text string) (line, rest string) {
	end := strings.IndexAny(text, "\r\n")
	switch {
	case end < 0:
		return text, ""
	case strings.HasPrefix(text[end:], "\r\n"):
		return text[:end], text[end+2:]
	}
	return text[:end], text[end+1:]
}

// decode returns the used part of body as text without its byte order mark,
// and whether there was more. A mark cut short by an editor is dropped too
// [G-ROBOTS-CC Parse]. UTF-16 is recognised by its mark only.
func decode(body []byte) (text string, cut bool) {
	if len(body) > MaxBytes {
		body, cut = body[:MaxBytes], true
	}
	if bytes.HasPrefix(body, []byte{0xFF, 0xFE}) || bytes.HasPrefix(body, []byte{0xFE, 0xFF}) {
		return decodeUTF16(body[2:], body[0] == 0xFE), cut
	}
	for _, c := range []byte("\uFEFF") {
		if len(body) == 0 || body[0] != c {
			break
		}
		body = body[1:]
	}
	return string(body), cut
}

// decodeUTF16 returns UTF-16 bytes as UTF-8; an odd last byte is dropped, a
// lone surrogate becomes U+FFFD.
func decodeUTF16(b []byte, bigEndian bool) string {
	unit := func(i int) uint16 {
		if bigEndian {
			return uint16(b[i])<<8 | uint16(b[i+1])
		}
		return uint16(b[i+1])<<8 | uint16(b[i])
	}
	out := make([]byte, 0, len(b)/2)
	for i := 0; i+1 < len(b); i += 2 {
		r := rune(unit(i))
		if utf16.IsSurrogate(r) && i+3 < len(b) {
			if pair := utf16.DecodeRune(r, rune(unit(i+2))); pair != utf8.RuneError {
				r = pair
				i += 2
			}
		}
		out = utf8.AppendRune(out, r)
	}
	return string(out)
}

// A parser holds what one line needs to know of the lines before it.
type parser struct {
	file *File
	seen map[string]bool // values of the Sitemap lines
	// open are the agents of the last group, whose rules are read; started
	// is false before the first User-agent line.
	open    span
	started bool
	// ruled: the group has a rule, so that the next User-agent line begins
	// another one. Crawl-delay and all other lines do not end a group
	// [RFC9309 §2.2.4].
	ruled bool
	// delayed: a Crawl-delay stood after the last User-agent line. It holds
	// for the agents since delayFrom.
	delayed   bool
	delayFrom int
}

// line takes in one line without its end.
func (p *parser) line(number int, text string) {
	// A NUL ends the line, as it does for the C strings of [G-ROBOTS-CC].
	if i := strings.IndexByte(text, 0); i >= 0 {
		text = text[:i]
	}
	bare, comment, commented := strings.Cut(text, "#")
	bare = trim(bare)
	key, value, ok := keyValue(bare)
	if !ok {
		return
	}
	d := directiveOf(key)
	if d == unknownDirective {
		p.file.unknown++
		p.note(number, NoteUnknown, bare)
		return
	}
	p.file.known++
	switch d {
	case userAgent:
		p.agent(value)
	case allow, disallow:
		if commented && strings.HasPrefix(comment, "!") {
			p.note(number, NoteHashbang, text)
		}
		p.rule(rule{allow: d == allow, pattern: value, text: bare, line: number})
	case crawlDelay:
		p.crawlDelay(number, value, bare)
	case sitemap:
		p.sitemap(value)
	case cleanParam:
		p.cleanParam(number, value)
	}
}

// keyValue splits a line at its colon. Without one, white space between
// exactly two words stands in for it [G-ROBOTS-CC GetKeyAndValueFrom].
func keyValue(line string) (key, value string, ok bool) {
	key, value, ok = strings.Cut(line, ":")
	if !ok {
		i := strings.IndexAny(line, " \t")
		if i < 0 {
			return "", "", false
		}
		key, value = line[:i], trim(line[i:])
		if strings.ContainsAny(value, " \t") {
			return "", "", false
		}
	}
	key, value = trim(key), trim(value)
	return key, value, key != ""
}

// agent takes in a User-agent line. It continues the run of User-agent lines
// before it, unless a rule came between. A Crawl-delay between two of them
// leaves the group whole, but it holds only for the agents named since the
// one before: "a, delay 1, b, delay 2" gives each its own.
func (p *parser) agent(value string) {
	at := len(p.file.agents)
	switch {
	case !p.started || p.ruled:
		p.open.from, p.delayFrom = at, at
	case p.delayed:
		p.delayFrom = at
	}
	p.started, p.ruled, p.delayed = true, false, false
	p.file.agents = append(p.file.agents, agentLine{token: lineToken(value), value: value})
	p.open.to = at + 1
	p.keepGroup()
}

// keepGroup makes the last group of the file that of the open agents.
func (p *parser) keepGroup() {
	if n := len(p.file.groups); n > 0 && p.file.groups[n-1].agents.from == p.open.from {
		p.file.groups[n-1].agents = p.open
		return
	}
	p.file.groups = append(p.file.groups, group{agents: p.open})
}

// rule takes in an Allow or Disallow line; before the first User-agent line
// it counts for nobody.
func (p *parser) rule(r rule) {
	if !p.started {
		p.note(r.line, NoteOrphan, r.text)
		return
	}
	p.ruled = true
	if r.pattern != "" && r.pattern[0] != '/' && r.pattern[0] != '*' {
		p.note(r.line, NoteNoSlash, r.text)
	}
	g := &p.file.groups[len(p.file.groups)-1]
	g.rules = append(g.rules, r)
}

func (p *parser) crawlDelay(number int, value, text string) {
	if !p.started {
		p.note(number, NoteOrphan, text)
		return
	}
	p.delayed = true
	d, ok := parseDelay(value)
	if !ok {
		p.note(number, NoteDelay, text)
		return
	}
	p.file.delays = append(p.file.delays, delay{agents: span{p.delayFrom, p.open.to}, value: d})
}

// parseDelay reads seconds as digits with an optional fraction. Signs,
// exponents, units and values beyond what a Duration holds are refused.
func parseDelay(s string) (time.Duration, bool) {
	if strings.Trim(s, "0123456789.") != "" {
		return 0, false
	}
	seconds, err := strconv.ParseFloat(s, 64)
	if err != nil || seconds > float64(1<<63-1)/float64(time.Second)-1 {
		return 0, false
	}
	return time.Duration(seconds * float64(time.Second)), true
}

func (p *parser) sitemap(value string) {
	if value == "" {
		return
	}
	if p.seen[value] || len(p.file.sitemaps) == maxSitemaps {
		return
	}
	if p.seen == nil {
		p.seen = make(map[string]bool)
	}
	p.seen[value] = true
	p.file.sitemaps = append(p.file.sitemaps, value)
}

// cleanParam takes in "p0[&p1&…] [path]".
func (p *parser) cleanParam(number int, value string) {
	params, path, _ := strings.Cut(value, " ")
	var names []string
	for name := range strings.SplitSeq(params, "&") {
		if name != "" {
			names = append(names, name)
		}
	}
	if names != nil {
		p.file.clean = append(p.file.clean, CleanParam{Params: names, Path: trim(path), Line: number})
	}
}

func trim(s string) string {
	for s != "" && isBlank(s[0]) {
		s = s[1:]
	}
	for s != "" && isBlank(s[len(s)-1]) {
		s = s[:len(s)-1]
	}
	return s
}
