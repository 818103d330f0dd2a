// Package export writes the pages of a crawl in the formats that people and
// programs read: lists of URLs, tables, JSON lines and sitemaps.
//
// It lists display URLs only; what was requested stands in the field
// request_url. The order is that of the crawl file: hosts as they were
// discovered, and the pages of a host class by class as they were discovered.
package export
