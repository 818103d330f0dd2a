package crawler

import (
	"github.com/hashcrawl/hashcrawl/crawler/htmldoc"
	"github.com/hashcrawl/hashcrawl/frontier"
	"github.com/hashcrawl/hashcrawl/pagination"
	"github.com/hashcrawl/hashcrawl/pagination/listing"
	"github.com/hashcrawl/hashcrawl/pagination/pager"
	"github.com/hashcrawl/hashcrawl/urlnorm"
)

// A reader holds the buffers with which one worker reads pages.
type reader struct {
	parser htmldoc.Parser
	pages  *listing.Reader
	urls   []urlnorm.URL // of the links of the page

	links  []frontier.Link // empty: memory for those of the next page
	linked []int32         // for each of the page's links that it was found in, the index there

	// continuing is the share of pages that may be index pages, among those
	// read last. Where they are many, pages are parsed with their outline at
	// once; where they are few, those few are parsed twice.
	continuing float64
}

// keepLinks is for how many links of a page the memory is kept.
const keepLinks = 1 << 12

// outlineShare is where both cost the same: the outline takes a fifth of the
// time of a page's parsing without it.
const outlineShare = 0.2

// continuingWeight is how much of continuing one page makes.
const continuingWeight = 1. / 32

// mayContinue reports whether a page may be an index page.
func (rd *reader) mayContinue(doc *htmldoc.Page) bool {
	may := pager.MayContinue(doc)
	rd.continuing -= rd.continuing * continuingWeight
	if may {
		rd.continuing += continuingWeight
	}
	return may
}

func (c *Crawler) reader() *reader {
	if r, ok := c.readers.Get().(*reader); ok {
		return r
	}
	return &reader{pages: listing.NewReader(pager.New(nil))}
}

// readListing finds out what a page is to series. Only a page that may lead on to
// another, or that another has led to, needs its outline, and is parsed again if
// doc has none.
func (c *Crawler) readListing(p *page, rd *reader, text []byte, doc *htmldoc.Page, base *urlnorm.Base, charset string) {
	led := c.isLedErrand(p)
	if c.markers == nil && !rd.mayContinue(doc) && !led {
		return
	}
	if doc.Outline == nil {
		doc = rd.parser.Parse(text, htmldoc.Options{Agent: productToken, Outline: true})
		defer rd.parser.Recycle(doc)
	}
	cs, _ := urlnorm.CharsetByLabel(charset)
	options := listing.Options{
		Now: p.resp.End, Markers: c.markers,
		Resolve: func(ref string) (urlnorm.URL, error) { return c.resolve(base, ref, cs) },
	}
	options.Except = func(id pagination.Identity) bool { return c.isRefuted(id, p.Errand) }
	if p.Errand != nil { // the last page of a series may have few rows
		options.Block, options.Always = c.blockOf(p.Errand), c.inDoubt(p.Errand)
	}
	read := rd.pages.Read(doc, p.at, rd.urls, options)
	p.listing = &read
	if led {
		options.Always = true
		c.takeLed(p, &read, func() listing.Page { return rd.pages.Read(doc, p.at, rd.urls, options) })
	}
	if p.Errand != nil {
		leavePages(p, &read, rd.urls)
	}
}

// leavePages keeps the links to further pages of a series that is visited again
// out of the queue: the pass asks for those that it needs.
func leavePages(p *page, read *listing.Page, urls []urlnorm.URL) {
	pages := map[string]bool{}
	for i, label := range read.Pager.Labels {
		if label != pager.Other {
			pages[urls[i].Key] = true
		}
	}
	for i := range p.links {
		if l := &p.links[i]; l.Refusal == frontier.Waiting && pages[l.Key] {
			l.Refusal = frontier.SeriesPage
		}
	}
}

// isWhole reports whether a page is one of the crawl, with all that it has:
// from one that was cut short nothing follows for the list.
func isWhole(p *page) bool {
	switch p.record.Outcome {
	case frontier.Indexed, frontier.NoIndex, frontier.Canonical:
		return p.resp.Truncated == ""
	}
	return false
}
