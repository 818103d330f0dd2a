package listing

import (
	"cmp"
	"slices"
	"strconv"

	"golang.org/x/net/html/atom"
)

const (
	// minRows is how many rows make a block.
	minRows = 3
	// maxRows is how many rows of a block are read.
	maxRows = 1000
	// maxBlocks is how many candidates are read, maxKept how many are kept.
	maxBlocks = 12
	maxKept   = 8
	// roughShare is the share of the most that rows say, one in so many, below
	// which a candidate cannot be what a pager drives.
	roughShare = 10
	// maxKinds is how many kinds of children of one element are told apart.
	maxKinds = 16
)

// A candidate is an element that may be a block, with its rows.
type candidate struct {
	node  int32
	lead  int32 // the first row's node
	rows  []draft
	rough int // what its rows say, roughly
}

// A draft is a row before its item link is known.
type draft struct {
	node       int32
	rows, text span
}

// findBlocks finds the blocks of the page and ranks them.
func (r *reader) findBlocks() {
	if r.marked != nil && r.useBlockMarkers() {
		return
	}
	found := r.found[:0]
	nodes := r.outline.Nodes
	least := int32(minRows)
	if r.options.Block != "" {
		least = 1
	}
	for i := range nodes {
		if r.linksBefore[nodes[i].End]-r.linksBefore[i] < least {
			continue
		}
		if c, ok := r.candidateAt(int32(i), int(least)); ok {
			found = append(found, c)
		}
	}
	r.found = found
	slices.SortStableFunc(found, func(a, b candidate) int { return cmp.Compare(b.rough, a.rough) })
	for i := range found[:min(len(found), maxBlocks)] {
		if found[i].rough*roughShare < found[0].rough && !r.options.Always && r.options.Block == "" {
			break
		}
		r.addBlock(found[i])
	}
	r.keepBest()
}

// addBlock reads the rows of a candidate.
func (r *reader) addBlock(c candidate) {
	b := Block{Node: int(c.node), Rows: r.chooseLinks(c)}
	known := r.options.Block != "" && r.signature(&c) == r.options.Block
	if len(b.Rows) < minRows && !known {
		return
	}
	b.Path, b.Signature = r.path(&c), r.signature(&c)
	b.score = r.score(&c, b.Rows)
	if known {
		b.score *= 4
	}
	r.out.Blocks = append(r.out.Blocks, b)
}

// keepBest ranks the blocks and drops those that lie in, or around, a better
// one.
func (r *reader) keepBest() {
	all := r.out.Blocks
	slices.SortStableFunc(all, func(a, b Block) int { return cmp.Compare(b.score, a.score) })
	kept := all[:0]
	for _, b := range all {
		clash := slices.ContainsFunc(kept, func(k Block) bool {
			s, t := k.rows(), b.rows()
			return s.from < t.to && t.from < s.to
		})
		if !clash && len(kept) < maxKept {
			kept = append(kept, b)
		}
	}
	r.out.Blocks = kept
	r.tellApart()
}

// tellApart numbers the blocks of one page that have one signature.
func (r *reader) tellApart() {
	blocks := r.out.Blocks
	for i := range blocks {
		n := 1
		for j := range blocks {
			if j != i && blocks[j].Node < blocks[i].Node && blocks[j].Signature == blocks[i].Signature {
				n++
			}
		}
		if n > 1 {
			defer func() { blocks[i].Signature += "[" + strconv.Itoa(n) + "]" }()
		}
	}
}

// rows returns the span of nodes from the first row to the last.
func (b *Block) rows() span {
	if len(b.Rows) == 0 {
		return span{}
	}
	return span{b.Rows[0].rows.from, b.Rows[len(b.Rows)-1].rows.to}
}

// A kind is a set of children that look alike.
type kind struct {
	first int32 // node
	count int
}

