package listing

import (
	"cmp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/net/html/atom"

	"github.com/hashcrawl/hashcrawl/pagination"
	"github.com/hashcrawl/hashcrawl/pagination/date"
)

const (
	// maxColumns is how many places in the rows are read as columns of dates.
	maxColumns = 10
	// maxSlots is how many places are looked at.
	maxSlots = 64
	// maxDateText is the longest text of an element that may be a date alone,
	// maxProse how much of a row's other text is searched for one.
	maxDateText = 64
	maxProse    = 120
	// sampled is how many rows must show that a place holds dates before all
	// rows are read.
	sampled = 3
)

// A column is one place in the rows of a block, with the dates that stand
// there.
type column struct {
	slot   *slot
	dates  []date.Date
	dated  int
	future int // dates after now
	noYear int // dates without a year
	trend  trend
	tries  int // columns among which it was chosen
}

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

// dateColumn returns the column whose dates order the rows best, or else the
// one with most dates.
func (r *reader) dateColumn(b *Block) (best column, ok bool) {
	slots := r.slots(b)
	read, tries := 0, 0
	try := func(s *slot) {
		if read == maxColumns {
			return
		}
		c, dated := r.readColumn(b, s)
		if !dated {
			return
		}
		read++
		// A stamp and the text beside it are one date.
		if !ok || !sameDays(c.dates, best.dates) {
			tries++
		}
		if !ok || better(&c, &best) {
			best, ok = c, true
		}
	}
	for i := range slots {
		try(&slots[i])
	}
	if !ok {
		for _, s := range r.proseSlots(b) {
			try(&s)
		}
	}
	if !ok {
		if s := r.headingSlot(b); s != nil {
			try(s)
		}
	}
	if u := r.addressSlot(b); u != nil && (!ok || !best.trend.clear(maxOdds)) {
		try(u)
	}
	if tries > 1 {
		best.trend = trendOfDates(b, &best, tries)
	}
	best.tries = tries
	return best, ok
}

// sameDays reports whether two columns date the rows alike, to the day.
func sameDays(a, b []date.Date) bool {
	for i := range a {
		if d := a[i].From.Sub(b[i].From); a[i].IsZero() != b[i].IsZero() || d.Abs() >= day {
			return false
		}
	}
	return true
}

// better reports whether a orders the rows and b does not, or does so less
// clearly; or, where neither does, has more dates.
func better(a, b *column) bool {
	ca, cb := a.trend.clear(maxOdds), b.trend.clear(maxOdds)
	switch {
	case ca != cb:
		return ca
	case ca:
		return a.trend.odds < b.trend.odds-0.5
	}
	return a.dated > b.dated
}

// slots returns the places in the rows that may hold dates and occur in at
// least half of them: stamps first, which are exact, then the shortest texts,
// which say nothing else.
func (r *reader) slots(b *Block) []slot {
	t := slotTable{reader: r, rows: len(b.Rows), index: make(map[uint64]int, maxSlots)}
	for i := range b.Rows {
		t.row = i
		r.eachPlace(&b.Rows[i], t.put)
	}
	kept := slices.DeleteFunc(t.slots, func(s slot) bool { return s.filled*2 < t.rows })
	slices.SortStableFunc(kept, func(a, b slot) int {
		if a.stamps != b.stamps {
			return cmp.Compare(b.rank(), a.rank())
		}
		return cmp.Compare(a.size, b.size)
	})
	return kept
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
				texts: make([]string, t.rows), nodes: make([]int32, t.rows),
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
		slots[i] = slot{where: where, texts: make([]string, n)}
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
	s := &slot{where: "in headings above the rows", grouped: true, texts: make([]string, len(b.Rows))}
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
	s := &slot{where: "in the addresses of the items", stamps: true, texts: make([]string, len(b.Rows))}
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

// readColumn reads a slot in all rows and reports whether it is a column of
// dates.
func (r *reader) readColumn(b *Block, s *slot) (column, bool) {
	o := date.Options{Now: r.options.Now, Lang: r.page.Lang}
	if s.filled == 0 || !r.sample(s, o) {
		return column{}, false
	}
	c := column{slot: s}
	if s.stamps {
		c.dates = make([]date.Date, len(s.texts))
		for i, t := range s.texts {
			c.dates[i], _ = readStamp(t, o)
		}
	} else {
		c.dates, _ = r.columns.Read(s.texts, o)
	}
	for i := range c.dates {
		d := &c.dates[i]
		if d.IsZero() {
			continue
		}
		c.dated++
		if !d.YearKnown {
			c.noYear++
		}
		if d.From.After(o.Now.Add(day)) {
			c.future++
		}
	}
	if c.dated*10 < len(b.Rows)*6 {
		return column{}, false
	}
	c.trend = trendOfDates(b, &c, 1)
	return c, true
}

const day = 24 * time.Hour

// sample reports whether a few rows show that a slot may hold dates.
func (r *reader) sample(s *slot, o date.Options) bool {
	texts := make([]string, 0, sampled)
	step := max(1, len(s.texts)/sampled)
	for i := step / 2; i < len(s.texts) && len(texts) < sampled; i++ {
		if s.texts[i] != "" {
			texts = append(texts, s.texts[i])
			i += step - 1
		}
	}
	n := 0
	if s.stamps {
		for _, t := range texts {
			if _, ok := readStamp(t, o); ok {
				n++
			}
		}
	} else {
		dates, _ := r.columns.Read(texts, o)
		for i := range dates {
			if !dates[i].IsZero() {
				n++
			}
		}
	}
	return n*2 >= len(texts) && n > 0
}

// readStamp reads an attribute's value. A title may say more than the date.
func readStamp(value string, o date.Options) (date.Date, bool) {
	if value == "" {
		return date.Date{}, false
	}
	if d, ok := date.ParseStamp(value, o); ok {
		return d, true
	}
	return date.First(value, o)
}

// trendOfDates returns the trend of the dates of the rows that are not pinned.
// A heading that dates several rows says it once.
func trendOfDates(b *Block, c *column, tries int) trend {
	values := make([]int64, 0, len(c.dates))
	for i := range c.dates {
		if !c.dates[i].IsZero() && !b.Rows[i].Pinned {
			values = append(values, c.dates[i].From.UnixMilli())
		}
	}
	if c.slot.grouped {
		values = slices.Compact(values)
	}
	return trendOf(values, tries)
}

// fillDates gives the rows the dates of a column, and the block the slack that
// they have: the step in which they are shown, or a day where the time zone is
// unknown.
func (r *reader) fillDates(b *Block, c *column) {
	for i := range b.Rows {
		d := &c.dates[i]
		if d.IsZero() {
			continue
		}
		row := &b.Rows[i]
		row.Date = pagination.Interval{From: d.From, To: d.To}
		row.DateText = d.Text
		if c.slot.nodes != nil && c.slot.stamps {
			if shown := r.outline.NodeText(int(c.slot.nodes[i])); shown != "" && len(shown) <= maxDateText && c.slot.nodes[i] != int32(row.Node) {
				row.DateText = shown
			}
		}
		b.Slack = max(b.Slack, d.Granule)
		if !d.ZoneKnown {
			b.Slack = max(b.Slack, day)
		}
	}
}
