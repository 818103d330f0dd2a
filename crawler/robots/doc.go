// Package robots says what a site's robots.txt, robots meta tags,
// X-Robots-Tag headers and rel attributes allow a crawler to do.
//
// It reads robots.txt as [RFC9309] with the extensions that Google documents
// [G-ROBOTS] and implements [G-ROBOTS-CC]: frequent misspellings, a missing
// colon, rules in the order of their length. Where these disagree the line
// that decides says which one wins. Crawl-delay, Sitemap and Clean-param
// lines [YANDEX-ROBOTS] are read too.
//
// A crawler uses it in three steps, of which the package does the second and
// the third; it makes no request and reads no clock:
//
//	fetch /robots.txt, ask Judge what the answer means
//	rules := robots.Parse(body).Rules("hashcrawl")
//	rules.Test(target) for every request target of that origin
//
// Invariants:
//
//   - Parse never fails and its time is linear in the bytes that it uses, of
//     which there are at most MaxBytes.
//   - A verdict does not depend on comments, blank lines, line endings or the
//     order of the groups.
//   - Test compares the request target as it is sent. It does not parse URLs,
//     and it is linear in the target for each rule, whatever the rule holds.
//
// Whether a rule without wildcards matches is decided by temoto/robotstxt,
// which answers that rightly and without allocating. Everything else is
// decided here, because temoto's answers differ from the sources; see
// TestWhereTemotoDiffers for how and why.
package robots
