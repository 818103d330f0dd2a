package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hashcrawl/hashcrawl/cmd/hashcrawl/demosite"
)

// TestKilledWalkMissesNothing kills the program with SIGKILL at each page of a
// walk, in turn, while the roll goes on to grow. No walk that was killed says
// that it is complete, and the last one, left alone, has every notice.
func TestKilledWalkMissesNothing(t *testing.T) {
	site := demosite.New(demosite.Options{})
	var process victim
	var left atomic.Int64 // index pages that are answered before the kill
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/news/" && process.alive() && left.Add(-1) < 0 {
			process.kill()
			return
		}
		site.ServeHTTP(w, r)
	}))
	t.Cleanup(srv.Close)
	dir := filepath.Join(t.TempDir(), "c.crawl")
	bounds := []string{"-q", "--min-interval", "1ms", "--max-interval", "1ms"}
	crawl := append([]string{"crawl", srv.URL + "/news/", "--dir", dir, "--delay", "0", "--no-sitemaps", "--scope", "prefix"}, bounds...)
	if out, err := hashcrawl(t, crawl...).Output(); err != nil {
		t.Fatalf("first crawl: %v\n%s", err, out)
	}
	published := 47
	for kill := range 5 { // at page 1, 2, …
		site.Publish(33)
		published += 33
		begun := time.Now()
		left.Store(int64(kill))
		cmd := hashcrawl(t, append([]string{"resume", dir}, bounds...)...)
		process.start(t, cmd)
		if err := cmd.Wait(); !wasKilled(err) {
			t.Fatalf("the walk was not killed at page %d: %v", kill+1, err)
		}
		process.spare()
		if s := oneSeries(t, dir); s.Complete && s.Visited.After(begun) {
			t.Errorf("killed at page %d, the series is complete by %s", kill+1, s.Stop)
		}
	}
	if out, err := hashcrawl(t, append([]string{"resume", dir}, bounds...)...).Output(); err != nil {
		t.Fatalf("last walk: %v\n%s", err, out)
	}
	if s := oneSeries(t, dir); !s.Complete || len(s.Certificate.Gaps) > 0 {
		t.Errorf("the last walk stopped by %s, complete %v, gaps %v", s.Stop, s.Complete, s.Certificate.Gaps)
	}
	lines := exported(t, dir, srv.URL)
	for n := 1; n <= published; n++ {
		if !slices.ContainsFunc(lines, func(l string) bool { return strings.HasSuffix(l, fmt.Sprintf("/notice-%03d", n)) }) {
			t.Errorf("notice %d is missing", n)
		}
	}
}

// oneSeries returns what series --json says of the only series of a crawl.
func oneSeries(t *testing.T, dir string) (s seriesReport) {
	t.Helper()
	out, err := hashcrawl(t, "series", dir, "--json").Output()
	if err != nil {
		t.Fatalf("series: %v", err)
	}
	if err := json.Unmarshal(out, &s); err != nil {
		t.Fatalf("series: %v\n%s", err, out)
	}
	return s
}
