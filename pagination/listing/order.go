package listing

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

const (
	// maxPinned is how many rows at the head may be out of order before the
	// rest is in order.
	maxPinned = 8
	// maxWrong bounds the steps in the wrong direction: one in so many rows. A
	// long list may beat random order with many more, and be ordered by
	// something that time only has to do with.
	maxWrong = 8
)

// A trend is how a sequence of values, one for each row, runs.
type trend struct {
	order  Order   // the better one of newest and oldest first
	odds   float64 // logarithm, as of [logOdds], with all that was tried
	wrong  int     // steps against the order
	far    int     // rows on the wrong side of the middle value
	pinned int     // rows at the head that were set apart
	rows   int     // that have a value, the pinned apart
	values int     // different ones among them
}

// clear reports whether random order is less likely than most to look so, and
// the order holds over the whole list: one that begins anew every ten rows has
// few wrong steps too.
func (t *trend) clear(most float64) bool {
	return t.values > 1 && t.odds <= math.Log(most) && t.wrong*maxWrong <= t.rows && t.far*maxWrong <= t.rows
}

// against reports whether the values contradict any order in time: there are
// enough of them, and one step in four is wrong, whichever way.
func (t *trend) against() bool { return t.values >= 6 && t.wrong*4 >= t.rows }

// trendOf returns the trend of values, greater ones newer. Rows without a
// value are not among them. tries is in how many ways the values were looked
// for.
func trendOf(values []int64, tries int) trend {
	var buf [usualRows]int64
	sorted := buf[:0]
	newest, oldest := trend{order: NewestFirst}, trend{order: OldestFirst}
	for k := 0; k <= min(maxPinned, len(values)/3); k++ {
		if k > 0 && values[k-1] == values[k] {
			continue
		}
		rest := values[k:]
		sorted = append(sorted[:0], rest...)
		slices.Sort(sorted)
		for _, best := range [...]*trend{&newest, &oldest} {
			// A row is only set apart where the step from it is wrong.
			if k > 0 && !isWrong(values[k-1], values[k], best.order) {
				continue
			}
			t := trend{order: best.order, pinned: k, rows: len(rest), far: misplaced(rest, sorted, best.order)}
			for i := 1; i < len(rest); i++ {
				if isWrong(rest[i-1], rest[i], t.order) {
					t.wrong++
				}
			}
			t.odds, t.values = logOdds(sorted, t.wrong)
			t.odds = min(0, t.odds+math.Log(float64(2*tries*(k+1))))
			if k == 0 || t.odds < best.odds {
				*best = t
			}
		}
	}
	if oldest.odds < newest.odds {
		return oldest
	}
	return newest
}

// usualRows is the number of rows up to which a block's values need no memory
// of their own.
const usualRows = 64

// isWrong reports whether the step from one row to the next goes against an
// order.
func isWrong(above, below int64, order Order) bool {
	if order == NewestFirst {
		return below > above
	}
	return below < above
}

// misplaced returns how many values of the first half of a list are on that side
// of the middle value where those of the second half belong, and the other way
// round.
func misplaced(values, sorted []int64, order Order) int {
	if len(values) == 0 {
		return 0
	}
	lower, upper := sorted[(len(sorted)-1)/2], sorted[len(sorted)/2]
	n := 0
	for i, v := range values {
		first := i < len(values)/2
		if first && isWrong(v, lower, order) || !first && isWrong(upper, v, order) {
			n++
		}
	}
	return n
}

// orderBlock reads the dates of a block's rows and decides how it is ordered.
func (r *reader) orderBlock(b *Block) {
	r.markPinned(b)
	c, dated := r.dateColumn(b)
	if dated {
		r.fillDates(b, &c)
		b.noYear, b.grouped, b.tries = c.noYear*2 > c.dated, c.slot.grouped, c.tries
	}
	if r.marked != nil && r.marked.order != Undecided {
		b.Order = r.marked.order
		b.Evidence = append(b.Evidence, "the markers say so")
		return
	}
	mode, word := r.sortMode()
	switch {
	case dated && r.orderByDates(b, &c, mode, word):
	case r.orderByNumbers(b):
	case mode == sortsOther:
		b.Order = Unordered
		b.Evidence = append(b.Evidence, fmt.Sprintf("the page is sorted by %q", word))
	case mode == sortsNewest && !(dated && c.trend.against()):
		b.Order = NewestFirst
		b.Evidence = append(b.Evidence, fmt.Sprintf("the page is sorted by %q", word))
	case dated && c.trend.against():
		b.Order = Unordered
	}
}

