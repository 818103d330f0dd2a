package simulate

import "time"

// A Scenario says what happens on a site. Counts of rows and pages are of
// items in order of time; pinned posts and boilerplate stand beside them.
type Scenario struct {
	Name string

	PageRows int           // items on a page
	Pages    int           // pages of items at the beginning
	MaxPages int           // the oldest items leave the list beyond so many pages; 0 for never
	Every    time.Duration // between two visits
	Fetch    time.Duration // that reading one page takes
	News     float64       // pages of new items between two visits, on average

	Sticky     int     // posts pinned above the items
	Everywhere bool    // they stand on every page and not on page 1 only
	Repin      float64 // chance, per visit, that one of them is exchanged

	Boilerplate int     // links of the frame inside the block, on every page
	Rotate      float64 // chance, per visit, that one of them is exchanged

	Delete    float64 // part of the items deleted between two visits
	Purge     float64 // chance, per visit, that the newest known items are all deleted
	PurgeRows int     // how many

	Bumps     float64 // known items that move to the head, per new item
	BumpDepth float64 // how deep they stood, on average

	Granule time.Duration // of the displayed dates; 0 for none
	Kill    float64       // chance, per fetch, that the walker is killed

	Echo       bool // pages beyond the end show the last page, and a link to the next
	NewestLast bool // page 1 has the oldest items
}

// plain is a list on which nothing but news happens.
func plain(name string, news float64) Scenario {
	return Scenario{
		Name: name, PageRows: 20, Pages: 60, Every: 6 * time.Hour, Fetch: time.Second, News: news, BumpDepth: 60, PurgeRows: 300,
	}
}

// with returns s changed by f.
func (s Scenario) with(f func(*Scenario)) Scenario {
	f(&s)
	return s
}

// Scenarios returns the scenarios that are measured.
func Scenarios() []Scenario {
	dated := func(s *Scenario) { s.Granule = time.Minute }
	everything := func(s *Scenario) {
		s.Every, s.Fetch = 2*time.Hour, time.Minute
		s.Sticky, s.Everywhere, s.Repin = 5, true, 0.2
		s.Boilerplate, s.Rotate = 8, 0.1
		s.Delete, s.Purge, s.PurgeRows = 0.1, 0.1, 40
		s.Bumps, s.Kill, s.Echo = 1, 0.02, true
	}
	return []Scenario{
		plain("clean, 0.3 pages a visit", 0.3),
		plain("clean, 3 pages a visit", 3),
		plain("shifts during the walk", 3).with(func(s *Scenario) { s.Every, s.Fetch = time.Hour, time.Minute }),
		plain("5 sticky, fixed, on page 1", 1).with(func(s *Scenario) { s.Sticky = 5 }),
		plain("5 sticky, fixed, on every page", 1).with(func(s *Scenario) { s.Sticky, s.Everywhere = 5, true }),
		plain("5 sticky, re-pinned, on page 1", 1).with(func(s *Scenario) { s.Sticky, s.Repin = 5, 0.2 }),
		plain("5 sticky, re-pinned, on every page", 1).with(func(s *Scenario) { s.Sticky, s.Everywhere, s.Repin = 5, true, 0.2 }),
		plain("8 boilerplate links", 1).with(func(s *Scenario) { s.Boilerplate, s.Rotate = 8, 0.1 }),
		plain("10 % deleted a visit", 1).with(func(s *Scenario) { s.Delete = 0.1 }),
		plain("head purged, undated", 1).with(func(s *Scenario) { s.Purge, s.Pages = 0.1, 240 }),
		plain("head purged, dated", 1).with(func(s *Scenario) { s.Purge, s.Pages = 0.1, 240 }).with(dated),
		plain("1 bump per arrival, undated", 1).with(func(s *Scenario) { s.Bumps = 1 }),
		plain("1 bump per arrival, dated", 1).with(func(s *Scenario) { s.Bumps = 1 }).with(dated),
		plain("3 bumps per arrival, undated", 1).with(func(s *Scenario) { s.Bumps = 3 }),
		plain("3 bumps per arrival, dated", 1).with(func(s *Scenario) { s.Bumps = 3 }).with(dated),
		plain("2 % of fetches killed", 3).with(func(s *Scenario) { s.Kill = 0.02 }),
		plain("10 % of fetches killed", 3).with(func(s *Scenario) { s.Kill = 0.1 }),
		plain("echo beyond the end", 1.5).with(func(s *Scenario) { s.Echo, s.Pages, s.MaxPages = true, 3, 3 }),
		plain("newest on the last page", 1).with(func(s *Scenario) { s.NewestLast = true }),
		plain("everything, undated", 1).with(everything),
		plain("everything, dated", 1).with(everything).with(dated),
	}
}
