package pagination

import "time"

// A Row is one row of the item block of an index page, in the order of the
// page.
type Row struct {
	Key  string   // of the item link, as urlnorm gives it
	Date Interval // displayed, in UTC; zero if the row has none
}

func (r Row) item() Item { return Item{Key: r.Key, Date: r.Date.stored()} }

// A PageSeen is what the crawler saw of the index page that Next named.
type PageSeen struct {
	URL  string // key of the page's address, for loops; "" if the page number says it all
	Rows []Row

	HasNext bool   // the page has a link to the page after it
	NextURL string // that link's address, "" if the page number says it all
	Last    int    // highest page number that the pager shows, 0 if unknown

	NotModified bool // the server answered 304: Rows is empty

	// Slack is how far a displayed date can be off: its granule, or a day
	// where the time zone is unknown.
	Slack time.Duration
}

// rowsHash is the 64-bit FNV-1a hash of the links of rows, with their dates;
// never 0.
func rowsHash(rows []Row) uint64 {
	const offset, prime = 14695981039346656037, 1099511628211
	h := uint64(offset)
	for _, r := range rows {
		for i := range len(r.Key) {
			h = (h ^ uint64(r.Key[i])) * prime
		}
		h = (h ^ uint64(r.Date.From.UnixMilli())) * prime
	}
	return max(h, 1)
}

// keysHash is rowsHash without the dates.
func keysHash(rows []Row) uint64 {
	bare := make([]Row, len(rows))
	for i, r := range rows {
		bare[i].Key = r.Key
	}
	return rowsHash(bare)
}

// An Action is what the caller is to do next.
type Action struct {
	Done bool // nothing: the pass has stopped

	Page int    // number of the page to read, from 1
	URL  string // its address as a page named it; "" if Page and the series' pattern say it

	// Conditional tells that a conditional request is of use: if the page is
	// as it was, the pass is complete. Without it the rows are needed.
	Conditional bool
}

// A Verdict is what a page led to. Its items are to be queued, and the series
// of Pass.Series stored, in the transaction that records the page.
type Verdict struct {
	New     []Item // item links that neither the base nor a segment knows
	Changed []Item // known links with another date: the item is worth a visit
	Reason  Reason // Running while there is more to read
}
