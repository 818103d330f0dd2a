package urlnorm

// A Rule is one named equivalence or one step of the parser, as a person is
// told of it.
type Rule struct {
	Name string
	// Profile is the lowest profile that has the rule: "parser" for what the
	// URL Standard's parser always does, "strict", "crawl", "aggressive", or
	// "off" for a rule that no profile has.
	Profile string
	What    string // what is done
	Danger  string // how two pages may fall into one; empty if they cannot
	Source  string // in the form of docs/sources.md

	apply func(*parts, *ruleset) // nil for steps of the parser
}

// Profiles, from the fewest rules to the most. Each has those before it.
const (
	parserStep = "parser"
	strict     = "strict"
	crawl      = "crawl"
	aggressive = "aggressive"
	off        = "off"
)

// The rules by their place in the table, which is the order in which the
// pipeline applies them. Rules on hosts come first, since others ask for the
// host; decoding comes before what compares names and values; what removes
// parameters comes before what looks at the remains.
const (
	ruleStrayPercent = iota
	rulePathPipe
	ruleFragment
	ruleUserinfo
	ruleProtocol
	ruleIPDomain
	ruleWWW
	ruleHostDot
	ruleEscapeCase
	ruleUnreserved
	ruleReserved
	ruleUnicodeNFC
	rulePlusSpace
	ruleQuerySlash
	ruleQueryReserved
	rulePipe
	ruleBrackets
	ruleSession
	ruleSlashes
	ruleDirindex
	ruleTrailingSlash
	ruleTracking
	ruleTrackingWide
	ruleUnusedParams
	ruleDefaultParams
	ruleCleanParam
	ruleEmptyValue
	ruleEmptyPairs
	ruleSortQuery
	ruleEmptyQuery
	ruleCount
)

