package listing

import (
	"time"

	"github.com/hashcrawl/hashcrawl/crawler/htmldoc"
	"github.com/hashcrawl/hashcrawl/pagination"
	"github.com/hashcrawl/hashcrawl/pagination/pager"
	"github.com/hashcrawl/hashcrawl/urlnorm"
)

// Options are what is known of a page apart from its bytes. The zero value but
// for Now is of use.
type Options struct {
	// Now is when the page was fetched: "yesterday" counts from it.
	Now time.Time

	// Markers, if not nil, override what would be guessed of the hosts that
	// they name.
	Markers *Markers

	// Resolve returns the URL of a reference on the page. It is asked about the
	// addresses that load-more elements carry; if nil, these lead nowhere.
	Resolve func(ref string) (urlnorm.URL, error)

	// Block is the signature of a block that an earlier page of the series had,
	// [pagination.Identity.Block]. It is then found even where it has too few
	// rows to be seen by their likeness, as on many last pages.
	Block string

	// Except, if not nil, tells of a series that its block was found to stay the
	// same from page to page: the pager drives another one then.
	Except func(pagination.Identity) bool

	// Always asks for the blocks of pages that have no pager either, and for
	// the order of all blocks.
	Always bool
}

// A Page is what a page is to a crawl. The strings in it share their memory
// with the page that was read.
type Page struct {
	URL urlnorm.URL // at which it stands

	Pager pager.Result

	// Blocks are the blocks of items that were found, those with most to say
	// first. They are nil for pages that no pager continues, unless
	// Options.Always is set.
	Blocks []Block

	// Listings are the series that the page belongs to: one for each block that
	// a pager drives. That of the main pager comes first.
	Listings []Listing
}

// A Block is an element whose contents repeat.
type Block struct {
	Path      string // for people: "main#content > ul.posts > li"
	Signature string // the same on all pages of a series, see [pagination.Identity]
	Node      int    // in Page.Outline
	Pager     bool   // driven by a pager of the page
	Rows      []Row
	Order     Order
	Evidence  []string // for Order, short sentences
	Slack     time.Duration

	score   float64
	noYear  bool // most of the dates show no year
	grouped bool // one date is that of several rows
	tries   int  // in how many places the dates were looked for
}

// A Row is one item of a block.
type Row struct {
	Node     int // in Page.Outline
	Link     int // in Page.Links: the item link
	URL      urlnorm.URL
	Text     string
	Date     pagination.Interval // that orders the block, or else the first; zero if there is none
	DateText string              // as displayed or stamped
	Pinned   bool                // it is kept at the head whatever its date

	rows span // its elements
	text span // its text, in Outline.Text
}

// A span is a range of nodes or of bytes: from, up to and without to.
type span struct{ from, to int32 }

func (s span) len() int { return int(s.to - s.from) }

func (s span) has(i int) bool { return int(s.from) <= i && i < int(s.to) }

// An Order says how the rows of a block are ordered.
type Order uint8

// The orders. An Undecided block shows too little to tell.
const (
	Undecided Order = iota
	NewestFirst
	OldestFirst
	Unordered // by something else than time
)

// String returns the word that reports use.
func (o Order) String() string {
	return [...]string{"undecided", "newest-first", "oldest-first", "unordered"}[o]
}

// Direction returns the direction of a series whose blocks have the order: one
// that begins with its oldest items has the newest on its last page. It is
// undecided for lists that time does not order, which are not to be completed.
func (o Order) Direction() pagination.Direction {
	switch o {
	case NewestFirst:
		return pagination.NewestFirst
	case OldestFirst:
		return pagination.NewestLast
	}
	return pagination.Undecided
}

// A Listing is one page of a series: a block and the pager that drives it.
type Listing struct {
	ID pagination.Identity

	Number, Last int // of this page, and the highest that the pager shows; 0 if unknown

	// Next is the page that comes after this one as the site counts; the zero
	// URL on the last page. NextLink is its link in Page.Links, -1 if the
	// address comes from an element that is no link.
	Next     urlnorm.URL
	NextLink int

	Pager int // in Result.Pagers, -1 if the head or a load-more element continues the page
	Block int // in Page.Blocks
	Order Order
	Slack time.Duration // how far a date can be off
}

