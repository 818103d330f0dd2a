package storage

import (
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	bolt "go.etcd.io/bbolt"

	"github.com/hashcrawl/hashcrawl/frontier"
)

// A gate lets the transactions of a writer through one by one, until it is
// opened.
type gate struct {
	db     *DB
	pass   chan struct{} // one transaction for each value, all once it is closed
	closed atomic.Bool   // whether transactions wait
	done   atomic.Int64  // transactions that are durable
}

func (g *gate) transact(b *bolt.DB, fn func(*bolt.Tx) error) error {
	if g.closed.Load() {
		// Nothing is written yet, and reads have nothing to give way to.
		g.db.turn.Unlock()
		<-g.pass
		g.db.turn.Lock()
	}
	defer g.done.Add(1)
	return b.Update(fn)
}

// gated makes a crawl file whose writer waits at a gate. It must be called in a
// bubble, and the gate be opened in the end.
func gated(t *testing.T) (*DB, *gate) {
	t.Helper()
	g := &gate{pass: make(chan struct{})}
	db, err := open(filepath.Join(t.TempDir(), "crawl.db"), Options{Create: true}, g.transact)
	if err != nil {
		t.Fatal(err)
	}
	g.db = db
	g.closed.Store(true)
	return db, g
}

// next lets one transaction through and waits until nothing moves any more.
func (g *gate) next() {
	g.pass <- struct{}{}
	synctest.Wait()
}

func TestGroupIsWrittenAfterItsWindow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db, g := gated(t)
		close(g.pass)
		defer db.Close()
		for n := range uint32(10) {
			db.Append(numbered(n))
			time.Sleep(commitWindow / 20)
		}
		synctest.Wait()
		if got := g.done.Load(); got != 1 {
			t.Errorf("%d transactions after half a window, want the first alone", got)
		}
		time.Sleep(commitWindow)
		synctest.Wait()
		if got := g.done.Load(); got != 2 {
			t.Errorf("%d transactions after the window, want one for the group", got)
		}
		time.Sleep(time.Hour)
		synctest.Wait()
		if got := g.done.Load(); got != 2 {
			t.Errorf("%d transactions after an hour of nothing, want none more", got)
		}
	})
}

func TestSyncWaitsForWhatWasAppendedBefore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db, g := gated(t)
		defer db.Close()
		if err := db.Sync(); err != nil {
			t.Errorf("Sync with nothing appended = %v", err)
		}
		var synced [3]atomic.Bool
		var wg sync.WaitGroup
		for i := range synced {
			db.Append(numbered(uint32(i)))
			wg.Go(func() {
				if err := db.Sync(); err != nil {
					t.Errorf("Sync = %v", err)
				}
				synced[i].Store(true)
			})
			synctest.Wait()
		}
		for step, want := range [][3]bool{{}, {true, false, false}, {true, true, true}} {
			if step > 0 {
				g.next() // the first commit alone, then those that came meanwhile
			}
			for i := range want {
				if synced[i].Load() != want[i] {
					t.Errorf("after %d transactions Sync %d has returned = %v, want %v", step, i, synced[i].Load(), want[i])
				}
			}
		}
		close(g.pass)
		wg.Wait()
	})
}

func TestCloseMakesEverythingDurable(t *testing.T) {
	for _, n := range []uint32{0, 1, 100, 9000} { // the last with an apply under way
		path := filepath.Join(t.TempDir(), "crawl.db")
		db := create(t, path)
		for i := range n {
			db.Append(numbered(i))
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		checkBolt(t, path)
		if got := checkNumbered(t, reopen(t, path)); got != n {
			t.Errorf("%d commits are there, want %d", got, n)
		}
	}
}

func TestAfterClose(t *testing.T) {
	path := filepath.Join(t.TempDir(), "crawl.db")
	db := create(t, path)
	db.Append(numbered(0))
	for range 2 {
		if err := db.Close(); err != nil {
			t.Errorf("Close = %v", err)
		}
	}
	db.Append(numbered(1)) // is lost, and does not wait
	if err := db.Sync(); err != nil {
		t.Errorf("Sync = %v, want nil: all that was appended before Close is durable", err)
	}
	if _, _, err := db.Host(1); !errors.Is(err, ErrClosed) {
		t.Errorf("Host after Close = %v, want ErrClosed", err)
	}
	if got := checkNumbered(t, reopen(t, path)); got != 1 {
		t.Errorf("%d commits are there, want 1", got)
	}
}

func TestSyncDoesNotWaitForAClosedWriter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db, g := gated(t)
		db.Append(numbered(0))
		var wg sync.WaitGroup
		wg.Go(func() {
			if err := db.Sync(); !errors.Is(err, ErrClosed) {
				t.Errorf("Sync = %v, want ErrClosed", err)
			}
		})
		synctest.Wait()
		wg.Go(func() { db.Close() })
		synctest.Wait()
		close(g.pass)
		wg.Wait()
	})
}

