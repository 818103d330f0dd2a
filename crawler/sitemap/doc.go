// Package sitemap reads and writes sitemaps [SITEMAPS].
//
// [Read] takes XML urlsets and indexes, plain text, RSS 0.9 to 2.0 and Atom,
// packed with gzip or not, told apart by their bytes and never by name or
// Content-Type. It is a stream: memory is bounded whatever the document
// holds, and what a broken or oversized document holds up to its break is
// read. [NewWriter] splits what it writes at the limits of the protocol.
//
// The package resolves no URL and makes no request: entries come out as they
// stand in the document, and the caller resolves them against the sitemap's
// URL, asks [Covers] whether the sitemap may speak for them, and keeps
// [MaxDepth] when an index lists indexes.
//
// The tokenizer is our own. encoding/xml gives up at the first byte that is
// no UTF-8, at a control character and at an entity that it does not know,
// and it builds every name and attribute; a sitemap needs two element names
// and their text. External and declared entities are never expanded, so no
// document can make us read a file or grow in memory.
package sitemap
