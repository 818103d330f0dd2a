package audit

import (
	"cmp"
	"fmt"
	"slices"
)

// A Severity says how much a finding matters.
type Severity int

// The severities. An error keeps pages out of an index, a warning can, and an
// info is something to know.
const (
	Info Severity = iota
	Warning
	Error
)

var severityNames = [...]string{Info: "info", Warning: "warning", Error: "error"}

// String returns info, warning or error.
func (s Severity) String() string { return severityNames[s] }

// MarshalText implements encoding.TextMarshaler.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (s *Severity) UnmarshalText(b []byte) error {
	i := slices.Index(severityNames[:], string(b))
	if i < 0 {
		return fmt.Errorf("audit: no severity %q", b)
	}
	*s = Severity(i)
	return nil
}

// Evidence is one request that shows what a finding says.
type Evidence struct {
	Request string `json:"request"`          // URL that was asked for, or where a line stands
	Status  int    `json:"status,omitempty"` // of the answer; 0 if none came or none was asked for
	Line    string `json:"line,omitempty"`   // what the answer says there
}

// A Finding is one thing to say about a site.
type Finding struct {
	ID       string     `json:"id"` // of the rule; never changes
	Severity Severity   `json:"severity"`
	URL      string     `json:"url"`    // display URL of the page, or the document
	Title    string     `json:"title"`  // what the rule says of it
	Detail   string     `json:"detail"` // what it is here; "" if the title says all
	Evidence []Evidence `json:"evidence"`
	Remedy   string     `json:"remedy"`
}

// A Rule is one thing that can be found.
type Rule struct {
	ID       string
	Severity Severity
	Title    string
	Remedy   string
	// check reports what it finds in a survey.
	check func(*Survey, report)
}

// A report takes a finding of the rule that is checked.
type report func(url, detail string, evidence ...Evidence)

// Rules returns all rules, theme by theme.
func Rules() []Rule {
	return slices.Concat(schemeRules(), escapeRules(), canonicalRules(), robotsRules(), linkRules(), sitemapRules(), contentRules(), httpRules(), parityRules())
}

// maxPerRule bounds how many findings of one rule are reported: what is wrong
// with every page of a site is told by the first hundred.
const maxPerRule = 100

// judge lets every rule look at the survey. Findings are ordered by severity,
// then as the rules stand, then as the pages were asked for.
func (s *Survey) judge() []Finding {
	var found []Finding
	for _, r := range Rules() {
		n := 0
		r.check(s, func(url, detail string, evidence ...Evidence) {
			if n++; n > maxPerRule {
				return
			}
			found = append(found, Finding{
				ID: r.ID, Severity: r.Severity, URL: url, Title: r.Title, Detail: detail,
				Evidence: append([]Evidence{}, evidence...), Remedy: r.Remedy,
			})
		})
	}
	slices.SortStableFunc(found, func(a, b Finding) int { return cmp.Compare(b.Severity, a.Severity) })
	return found
}
