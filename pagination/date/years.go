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
	impossible    = 1 << 30
)

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
	if !open {
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

// yearsBack returns for each of the rows, newest first, by how many years its
// date is to be moved back, and what the best choice costs.
func yearsBack(dates []Date, rows []int) (back []int, total int) {
	const choices = maxYearsBack + 1
	type step struct {
		cost [choices]int
		from [choices]int
	}
	steps := make([]step, len(rows))
	for n, i := range rows {
		for k := range choices {
			steps[n].cost[k] = impossible
			at, ok := yearsBefore(dates[i].From, k)
			if !ok || k > 0 && dates[i].YearKnown {
				continue
			}
			if n == 0 {
				steps[n].cost[k] = k * costEarlyYear
				continue
			}
			prev := dates[rows[n-1]]
			for p := range choices {
				before, ok := yearsBefore(prev.To, p)
				if !ok || steps[n-1].cost[p] == impossible {
					continue
				}
				cost := steps[n-1].cost[p]
				if !at.Before(before) {
					cost += costDisorder
				}
				if !dates[i].YearKnown {
					cost += yearCost(n, k-p)
				}
				if cost < steps[n].cost[k] {
					steps[n].cost[k], steps[n].from[k] = cost, p
				}
			}
		}
	}
	last := &steps[len(steps)-1]
	k := 0
	for p := range choices {
		if last.cost[p] < last.cost[k] {
			k = p
		}
	}
	total = last.cost[k]
	back = make([]int, len(rows))
	for n := len(rows) - 1; n >= 0; n-- {
		back[n] = k
		k = steps[n].from[k]
	}
	return back, total
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
