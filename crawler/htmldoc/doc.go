// Package htmldoc reads what a crawler wants to know of an HTML page, in one
// pass over its tokens: links, base, canonical, metas, language, title, the
// visible text and its fingerprint, and, when asked, an outline of the
// elements.
//
// The package is pure: no network, no clock, no logging, and no judgement. A
// link to "javascript:void(0)" is a link here; whether to follow a link, and
// what its URL is, is for the caller to say. Nothing here fails: every byte
// sequence is a page, as it is for a browser.
//
// A page goes through [Decode], which turns the bytes that were received into
// UTF-8, and then through [Parse] (or a [Parser], which keeps its buffers from
// page to page).
//
// There is no tree. The tokenizer of golang.org/x/net/html does the lexing,
// and the few rules of tree construction that change what a crawler sees are
// kept as small states beside it:
//
//   - a start tag <a> closes the open one [WHATWG-HTML §13.2.6.4.7];
//   - the contents of <template> are inert [WHATWG-HTML §4.12.3], except where
//     it declares a shadow root: then they are shown to people;
//   - scripting is off, so the contents of <noscript> are markup
//     [WHATWG-HTML §4.12.2];
//   - inside SVG and MathML, <title>, <style> and <script> are ordinary
//     elements for the tokenizer [WHATWG-HTML §13.2.6.5];
//   - where the head ends, which package ajaxscheme knows.
//
// Invariants: time is linear in the length of the page and memory at most a
// small multiple of it, whatever the page holds; the same bytes give the same
// [Page]; Link.Index rises by one from each <a href> to the next.
//
// Sources: [WHATWG-HTML §13.2] parsing, [WHATWG-HTML §4.2] metadata,
// [WHATWG-ENC] charsets. See docs/sources.md.
package htmldoc
