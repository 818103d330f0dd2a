package main

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashcrawl/hashcrawl/cmd/hashcrawl/demosite"
	"github.com/hashcrawl/hashcrawl/crawler"
	"github.com/hashcrawl/hashcrawl/frontier"
	"github.com/hashcrawl/hashcrawl/storage"
)

// failsWith runs the program and checks its exit code and that stderr is one
// line with the given words. It returns that line.
func failsWith(t *testing.T, code int, words string, args ...string) string {
	t.Helper()
	cmd := hashcrawl(t, args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	err := cmd.Run()
	exit, ok := err.(*exec.ExitError)
	if !ok || exit.ExitCode() != code {
		t.Errorf("%v: %v; want exit code %d\n%s", args, err, code, stderr.String())
	}
	if !strings.Contains(stderr.String(), words) || strings.Count(stderr.String(), "\n") != 1 || strings.Contains(stderr.String(), "goroutine") {
		t.Errorf("%v prints %q; want one line with %q", args, stderr.String(), words)
	}
	return stderr.String()
}

// crawled returns the directory of a finished crawl of the demonstration site.
func crawled(t *testing.T) (dir, url string) {
	t.Helper()
	site := demosite.New(demosite.Options{})
	url = siteServer(t, site, func() {})
	dir = filepath.Join(t.TempDir(), "c.crawl")
	if out, err := hashcrawl(t, "crawl", url+"/", "--dir", dir, "--delay", "0", "-q").Output(); err != nil {
		t.Fatalf("crawl: %v\n%s", err, out)
	}
	return dir, url
}

// TestDamagedCrawlFilesAreRefused is D03: every command that reads a crawl says
// what is wrong with its file, and none panics.
func TestDamagedCrawlFilesAreRefused(t *testing.T) {
	dir, url := crawled(t)
	whole, err := os.ReadFile(filepath.Join(dir, crawlFile))
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{
		"no bytes":        {},
		"100 bytes":       whole[:100],
		"text":            []byte(strings.Repeat("this is a letter to my aunt\n", 1000)),
		"its start alone": whole[:5*os.Getpagesize()],
		"both meta pages": append(make([]byte, 2*os.Getpagesize()), whole[2*os.Getpagesize():]...),
	} {
		t.Run(name, func(t *testing.T) {
			if err := os.WriteFile(filepath.Join(dir, crawlFile), content, 0o600); err != nil {
				t.Fatal(err)
			}
			for _, args := range [][]string{
				{"resume", dir},
				{"status", dir},
				{"export", dir},
				{"crawl", url + "/", "--dir", dir, "--delay", "0"},
				{"explain", "url", "--dir", dir, url + "/"},
			} {
				if name == "no bytes" && args[0] == "crawl" {
					continue // takes it for a new crawl
				}
				failsWith(t, exitNoCrawl, "crawl", args...)
			}
		})
	}
}

// TestParkedHostEndsWithItsExitCode is the end of S03.
func TestParkedHostEndsWithItsExitCode(t *testing.T) {
	sum := &crawler.Summary{Report: frontier.Report{Stuck: []frontier.Host{{Name: "a.test"}}}}
	err := ending("hashcrawl resume a.crawl", sum, &caughtSignal{})
	if err == nil || exitCode(err) != exitStopped || !strings.Contains(err.Error(), "a.test") || !strings.Contains(err.Error(), "resume a.crawl") {
		t.Errorf("ending = %v; want exit code %d, the host, and how to go on", err, exitStopped)
	}
}

// TestSeedThatWaitsIsKept has one seed that fails and one whose host cannot tell
// its rules for now: the crawl is there to be resumed.
func TestSeedThatWaitsIsKept(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.Host, "localhost") {
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		http.NotFound(w, r)
	}))
	t.Cleanup(srv.Close)
	dir := filepath.Join(t.TempDir(), "c.crawl")
	waiting := strings.Replace(srv.URL, "127.0.0.1", "localhost", 1) + "/waits"
	failsWith(t, exitStopped, "gave up on hosts that keep failing (localhost)",
		"crawl", srv.URL+"/fails", waiting, "--dir", dir, "--delay", "0", "--no-sitemaps", "-q")
	if got := output(t, "", "export", "--all", "--format", "csv", "--fields", "url,outcome", dir); !strings.Contains(got, waiting+",waiting") {
		t.Errorf("the crawl knows\n%swant %s waiting", got, waiting)
	}
}

