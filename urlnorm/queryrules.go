package urlnorm

import (
	"slices"
	"strings"
)

// paramName returns the name of a parameter.
func paramName(param string) string {
	name, _, _ := strings.Cut(param, "=")
	return name
}

// plusToSpace is the rule plus-space.
func plusToSpace(p *parts, _ *ruleset) { p.query = strings.ReplaceAll(p.query, "+", "%20") }

// decodeQuerySlash is the rule query-slash-decode. ' is not among the bytes:
// the standard writes it escaped. Nor is ;, which some servers split at.
func decodeQuerySlash(p *parts, _ *ruleset) {
	p.query = decodeEscapes(p.query, func(c byte) bool { return strings.IndexByte("/:?@!$()*,", c) >= 0 })
}

// decodeQueryReserved is the rule query-reserved-decode.
func decodeQueryReserved(p *parts, _ *ruleset) {
	if !strings.Contains(p.query, "%3") {
		return
	}
	params := strings.Split(p.query, "&")
	for i, param := range params {
		if name, value, ok := strings.Cut(param, "="); ok {
			params[i] = name + "=" + decodeEscapes(value, func(c byte) bool { return c == '=' })
		}
	}
	p.query = strings.Join(params, "&")
}

// escapePipe is the rule pipe.
func escapePipe(p *parts, _ *ruleset) { p.query = escapeOf(p.query, "|\\^`{}") }

// escapeBrackets is the rule brackets.
func escapeBrackets(p *parts, _ *ruleset) { p.query = escapeOf(p.query, "[]") }

// escapeOf escapes the bytes of set in s.
func escapeOf(s, set string) string {
	if !strings.ContainsAny(s, set) {
		return s
	}
	dst := make([]byte, 0, len(s)+16)
	for i := range len(s) {
		if strings.IndexByte(set, s[i]) >= 0 {
			dst = appendEscape(dst, s[i])
		} else {
			dst = append(dst, s[i])
		}
	}
	return string(dst)
}

// dropTracking is the rule tracking, and tracking-wide with it.
func dropTracking(p *parts, rules *ruleset) {
	t := tracker{rules: rules, fetch: []byte(p.fetch), at: p.at}
	p.filterQuery(func(param string) bool { return !t.drops([]byte(param)) })
}

// dropUnused is the rule unused-params.
func dropUnused(p *parts, rules *ruleset) {
	p.filterQuery(func(param string) bool { return !rules.isUnused(paramName(param)) })
}

// dropDefaults is the rule default-params.
func dropDefaults(p *parts, rules *ruleset) {
	p.filterQuery(func(param string) bool {
		name, value, ok := strings.Cut(param, "=")
		standard, known := rules.defaults[name]
		return !ok || !known || value != standard
	})
}

// dropEmptyValue is the rule empty-value.
func dropEmptyValue(p *parts, _ *ruleset) {
	params := strings.Split(p.query, "&")
	for i, param := range params {
		if name, value, ok := strings.Cut(param, "="); ok && value == "" && name != "" {
			params[i] = name
		}
	}
	p.query = strings.Join(params, "&")
}

// dropEmptyPairs is the rule empty-pairs.
func dropEmptyPairs(p *parts, _ *ruleset) {
	p.filterQuery(func(param string) bool { return param != "" })
}

// sortQuery is the rule sort-query. The sort is stable: the order of values
// of one name has a meaning more often than not.
func sortQuery(p *parts, _ *ruleset) {
	sorted, last := true, ""
	for param := range strings.SplitSeq(p.query, "&") {
		name := paramName(param)
		sorted = sorted && name >= last
		last = name
	}
	if sorted {
		return
	}
	params := strings.Split(p.query, "&")
	slices.SortStableFunc(params, func(a, b string) int { return strings.Compare(paramName(a), paramName(b)) })
	p.query = strings.Join(params, "&")
}

// dropEmptyQuery is the rule empty-query.
func dropEmptyQuery(p *parts, _ *ruleset) {
	if p.query == "" {
		p.hasQuery = false
	}
}
