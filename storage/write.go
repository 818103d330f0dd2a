package storage

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
	"time"

	bolt "go.etcd.io/bbolt"

	"github.com/hashcrawl/hashcrawl/frontier"
)

// A Commit is everything that one step of the crawl changes. It becomes
// durable as a whole.
type Commit struct {
	frontier.Changes
	Page   *Page          // nil if no page record changes
	Robots *Robots        // nil if no robots.txt was read
	Series []Series       // that change
	Shell  *Shell         // nil if none changes
	Config []byte         // nil if the configuration stays
	Lease  *Lease         // nil if none begins or ends
	Errand *ErrandCrashes // nil if nothing is to be noted of an errand
}

// Append adds c to what the writer makes durable next, after everything that
// was appended before. It waits only while too much is not durable yet. Reads
// see c at once. After a failed write, and after Close, it does nothing; see
// Failed. The file must not be open for reads alone.
func (db *DB) Append(c Commit) {
	if db.readOnly {
		panic("storage: Append to " + db.path + ", which is open for reads alone") // unreachable unless the caller mixed up two files
	}
	e := db.encoders.Get().(*commitEncoder)
	defer db.encoders.Put(e)
	ops := e.encode(&c)
	db.mu.Lock()
	defer db.mu.Unlock()
	for db.tooMuch() && db.err == nil && !db.closed {
		db.ready.Wait()
	}
	if db.err != nil || db.closed {
		return
	}
	if err := db.mem.apply(db.place(ops)); err != nil {
		panic("storage: " + err.Error()) // unreachable unless encode and apply differ
	}
	if db.pending >= groupBytes {
		db.wake()
	}
}

// tooMuch reports whether Append has to wait: too much is not durable yet, or a
// memtable is full while the one before it is still on its way to the buckets.
func (db *DB) tooMuch() bool {
	return db.pending > groupLimit || db.frozen != nil && db.mem.full(db.limits)
}

// place copies the operations of one commit to where they stay: in a block, from
// some place on to its end.
func (db *DB) place(ops []byte) (block []byte, from int) {
	n := len(db.group)
	if n == 0 || !db.group[n-1].room(len(ops)) {
		size := min(logRecordFirst<<min(n, 8), logRecordMost)
		db.group = append(db.group, newLogRecord(max(size, len(ops))))
		n++
		if n == 1 {
			db.wakeSoon()
		}
	}
	r := db.group[n-1]
	at := len(r.data)
	r.data = append(r.data, ops...)
	db.pending += len(ops)
	return r.data, at
}

// wake tells the writer to write now.
func (db *DB) wake() {
	select {
	case db.kick <- struct{}{}:
	default:
	}
}

// wakeSoon tells the writer to write when the window of the group has passed.
func (db *DB) wakeSoon() { time.AfterFunc(commitWindow, db.wake) }

// Sync waits until everything that was appended before is durable.
func (db *DB) Sync() error {
	db.mu.Lock()
	defer db.mu.Unlock()
	until := db.current
	if len(db.group) > 0 {
		until++
	}
	if db.written < until {
		db.wake()
	}
	for db.written < until && db.err == nil && !db.closed {
		db.ready.Wait()
	}
	if db.err == nil && db.written < until {
		return ErrClosed
	}
	return db.err
}

// A commitEncoder turns commits into operations of the log.
type commitEncoder struct{ ops, key, val encoder }

// put appends the operation that stores val under key.
func (e *commitEncoder) put(t table) {
	appendPut(&e.ops, t, e.key.b, e.val.b)
	e.key.b, e.val.b = e.key.b[:0], e.val.b[:0]
}

