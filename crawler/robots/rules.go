package robots

import (
	"cmp"
	"strings"
	"time"
)

// A rule is one Allow or Disallow line.
type rule struct {
	allow   bool
	pattern string // as written
	text    string // the line without comment
	line    int
}

// A compiledRule is a rule that can be asked.
type compiledRule struct {
	pattern pattern
	length  int
	verdict Verdict // given when the rule decides
}

// compile makes r ready for Test; group is the User-agent value it stands under.
func compile(r rule, group string) compiledRule {
	p, length := compilePattern(r.pattern)
	return compiledRule{
		pattern: p,
		length:  length,
		verdict: Verdict{Allowed: r.allow, Group: group, Rule: strings.Clone(r.text), Line: r.line},
	}
}

// moreSpecific orders rules so that the first that matches decides: the one
// with the most octets, of two with as many the one that allows
// [RFC9309 §2.2.2].
func moreSpecific(a, b compiledRule) int {
	if c := cmp.Compare(b.length, a.length); c != 0 || a.verdict.Allowed == b.verdict.Allowed {
		return c
	}
	if a.verdict.Allowed {
		return -1
	}
	return 1
}

// Rules is what a robots.txt says to one crawler. It is immutable and may be
// shared between goroutines. The zero value allows everything.
type Rules struct {
	group    string
	rules    []compiledRule // the first that matches decides
	delay    time.Duration
	hasDelay bool
}

// A Verdict says whether a target may be requested, and which line says so.
type Verdict struct {
	Allowed bool
	Group   string // User-agent value of the group, "" if no group applies
	Rule    string // the line that decides, "" if none does
	Line    int    // its number from 1, 0 if none decides
}

// CrawlDelay returns the Crawl-delay of the crawler's groups, the longest if
// there are several, and whether there is a valid one. It is not capped.
func (r *Rules) CrawlDelay() (time.Duration, bool) { return r.delay, r.hasDelay }

// Test returns the verdict on a request target, which is the path and query
// as they stand in the request line, for instance "/?_escaped_fragment_=/a".
// An empty target is "/". The robots.txt itself is always allowed
// [RFC9309 §2.2.2]. Test does not allocate for targets of usual length.
func (r *Rules) Test(target string) Verdict {
	switch {
	case target == "":
		target = "/"
	case target == "/robots.txt":
		return Verdict{Allowed: true, Group: r.group}
	}
	var buf [2048]byte // targets are rarely longer, so append seldom allocates
	normal := appendNormal(buf[:0], target)
	forTemoto := temotoReads(target)
	for i := range r.rules {
		p := &r.rules[i].pattern
		var hit bool
		if p.literal != nil && forTemoto {
			hit = !p.literal.Test(target)
		} else {
			hit = p.matches(normal)
		}
		if hit {
			return r.rules[i].verdict
		}
	}
	return Verdict{Allowed: true, Group: r.group}
}

// Target returns the request target of a URL that a person typed: path and
// query without fragment, "/" if there is none. Scheme and host may be
// missing. It follows [G-ROBOTS-CC GetPathParamsQuery] and escapes nothing;
// a crawler takes the target from its normalised URL instead.
func Target(url string) string {
	start := 0
	if strings.HasPrefix(url, "//") {
		start = 2
	}
	if end := strings.Index(url[start:], "://"); end >= 0 && !strings.ContainsAny(url[start:start+end], "/?;") {
		start += end + len("://")
	}
	url, _, _ = strings.Cut(url[start:], "#")
	i := strings.IndexAny(url, "/?;")
	if i < 0 {
		return "/"
	}
	if url[i] != '/' {
		return "/" + url[i:]
	}
	return url[i:]
}
