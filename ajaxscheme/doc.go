// Package ajaxscheme maps between the two names that a page of an AJAX
// application has under the AJAX crawling scheme: the pretty URL, shown to
// people and stored, and the ugly URL, requested from the server. It also
// reads the opt-in tag of pages without a state.
//
// The package is pure: no network, no clock, no logging. It never decides
// whether to fetch; it only says under which name. It works on the text of
// URLs and normalises nothing but what the mapping itself asks for: see
// urlnorm, which has the mapping built into its three names.
//
// Invariants: Pretty(Ugly(p)) = p for every pretty URL p that is UTF-8, whose
// query is not empty and holds no _escaped_fragment_, and whose state is not
// empty. Ugly and Pretty take time linear in their input.
//
// Sources: [G-AJAX §mapping] the mapping, [G-AJAX §meta] the opt-in,
// [SEZNAM §terms] the parameter comes last. See docs/sources.md.
package ajaxscheme
