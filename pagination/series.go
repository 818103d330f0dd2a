package pagination

import (
	"slices"
	"time"
)

// Bounds of what a series keeps.
const (
	// HeadMax is how many item links the head has at most, each with its key
	// and its date.
	HeadMax = 300
	// OlderMax is how many links are remembered, by a short hash, after the
	// head has let them go: the order of these proves an overlap after the
	// whole head was purged, at four bytes a link.
	OlderMax = 1200
	// SegmentsMax is how many interrupted passes are remembered.
	SegmentsMax = 4
	// segmentMax is how many item links a segment keeps, the first and the
	// last in equal parts.
	segmentMax = 300
	// gapsMax is how many open gaps are told apart; the oldest become one.
	gapsMax = 4
	// deepMax is how many item links are kept of the lowest page read.
	deepMax = 20
	// constantsMax is how many constants a series remembers.
	constantsMax = 64
	// constantAge is how many passes in a row may miss a constant before it
	// is an item link like others again.
	constantAge = 8
	// metMax is how many of the known items that a pass met its certificate
	// names: the last ones, which proved the overlap.
	metMax = 20
)

// A Direction says at which end of a series its newest items stand. It is
// decided by the dates on the pages, never by words such as "older".
type Direction uint8

// The directions. An Undecided series is walked from page 1.
const (
	Undecided Direction = iota
	NewestFirst
	NewestLast
)

// String returns the word that reports use.
func (d Direction) String() string {
	switch d {
	case NewestFirst:
		return "newest-first"
	case NewestLast:
		return "newest-last"
	default:
		return "undecided"
	}
}

// A Series is what is kept of a time-ordered set of index pages between two
// passes. It is a plain value: a Pass works on a copy. The zero value but for
// ID and Direction is a series never read.
type Series struct {
	ID        Identity
	Direction Direction
	Last      int // NewestLast: the highest page read; 0 if none was

	// Head are the item links of the base, newest first, Older the short
	// hashes of those that came after them.
	Head  []Item
	Older []uint32

	// Watermark is the newest date of the last complete pass, pinned items
	// apart; zero if the items are undated.
	Watermark Interval

	Segments  []Segment  // newest first
	Constants []Constant // links that stand on every page
	Order     Order      // what passes taught about the order
	Pace      Pace       // how fast news comes

	Deep    Backlog // what lies below all that was read
	Filling Filling // of the gaps, and of that

	Begun    time.Time // when the pass began that made Head; zero before the first
	Tried    time.Time // when the last pass began
	PageOne  uint64    // hash of page 1's rows in the last complete pass, 0 if unknown
	Complete bool      // the last pass saw all that was new
	Failures int       // broken passes in a row, at one page and for one reason
	Broke    int       // the page at which the last of them broke

	Certificate Certificate // of the last pass
	Gaps        []Gap       // left by passes before and by the last, still open, oldest first
	NextVisit   time.Time   // as a Schedule says; a pass leaves it alone
}

// A Segment is what an interrupted pass read, newest first: a contiguous part
// of the list. Between two segments, and between the last one and the base,
// there are items that nobody has read.
type Segment struct {
	Front   []Item
	Omitted int    // item links read after Front and not kept
	Back    []Item // the last ones, if any were omitted
	NextURL string // of the page that followed, where pages have no numbers
	Begun   time.Time
}

// A Backlog is the older part of a list, which the first pass has left and
// which is read when asked for.
type Backlog struct {
	Hole      // has no lower end
	Read bool // to the end: nothing is left
}

// A Constant is a link that stands on every page: a pinned post, an
// advertisement, a link of the site's frame. It proves nothing.
type Constant struct {
	Key string
	Age int // passes since it was last met
}

// Order is what passes taught about how the list is ordered.
type Order struct {
	// Moved counts known items, in the version known, that stood above new
	// ones: they moved up, and no date showed it. Above counts all rows above
	// the lowest new one, Ranks adds up the ranks that the moved ones had.
	// They fade: the last fifty passes count for two thirds.
	Moved, Above, Ranks float64

	DatePairs  int // pairs of dated neighbours seen
	Inversions int // of these, the lower one is newer
}

// share returns the part of the rows above the tail that is known items. With
// nothing learned it is one half, and four rows of news are as good as that.
func (o Order) share() float64 { return (o.Moved + 2) / (o.Above + 4) }

// byDate tells whether the displayed dates order the list: neighbours in the
// wrong order are rarer than one in fifty, so that a pinned post or a wrong
// clock does not decide.
func (o Order) byDate() bool { return o.DatePairs >= 10 && o.Inversions*50 <= o.DatePairs }

// strictly tells whether no two dated neighbours ever stood in the wrong order.
func (o Order) strictly() bool { return o.DatePairs >= 10 && o.Inversions == 0 }

// A Certificate says what the last pass can prove.
type Certificate struct {
	Reason Reason
	Pages  int   // pages read
	Rows   int   // item links seen, each once
	New    int   // of these, not known before
	Met    []Met // known items met, in the order they were met, the last ones
	// Absent counts known items that should have stood above the last one
	// met and did not: deleted, or hidden.
	Absent int
	// Gap tells what was not seen; nil if nothing is open.
	Gap *Gap
}

// A Met is one known item that proved an overlap.
type Met struct {
	Key  string
	Page int
	Rank int // its place in the base, from 0, newest first
}

// A Gap is a part of the list that no pass has read: below the item After,
// which stood on page Page, and above the item Before.
type Gap struct {
	After  string // "" if nothing was read
	Before string // "" if it reaches to the end of the list
	Page   int
	Since  time.Time // beginning of the pass that left it
	Hole   Hole      // for a backfill; not in certificates
}

// Known returns how many item links s remembers.
func (s *Series) Known() int { return len(s.Head) + len(s.Older) }

// clone returns a copy of s that shares nothing that a pass changes.
func (s *Series) clone() Series {
	c := *s
	c.Head = slices.Clone(s.Head)
	c.Older = slices.Clone(s.Older)
	c.Segments = slices.Clone(s.Segments)
	c.Constants = slices.Clone(s.Constants)
	c.Gaps = slices.Clone(s.Gaps)
	c.Deep.Above = slices.Clone(s.Deep.Above)
	return c
}
