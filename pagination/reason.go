package pagination

// A Reason names why a pass stopped. The zero Reason means that it has not.
type Reason uint8

// The reasons. Their numbers are stored: new ones go to the end.
const (
	Running     Reason = iota // not stopped, or killed before it could say why
	Overlap                   // met the base
	Watermark                 // met only items older than the newest of the last complete pass
	End                       // no further page
	Echo                      // two pages in a row repeated what was read: the end of a list that answers beyond it
	Unchanged                 // page 1 is as it was
	First                     // the first pass has its base
	Capped                    // Limits.MaxPages read
	Patience                  // far more read than the series ever had of news, and nothing known among it
	Unordered                 // known items in no order: the list is not ordered by time, or for each visitor differently
	DeadEnd                   // three passes in a row broke at the same page
	Loop                      // the pager leads back to what was read, or the list moves as fast as it is read
	StalePage                 // page 1 is older than what the last pass saw
	EmptyPage                 // page 1 has no items, but had some
	NotFound                  // 404 or 410
	ServerError               // 5xx, or no answer
	Robots                    // robots.txt forbids the page
	Budget                    // the caller had no more requests to give
	Interrupted               // the crawl was stopped
	NoBlock                   // a page without the item block: a login page, a redesign
	CutShort                  // a page of which the end did not come
	OutOfScope                // the page lies outside the crawl
	Redirected                // the page leads elsewhere, where the list is not
	NoFollow                  // the page asks that its link to the next one is not followed
	NotDriven                 // page 2 shows the items of page 1: the pager drives another block, or none
	reasonCount
)

var reasonNames = [reasonCount]string{
	"running", "overlap", "watermark", "end", "echo", "unchanged", "first", "cap", "patience", "unordered", "dead-end",
	"loop", "stale-page", "empty-page", "not-found", "server-error", "robots", "budget", "interrupted",
	"no-block", "truncated", "out-of-scope", "redirect", "nofollow", "not-driven",
}

// String returns the word that reports and JSON use.
func (r Reason) String() string {
	if r < reasonCount {
		return reasonNames[r]
	}
	return "unknown"
}

// Complete tells whether a pass that stopped for r has seen all that is new.
func (r Reason) Complete() bool { return r >= Overlap && r <= First }

// Gap tells whether a pass that stopped for r moved the head although items
// may lie between what it read and what was known.
func (r Reason) Gap() bool { return r >= Capped && r <= DeadEnd }

// Broken tells whether a pass that stopped for r keeps the base and leaves
// what it read as a segment, for the next pass to close.
func (r Reason) Broken() bool { return !r.Complete() && !r.Gap() }
