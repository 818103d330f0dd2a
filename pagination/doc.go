// Package pagination recognises time-ordered series of index pages and decides
// how far a pass reads: until it meets what the last complete pass knew, and no
// further. It is told pages and says which page to read next; it fetches
// nothing, stores nothing and reads no clock.
//
// A [Series] is what is kept between passes, a [Pass] is one walk over it. The
// caller asks [Pass.Next] for the page to read, gives it to [Pass.Page] (or
// [Pass.Fail] when there is none) and commits, in ONE transaction with the
// page's own record, the item links of the verdict and the series of
// [Pass.Series]. That series is right at every moment: after a crash a new pass
// begun from it jumps over what the crashed one has read.
//
// Invariants:
//
//   - the base is frozen while a pass runs: nothing that the pass finds can end
//     it;
//   - a series is complete only after a pass that met the base, passed the
//     watermark, reached the end of the list, or was told that nothing changed;
//   - every pass ends: after Limits.MaxPages pages at the latest;
//   - what a pass could not see is told in its certificate, never left out.
//
// docs/pagination.md has the rules with their reasons and their measured cost.
package pagination
