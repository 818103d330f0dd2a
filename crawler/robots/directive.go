package robots

import "strings"

// A directive is what the key of a line stands for.
type directive uint8

const (
	unknownDirective directive = iota
	userAgent
	allow
	disallow
	crawlDelay
	sitemap
	cleanParam
)

// directiveOf returns the directive that a key names. As in [G-ROBOTS-CC
// KeyIsUserAgent ff.] a key is recognised by its beginning, in any case, and
// in the spellings that webmasters get wrong most.
func directiveOf(key string) directive {
	for _, spelling := range [...]struct {
		prefix string
		means  directive
	}{
		{"user-agent", userAgent},
		{"useragent", userAgent},
		{"user agent", userAgent},
		{"disallow", disallow},
		{"dissallow", disallow},
		{"dissalow", disallow},
		{"disalow", disallow},
		{"diasllow", disallow},
		{"disallaw", disallow},
		{"allow", allow},
		{"crawl-delay", crawlDelay},
		{"crawldelay", crawlDelay},
		{"crawl delay", crawlDelay},
		{"sitemap", sitemap},
		{"site-map", sitemap},
		{"clean-param", cleanParam},
	} {
		if len(key) >= len(spelling.prefix) && strings.EqualFold(key[:len(spelling.prefix)], spelling.prefix) {
			return spelling.means
		}
	}
	return unknownDirective
}
