package urlnorm

import "strings"

// A sessionKind is a kind of session id: a name, and the shape that its
// values have. The name alone is never enough: a shop's sid=42 is a shelf.
type sessionKind struct {
	name  string // lower case; compared without regard to case
	shape func(value string) bool
	// prefix: any continuation of the name, as in ASPSESSIONIDQABCDEFG.
	prefix bool
}

// sessionKinds follows the names of [HERITRIX-CANON] and [NUTCH-NORM]; the
// shapes are those of the software that makes the ids.
var sessionKinds = []sessionKind{
	{name: "jsessionid", shape: isServletID},
	{name: "phpsessid", shape: isPHPID},
	{name: "aspsessionid", prefix: true, shape: upperLetters(24, 24)},
	{name: "cfid", shape: isColdFusionID},
	{name: "cftoken", shape: isColdFusionToken},
	{name: "sid", shape: isLongID},
	{name: "sessid", shape: isLongID},
	{name: "sessionid", shape: isLongID},
	{name: "session_id", shape: isLongID},
	{name: "session", shape: isLongID},
	{name: "oscsid", shape: isPHPID},
	{name: "zenid", shape: isPHPID},
	{name: "xtcsid", shape: isPHPID},
	{name: "s", shape: isHex32},
}

// dropSession is the rule session.
func dropSession(p *parts, _ *ruleset) {
	p.path = dropPathSession(p.path)
	p.filterQuery(func(param string) bool {
		// A servlet container may leave its id inside a query's parameter
		// when the page built the query by hand.
		name, value, ok := strings.Cut(param, "=")
		return !ok || !isSession(name, value)
	})
}

// dropPathSession drops ;name=value parameters of any segment, and the
// (S(…)) segments of ASP.NET.
func dropPathSession(path string) string {
	if strings.IndexByte(path, ';') < 0 && strings.IndexByte(path, '(') < 0 {
		return path
	}
	segments := strings.Split(path, "/")
	kept := segments[:0]
	for i, seg := range segments {
		if i > 0 && i < len(segments)-1 && isASPNETSegment(seg) {
			continue
		}
		params := strings.Split(seg, ";")
		left := params[:1]
		for _, param := range params[1:] {
			if name, value, ok := strings.Cut(param, "="); !ok || !isSession(name, value) {
				left = append(left, param)
			}
		}
		kept = append(kept, strings.Join(left, ";"))
	}
	return strings.Join(kept, "/")
}

func isSession(name, value string) bool {
	name = strings.ToLower(name)
	for _, k := range sessionKinds {
		if (name == k.name || k.prefix && strings.HasPrefix(name, k.name)) && k.shape(value) {
			return true
		}
	}
	return false
}

// isASPNETSegment reports whether a segment is the cookieless session of
// ASP.NET: (S(24 letters and digits)), also with other tickets beside it.
func isASPNETSegment(seg string) bool {
	inner, ok := strings.CutPrefix(seg, "(")
	if !ok {
		return false
	}
	if inner, ok = strings.CutSuffix(inner, ")"); !ok {
		return false
	}
	if isAll(inner, isLowerAlnum) && len(inner) == 24 {
		return true // ASP.NET 1.x: (24)
	}
	tickets := 0
	for inner != "" {
		if len(inner) < 3 || strings.IndexByte("SAFX", inner[0]) < 0 || inner[1] != '(' {
			return false
		}
		end := strings.IndexByte(inner, ')')
		if end < 0 || end-2 < 24 || !isAll(inner[2:end], isAlnum) {
			return false
		}
		tickets++
		inner = inner[end+1:]
	}
	return tickets > 0
}

// isServletID: 32 hex digits of Tomcat, or a longer id of another container,
// both with a route behind a dot, an exclamation mark or a colon.
func isServletID(v string) bool {
	id := v
	if i := strings.IndexAny(v, ".!:"); i >= 0 {
		id = v[:i]
	}
	return isAll(id, isIDByte) && (len(id) >= 16 && hasDigit(id) || len(id) >= 32)
}

// isPHPID: 22 to 256 characters by PHP's settings, with a digit among them.
func isPHPID(v string) bool {
	return len(v) >= 22 && len(v) <= 256 && isAll(v, func(c byte) bool { return isAlnum(c) || c == ',' || c == '-' }) && hasDigit(v)
}

// isLongID: 32 and more hex digits, or as many letters and digits mixed.
func isLongID(v string) bool { return len(v) >= 32 && isAll(v, isAlnum) && hasDigit(v) }

func isHex32(v string) bool {
	return len(v) == 32 && isAll(v, func(c byte) bool { return is(c, hexDigit) }) && hasDigit(v)
}

func isColdFusionID(v string) bool { return len(v) >= 1 && len(v) <= 12 && isAll(v, isDigit) }

// isColdFusionToken: eight digits, or a UUID form with 16 or more hex digits.
func isColdFusionToken(v string) bool {
	if isAll(v, isDigit) {
		return len(v) >= 8
	}
	return len(v) >= 16 && isAll(v, func(c byte) bool { return is(c, hexDigit) || c == '-' })
}

func upperLetters(least, most int) func(string) bool {
	return func(v string) bool {
		return len(v) >= least && len(v) <= most && isAll(v, func(c byte) bool { return c >= 'A' && c <= 'Z' })
	}
}

// isAll reports whether s is not empty and every byte of it has the property.
func isAll(s string, has func(byte) bool) bool {
	for i := range len(s) {
		if !has(s[i]) {
			return false
		}
	}
	return s != ""
}

func hasDigit(s string) bool { return strings.ContainsAny(s, "0123456789") }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isAlnum(c byte) bool { return isDigit(c) || lower(c) >= 'a' && lower(c) <= 'z' }

func isLowerAlnum(c byte) bool { return isDigit(c) || c >= 'a' && c <= 'z' }

func isIDByte(c byte) bool { return isAlnum(c) || c == '-' || c == '_' }
