package sitemap

import (
	"bufio"
	"errors"
	"io"
	"time"
)

// Limits of the protocol [SITEMAPS §index]. What lies beyond them is not read.
const (
	MaxEntries = 50_000
	MaxBytes   = 50 << 20 // uncompressed
)

// MaxDepth is how deep indexes may list indexes. The protocol allows no
// nesting at all, but sites nest; a deeper chain is a loop or a trap.
const MaxDepth = 5

// maxText bounds the text of one element. A longer URL is dropped:
// [SITEMAPS §xmlTagDefinitions] allows 2,048 characters, and nothing that we
// could request is longer than this.
const maxText = 32 << 10

// ErrNotSitemap says that a document holds something else, like an HTML page
// with a kind word about error 404.
var ErrNotSitemap = errors.New("sitemap: not a sitemap")

// A Kind is what sort of document was read.
type Kind string

const (
	Empty  Kind = "empty" // nothing but white space
	URLSet Kind = "urlset"
	Index  Kind = "index" // entries are sitemaps
	Text   Kind = "text"
	RSS    Kind = "rss"
	Atom   Kind = "atom"
)

// A Stop is why reading ended before the end of the document.
type Stop string

const (
	StopNone    Stop = ""
	StopEntries Stop = "entries" // MaxEntries were read and there are more
	StopBytes   Stop = "bytes"   // MaxBytes were read and there are more
	StopCut     Stop = "cut"     // the document breaks off
	StopRead    Stop = "read"    // the reader failed, or the gzip stream is damaged
	StopCaller  Stop = "caller"  // the callback said so
)

// An Entry is one URL of a sitemap.
type Entry struct {
	Loc string // as written, without markup and outer white space; can be relative
	// LastMod is lastmod, pubDate or updated; zero if absent or no date. A
	// hint: many sites write the time of day there, or the future.
	LastMod time.Time
	// Sitemap: Loc is another sitemap and no page.
	Sitemap bool
	// Published is the date of the news extension or Atom's published.
	Published time.Time
}

// A Summary is what is to be said of a document as a whole.
type Summary struct {
	Kind    Kind
	Entries int // that were passed on
	Dropped int // without a usable URL: empty, too long, with an entity that is not expanded
	Stop    Stop
	Err     error // what the reader reported when Stop is StopRead
}

// Read passes the entries of a document to yield, in order, until yield
// returns false. A document that breaks off gives what it holds before: the
// entry it breaks in counts if its URL is complete. The error is
// ErrNotSitemap, or nil; all other trouble is in the summary.
func Read(r io.Reader, yield func(Entry) bool) (Summary, error) {
	return read(r, MaxEntries, MaxBytes, yield)
}

// read is Read with limits that tests can reach.
func read(r io.Reader, maxEntries int, maxBytes int64, yield func(Entry) bool) (Summary, error) {
	source := &source{limit: maxBytes}
	text := source.open(r)
	c := &collector{yield: yield, max: maxEntries}
	first, err := firstByte(text)
	switch {
	case err != nil:
		c.sum.Kind = Empty
	case first == '<':
		readXML(text, c)
	default:
		readText(text, c, func() bool { return source.over || source.err != nil })
	}
	switch {
	case c.sum.Stop == StopEntries || c.sum.Stop == StopCaller:
	case source.over:
		c.sum.Stop = StopBytes
	case source.err != nil:
		c.sum.Stop, c.sum.Err = StopRead, source.err
	}
	if c.sum.Kind == "" {
		return c.sum, ErrNotSitemap
	}
	return c.sum, nil
}

// firstByte skips white space and byte order marks and returns the byte
// behind them, unread.
func firstByte(r *bufio.Reader) (byte, error) {
	for {
		c, _, err := r.ReadRune()
		if err != nil {
			return 0, err
		}
		if !isSpace(c) {
			if err := r.UnreadRune(); err != nil {
				return 0, err
			}
			b, err := r.Peek(1)
			if err != nil {
				return 0, err
			}
			return b[0], nil
		}
	}
}

// A collector counts entries and hands them on.
type collector struct {
	yield func(Entry) bool
	max   int
	sum   Summary
}

// add passes e on and reports whether there may be more.
func (c *collector) add(e Entry) bool {
	if e.Loc == "" {
		c.sum.Dropped++
		return true
	}
	if c.sum.Entries == c.max {
		c.sum.Stop = StopEntries
		return false
	}
	c.sum.Entries++
	if !c.yield(e) {
		c.sum.Stop = StopCaller
		return false
	}
	return true
}
