package pager

import (
	"github.com/hashcrawl/hashcrawl/crawler/htmldoc"
	"github.com/hashcrawl/hashcrawl/urlnorm"
)

// A Role says what a link is to a series of index pages.
type Role uint8

// The labels of links. First and last pages are pages.
const (
	Other Role = iota // no link of a pager
	Page              // leads to a page by its number, or to the first or last
	Next              // leads to the page after this one, as the site counts
	Prev              // leads to the page before this one
	numRoles
)

// String returns "", "page", "next" or "prev".
func (r Role) String() string { return [...]string{"", "page", "next", "prev"}[r] }

// Label labels the links of p, which was parsed with its outline and stands at
// the display URL pageURL; urls are the resolved addresses of p.Links, the
// zero URL where a link has none. Labels say what the site's pager says, which
// need not be the direction of time: "older" may be next or prev.
func Label(p *htmldoc.Page, pageURL string, urls []urlnorm.URL) Result {
	return New(nil).Label(p, pageURL, urls)
}

// A Labeler labels pages one after another and reuses its buffers. It must not
// be used by two goroutines at once; the results are independent of it.
type Labeler struct {
	weights *Weights // read only
	blind   bool     // to words, see [Labeler.Observe]
	page    *htmldoc.Page
	urls    []urlnorm.URL
	pageURL string

	nodeOf             []int32    // of links: their node in the outline, -1 if unknown
	memo               []tokenSet // of nodes: their tokens, see [Labeler.tokens]
	slot               []int32    // of links: index in cands, -1 if it is none
	cands              []candidate
	groups             []group
	features           []uint16
	scores             [][numRoles]int32
	headNext, headPrev string // addresses on the wire of rel=next and rel=prev
	from               [][numRoles]uint8
}
