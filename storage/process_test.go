package storage

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"testing"

	"github.com/hashcrawl/hashcrawl/frontier"
)

// roleVariable names the environment variable that makes the test binary play
// another process; the crawl file is its only argument.
const roleVariable = "HASHCRAWL_STORAGE_TEST_ROLE"

// roles are what another process can do with a crawl file. It says what it has
// come to on stdout, one line each.
var roles = map[string]func(path string) error{
	"hold":   holdFile,
	"append": appendForEver,
	"fill":   fillDisk,
}

func TestMain(m *testing.M) {
	role, ok := roles[os.Getenv(roleVariable)]
	if !ok {
		os.Exit(m.Run())
	}
	if err := role(os.Args[1]); err != nil {
		fmt.Println("error:", err)
		os.Exit(1)
	}
}

// A process is the test binary in one of its roles.
type process struct {
	*exec.Cmd
	lines *bufio.Scanner // of its stdout
	in    io.Closer      // its stdin; it may wait for the end of it
}

// start starts a process, which is killed when the test ends.
func start(t *testing.T, role, path string) *process {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, path)
	cmd.Env = append(os.Environ(), roleVariable+"="+role)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	return &process{Cmd: cmd, lines: bufio.NewScanner(out), in: in}
}

// line returns the next line of the process, "" at its end.
func (p *process) line() string {
	p.lines.Scan()
	return p.lines.Text()
}

// holdFile opens the crawl file until stdin ends.
func holdFile(path string) error {
	db, err := Open(path, Options{})
	if err != nil {
		return err
	}
	fmt.Println("open")
	io.Copy(io.Discard, os.Stdin)
	return db.Close()
}

// The commits of the crash tests are numbered: commit n adds entry n of host 1
// and its hash, its page record, and makes the host and the counts say that
// there are n+1. Every third is to be tried again until the next one.

func numbered(n uint32) Commit {
	id := frontier.ID{Host: 1, Class: frontier.ClassLink, Seq: n}
	h := frontier.Host{ID: 1, Name: "a.test"}
	h.Tail[frontier.ClassLink] = n + 1
	e := frontier.Entry{ID: id, URL: fmt.Sprintf("http://a.test/%d", n)}
	c := Commit{
		Changes: frontier.Changes{
			Hosts: []frontier.Host{h}, Entries: []frontier.Entry{e}, Hashes: []uint64{uint64(n) + 1},
			Counts: frontier.Counts{frontier.Indexed: uint64(n) + 1},
		},
		Page: &Page{ID: id, Outcome: frontier.Indexed, Title: fmt.Sprintf("page %d", n)},
	}
	if n%3 == 1 {
		c.Settled = frontier.ID{Host: 1, Class: frontier.ClassLink, Seq: n - 1}
	}
	if n%3 == 0 {
		c.Retry = &frontier.Retry{Entry: e, Attempts: 1}
	}
	return c
}

// checkNumbered checks that the file holds exactly the commits before some
// number, and returns that.
func checkNumbered(t *testing.T, db *DB) (n uint32) {
	t.Helper()
	if h, found, err := db.Host(1); err != nil {
		t.Fatal(err)
	} else if found {
		n = h.Tail[frontier.ClassLink]
	}
	if c, err := db.Counts(); err != nil || c[frontier.Indexed] != uint64(n) {
		t.Errorf("Counts = %v, %v; want %d indexed", c, err, n)
	}
	seq := uint32(0)
	err := db.Pages(func(e frontier.Entry, p Page) error {
		if e.Seq != seq || p.Title != fmt.Sprintf("page %d", seq) || e.URL != fmt.Sprintf("http://a.test/%d", seq) {
			return fmt.Errorf("page %d is %+v of %+v", seq, p, e)
		}
		seq++
		return nil
	})
	if err != nil || seq != n {
		t.Errorf("Pages found %d, %v; want %d", seq, err, n)
	}
	if es, err := db.Entries(1, frontier.ClassLink, 0, int(n)+10); err != nil || uint32(len(es)) != n {
		t.Errorf("Entries found %d, %v; want %d", len(es), err, n)
	}
	checkHashes(t, db, n)
	var retries []uint32
	if err := db.Retries(func(r frontier.Retry) error { retries = append(retries, r.Seq); return nil }); err != nil {
		t.Errorf("Retries: %v", err)
	}
	if waits := n%3 == 1; waits != (len(retries) == 1) || waits && retries[0] != n-1 {
		t.Errorf("Retries = %v after %d commits", retries, n)
	}
	return n
}

// checkHashes checks that the hashes 1 to n are there, and no others.
func checkHashes(t *testing.T, db *DB, n uint32) {
	t.Helper()
	seen := map[uint64]bool{}
	err := db.Hashes(func(hs []uint64) error {
		for _, h := range hs {
			if h == 0 || h > uint64(n) {
				return fmt.Errorf("hash %d of %d", h, n)
			}
			seen[h] = true
		}
		return nil
	})
	if err != nil || uint32(len(seen)) != n {
		t.Errorf("Hashes found %d, %v; want %d", len(seen), err, n)
	}
}
