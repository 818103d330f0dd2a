package urlnorm

import "bytes"

// A keyRequest says of which part of a buffer the key is wanted, and how.
type keyRequest struct {
	rules    *ruleset
	at       layout // ends before a token; the state is added by the caller
	dropUser bool   // the userinfo came with a link
}

// appendKey appends the key of buf[:req.at.end], without a state. If the key
// is those bytes themselves, nothing is appended and differs is false.
func appendKey(buf []byte, req keyRequest) (_ []byte, differs bool) {
	start := len(buf)
	at, rules := req.at, req.rules
	switch {
	case !rules.fast,
		req.dropUser && rules.has(ruleUserinfo),
		buf[at.port-1] == '.' && rules.has(ruleHostDot):
		buf = appendPipelineKey(buf, req)
	case rules.canonical(buf, at):
		return buf, false
	default:
		buf = appendFastKey(buf, req)
	}
	if bytes.Equal(buf[:at.end], buf[start:]) {
		return buf[:start], false
	}
	return buf, true
}

// canonical reports whether path and query need none of the rules that the
// fast pass knows. It may say no for a URL that is its own key already.
func (rules *ruleset) canonical(buf []byte, at layout) bool {
	if bytes.IndexByte(buf[at.path:at.end], '%') >= 0 {
		return false
	}
	if at.query == at.end {
		return true
	}
	query := buf[at.query+1 : at.end]
	t := tracker{rules: rules, fetch: buf[:at.end], at: at}
	if len(query) == 0 {
		return !rules.has(ruleEmptyQuery)
	}
	for start := 0; start <= len(query); {
		end := start
		for end < len(query) && query[end] != '&' {
			end++
		}
		pair := query[start:end]
		if len(pair) == 0 && rules.has(ruleEmptyPairs) || t.drops(pair) {
			return false
		}
		start = end + 1
	}
	return true
}

// appendFastKey applies, in one pass, the rules escape-case, unreserved,
// stray-percent, empty-pairs, tracking and empty-query. The pipeline does the
// same rule by rule.
func appendFastKey(buf []byte, req keyRequest) []byte {
	at, rules := req.at, req.rules
	buf = append(buf, buf[:at.path]...)
	buf = appendCanonical(buf, buf[at.path:at.query], false)
	if at.query == at.end {
		return buf
	}
	query := buf[at.query+1 : at.end]
	t := tracker{rules: rules, fetch: buf[:at.end], at: at}
	mark := len(buf)
	buf = append(buf, '?')
	kept := false
	for start := 0; start <= len(query); {
		end := start
		for end < len(query) && query[end] != '&' {
			end++
		}
		pair := len(buf)
		if kept {
			buf = append(buf, '&')
		}
		first := len(buf)
		buf = appendCanonical(buf, query[start:end], rules.mend.strayPercent)
		if first == len(buf) && rules.has(ruleEmptyPairs) || t.drops(buf[first:]) {
			buf = buf[:pair]
		} else {
			kept = true
		}
		start = end + 1
	}
	if len(buf) == mark+1 && rules.has(ruleEmptyQuery) {
		buf = buf[:mark]
	}
	return buf
}

// appendCanonical appends s with escapes in upper case and unreserved bytes
// decoded [RFC3986 §6.2.2]; with mend, a % that begins no escape is escaped.
func appendCanonical(dst, s []byte, mend bool) []byte {
	for len(s) > 0 {
		i := bytes.IndexByte(s, '%')
		if i < 0 {
			return append(dst, s...)
		}
		dst = append(dst, s[:i]...)
		switch {
		case !isEscape(s, i):
			if mend && !isLegacyEscape(s[i:]) {
				dst = append(dst, "%25"...)
			} else {
				dst = append(dst, '%')
			}
			i++
		case is(escapeValue(s, i), unreserved):
			dst = append(dst, escapeValue(s, i))
			i += 3
		default:
			dst = append(dst, '%', upper(s[i+1]), upper(s[i+2]))
			i += 3
		}
		s = s[i:]
	}
	return dst
}

// isLegacyEscape reports whether s begins with the %uXXXX of a script's
// escape function. Servers of its time read it as a character, and %25uXXXX
// as text, so it is not a stray percent sign.
func isLegacyEscape[T string | []byte](s T) bool {
	if len(s) < 6 || s[1] != 'u' {
		return false
	}
	for i := 2; i < 6; i++ {
		if !is(s[i], hexDigit) {
			return false
		}
	}
	return true
}
