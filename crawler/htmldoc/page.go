package htmldoc

import (
	"strings"
	"time"

	"github.com/hashcrawl/hashcrawl/ajaxscheme"
)

// Options say what Parse collects beyond the fields that every crawl needs.
// The zero value collects only those.
type Options struct {
	// Text is the most bytes of visible text that Page.Text holds; 0 means
	// none. The fingerprint covers all of the text in any case.
	Text int

	// Outline asks for Page.Outline.
	Outline bool

	// Agent is the product token whose own robots metas are kept. Those for
	// "robots" and for names that contain "bot" or "crawl" are always kept.
	Agent string
}

// A Page is what one pass over a document found. Strings and the outline of
// one page share their memory: who keeps a single short string for long clones
// it ([strings.Clone]), or the whole page's text stays with it.
type Page struct {
	Title       string // of the first <title> outside SVG, white space folded, at most 1 KiB
	Lang        string // of <html lang>, or else of meta http-equiv=content-language; raw, "" if it is no tag by its length
	Description string // of the first meta name=description that says anything, at most 4 KiB

	// Base is the raw href of the first <base> that has one, "" if none does.
	Base string

	// Canonicals are the raw hrefs of <link rel=canonical>, in order, in the
	// head and in the body.
	Canonicals []string

	// RobotsMeta are the robots metas for everybody, for Options.Agent and for
	// names that look like a robot's, in order, head and body alike: a page
	// that says noindex in the wrong place still says it.
	RobotsMeta []RobotsMeta

	// OptIn says whether the page declares the AJAX crawling scheme. Of a tag
	// that is invalid, OptInContent is the content and OptInFault the reason.
	OptIn        ajaxscheme.OptIn
	OptInContent string
	OptInFault   string

	// Refresh is the first valid meta refresh outside <noscript>, nil if there
	// is none. One inside <noscript> sends away only people without scripts,
	// often to a page that says just this; it is in Links only.
	Refresh *Refresh

	// Links are all links in document order.
	Links []Link

	// Loaders are the elements, links apart, that carry an address which a
	// script may load, in document order; nil on most pages. Those are left
	// out that have neither a text nor a name that tells what they load.
	Loaders []Loader

	// Published is the time of publication that the page states, in the page's
	// own notation, "" if it states none or several that differ: meta
	// article:published_time, then JSON-LD, then <time>.
	Published string

	// Text is the visible text, white space folded, cut at Options.Text bytes
	// on a rune boundary.
	Text string

	// Fingerprint is a 64-bit hash of the whole visible text, 0 if there is
	// none. It is the same in every process and on every machine. It is not
	// keyed: a site can make two texts with one fingerprint.
	Fingerprint uint64

	// Outline is nil unless Options.Outline is set.
	Outline *Outline
}

// A RobotsMeta is one <meta name=robots content=…>, or the like for one agent.
type RobotsMeta struct {
	Name    string // lower case
	Content string // raw
}

// A Refresh is a meta refresh [WHATWG-HTML §4.2.5.3].
type Refresh struct {
	Delay time.Duration // whole seconds, at most a year
	URL   string        // raw; "" reloads the page itself
}

// A Kind says by which element a link was found.
type Kind uint8

// The kinds of links. Forms, feeds and assets (images, scripts, style sheets)
// are not links.
const (
	Anchor      Kind = iota // <a href>
	Area                    // <area href>
	Frame                   // <frame src>
	IFrame                  // <iframe src>
	LinkNext                // <link rel=next>
	LinkPrev                // <link rel=prev>
	Alternate               // <link rel=alternate> of an HTML page: another language, medium or format
	Canonical               // <link rel=canonical>
	AMP                     // <link rel=amphtml>
	MetaRefresh             // <meta http-equiv=refresh> with a URL
)

// String returns the name of the kind: "a", "link-next" and so on.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "unknown"
}

var kindNames = [...]string{
	Anchor: "a", Area: "area", Frame: "frame", IFrame: "iframe",
	LinkNext: "link-next", LinkPrev: "link-prev", Alternate: "link-alternate",
	Canonical: "link-canonical", AMP: "link-amphtml", MetaRefresh: "meta-refresh",
}

// Rel holds the tokens of a rel attribute that mean something to a crawler.
type Rel uint8

// The bits of a Rel. Other tokens (noopener, noreferrer, me …) set none.
const (
	RelNoFollow Rel = 1 << iota
	RelUGC
	RelSponsored
	RelNext
	RelPrev // also rel=previous
	RelTag
	RelBookmark
	RelAuthor
)

// Has reports whether r has one of the bits of mask.
func (r Rel) Has(mask Rel) bool { return r&mask != 0 }

// relNames are the names of the bits of a Rel, from the lowest.
var relNames = [...]string{"nofollow", "ugc", "sponsored", "next", "prev", "tag", "bookmark", "author"}

// String returns the tokens in lower case, parted by blanks.
func (r Rel) String() string {
	var names []string
	for i, name := range relNames {
		if r&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, " ")
}

// A Link is one reference to another page, as written.
type Link struct {
	// Index counts <a href> in document order from 0; -1 for other links.
	// Elements inside <noscript> count, those inside an inert <template> do
	// not, and of an anchor that the HTML parser would copy, because it was
	// left open, only the one that stands in the source counts.
	Index int

	Kind Kind
	Rel  Rel

	// Href is the attribute's value with character references decoded and
	// NULs replaced [WHATWG-HTML §13.2.5], otherwise untouched: blanks, an
	// empty value and schemes like javascript: are kept.
	Href string

	// Text is the visible text of an anchor, white space folded, at most
	// 512 bytes; without text the alt of its first image that has one. For an
	// area it is the alt, for others "".
	Text string

	Hreflang string // of Alternate
	Media    string // of Alternate
}
