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

// A Result is what a page says about the series that it belongs to.
type Result struct {
	// Labels are the roles of Page.Links. Those of rel=next and rel=prev in the
	// head are what they claim.
	Labels []Role

	// Pagers are the pagers of the page in document order, those of its rows
	// included. Main is the one that drives the page, -1 if there is none: its
	// numbers are repeated below.
	Pagers []Pager
	Main   int

	// Current is the number of this page, Last the greatest page number seen;
	// 0 if unknown.
	Current, Last int

	// Next and Prev are the first links with these labels in the main pager,
	// or of the head if no pager has one; they index Page.Links and are -1 if
	// there is none.
	Next, Prev int

	// More are the elements that load further rows by a script, with the
	// address that they would load.
	More []More
}

// A Pager is a group of pager links that stand together.
type Pager struct {
	Node    int   // in Page.Outline, the innermost element around all links
	Links   []int // in Page.Links, those with a label
	Numbers []int // of Links: the page number that each leads to, 0 if unknown

	Current, Last int // 0 if unknown
	Next, Prev    int // in Page.Links, -1 if there is none

	// Own says that the pager continues this page: its addresses are made from
	// the page's own. The pager of a row leads to another series.
	Own bool
}

// A More is an element that is no link but carries the address of the next
// rows.
type More struct {
	Node      int    // in Page.Outline
	Attribute string // that holds the address
	Href      string // raw
}

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
	weights *Weights
	blind   bool // to words, see [Labeler.Observe]
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