// encode returns the operations of a commit, which are valid until the next
// call.
func (e *commitEncoder) encode(c *Commit) []byte {
	e.ops.b = e.ops.b[:0]
	host, name := frontier.HostID(0), "" // of the entry before: often the next has the same
	for i := range c.Entries {
		n := &c.Entries[i]
		if n.Host != host {
			host, name = n.Host, hostName(c, n.Host)
		}
		e.key.b = appendID(e.key.b, n.ID)
		encodeEntry(&e.val, n, name)
		e.put(tableURL)
	}
	appendHashes(&e.ops, c.Hashes)
	for i := range c.Hosts {
		e.key.b = appendHostKey(e.key.b, c.Hosts[i].ID)
		encodeHost(&e.val, &c.Hosts[i])
		e.put(tableHost)
		if c.Hosts[i].Requests == 0 { // it may be new
			e.key.b, e.val.b = append(e.key.b, nameKey(c.Hosts[i].Name)...), appendHostKey(e.val.b, c.Hosts[i].ID)
			e.put(tableName)
		}
	}
	if c.Page != nil {
		e.key.b = appendID(e.key.b, c.Page.ID)
		encodePage(&e.val, c.Page)
		e.put(tablePage)
	}
	if !c.Settled.IsZero() {
		e.key.b = appendID(e.key.b, c.Settled)
		appendDelete(&e.ops, tableRetry, e.key.b)
		e.key.b = e.key.b[:0]
	}
	if c.Retry != nil {
		e.key.b = appendID(e.key.b, c.Retry.ID)
		encodeRetry(&e.val, c.Retry)
		e.put(tableRetry)
	}
	if c.Robots != nil {
		e.key.b = append(e.key.b, c.Robots.Origin...)
		encodeRobots(&e.val, c.Robots)
		e.put(tableRobots)
	}
	for i := range c.Series {
		e.key.b = append(e.key.b, c.Series[i].ID.Key()...)
		encodeSeries(&e.val, &c.Series[i])
		e.put(tableSeries)
	}
	if c.Shell != nil {
		e.key.b = append(e.key.b, c.Shell.URL...)
		encodeShell(&e.val, c.Shell)
		e.put(tableShell)
	}
	if c.Config != nil {
		e.key.b, e.val.b = append(e.key.b, metaConfig...), append(e.val.b, c.Config...)
		e.put(tableMeta)
	}
	if c.Lease != nil {
		e.encodeLease(c.Lease)
	}
	if c.Errand != nil {
		e.encodeErrandCrashes(c.Errand)
	}
	if c.Counts != (frontier.Counts{}) { // they never fall back to nothing
		e.key.b = append(e.key.b, metaCounts...)
		encodeCounts(&e.val, &c.Counts)
		e.put(tableMeta)
	}
	return e.ops.b
}

// hostName returns the name of a host that the commit touches. Every commit
// with an entry has the entry's host beside it, and its hosts are sorted.
func hostName(c *Commit, id frontier.HostID) string {
	i, ok := slices.BinarySearchFunc(c.Hosts, id, func(h frontier.Host, id frontier.HostID) int { return cmp.Compare(h.ID, id) })
	if !ok {
		panic(fmt.Sprintf("storage: commit with an entry of host %d, but without the host", id)) // unreachable: see frontier.Changes
	}
	return c.Hosts[i].Name
}

// write is the writer: the only goroutine that changes the file.
func (db *DB) write() {
	defer close(db.done)
	for closing := false; ; {
		if !closing && !db.busy() {
			select {
			case <-db.kick:
			case <-db.quit:
				closing = true
			}
		}
		select {
		case <-db.quit: // also looked for between two slices
			closing = true
		default:
		}
		idle, err := db.step(closing)
		if err != nil || closing && idle {
			return
		}
	}
}

// writing is how far the writer is.
type writing struct {
	next    uint64    // number of the next log record
	nextRun uint32    // number of the next run
	apply   *applying // nil if nothing is being carried to the buckets
	merge   *merging  // nil if no runs are being merged
	left    []runRef  // runs whose blocks are to be deleted
	asked   time.Time // when it was last asked how fast commits come
}

// resume finds what there is to do in a file that was opened.
func (w *writing) resume(tx *bolt.Tx) (err error) {
	if w.left, w.nextRun, err = leftOver(tx); err != nil {
		return err
	}
	w.merge, err = startMerging(tx, w.nextRun)
	w.nextRun++
	return err
}

// busy reports whether there is anything to do beside groups.
func (w *writing) busy() bool { return w.apply != nil || w.merge != nil || len(w.left) > 0 }

