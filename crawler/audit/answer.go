package audit

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/hashcrawl/hashcrawl/crawler"
	"github.com/hashcrawl/hashcrawl/crawler/fetch"
	"github.com/hashcrawl/hashcrawl/crawler/htmldoc"
	"github.com/hashcrawl/hashcrawl/crawler/robots"
	"github.com/hashcrawl/hashcrawl/urlnorm"
)

// maxText is how much of a page's visible text is kept for comparison.
const maxText = 256 << 10

// A hop is one redirect on the way to an answer.
type hop struct {
	request  string
	status   int
	location string
}

// An answer is what a request ended with, redirects followed.
type answer struct {
	request string      // URL of the first request
	at      urlnorm.URL // what was asked for last
	hops    []hop
	err     error // why there is no answer; nil if there is one
	loop    bool  // the redirects go in a circle or are too many
	away    bool  // they lead to another site, which was not asked

	status    int
	header    http.Header
	took      time.Duration // of the last request
	truncated fetch.Truncation
	length    int
	html      bool

	// Of an HTML document:
	doc        *htmldoc.Page
	charset    string
	markup     markup
	directives robots.Directives
}

// ok reports whether the answer is an HTML document with status 200.
func (a *answer) ok() bool { return a != nil && a.err == nil && a.status == http.StatusOK && a.html }

// forbidden reports whether robots.txt kept the survey from asking.
func (a *answer) forbidden() bool { return a != nil && errors.Is(a.err, crawler.ErrForbidden) }

// unasked reports whether the time was over before the answer came.
func (a *answer) unasked() bool { return a != nil && errors.Is(a.err, ErrOutOfTime) }

// evidence returns the answer as evidence, with a line of it.
func (a *answer) evidence(line string) Evidence {
	return Evidence{Request: a.at.Fetch, Status: a.status, Line: clip(line)}
}

// said returns what came of the request in a few words.
func (a *answer) said() string {
	switch {
	case a.err != nil:
		return a.err.Error()
	case a.loop:
		return fmt.Sprintf("%d redirects, and no end", len(a.hops))
	case a.away:
		return "redirects to " + a.hops[len(a.hops)-1].location
	case !a.html:
		return fmt.Sprintf("status %d, %s", a.status, cmp.Or(a.header.Get("Content-Type"), "no Content-Type"))
	}
	return fmt.Sprintf("status %d", a.status)
}

// same reports whether two documents show the same: title, text and links.
func (a *answer) same(b *answer) bool {
	if a.doc.Title != b.doc.Title || a.doc.Fingerprint != b.doc.Fingerprint || len(a.doc.Links) != len(b.doc.Links) {
		return false
	}
	for i := range a.doc.Links {
		if a.doc.Links[i].Href != b.doc.Links[i].Href {
			return false
		}
	}
	return a.doc.Fingerprint != 0 || len(a.doc.Links) > 0 || a.markup.hash == b.markup.hash
}

// likeShell reports whether a snapshot shows no more than the shell: the same, or
// nothing at all under the same title, whatever nonces its scripts have.
func (a *answer) likeShell(shell *answer) bool {
	return a.same(shell) || a.doc.Title == shell.doc.Title && a.empty() && shell.empty()
}

// empty reports whether a document has neither words nor links.
func (a *answer) empty() bool { return a.doc.Fingerprint == 0 && len(a.doc.Links) == 0 }

// read takes in the body of the last response.
func (a *answer) read(resp *fetch.Response) {
	a.status, a.header, a.took = resp.Status, resp.Header, resp.End.Sub(resp.Start)
	a.truncated, a.length = resp.Truncated, len(resp.Body)
	kind, _, _ := strings.Cut(resp.Header.Get("Content-Type"), ";")
	kind = strings.ToLower(strings.TrimSpace(kind))
	if kind == "" {
		kind, _, _ = strings.Cut(http.DetectContentType(resp.Body), ";")
	}
	if a.html = kind == "text/html" || kind == "application/xhtml+xml"; !a.html {
		return
	}
	text, charset := htmldoc.Decode(resp.Body, resp.Header.Get("Content-Type"), "")
	a.charset = charset
	a.doc = htmldoc.Parse(text, htmldoc.Options{Agent: "hashcrawl", Text: maxText})
	a.markup = scanMarkup(resp.Body, text)
	var metas []robots.Meta
	for _, m := range a.doc.RobotsMeta {
		metas = append(metas, robots.Meta(m))
	}
	a.directives = robots.ParseDirectives(metas, resp.Header["X-Robots-Tag"], "hashcrawl")
}

// robotsLine returns what the document and its header ask of robots.
func (a *answer) robotsLine() string {
	var lines []string
	for _, v := range a.header["X-Robots-Tag"] {
		lines = append(lines, "X-Robots-Tag: "+v)
	}
	for _, m := range a.doc.RobotsMeta {
		lines = append(lines, fmt.Sprintf("<meta name=%q content=%q>", m.Name, m.Content))
	}
	if lines == nil {
		return "asks nothing of robots"
	}
	return strings.Join(lines, "; ")
}

// maxLine is how much of a line is shown as evidence.
const maxLine = 200

// clip shortens what is shown of a line.
func clip(line string) string {
	line = strings.Join(strings.Fields(line), " ")
	if len(line) <= maxLine {
		return line
	}
	n := maxLine
	for n > 0 && line[n]&0xc0 == 0x80 {
		n--
	}
	return line[:n] + "…"
}
