package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// TestRobotsFileThatKillsTheProcessIsGivenUp kills the process whenever the
// robots.txt of one host is asked for, as a fault in reading it would. Nothing is
// asked of that host, and everything of the others.
func TestRobotsFileThatKillsTheProcessIsGivenUp(t *testing.T) {
	var process victim
	var times atomic.Int64
	w := &web{hosts: 4, pages: 10}
	poison := w.host(2)
	w.visitHost = func(host, path string) {
		if host == poison && path == "/robots.txt" {
			times.Add(1)
			process.kill()
		}
	}
	w.serve(t)
	dir := filepath.Join(t.TempDir(), "c.crawl")
	starts := 0
	for {
		cmd := hashcrawl(t, "crawl", w.url(0, 0), "--dir", dir, "--scope", "any", "--delay", "0", "--concurrency", "4", "-q")
		process.start(t, cmd)
		starts++
		err := cmd.Wait()
		if err == nil {
			break
		}
		if !wasKilled(err) || starts > 12 {
			t.Fatalf("start %d ended with %v", starts, err)
		}
		verifyWhole(t, dir, fmt.Sprintf("after %d starts", starts))
	}
	if n := times.Load(); n < 6 || n > 8 {
		t.Errorf("the robots.txt was asked for %d times; want six to eight: the first may not be known of", n)
	}
	var want []string
	for _, u := range w.all() {
		if !strings.Contains(u, "//"+poison+":") {
			want = append(want, u)
		}
	}
	wantIndexed(t, dir, want)
	if got := output(t, "", "explain", "url", "--dir", dir, w.url(2, 3)); !strings.Contains(got, "robots.txt: crash: the crawler died") {
		t.Errorf("explain says %s", got)
	}
	verifyWhole(t, dir, "in the end")
}
