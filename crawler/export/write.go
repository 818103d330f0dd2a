package export

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"strings"

	"github.com/hashcrawl/hashcrawl/crawler/sitemap"
)

// A Format is a form of the output.
type Format string

// The formats.
const (
	URLs    Format = "urls"    // one display URL a line
	CSV     Format = "csv"     // RFC 4180, with a header line
	TSV     Format = "tsv"     // tab-separated, with a header line; tabs and line ends in values become blanks
	JSONL   Format = "jsonl"   // one JSON object a line
	Sitemap Format = "sitemap" // sitemaps.org XML
)

// Formats lists the formats by name.
func Formats() []string {
	return []string{string(URLs), string(CSV), string(TSV), string(JSONL), string(Sitemap)}
}

var (
	tableFields = []string{"url", "status", "title", "lang", "depth", "fetched"}
	jsonFields  = []string{"url", "request_url", "status", "title", "lang", "depth", "fetched", "indexable"}
)

// A Writer writes rows in one format.
type Writer interface {
	Write(*Row) error
	// Close writes what ends the format. It does not close the output.
	Close() error
}

// NewWriter returns a writer to w, which takes one document: more than one
// sitemap holds ends with [sitemap.ErrParts]. fields names the columns; nil means those
// that are usual for the format, of which urls and sitemap have no choice.
func NewWriter(w io.Writer, f Format, fields []string) (Writer, error) {
	out := bufio.NewWriterSize(w, 64<<10)
	switch f {
	case URLs, Sitemap:
		if len(fields) > 0 {
			return nil, fmt.Errorf("export: format %s has no fields to choose", f)
		}
		if f == URLs {
			return urlWriter{out}, nil
		}
		return flushed{NewSitemapWriter(sitemap.WriteOptions{Open: sitemap.SinglePart(out)}), out}, nil
	case CSV, TSV, JSONL:
	default:
		return nil, fmt.Errorf("export: no format %q; there are %s", f, strings.Join(Formats(), ", "))
	}
	if len(fields) == 0 {
		fields = tableFields
		if f == JSONL {
			fields = jsonFields
		}
	}
	columns, err := pick(fields)
	if err != nil {
		return nil, err
	}
	switch f {
	case CSV:
		c := csv.NewWriter(out)
		return &csvWriter{c, columns, make([]string, len(columns))}, c.Write(fields)
	case TSV:
		_, err := fmt.Fprintln(out, strings.Join(fields, "\t"))
		return &tsvWriter{out, columns}, err
	}
	return &jsonWriter{out: out, columns: columns}, nil
}

type urlWriter struct{ *bufio.Writer }

func (w urlWriter) Write(r *Row) error {
	_, err := w.WriteString(r.URL + "\n")
	return err
}

func (w urlWriter) Close() error { return w.Flush() }

type csvWriter struct {
	out     *csv.Writer
	columns []field
	record  []string
}

func (w *csvWriter) Write(r *Row) error {
	for i, f := range w.columns {
		w.record[i] = f.text(r)
	}
	return w.out.Write(w.record)
}

func (w *csvWriter) Close() error {
	w.out.Flush()
	return w.out.Error()
}

type tsvWriter struct {
	out     *bufio.Writer
	columns []field
}

var tsvValue = strings.NewReplacer("\t", " ", "\n", " ", "\r", " ")

func (w *tsvWriter) Write(r *Row) error {
	for i, f := range w.columns {
		if i > 0 {
			w.out.WriteByte('\t')
		}
		tsvValue.WriteString(w.out, f.text(r))
	}
	return w.out.WriteByte('\n')
}

func (w *tsvWriter) Close() error { return w.out.Flush() }

type jsonWriter struct {
	out     *bufio.Writer
	columns []field
	line    bytes.Buffer
}

func (w *jsonWriter) Write(r *Row) error {
	w.line.Reset()
	for i, f := range w.columns {
		w.line.WriteByte("{,"[min(i, 1)])
		w.line.WriteString(`"` + f.name + `":`)
		if err := f.json(&w.line, r); err != nil {
			return err
		}
	}
	w.line.WriteString("}\n")
	_, err := w.out.Write(w.line.Bytes())
	return err
}

func (w *jsonWriter) Close() error { return w.out.Flush() }
