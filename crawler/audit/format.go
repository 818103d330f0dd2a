package audit

import (
	"bufio"
	"embed"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"html/template"
	"io"
	"strings"
)

// A group is the findings of one rule that stand one after the other.
type group struct {
	Finding
	Pages []Finding
}

// groups joins the findings of one rule, in their order.
func (r *Report) groups() []group {
	var gs []group
	for _, f := range r.Findings {
		if n := len(gs); n > 0 && gs[n-1].ID == f.ID {
			gs[n-1].Pages = append(gs[n-1].Pages, f)
			continue
		}
		gs = append(gs, group{f, []Finding{f}})
	}
	return gs
}

// shownPages is how many pages of one finding the text form shows.
const shownPages = 5

// writeText writes the form for terminals.
func (r *Report) writeText(w io.Writer) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "%s\n%s\n", r.URL, r.Verdict())
	for _, g := range r.groups() {
		fmt.Fprintf(b, "\n%-7s  %s  [%s]\n", g.Severity, g.Title, g.ID)
		for i, f := range g.Pages {
			if i == shownPages {
				fmt.Fprintf(b, "         … and %d more\n", len(g.Pages)-i)
				break
			}
			fmt.Fprintf(b, "         %s\n", joined(f.URL, f.Detail))
			for _, e := range f.Evidence {
				fmt.Fprintf(b, "           %s\n", e)
			}
		}
		fmt.Fprintf(b, "         → %s\n", g.Remedy)
	}
	if len(r.Escapes) > 0 {
		fmt.Fprint(b, "\nHow the server reads states:\n")
		for _, e := range r.Escapes {
			fmt.Fprintf(b, "  %-52s %s\n", e.Dialect, e.Page)
		}
	}
	if len(r.Parity) > 0 {
		fmt.Fprint(b, "\nSnapshot and rendered page:\n")
		for _, p := range r.Parity {
			fmt.Fprintf(b, "  %3.0f %%  %s\n", 100*p.Score, p.URL)
		}
	}
	if r.More > 0 {
		fmt.Fprintf(b, "\n%s not looked at; raise --depth or --max-pages.\n", plural(r.More, "linked page"))
	}
	return b.Flush()
}

func joined(url, detail string) string {
	if detail == "" {
		return url
	}
	return url + ": " + detail
}

// String returns the evidence in one line.
func (e Evidence) String() string {
	s := "GET " + e.Request
	if e.Status != 0 {
		s += fmt.Sprintf(" → %d", e.Status)
	}
	if e.Line != "" {
		s += "  " + e.Line
	}
	return s
}

// writeJSON writes one object. URLs keep their &.
func (r *Report) writeJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(r)
}

// The elements of the JUnit form, as build servers read it.
type (
	junitSuite struct {
		XMLName  xml.Name    `xml:"testsuite"`
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Class   string        `xml:"classname,attr"`
		Name    string        `xml:"name,attr"`
		Failure *junitFailure `xml:"failure"`
		Out     *junitText    `xml:"system-out"`
	}
	junitFailure struct {
		Type    string `xml:"type,attr"`
		Message string `xml:"message,attr"`
		Text    string `xml:",cdata"`
	}
	junitText struct {
		Text string `xml:",cdata"`
	}
)

// writeJUnit writes one test case per rule. Errors and warnings are failures.
func (r *Report) writeJUnit(w io.Writer) error {
	found := map[string]group{}
	for _, g := range r.groups() {
		found[g.ID] = g
	}
	suite := junitSuite{Name: r.URL}
	for _, rule := range Rules() {
		c := junitCase{Class: "hashcrawl.check", Name: rule.ID}
		if g, ok := found[rule.ID]; ok {
			var text strings.Builder
			for _, f := range g.Pages {
				fmt.Fprintln(&text, joined(f.URL, f.Detail))
				for _, e := range f.Evidence {
					fmt.Fprintln(&text, "  "+e.String())
				}
			}
			if g.Severity == Info {
				c.Out = &junitText{text.String()}
			} else {
				suite.Failures++
				c.Failure = &junitFailure{Type: g.Severity.String(), Message: g.Title, Text: text.String() + "→ " + g.Remedy + "\n"}
			}
		}
		suite.Cases = append(suite.Cases, c)
	}
	suite.Tests = len(suite.Cases)
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(suite); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

//go:embed report.html
var reportFile embed.FS

// reportTemplate is parsed once and never changed.
var reportTemplate = template.Must(template.New("report.html").Funcs(template.FuncMap{
	"percent": func(f float64) string { return fmt.Sprintf("%.0f %%", 100*f) },
}).ParseFS(reportFile, "report.html"))

// writeHTML writes one self-contained file: no scripts, nothing to load.
func (r *Report) writeHTML(w io.Writer) error {
	return reportTemplate.Execute(w, struct {
		*Report
		Groups []group
	}{r, r.groups()})
}