// table describes every rule that can be switched, in pipeline order.
var table = [ruleCount]Rule{
	ruleStrayPercent: {
		Name: "stray-percent", Profile: strict,
		What:   "a % that begins no escape is written %25: in a path also in the fetch form, because Go's client loses or refuses it otherwise; in a query in the key only, and there not in %uXXXX",
		Danger: "a server that takes a%zz and a%25zz for two pages",
		Source: "[WHATWG-URL §4.4]",
		apply:  strayPercent,
	},
	rulePathPipe: {
		Name: "path-pipe", Profile: strict,
		What:   "| in a path is written %7C, in the fetch form: net/http escapes it anyway, and then every other byte of the path anew",
		Source: "[RFC3986 §2.1]",
	},
	ruleFragment: {
		Name: "fragment", Profile: strict,
		What:   "the fragment is dropped, a state apart",
		Danger: "sites whose scripts show pages under #/route; see keep-fragments of the host rules",
		Source: "[WP-URLNORM]", // never sent: [RFC3986 §3.5]
	},
	ruleUserinfo: {
		Name: "userinfo", Profile: crawl,
		What:   "name and password that a link brings along do not count; those of a seed do",
		Danger: "a server that shows each user another page",
		Source: "[RFC3986 §3.2.1]",
		apply:  dropUserinfo,
	},
	ruleProtocol: {
		Name: "protocol", Profile: aggressive,
		What:   "https counts as http",
		Danger: "hosts that serve different sites on the two",
		Source: "[WP-URLNORM]",
		apply:  oneProtocol,
	},
	ruleIPDomain: {
		Name: "ip-domain", Profile: strict,
		What:   "an IP address counts as the domain that a given map names; no map, no effect",
		Danger: "servers with several sites on one address",
		Source: "[WP-URLNORM]",
		apply:  ipToDomain,
	},
	ruleWWW: {
		Name: "www", Profile: aggressive,
		What:   "the first host label does not count if it is www, www2 and so on",
		Danger: "hosts that serve different sites with it and without",
		Source: "[WP-URLNORM]",
		apply:  dropWWW,
	},
	ruleHostDot: {
		Name: "trailing-host-dot", Profile: crawl,
		What:   "one dot at the end of a host name does not count",
		Danger: "virtual hosts that are configured for one form only",
		Source: "[RFC1034 §3.1]",
		apply:  dropHostDot,
	},
	ruleEscapeCase: {
		Name: "escape-case", Profile: strict,
		What:   "hex digits of escapes in upper case, in path and query",
		Source: "[RFC3986 §6.2.2.1]",
		apply:  escapeCase,
	},
	ruleUnreserved: {
		Name: "unreserved", Profile: strict,
		What:   "escaped letters, digits and - . _ ~ are decoded, in path and query",
		Source: "[RFC3986 §6.2.2.2]",
		apply:  decodeUnreserved,
	},
	ruleReserved: {
		Name: "reserved-decode", Profile: aggressive,
		What:   "escaped ! $ & ' ( ) * + , : ; = @ are decoded in the path",
		Danger: "servers that give these bytes a meaning, such as ; and = of path parameters",
		Source: "[RFC3986 §2.2]",
		apply:  decodeReserved,
	},
	ruleUnicodeNFC: {
		Name: "unicode-nfc", Profile: off,
		What:   "text in path and query in Unicode form C",
		Danger: "servers that compare bytes: the two spellings are two names",
		Source: "[UAX15]",
		apply:  unicodeNFC,
	},
	rulePlusSpace: {
		Name: "plus-space", Profile: aggressive,
		What:   "+ in a query counts as %20",
		Danger: "servers that do not read queries as forms",
		Source: "[WHATWG-URL §5.1]",
		apply:  plusToSpace,
	},
	ruleQuerySlash: {
		Name: "query-slash-decode", Profile: aggressive,
		What:   "escaped / : ? @ ! $ ( ) * , are decoded in the query",
		Danger: "servers that cut the raw query at one of them",
		Source: "[RFC3986 §3.4]",
		apply:  decodeQuerySlash,
	},
	ruleQueryReserved: {
		Name: "query-reserved-decode", Profile: aggressive,
		What:   "an escaped = is decoded in a parameter's value",
		Danger: "servers that split a parameter at its last =",
		Source: "[WHATWG-URL §5.1]",
		apply:  decodeQueryReserved,
	},
	rulePipe: {
		Name: "pipe", Profile: aggressive,
		What:   "raw | \\ ^ ` { } in a query count as escaped",
		Danger: "servers that compare raw queries",
		Source: "[RFC3986 §2.1]",
		apply:  escapePipe,
	},
	ruleBrackets: {
		Name: "brackets", Profile: aggressive,
		What:   "raw [ ] in a query count as escaped",
		Danger: "servers that compare raw queries",
		Source: "[RFC3986 §3.4]",
		apply:  escapeBrackets,
	},
	ruleSession: {
		Name: "session", Profile: aggressive,
		What:   "session ids are dropped from path and query where both name and shape of the value are those of a known kind",
		Danger: "a page that is named by such a value",
		Source: "[HERITRIX-CANON] [NUTCH-NORM]",
		apply:  dropSession,
	},
	ruleSlashes: {
		Name: "slashes", Profile: aggressive,
		What:   "several slashes in a row count as one, but after a colon",
		Danger: "servers for which an empty segment is a name",
		Source: "[WP-URLNORM]",
		apply:  collapseSlashes,
	},
	ruleDirindex: {
		Name: "dirindex", Profile: aggressive,
		What:   "a directory's index page counts as the directory",
		Danger: "servers whose index has another name, and shows another page",
		Source: "[WP-URLNORM]",
		apply:  dropDirindex,
	},
	ruleTrailingSlash: {
		Name: "trailing-slash", Profile: aggressive,
		What:   "a slash at the end of the path does not count",
		Danger: "servers that have a file and a directory of one name; relative links differ",
		Source: "[WP-URLNORM]",
		apply:  dropTrailingSlash,
	},
	ruleTracking: {
		Name: "tracking", Profile: crawl,
		What:   "parameters with a value that only tell how a visitor came are dropped, within their scopes and conditions",
		Danger: "a site that uses such a name for its own ends",
		Source: "[BRAVE-QF] [CLEARURLS]",
		apply:  dropTracking,
	},
	ruleTrackingWide: {
		Name: "tracking-wide", Profile: off,
		What:   "with tracking: names that only one list has",
		Danger: "as tracking, more so",
		Source: "[BRAVE-QF] [CLEARURLS]",
	},
	ruleUnusedParams: {
		Name: "unused-params", Profile: strict,
		What:   "parameters of a given list are dropped; no list, no effect",
		Danger: "a list that is wrong",
		Source: "[WP-URLNORM]",
		apply:  dropUnused,
	},
	ruleDefaultParams: {
		Name: "default-params", Profile: strict,
		What:   "parameters with the value that a given list calls their default are dropped; no list, no effect",
		Danger: "a list that is wrong",
		Source: "[WP-URLNORM]",
		apply:  dropDefaults,
	},
	ruleCleanParam: {
		Name: "clean-param", Profile: crawl,
		What:   "parameters that the site's own robots.txt calls insignificant are dropped, see Clean",
		Danger: "a robots.txt that is wrong",
		Source: "[YANDEX-CLEAN]",
	},
	ruleEmptyValue: {
		Name: "empty-value", Profile: off,
		What:   "name= counts as name",
		Danger: "servers that tell an empty value from none",
		Source: "[WHATWG-URL §5.1]",
		apply:  dropEmptyValue,
	},
	ruleEmptyPairs: {
		Name: "empty-pairs", Profile: crawl,
		What:   "stray & in a query do not count",
		Danger: "none known: form parsers skip empty parameters",
		Source: "[WHATWG-URL §5.1]",
		apply:  dropEmptyPairs,
	},
	ruleSortQuery: {
		Name: "sort-query", Profile: aggressive,
		What:   "parameters are sorted by name; those of one name keep their order",
		Danger: "servers for which the order across names means something",
		Source: "[WP-URLNORM]",
		apply:  sortQuery,
	},
	ruleEmptyQuery: {
		Name: "empty-query", Profile: crawl,
		What:   "a ? with nothing behind it does not count",
		Danger: "none known",
		Source: "[WP-URLNORM]",
		apply:  dropEmptyQuery,
	},
}

