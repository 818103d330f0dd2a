package storage

import (
	"math"
	"strings"
	"time"

	"github.com/hashcrawl/hashcrawl/frontier"
)

// A Page is the page record: what is known of an entry after its last fetch.
type Page struct {
	frontier.ID
	Outcome     frontier.Outcome
	Reason      string        // why, where the outcome alone does not say it
	Status      int           // of the last answer; 0 if none came or none was asked for
	Fetched     time.Time     // when the last answer ended, or the outcome was decided
	Took        time.Duration // from the request to the end of the answer
	Attempts    int           // requests for the entry
	Bytes       int64         // of the body, content codings removed
	Truncated   string        // why the body is not whole; "" if it is
	ContentType string        // as the server sent it
	Title       string
	Lang        string
	Description string
	Canonical   string // display URL of the page's rel=canonical; "" if none
	Published   string // publication time as the page gives it
	Target      string // display URL that the redirect leads to
	ETag        string
	Modified    string // Last-Modified, as the server sent it
	BodyHash    uint64 // of the body
	TextHash    uint64 // of the visible text
	Links       int    // links found, refused ones included
	Robots      string // what the page and its header ask of robots: "noindex, nofollow"; "" if nothing
	Text        string // visible text, if the crawl keeps it
}

// Robots is what the crawl file keeps of one origin's robots.txt.
type Robots struct {
	Origin  string    // scheme, host and port
	Fetched time.Time // when it was read
	Expires time.Time // when it is to be read again
	Status  int       // of the answer that decided; 0 if none came
	Body    []byte    // what rules are read from, at most 500 KiB; nil if there are none
}

func encodePage(e *encoder, p *Page) {
	e.byte(byte(p.Outcome))
	e.string(p.Reason)
	e.count(int64(p.Status))
	e.time(p.Fetched)
	e.duration(p.Took)
	e.count(int64(p.Attempts))
	e.count(p.Bytes)
	e.string(p.Truncated)
	e.string(p.ContentType)
	e.string(p.Title)
	e.string(p.Lang)
	e.string(p.Description)
	e.string(p.Canonical)
	e.string(p.Published)
	e.string(p.Target)
	e.string(p.ETag)
	e.string(p.Modified)
	e.fixed(p.BodyHash)
	e.fixed(p.TextHash)
	e.count(int64(p.Links))
	e.string(p.Robots)
	e.string(p.Text)
}

func decodePage(id frontier.ID, b []byte) (Page, error) {
	d := decoder{b: b}
	p := Page{
		ID: id, Outcome: frontier.Outcome(d.byte()), Reason: d.string(), Status: d.int(),
		Fetched: d.time(), Took: d.duration(), Attempts: d.int(), Bytes: d.count(),
		Truncated: d.string(), ContentType: d.string(), Title: d.string(), Lang: d.string(),
		Description: d.string(), Canonical: d.string(), Published: d.string(), Target: d.string(),
		ETag: d.string(), Modified: d.string(), BodyHash: d.fixed(), TextHash: d.fixed(), Links: d.int(),
		Robots: d.string(), Text: d.string(),
	}
	return p, d.done()
}

// How the origin of a URL is written: by the name of its host where the port
// is the scheme's own, else in full.
const (
	originHTTP byte = iota
	originHTTPS
	originFull
)

const (
	flagSnapshot = 1 << iota
	flagSitemap
)

func encodeEntry(e *encoder, n *frontier.Entry, host string) {
	origin, rest := splitOrigin(n.URL, host)
	e.byte(origin)
	e.string(rest)
	flags := byte(0)
	if n.Snapshot {
		flags |= flagSnapshot
	}
	if n.Sitemap {
		flags |= flagSitemap
	}
	e.byte(flags)
	e.byte(byte(n.Via))
	e.uint(uint64(n.Depth))
	e.byte(n.Hops)
	e.uint(uint64(n.Parent.Host))
	e.byte(byte(n.Parent.Class))
	e.uint(uint64(n.Parent.Seq))
	e.time(n.Found)
	if n.Class == frontier.ClassRefused {
		e.byte(byte(n.Refusal))
		e.string(n.Rule)
	}
}

