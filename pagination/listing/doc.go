// Package listing reads what an index page is to a crawl: which of its blocks
// hold items, one item link and one date for each row, which block each pager
// drives, and how that block is ordered, with the evidence.
//
// Reading goes in five steps.
//
//  1. The pager (package pager). A page without a pager, or anything that loads
//     further rows, is done here, after one pass over its links.
//  2. Blocks (block.go): elements whose children repeat in shape. A row is a
//     child, or a child with the siblings that follow it, or a cell of a grid.
//     Blocks are ranked by what their rows say, boilerplate last.
//  3. Rows (row.go): each has one item link, the one that stands in the same
//     place in most rows and says most; authors, tags and counters are none.
//  4. Dates (dates.go): every place in the rows that may hold a date is read as
//     a column by package date; of several columns the one counts that orders
//     the rows best.
//  5. Order (order.go): a list is called ordered by time only if random order
//     would look like it in less than one page of a thousand. Dates come first,
//     then numbers in the addresses of the items, then the sort mode that the
//     page shows as active.
//
// Wrong "newest first" costs more than a missed one: the crawl would stop at
// the first item that it knows and lose the rest. A list in doubt is
// [Undecided].
//
// What a site's owner or the user of the crawler marks by selectors, see
// [Markers], overrides steps 1 to 5.
//
// The package is pure: it reads no clock, and the same page gives the same
// result. Time is linear in the size of the page, but for the number of blocks
// (at most maxBlocks are read) and of date columns (at most maxColumns). A
// function may be called from several goroutines at once, if each has its own
// Labeler.
package listing