// parserRules describes what the parser does to every reference on the way to
// its fetch form. None can be switched: without them nothing can be sent.
var parserRules = []Rule{
	{Name: "trim", What: "controls and spaces at both ends, tabs and newlines anywhere are dropped", Source: "[WHATWG-URL §4.4]"},
	{Name: "resolve", What: "a relative reference is resolved against its base", Source: "[WHATWG-URL §4.4]"},
	{Name: "scheme-case", What: "scheme in lower case", Source: "[RFC3986 §6.2.2.1]"},
	{Name: "userinfo-form", What: "userinfo escaped; an empty one dropped", Source: "[WHATWG-URL §4.4]"},
	{Name: "host-case", What: "host in lower case", Source: "[RFC3986 §6.2.2.1]"},
	{Name: "idna", What: "host decoded, mapped and written in ASCII", Source: "[UTS46]"},
	{Name: "ip-form", What: "IP address in its one form", Source: "[WHATWG-URL §3.5]"},
	{Name: "default-port", What: "the scheme's own port and an empty port are dropped, leading zeros too", Source: "[RFC3986 §6.2.3]"},
	{Name: "empty-path", What: "an empty path is /", Source: "[RFC3986 §6.2.3]"},
	{Name: "backslash", What: "\\ in a path is /", Source: "[WHATWG-URL §4.4]"},
	{Name: "dot-segments", What: ". and .. are resolved, also written with %2e", Source: "[RFC3986 §6.2.2.3]"},
	{Name: "percent-encode", What: "bytes that a component cannot hold are escaped", Source: "[WHATWG-URL §1.3]"},
	{Name: "charset", What: "the query is encoded in the page's charset", Source: "[WHATWG-URL §4.4]"},
	{Name: "ajax", What: "pretty and ugly URL are mapped", Source: "[G-AJAX]"},
}

// Rules lists every rule: the parser's steps first, then those that can be
// switched, in the order in which they are applied.
func Rules() []Rule {
	all := make([]Rule, 0, len(parserRules)+len(table))
	for _, r := range parserRules {
		r.Profile = parserStep
		all = append(all, r)
	}
	return append(all, table[:]...)
}
