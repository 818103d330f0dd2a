package storage

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	bolt "go.etcd.io/bbolt"

	"github.com/hashcrawl/hashcrawl/frontier"
)

// manyRuns makes a file of that many small runs, in each of which some pages of
// those before were fetched again.
func manyRuns(t *testing.T, runs int) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "crawl.db")
	for run := range uint32(runs) {
		db := reopenOrCreate(t, path)
		for n := run * 10; n < run*10+10; n++ {
			db.Append(numbered(n))
		}
		again := frontier.ID{Host: 1, Class: frontier.ClassLink, Seq: run}
		db.Append(Commit{Page: &Page{ID: again, Outcome: frontier.Indexed, Title: fmt.Sprintf("page %d", run), Attempts: int(run)}})
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return path
}

// runsIn returns the runs of a table, and what is left over.
func runsIn(t *testing.T, db *DB, of table) (runs []run, left []runRef) {
	t.Helper()
	err := db.view(func(tx *bolt.Tx) (err error) {
		if runs, err = runsOf(tx, of); err == nil {
			left, _, err = leftOver(tx)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return runs, left
}

func TestRunsAreMerged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		path := manyRuns(t, 23)
		db := reopen(t, path)
		defer db.Close()
		synctest.Wait() // the writer has nothing to do any more
		for _, of := range []table{tableURL, tablePage} {
			runs, left := runsIn(t, db, of)
			if len(runs) > 6 || mergeable(runs) != nil || len(left) > 0 {
				t.Errorf("%s has the runs %v, and %v are left over", tableBuckets[of], runs, left)
			}
		}
		if n := checkNumbered(t, db); n != 230 {
			t.Errorf("%d commits are there, want 230", n)
		}
		for n := range 23 { // the newest of two records counts
			p, _, err := db.Page(frontier.ID{Host: 1, Class: frontier.ClassLink, Seq: uint32(n)})
			if err != nil || p.Attempts != n {
				t.Errorf("Page %d = %+v, %v; want that of the last time", n, p, err)
			}
		}
	})
}

func TestMergeable(t *testing.T) {
	for levels, want := range map[string]string{
		"": "", "000": "", "0000": "0000", "1000": "", "1110000": "0000", "1111": "1111", "111100": "1111", "211110": "1111", "2101010": "", "00000": "0000", "11110000": "0000",
	} {
		var runs []run
		for i, l := range levels {
			runs = append(runs, run{number: uint32(i), level: uint8(l - '0')})
		}
		got := ""
		if m := mergeable(runs); m != nil && m[0].number > 0 && runs[m[0].number-1].level == m[0].level {
			t.Errorf("mergeable(%s) leaves an older run of its level", levels)
		}
		for _, r := range mergeable(runs) {
			got += string('0' + r.level)
		}
		if got != want {
			t.Errorf("mergeable(%s) = %q, want %q", levels, got, want)
		}
	}
}

// TestBrokenMerge lets each transaction of merges fail, durable and not.
func TestBrokenMerge(t *testing.T) {
	content := read(t, manyRuns(t, 17))
	for _, durable := range []bool{false, true} {
		for nth := 1; ; nth++ {
			failed := false
			synctest.Test(t, func(t *testing.T) {
				path := write(t, content)
				db, err := open(path, Options{}, failing(nth, durable))
				if err != nil {
					t.Fatal(err)
				}
				synctest.Wait()
				if err := db.Close(); err != nil && !errors.Is(err, errBroken) {
					t.Errorf("Close = %v, want the error of the write", err)
				}
				failed = db.Err() != nil
				if n := reopenNumbered(t, path, 170); n != 170 {
					t.Errorf("nth=%d, durable=%v: %d commits are there, want 170", nth, durable, n)
				}
				if problems, _, err := verified(t, path); err != nil || slices.ContainsFunc(problems, func(p string) bool { return p[:5] == "bbolt" }) {
					t.Errorf("nth=%d, durable=%v: Verify = %v, %v", nth, durable, problems, err)
				}
			})
			if !failed {
				if nth < 5 {
					t.Errorf("there were %d transactions: the test tests nothing", nth)
				}
				break
			}
		}
	}
}

// What no list names is deleted, so that damage must not make a run look like that.
func TestDamagedRunsAreNotTakenForLeftOvers(t *testing.T) {
	for _, tc := range []struct {
		name   string
		damage func(tx *bolt.Tx) error
	}{
		{"a list names another number", func(tx *bolt.Tx) error {
			runs, err := runsOf(tx, tablePage)
			if err != nil {
				return err
			}
			runs[0].number ^= 1 << 20
			return putRuns(tx, tablePage, runs)
		}},
		{"a block has the last number of all", func(tx *bolt.Tx) error {
			k := append(appendRunPrefix(nil, tableURL, math.MaxUint32), make([]byte, idSize)...)
			return tx.Bucket(bucketBlock).Put(k, []byte("damaged"))
		}},
	} {
		path := manyRuns(t, 2)
		changeBolt(t, path, tc.damage)
		before := read(t, path)
		for _, opts := range []Options{{}, {ReadOnly: true}} {
			if db, err := Open(path, opts); !errors.Is(err, ErrDamaged) || db != nil {
				t.Errorf("%s: Open(%+v) = %v, %v; want ErrDamaged", tc.name, opts, db, err)
			}
		}
		if !bytes.Equal(read(t, path), before) {
			t.Errorf("%s: Open changed the file", tc.name)
		}
	}
}

// TestBusyCrawlHasFewerLargerTransactions holds what is merged beside the commits of
// a slow crawl and of one that its file holds up.
func TestBusyCrawlHasFewerLargerTransactions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := writing{asked: time.Now()}
		for _, tc := range []struct {
			gathered int
			within   time.Duration
			calm     bool
		}{
			{400 << 10, commitWindow, true},
			{0, time.Millisecond, true},
			{4 << 20, commitWindow, false},
			{200 << 10, 5 * time.Millisecond, false},
			{1, 0, false},
		} {
			time.Sleep(tc.within)
			if got := w.isCalm(tc.gathered); got != tc.calm {
				t.Errorf("%d bytes within %v are calm: %v, want %v", tc.gathered, tc.within, got, tc.calm)
			}
		}
	})
	if few, many := mergeBytes(1000, true), mergeBytes(1000, false); few*calmPart != many || many != mergeLeast {
		t.Errorf("merged beside slow commits are %d bytes, beside fast ones %d", few, many)
	}
	if got := mergeBytes(1<<18, false); got != 8<<20 {
		t.Errorf("merged in a file of %d free pages are %d bytes, want four times their list", 1<<18, got)
	}
}
