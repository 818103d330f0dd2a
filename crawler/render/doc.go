// Package render shows pages as a person's browser does, in a headless Chromium
// that is started once.
//
// The browser itself reaches no network: it is told to use a proxy that does not
// exist, and every request of a page is caught before it is sent and answered
// from here. What is asked for goes through a [Loader], so robots.txt, the guard
// against addresses that are not public and the limits of bodies hold as in a
// crawl, one request at a time. Only GET requests to allowed hosts are sent;
// pictures, media and fonts are not loaded, as they change no word.
//
// Invariants: Render returns within the limit and a grace of a few seconds,
// whatever a page does; Close leaves no process behind.
package render
