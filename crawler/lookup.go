package crawler

import (
	"cmp"
	"slices"

	"github.com/hashcrawl/hashcrawl/ajaxscheme"
	"github.com/hashcrawl/hashcrawl/crawler/export"
	"github.com/hashcrawl/hashcrawl/frontier"
	"github.com/hashcrawl/hashcrawl/storage"
	"github.com/hashcrawl/hashcrawl/urlnorm"
)

// Rows calls fn with the pages of a crawl: those that are indexed, or, with
// all, every URL that was discovered.
func Rows(db *storage.DB, all bool, fn func(*export.Row) error) error {
	if !all {
		return db.Pages(func(e frontier.Entry, p storage.Page) error {
			if p.Outcome != frontier.Indexed {
				return nil
			}
			return fn(&export.Row{Entry: e, Page: p, RequestURL: requestedAs(&e)})
		})
	}
	norm, err := normOf(db)
	if err != nil {
		return err
	}
	return db.Hosts(func(h frontier.Host) error {
		late, err := refusedOf(db, norm, h)
		if err != nil {
			return err
		}
		return db.HostEntries(h, func(e frontier.Entry) error {
			if over, err := late.isOver(&e); over || err != nil {
				return err
			}
			p, found, err := db.Page(e.ID)
			if err != nil {
				return err
			}
			if found && p.Outcome == frontier.OptedIn {
				return nil // its snapshot stands for it
			}
			return fn(&export.Row{Entry: e, Page: p, RequestURL: requestedAs(&e)})
		})
	})
}

// normOf returns the normaliser under which the keys of a crawl were made.
func normOf(db *storage.DB) (*urlnorm.Normalizer, error) {
	config, err := db.Config()
	if err != nil {
		return nil, err
	}
	s := &Settings{}
	if config != nil {
		if s, err = ParseSettings(config); err != nil {
			return nil, err
		}
	}
	return s.Normalizer()
}

// refusals are the URLs of one host that were refused, in the order of a hash of
// the key. One that was queued later, for a better reason or under other settings,
// has two entries, of which the refused one comes last, as its class does.
type refusals struct {
	db   *storage.DB
	norm *urlnorm.Normalizer
	all  []refusal
}

type refusal struct {
	key  uint64
	seq  uint32 // of the refused entry
	over bool   // it was queued
}

func refusedOf(db *storage.DB, norm *urlnorm.Normalizer, h frontier.Host) (refusals, error) {
	rs := refusals{db: db, norm: norm}
	if h.Refused == 0 {
		return rs, nil
	}
	err := db.HostEntries(h, func(e frontier.Entry) error {
		if e.Class == frontier.ClassRefused {
			rs.all = append(rs.all, refusal{key: rs.hash(e.URL), seq: e.Seq})
		}
		return nil
	})
	slices.SortFunc(rs.all, func(a, b refusal) int { return cmp.Compare(a.key, b.key) })
	return rs, err
}

// isOver reports whether e is refused, but was queued all the same. What was
// queued without a parent, because the settings have changed, gets that of the
// refused link. It is called with the entries in their order.
func (rs refusals) isOver(e *frontier.Entry) (bool, error) {
	if len(rs.all) == 0 {
		return false, nil
	}
	i, known := slices.BinarySearchFunc(rs.all, rs.hash(e.URL), func(r refusal, key uint64) int { return cmp.Compare(r.key, key) })
	if !known || e.Class == frontier.ClassRefused {
		return known && rs.all[i].over, nil
	}
	rs.all[i].over = true
	if !e.Parent.IsZero() || e.Via == frontier.ViaSeed {
		return false, nil
	}
	first, found, err := rs.db.Entry(frontier.ID{Host: e.Host, Class: frontier.ClassRefused, Seq: rs.all[i].seq})
	if found {
		e.Parent, e.Found = first.Parent, first.Found
	}
	return false, err
}

func (rs refusals) hash(url string) uint64 {
	if u, err := rs.norm.Resolve(nil, url, urlnorm.Charset{}); err == nil {
		url = u.Key
	}
	return hashBody([]byte(url))
}

// WithParents returns fn for rows whose FoundOn is to be filled in first. That is
// a look into the crawl file, but for a row found on the same page as the last.
func WithParents(db *storage.DB, fn func(*export.Row) error) func(*export.Row) error {
	var last frontier.ID
	url, wasSnapshot := "", false
	return func(r *export.Row) error {
		isSnapshot := r.Via == frontier.ViaSnapshot
		if r.Parent != last || isSnapshot != wasSnapshot {
			e, _, err := db.Entry(r.Parent)
			if err == nil && isSnapshot { // of the page itself, which was found elsewhere
				e, _, err = db.Entry(e.Parent)
			}
			if err != nil {
				return err
			}
			last, url, wasSnapshot = r.Parent, e.URL, isSnapshot
		}
		r.FoundOn = url
		return fn(r)
	}
}

// requestedAs returns the URL that is requested for an entry.
func requestedAs(e *frontier.Entry) string {
	toUgly := ajaxscheme.Ugly
	if e.Snapshot {
		toUgly = ajaxscheme.UglyPlain
	}
	if ugly, err := toUgly(e.URL); err == nil {
		return string(ugly)
	}
	return e.URL
}

// A Record is one entry of a URL's history.
type Record struct {
	frontier.Entry
	Page   *storage.Page // nil if nothing came of it yet
	Parent string        // display URL of the page where it was found; "" for seeds
}

