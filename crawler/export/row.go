package export

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hashcrawl/hashcrawl/frontier"
	"github.com/hashcrawl/hashcrawl/storage"
)

// A Row is one URL with what is known of it.
type Row struct {
	frontier.Entry
	Page       storage.Page
	RequestURL string // what is or would be requested
	FoundOn    string // display URL of the page on which it was found first, where that was asked for
}

// Parent is the name of the field that needs Row.FoundOn.
const Parent = "parent"

// A field is one column: its value as JSON knows it, and as text.
type field struct {
	name  string
	about string
	value func(*Row) any
}

// fields are the columns in the order of the documentation. Names are part of
// the contract with whoever reads exports: they never change.
var fields = []field{
	{"url", "display URL: pretty or plain", func(r *Row) any { return r.URL }},
	{"request_url", "what was requested", func(r *Row) any { return r.RequestURL }},
	{"status", "HTTP status, 0 if no answer came", func(r *Row) any { return r.Page.Status }},
	{"title", "title of the page or snapshot", func(r *Row) any { return r.Page.Title }},
	{"lang", "declared language", func(r *Row) any { return r.Page.Lang }},
	{"depth", "links from a seed", func(r *Row) any { return int(r.Depth) }},
	{"fetched", "when, in UTC", func(r *Row) any { return r.Page.Fetched }},
	{"indexable", "whether exports list it", func(r *Row) any { return r.Page.Outcome == frontier.Indexed }},
	{"outcome", "what became of it", func(r *Row) any { return r.outcome().String() }},
	{"reason", "why, where the outcome does not say it", func(r *Row) any { return r.reason() }},
	{"description", "meta description", func(r *Row) any { return r.Page.Description }},
	{"canonical", "rel=canonical as a display URL", func(r *Row) any { return r.Page.Canonical }},
	{"published", "publication time as the page gives it", func(r *Row) any { return r.Page.Published }},
	{"redirect", "display URL that it redirects to", func(r *Row) any { return r.Page.Target }},
	{"content_type", "as the server sent it", func(r *Row) any { return r.Page.ContentType }},
	{"bytes", "length of the body", func(r *Row) any { return r.Page.Bytes }},
	{"truncated", "why the body is not whole", func(r *Row) any { return r.Page.Truncated }},
	{"took_ms", "milliseconds from request to end of answer", func(r *Row) any { return r.Page.Took.Milliseconds() }},
	{"attempts", "requests for it", func(r *Row) any { return r.Page.Attempts }},
	{"links", "links found in it", func(r *Row) any { return r.Page.Links }},
	{"via", "how it was discovered", func(r *Row) any { return r.Via.String() }},
	{Parent, "page on which it was found first, empty for seeds", func(r *Row) any { return r.FoundOn }},
	{"found", "when it was discovered, in UTC", func(r *Row) any { return r.Found }},
	{"fingerprint", "hash of the visible text, hexadecimal", func(r *Row) any { return fingerprint(r.Page.TextHash) }},
	{"robots", "what the page and its header ask of robots", func(r *Row) any { return r.Page.Robots }},
	{"text", "visible text, if the crawl was made with --store-text", func(r *Row) any { return r.Page.Text }},
}

// outcome returns the outcome of the row: of its fetch, or of its refusal.
func (r *Row) outcome() frontier.Outcome {
	if r.Class == frontier.ClassRefused {
		return r.Refusal
	}
	return r.Page.Outcome
}

func (r *Row) reason() string {
	if r.Class == frontier.ClassRefused {
		return r.Rule
	}
	return r.Page.Reason
}

func fingerprint(h uint64) string {
	if h == 0 {
		return ""
	}
	return fmt.Sprintf("%016x", h)
}

// Fields returns the names of all fields, each with a short description.
func Fields() (names, abouts []string) {
	for _, f := range fields {
		names, abouts = append(names, f.name), append(abouts, f.about)
	}
	return names, abouts
}

// pick returns the fields with the given names, or an error that lists those
// that there are.
func pick(names []string) ([]field, error) {
	var fs []field
	for _, name := range names {
		i := slices.IndexFunc(fields, func(f field) bool { return f.name == name })
		if i < 0 {
			all, _ := Fields()
			return nil, fmt.Errorf("export: no field %q; there are %s", name, strings.Join(all, ", "))
		}
		fs = append(fs, fields[i])
	}
	return fs, nil
}

// text returns a field's value for a table.
func (f field) text(r *Row) string {
	switch v := f.value(r).(type) {
	case string:
		return v
	case time.Time:
		return formatTime(v)
	case bool:
		return strconv.FormatBool(v)
	default:
		return fmt.Sprint(v)
	}
}

// json appends a field's value for JSON; a missing time is null.
func (f field) json(out *bytes.Buffer, r *Row) error {
	v := f.value(r)
	if t, ok := v.(time.Time); ok {
		if t.IsZero() {
			v = nil
		} else {
			v = formatTime(t)
		}
	}
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false) // URLs keep their &
	if err := e.Encode(v); err != nil {
		return err
	}
	out.Truncate(out.Len() - 1) // the line end
	return nil
}

func formatTime(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02T15:04:05.000Z")
}
