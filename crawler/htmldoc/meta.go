package htmldoc

import (
	"bytes"
	"strings"
	"time"
)

// htmlElement takes <html>. The parser merges later ones into the first
// [WHATWG-HTML §13.2.6.4.7]: the first lang counts.
func (p *Parser) htmlElement() {
	lang, ok := p.attr("lang")
	if !ok {
		lang, ok = p.attr("xml:lang")
	}
	if ok && !p.hasLang {
		p.takeLang(lang)
		p.hasLang = true
	}
}

// takeLang keeps a language tag. What is too long to be one says nothing.
func (p *Parser) takeLang(tag []byte) {
	if tag = bytes.TrimSpace(tag); len(tag) <= maxLang {
		p.page.Lang = string(tag)
	}
}

// meta takes <meta>.
func (p *Parser) meta() {
	content, ok := p.attr("content")
	if !ok {
		return
	}
	if equiv, ok := p.attr("http-equiv"); ok {
		p.pragma(string(bytes.TrimSpace(equiv)), content)
	}
	if name, ok := p.attr("name"); ok {
		p.namedMeta(strings.ToLower(string(bytes.TrimSpace(name))), content)
	}
	if property, ok := p.attr("property"); ok && strings.EqualFold(string(bytes.TrimSpace(property)), publishedProperty) {
		p.times.stated(content)
	}
}

func (p *Parser) namedMeta(name string, content []byte) {
	switch {
	case name == "description":
		if p.page.Description == "" {
			p.page.Description = p.fold(content, maxDescription)
		}
	case name == publishedProperty:
		p.times.stated(content)
	case p.isRobotsName(name):
		p.page.RobotsMeta = append(p.page.RobotsMeta, RobotsMeta{Name: name, Content: string(content)})
	}
}

// isRobotsName reports whether a meta of this lower-case name speaks to a
// crawler.
func (p *Parser) isRobotsName(name string) bool {
	return name == "robots" || strings.Contains(name, "bot") || strings.Contains(name, "crawl") ||
		p.opts.Agent != "" && strings.EqualFold(name, p.opts.Agent)
}

// pragma takes <meta http-equiv=name content=…>.
func (p *Parser) pragma(name string, content []byte) {
	switch {
	case strings.EqualFold(name, "refresh"):
		p.refresh(content)
	case strings.EqualFold(name, "content-language"):
		if !p.hasLang && p.page.Lang == "" && !bytes.ContainsRune(content, ',') {
			p.takeLang(content)
		}
	}
}

// ParseRefresh reads the value of a Refresh header field, which is that of a
// meta refresh.
func ParseRefresh(field string) (r Refresh, ok bool) {
	delay, target, ok := parseRefresh([]byte(field))
	return Refresh{Delay: delay, URL: string(target)}, ok
}

func (p *Parser) refresh(content []byte) {
	delay, target, ok := parseRefresh(content)
	if !ok {
		return
	}
	if len(target) > 0 {
		p.links = append(p.links, rawLink{index: -1, kind: MetaRefresh, href: p.keep(target)})
	}
	if p.page.Refresh == nil && !p.noscript {
		p.page.Refresh = &Refresh{Delay: delay, URL: string(target)}
	}
}

// parseRefresh is the algorithm of [WHATWG-HTML §4.2.5.3], "shared declarative
// refresh steps". An empty target is the page itself.
func parseRefresh(s []byte) (delay time.Duration, target []byte, ok bool) {
	s = trimSpace(s)
	n := countPrefix(s, "0123456789")
	if n == 0 && (len(s) == 0 || s[0] != '.') {
		return 0, nil, false
	}
	delay = seconds(s[:n])
	s = s[n:]
	s = s[countPrefix(s, "0123456789."):]
	if len(s) == 0 {
		return delay, nil, true
	}
	if !strings.ContainsRune("; ,\t\n\f\r", rune(s[0])) {
		return 0, nil, false
	}
	s = trimSpace(s)
	if len(s) > 0 && (s[0] == ';' || s[0] == ',') {
		s = trimSpace(s[1:])
	}
	return delay, refreshTarget(s), true
}

// refreshTarget returns the URL in what follows the delay: with or without
// "url=", with or without quotes.
func refreshTarget(s []byte) []byte {
	if len(s) >= 3 && strings.EqualFold(string(s[:3]), "url") {
		if rest := trimSpace(s[3:]); len(rest) > 0 && rest[0] == '=' {
			s = trimSpace(rest[1:])
		}
	}
	if len(s) > 0 && (s[0] == '"' || s[0] == '\'') {
		quote := s[:1]
		s, _, _ = bytes.Cut(s[1:], quote)
	}
	return s
}

// seconds returns the value of decimal digits, at most a year.
func seconds(digits []byte) time.Duration {
	const most = 365 * 24 * 60 * 60
	n := 0
	for _, c := range digits {
		if n = 10*n + int(c-'0'); n > most {
			n = most
		}
	}
	return time.Duration(n) * time.Second
}

// countPrefix returns the length of the prefix of s made of bytes in set.
func countPrefix(s []byte, set string) int {
	return len(s) - len(bytes.TrimLeft(s, set))
}
