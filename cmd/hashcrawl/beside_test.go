package main

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashcrawl/hashcrawl/cmd/hashcrawl/demosite"
)

// A crawlUnderWay is a crawl of the demonstration site in another process, one
// of whose requests hangs.
type crawlUnderWay struct {
	*exec.Cmd
	url     string
	release func() // lets the request and all that follow go
}

// startCrawl starts a crawl into dir, which hangs after some requests.
func startCrawl(t *testing.T, dir string) *crawlUnderWay {
	t.Helper()
	hang, hangs := make(chan struct{}), make(chan struct{}, 1000)
	requests := make(chan struct{}, 1000)
	site := demosite.New(demosite.Options{})
	url := siteServer(t, site, func() {
		requests <- struct{}{}
		if len(requests) > 8 {
			hangs <- struct{}{}
			<-hang
		}
	})
	c := &crawlUnderWay{Cmd: hashcrawl(t, "crawl", url+"/", "--dir", dir, "--delay", "0", "-q"), url: url}
	released := false
	c.release = func() {
		if !released {
			close(hang)
		}
		released = true
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Process.Kill(); c.release() })
	<-hangs
	return c
}

// output runs the program in a directory and returns what it prints.
func output(t *testing.T, in string, args ...string) string {
	t.Helper()
	cmd := hashcrawl(t, args...)
	cmd.Dir = in
	out, err := cmd.Output()
	if err != nil {
		t.Errorf("%v: %v", args, err)
	}
	return string(out)
}

// TestCommandsBesideARunningCrawl has every command that reads a crawl look at
// one that is under way, also one whose path is too long for a socket.
func TestCommandsBesideARunningCrawl(t *testing.T) {
	for name, dir := range map[string]string{
		"a short path":  "c.crawl",
		"a long path":   filepath.Join(strings.Repeat("long", 30), "c.crawl"),
		"a hidden path": filepath.Join(".c", "é crawl"),
	} {
		t.Run(name, func(t *testing.T) {
			home := t.TempDir()
			c := startCrawl(t, filepath.Join(home, dir))
			status := output(t, home, "status", dir, "--json")
			if !strings.Contains(status, `"leased":1`) || !strings.Contains(status, `"known":`) || !strings.Contains(status, `"running":true`) {
				t.Errorf("status prints %q; want one lease and that the crawl runs", status)
			}
			if said := fmt.Sprintf("process %d is crawling, 1 request is under way", c.Process.Pid); !strings.Contains(output(t, home, "status", dir), said) {
				t.Errorf("status does not say %q", said)
			}
			exported := output(t, home, "export", dir)
			if !strings.Contains(exported, c.url+"/") || strings.Count(exported, "\n") < 3 {
				t.Errorf("export prints %q; want the pages so far", exported)
			}
			output(t, home, "export", dir, "-o", "urls.txt")
			if written, err := os.ReadFile(filepath.Join(home, "urls.txt")); err != nil || string(written) != exported {
				t.Errorf("export -o wrote %q, %v; want %q where it was called", written, err, exported)
			}
			if got := output(t, home, "explain", "url", "--dir", dir, c.url+"/"); !strings.Contains(got, "outcome  ") || strings.Contains(got, "unknown") {
				t.Errorf("explain url prints %q; want an outcome", got)
			}
			explain := hashcrawl(t, "explain", "url", "--dir", dir)
			explain.Dir, explain.Stdin = home, strings.NewReader(c.url+"/\n"+c.url+"/nobody-knows\n")
			if got, err := explain.Output(); err != nil || strings.Count(string(got), "outcome  ") != 2 || !strings.Contains(string(got), "unknown") {
				t.Errorf("explain url of its input prints %q, %v; want two outcomes", got, err)
			}
			output(t, home, "series", dir)
			output(t, home, "backup", dir, "b.db")
			if err := os.Mkdir(filepath.Join(home, "b"), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.Rename(filepath.Join(home, "b.db"), filepath.Join(home, "b", crawlFile)); err != nil {
				t.Fatal(err)
			}
			if got := output(t, home, "export", "b"); got != exported {
				t.Errorf("the backup has the pages %q; want %q", got, exported)
			}
			failsWith(t, exitInUse, "in use by process", "verify", filepath.Join(home, dir))
			failsWith(t, exitInUse, "in use by process", "compact", filepath.Join(home, dir))
			failsWith(t, exitUsage, "no format", "export", filepath.Join(home, dir), "--format", "papyrus")
			failsWith(t, exitUsage, "--base", "explain", "url", "--dir", filepath.Join(home, dir), "--base", ":", "x")
			failsWith(t, exitInUse, "in use by process", "resume", filepath.Join(home, dir))
			c.release()
			if err := c.Wait(); err != nil {
				t.Errorf("the crawl ends with %v", err)
			}
			if left, _ := filepath.Glob(filepath.Join(home, dir, "*run*")); len(left) > 0 {
				t.Errorf("left behind are %v", left)
			}
			output(t, home, "status", dir)
		})
	}
}

// TestStaleSocketIsRemoved kills a crawl, which cannot take its socket away.
func TestStaleSocketIsRemoved(t *testing.T) {
	for name, command := range map[string]string{"by a command that reads": "status", "by the next run": "resume"} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "c.crawl")
			c := startCrawl(t, dir)
			c.Process.Kill()
			c.Wait()
			c.release()
			socket := filepath.Join(dir, socketName)
			if _, err := os.Lstat(socket); err != nil {
				t.Fatalf("the killed crawl left no socket: %v", err)
			}
			output(t, "", command, dir)
			if _, err := os.Lstat(socket); err == nil {
				t.Errorf("the socket is still there after %s", command)
			}
		})
	}
}

// TestSocketThatDoesNotAnswer has somebody hold the file and the socket, who
// hangs up.
func TestSocketThatDoesNotAnswer(t *testing.T) {
	dir, _ := crawled(t)
	db, err := openCrawl(dir, false)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	l, err := listenSocket(dir)
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			conn.Close()
		}
	}()
	failsWith(t, exitInUse, "does not answer", "status", dir)
	l.Close()
	failsWith(t, exitInUse, "in use", "status", dir)
}

// TestSocketIsForItsUserAlone checks the mode of the socket.
func TestSocketIsForItsUserAlone(t *testing.T) {
	dir := t.TempDir()
	l, err := listenSocket(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	info, err := os.Stat(filepath.Join(dir, socketName))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the socket is %v, %v; want mode 0600", info, err)
	}
}

// TestSocketCarriesOutReadsAlone asks a crawl for what is not its business.
func TestSocketCarriesOutReadsAlone(t *testing.T) {
	dir := t.TempDir()
	r, err := receive(dir, &live{})
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"{\"args\":[\"demo\"]}\n", "{\"args\":[]}\n", "gibberish\n", ""} {
		conn, _ := dialCrawl(dir)
		if conn == nil {
			t.Fatal("nobody answers")
		}
		conn.Write([]byte(line))
		conn.CloseWrite()
		var got bytes.Buffer
		got.ReadFrom(conn)
		conn.Close()
		if want := "h\x00\x00\x00\x00"; got.String() != want && got.String() != want+"x\x00\x00\x00\x01\x02" {
			t.Errorf("%q is answered with %q", line, got.String())
		}
	}
	r.leave()
	r.wait()
	if _, err := net.Dial("unix", filepath.Join(dir, socketName)); err == nil {
		t.Error("the socket is still there")
	}
}
