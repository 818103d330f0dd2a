package simulate

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sort"
	"time"

	"github.com/hashcrawl/hashcrawl/pagination"
)

// start is when every site begins.
var start = time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)

// A post is one item of the list.
type post struct {
	key   string
	born  time.Time
	moved time.Time // born, or bumped: the displayed date
}

// A Site is one list and its future. It is not safe for concurrent use.
type Site struct {
	sc    Scenario
	rng   *rand.Rand
	now   time.Time
	visit int // last interval of which the events are drawn

	posts   []post  // all that ever were
	list    []int32 // indices of posts, newest LAST, so that news costs nothing
	pinned  []int32
	frame   []string // boilerplate links
	framed  int      // drawn so far
	pending []event  // by time
}

// An event changes the list at a time. What it changes depends on the list
// and on u alone.
type event struct {
	at    time.Time
	apply func(s *Site, u float64)
	u     float64
}

// NewSite returns the site of sc that seed gives, at the time of its first
// visit.
func NewSite(sc Scenario, seed uint64) *Site {
	s := &Site{sc: sc, rng: rand.New(rand.NewPCG(seed, 0x68617368)), now: start}
	n := sc.Pages * sc.PageRows
	step := time.Duration(float64(sc.Every) / max(1, sc.News*float64(sc.PageRows)))
	for i := n - 1; i >= 0; i-- {
		s.insert(start.Add(-time.Duration(i+1) * step))
	}
	for range sc.Sticky {
		s.pin(s.rng.Float64())
	}
	for range sc.Boilerplate {
		s.frame = append(s.frame, s.frameLink())
	}
	s.draw()
	return s
}

// Now returns the time on the site.
func (s *Site) Now() time.Time { return s.now }

// VisitAt returns when visit v begins, from 0.
func (s *Site) VisitAt(v int) time.Time { return start.Add(time.Duration(v) * s.sc.Every) }

// AdvanceTo lets happen what happens until t.
func (s *Site) AdvanceTo(t time.Time) {
	for {
		for len(s.pending) > 0 && !s.pending[0].at.After(t) {
			e := s.pending[0]
			s.pending = s.pending[1:]
			s.now = e.at
			e.apply(s, e.u)
		}
		if s.VisitAt(s.visit).After(t) {
			break
		}
		s.draw()
	}
	if t.After(s.now) {
		s.now = t
	}
}

// draw draws the events between two visits.
func (s *Site) draw() {
	from := s.VisitAt(s.visit)
	s.visit++
	at := func(u float64) time.Time { return from.Add(time.Duration(u * float64(s.sc.Every))) }
	add := func(at time.Time, apply func(*Site, float64)) {
		s.pending = append(s.pending, event{at, apply, s.rng.Float64()})
	}
	arrivals := s.poisson(s.sc.News * float64(s.sc.PageRows))
	for range arrivals {
		add(at(s.rng.Float64()), func(s *Site, _ float64) { s.insert(s.now) })
	}
	for range s.poisson(s.sc.Bumps * float64(arrivals)) {
		add(at(s.rng.Float64()), (*Site).bump)
	}
	for range s.poisson(s.sc.Delete * float64(len(s.list))) {
		add(at(s.rng.Float64()), (*Site).remove)
	}
	if s.rng.Float64() < s.sc.Repin {
		add(at(s.rng.Float64()), (*Site).repin)
	}
	if s.rng.Float64() < s.sc.Rotate {
		add(at(s.rng.Float64()), (*Site).rotate)
	}
	if s.rng.Float64() < s.sc.Purge {
		add(at(1).Add(-time.Millisecond), func(s *Site, _ float64) { s.purge(from) })
	}
	sort.SliceStable(s.pending, func(i, j int) bool { return s.pending[i].at.Before(s.pending[j].at) })
}

func (s *Site) insert(at time.Time) {
	s.posts = append(s.posts, post{key: fmt.Sprintf("/item/%d", len(s.posts)+1), born: at, moved: at})
	s.list = append(s.list, int32(len(s.posts)-1))
	if most := s.sc.MaxPages * s.sc.PageRows; most > 0 && len(s.list) > most {
		s.list = s.list[len(s.list)-most:]
	}
}

