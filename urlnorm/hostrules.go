package urlnorm

import "strings"

// dropUserinfo is the rule userinfo.
func dropUserinfo(p *parts, _ *ruleset) {
	if p.linkUser {
		p.user = ""
	}
}

// oneProtocol is the rule protocol. A port that was named stays: it is not
// the scheme's own.
func oneProtocol(p *parts, _ *ruleset) { p.scheme = "http" }

// ipToDomain is the rule ip-domain.
func ipToDomain(p *parts, rules *ruleset) {
	if domain, ok := rules.ipDomains[p.host]; ok {
		p.host = domain
	}
}

// dropWWW is the rule www, for the labels www, www2 and so on. The rest must
// be a name with a dot: www.com is a domain of its own.
func dropWWW(p *parts, _ *ruleset) {
	label, rest, ok := strings.Cut(p.host, ".")
	number, www := strings.CutPrefix(label, "www")
	if ok && www && (number == "" || isAll(number, isDigit)) && strings.Contains(strings.TrimSuffix(rest, "."), ".") {
		p.host = rest
	}
}

// dropHostDot is the rule trailing-host-dot. Two dots are an empty label and
// no name of the DNS.
func dropHostDot(p *parts, _ *ruleset) {
	if host, ok := strings.CutSuffix(p.host, "."); ok && host != "" && !strings.HasSuffix(host, ".") {
		p.host = host
	}
}
