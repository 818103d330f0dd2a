// Package crawler runs a crawl: it takes leases from the frontier, asks robots
// rules, fetches, reads what came, and commits everything that one fetch
// changed in one piece.
//
// There is one place from which requests start: [Crawler.serve], which every
// lease goes through. A lease is the right to send one request to one host, so
// whatever is to be requested (a page, a snapshot, a robots.txt, the target of
// a redirect) waits for its turn in the frontier first.
//
// The page's failure is data: it ends in the page record, and the crawl goes
// on. Only failures of the store, and of the frontier that reads from it, end
// Run with an error.
package crawler
