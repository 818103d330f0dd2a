package storage

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	bolt "go.etcd.io/bbolt"

	"github.com/hashcrawl/hashcrawl/frontier"
)

// appendForEver appends numbered commits after those that are there, and says
// which are durable.
func appendForEver(path string) error {
	db, err := Open(path, Options{Create: true})
	if err != nil {
		return err
	}
	h, _, err := db.Host(1)
	if err != nil {
		return err
	}
	for n := h.Tail[frontier.ClassLink]; ; n++ {
		db.Append(numbered(n))
		if n%701 == 0 {
			if err := db.Sync(); err != nil {
				return err
			}
			fmt.Println(n + 1)
		}
	}
}

func TestKilledProcessLosesNothingDurable(t *testing.T) {
	files, kills := 6, 5
	if testing.Short() {
		files, kills = 2, 3
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rnd := rand.New(rand.NewPCG(seed, 1))
	most := uint32(0)
	for file := range files {
		path := filepath.Join(t.TempDir(), "crawl.db")
		last := uint32(0)
		for kill := range kills {
			last = killOnce(t, path, last, time.Duration(rnd.Int64N(int64(150*time.Millisecond))))
			if t.Failed() {
				t.Fatalf("file %d, kill %d", file, kill)
			}
		}
		most = max(most, last)
	}
	if most == 0 {
		t.Error("no commit became durable before any kill: the test tests nothing")
	}
}

// killOnce lets a process append to the file, kills it after a while, which may
// hit the making of the file, and checks what is there. It returns the number
// of commits.
func killOnce(t *testing.T, path string, durable uint32, after time.Duration) uint32 {
	t.Helper()
	p := start(t, "append", path)
	timer := time.AfterFunc(after, func() { p.Process.Kill() })
	defer timer.Stop()
	for line := p.line(); line != ""; line = p.line() {
		if _, err := fmt.Sscan(line, &durable); err != nil {
			t.Fatalf("the process says %q", line)
		}
	}
	p.Wait()
	return reopenNumbered(t, path, durable)
}

// reopenNumbered opens the file after a crash and checks it. At least durable
// commits must be there.
func reopenNumbered(t *testing.T, path string, durable uint32) uint32 {
	t.Helper()
	db, err := Open(path, Options{Create: true})
	if err != nil {
		t.Fatalf("Open after a crash: %v", err)
	}
	n := checkNumbered(t, db)
	if n < durable {
		t.Errorf("%d commits were durable, %d are there", durable, n)
	}
	if err := db.Close(); err != nil { // carries the log to the buckets
		t.Fatal(err)
	}
	checkBolt(t, path)
	db = reopen(t, path)
	defer db.Close()
	if again := checkNumbered(t, db); again != n {
		t.Errorf("%d commits are there after Close, %d before", again, n)
	}
	return n
}

// checkBolt runs bbolt's own check, and sees that the log is empty.
func checkBolt(t *testing.T, path string) {
	t.Helper()
	b, err := bolt.Open(path, 0o600, &bolt.Options{ReadOnly: true, PreLoadFreelist: true, Timeout: lockTimeout})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	err = b.View(func(tx *bolt.Tx) error {
		for err := range tx.Check() {
			t.Errorf("bbolt's check: %v", err)
		}
		if k, _ := tx.Bucket(bucketLog).Cursor().First(); k != nil {
			t.Errorf("log record %x is left after Close", k)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// failing returns a transaction that fails from the nth on: with nothing
// durable, or after everything is.
func failing(nth int, durable bool) transaction {
	return func(b *bolt.DB, fn func(*bolt.Tx) error) error {
		nth--
		if nth > 0 {
			return b.Update(fn)
		}
		if durable {
			if err := b.Update(fn); err != nil {
				return err
			}
		}
		return errBroken
	}
}

var errBroken = errors.New("broken")

func TestFailedWrite(t *testing.T) {
	for _, durable := range []bool{false, true} {
		// The first transaction makes the file.
		for _, nth := range []int{2, 3, 4, 5, 8, 9, 10, 11, 14} {
			t.Run(fmt.Sprintf("nth=%d/durable=%v", nth, durable), func(t *testing.T) {
				path := filepath.Join(t.TempDir(), "crawl.db")
				db, err := open(path, Options{Create: true}, failing(nth, durable))
				if err != nil {
					t.Fatal(err)
				}
				synced, appended := appendUntilFailed(t, db)
				if err := db.Close(); !errors.Is(err, errBroken) {
					t.Errorf("Close = %v, want the error of the write", err)
				}
				if n := reopenNumbered(t, path, synced); n > appended {
					t.Errorf("%d commits are there, %d were appended", n, appended)
				}
			})
		}
	}
}

// appendUntilFailed appends commits in groups of growing size until a write
// fails. It returns how many were durable before, and how many were appended.
func appendUntilFailed(t *testing.T, db *DB) (synced, appended uint32) {
	t.Helper()
	for size := uint32(1); ; size += 500 {
		for range size {
			db.Append(numbered(appended))
			appended++
		}
		if err := db.Sync(); err != nil {
			if !errors.Is(err, errBroken) || !errors.Is(db.Err(), errBroken) {
				t.Errorf("Sync = %v, Err = %v; want the error of the write", err, db.Err())
			}
			<-db.Failed()
			db.Append(numbered(appended + 1)) // does nothing
			if err := db.Sync(); !errors.Is(err, errBroken) {
				t.Errorf("Sync after a failed write = %v, want its error", err)
			}
			checkNumbered(t, db) // what failed can still be read by this process
			return synced, appended
		}
		synced = appended
	}
}

func TestPanicInAWriteIsItsError(t *testing.T) {
	path := filepath.Join(t.TempDir(), "crawl.db")
	calls := 0
	db, err := open(path, Options{Create: true}, func(b *bolt.DB, fn func(*bolt.Tx) error) error {
		if calls++; calls < 2 {
			return b.Update(fn)
		}
		return b.Update(func(tx *bolt.Tx) error { panic("page 7 already freed") })
	})
	if err != nil {
		t.Fatal(err)
	}
	db.Append(numbered(0))
	if err := db.Sync(); !errors.Is(err, ErrDamaged) {
		t.Errorf("Sync = %v, want ErrDamaged", err)
	}
	if err := db.Close(); !errors.Is(err, ErrDamaged) {
		t.Errorf("Close = %v, want ErrDamaged", err)
	}
	if n := reopenNumbered(t, path, 0); n != 0 {
		t.Errorf("%d commits are there, want none", n)
	}
}