// candidateAt returns the rows that the children of a node make, if enough of
// them are alike and hold links.
func (r *reader) candidateAt(parent int32, least int) (candidate, bool) {
	lead, count := r.leadOf(parent)
	if count < least {
		return candidate{}, false
	}
	c := candidate{node: parent, lead: lead}
	c.rows = r.rowsBelow(parent, lead)
	if grid := r.cells(c.rows); grid != nil {
		c.rows, c.lead = grid, grid[0].node
	}
	if len(c.rows) < least {
		return candidate{}, false
	}
	for i := range c.rows {
		c.rough += 8 + min(c.rows[i].text.len(), 80) // pictures have no text
	}
	return c, true
}

// leadOf returns the first child of the kind that begins the rows of a node,
// and how many children are of that kind. That is the most frequent one of
// those with links, but headings come first: what follows a heading is its own.
func (r *reader) leadOf(parent int32) (lead int32, count int) {
	var kinds [maxKinds]kind
	n := 0
	nodes := r.outline.Nodes
	for c := parent + 1; c < nodes[parent].End; c = nodes[c].End {
		if r.linksBefore[nodes[c].End] == r.linksBefore[c] {
			continue
		}
		k := 0
		for k < n && r.shape(kinds[k].first) != r.shape(c) {
			k++
		}
		switch {
		case k < n:
			kinds[k].count++
		case n < maxKinds:
			kinds[n] = kind{c, 1}
			n++
		}
	}
	own := 0
	for i := range kinds[:n] {
		total := 0
		for j := range kinds[:n] {
			if i == j || r.alike(kinds[i].first, kinds[j].first) {
				total += kinds[j].count
			}
		}
		heading := isHeading(nodes[kinds[i].first].Tag) && total >= minRows
		better := total > count || total == count && kinds[i].count > own
		if count >= minRows && heading != isHeading(nodes[lead].Tag) {
			better = heading && total*2 >= count
		}
		if better {
			lead, count, own = kinds[i].first, total, kinds[i].count
		}
	}
	return lead, count
}

// rowsBelow returns the rows that the children of parent like lead begin. Where
// most of them have siblings beside them that are none, these belong to the
// rows.
func (r *reader) rowsBelow(parent, lead int32) []draft {
	nodes := r.outline.Nodes
	rows := r.drafts.open()
	others, begun := 0, false
	for c := parent + 1; c < nodes[parent].End; c = nodes[c].End {
		if r.linksBefore[nodes[c].End] > r.linksBefore[c] && (c == lead || r.alike(lead, c)) {
			if len(rows) == maxRows {
				break
			}
			begun = true
			rows = append(rows, draft{c, span{c, nodes[c].End}, span{int32(nodes[c].TextStart), int32(nodes[c].TextEnd)}})
		} else if begun {
			others++
		}
	}
	if others*2 >= len(rows) || isHeading(nodes[lead].Tag) || isPhrase(nodes[lead].Tag) {
		r.stretch(parent, rows)
	}
	r.drafts.close(rows)
	return rows
}

// stretch lets each row reach to the next one, or, where what stands before the
// first row stands before all of them, from the one before.
func (r *reader) stretch(parent int32, rows []draft) {
	nodes := r.outline.Nodes
	if len(rows) == 0 {
		return
	}
	ahead := r.startsAhead(parent, rows)
	most := int32(0)
	for i := range rows {
		row := &rows[i]
		row.rows.from, row.text.from = r.begin(parent, row.node, ahead)
		if i == 0 {
			continue
		}
		before := &rows[i-1]
		before.rows.to, before.text.to = row.rows.from, row.text.from
		most = max(most, before.rows.to-before.rows.from)
	}
	// What follows the last row need not belong to it: a pager, often.
	last := &rows[len(rows)-1]
	for last.rows.to < nodes[parent].End && (most == 0 || nodes[last.rows.to].End-last.rows.from <= most) {
		last.rows.to = nodes[last.rows.to].End
	}
	last.text.to = int32(nodes[parent].TextEnd)
	if last.rows.to < nodes[parent].End {
		last.text.to = int32(nodes[last.rows.to].TextStart)
	}
}

