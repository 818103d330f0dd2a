package crawler

import (
	"strings"
	"time"

	"github.com/hashcrawl/hashcrawl/crawler/robots"
)

// maxText is how much of a page's visible text is stored.
const maxText = 256 << 10

// textNeeded returns how many bytes of a page's visible text are of use.
func (c *Crawler) textNeeded() int {
	if c.settings.StoreText {
		return maxText
	}
	return gistText
}

// directivesText returns directives in the words in which pages give them.
func directivesText(d robots.Directives) string {
	var words []string
	for _, w := range []struct {
		said bool
		word string
	}{{d.NoIndex, "noindex"}, {d.NoFollow, "nofollow"}, {d.NoArchive, "noarchive"}, {d.NoSnippet, "nosnippet"}} {
		if w.said {
			words = append(words, w.word)
		}
	}
	if !d.UnavailableAfter.IsZero() {
		words = append(words, "unavailable_after: "+d.UnavailableAfter.UTC().Format(time.RFC3339))
	}
	return strings.Join(words, ", ")
}