// Every run empties the log when it closes. Its numbers must not begin again,
// because the hashes of all runs stand under them.
func TestRunsDoNotOverwriteEachOthersHashes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "crawl.db")
	for run := range uint32(5) {
		db := create(t, path)
		db.Append(numbered(run))
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if got := checkNumbered(t, reopen(t, path)); got != 5 {
		t.Errorf("%d commits are there, want 5", got)
	}
}

// full is how many numbered commits fill a memtable.
var full = limitsFor(0).records/2 + 1

func TestReadsFindRecordsWhereverTheyStand(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db, g := gated(t)
		n := uint32(0)
		add := func(count int) {
			for range count {
				db.Append(numbered(n))
				n++
			}
		}
		add(full)
		for step := range 16 {
			add(300 + step) // to the memtable, while the frozen one is being carried
			if got := checkNumbered(t, db); got != n {
				t.Errorf("step %d: %d commits are found, want %d", step, got, n)
			}
			time.Sleep(commitWindow) // the group is due, if the writer is not busy
			g.next()
		}
		if db.frozen != nil {
			t.Error("the first memtable is still on its way to the buckets: the test tests half of it")
		}
		close(g.pass)
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		if got := checkNumbered(t, reopen(t, db.path)); got != n {
			t.Errorf("%d commits are found in the end, want %d", got, n)
		}
	})
}

// A reader that was made before a memtable went to the buckets still finds
// what stood in it.
func TestReaderOutlivesItsMemtables(t *testing.T) {
	db := create(t, filepath.Join(t.TempDir(), "crawl.db"))
	db.Append(numbered(0))
	r := db.reader()
	for n := uint32(1); n < uint32(3*full); n++ {
		db.Append(numbered(n))
	}
	if err := db.Sync(); err != nil {
		t.Fatal(err)
	}
	err := db.view(func(tx *bolt.Tx) error {
		if v := r.get(tx, tablePage, appendID(nil, numbered(0).Page.ID)); v == nil {
			return errors.New("the page is not found")
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func TestScanEndsWithItsPrefix(t *testing.T) {
	db := create(t, filepath.Join(t.TempDir(), "crawl.db"))
	for _, carried := range []bool{true, false} {
		var c Commit
		for h := frontier.HostID(1); h <= 3; h++ {
			host := frontier.Host{ID: h, Name: fmt.Sprintf("h%d.test", h)}
			c.Hosts = append(c.Hosts, host)
			for seq := range uint32(1500) {
				e := frontier.Entry{ID: frontier.ID{Host: h, Class: frontier.Class(seq % 2 * 7), Seq: seq}, URL: "http://x/"}
				if carried == (seq%3 == 0) {
					c.Entries = append(c.Entries, e)
				}
			}
		}
		db.Append(c)
		if carried {
			if err := db.Close(); err != nil {
				t.Fatal(err)
			}
			db = reopen(t, db.path)
		}
	}
	for _, of := range []frontier.HostID{1, 2, 3, 4} {
		seen := map[frontier.ID]bool{}
		if err := db.HostEntries(frontier.Host{ID: of, Name: "x"}, func(e frontier.Entry) error {
			if e.Host != of || seen[e.ID] {
				return fmt.Errorf("%v is no entry of host %d, or came twice", e.ID, of)
			}
			seen[e.ID] = true
			return nil
		}); err != nil {
			t.Error(err)
		}
		if want := 1500; len(seen) != want && of < 4 || of == 4 && len(seen) > 0 {
			t.Errorf("HostEntries(%d) found %d, want %d", of, len(seen), want)
		}
	}
	refused := 0
	if err := db.Refused(func(e frontier.Entry) error { refused++; return nil }); err != nil || refused != 3*750 {
		t.Errorf("Refused found %d, %v; want %d", refused, err, 3*750)
	}
}

func TestAppendWaitsWhileTooMuchIsNotDurable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db, g := gated(t)
		body := make([]byte, 1<<20)
		var appended atomic.Int64
		var wg sync.WaitGroup
		wg.Go(func() {
			for i := range 100 {
				db.Append(Commit{Robots: &Robots{Origin: fmt.Sprint(i), Body: body}})
				appended.Add(1)
			}
		})
		synctest.Wait()
		before := appended.Load()
		// The writer, which is told after the first group, may at once find the memtable full.
		if least, most := int64(groupBytes/len(body)), int64(groupLimit/len(body)); before < least || before > most {
			t.Errorf("%d commits of 1 MB were taken, want %d to %d", before, least, most)
		}
		for range 3 { // the group that was cut when it was large enough, and what it carries
			g.next()
		}
		if got := appended.Load(); got <= before {
			t.Errorf("%d commits were taken after transactions, want more than %d", got, before)
		}
		close(g.pass)
		wg.Wait()
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		if appended.Load() != 100 {
			t.Errorf("%d commits were taken in the end, want 100", appended.Load())
		}
	})
}

// Many small groups do not keep memory from use that they do not fill.
func TestSmallGroupsAreSmall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db, g := gated(t)
		close(g.pass)
		logs := limitsFor(0).logs
		for n := range uint32(logs + 50) {
			db.Append(numbered(n))
			db.mu.Lock()
			for _, r := range db.group {
				if cap(r.data) > logRecordFirst+crcSize {
					t.Errorf("a group of one commit takes %d bytes", cap(r.data))
				}
			}
			db.mu.Unlock()
			if err := db.Sync(); err != nil {
				t.Fatal(err)
			}
		}
		synctest.Wait()
		if db.mem.logs >= logs {
			t.Errorf("%d log records are kept in memory, want less than %d", db.mem.logs, logs)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		if got := checkNumbered(t, reopen(t, db.path)); got != uint32(logs+50) {
			t.Errorf("%d commits are there, want %d", got, uint32(logs+50))
		}
	})
}

