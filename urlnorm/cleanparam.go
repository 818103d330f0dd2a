package urlnorm

import "strings"

// A CleanParam is one Clean-param line of a robots.txt: parameters that the
// site itself calls insignificant on some of its paths [YANDEX-CLEAN].
type CleanParam struct {
	Params []string // names, case-sensitive
	Path   string   // prefix, with * for any bytes; empty: every path
}

// maxCleanParam is the length to which Yandex reads a line [YANDEX-CLEAN].
const maxCleanParam = 500

// ParseCleanParam reads the value of a Clean-param line: names joined by &,
// then, after a blank, a path. It reports false for a value that is empty or
// too long; such a line does not count.
func ParseCleanParam(value string) (CleanParam, bool) {
	fields := strings.Fields(value)
	if len(fields) == 0 || len(fields) > 2 || len(value) > maxCleanParam {
		return CleanParam{}, false
	}
	var c CleanParam
	for name := range strings.SplitSeq(fields[0], "&") {
		if name != "" {
			c.Params = append(c.Params, string(appendCanonical(nil, []byte(name), true)))
		}
	}
	if len(fields) == 2 {
		c.Path = string(appendCanonical(nil, []byte(fields[1]), true))
	}
	return c, len(c.Params) > 0
}

// Clean is the rule clean-param: it returns u with the key that it has under
// the lines of its own host's robots.txt. It is a step of its own, because
// URLs are often found before the robots.txt of their host is read; until
// then a URL keeps the longer key, at the cost of a second fetch at most.
func (n *Normalizer) Clean(u URL, lines []CleanParam) URL {
	host, port, path := authority(u.Key)
	if len(lines) == 0 || path == 0 {
		return u
	}
	rules := n.rules([]byte(u.Key[host:port]))
	before, state, hasState := strings.Cut(u.Key, "#")
	bare, query, hasQuery := strings.Cut(before, "?")
	if !hasQuery || !rules.has(ruleCleanParam) {
		return u
	}
	p := parts{query: query, hasQuery: true}
	p.filterQuery(func(param string) bool {
		name := paramName(param)
		for i := range lines {
			if lines[i].matches(bare[path:], name) {
				return false
			}
		}
		return true
	})
	if p.query == query {
		return u
	}
	if p.query != "" || !rules.has(ruleEmptyQuery) {
		bare += "?" + p.query
	}
	if hasState {
		bare += "#" + state
	}
	u.Key = bare
	return u
}

func (c *CleanParam) matches(path, name string) bool {
	for _, p := range c.Params {
		if p == name {
			return matchPrefix(c.Path, path)
		}
	}
	return false
}

// matchPrefix reports whether pattern, with * for any bytes, matches a prefix
// of path. A $ at the end asks for the whole of it.
func matchPrefix(pattern, path string) bool {
	pattern, whole := strings.CutSuffix(pattern, "$")
	first, rest, star := strings.Cut(pattern, "*")
	if !strings.HasPrefix(path, first) {
		return false
	}
	path = path[len(first):]
	for star {
		var piece string
		piece, rest, star = strings.Cut(rest, "*")
		if !star && whole {
			return strings.HasSuffix(path, piece)
		}
		i := strings.Index(path, piece)
		if i < 0 {
			return false
		}
		path = path[i+len(piece):]
	}
	return !whole || path == ""
}
