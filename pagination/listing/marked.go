package listing

import (
	"slices"
	"strconv"

	"github.com/andybalholm/cascadia"
	"golang.org/x/net/html"

	"github.com/hashcrawl/hashcrawl/pagination"
	"github.com/hashcrawl/hashcrawl/pagination/pager"
)

// marks are the nodes of one page that markers select, in document order; nil
// where the markers say nothing.
type marks struct {
	pager, block, row, link, date []int32
	order                         Order
}

// match returns what the markers of the page's host select, nil if there are
// none.
func (r *reader) match() *marks {
	h := r.options.Markers.of(r.at.Host(), r.at.Display)
	if h == nil {
		return nil
	}
	t := r.elementTree()
	m := &marks{
		pager: t.all(h.Pager), block: t.all(h.Block), row: t.all(h.Row), link: t.all(h.Link), date: t.all(h.Date), order: Order(h.Order),
	}
	if h.OrderWhen.Matcher != nil && len(t.all(h.OrderWhen)) == 0 {
		m.order = Undecided
	}
	return m
}

// An elementTree is the outline as the selectors' library wants it.
type elementTree struct {
	nodes []html.Node
	index map[*html.Node]int32
}

func (r *reader) elementTree() *elementTree {
	o := r.outline
	t := &elementTree{nodes: make([]html.Node, len(o.Nodes)), index: make(map[*html.Node]int32, len(o.Nodes))}
	for i := range o.Nodes {
		n, e := &o.Nodes[i], &t.nodes[i]
		t.index[e] = int32(i)
		if i == 0 {
			e.Type = html.DocumentNode
			continue
		}
		e.Type, e.DataAtom, e.Data = html.ElementNode, n.Tag, n.Tag.String()
		for _, a := range o.Attrs[n.AttrStart:n.AttrEnd] {
			e.Attr = append(e.Attr, html.Attribute{Key: a.Key, Val: a.Val})
		}
		if n.Link >= 0 {
			e.Attr = append(e.Attr, html.Attribute{Key: "href", Val: r.page.Links[n.Link].Href})
		}
		t.nodes[n.Parent].AppendChild(e)
	}
	return t
}

func (t *elementTree) all(s selector) []int32 {
	if s.Matcher == nil {
		return nil
	}
	found := make([]int32, 0, 8)
	for _, e := range cascadia.QueryAll(&t.nodes[0], s) {
		found = append(found, t.index[e])
	}
	return found
}

// usePagerMarker leaves only the pagers that are marked. A marked element in
// which none was found makes one of the links in it.
func (r *reader) usePagerMarker() {
	if r.marked == nil || r.marked.pager == nil {
		return
	}
	res := &r.out.Pager
	var kept []pager.Pager
	for _, m := range r.marked.pager {
		end := r.outline.Nodes[m].End
		found := false
		for _, p := range res.Pagers {
			// The marked element may be around a pager, or a part of one.
			inside := m <= int32(p.Node) && int32(p.Node) < end
			if inside || int32(p.Node) <= m && end <= r.outline.Nodes[p.Node].End {
				p.Own = true
				kept = append(kept, p)
				found = true
			}
		}
		if p := r.pagerAt(m); !found && len(p.Links) > 0 {
			kept = append(kept, p)
		}
	}
	res.Pagers, res.Main, res.Next, res.Prev, res.More = kept, -1, -1, -1, nil
	if len(kept) > 0 {
		m := &kept[0]
		res.Main, res.Current, res.Last, res.Next, res.Prev, res.Pattern = 0, m.Current, m.Last, m.Next, m.Prev, m.Pattern
	}
}

