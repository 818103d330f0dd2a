package crawler

import (
	"strings"
	"time"
	"unicode/utf8"

	"github.com/hashcrawl/hashcrawl/crawler/robots"
)

// maxText is how much of a page's visible text is stored.
const maxText = 256 << 10

// storedText returns the part of a text that is stored; it ends with a whole
// character.
func storedText(text string) string {
	if len(text) <= maxText {
		return text
	}
	n := maxText
	for !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n]
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
