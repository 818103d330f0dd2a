// Package simulate is a model of a site with one paginated list, for tests: of
// the pass of package pagination, and of a whole crawler against an HTTP
// server that shows the same [Site]. It is no part of the program.
//
// A site is a function of its [Scenario] and its seed: what happens on it, and
// when, does not depend on who reads it, so that several walkers can be
// compared on the same site. [Run] lets a [Walker] visit a site and judges it
// by an oracle that sees the whole list.
//
// What is counted:
//
//   - an item counts if it came after the first visit and the oracle has read
//     it in a measured visit; the oracle reads, at every visit, page 1 and
//     every page that has an item it has not read, and is never killed;
//   - it is missed if the walker has not emitted it in any visit, of which a
//     few follow that are not measured, so that a pass killed in the last one
//     can be mended; an item that the walker was killed at every visit before
//     reading, until the item was gone, is not missed but told apart;
//   - the minimum is the number of pages that the oracle has read in the same
//     visits; pages whose fetch was killed count for the walker.
package simulate
