package simulate

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hashcrawl/hashcrawl/pagination"
)

// A target is what a scenario must reach: recall at least, pages ÷ minimum at
// most.
type target struct{ recall, ratio float64 }

// targets holds the scenarios that have another target than theirs.
var targets = map[string]target{
	"3 bumps per arrival, undated": {0.9998, 1.15},
	"head purged, undated":         {0.9999, 1.80},
	"2 % of fetches killed":        {0.9998, 1.10},
	"10 % of fetches killed":       {0.985, 1.20},
	"everything, undated":          {0.997, 1.10},
	"everything, dated":            {0.997, 1.10},
}

func targetOf(sc Scenario) target {
	if t, ok := targets[sc.Name]; ok {
		return t
	}
	return target{0.9999, 1.15}
}

// extent returns how many seeds and visits are simulated: all of them, unless
// the race detector or -short makes that too long.
func extent() (seeds, literalSeeds, visits int) {
	if raceEnabled || testing.Short() {
		return 1, 1, 60
	}
	return 20, 5, 150
}

// TestScenariosReachTheirTargets prints the table of docs/pagination.md:
//
//	go test ./pagination/simulate -run Scenarios -v
func TestScenariosReachTheirTargets(t *testing.T) {
	seeds, literalSeeds, visits := extent()
	scenarios := Scenarios()
	rows := make([]Row, len(scenarios))
	t.Cleanup(func() {
		var b strings.Builder
		if err := WriteTable(&b, rows); err != nil {
			t.Error(err)
		}
		t.Logf("%d seeds × %d visits, the literal rule with %d seeds\n%s", seeds, visits, literalSeeds, b.String())
	})
	for i, sc := range scenarios {
		t.Run(sc.Name, func(t *testing.T) {
			t.Parallel()
			ours := Seeds(sc, seeds, visits, func(sc Scenario) Walker { return NewSeriesWalker(sc) })
			literal := Seeds(sc, literalSeeds, visits, func(Scenario) Walker { return new(LiteralWalker) })
			rows[i] = Row{sc.Name, ours, literal}
			if visits < 150 {
				return // too few for figures
			}
			if want := targetOf(sc); ours.Recall() < want.recall || ours.Ratio() > want.ratio {
				t.Errorf("recall %.5f, ratio %.3f; want %.4f at least, %.2f at most", ours.Recall(), ours.Ratio(), want.recall, want.ratio)
			}
			// What an item that moves or vanishes during the walk hides cannot be
			// seen by anybody; without such items nothing may be claimed falsely.
			if still := sc.Bumps == 0 && sc.Delete == 0; still && ours.False > 0 {
				t.Errorf("falsely complete after %d of %d visits", ours.False, ours.Visits)
			}
		})
	}
}

// TestBumpsAtOtherDepths holds that recall does not hang on how deep the items
// stood that move, nor on the size of a page: which of them do is learned.
// Its bound is coarse: with two seeds, one item is a thousandth of the smallest
// case.
func TestBumpsAtOtherDepths(t *testing.T) {
	seeds, _, visits := extent()
	for _, depth := range []float64{3, 8, 20, 300} {
		for _, size := range []int{10, 30} {
			for _, news := range []float64{0.3, 3} {
				sc := plain(fmt.Sprintf("mean depth %.0f, %d rows, %.1f pages of news", depth, size, news), news)
				sc.Bumps, sc.BumpDepth, sc.PageRows = 3, depth, size
				t.Run(sc.Name, func(t *testing.T) {
					t.Parallel()
					got := Seeds(sc, max(1, seeds/7), visits, func(sc Scenario) Walker { return NewSeriesWalker(sc) })
					if got.Recall() < 0.9985 || got.Ratio() > 1.5 {
						t.Errorf("recall %.5f, ratio %.3f; want 0.9985 at least, 1.5 at most", got.Recall(), got.Ratio())
					}
				})
			}
		}
	}
}

func TestSiteDependsOnItsSeedAlone(t *testing.T) {
	sc := Scenarios()[len(Scenarios())-1]
	read, unread := NewSite(sc, 3), NewSite(sc, 3)
	for v := range 20 {
		read.AdvanceTo(read.VisitAt(v))
		read.Page(1)
	}
	unread.AdvanceTo(unread.VisitAt(19))
	if got, want := fmt.Sprint(read.Page(1), read.Page(2)), fmt.Sprint(unread.Page(1), unread.Page(2)); got != want {
		t.Errorf("pages of a site that was read:\n%s\nof one that was not:\n%s", got, want)
	}
}

// A blind walker reads page 1 only and claims to have seen everything.
type blind struct{}

func (blind) Visit(_ time.Time, fetch Fetch) (emitted []string, complete bool) {
	l, err := fetch(1)
	for _, r := range l.Rows {
		emitted = append(emitted, r.Key)
	}
	return emitted, err == nil
}

func TestScoreSeesWhatIsMissed(t *testing.T) {
	got := Run(plain("fast", 3), 1, 30, blind{})
	if got.Recall() > 0.5 || got.False < 25 || got.Ratio() > 0.5 {
		t.Errorf("a walker that reads page 1 of 3: recall %.3f, falsely complete %d of %d, ratio %.3f", got.Recall(), got.False, got.Visits, got.Ratio())
	}
}

// TestEveryStopHasAReason holds that the scenarios end for the reasons that
// their names promise.
func TestEveryStopHasAReason(t *testing.T) {
	want := map[string]pagination.Reason{
		"clean, 3 pages a visit": pagination.Overlap,
		"head purged, dated":     pagination.Watermark,
		"head purged, undated":   pagination.Patience,
	}
	for _, sc := range Scenarios() {
		reason, ok := want[sc.Name]
		if !ok {
			continue
		}
		w := &counting{SeriesWalker: NewSeriesWalker(sc), reasons: make(map[pagination.Reason]int)}
		Run(sc, 1, 60, w)
		if w.reasons[reason] == 0 {
			t.Errorf("%s: no pass ended by %v: %v", sc.Name, reason, w.reasons)
		}
	}
}

// A counting walker counts why its passes stopped.
type counting struct {
	*SeriesWalker
	reasons map[pagination.Reason]int
}

func (w *counting) Visit(now time.Time, fetch Fetch) (emitted []string, complete bool) {
	emitted, complete = w.SeriesWalker.Visit(now, fetch)
	w.reasons[w.Series.Certificate.Reason]++
	return emitted, complete
}
