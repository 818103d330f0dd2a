package listing

import (
	"slices"
	"time"

	"github.com/hashcrawl/hashcrawl/pagination"
	"github.com/hashcrawl/hashcrawl/pagination/date"
)

const (
	// maxColumns is how many places in the rows are read as columns of dates.
	maxColumns = 10
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
			r.dates[0], r.dates[1] = r.dates[1], r.dates[0] // the next is not read over the best
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
	if !ok || !best.trend.clear(maxOdds) {
		if u := r.addressSlot(b); u != nil {
			try(u)
		}
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

// readColumn reads a slot in all rows and reports whether it is a column of
// dates.
func (r *reader) readColumn(b *Block, s *slot) (column, bool) {
	o := date.Options{Now: r.options.Now, Lang: r.page.Lang}
	if s.filled == 0 || !r.sample(s, o) {
		return column{}, false
	}
	c := column{slot: s}
	if s.stamps {
		c.dates = zeros(&r.dates[1], len(s.texts))
		for i, t := range s.texts {
			c.dates[i], _ = readStamp(t, o)
		}
	} else {
		c.dates, _ = r.columns.Read(r.dates[1], s.texts, o)
		r.dates[1] = c.dates
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
	var few [sampled]string
	texts := few[:0]
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
		r.sampled, _ = r.columns.Read(r.sampled, texts, o)
		for i := range r.sampled {
			if !r.sampled[i].IsZero() {
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
	var buf [usualRows]int64
	values := buf[:0]
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
