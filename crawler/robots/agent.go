package robots

import "strings"

// maxAgentTokens bounds how many products of a User-Agent header are looked
// for, so that a pasted text cannot make Rules slow.
const maxAgentTokens = 16

// ValidToken reports whether s is a product token, which is what a crawler
// calls itself in a User-agent line: letters, '_' and '-' only
// [RFC9309 §2.2.1].
func ValidToken(s string) bool { return s != "" && tokenPrefix(s) == s }

// tokenPrefix returns the longest prefix of s that is a product token, "" if
// there is none.
func tokenPrefix(s string) string {
	for i := 0; i < len(s); i++ {
		if !isTokenByte(s[i]) {
			return s[:i]
		}
	}
	return s
}

func isTokenByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' || c == '-'
}

// lineToken returns the token that the value of a User-agent line names, in
// lower case: "*" for everybody, "" for nobody. Only a prefix counts, so that
// "hashcrawl/1.0" and "hashcrawl bot" name hashcrawl, and a '*' with blanks
// behind it stays a '*' [G-ROBOTS-CC HandleUserAgent].
func lineToken(value string) string {
	if value == "*" || strings.HasPrefix(value, "*") && isBlank(value[1]) {
		return "*"
	}
	return strings.ToLower(tokenPrefix(value))
}

// agentTokens returns the tokens in lower case under which an agent looks for
// its groups, empty if it can have none of its own; see [File.Rules].
func agentTokens(agent string) []string {
	if ValidToken(agent) {
		return []string{strings.ToLower(agent)}
	}
	if !strings.ContainsAny(agent, "/0123456789") {
		return nil
	}
	var tokens []string
	words := strings.FieldsFuncSeq(agent, func(r rune) bool { return strings.ContainsRune(" \t,;()+", r) })
	for w := range words {
		if t := tokenPrefix(w); t != "" && len(tokens) < maxAgentTokens {
			tokens = append(tokens, strings.ToLower(t))
		}
	}
	return tokens
}

// isBlank reports whether c is white space of the C locale, which is what
// [G-ROBOTS-CC] strips.
func isBlank(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }
