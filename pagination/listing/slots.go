package listing

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/atom"
)

const (
	// maxSlots is how many places in the rows are looked at.
	maxSlots = 64
	// maxDateText is the longest text of an element that may be a date alone,
	// maxProse how much of a row's other text is searched for one.
	maxDateText = 64
	maxProse    = 120
)

// A slot is a place that may hold dates: an element of the same kind, or one of
// its attributes, in every row.
type slot struct {
	where  string // for people
	stamps bool   // written for machines
	// grouped tells that one text dates several rows.
	grouped bool
	filled  int // rows that have it
	size    int // of the texts, in bytes
	texts   []string
	nodes   []int32 // that have the texts, nil if no element has
}

// slots returns the places in the rows that may hold dates and occur in at
// least half of them: stamps first, which are exact, then the shortest texts,
// which say nothing else.
func (r *reader) slots(b *Block) []slot {
	r.forgetSlots()
	r.slotIndex = emptied(r.slotIndex)
	t := slotTable{reader: r, rows: len(b.Rows), slots: r.slotList[:0], index: r.slotIndex}
	for i := range b.Rows {
		t.row = i
		r.eachPlace(&b.Rows[i], t.put)
	}
	r.slotList = t.slots
	kept := slices.DeleteFunc(t.slots, func(s slot) bool { return s.filled*2 < t.rows })
	slices.SortStableFunc(kept, func(a, b slot) int {
		if a.stamps != b.stamps {
			return cmp.Compare(b.rank(), a.rank())
		}
		return cmp.Compare(a.size, b.size)
	})
	return kept
}

// forgetSlots makes room for the slots of another block.
func (m *memory) forgetSlots() {
	clear(m.slotList[:cap(m.slotList)])
	clear(m.slotTexts.all)
	m.slotTexts.reset()
	m.slotNodes.reset()
}

// rank returns 1 for stamps, 0 for others.
func (s *slot) rank() int {
	if s.stamps {
		return 1
	}
	return 0
}

// A slotTable collects slots, row by row.
type slotTable struct {
	reader *reader
	rows   int
	row    int // that is being read
	slots  []slot
	index  map[uint64]int // of slots, by key
}

// A place is a text in a row that may hold a date.
type place struct {
	key   uint64
	node  int32
	attr  string // that holds it, "" for the text of the node
	value string
}

func (t *slotTable) put(p place) {
	// The second of two elements of one kind is a place of its own.
	for range 2 {
		k, known := t.index[p.key]
		if !known {
			// What half of the rows do not have is in few of them.
			if len(t.slots) == maxSlots || t.row*2 > t.rows {
				return
			}
			k = len(t.slots)
			t.index[p.key] = k
			t.slots = append(t.slots, slot{
				where: t.reader.placeName(p.node, p.attr), stamps: p.attr != "",
				texts: t.reader.slotTexts.take(t.rows), nodes: t.reader.slotNodes.take(t.rows),
			})
		}
		if s := &t.slots[k]; s.texts[t.row] == "" {
			s.texts[t.row], s.nodes[t.row] = p.value, p.node
			s.filled++
			s.size += len(p.value)
			return
		}
		p.key++
	}
}

// placeName names a place for people.
func (r *reader) placeName(node int32, attr string) string {
	name := r.elementName(node, true, false)
	if attr == "" {
		return "in " + name
	}
	return "in " + attr + " of " + name
}

// maxRowNodes is how many elements of a row are searched for dates.
const maxRowNodes = 200

// eachPlace calls put for every place in a row that may hold a date.
func (r *reader) eachPlace(row *Row, put func(place)) {
	nodes, o := r.outline.Nodes, r.outline
	if r.marked != nil && r.marked.date != nil {
		r.eachMarkedPlace(row, put)
		return
	}
	for i := row.rows.from; i < min(row.rows.to, row.rows.from+maxRowNodes); i++ {
		n := &nodes[i]
		key := uint64(0)
		for _, a := range o.Attrs[n.AttrStart:n.AttrEnd] {
			if !mayBeStamp(a.Key, a.Val) {
				continue
			}
			if key == 0 {
				key = r.placeKey(i, row.rows.from)
			}
			put(place{key ^ uint64(hashOf(a.Key))<<32, i, a.Key, a.Val})
		}
		if int(n.Link) == row.Link {
			i = max(i, n.End-1)
			continue
		}
		if n.End-i > 5 || n.TextEnd-n.TextStart > maxDateText || n.Tag == atom.Option {
			continue
		}
		if text := o.NodeText(int(i)); mayBeDate(text) {
			if key == 0 {
				key = r.placeKey(i, row.rows.from)
			}
			put(place{key, i, "", text})
		}
	}
}

// eachMarkedPlace calls put for the marked places in a row, whatever they hold.
func (r *reader) eachMarkedPlace(row *Row, put func(place)) {
	for _, node := range r.marked.date {
		if !row.rows.has(int(node)) {
			continue
		}
		n := &r.outline.Nodes[node]
		for _, a := range r.outline.Attrs[n.AttrStart:n.AttrEnd] {
			if mayBeStamp(a.Key, a.Val) {
				put(place{uint64(hashOf(a.Key)) << 32, node, a.Key, a.Val})
			}
		}
		put(place{key: 0, node: node, value: r.outline.NodeText(int(node))})
	}
}

// placeKey is a hash of where in its row a node stands, shifted so that the
// next key is free.
func (r *reader) placeKey(node, top int32) uint64 { return uint64(r.slot(node, top)) << 2 }

func hashOf(s string) uint32 {
	h := uint32(fnvOffset)
	for i := range len(s) {
		h = mixByte(h, s[i])
	}
	return h
}

// mayBeStamp reports whether an attribute may hold a date.
func mayBeStamp(key, value string) bool {
	if len(value) < 8 || len(value) > maxDateText {
		return false
	}
	switch {
	case key == "datetime":
		return true
	case key == "title":
		return hasDigit(value)
	}
	return strings.HasPrefix(key, "data-") && isDigit(value[0]) &&
		containsAny(key, "time", "date", "stamp", "publish", "created", "updated", "utime")
}

// mayBeDate reports whether a text may hold a date: it has a figure, or is as
// short as "yesterday".
func mayBeDate(text string) bool {
	const maxWord = 24
	return len(text) >= 4 && (hasDigit(text) || len(text) <= maxWord)
}

func hasDigit(s string) bool {
	for i := range len(s) {
		if isDigit(s[i]) || s[i] >= 0xD9 && s[i] <= 0xDB || s[i] == 0xE0 || s[i] == 0xE3 || s[i] == 0xE4 {
			return true // or of a script that may have figures of its own
		}
	}
	return false
}

// proseSlots returns the text of the rows without that of their item links:
// what stands in front, what comes next, and the end.
func (r *reader) proseSlots(b *Block) []slot {
	n := len(b.Rows)
	slots := make([]slot, 3)
	for i, where := range [...]string{"in front of the links", "behind the links", "at the end of the rows"} {
		slots[i] = slot{where: where, texts: r.slotTexts.take(n)}
	}
	text := r.outline.Text
	for i := range b.Rows {
		row := &b.Rows[i]
		from, to := r.linkText(row)
		front := span{max(row.text.from, from-maxProse), from}
		behind := span{to, min(row.text.to, to+maxProse)}
		end := span{max(to, row.text.to-maxProse), row.text.to}
		for k, s := range [...]span{front, behind, end} {
			if k == 2 && s.from <= behind.from || s.len() <= 0 {
				continue // all of it is behind already
			}
			slots[k].texts[i] = wholeRunes(text[s.from:s.to])
			slots[k].filled++
		}
	}
	return slots
}

// headingSlot returns the short texts that stand between the rows and may be the
// dates of the groups below them, as day headings are, one for each row; nil if
// there are not at least two.
func (r *reader) headingSlot(b *Block) *slot {
	s := &slot{where: "in headings above the rows", grouped: true, texts: r.slotTexts.take(len(b.Rows))}
	nodes := r.outline.Nodes
	heading, headings, row := "", 0, 0
	for c := int32(b.Node) + 1; c < nodes[b.Node].End && row < len(b.Rows); c = nodes[c].End {
		for row < len(b.Rows) && b.Rows[row].rows.to <= c {
			row++
		}
		if row < len(b.Rows) && b.Rows[row].rows.has(int(c)) {
			if s.texts[row] == "" && heading != "" {
				s.texts[row] = heading
				s.filled++
				s.size += len(heading)
			}
			continue
		}
		if text := r.outline.NodeText(int(c)); text != "" && len(text) <= maxDateText && mayBeDate(text) {
			heading = text
			headings++
		}
	}
	if headings < 2 {
		return nil
	}
	return s
}

// linkText returns where in the page's text that of the row's item link begins
// and ends.
func (r *reader) linkText(row *Row) (from, to int32) {
	for _, node := range r.itemsIn(row.rows) {
		if n := &r.outline.Nodes[node]; int(n.Link) == row.Link {
			return int32(n.TextStart), int32(n.TextEnd)
		}
	}
	return row.text.from, row.text.from
}

// wholeRunes trims what a cut left of runes at the ends.
func wholeRunes(s string) string {
	for len(s) > 0 && !utf8.RuneStart(s[0]) {
		s = s[1:]
	}
	for len(s) > 0 {
		if c, size := utf8.DecodeLastRuneInString(s); c != utf8.RuneError || size > 1 {
			break
		}
		s = s[:len(s)-1]
	}
	return trimBlanks(s)
}

// addressSlot returns the dates in the addresses of the items, nil if few have
// one.
func (r *reader) addressSlot(b *Block) *slot {
	s := &slot{where: "in the addresses of the items", stamps: true, texts: r.slotTexts.take(len(b.Rows))}
	for i := range b.Rows {
		if d := dateInAddress(b.Rows[i].URL.Display); d != "" {
			s.texts[i] = d
			s.filled++
		}
	}
	if s.filled*10 < len(b.Rows)*6 {
		return nil
	}
	return s
}
