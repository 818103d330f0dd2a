package crawler

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/publicsuffix"

	"github.com/hashcrawl/hashcrawl/frontier"
	"github.com/hashcrawl/hashcrawl/urlnorm"
)

// ScopeKind says how far from its seeds a crawl goes.
type ScopeKind string

// The kinds of scope.
const (
	ScopePage   ScopeKind = "page"   // the seeds alone
	ScopePrefix ScopeKind = "prefix" // URLs that start with a seed's directory
	ScopeHost   ScopeKind = "host"   // the hosts (and ports) of the seeds
	ScopeDomain ScopeKind = "domain" // the registrable domains of the seeds
	ScopeAny    ScopeKind = "any"    // everywhere
)

// A scope decides which URLs belong to a crawl.
type scope struct {
	kind     ScopeKind
	maxDepth int
	include  []*regexp.Regexp
	exclude  []*regexp.Regexp
	roots    []string // what reach returns for each seed
}

func newScope(s *Settings, n *urlnorm.Normalizer) (*scope, error) {
	sc := &scope{kind: s.Scope, maxDepth: s.MaxDepth}
	var err error
	if sc.include, err = compilePatterns(s.Include); err != nil {
		return nil, fmt.Errorf("--include: %w", err)
	}
	if sc.exclude, err = compilePatterns(s.Exclude); err != nil {
		return nil, fmt.Errorf("--exclude: %w", err)
	}
	for _, seed := range append(slices.Clone(s.Seeds), s.Roots...) {
		u, err := n.Resolve(nil, seed, urlnorm.Charset{})
		if err != nil {
			return nil, fmt.Errorf("seed %q: %w", seed, err)
		}
		sc.addRoot(u)
	}
	return sc, nil
}

// addRoot widens the scope by what a seed reaches, and reports whether it grew.
func (sc *scope) addRoot(u urlnorm.URL) bool {
	r := sc.reach(u)
	if slices.Contains(sc.roots, r) {
		return false
	}
	sc.roots = append(slices.Clip(sc.roots), r)
	return true
}

// reach returns the part of a URL that the scope compares.
func (sc *scope) reach(u urlnorm.URL) string {
	switch sc.kind {
	case ScopePage:
		return u.Key
	case ScopePrefix:
		return authority(u) + directory(u)
	case ScopeHost:
		return authority(u)
	case ScopeDomain:
		return registrableDomain(u.Host())
	}
	return ""
}

// contains reports whether the scope reaches u.
func (sc *scope) contains(u urlnorm.URL) bool {
	if sc.kind == ScopePrefix {
		at := authority(u) + u.Target()
		return slices.ContainsFunc(sc.roots, func(root string) bool { return strings.HasPrefix(at, root) })
	}
	return slices.Contains(sc.roots, sc.reach(u))
}

// judge returns Waiting for a URL that is to be fetched, or else why it is not
// and by which rule.
func (sc *scope) judge(u urlnorm.URL, depth int) (frontier.Outcome, string) {
	if !sc.contains(u) {
		return frontier.OutOfScope, "scope " + string(sc.kind)
	}
	for _, re := range sc.exclude {
		if re.MatchString(u.Display) {
			return frontier.Excluded, "--exclude"
		}
	}
	if len(sc.include) > 0 && !slices.ContainsFunc(sc.include, func(re *regexp.Regexp) bool { return re.MatchString(u.Display) }) {
		return frontier.Excluded, "--include"
	}
	if sc.maxDepth >= 0 && depth > sc.maxDepth {
		return frontier.TooDeep, fmt.Sprintf("--max-depth %d", sc.maxDepth)
	}
	return frontier.Waiting, ""
}

// authority returns host and port; the ports that HTTP and HTTPS have by
// themselves are one, so that a site that moves to HTTPS stays in scope.
func authority(u urlnorm.URL) string {
	if p := u.Port(); p != 80 && p != 443 {
		return fmt.Sprintf("%s:%d", u.Host(), p)
	}
	return u.Host()
}

// directory returns the path of a URL up to its last slash.
func directory(u urlnorm.URL) string {
	path, _, _ := strings.Cut(u.Target(), "?")
	return path[:strings.LastIndexByte(path, '/')+1]
}

// registrableDomain returns the domain that was registered under a public
// suffix, or the host itself where there is none, such as for an address.
func registrableDomain(host string) string {
	host = strings.TrimSuffix(host, ".")
	if d, err := publicsuffix.EffectiveTLDPlusOne(host); err == nil && !isAddress(host) {
		return d
	}
	return host
}

// isAddress reports whether a host in normal form is an IP address.
func isAddress(host string) bool {
	last := host[strings.LastIndexByte(host, '.')+1:]
	return strings.HasPrefix(host, "[") || last != "" && last[0] >= '0' && last[0] <= '9'
}

// compilePatterns compiles patterns for display URLs: after "re:" a regular
// expression that may match anywhere; else a glob for the whole URL, in which
// * stands for any run of characters and ? for one.
func compilePatterns(patterns []string) ([]*regexp.Regexp, error) {
	var res []*regexp.Regexp
	for _, p := range patterns {
		expr, isRegexp := strings.CutPrefix(p, "re:")
		if !isRegexp {
			expr = regexp.QuoteMeta(p)
			expr = strings.NewReplacer(`\*`, `.*`, `\?`, `.`).Replace(expr)
			expr = `(?s)\A` + expr + `\z`
		}
		re, err := regexp.Compile(expr)
		if err != nil {
			return nil, fmt.Errorf("pattern %q: %w", p, err)
		}
		res = append(res, re)
	}
	return res, nil
}