// step makes the current group durable, together with one slice of each thing that
// is being done beside, in one transaction. It reports whether there was nothing
// to do. When the file is being closed, what is not necessary is left.
func (db *DB) step(closing bool) (idle bool, err error) {
	db.mu.Lock()
	group, pending := db.group, db.pending
	db.group = nil
	if len(group) > 0 {
		db.current++
		db.mem.logs += len(group)
		db.mem.last = db.next + uint64(len(group)) - 1
	}
	if db.apply == nil && db.mem.logs > 0 && (closing || db.mem.full(db.limits)) {
		db.apply = startApplying(db.mem, db.nextRun)
		db.frozen, db.mem = db.mem, newMemtable(db.mem)
		db.nextRun++
	}
	slice := max(sliceRecords, db.limits.records/sliceParts)
	current := db.current
	db.mu.Unlock()
	calm := db.isCalm(pending)
	if calm {
		slice /= calmPart
	}
	if len(group) == 0 && (db.apply == nil && closing || !db.busy()) {
		return true, nil
	}

	finished, size := false, int64(0)
	err = db.update(func(tx *bolt.Tx) error {
		size = tx.Size()
		if err := db.writeGroup(tx, group); err != nil {
			return err
		}
		if db.apply != nil {
			var err error
			if finished, err = db.apply.slice(tx, slice); err != nil {
				return err
			}
		}
		if closing {
			return nil
		}
		return db.tidy(tx, finished, calm)
	})

	db.mu.Lock()
	defer db.mu.Unlock()
	db.pending -= pending
	db.written = current
	db.next += uint64(len(group))
	db.limits = limitsFor(size)
	if err != nil {
		db.err = err
		close(db.failed)
	} else if finished {
		db.apply, db.frozen = nil, nil
	}
	db.ready.Broadcast()
	return false, err
}

// What is done beside a group makes it wait. While less than calmRate bytes are
// committed a second, one in calmPart of it is done at a time: a crawl that is
// slower than its file does not notice it, and only one that is faster needs
// transactions to be few.
const (
	calmRate = 16 << 20
	calmPart = 4
)

// isCalm reports whether commits come slowly, of which so many bytes were gathered
// since it was last asked.
func (w *writing) isCalm(gathered int) bool {
	now := time.Now()
	took := now.Sub(w.asked)
	w.asked = now
	return float64(gathered) < calmRate*took.Seconds()
}

// tidy merges some records of runs, and deletes some blocks of runs that were
// merged. If the transaction fails, nothing is written any more, and it does not
// matter what was noted here.
func (w *writing) tidy(tx *bolt.Tx, newRun, calm bool) (err error) {
	var merged []runRef // their blocks are still being read in this transaction
	if w.merge != nil {
		t := w.merge.table
		finished, err := w.merge.slice(tx, mergeBytes(tx.DB().Stats().FreePageN, calm))
		if err != nil {
			return fmt.Errorf("merge runs of %s: %w", tableBuckets[t], err)
		}
		if finished {
			for _, r := range w.merge.from {
				merged = append(merged, runRef{t, r.number})
			}
			w.merge, newRun = nil, true
		}
	}
	if w.merge == nil && newRun {
		if w.merge, err = startMerging(tx, w.nextRun); err != nil {
			return err
		}
		w.nextRun++
	}
	if len(w.left) > 0 {
		finished, err := drop(tx, w.left[0])
		if err != nil {
			return fmt.Errorf("drop a run of %s: %w", tableBuckets[w.left[0].table], err)
		}
		if finished {
			w.left = w.left[1:]
		}
	}
	w.left = append(w.left, merged...)
	return nil
}

// update runs fn in a transaction that is durable when it returns. Damage in
// the file at which bbolt panics is returned as an error.
func (db *DB) update(fn func(*bolt.Tx) error) error {
	db.turn.Lock()
	defer db.turn.Unlock()
	return contained(func() error { return db.transact(db.bolt, fn) })
}

func (db *DB) writeGroup(tx *bolt.Tx, group []*logRecord) error {
	b := tx.Bucket(bucketLog)
	b.FillPercent = 1 // numbers only rise
	for i, r := range group {
		key := binary.BigEndian.AppendUint64(nil, db.next+uint64(i))
		if err := b.Put(key, r.seal()); err != nil {
			return fmt.Errorf("write the log: %w", err)
		}
	}
	return nil
}

// limits say when a memtable is carried to the buckets.
type limits struct{ records, bytes, logs int }

// limitsFor returns the limits for a file of a size. In a large file the places
// where records belong are so many that hardly two of a small memtable share a
// page, and each page is written as a whole; so the memtable grows with the
// file, until it is about as large as a small computer can bear.
func limitsFor(size int64) limits {
	within := func(least, n, most int64) int { return int(max(least, min(n, most))) }
	return limits{
		records: within(1<<14, size>>9, 1<<19),
		bytes:   within(2<<20, size>>3, 128<<20),
		logs:    within(1<<10, size>>17, 1<<12),
	}
}

// full reports whether it is time to carry m to the buckets.
func (m *memtable) full(l limits) bool {
	return m.bytes >= l.bytes || m.logs >= l.logs || m.ops >= l.records && m.records() >= l.records
}
