package pagination

import "slices"

// A repeat is a row that the walk has read before.
type repeat struct {
	key   string
	at    int  // its place in the walk
	below bool // a fresh row stands above it on this page
}

// A sifting divides the rows of a page. Known constants are in neither part;
// a link that stands twice on the page counts once.
type sifting struct {
	fresh   []Item   // new to the walk
	repeats []repeat // read before
	sum     uint64   // hash of the links of both, in order
}

func (p *Pass) sift(rows []Row) sifting {
	var s sifting
	var natural []Row
	onPage := make(map[string]bool, len(rows))
	for _, row := range rows {
		if row.Key == "" || onPage[row.Key] {
			continue
		}
		onPage[row.Key] = true
		if p.constant[row.Key] {
			p.constantMet[row.Key] = true
			continue
		}
		natural = append(natural, Row{Key: row.Key})
		if at, ok := p.place[row.Key]; ok {
			s.repeats = append(s.repeats, repeat{row.Key, at, len(s.fresh) > 0})
		} else {
			s.fresh = append(s.fresh, row.item())
		}
	}
	s.sum = rowsHash(natural)
	return s
}

// shiftGap is how many rows may be missing between two rows that come again
// because of an insertion, and after the last: deleted in the meantime.
const shiftGap = 3

// learnConstants finds the constants among the repeats of a page that has
// fresh rows, and takes them out of the walk. When items are inserted while
// the pass runs, the rows at the end of a page come again at the head of the
// next, in order, above everything fresh. All other repeats are constants.
func (p *Pass) learnConstants(repeats []repeat) {
	var found []string
	for _, r := range repeats {
		if r.below {
			found = append(found, r.key)
		}
	}
	end := p.lastBut(found)
	for _, r := range slices.Backward(repeats) {
		switch {
		case r.below:
		case r.at <= end && end-r.at <= shiftGap:
			end = r.at - 1
		default:
			found = append(found, r.key)
			end = -1
		}
	}
	p.forget(found)
}

// learnPinned finds the items pinned to the top of page 1: they led the last
// pass and lead this one, in the same order, and something new stands below.
func (p *Pass) learnPinned() {
	var found []string
	for i, w := range p.walk {
		if p.base.match(w.Item) != i || i >= len(p.base.items) {
			if p.base.find(w.Key) < 0 {
				p.forget(found)
			}
			return
		}
		found = append(found, w.Key)
	}
}

// lastBut returns the last place of the walk whose link is not in found, or -1.
func (p *Pass) lastBut(found []string) int {
	i := len(p.walk) - 1
	for i >= 0 && slices.Contains(found, p.walk[i].Key) {
		i--
	}
	return i
}

// forget makes the links of found constants: they leave the walk.
func (p *Pass) forget(found []string) {
	if len(found) == 0 {
		return
	}
	for _, key := range found {
		p.constant[key] = true
		p.constantMet[key] = true
		p.learned = append(p.learned, key)
	}
	p.setWalk(slices.DeleteFunc(p.walk, func(w walkRow) bool { return p.constant[w.Key] }))
}

// constants returns what to remember after this pass: the constants that it
// learned, those it met, and for a while those it missed.
func (p *Pass) constants() []Constant {
	var out []Constant
	for _, key := range p.learned {
		out = append(out, Constant{Key: key})
	}
	for _, c := range p.series.Constants {
		if p.constantMet[c.Key] {
			out = append(out, Constant{Key: c.Key})
		} else if c.Age < constantAge {
			out = append(out, Constant{Key: c.Key, Age: c.Age + 1})
		}
	}
	return out[:min(len(out), constantsMax)]
}
