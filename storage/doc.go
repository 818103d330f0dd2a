// Package storage makes a crawl durable in one file, the crawl file.
//
// # Writing
//
// Everything that one finished fetch changes is one [Commit]: it becomes
// durable as a whole or not at all. Append encodes it as a short list of
// records to put or to delete and adds it to the current group. One goroutine
// writes a group every tenth of a second, or earlier when it is large, as
// records of a log under rising numbers: that transaction is the durable
// point, and it touches few pages of the file whatever it holds. When enough
// has gathered, the same goroutine carries it from the log to the buckets in
// sorted slices, one slice beside each group, and then deletes that part of
// the log. A crash in the middle costs nothing: Open reads the log again, and
// to put the same records twice changes nothing.
//
// Until they stand in their buckets, the records are also kept in memory, so
// that reads see everything that was appended, in order.
//
// Entries and page records, of which there are tens of millions, are not put where
// they belong one by one: each memtable leaves a run of them, in order and packed,
// and the writer merges runs beside everything else; see run.go, block.go and
// merge.go. Compact makes one run of each table, and compresses it.
//
// The memtable grows with the file, to half a million records: in a large file
// hardly two host records of a small one would share a page, and a page is written
// as a whole.
//
// # Invariants
//
//  1. A commit stands in the file as a whole or not at all.
//  2. If a commit is durable, so is every commit appended before it.
//  3. A read finds everything that was appended before it began. A record is
//     what some commit made it; a scan is no snapshot of all records at one
//     moment.
//
// The layout of the keys is described in keys.go.
package storage