// TestBackupReplacesNoCrawlInUse has somebody at work on the file that a backup is
// to take the place of.
func TestBackupReplacesNoCrawlInUse(t *testing.T) {
	dir, _ := crawled(t)
	other := filepath.Join(t.TempDir(), crawlFile)
	db, err := storage.Open(other, storage.Options{Create: true})
	if err != nil {
		t.Fatal(err)
	}
	before, err := os.Stat(other)
	if err != nil {
		t.Fatal(err)
	}
	failsWith(t, exitInUse, "is a crawl that is in use; choose another file", "backup", dir, other)
	if after, err := os.Stat(other); err != nil || !os.SameFile(before, after) {
		t.Errorf("the file in use is another one now (%v)", err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	output(t, "", "backup", dir, other)
}

// TestInUseNamesTheProcess is D04: whoever comes second is told who is there.
func TestInUseNamesTheProcess(t *testing.T) {
	site := demosite.New(demosite.Options{})
	hang, asked := make(chan struct{}), make(chan struct{}, 1000)
	url := siteServer(t, site, func() { asked <- struct{}{}; <-hang })
	dir := filepath.Join(t.TempDir(), "c.crawl")
	first := hashcrawl(t, "crawl", url+"/", "--dir", dir, "--delay", "0", "-q")
	if err := first.Start(); err != nil {
		t.Fatal(err)
	}
	<-asked
	failsWith(t, exitInUse, fmt.Sprintf("by process %d", first.Process.Pid), "resume", dir)
	close(hang)
	if err := first.Wait(); err != nil {
		t.Errorf("the first crawl: %v", err)
	}
	if left, err := filepath.Glob(filepath.Join(dir, "*.pid")); err != nil || len(left) > 0 {
		t.Errorf("left behind are %v, %v", left, err)
	}
}

// TestFullDiskStopsCleanly is D01: the disk of the crawl fills up. In a
// namespace of its own the test is its own user, who may mount a small one.
func TestFullDiskStopsCleanly(t *testing.T) {
	page := strings.Repeat("<a href=%q>x</a>", 1)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			http.NotFound(w, r)
			return
		}
		fmt.Fprintf(w, "<title>%s</title>", strings.Repeat("long title ", 90))
		for i := range 100 { // new links on every page, until the disk is full
			fmt.Fprintf(w, page, fmt.Sprintf("/%s/%d", strings.Repeat("x", 200), i+100*len(r.URL.Path)+len(r.URL.RawQuery)))
			fmt.Fprintf(w, page, fmt.Sprintf("/p%s?%d", r.URL.Path[max(0, len(r.URL.Path)-40):], i))
		}
	}))
	defer srv.Close()
	binary, err := exec.LookPath("hashcrawl")
	if err != nil {
		t.Fatal(err)
	}
	disk := t.TempDir()
	script := fmt.Sprintf(`mount -t tmpfs -o size=3m none %[1]q || exit 99
%[2]q crawl %[3]s/ --dir %[1]q/c.crawl --delay 0 --no-sitemaps -q --max-pages 3000 --disk-reserve 0
echo "first exit $?"
%[2]q status %[1]q/c.crawl | head -1
mount -o remount,size=64m %[1]q || exit 99
%[2]q resume %[1]q/c.crawl -q --max-pages 5 --disk-reserve 1MiB
echo "second exit $?"
`, disk, binary, srv.URL)
	cmd := exec.Command("unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script)
	out, err := cmd.CombinedOutput()
	if exit, ok := err.(*exec.ExitError); ok && (exit.ExitCode() == 99 || bytes.Contains(out, []byte("unshare"))) || err != nil && !ok {
		t.Skipf("no disk of its own can be mounted here: %v\n%s", err, out)
	}
	got := string(out)
	if !strings.Contains(got, "first exit 7") || !strings.Contains(got, "no space left") || !strings.Contains(got, filepath.Join(disk, "c.crawl")) ||
		strings.Contains(got, "goroutine ") || !strings.Contains(got, "known") || !strings.Contains(got, "second exit 0") {
		t.Errorf("want a stop with exit code 7 that names the directory, and a resume that works:\n%s", got)
	}
}
