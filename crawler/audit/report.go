package audit

import (
	"fmt"
	"io"
	"slices"
)

// A Report is what a survey has to say about a site.
type Report struct {
	URL      string    `json:"url"` // as it was given, in normal form
	Pages    []Checked `json:"pages"`
	Requests int       `json:"requests"` // that were sent
	Errors   int       `json:"errors"`
	Warnings int       `json:"warnings"`
	Infos    int       `json:"infos"`
	Findings []Finding `json:"findings"`
	Escapes  []Escape  `json:"escapes"` // how the server reads states; empty if there is none to try
	Parity   []Parity  `json:"parity"`  // empty unless pages were rendered
	More     int       `json:"more"`    // pages that were found and not asked for, because of the limits
}

// A Checked is one page that was looked at.
type Checked struct {
	URL     string `json:"url"`
	Request string `json:"request"` // what a crawler asks for
	Status  int    `json:"status"`
	Title   string `json:"title"`
	Said    string `json:"said"` // what came, in a few words
}

// report judges the survey.
func (s *Survey) report() *Report {
	r := &Report{
		URL: s.start.Display, Pages: []Checked{}, Requests: s.asker.Requests(), Findings: s.judge(),
		Escapes: append([]Escape{}, s.escapes...), Parity: []Parity{},
	}
	left := map[string]bool{}
	for _, p := range s.pages {
		a := p.document()
		c := Checked{URL: p.url.Display, Request: a.request, Status: a.status, Said: a.said()}
		if a.ok() {
			c.Title = a.doc.Title
		}
		r.Pages = append(r.Pages, c)
		if p.sampled {
			continue
		}
		for _, u := range s.links(p) {
			if !s.known(u.Key) {
				left[u.Key] = true
			}
		}
	}
	r.More = len(left)
	s.eachParity(func(_ *rendered, p *Parity) { r.Parity = append(r.Parity, *p) })
	for _, f := range r.Findings {
		switch f.Severity {
		case Error:
			r.Errors++
		case Warning:
			r.Warnings++
		default:
			r.Infos++
		}
	}
	return r
}

// Worst returns the highest severity of a finding; ok is false if there is none.
func (r *Report) Worst() (worst Severity, ok bool) {
	for _, f := range r.Findings {
		worst, ok = max(worst, f.Severity), true
	}
	return worst, ok
}

// Verdict returns the report in one line.
func (r *Report) Verdict() string {
	return fmt.Sprintf("%s, %s, %s on %s, by %s",
		plural(r.Errors, "error"), plural(r.Warnings, "warning"), plural(r.Infos, "hint"), plural(len(r.Pages), "page"), plural(r.Requests, "request"))
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// writers are the formats of a report by name.
func writers() map[string]func(*Report, io.Writer) error {
	return map[string]func(*Report, io.Writer) error{
		"text": (*Report).writeText, "json": (*Report).writeJSON, "junit": (*Report).writeJUnit, "html": (*Report).writeHTML,
	}
}

// Formats returns the names of the formats, sorted.
func Formats() []string {
	var names []string
	for name := range writers() {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Write writes the report in a format, one of Formats.
func (r *Report) Write(w io.Writer, format string) error {
	write := writers()[format]
	if write == nil {
		return fmt.Errorf("audit: no format %q", format)
	}
	return write(r, w)
}
