// Package urlnorm gives a URL its names: the fetch form that goes on the
// wire, the key that tells whether a page was seen before, and the display
// URL that people see and exports list.
//
// # Two names and a key
//
// The fetch form is the serialisation of the URL Standard [WHATWG-URL], with
// the fragment removed and nothing else done to it, so that a server sees
// exactly the spelling that its own page used. For a reference with a state
// (#!) it is the ugly URL of the AJAX crawling scheme. The key is the fetch
// form with every equivalence of the rules in force applied. A key answers
// only "seen before?": it is never requested and never exported. Crawlers
// that used one string for both had to be repaired; a server may redirect an
// upper-cased escape to the lower-cased one for ever.
//
// A false merge (two pages, one key) loses a page without a trace, a missed
// merge costs one polite fetch. The default profile therefore holds only
// rules under which no two pages are known to collide.
//
// # How
//
// There is one parser, for http and https only: a split into components and
// one table-driven pass that writes each of them into a buffer. It covers
// the whole standard for these schemes, so ordinary URLs do not need a second
// implementation, and relative references take the same road. Only hosts that
// are not plain ASCII names, and queries of pages in another charset, leave
// it for slower code. The library github.com/nlnwa/whatwg-url is the oracle of
// the tests: FuzzAgainstLibrary holds both to the same answer.
//
// Keys are made twice as well: by a fast pass for the rules of the profiles
// strict and crawl, and by a pipeline with one small function per named rule
// for everything else and for [Normalizer.Explain]. FuzzFastKey holds the two
// together.
//
// # Invariants
//
// For every reference x that resolves, with the same base and without rules
// that keep fragments: Fetch(Fetch(x)) = Fetch(x), Key(Fetch(x)) = Key(x),
// Key(Display(x)) = Key(x). The pretty and the ugly URL of a state have one
// key. Work and memory are linear in the input, and inputs over
// [Config.MaxLength] are refused before any work is done.
//
// The package is pure: no network, no files, no clock, no logging.
//
// Sources: [WHATWG-URL], [RFC3986 §6], [UTS46], [G-AJAX], [WP-URLNORM] for the
// rules of the URL-normalisation article. See docs/sources.md and
// docs/urlnorm.md.
package urlnorm

// Version numbers the rules of this package. A crawl file records it: keys
// made by different versions must not be mixed in one crawl.
const Version = 1
