package listing

import (
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/hashcrawl/hashcrawl/crawler/htmldoc"
)

// Weights of what a row's link says for itself. The text of a title is worth a
// point for each byte up to maxTitle.
const (
	maxTitle     = 60
	headingWorth = 40
	titleWorth   = 30
	bookmark     = 30
	repeated     = 8 // the same address once more in the row
	besideWorth  = -40
)

// An offer is a link of a row that may be its item link. Links of one row to
// one address are one offer.
type offer struct {
	row   int32
	node  int32 // of the link with most to say
	link  int32
	url   int32 // the number of its address on the page
	text  int32 // and of its text
	place int32 // where in the row it stands, see placeIn
	worth int
	says  int // how much of worth the link itself brought
}

// chooseLinks returns the rows of a candidate with their item links: in each
// row the link in that place which says most in all rows together, or else the
// best that there is. Rows without a link, and rows whose item stands in an
// earlier row, are left out.
func (r *reader) chooseLinks(c candidate) []Row {
	offers, ends := r.offersOf(c.rows)
	r.discountShared(offers)
	total := zeros(&r.total, r.places.len())
	for i := range offers {
		total[offers[i].place] += max(offers[i].worth, 0)
	}
	rows := make([]Row, 0, len(c.rows))
	taken := zeros(&r.taken, r.addresses.len())
	for i, from := 0, 0; i < len(ends); from, i = ends[i], i+1 {
		best := -1
		for k := from; k < ends[i]; k++ {
			o := &offers[k]
			if best < 0 || total[o.place] > total[offers[best].place] ||
				total[o.place] == total[offers[best].place] && o.worth > offers[best].worth {
				best = k
			}
		}
		if best < 0 || taken[offers[best].url] {
			continue
		}
		o, d := &offers[best], &c.rows[i]
		taken[o.url] = true
		rows = append(rows, Row{
			Node: int(d.node), Link: int(o.link), URL: r.urls[o.link], Text: r.page.Links[o.link].Text, rows: d.rows, text: d.text,
		})
	}
	return rows
}

// maxOffers is how many links of one row are looked at.
const maxOffers = 24

// offersOf returns the offers of all rows, and where those of each end. They
// hold until it is called again.
func (r *reader) offersOf(rows []draft) (offers []offer, ends []int) {
	offers, ends = r.offers[:0], r.ends[:0]
	r.places.reset()
	for i := range rows {
		from := len(offers)
		items := r.itemsIn(rows[i].rows)
		for _, node := range items[:min(len(items), maxOffers)] {
			if r.isMarkedLink(node) {
				r.offer(&offers, from, int32(i), node, rows[i].rows.from)
			}
		}
		ends = append(ends, len(offers))
	}
	r.offers, r.ends = offers, ends
	return offers, ends
}

// offer adds a link to the offers of its row, which begin at from.
func (r *reader) offer(offers *[]offer, from int, row, node, top int32) {
	link := r.outline.Nodes[node].Link
	url, worth := r.addresses.number(r.urls[link].Key), r.worth(node, link)
	for k := from; k < len(*offers); k++ {
		o := &(*offers)[k]
		if o.url != url {
			continue
		}
		if worth > o.says {
			o.worth += worth - o.says
			o.node, o.link, o.says = node, link, worth
			o.text, o.place = r.texts.number(r.page.Links[link].Text), r.placeIn(node, top)
		}
		o.worth += repeated
		return
	}
	*offers = append(*offers, offer{
		row: row, node: node, link: link, url: url, text: r.texts.number(r.page.Links[link].Text), place: r.placeIn(node, top),
		worth: worth, says: worth,
	})
}

// placeIn numbers the places of links in the rows of one candidate.
func (r *reader) placeIn(node, top int32) int32 { return r.places.number(r.slot(node, top)) }

// slot names the place of a link in its row: the elements around it.
func (r *reader) slot(node, top int32) uint32 {
	h := r.shape(node)
	nodes := r.outline.Nodes
	for up, n := nodes[node].Parent, 0; up >= top && n < 3; up, n = nodes[up].Parent, n+1 {
		h = mixWord(h, r.shape(up))
	}
	if cell := r.cellOf(node, top); cell >= 0 {
		h = mixWord(h, uint32(cell))
	}
	return h
}

// cellOf returns which cell of its table row a node stands in, -1 for none.
func (r *reader) cellOf(node, top int32) int {
	nodes := r.outline.Nodes
	for up := node; up > top; up = nodes[up].Parent {
		if nodes[up].Tag != atom.Td && nodes[up].Tag != atom.Th {
			continue
		}
		n, row := 0, nodes[up].Parent
		for c := row + 1; c < up && n < 32; c = nodes[c].End {
			n++
		}
		return n
	}
	return -1
}

// worth says how much a link looks like the title of an item.
func (r *reader) worth(node, link int32) int {
	l := &r.page.Links[link]
	w := min(len(l.Text), maxTitle)
	switch {
	case l.Rel.Has(htmldoc.RelAuthor | htmldoc.RelTag):
		w += 2 * besideWorth
	case l.Rel.Has(htmldoc.RelBookmark):
		w += bookmark
	}
	if l.Rel.Has(htmldoc.RelSponsored) {
		w += besideWorth
	}
	nodes := r.outline.Nodes
	for up, n := node, 0; up > 0 && n < 3; up, n = nodes[up].Parent, n+1 {
		if isHeading(nodes[up].Tag) {
			w += headingWorth
		}
		w += r.wordsWorth(r.attr(up, "class"))
	}
	for in := node + 1; in < min(nodes[node].End, node+4); in++ {
		if isHeading(nodes[in].Tag) {
			w += headingWorth
		}
	}
	if l.Text != "" && isCount(l.Text) {
		w += besideWorth
	}
	return w
}

// wordsWorth says what a class tells of the link in it.
func (r *reader) wordsWorth(class string) int {
	if class == "" {
		return 0
	}
	w, known := r.words[class]
	if !known {
		w = classWorth(class)
		r.words[class] = w
	}
	return w
}

func classWorth(class string) int {
	w := 0
	for range maxWords {
		var word string
		if word, class = cutWord(class); word == "" {
			break
		}
		switch {
		case containsAny(word, "title", "subject", "headline", "Title", "Subject"):
			w += titleWorth
		case containsAny(word, "author", "comment", "user", "avatar", "byline", "tag", "categor", "share", "repl", "last", "Author", "meta"):
			w += besideWorth
		}
	}
	return w
}

func containsAny(s string, parts ...string) bool {
	for _, p := range parts {
		if strings.Contains(s, p) {
			return true
		}
	}
	return false
}

// isCount reports whether a text begins with a number and is short: "12",
// "3 comments".
func isCount(text string) bool { return isDigit(text[0]) && len(text) < 16 }

// discountShared takes the worth from links whose address or text other rows
// have too: a category, an author, "read more".
func (r *reader) discountShared(offers []offer) {
	urls, texts := zeros(&r.urlCount, r.addresses.len()), zeros(&r.textCount, r.texts.len())
	for i := range offers {
		urls[offers[i].url]++
		texts[offers[i].text]++
	}
	for i := range offers {
		o := &offers[i]
		if urls[o.url] > 1 {
			o.worth = min(o.worth, 0) + besideWorth
		}
		if n := texts[o.text]; n > 1 {
			o.worth = o.worth/4 - int(min(n, 10))
		}
	}
}
