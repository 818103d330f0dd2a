package date

import (
	"slices"
	"time"
)

// Costs of a choice of years. A row out of order costs about as much as one
// more year between two rows; less where enough rows stand before that year,
// more where the rows before it may be pinned ones.
const (
	costDisorder  = 10
	costYear      = 9
	costEarlyYear = 15
	earlyRows     = 3
	maxYearsBack  = 6
	maxCost       = 1 << 30
)

// impossible marks a choice without a date, as of a leap day.
const impossible = -1 << 63

// decideYears moves the dates whose year is not written as many years back as
// keeps the column in order, newest or oldest first, whichever fits better.
func (c *column) decideYears(dates []Date) {
	rows := make([]int, 0, len(dates))
	open := false
	for i := range dates {
		if !dates[i].IsZero() {
			rows = append(rows, i)
			open = open || !dates[i].YearKnown
		}
	}
	if !open || inOrder(dates, rows) {
		return
	}
	back, cost := yearsBack(dates, rows)
	slices.Reverse(rows)
	if backUp, costUp := yearsBack(dates, rows); costUp < cost {
		back = backUp
	} else {
		slices.Reverse(rows)
	}
	for n, i := range rows {
		if back[n] > 0 {
			dates[i].From, _ = yearsBefore(dates[i].From, back[n])
			dates[i].To, _ = yearsBefore(dates[i].To, back[n])
		}
	}
}

// inOrder reports whether the dates stand newest or oldest first as they are.
func inOrder(dates []Date, rows []int) bool {
	var line steps
	for _, i := range rows {
		line.add(dates[i].From)
	}
	return line.against() == 0
}

// choices are the numbers of years that a date may be moved back: 0 to
// maxYearsBack.
const choices = maxYearsBack + 1

// A yearStep is one row of the search for the best years.
type yearStep struct {
	from, to [choices]int64 // the interval if moved, Unix seconds; from is impossible where it cannot be
	cost     [choices]int   // of the best choices up to this row, by this row's
	prev     [choices]int   // the choice of the row before that gave the cost
	written  bool           // the year is
}

// yearsBack returns for each of the rows, newest first, by how many years its
// date is to be moved back, and what the best choice costs.
func yearsBack(dates []Date, rows []int) (back []int, total int) {
	steps := make([]yearStep, len(rows))
	for n, i := range rows {
		steps[n].place(&dates[i])
		if n == 0 {
			for k := range choices {
				steps[0].cost[k] = k * costEarlyYear
			}
			continue
		}
		steps[n].choose(n, &steps[n-1])
	}
	last := &steps[len(steps)-1]
	k := 0
	for p := range choices {
		if last.from[p] != impossible && last.cost[p] < last.cost[k] {
			k = p
		}
	}
	total = last.cost[k]
	back = make([]int, len(rows))
	for n := len(rows) - 1; n >= 0; n-- {
		back[n] = k
		k = steps[n].prev[k]
	}
	return back, total
}

// place sets where the date would be for each choice.
func (s *yearStep) place(d *Date) {
	s.written = d.YearKnown
	for k := range choices {
		from, ok := yearsBefore(d.From, k)
		if !ok || k > 0 && d.YearKnown {
			s.from[k] = impossible
			continue
		}
		to, _ := yearsBefore(d.To, k)
		s.from[k], s.to[k] = from.Unix(), to.Unix()
	}
}

// choose finds for each choice of row n the best one of the row before.
func (s *yearStep) choose(n int, before *yearStep) {
	for k := range choices {
		s.cost[k] = maxCost
		if s.from[k] == impossible {
			continue
		}
		for p := range choices {
			if before.from[p] == impossible {
				continue
			}
			cost := before.cost[p]
			if s.from[k] >= before.to[p] {
				cost += costDisorder
			}
			if !s.written {
				cost += yearCost(n, k-p)
			}
			if cost < s.cost[k] {
				s.cost[k], s.prev[k] = cost, p
			}
		}
	}
}

func yearCost(row, years int) int {
	switch {
	case years < 0:
		return -years * costDisorder
	case row < earlyRows:
		return years * costEarlyYear
	}
	return years * costYear
}

// yearsBefore returns the same day of an earlier year; there is none for some
// leap days.
func yearsBefore(t time.Time, years int) (time.Time, bool) {
	if years == 0 {
		return t, true
	}
	before := t.AddDate(-years, 0, 0)
	return before, before.Day() == t.Day()
}