// History returns what a crawl knows of a URL: every entry whose key is that
// of u, in the order of discovery. It is empty for a URL that was never seen.
func History(db *storage.DB, norm *urlnorm.Normalizer, u urlnorm.URL) ([]Record, error) {
	var records []Record
	h, found, err := db.HostNamed(u.Host())
	if err != nil || !found {
		return nil, err
	}
	err = db.HostEntries(h, func(e frontier.Entry) error {
		if e.URL != u.Display {
			if known, err := norm.Resolve(nil, e.URL, urlnorm.Charset{}); err != nil || known.Key != u.Key {
				return nil
			}
		}
		records = append(records, Record{Entry: e})
		return nil
	})
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(records, func(a, b Record) int {
		if c := a.Found.Compare(b.Found); c != 0 {
			return c
		}
		return int(a.Via) - int(b.Via) // a snapshot comes after its page
	})
	for i := range records {
		r := &records[i]
		p, found, err := db.Page(r.ID)
		if err != nil {
			return nil, err
		}
		if found {
			r.Page = &p
		}
		parent, found, err := db.Entry(r.Entry.Parent)
		if err != nil {
			return nil, err
		}
		if found {
			r.Parent = parent.URL
		}
	}
	return records, nil
}

// Outcome returns what became of the entry so far.
func (r *Record) Outcome() frontier.Outcome {
	switch {
	case r.Class == frontier.ClassRefused:
		return r.Refusal
	case r.Page != nil:
		return r.Page.Outcome
	}
	return frontier.Waiting
}

// OutcomeOf returns what became of a URL whose history is not empty: that of
// its last entry that was queued, or else why it was refused.
func OutcomeOf(history []Record) frontier.Outcome {
	best := history[0]
	for _, r := range history[1:] {
		queued, bestQueued := r.Class != frontier.ClassRefused, best.Class != frontier.ClassRefused
		if queued && !bestQueued || queued == bestQueued && !r.Found.Before(best.Found) {
			best = r
		}
	}
	return best.Outcome()
}

// A Status tells where a crawl stands.
type Status struct {
	Known    uint64            `json:"known"`              // URLs ever discovered
	Fetched  uint64            `json:"fetched"`            // answered with something of use
	Indexed  uint64            `json:"indexed"`            // listed by exports
	Waiting  uint64            `json:"waiting"`            // to be fetched, paused hosts included
	Leased   int               `json:"leased"`             // being fetched now
	Refused  map[string]uint64 `json:"refused"`            // never requested, by reason
	Failed   uint64            `json:"failed"`             // gave no usable answer
	Hosts    uint64            `json:"hosts"`              // ever discovered
	Series   uint64            `json:"series"`             // paginated series known
	Other    map[string]uint64 `json:"other"`              // fetched but not indexed, by reason
	Failures map[string]uint64 `json:"failures"`           // failed, by reason
	Traps    map[string]uint64 `json:"traps"`              // refused as traps, by rule
	Paused   []PausedHost      `json:"paused"`             // hosts that wait for longer than their gap
	PerHost  []HostFigures     `json:"per_host,omitempty"` // by AddHosts
	Settings *Settings         `json:"settings"`
}

// A PausedHost is a host that gets no requests for now.
type PausedHost struct {
	Host    string `json:"host"`
	Why     string `json:"why"`
	Until   string `json:"until"` // in UTC
	Waiting uint64 `json:"waiting"`
	// Unreachable: no request to it was ever answered as it should be, the one
	// for its robots.txt included.
	Unreachable bool `json:"unreachable"`
}

// ReadStatus reads where the crawl in db stands.
func ReadStatus(db *storage.DB) (*Status, error) {
	counts, err := db.Counts()
	if err != nil {
		return nil, err
	}
	s := &Status{
		Known: counts.Known(), Fetched: counts.Sum(frontier.Outcome.Fetched), Indexed: counts[frontier.Indexed],
		Waiting: counts[frontier.Waiting], Failed: counts[frontier.Failed],
		Refused: map[string]uint64{}, Other: map[string]uint64{}, Failures: map[string]uint64{}, Traps: map[string]uint64{}, Paused: []PausedHost{},
	}
	for o := range frontier.NumOutcomes {
		switch {
		case counts[o] == 0 || o == frontier.Indexed:
		case o.Refused():
			s.Refused[o.String()] = counts[o]
		case o.Fetched():
			s.Other[o.String()] = counts[o]
		}
	}
	config, err := db.Config()
	if err != nil {
		return nil, err
	}
	if config == nil { // killed before anything was done
		config = []byte("{}")
	}
	if s.Settings, err = ParseSettings(config); err != nil {
		return nil, err
	}
	if u := s.Settings.ProxyURL(); u != nil {
		s.Settings.Proxy = u.Redacted()
	}
	err = db.Hosts(func(h frontier.Host) error {
		s.Hosts++
		if h.Pause != frontier.NotPaused {
			s.Paused = append(s.Paused, PausedHost{
				Host: h.Name, Why: h.Pause.String(), Until: h.Next.UTC().Format(statusTime), Waiting: h.Waiting(),
				Unreachable: h.Requests == h.Errors,
			})
		}
		return nil
	})
	if err == nil && counts[frontier.Trap] > 0 {
		err = db.Refused(func(e frontier.Entry) error {
			if e.Refusal == frontier.Trap {
				s.Traps[e.Rule]++
			}
			return nil
		})
	}
	if err == nil {
		err = db.AllSeries(func(of storage.Series) error {
			if of.Candidate == 0 {
				s.Series++
			}
			return nil
		})
	}
	if err != nil || s.Failed == 0 {
		return s, err
	}
	err = db.Pages(func(_ frontier.Entry, p storage.Page) error {
		if p.Outcome == frontier.Failed {
			s.Failures[failureKind(p.Reason)]++
		}
		return nil
	})
	return s, err
}

// failureKind returns the part of a failure's reason that many pages share.
func failureKind(reason string) string {
	for i := range len(reason) {
		if reason[i] == ':' {
			return reason[:i]
		}
	}
	return reason
}
