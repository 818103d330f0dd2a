package sitemap

import "strings"

// Covers reports whether a sitemap may list a page by where it stands: same
// scheme, host and port, and the page under the sitemap's directory
// [SITEMAPS §location]. Both are fetch forms. A sitemap that the robots.txt of
// the page's host names may list it wherever it stands [SITEMAPS §crosssubmit];
// that is for the caller to know.
func Covers(sitemap, page string) bool {
	path, _, _ := strings.Cut(sitemap, "?")
	path, _, _ = strings.Cut(path, "#")
	i := strings.LastIndexByte(path, '/')
	if i < len("http://") { // no path: the '/' is one of "://"
		return page == path || strings.HasPrefix(page, path) && strings.IndexByte("/?#", page[len(path)]) >= 0
	}
	return strings.HasPrefix(page, path[:i+1])
}

// SameOrigin reports whether two fetch forms have scheme, host and port in
// common. It is the least that is asked of an entry: many sites keep their
// sitemap in a directory of its own and list the whole site.
func SameOrigin(a, b string) bool { return origin(a) == origin(b) }

// origin returns scheme, host and port of a fetch form.
func origin(url string) string {
	scheme, rest, ok := strings.Cut(url, "://")
	if !ok {
		return url
	}
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		rest = rest[:i]
	}
	return scheme + "://" + rest
}
