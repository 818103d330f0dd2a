package crawler

import (
	"slices"
	"strings"

	"github.com/hashcrawl/hashcrawl/frontier"
	"github.com/hashcrawl/hashcrawl/pagination"
	"github.com/hashcrawl/hashcrawl/pagination/listing"
)

// This file holds lists that no pager names: the head of a page, or an element
// that loads more, has the address of the next page and nothing else. Each page
// leads to the one after it, and the last one shows by nothing but its rows that
// it belongs to the list.

// seenOn returns what a walk is told of listing i of a page. Where no pager names
// the pages, their addresses are what it goes by.
func seenOn(read *listing.Page, i int) pagination.PageSeen {
	seen := read.Seen(i)
	if l := &read.Listings[i]; l.Pager < 0 {
		seen.URL, seen.NextURL = read.URL.Key, l.Next.Display
	}
	return seen
}

// isLed reports whether the pages of the series lead to one another by
// addresses and not by a pager, as far as is known before the next one is read.
func (w *walk) isLed() bool {
	if w.paged {
		return false
	}
	if w.wants().URL != "" {
		return true
	}
	if !w.ID.Numbered() {
		return false
	}
	led := w.Deep.NextURL != ""
	for i := range w.Gaps {
		led = led || w.Gaps[i].Hole.NextURL != ""
	}
	for i := range w.Segments {
		led = led || w.Segments[i].NextURL != ""
	}
	return led
}

// isLedErrand reports whether a page was asked for because another one leads to
// it: then it belongs to the list although nothing on it may say so.
func (c *Crawler) isLedErrand(p *page) bool {
	if p.Errand == nil || p.Errand.Hops > 0 {
		return false
	}
	w := c.seriesOf(p.Errand).walk
	return w.wants().Page > 1 && w.isLed()
}

// takeLed finds the list of the series on a page that was led to, where the page
// does not name it: the block is where it was, and what leads on leads on from
// there. One that nothing leads on from is the last.
func (c *Crawler) takeLed(p *page, read *listing.Page, again func() listing.Page) {
	st := c.seriesOf(p.Errand)
	w := st.walk
	var next *listing.Listing
	for i := range read.Listings {
		switch l := &read.Listings[i]; {
		case l.ID.Key() == st.key, l.Pager >= 0:
			return
		case l.ID.Block == w.ID.Block:
			next = l
		}
	}
	if next != nil {
		next.ID, next.Number = w.ID, w.wants().Page
		return
	}
	if len(read.Listings) > 0 || read.Pager.Main >= 0 || read.Pager.Next >= 0 {
		return
	}
	if read.Blocks == nil {
		*read = again()
	}
	i := slices.IndexFunc(read.Blocks, func(b listing.Block) bool { return b.Signature == w.ID.Block })
	if i < 0 || len(read.Blocks[i].Rows) == 0 {
		return
	}
	read.Listings = append(read.Listings, listing.Listing{
		ID: w.ID, Number: w.wants().Page, NextLink: -1, Pager: -1, Block: i, Order: read.Blocks[i].Order, Slack: read.Blocks[i].Slack,
	})
}

// mayNotFollow reports whether a page asks not to follow what leads to the next
// page of a listing.
func mayNotFollow(p *page, l *listing.Listing) bool {
	if l.NextLink >= 0 {
		return isBarred(p.links, l.Next.Key)
	}
	return l.Next.Key != "" && strings.Contains(p.record.Robots, "nofollow")
}

// isBarred reports whether a page asks that none of its links to a page is
// followed.
func isBarred(links []frontier.Link, key string) bool {
	barred := false
	for i := range links {
		if links[i].Key == key {
			if links[i].Refusal != frontier.NoFollow {
				return false
			}
			barred = true
		}
	}
	return barred
}
