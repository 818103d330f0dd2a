// Package audit tells how crawlable a page or a site is: by the AJAX crawling
// scheme, if it uses it, and by what holds for every site.
//
// A [Survey] asks for what it needs, politely, one request after the other:
// robots.txt and sitemaps, the pages within the depth asked for, their
// snapshots, and a handful of probes. Then every rule of one table looks at what
// came and says what it finds; a rule is a small function and asks for nothing
// itself. The findings make a [Report], which is written as text, JSON, JUnit
// XML or HTML.
//
// The package sends no request but through the Asker, follows no redirect
// without asking it again, and keeps of every page only what the rules need: a
// page of 50 MB costs no more memory than the limit of a body.
//
// Invariants: every finding has the ID of a rule, and docs/crawlability.md
// explains every rule. The same answers give the same report.
//
// Sources: [G-AJAX], [SEZNAM], [RFC9309], [G-META], [SITEMAPS]. See
// docs/sources.md.
package audit
