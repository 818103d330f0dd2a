package frontier

import (
	"fmt"
	"time"
)

// A HostID numbers the hosts of one crawl from 1, in the order of discovery.
type HostID uint32

// A Class is the priority of an entry among those of its host: lower first.
// The numbers are stored in crawl files.
type Class uint8

// The classes.
const (
	ClassSeed     Class      = iota // seeds, and what they redirect to
	ClassSeries                     // index pages of series that are due
	ClassItem                       // new items of a series
	ClassSnapshot                   // snapshots of pages found opted in
	ClassLink                       // everything else
	NumClasses                      // how many queues a host has
	ClassRefused  = Class(7)        // records of links that were refused; never queued
)

// An ID names one entry for the life of a crawl. Class and sequence number are
// those that it was discovered with.
type ID struct {
	Host  HostID
	Class Class
	Seq   uint32 // from 0 within host and class
}

// IsZero reports whether id names no entry.
func (id ID) IsZero() bool { return id == ID{} }

// String returns the form that reports use.
func (id ID) String() string { return fmt.Sprintf("%d/%d/%d", id.Host, id.Class, id.Seq) }

// Via tells how a URL was discovered. The numbers are stored in crawl files.
type Via uint8

// The ways of discovery.
const (
	ViaSeed Via = iota
	ViaLink
	ViaRedirect
	ViaSnapshot // the page was found opted in
	ViaCanonical
	ViaSitemap
	numVias
)

// String returns the name that reports use.
func (v Via) String() string {
	if v < numVias {
		return [numVias]string{"seed", "link", "redirect", "snapshot", "canonical", "sitemap"}[v]
	}
	return fmt.Sprintf("via(%d)", uint8(v))
}

// An Entry is one URL in the frontier.
type Entry struct {
	ID
	URL      string    // the display URL
	Snapshot bool      // the plain page was found opted in: request its ugly URL
	Sitemap  bool      // it is to be read as a sitemap
	Via      Via       // how it was discovered
	Depth    uint16    // links from a seed; redirects do not count
	Hops     uint8     // redirects since the last link
	Parent   ID        // where it was discovered; zero for seeds
	Found    time.Time // when it was discovered
	Refusal  Outcome   // for ClassRefused: why it is not queued
	Rule     string    // for ClassRefused: which rule, where there are several
}

// A Link is a URL on its way into the frontier.
type Link struct {
	URL      string // the display URL
	Key      string // its identity
	Host     string // host name, without port
	Class    Class
	Snapshot bool
	Sitemap  bool
	Via      Via
	Depth    uint16
	Hops     uint8
	// Again queues the URL although its key was seen, as the continuation of
	// the lease that Finish ends with Done: for the snapshot of the page that
	// was fetched, and for its redirect to another spelling of itself. The URL
	// then has no outcome yet. One link of a Result can carry on.
	Again bool
	// Refusal, if not Waiting, is why the link is recorded but not queued.
	Refusal Outcome
	Rule    string // the rule that refused it, where there are several

	hash uint64 // of Key in the seen set; 0 if it is not known yet
}
