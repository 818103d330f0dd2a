package audit

import (
	"context"
	"errors"
	"flag"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/hashcrawl/hashcrawl/crawler"
	"github.com/hashcrawl/hashcrawl/crawler/fetch"
)

var update = flag.Bool("update", false, "write the golden reports")

// A site answers from memory. It is a crawler.Fetcher.
type site struct {
	host    string
	answers map[string]fetch.Response // by URL
	takes   map[string]time.Duration
	fails   map[string]error
	asked   []string
	times   [][2]time.Time // when each was asked for and answered
}

// readSite reads a site from testdata/audit: files are named by the targets they
// answer, and begin with header lines and an empty line. "status", "takes" and
// "cut" are no header fields; the other header lines are.
func readSite(t *testing.T, name string) *site {
	t.Helper()
	ar, err := txtar.ParseFile(filepath.Join("..", "..", "testdata", "audit", name+".site"))
	if err != nil {
		t.Fatal(err)
	}
	answers := map[string]string{}
	for _, f := range ar.Files {
		for _, target := range strings.Fields(f.Name) {
			answers[target] = string(f.Data)
		}
	}
	return newSite(t, name, answers)
}

// newSite returns a site with the given answers by target.
func newSite(t *testing.T, name string, answers map[string]string) *site {
	t.Helper()
	s := &site{host: "http://" + name + ".test", answers: map[string]fetch.Response{}, takes: map[string]time.Duration{}, fails: map[string]error{}}
	for target, text := range answers {
		s.add(t, target, text)
	}
	return s
}

// add takes the answer to a target.
func (s *site) add(t *testing.T, target, text string) {
	t.Helper()
	url := target
	if strings.HasPrefix(target, "/") {
		url = s.host + target
	}
	resp := fetch.Response{URL: url, Status: 200, Header: http.Header{"Content-Type": {"text/html; charset=utf-8"}}}
	if head, body, ok := strings.Cut(text, "\n\n"); ok && !strings.HasPrefix(text, "<") {
		text = body
		for line := range strings.Lines(head) {
			name, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
			switch name {
			case "status":
				resp.Status, _ = strconv.Atoi(value)
			case "takes":
				s.takes[url], _ = time.ParseDuration(value)
			case "cut":
				resp.Truncated = fetch.Truncation(value)
			default:
				resp.Header.Set(name, value)
			}
		}
	}
	resp.Location = resp.Header.Get("Location")
	resp.Body = []byte(strings.Replace(text, "{deep}", strings.Repeat("<div>", 100_000), 1))
	s.answers[url] = resp
}

func (s *site) Resolve(context.Context, string) (netip.Addr, error) {
	return netip.MustParseAddr("198.51.100.7"), nil
}

func (s *site) Fetch(ctx context.Context, r fetch.Request) (*fetch.Response, error) {
	start := time.Now()
	s.asked = append(s.asked, r.URL)
	if err := s.fails[r.URL]; err != nil {
		return nil, err
	}
	select {
	case <-time.After(s.takes[r.URL] + 100*time.Millisecond):
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	resp, ok := s.answers[r.URL]
	if !ok {
		resp = fetch.Response{URL: r.URL, Status: 404, Header: http.Header{"Content-Type": {"text/html; charset=utf-8"}}}
	}
	resp.Start, resp.End = start, time.Now()
	s.times = append(s.times, [2]time.Time{start, resp.End})
	return &resp, nil
}

// check surveys the site.
func (s *site) check(t *testing.T, o Options) *Report {
	t.Helper()
	v, err := crawler.NewVisitorFor(s, &crawler.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	if o.URL == "" {
		o.URL = s.host + "/"
	}
	r, err := Run(t.Context(), v, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestGoldenReports holds the reports of three sites in all formats.
func TestGoldenReports(t *testing.T) {
	for _, tc := range []struct {
		site  string
		depth int
	}{{"good", 3}, {"plain", 1}, {"broken", 2}} {
		t.Run(tc.site, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := readSite(t, tc.site).check(t, Options{Depth: tc.depth})
				for _, format := range Formats() {
					var b strings.Builder
					if err := r.Write(&b, format); err != nil {
						t.Fatal(err)
					}
					checkGolden(t, tc.site+".report."+format, b.String())
				}
			})
		})
	}
}

func checkGolden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("..", "..", "testdata", "audit", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s is not what it was; run with -update and look at the difference\n%.2000s", name, got)
	}
}