// begin returns where a row begins whose node has what belongs to it in front,
// or not.
func (r *reader) begin(parent, node int32, ahead bool) (from, text int32) {
	nodes := r.outline.Nodes
	text = int32(nodes[node].TextStart)
	before := r.previous(parent, node)
	switch {
	case before < 0:
		if ahead {
			text = int32(nodes[parent].TextStart)
		}
	case ahead && nodes[before].Tag != atom.Br && nodes[before].Tag != atom.Hr:
		return before, int32(nodes[before].TextStart)
	case ahead:
		text = int32(nodes[before].TextEnd)
	}
	return node, text
}

// startsAhead reports whether the rows begin before their nodes: the element
// in front of the first one stands in front of most others too, and not behind
// the last.
func (r *reader) startsAhead(parent int32, rows []draft) bool {
	nodes := r.outline.Nodes
	first := r.previous(parent, rows[0].node)
	if first < 0 {
		// Bare text between two line breaks may come first.
		return nodes[rows[0].node].TextStart > nodes[parent].TextStart+2 &&
			nodes[parent].TextEnd <= nodes[rows[len(rows)-1].node].TextEnd+2
	}
	same := 0
	for i := range rows {
		if p := r.previous(parent, rows[i].node); p >= 0 && r.shape(p) == r.shape(first) {
			same++
		}
	}
	last := nodes[rows[len(rows)-1].node].End
	behind := last < nodes[parent].End && r.shape(last) == r.shape(first)
	return same*10 >= len(rows)*9 && !behind
}

// previous returns the sibling in front of a child of parent, -1 if there is
// none. The nodes in front belong to that sibling, so its depth is all that is
// walked.
func (r *reader) previous(parent, node int32) int32 {
	if node == parent+1 {
		return -1
	}
	nodes := r.outline.Nodes
	p := node - 1
	for nodes[p].Parent != parent {
		p = nodes[p].Parent
	}
	return p
}

// cells returns the cells of a grid, if the rows are no items but lines of
// them: most consist of several elements that are alike and hold all links.
func (r *reader) cells(rows []draft) []draft {
	nodes := r.outline.Nodes
	grid := r.drafts.open()
	lines := 0
	for i := range rows {
		before := len(grid)
		lead, count := r.leadOf(rows[i].node)
		if count < 2 || isPhrase(nodes[lead].Tag) || isHeading(nodes[lead].Tag) {
			continue
		}
		// Cells of a table are alike anyhow; those of a grid have pictures.
		if (nodes[lead].Tag == atom.Td || nodes[lead].Tag == atom.Dd) && !r.hasPicture(lead) {
			continue
		}
		links := int32(0)
		for c := rows[i].node + 1; c < nodes[rows[i].node].End; c = nodes[c].End {
			n := r.linksBefore[nodes[c].End] - r.linksBefore[c]
			if n > 0 && r.shape(c) == r.shape(lead) && r.sketch(c) == r.sketch(lead) && len(grid) < maxRows {
				links += n
				grid = append(grid, draft{c, span{c, nodes[c].End}, span{int32(nodes[c].TextStart), int32(nodes[c].TextEnd)}})
			}
		}
		all := r.linksBefore[nodes[rows[i].node].End] - r.linksBefore[rows[i].node]
		if len(grid)-before < 2 || links*10 < all*9 {
			grid = grid[:before]
			continue
		}
		lines++
	}
	if lines*10 < len(rows)*6 || lines == 0 {
		return nil
	}
	r.drafts.close(grid)
	return grid
}

// hasPicture reports whether an image is among the first elements of a node.
func (r *reader) hasPicture(node int32) bool {
	nodes := r.outline.Nodes
	for i := node + 1; i < min(nodes[node].End, node+6); i++ {
		if nodes[i].Tag == atom.Img {
			return true
		}
	}
	return false
}
