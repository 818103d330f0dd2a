//go:build unix

package storage

import (
	"errors"
	"fmt"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// diskSize is how large fillDisk lets a file become.
const diskSize = 3 << 20

// fillDisk appends numbered commits until the file cannot grow any more. A
// limit on the size of files stands for a full disk: writes fail in the same
// way.
func fillDisk(path string) error {
	signal.Ignore(syscall.SIGXFSZ)
	limit := syscall.Rlimit{Cur: diskSize, Max: diskSize}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		return err
	}
	db, err := Open(path, Options{Create: true})
	if err != nil {
		return err
	}
	synced := uint32(0)
	for n := uint32(0); ; n++ {
		db.Append(numbered(n))
		if n%500 != 0 {
			continue
		}
		if err := db.Sync(); err != nil {
			<-db.Failed()
			if cerr := db.Close(); !errors.Is(cerr, db.Err()) {
				return fmt.Errorf("Close = %w, want %w", cerr, db.Err())
			}
			fmt.Println(synced, err)
			return nil
		}
		synced = n + 1
	}
}

func TestFullDiskKeepsWhatWasDurable(t *testing.T) {
	path := filepath.Join(t.TempDir(), "crawl.db")
	p := start(t, "fill", path)
	line := p.line()
	if err := p.Wait(); err != nil {
		t.Fatalf("the process ended with %v and says %q", err, line)
	}
	var synced uint32
	if _, err := fmt.Sscan(line, &synced); err != nil || synced == 0 || !strings.Contains(line, syscall.EFBIG.Error()) {
		t.Fatalf("the process says %q, want some durable commits and the error of the disk", line)
	}
	n := reopenNumbered(t, path, synced)
	// There is room again: the crawl goes on.
	db := reopen(t, path)
	db.Append(numbered(n))
	if err := db.Sync(); err != nil {
		t.Fatal(err)
	}
	if got := checkNumbered(t, db); got != n+1 {
		t.Errorf("%d commits are there, want %d", got, n+1)
	}
}