// Seen returns what a pass is told of listing i of the page.
func (p *Page) Seen(i int) pagination.PageSeen {
	l := &p.Listings[i]
	seen := pagination.PageSeen{
		HasNext: l.Next.Key != "", Last: l.Last, Slack: l.Slack,
		Rows: make([]pagination.Row, 0, len(p.Blocks[l.Block].Rows)),
	}
	if !l.ID.Numbered() {
		seen.URL, seen.NextURL = p.URL.Key, l.Next.Display
	}
	for _, r := range p.Blocks[l.Block].Rows {
		seen.Rows = append(seen.Rows, pagination.Row{Key: r.URL.Key, Date: r.Date})
	}
	return seen
}

// Read reads the page p, which was parsed with its outline and stands at at.
// urls are the resolved addresses of p.Links, the zero URL where a link has
// none.
func Read(p *htmldoc.Page, at urlnorm.URL, urls []urlnorm.URL, o Options) Page {
	return NewReader(pager.New(nil)).Read(p, at, urls, o)
}

// Read is the function of the same name.
func (rd *Reader) Read(p *htmldoc.Page, at urlnorm.URL, urls []urlnorm.URL, o Options) Page {
	out := Page{URL: at, Pager: rd.labeler.Label(p, at.Display, urls)}
	if p.Outline == nil {
		return out
	}
	r := reader{page: p, at: at, urls: urls, options: o, outline: p.Outline, out: &out, memory: &rd.memory}
	r.marked = r.match()
	r.usePagerMarker()
	if !r.continues() && !o.Always {
		return out
	}
	defer r.forget()
	r.index()
	r.findBlocks()
	r.connect()
	for i := range out.Blocks {
		if out.Blocks[i].Pager || o.Always {
			r.orderBlock(&out.Blocks[i])
		}
	}
	for i := range out.Listings {
		l := &out.Listings[i]
		l.Order, l.Slack = out.Blocks[l.Block].Order, out.Blocks[l.Block].Slack
	}
	return out
}

// A reader reads one page.
type reader struct {
	page    *htmldoc.Page
	at      urlnorm.URL
	urls    []urlnorm.URL
	options Options
	outline *htmldoc.Outline
	marked  *marks // nil without markers
	out     *Page

	sorting     sorting // if sortingRead is set
	sortingRead bool
	*memory
}

// continues reports whether anything on the page leads to another page of a
// series.
func (r *reader) continues() bool {
	res := &r.out.Pager
	if res.Main >= 0 || res.Next >= 0 || len(res.More) > 0 {
		return true
	}
	for i := range res.Pagers {
		if res.Pagers[i].Own {
			return true
		}
	}
	return false
}

// index notes where the links to items may stand: links that are no pager's
// and lead to another page.
func (r *reader) index() {
	nodes := r.outline.Nodes
	zeros(&r.linksBefore, len(nodes)+1)
	zeros(&r.shapes, len(nodes))
	zeros(&r.frames, len(nodes))
	r.itemNodes = r.itemNodes[:0]
	for i := range nodes {
		r.linksBefore[i] = int32(len(r.itemNodes))
		if l := nodes[i].Link; l >= 0 && r.mayBeItem(int(l)) {
			r.itemNodes = append(r.itemNodes, int32(i))
		}
	}
	r.linksBefore[len(nodes)] = int32(len(r.itemNodes))
}

func (r *reader) mayBeItem(link int) bool {
	l := &r.page.Links[link]
	if l.Kind != htmldoc.Anchor && l.Kind != htmldoc.Area {
		return false
	}
	u := &r.urls[link]
	return u.Key != "" && u.Key != r.at.Key && r.out.Pager.Labels[link] == pager.Other
}

// itemsIn returns the nodes in s that may be item links.
func (r *reader) itemsIn(s span) []int32 {
	return r.itemNodes[r.linksBefore[s.from]:r.linksBefore[s.to]]
}

// attr returns an attribute of a node, "" if it has none.
func (r *reader) attr(node int32, key string) string { return r.outline.Attr(int(node), key) }