// bump moves an item to the head: one at an exponentially distributed depth.
func (s *Site) bump(u float64) {
	i := int(-math.Log(1-u) * s.sc.BumpDepth)
	if i >= len(s.list) {
		return
	}
	i = len(s.list) - 1 - i
	p := s.list[i]
	s.posts[p].moved = s.now
	s.list = append(slices.Delete(s.list, i, i+1), p)
}

func (s *Site) remove(u float64) {
	if len(s.list) > 0 {
		i := int(u * float64(len(s.list)))
		s.list = slices.Delete(s.list, i, i+1)
	}
}

// purge deletes the newest items that stood there at the visit at from.
func (s *Site) purge(from time.Time) {
	known := len(s.list)
	for known > 0 && s.posts[s.list[known-1]].moved.After(from) {
		known--
	}
	s.list = slices.Delete(s.list, max(0, known-s.sc.PurgeRows), known)
}

// pin takes one of the newest hundred items out of the list and pins it.
func (s *Site) pin(u float64) {
	if i := len(s.list) - 1 - int(u*100); i >= 0 {
		s.pinned = append(s.pinned, s.list[i])
		s.list = slices.Delete(s.list, i, i+1)
	}
}

// repin exchanges the oldest pin; its item goes back to where its date belongs.
func (s *Site) repin(u float64) {
	if len(s.pinned) == 0 {
		return
	}
	p := s.pinned[0]
	s.pinned = s.pinned[1:]
	i := sort.Search(len(s.list), func(i int) bool { return !s.posts[s.list[i]].moved.Before(s.posts[p].moved) })
	s.list = slices.Insert(s.list, i, p)
	s.pin(u)
}

// rotate exchanges one boilerplate link.
func (s *Site) rotate(u float64) {
	s.frame[int(u*float64(len(s.frame)))] = s.frameLink()
}

func (s *Site) frameLink() string {
	s.framed++
	return fmt.Sprintf("/frame/%d", s.framed)
}

func (s *Site) poisson(mean float64) int {
	if mean <= 0 {
		return 0
	}
	if mean > 30 {
		return max(0, int(math.Round(mean+math.Sqrt(mean)*s.rng.NormFloat64())))
	}
	n, p, limit := 0, s.rng.Float64(), math.Exp(-mean)
	for p > limit {
		n++
		p *= s.rng.Float64()
	}
	return n
}

// A Listing is one index page.
type Listing struct {
	Rows    []pagination.Row
	HasNext bool
	Last    int // highest page number shown
	Found   bool
}

// Page returns page n as it is now.
func (s *Site) Page(n int) Listing {
	last := max(1, (len(s.list)+s.sc.PageRows-1)/s.sc.PageRows)
	shown := n
	if n > last && s.sc.Echo {
		shown = last
	}
	l := Listing{Last: last, HasNext: n < last || s.sc.Echo, Found: shown <= last}
	if !l.Found {
		return l
	}
	posts := s.window(shown)
	if s.sc.Everywhere || shown == 1 {
		for _, p := range s.pinned {
			l.Rows = append(l.Rows, s.row(p))
		}
	}
	// Half of the boilerplate stands within the rows, half at their end.
	half := len(s.frame) / 2
	for i, p := range posts {
		if i == 5 {
			l.Rows = append(l.Rows, frameRows(s.frame[:half])...)
		}
		l.Rows = append(l.Rows, s.row(p))
	}
	l.Rows = append(l.Rows, frameRows(s.frame[half:])...)
	return l
}

// window returns the items on page n, in the order of the page.
func (s *Site) window(n int) []int32 {
	from, to := (n-1)*s.sc.PageRows, min(n*s.sc.PageRows, len(s.list))
	if from >= to {
		return nil
	}
	if s.sc.NewestLast {
		return s.list[from:to]
	}
	posts := slices.Clone(s.list[len(s.list)-to : len(s.list)-from])
	slices.Reverse(posts)
	return posts
}

func (s *Site) row(i int32) pagination.Row {
	p := s.posts[i]
	r := pagination.Row{Key: p.key}
	if g := s.sc.Granule; g > 0 {
		from := p.moved.Truncate(g)
		r.Date = pagination.Interval{From: from, To: from.Add(g)}
	}
	return r
}

func frameRows(links []string) []pagination.Row {
	rows := make([]pagination.Row, len(links))
	for i, l := range links {
		rows[i].Key = l
	}
	return rows
}
