package pagination

import (
	"testing"
	"time"
)

func TestScheduleVisitsWhenMostOfAPageIsNew(t *testing.T) {
	hours := func(h float64) time.Duration { return time.Duration(h * float64(time.Hour)) }
	visited := func(every time.Duration, news ...int) Series {
		s := Series{Tried: day0, Complete: true}
		s.Pace.Rows = 20
		for _, n := range news {
			s.Pace.add(every, n, n)
		}
		return s
	}
	broken := func(failures int) Series {
		s := visited(hours(6), 5, 5, 5)
		s.Complete, s.Failures, s.Certificate.Reason = false, failures, ServerError
		return s
	}
	for _, tc := range []struct {
		name     string
		series   Series
		schedule Schedule
		from, to time.Duration // after the last pass
	}{
		{"never counted", Series{Tried: day0, Complete: true}, Schedule{}, hours(6), hours(6)},
		{"ten items in six hours", visited(hours(6), 10, 10, 10, 10), Schedule{}, hours(7), hours(8)},
		{"six pages in an hour", visited(hours(1), 120, 120, 120), Schedule{}, 15 * time.Minute, 15 * time.Minute},
		{"six pages in an hour, often", visited(hours(1), 120, 120, 120), Schedule{Min: time.Minute}, 6 * time.Minute, 7 * time.Minute},
		{"half a page is wanted", visited(hours(6), 10, 10, 10, 10), Schedule{Fill: 0.5}, hours(5.5), hours(6)},
		{"one quiet pass", visited(hours(6), 0), Schedule{}, hours(12), hours(12)},
		{"long quiet", visited(hours(24), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0), Schedule{}, hours(48), hours(48)},
		{"very long quiet", visited(hours(100), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0), Schedule{Max: hours(24)}, hours(24), hours(24)},
		{"broken once", broken(1), Schedule{}, 30 * time.Minute, 30 * time.Minute},
		{"broken four times", broken(4), Schedule{}, hours(4), hours(4)},
		{"broken very often", broken(40), Schedule{}, hours(10), hours(16)},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := tc.schedule.Next(tc.series).Sub(day0); got < tc.from || got > tc.to {
				t.Errorf("next visit after %v, want %v to %v", got, tc.from, tc.to)
			}
		})
	}
}

func TestFirstPassTakesThePaceFromDates(t *testing.T) {
	s := walk(t, numbered(), day0, Limits{}, func(a Action) (PageSeen, Reason) {
		p := shelf{count("i", 200, 1), 20}.page(a.Page)
		for i := range p.Rows {
			from := day0.Add(-time.Duration((a.Page-1)*20+i) * time.Hour)
			p.Rows[i].Date = Interval{from, from.Add(time.Minute)}
		}
		return p, Running
	}).series
	if perHour := s.Pace.Rate() * 3600; perHour < 0.9 || perHour > 1.1 {
		t.Errorf("estimated %.2f items an hour, want 1", perHour)
	}
}

func TestDirectionIsReadFromDates(t *testing.T) {
	dated := func(hours ...int) []Row {
		var out []Row
		for i, h := range hours {
			from := day0.Add(time.Duration(h) * time.Hour)
			out = append(out, Row{Key: count("i", i, i)[0], Date: Interval{from, from.Add(time.Hour)}})
		}
		return out
	}
	for _, tc := range []struct {
		name string
		rows []Row
		want Direction
	}{
		{"falling", dated(9, 8, 7, 6, 5, 4), NewestFirst},
		{"rising", dated(1, 2, 3, 4, 5, 6), NewestLast},
		{"too few", dated(1, 2, 3), Undecided},
		{"no dates", rows("a", "b", "c", "d", "e", "f", "g"), Undecided},
		{"an old pinned post above", dated(1, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10), NewestFirst},
		{"no order", dated(5, 1, 9, 2, 8, 3, 7), Undecided},
	} {
		if got := DirectionOf(tc.rows); got != tc.want {
			t.Errorf("%s: DirectionOf = %v, want %v", tc.name, got, tc.want)
		}
	}
}