// orderByDates decides the order by the dates of a column.
func (r *reader) orderByDates(b *Block, c *column, mode sortMode, word string) bool {
	t := &c.trend
	most := maxOdds
	if mode == sortsNewest || mode == sortsTime {
		most = hintedOdds
	}
	b.Evidence = append(b.Evidence, fmt.Sprintf("%d of %d rows are dated (%s)", c.dated, len(b.Rows), c.slot.where))
	if c.future*2 > c.dated {
		b.Order = Unordered
		b.Evidence = append(b.Evidence, "most of the dates lie in the future")
		return true
	}
	b.Evidence = append(b.Evidence, t.sentence())
	if !t.clear(most) {
		return false
	}
	if t.order == OldestFirst && b.noYear {
		b.Evidence = append(b.Evidence, "the dates show no year, so they may lie ahead")
		return false
	}
	b.Order = t.order
	if t.pinned > 0 {
		r.pinHead(b, c)
	}
	if !t.clear(maxOdds) {
		b.Evidence = append(b.Evidence, fmt.Sprintf("the page is sorted by %q", word))
	}
	return true
}

// pinHead marks the rows at the head that the dates showed to be pinned.
func (r *reader) pinHead(b *Block, c *column) {
	n := 0
	for i := range b.Rows {
		if n == c.trend.pinned {
			break
		}
		if !b.Rows[i].Pinned && !c.dates[i].IsZero() {
			b.Rows[i].Pinned = true
			n++
		}
	}
	b.Evidence = append(b.Evidence, fmt.Sprintf("%s set apart as pinned", count(n, "row", "rows")))
}

// sentence tells the trend in words.
func (t *trend) sentence() string {
	if t.values < 2 {
		return "all dates are equal"
	}
	name := "newest first"
	if t.order == OldestFirst {
		name = "oldest first"
	}
	steps := t.rows - 1
	if t.wrong == 0 {
		return fmt.Sprintf("%d dates run %s; in random order the odds are %s", t.rows, name, oddsText(t.odds))
	}
	return fmt.Sprintf("%d dates run %s but for %d of %d steps; in random order the odds are %s", t.rows, name, t.wrong, steps, oddsText(t.odds))
}

// oddsText writes a probability as 1 in so many.
func oddsText(odds float64) string {
	switch {
	case odds < math.Log(1e-9):
		return "below 1 in a billion"
	case odds < math.Log(1e-6):
		return "below 1 in a million"
	case odds < math.Log(0.5):
		return fmt.Sprintf("1 in %.0f", math.Exp(-odds))
	}
	return "even"
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// pinWords are how names begin by which templates mark pinned rows, pinTexts
// what they show.
var (
	pinWords = []string{"sticky", "stickies", "stick", "pinned", "istop", "announce", "zhiding", "global_", "is-sticky", "is-pinned"}
	pinTexts = []string{
		"置顶", "置頂", "公告", "공지", "Sticky", "Pinned", "Важно", "Прикреплено", "Закреплено", "Wichtig", "Angepinnt", "Announcement",
		"Épinglé", "Fijado", "Important",
	}
)

// marksPinned reports whether one of the names of a class or an id says that a
// row is pinned. Names of topics and tags are parts of longer names.
func marksPinned(names string) bool {
	for range maxWords {
		var name string
		if name, names = cutWord(names); name == "" {
			return false
		}
		for _, w := range pinWords {
			if len(name) >= len(w) && name[0]|0x20 == w[0] && strings.EqualFold(name[:len(w)], w) {
				return true
			}
		}
	}
	return false
}

// markPinned marks the rows that say that they are pinned. Where most rows
// seem to say so, the word means something else.
func (r *reader) markPinned(b *Block) {
	n := 0
	for i := range b.Rows {
		row := &b.Rows[i]
		row.Pinned = r.isPinned(row)
		if row.Pinned {
			n++
		}
	}
	if n*2 <= len(b.Rows) {
		return
	}
	for i := range b.Rows {
		b.Rows[i].Pinned = false
	}
}

func (r *reader) isPinned(row *Row) bool {
	// The class of the row itself, or of an icon or label in it.
	for i := row.rows.from; i < min(row.rows.to, row.rows.from+12); i++ {
		if marksPinned(r.attr(i, "class")) || i == row.rows.from && marksPinned(r.attr(i, "id")) {
			return true
		}
	}
	text := r.outline.Text[row.text.from:min(row.text.to, row.text.from+80)]
	head := strings.TrimLeft(trimBlanks(text), "[【(!:")
	for _, w := range pinTexts {
		if rest, ok := strings.CutPrefix(head, w); ok && rest != "" && !startsWithLetter(rest) {
			return true
		}
	}
	return false
}

// startsWithLetter reports whether a word goes on. Chinese and Korean words are
// not parted by blanks, so only a mark ends them.
func startsWithLetter(s string) bool {
	return isLetter(s[0]) || s[0] >= 0x80 || s[0] == ' ' && !strings.HasPrefix(s, " :")
}