// splitOrigin takes scheme and host off a URL, if they can be put back from
// the host's name.
func splitOrigin(url, host string) (origin byte, rest string) {
	for o, scheme := range []string{originHTTP: "http://", originHTTPS: "https://"} {
		if after, ok := strings.CutPrefix(url, scheme); ok {
			if after, ok = strings.CutPrefix(after, host); ok && host != "" && strings.HasPrefix(after, "/") {
				return byte(o), after
			}
		}
	}
	return originFull, url
}

func decodeEntry(id frontier.ID, b []byte, host string) (frontier.Entry, error) {
	d := decoder{b: b}
	origin, rest := d.byte(), d.view()
	n := frontier.Entry{ID: id}
	switch origin {
	case originHTTP:
		n.URL = "http://" + host + string(rest)
	case originHTTPS:
		n.URL = "https://" + host + string(rest)
	default:
		n.URL = string(rest)
	}
	flags := d.byte()
	n.Snapshot, n.Sitemap = flags&flagSnapshot != 0, flags&flagSitemap != 0
	n.Via = frontier.Via(d.byte())
	n.Depth = uint16(d.upTo(math.MaxUint16))
	n.Hops = d.byte()
	n.Parent = frontier.ID{Host: frontier.HostID(d.u32()), Class: frontier.Class(d.byte()), Seq: d.u32()}
	n.Found = d.time()
	if id.Class == frontier.ClassRefused {
		n.Refusal = frontier.Outcome(d.byte())
		n.Rule = d.string()
	}
	return n, d.done()
}

func encodeHost(e *encoder, h *frontier.Host) {
	e.string(h.Name)
	for c := range frontier.NumClasses {
		e.uint(uint64(h.Head[c]))
		e.uint(uint64(h.Tail[c] - h.Head[c]))
	}
	e.uint(uint64(h.Refused))
	e.notBefore(h.Next)
	e.duration(h.Gap)
	e.duration(h.CrawlDelay)
	e.byte(h.Failures)
	e.byte(byte(h.Pause))
	e.uint(h.Requests)
	e.uint(h.Errors)
	e.uint(h.Bytes)
}

func decodeHost(id frontier.HostID, b []byte) (frontier.Host, error) {
	d := decoder{b: b}
	h := frontier.Host{ID: id, Name: d.string()}
	for c := range frontier.NumClasses {
		h.Head[c] = d.u32()
		h.Tail[c] = h.Head[c] + uint32(d.upTo(uint64(math.MaxUint32-h.Head[c])))
	}
	h.Refused = d.u32()
	h.Next = d.time()
	h.Gap, h.CrawlDelay = d.duration(), d.duration()
	h.Failures, h.Pause = d.byte(), frontier.Pause(d.byte())
	h.Requests, h.Errors, h.Bytes = d.uint(), d.uint(), d.uint()
	return h, d.done()
}

func encodeRetry(e *encoder, r *frontier.Retry) {
	e.notBefore(r.Due)
	e.count(int64(r.Attempts))
	e.byte(r.Crashes.Company)
	e.byte(r.Crashes.Alone)
}

// decodeRetry reads what encodeRetry wrote; the entry has a record of its own.
func decodeRetry(id frontier.ID, b []byte) (frontier.Retry, error) {
	d := decoder{b: b}
	r := frontier.Retry{Entry: frontier.Entry{ID: id}, Due: d.time(), Attempts: d.int()}
	r.Crashes = frontier.Crashes{Company: d.byte(), Alone: d.byte()}
	return r, d.done()
}

func encodeRobots(e *encoder, r *Robots) {
	e.time(r.Fetched)
	e.time(r.Expires)
	e.count(int64(r.Status))
	if r.Body == nil {
		e.byte(0)
		return
	}
	e.byte(1)
	e.bytes(r.Body)
}

func decodeRobots(origin string, b []byte) (Robots, error) {
	d := decoder{b: b}
	r := Robots{Origin: origin, Fetched: d.time(), Expires: d.time(), Status: d.int()}
	if d.byte() == 1 {
		r.Body = append([]byte{}, d.view()...)
	}
	return r, d.done()
}

func encodeCounts(e *encoder, c *frontier.Counts) {
	for _, n := range c {
		e.uint(n)
	}
}

// decodeCounts reads what encodeCounts wrote; outcomes that came later are 0.
func decodeCounts(b []byte) (c frontier.Counts, err error) {
	d := decoder{b: b}
	for o := 0; len(d.b) > 0 && o < len(c); o++ {
		c[o] = d.uint()
	}
	return c, d.done()
}