// pagerAt makes a pager of the links in a node: those whose text is a number
// lead to that page, one to the next page says so by rel or is the only one
// without a number.
func (r *reader) pagerAt(node int32) pager.Pager {
	p := pager.Pager{Node: int(node), Next: -1, Prev: -1, Own: true}
	others := 0
	for i := node; i < r.outline.Nodes[node].End; i++ {
		l := int(r.outline.Nodes[i].Link)
		if l < 0 || r.urls[l].Key == "" {
			continue
		}
		n, err := strconv.Atoi(r.page.Links[l].Text)
		if err != nil || n < 1 {
			n = 0
		}
		p.Links, p.Numbers = append(p.Links, l), append(p.Numbers, n)
		p.Last = max(p.Last, n)
		role := pager.Page
		if n == 0 {
			role, p.Next = pager.Next, l
			others++
		}
		r.out.Pager.Labels[l] = role
	}
	if others > 1 {
		p.Next = -1
	}
	p.Pattern = r.patternOf(&p)
	return p
}

// patternOf returns the pattern of two numbered links of a pager.
func (r *reader) patternOf(p *pager.Pager) pager.Pattern {
	first := -1
	for i, n := range p.Numbers {
		if n == 0 {
			continue
		}
		if first < 0 {
			first = i
			continue
		}
		pt, ok := pagination.PatternOf(p.Numbers[first], r.urls[p.Links[first]].Display, n, r.urls[p.Links[i]].Display)
		if ok {
			return pager.Pattern{Prefix: pt.Before, Suffix: pt.After, Slope: pt.Step, Shift: pt.Origin}
		}
		first = i
	}
	return pager.Pattern{}
}

// useBlockMarkers makes the blocks of the marked elements and rows, and reports
// whether any are marked.
func (r *reader) useBlockMarkers() bool {
	m := r.marked
	if m.block == nil && m.row == nil {
		return false
	}
	blocks := m.block
	if blocks == nil {
		for _, row := range m.row {
			if parent := r.outline.Nodes[row].Parent; !slices.Contains(blocks, parent) && len(blocks) < maxBlocks {
				blocks = append(blocks, parent)
			}
		}
	}
	for _, node := range blocks[:min(len(blocks), maxBlocks)] {
		c := candidate{node: node, lead: node}
		if m.row != nil {
			c.rows = r.markedRows(node)
		} else {
			c = r.bestWithin(node)
		}
		if len(c.rows) == 0 {
			continue
		}
		c.lead = c.rows[0].node
		b := Block{Node: int(node), Path: r.path(&c), Signature: r.signature(&c), Rows: r.chooseLinks(c)}
		if b.score = r.score(&c, b.Rows); len(b.Rows) > 0 {
			r.out.Blocks = append(r.out.Blocks, b)
		}
	}
	r.keepBest()
	return true
}

// markedRows returns the marked rows in a node, without those in another row.
func (r *reader) markedRows(node int32) []draft {
	nodes := r.outline.Nodes
	var rows []draft
	end := node
	for _, row := range r.marked.row {
		if row < max(end, node) || row >= nodes[node].End || len(rows) == maxRows {
			continue
		}
		end = nodes[row].End
		rows = append(rows, draft{row, span{row, end}, span{int32(nodes[row].TextStart), int32(nodes[row].TextEnd)}})
	}
	return rows
}

// bestWithin returns the candidate in a marked element whose rows say most.
func (r *reader) bestWithin(node int32) candidate {
	var best candidate
	for i := node; i < r.outline.Nodes[node].End; i++ {
		if c, ok := r.candidateAt(i, 1); ok && (c.rough > best.rough || best.rows == nil) {
			best = c
		}
	}
	return best
}

// isMarkedLink reports whether a node may be an item link: it is marked, or
// lies in what is, or nothing is marked.
func (r *reader) isMarkedLink(node int32) bool {
	if r.marked == nil || r.marked.link == nil {
		return true
	}
	return r.isWithin(node, r.marked.link)
}

func (r *reader) isWithin(node int32, marked []int32) bool {
	return slices.ContainsFunc(marked, func(m int32) bool { return m <= node && node < r.outline.Nodes[m].End })
}
