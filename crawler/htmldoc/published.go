package htmldoc

import (
	"bytes"
	"strings"
)

// publishedProperty is the Open Graph property of an article's publication.
const publishedProperty = "article:published_time"

// maxTime is the most bytes of a time that are kept.
const maxTime = 64

// timeClaims gathers what the page says of its time of publication.
type timeClaims struct {
	meta  string // article:published_time
	ld    claim  // datePublished of JSON-LD
	item  string // <time itemprop=datePublished> or <time pubdate>
	times claim  // all <time datetime>

	inLD bool // the current script is JSON-LD
}

// A claim is one value, unless several differ.
type claim struct {
	value  string
	differ bool
}

func (c *claim) add(value []byte) {
	value = bytes.TrimSpace(value)
	switch {
	case len(value) == 0 || len(value) > maxTime:
	case c.value == "":
		c.value = string(value)
	case !sameDay(c.value, string(value)):
		c.differ = true
	}
}

// sameDay reports whether two ISO times begin with the same date: pages often
// state one moment in two zones or with other precision.
func sameDay(a, b string) bool {
	const day = len("2006-01-02")
	return a[:min(day, len(a))] == b[:min(day, len(b))]
}

// stated takes the content of a meta. The first counts.
func (t *timeClaims) stated(content []byte) {
	if t.meta == "" {
		var c claim
		c.add(content)
		t.meta = c.value
	}
}

// element takes the current <time>.
func (t *timeClaims) element(p *Parser) {
	datetime, ok := p.attr("datetime")
	if !ok {
		return
	}
	t.times.add(datetime)
	prop, _ := p.attr("itemprop")
	_, pubdate := p.attr("pubdate")
	if t.item == "" && (pubdate || hasToken(prop, "datePublished")) {
		var c claim
		c.add(datetime)
		t.item = c.value
	}
}

// published returns the best claim. Several times on a page that differ are
// those of a list's rows or of comments, so they say nothing of the page.
func (t *timeClaims) published() string {
	switch {
	case t.meta != "":
		return t.meta
	case t.ld.value != "" && !t.ld.differ:
		return t.ld.value
	case t.item != "":
		return t.item
	case !t.times.differ:
		return t.times.value
	}
	return ""
}

// isJSONLD reports whether a script of this type holds JSON-LD.
func isJSONLD(typ []byte) bool {
	typ, _, _ = bytes.Cut(typ, []byte{';'})
	return strings.EqualFold(string(bytes.TrimSpace(typ)), "application/ld+json")
}

// jsonLD takes the contents of one JSON-LD script. Only the datePublished of
// the outermost objects that have one count: those inside are of comments and
// parts. The text is scanned, not decoded, so that broken JSON, which is
// common, still gives its dates, and depth costs nothing.
func (t *timeClaims) jsonLD(s []byte) {
	const key = `"datePublished"`
	if !bytes.Contains(s, []byte(key)) {
		return
	}
	depth, least := 0, int(^uint(0)>>1)
	var found claim
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		case '"':
			end := stringEnd(s, i)
			if string(s[i:end]) == key {
				value, next := stringValue(s, end)
				if value != nil && depth < least {
					least, found = depth, claim{}
				}
				if value != nil && depth == least {
					found.add(value)
				}
				end = next
			}
			i = end - 1
		}
	}
	if found.value != "" {
		t.ld.add([]byte(found.value))
		t.ld.differ = t.ld.differ || found.differ
	}
}

// stringEnd returns the offset after the JSON string that starts at s[i].
func stringEnd(s []byte, i int) int {
	for i++; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(s)
}

// stringValue returns the string that is the value of the key that ends at i,
// nil if the value is no string, and the offset where reading goes on.
func stringValue(s []byte, i int) (value []byte, next int) {
	const space = " \t\r\n"
	j := i + countPrefix(s[i:], space)
	if j == len(s) || s[j] != ':' {
		return nil, i
	}
	j++
	j += countPrefix(s[j:], space)
	if j == len(s) || s[j] != '"' {
		return nil, j
	}
	end := stringEnd(s, j)
	return bytes.TrimSuffix(s[j+1:end], []byte{'"'}), end
}
