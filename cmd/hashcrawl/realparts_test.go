package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/hashcrawl/hashcrawl/ajaxscheme"
	"github.com/hashcrawl/hashcrawl/crawler"
	"github.com/hashcrawl/hashcrawl/crawler/audit"
	"github.com/hashcrawl/hashcrawl/crawler/fetch"
	"github.com/hashcrawl/hashcrawl/crawler/render"
)

// TestRealParts crawls and checks an AngularJS application in #! mode whose
// snapshots come from the npm middleware prerender-node, with a small renderer
// of ours behind it. It needs Node with the packages named in
// HASHCRAWL_NODE_MODULES, and a Chromium; .ci/run realparts installs them.
func TestRealParts(t *testing.T) {
	modules := os.Getenv("HASHCRAWL_NODE_MODULES")
	if modules == "" {
		t.Skip("SKIPPED: HASHCRAWL_NODE_MODULES names no folder with prerender-node, express and angular (.ci/run realparts installs them)")
	}
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("SKIPPED: there is no node here")
	}
	browser, err := render.Find("")
	if err != nil {
		t.Skipf("SKIPPED: %v (apt install chromium)", err)
	}
	site := startNode(t, node, modules, newPrerenderer(t, browser))

	dir := t.TempDir()
	crawl := hashcrawl(t, "crawl", site, "--dir", filepath.Join(dir, "c.crawl"), "--delay", "0")
	if err := crawl.Run(); err != nil {
		t.Fatal(err)
	}
	rows, err := hashcrawl(t, "export", filepath.Join(dir, "c.crawl"), "--format", "tsv", "--fields", "url,title").Output()
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Split(strings.TrimSpace(strings.ReplaceAll(string(rows), site, "/")), "\n")
	slices.Sort(got)
	want := []string{"/\tBoats", "/#!/\tBoats", "/#!/boats\tAll boats", "/#!/boats/fog horn\tFog horn", "/#!/café\tThe café", "url\ttitle"}
	if !slices.Equal(got, want) {
		t.Errorf("indexed are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}

	out, err := hashcrawl(t, "check", site, "--delay", "0", "--depth", "3", "--render", "--format", "json", "--fail-on", "none").Output()
	if err != nil {
		t.Fatal(err)
	}
	var report audit.Report
	if err := json.Unmarshal(out, &report); err != nil {
		t.Fatal(err)
	}
	if len(report.Parity) < 4 {
		t.Errorf("%d pages were rendered; want 4 or more", len(report.Parity))
	}
	for _, p := range report.Parity {
		if p.Score < 0.99 {
			t.Errorf("%s: score %.2f, %s, links only seen %q, only found %q", p.URL, p.Score, p.Differ, p.OnlySeen, p.OnlyFound)
		}
	}
	for _, f := range report.Findings {
		if f.ID == "snapshot-is-shell" || f.ID == "snapshot-same" || f.ID == "snapshot-status" || f.ID == "escape-not-understood" {
			t.Errorf("%s: %s (%v)", f.ID, f.URL, f.Evidence)
		}
	}
}

// startNode starts the application and returns its URL.
func startNode(t *testing.T, node, modules, renderer string) string {
	t.Helper()
	cmd := exec.Command(node, filepath.Join("..", "..", "testdata", "realparts", "server.js"), renderer)
	cmd.Env = append(os.Environ(), "NODE_PATH="+modules)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		stdin.Close() // which ends it
		if err := cmd.Wait(); err != nil {
			t.Errorf("node: %v\n%s", err, stderr.String())
		}
	})
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		t.Fatalf("node does not listen: %v\n%s", err, stderr.String())
	}
	return strings.TrimSpace(line) + "/"
}

// newPrerenderer starts what prerender-node asks for snapshots: a service that
// renders the URL in its path. It returns the service's URL.
func newPrerenderer(t *testing.T, browser string) string {
	t.Helper()
	client, err := fetch.New(fetch.Options{UserAgent: "renderer/1", AllowLoopback: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	v, err := crawler.NewVisitor(client)
	if err != nil {
		t.Fatal(err)
	}
	b, err := render.Start(t.Context(), render.Options{Path: browser, Loader: v})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	var mu sync.Mutex // a Browser is for one goroutine
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		target := strings.TrimPrefix(r.RequestURI, "/")
		if plain, err := url.PathUnescape(target); err == nil && !strings.Contains(target, "://") {
			target = plain
		}
		if pretty, err := ajaxscheme.Pretty(target); err == nil {
			target = pretty
		}
		page, err := b.Render(r.Context(), target)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, page.HTML)
	}))
	t.Cleanup(srv.Close)
	return srv.URL
}
