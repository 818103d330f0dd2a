package export

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hashcrawl/hashcrawl/frontier"
	"github.com/hashcrawl/hashcrawl/storage"
)

var update = flag.Bool("update", false, "write the golden files")

// rows are pages whose fields try the formats: markup, quotes, line ends, states
// with & and %, scripts, and nothing at all.
func rows() []*Row {
	at := time.Date(2026, 11, 30, 8, 5, 0, 250_000_000, time.UTC)
	return []*Row{
		{
			Entry: frontier.Entry{URL: "http://a.test/#!q=R&D 100%", Depth: 1, Via: frontier.ViaLink, Found: at},
			Page: storage.Page{
				Outcome: frontier.Indexed, Status: 200, Title: "R&D <100%>, \"quoted\"", Lang: "en", Fetched: at.Add(time.Second),
				Took: 1500 * time.Millisecond, Bytes: 12345, TextHash: 0xabc, Links: 7, Attempts: 1,
			},
			RequestURL: "http://a.test/?_escaped_fragment_=q=R%26D%20100%25",
			FoundOn:    "http://a.test/,\t\"list\"",
		},
		{
			Entry:      frontier.Entry{URL: "http://b.test/%D9%86", Snapshot: true},
			Page:       storage.Page{Outcome: frontier.Indexed, Status: 200, Title: "خبر\tتازه\n2", Lang: "fa", Fetched: at},
			RequestURL: "http://b.test/%D9%86?_escaped_fragment_=",
		},
		{
			Entry:      frontier.Entry{ID: frontier.ID{Host: 1, Class: frontier.ClassRefused}, URL: "http://c.test/x", Refusal: frontier.Trap, Rule: "deep-path"},
			RequestURL: "http://c.test/x",
		},
	}
}

func TestFormats(t *testing.T) {
	all, _ := Fields()
	for _, tc := range []struct {
		name   string
		format Format
		fields []string
	}{
		{"urls", URLs, nil},
		{"csv", CSV, nil},
		{"tsv", TSV, nil},
		{"jsonl", JSONL, nil},
		{"sitemap", Sitemap, nil},
		{"all-fields-jsonl", JSONL, all},
		{"all-fields-csv", CSV, all},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var out bytes.Buffer
			w, err := NewWriter(&out, tc.format, tc.fields)
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range rows() {
				if tc.format == Sitemap && r.Page.Outcome != frontier.Indexed {
					continue
				}
				if err := w.Write(r); err != nil {
					t.Fatal(err)
				}
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join("..", "..", "testdata", "export", tc.name+".golden")
			if *update {
				if err := os.WriteFile(path, out.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(out.Bytes(), want) {
				t.Errorf("%s is\n%s\nwant\n%s", tc.format, out.Bytes(), want)
			}
		})
	}
}

// TestTablesCanBeReadBack reads CSV and JSON lines with other people's readers.
func TestTablesCanBeReadBack(t *testing.T) {
	var table, lines bytes.Buffer
	for _, f := range []struct {
		format Format
		out    *bytes.Buffer
	}{{CSV, &table}, {JSONL, &lines}} {
		w, err := NewWriter(f.out, f.format, []string{"url", "title", "reason"})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range rows() {
			if err := w.Write(r); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	records, err := csv.NewReader(&table).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	objects := json.NewDecoder(&lines)
	for i, r := range rows() {
		var object struct{ URL, Title, Reason string }
		if err := objects.Decode(&object); err != nil {
			t.Fatal(err)
		}
		want := []string{r.URL, r.Page.Title, r.reason()}
		for j, got := range []string{object.URL, object.Title, object.Reason} {
			if got != want[j] || records[i+1][j] != want[j] {
				t.Errorf("row %d, field %d: JSON %q, CSV %q; want %q", i, j, got, records[i+1][j], want[j])
			}
		}
	}
}

func TestNewWriterRefuses(t *testing.T) {
	for _, tc := range []struct {
		name   string
		format Format
		fields []string
		says   string
	}{
		{"an unknown format", "xml", nil, "urls, csv, tsv, jsonl, sitemap"},
		{"an unknown field", CSV, []string{"url", "colour"}, `no field "colour"; there are url, request_url`},
		{"fields for a list of URLs", URLs, []string{"title"}, "no fields to choose"},
		{"fields for a sitemap", Sitemap, []string{"title"}, "no fields to choose"},
	} {
		if _, err := NewWriter(&bytes.Buffer{}, tc.format, tc.fields); err == nil || !strings.Contains(err.Error(), tc.says) {
			t.Errorf("%s: NewWriter = %v; want an error with %q", tc.name, err, tc.says)
		}
	}
}