// However fast the others append, the memtables stay of a size: who is too fast
// waits.
func TestWriterKeepsPaceWithAppends(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db, g := gated(t)
		commits := uint32(8 * full)
		done := make(chan struct{})
		go func() {
			defer close(done)
			for n := range commits {
				db.Append(numbered(n))
			}
		}()
		most, steps := 0, 0
		for appending := true; appending; steps++ {
			time.Sleep(commitWindow)
			synctest.Wait()
			select {
			case <-done:
				appending = false
			case g.pass <- struct{}{}:
			}
			db.mu.Lock()
			records := db.mem.records()
			if db.frozen != nil {
				records += db.frozen.records()
			}
			db.mu.Unlock()
			most = max(most, records)
		}
		// What is appended in the window before the first is frozen comes on top.
		if limit := limitsFor(0).records; most > 5*limit {
			t.Errorf("the memtables held %d records, want a bound of a few times %d", most, limit)
		}
		close(g.pass)
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		if got := checkNumbered(t, reopen(t, db.path)); got != commits {
			t.Errorf("%d commits are there, want %d", got, commits)
		}
	})
}

func TestManyWorkersAppend(t *testing.T) {
	path := filepath.Join(t.TempDir(), "crawl.db")
	db := create(t, path)
	var mu sync.Mutex // commits come in the order of their numbers
	n := uint32(0)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 400 {
				mu.Lock()
				db.Append(numbered(n))
				n++
				want := n
				mu.Unlock()
				if h, _, err := db.Host(1); err != nil || h.Tail[frontier.ClassLink] < want {
					t.Errorf("Host(1) = %+v, %v; want at least what was appended before", h, err)
				}
				if es, err := db.Entries(1, frontier.ClassLink, want-1, 1); err != nil || len(es) != 1 {
					t.Errorf("Entries from %d = %v, %v; want what was appended before", want-1, es, err)
				}
			}
		})
	}
	wg.Wait()
	if got := checkNumbered(t, db); got != n {
		t.Errorf("%d commits are there, want %d", got, n)
	}
}
