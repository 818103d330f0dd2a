// Package pager finds the pagers of a page: every link gets a [Role], and the
// links that stand together make a [Pager] with its current page, its depth and
// the way its addresses are made. It does not say which direction is that of
// time, nor what the pager drives: see package pagination.
//
// Labelling goes in five steps.
//
//  1. Candidates (candidate.go): links whose text, title, rel or class could
//     be a pager's. A page without any costs one look at each text.
//  2. Groups (gather.go, group.go): candidates in one element that holds
//     nothing else, or in a row among others.
//     The numbers of a group and their addresses give a linear relation, the
//     text between the links gives the current page.
//  3. The model (features.go, model.go, weights.go): a linear-chain conditional
//     random field over the candidates of a group. Features ask for what a word
//     means, never for the word itself, so that it holds in languages and on
//     sites that training did not see.
//  4. Rules (rules.go): what the links of a group say together.
//  5. The result (pager.go).
//
// Words are in lexicon.go, by what they mean and not by language. The weights
// are learned by pagination/pager/train from a folder of labelled pages with
// the same code that computes features here.
//
// The package is pure: no network, no clock, no logging. Time is linear in the
// number of links and in the length of texts and addresses that it looks at.
package pager
