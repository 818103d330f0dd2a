package simulate

import (
	"errors"
	"time"

	"github.com/hashcrawl/hashcrawl/pagination"
)

// ErrKilled is the error of a fetch in which the walker dies: it forgets what
// it has not made durable.
var ErrKilled = errors.New("simulate: killed")

// A Fetch reads one page. Its error is nil or ErrKilled.
type Fetch func(page int) (Listing, error)

// A Walker visits a list.
type Walker interface {
	// Visit reads what the walker thinks it must and returns the links it
	// emits, also those from before it was killed, and whether it claims to
	// have seen everything.
	Visit(now time.Time, fetch Fetch) (emitted []string, complete bool)
}

// SeriesWalker walks as package pagination says, and commits after every page.
type SeriesWalker struct {
	Series pagination.Series
	Limits pagination.Limits
	Slack  time.Duration // of the dates shown
}

// NewSeriesWalker returns a walker that has never visited the list of sc.
func NewSeriesWalker(sc Scenario) *SeriesWalker {
	w := &SeriesWalker{Slack: sc.Granule}
	w.Series.ID.Pattern = pagination.Pattern{Before: "http://list.test/?page=", Step: 1}
	w.Series.Direction = pagination.NewestFirst
	if sc.NewestLast {
		w.Series.Direction = pagination.NewestLast
	}
	return w
}

// Visit makes one pass.
func (w *SeriesWalker) Visit(now time.Time, fetch Fetch) (emitted []string, complete bool) {
	pass := pagination.Begin(w.Series, now, w.Limits)
	for {
		action := pass.Next()
		if action.Done {
			return emitted, w.Series.Complete
		}
		l, err := fetch(action.Page)
		if err != nil {
			return emitted, false
		}
		var v pagination.Verdict
		if l.Found {
			v = pass.Page(pagination.PageSeen{Rows: l.Rows, HasNext: l.HasNext, Last: l.Last, Slack: w.Slack})
		} else {
			v = pass.Fail(pagination.NotFound)
		}
		for _, it := range v.New {
			emitted = append(emitted, it.Key)
		}
		w.Series = pass.Series()
	}
}

// LiteralWalker follows the rule as it is usually told: read on until a page
// shares a link with the last visit.
type LiteralWalker struct {
	last map[string]bool
}

// Visit reads until a page has a link of the last visit.
func (w *LiteralWalker) Visit(_ time.Time, fetch Fetch) (emitted []string, complete bool) {
	known := w.last
	w.last = make(map[string]bool)
	for page := 1; page <= 100; page++ {
		l, err := fetch(page)
		if err != nil {
			return emitted, false
		}
		met := false
		for _, r := range l.Rows {
			met = met || known[r.Key]
			w.last[r.Key] = true
			emitted = append(emitted, r.Key)
		}
		if met || !l.HasNext || known == nil {
			break
		}
	}
	return emitted, true
}
