// Package demosite is a small web site that shows everything hashcrawl is
// for, as an [http.Handler] with no state outside memory: an AJAX application
// whose #! states have snapshots, pages that opt in with the fragment meta
// tag, two time-ordered series, redirects, a corner closed by robots.txt, a
// sitemap, broken HTML, and text in many scripts and three encodings. The
// command "hashcrawl demo" serves and crawls it; tests crawl it and read its
// request log.
//
// The site is written against the scheme's specification and shares no code
// with the crawler, so that a fault in the crawler's mapping shows as a 404
// here and not as two errors that cancel out. It does not judge a crawl: it
// says which pages a correct crawl indexes ([Site.Pages]), which references
// it must leave out ([Site.Excluded]), and what was requested
// ([Site.Requests]).
//
// Invariants: the same Options and the same calls of [Site.Publish] give the
// same bytes; every snapshot has an ETag and a Last-Modified of its own; an
// address that is not listed answers 404.
//
// Sources: [G-AJAX] the server's side of the scheme. See docs/sources.md.
package demosite
