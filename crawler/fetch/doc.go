// Package fetch gets one URL at a time over HTTP and says exactly what came
// back: the whole page, the kept prefix of a page and why it was cut, or an
// error of a named kind that says whether another try makes sense.
//
// It decides nothing about a crawl. Robots rules, gaps between requests,
// following redirects, retries and what a page means are the caller's; a
// redirect is returned like any other answer. It keeps no cookies, sends no
// Referer and knows no method but GET, and no environment variable changes what
// it does.
//
// # Invariants
//
//   - The request target on the wire is byte for byte the path and query of
//     [Request.URL].
//   - No connection is opened to an address that the guard refuses. The guard
//     judges the address that is dialled, not the name, so a name that changes
//     its address between two look-ups gains nothing.
//   - A body never takes more memory than [Options.MaxBody] and a small
//     constant: the limit acts on decoded bytes, while they are decoded.
//   - Every wait has a limit: look-up, connect, TLS handshake, response header,
//     the pause between two reads, and the whole fetch.
//   - The same User-Agent, From, Accept and Accept-Encoding go out with every
//     request.
//
// # colly at arm's length
//
// Requests run through one colly collector (clones of it share its HTTP
// backend). colly v2.3.0 parses and re-spells URLs, sniffs gzip by file name,
// converts charsets, cuts bodies silently and loses the status when a body
// fails; so it is given a fixed URL in place of the real one, which is put back
// in its request callback, and our RoundTripper hides from it what it would act
// upon. See agent.go for what goes through it and roundtrip.go for what is
// hidden.
//
// Sources: [RFC9110] semantics, [RFC9112] messages on the wire, [RFC6890] and
// the IANA special-purpose address registries for the guard. See
// docs/sources.md.
package fetch
