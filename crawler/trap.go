package crawler

import (
	"strings"

	"github.com/hashcrawl/hashcrawl/urlnorm"
)

// The bounds beyond which a URL is taken for one of a trap: a site that makes
// up ever new URLs. They are far above what people's sites have.
const (
	trapSegments   = 32 // segments in a path
	trapRepeats    = 4  // times that one segment stands in a path
	trapParameters = 48 // parameters in a query
)

// trapRule returns the name of the rule that takes u for a URL of a trap, or "".
func trapRule(u urlnorm.URL) string {
	path, query, _ := strings.Cut(u.Target(), "?")
	if strings.Count(query, "&") >= trapParameters {
		return "many-parameters"
	}
	if n := strings.Count(path, "/"); n > trapSegments {
		return "deep-path"
	} else if n < trapRepeats {
		return ""
	}
	segments := strings.Split(path, "/")
	for i, s := range segments {
		n := 0
		for _, o := range segments[i:] {
			if s != "" && s == o {
				n++
			}
		}
		if n >= trapRepeats {
			return "repeated-segment"
		}
	}
	return ""
}
