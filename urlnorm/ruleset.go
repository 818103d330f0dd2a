package urlnorm

import "strings"

// A ruleset is what is in force for one host. It is immutable.
type ruleset struct {
	on            uint64 // bit i for rule i
	fast          bool   // only rules that the fast pass knows
	mend          mending
	keepFragments []string // prefixes of fragments that count
	unused        []string // names, with a * at the end for any continuation
	defaults      map[string]string
	dirindex      map[string]bool
	ipDomains     map[string]string
}

func (rules *ruleset) has(rule int) bool { return rules.on>>rule&1 != 0 }

const (
	// fastKnows are the rules that the fast pass applies, or leaves to the
	// pipeline for the URLs that they concern.
	fastKnows = 1<<ruleStrayPercent | 1<<rulePathPipe | 1<<ruleFragment | 1<<ruleUserinfo |
		1<<ruleHostDot | 1<<ruleEscapeCase | 1<<ruleUnreserved | 1<<ruleTracking |
		1<<ruleTrackingWide | 1<<ruleCleanParam | 1<<ruleEmptyPairs | 1<<ruleEmptyQuery
	// fastNeeds are those that the fast pass cannot leave out.
	fastNeeds = 1<<ruleStrayPercent | 1<<ruleEscapeCase | 1<<ruleUnreserved
)

// finish derives the fields that depend on others.
func (rules *ruleset) finish() {
	if len(rules.ipDomains) == 0 {
		rules.on &^= 1 << ruleIPDomain
	}
	if len(rules.unused) == 0 {
		rules.on &^= 1 << ruleUnusedParams
	}
	if len(rules.defaults) == 0 {
		rules.on &^= 1 << ruleDefaultParams
	}
	rules.mend = mending{strayPercent: rules.has(ruleStrayPercent), pathPipe: rules.has(rulePathPipe)}
	rules.fast = rules.on&^fastKnows == 0 && rules.on&fastNeeds == fastNeeds
}

// keepsFragment reports whether a fragment that is no state counts.
func (rules *ruleset) keepsFragment(fragment string) bool {
	if !rules.has(ruleFragment) {
		return fragment != ""
	}
	for _, prefix := range rules.keepFragments {
		if strings.HasPrefix(fragment, prefix) {
			return true
		}
	}
	return false
}

// isUnused reports whether a parameter's name is on the list of the unused.
func (rules *ruleset) isUnused(name string) bool {
	for _, u := range rules.unused {
		if prefix, wild := strings.CutSuffix(u, "*"); wild && strings.HasPrefix(name, prefix) || u == name {
			return true
		}
	}
	return false
}
