package pagination

import (
	"cmp"
	"time"
)

// Pace is how fast news comes, as passes have counted it. Old passes fade: the
// last four count for two thirds.
type Pace struct {
	Passes  int     // complete passes counted
	Items   float64 // new items in Seconds
	Deep    float64 // rows above the first one that had not moved, in Seconds
	Seconds float64
	Between float64 // seconds between the last two complete passes
	Rows    int     // item rows on a page
}

// paceFade is what a pass leaves of the weight of those before it.
const paceFade = 0.75

// add counts a complete pass that came elapsed after the one before and found
// so many new items in so many rows above the known ones.
func (p *Pace) add(elapsed time.Duration, items, deep int) {
	seconds := elapsed.Seconds()
	if seconds <= 0 {
		return
	}
	p.Passes++
	p.Items = p.Items*paceFade + float64(items)
	p.Deep = p.Deep*paceFade + float64(deep)
	p.Seconds = p.Seconds*paceFade + seconds
	p.Between = seconds
}

// fromDates takes the pace from the dates of a first pass.
func (p *Pace) fromDates(walk []walkRow) {
	var newest, oldest time.Time
	dated := 0
	for _, w := range walk {
		if w.Date.IsZero() {
			continue
		}
		dated++
		if newest.IsZero() || w.Date.From.After(newest) {
			newest = w.Date.From
		}
		if oldest.IsZero() || w.Date.From.Before(oldest) {
			oldest = w.Date.From
		}
	}
	if span := newest.Sub(oldest).Seconds(); dated >= 5 && span > 0 {
		p.Items, p.Deep, p.Seconds = float64(dated-1), float64(dated-1), span
	}
}

// Rate returns the estimated number of new items in a second, never 0: half an
// item is added to what was counted, for what may come the next moment.
func (p *Pace) Rate() float64 {
	if p.Seconds <= 0 {
		return 0
	}
	return (p.Items + 0.5) / p.Seconds
}

// depth returns how many rows are expected above the known ones after elapsed.
func (p *Pace) depth(elapsed time.Duration) float64 {
	if p.Seconds <= 0 {
		return 0
	}
	return (p.Deep + 0.5) / p.Seconds * elapsed.Seconds()
}

// A Schedule bounds when series are visited. The zero value is the default.
type Schedule struct {
	Min  time.Duration // least time between two passes; 0 means 15 minutes
	Max  time.Duration // most; 0 means 7 days
	Fill float64       // part of a page that is to be new; 0 means 0.65
}

func (s Schedule) withDefaults() Schedule {
	s.Min = cmp.Or(s.Min, 15*time.Minute)
	s.Max = max(cmp.Or(s.Max, 7*24*time.Hour), s.Min)
	s.Fill = cmp.Or(s.Fill, 0.65)
	return s
}

// firstRevisit is when a series without any estimate is visited again.
const firstRevisit = 6 * time.Hour

// Next returns when s, as a pass left it, is due, for Series.NextVisit: when
// Fill of a page is new, not sooner than Min and not later than Max after the
// last pass. After a quiet pass the interval grows to twice the last one at
// most. After a broken pass it is tried again after Min, doubled with each
// failure, if the regular visit does not come first.
func (c Schedule) Next(s Series) time.Time {
	c = c.withDefaults()
	wait := firstRevisit
	if rate := s.Pace.Rate(); rate > 0 {
		seconds := c.Fill * float64(max(s.Pace.Rows, 1)) / rate
		wait = time.Duration(min(seconds, c.Max.Seconds()) * float64(time.Second))
		if s.Pace.Passes > 0 && s.Pace.Items < 0.5 {
			wait = min(wait, time.Duration(2*s.Pace.Between*float64(time.Second)))
		}
	}
	if !s.Complete && s.Certificate.Reason.Broken() {
		wait = min(wait, c.Min<<min(s.Failures, 10))
	}
	return storedTime(s.Tried.Add(min(max(wait, c.Min), c.Max)))
}
