package frontier

import "fmt"

// An Outcome is what became of a URL that was discovered. The numbers are
// stored in crawl files: append, never renumber.
type Outcome uint8

// The outcomes.
const (
	Waiting       Outcome = iota // not fetched yet, or to be fetched again
	Indexed                      // fetched, and listed by exports
	NoIndex                      // fetched; the page asks not to be indexed
	Canonical                    // fetched; names another URL as its canonical
	Redirect                     // answered with a redirect, whose target was discovered
	Shell                        // its snapshot is the bare shell of the application
	NotHTML                      // fetched; not an HTML document
	SitemapRead                  // fetched as a sitemap
	OptedIn                      // fetched and found opted in; its snapshot decides
	Failed                       // gave no usable answer; the page record says why
	Robots                       // refused by robots.txt
	OutOfScope                   // outside the scope of the crawl
	Excluded                     // ruled out by --include or --exclude
	TooDeep                      // further from the seeds than --max-depth
	NoFollow                     // only linked by links that ask not to be followed
	UglyLink                     // a link in ugly form, which is not followed
	Trap                         // looks like a crawler trap
	RedirectLimit                // the end of too long a chain of redirects
	SeriesPage                   // a page of a known series, which a pass reads when it has to
	NumOutcomes                  // how many there are
)

var outcomeNames = [NumOutcomes]string{
	"waiting", "indexed", "noindex", "canonical", "redirect", "shell", "not-html", "sitemap", "opted-in", "failed",
	"robots", "out-of-scope", "excluded", "too-deep", "nofollow", "ugly-link", "trap", "redirect-limit", "series-page",
}

// String returns the name under which people and JSON know the outcome.
func (o Outcome) String() string {
	if o < NumOutcomes {
		return outcomeNames[o]
	}
	return fmt.Sprintf("outcome(%d)", uint8(o))
}

// Fetched reports whether the site answered the request with something of use.
func (o Outcome) Fetched() bool { return o >= Indexed && o <= SitemapRead }

// Refused reports whether the URL was never requested, by a rule of the site
// or of the crawl.
func (o Outcome) Refused() bool { return o >= Robots && o < NumOutcomes }

// Counts holds how many known URLs stand at each outcome. A URL counts once:
// an opted-in page counts as waiting until its snapshot has an outcome.
type Counts [NumOutcomes]uint64

// Known returns the number of all URLs that were ever discovered.
func (c *Counts) Known() (n uint64) {
	for _, v := range c {
		n += v
	}
	return n
}

// Sum returns the number of URLs whose outcome satisfies is.
func (c *Counts) Sum(is func(Outcome) bool) (n uint64) {
	for o, v := range c {
		if is(Outcome(o)) {
			n += v
		}
	}
	return n
}
