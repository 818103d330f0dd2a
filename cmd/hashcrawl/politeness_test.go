package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestP13PauseSurvivesKill kills the program right after a server asked it to
// stay away for a while, and resumes at once: by the server's log nothing is
// asked for before the time is over, and robots.txt not again.
func TestP13PauseSurvivesKill(t *testing.T) {
	const pause = 3 * time.Second
	var mu sync.Mutex
	var until time.Time
	var early []string
	counts := map[string]int{}
	paused := make(chan struct{})
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		if time.Now().Before(until) {
			early = append(early, r.URL.Path)
		}
		counts[r.URL.Path]++
		switch {
		case r.URL.Path == "/robots.txt":
			http.NotFound(w, r)
		case r.URL.Path == "/busy" && counts[r.URL.Path] == 1:
			until = time.Now().Add(pause)
			w.Header().Set("Retry-After", fmt.Sprint(int(pause.Seconds())))
			w.WriteHeader(http.StatusTooManyRequests)
			close(paused)
		default:
			fmt.Fprint(w, `<a href="/busy">x</a><a href="/other">x</a>`)
		}
	}))
	defer srv.Close()
	dir := filepath.Join(t.TempDir(), "c.crawl")
	first := hashcrawl(t, "crawl", srv.URL+"/", "--dir", dir, "--delay", "0", "--no-sitemaps", "-q")
	if err := first.Start(); err != nil {
		t.Fatal(err)
	}
	<-paused
	time.Sleep(400 * time.Millisecond) // what is finished is durable a tenth of a second later
	first.Process.Kill()
	first.Wait()
	out, err := hashcrawl(t, "status", dir).Output()
	if err != nil || !strings.Contains(string(out), "paused (retry-after)") {
		t.Errorf("status after the kill: %v\n%s", err, out)
	}
	if out, err := hashcrawl(t, "resume", dir, "-q").Output(); err != nil {
		t.Fatalf("resume: %v\n%s", err, out)
	}
	if len(early) > 0 || counts["/robots.txt"] != 1 || counts["/busy"] != 2 || counts["/other"] != 1 {
		t.Errorf("within the pause were asked for %v; in all %v", early, counts)
	}
}
