// Package date recognises dates in the running text and the attributes of
// index pages: dates in figures, month names of some sixty languages, "3 hours
// ago" and "yesterday" in most of them, times of day with their zones.
//
// It is strict: a price, size, version, count, rating, telephone number or
// plain numeral is never a date, at the cost of some dates that a person would
// see. Free-standing times of day, and single numerals, are not read at all.
// The package does not decide where on a page a date stands, nor what it
// dates.
//
// A date is an interval, as long as what was written can mean: a day for
// "5 May 2014", an hour and a half for "3 hours ago", where sites round down
// or to the nearest. What the text leaves open is settled from [Options] for
// one text by [Find], and from all rows together by [Column]: the order of day
// and month, and a year that is not written.
//
// The words come from lexicon.txt; a test compiles them into a table that is
// looked up by hash, so that the package has no start-up cost. Everything is
// safe for concurrent use, takes time linear in the text, and allocates only
// for results and for texts of more than some sixty words.
//
// Sources: [RFC3339 §5.6], [RFC5322 §3.3], [W3C-DTF], [CLDR] for the names.
package date
