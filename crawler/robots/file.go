package robots

import (
	"slices"
	"strings"
	"time"
)

// MaxBytes is how much of a robots.txt is used. [RFC9309 §2.5] demands at
// least 500 KiB; [G-ROBOTS §file-size] uses exactly that and ignores the rest.
// Who stores a body to parse it again keeps one byte more, by which Parse sees
// that the last line may be cut.
const MaxBytes = 500 << 10

// A File is a parsed robots.txt. It is immutable and may be shared between
// goroutines.
type File struct {
	agents   []agentLine
	groups   []group
	delays   []delay
	sitemaps []string
	clean    []CleanParam
	notes    []Note
	known    int
	unknown  int
}

// An agentLine is one User-agent line.
type agentLine struct {
	token string // product token in lower case; "*" for everybody, "" for nobody
	value string // as written
}

// A span is a half-open range of File.agents.
type span struct{ from, to int }

// A group holds rules for the agents of a run of User-agent lines.
type group struct {
	agents span
	rules  []rule
}

// A delay is one valid Crawl-delay line. Its agents can be fewer than those
// of the group around it, see parser.agent.
type delay struct {
	agents span
	value  time.Duration
}

// A CleanParam names query parameters that do not change what a page shows
// [YANDEX-ROBOTS §clean-param].
type CleanParam struct {
	Params []string // never empty
	Path   string   // rule path that the parameters are bound to, "" for any
	Line   int
}

// Sitemaps returns the values of the Sitemap lines as written, each once, in
// the order of the file. A value can be a relative reference or no URL at
// all: the caller resolves it against the URL of the robots.txt.
func (f *File) Sitemaps() []string { return slices.Clone(f.sitemaps) }

// CleanParams returns the Clean-param lines in the order of the file. They
// hold for every crawler, in whatever group they stand.
func (f *File) CleanParams() []CleanParam { return slices.Clone(f.clean) }

// Notes returns what a webmaster should know about the file, in the order of
// its lines, at most maxNotes of them.
func (f *File) Notes() []Note { return slices.Clone(f.notes) }

// Directives returns how many lines name a directive that the package knows,
// and how many name another one. Lines that are empty, comments or no
// directive at all are in neither count.
func (f *File) Directives() (known, unknown int) { return f.known, f.unknown }

// Rules returns what f says to the crawler with this product token: the rules
// of all groups that name it, merged [RFC9309 §2.2.1], else those of all
// groups for "*", else none, so that everything is allowed. A group that
// names the crawler and holds no rule allows everything too.
//
// The token is matched whole and without regard to case. An agent that is not
// a token but holds a version ("Mozilla/5.0 (compatible; hashcrawl/1.0)") is
// taken as the value of a User-Agent header, and the groups of all products
// in it apply. Any other agent obeys the groups for "*".
//
// The result is independent of f and does not keep the file's text alive.
func (f *File) Rules(agent string) *Rules {
	names := agentTokens(agent)
	if !f.names(names) {
		names = []string{"*"}
	}
	r := &Rules{}
	for _, g := range f.groups {
		line := f.match(g.agents, names)
		if line == nil {
			continue
		}
		value := strings.Clone(line.value)
		if r.group == "" {
			r.group = value
		}
		for _, rule := range g.rules {
			if rule.pattern == "" {
				continue // "Disallow:" forbids nothing
			}
			c := compile(rule, value)
			if len(r.rules) < maxTemoto {
				c.pattern.askTemoto()
			}
			r.rules = append(r.rules, c)
		}
	}
	slices.SortStableFunc(r.rules, moreSpecific)
	for _, d := range f.delays {
		if f.match(d.agents, names) != nil {
			// Several values in one group contradict each other; the longest
			// is the one that harms nobody.
			r.delay, r.hasDelay = max(r.delay, d.value), true
		}
	}
	return r
}

// names reports whether any User-agent line holds one of the tokens.
func (f *File) names(tokens []string) bool {
	return f.match(span{0, len(f.agents)}, tokens) != nil
}

// match returns the first agent line of s that holds one of the tokens, or nil.
func (f *File) match(s span, tokens []string) *agentLine {
	for i := s.from; i < s.to; i++ {
		if slices.Contains(tokens, f.agents[i].token) {
			return &f.agents[i]
		}
	}
	return nil
}
