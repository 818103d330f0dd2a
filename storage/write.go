package storage

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"slices"
	"time"

	bolt "go.etcd.io/bbolt"

	"github.com/hashcrawl/hashcrawl/frontier"
)

// A Commit is everything that one step of the crawl changes. It becomes
// durable as a whole.
type Commit struct {
	frontier.Changes
	Page   *Page    // nil if no page record changes
	Robots *Robots  // nil if no robots.txt was read
	Series []Series // that change
	Shell  *Shell   // nil if none changes
	Config []byte   // nil if the configuration stays
	Lease  *Lease   // nil if none begins or ends
}

// Append adds c to what the writer makes durable next, after everything that
// was appended before. It waits only while too much is not durable yet. Reads
// see c at once. After a failed write, and after Close, it does nothing; see
// Failed. The file must not be open for reads alone.
func (db *DB) Append(c Commit) {
	if db.readOnly {
		panic("storage: Append to " + db.path + ", which is open for reads alone") // unreachable unless the caller mixed up two files
	}
	db.mu.Lock()
	defer db.mu.Unlock()
	for db.tooMuch() && db.err == nil && !db.closed {
		db.ready.Wait()
	}
	if db.err != nil || db.closed {
		return
	}
	if err := db.mem.apply(db.place(db.scratch.encode(&c))); err != nil {
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
	for i := range c.Entries {
		n := &c.Entries[i]
		e.key.b = appendID(e.key.b, n.ID)
		encodeEntry(&e.val, n, hostName(c, n.Host))
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
	var apply *applying
	for closing := false; ; {
		if apply == nil && !closing {
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
		idle, err := db.step(&apply, closing)
		if err != nil || closing && idle {
			return
		}
	}
}

// step makes the current group durable, together with one slice of what is
// being carried to the buckets, in one transaction. It reports whether there
// was nothing to do.
func (db *DB) step(apply **applying, closing bool) (idle bool, err error) {
	db.mu.Lock()
	group, pending := db.group, db.pending
	db.group = nil
	if len(group) > 0 {
		db.current++
		db.mem.logs += len(group)
		db.mem.last = db.next + uint64(len(group)) - 1
	}
	if *apply == nil && db.mem.logs > 0 && (closing || db.mem.full(db.limits)) {
		*apply = startApplying(db.mem)
		db.frozen, db.mem = db.mem, newMemtable()
	}
	slice := max(sliceRecords, db.limits.records/sliceParts)
	current := db.current
	db.mu.Unlock()
	if len(group) == 0 && *apply == nil {
		return true, nil
	}

	finished, size := false, int64(0)
	err = db.update(func(tx *bolt.Tx) error {
		size = tx.Size()
		if err := db.writeGroup(tx, group); err != nil || *apply == nil {
			return err
		}
		var err error
		finished, err = (*apply).slice(tx, slice)
		return err
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
		*apply, db.frozen = nil, nil
	}
	db.ready.Broadcast()
	return false, err
}

// update runs fn in a transaction that is durable when it returns. Damage in
// the file at which bbolt panics is returned as an error.
func (db *DB) update(fn func(*bolt.Tx) error) error {
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
		records: within(1<<15, size>>10, 1<<20),
		bytes:   within(8<<20, size>>3, 128<<20),
		logs:    within(1<<10, size>>17, 1<<12),
	}
}

// full reports whether it is time to carry m to the buckets.
func (m *memtable) full(l limits) bool {
	return m.bytes >= l.bytes || m.logs >= l.logs || m.ops >= l.records && m.records() >= l.records
}

// applying is the state of carrying a memtable to the buckets.
type applying struct {
	mem   *memtable
	table table       // under way
	left  sortedTable // of it
	next  chan sortedTable
	// hashes are those of mem in order, so that they are read in the order of
	// the places where the seen set has them.
	hashes chan []uint64
}

// A transaction carries this part of a full memtable to the buckets, but not
// less than so many records: every page of bbolt that it changes takes 12 kB
// until it ends, and the group beside it waits.
const (
	sliceParts   = 48
	sliceRecords = 1 << 12
)

// startApplying begins to carry a memtable to the buckets. Its tables are put in
// order meanwhile, by a goroutine that ends when the last was asked for.
func startApplying(m *memtable) *applying {
	a := &applying{mem: m, next: make(chan sortedTable, numTables), hashes: make(chan []uint64, 1)}
	go func() {
		for t := range numTables {
			a.next <- m.sorted(t) // never waits: there is room for all
		}
		hs := slices.Clone(m.hashes)
		slices.Sort(hs)
		a.hashes <- hs
	}()
	a.left = <-a.next
	return a
}

// slice carries the next records. With the last of them it writes the hashes,
// deletes the log records that are no longer needed, and returns true.
func (a *applying) slice(tx *bolt.Tx, records int) (finished bool, err error) {
	for records > 0 {
		for len(a.left.ids)+len(a.left.names) == 0 {
			if a.table++; a.table == numTables {
				return true, a.finish(tx)
			}
			a.left = <-a.next
		}
		n, err := a.carry(tx, records)
		if err != nil {
			return false, fmt.Errorf("write %s: %w", tableBuckets[a.table], err)
		}
		records -= n
	}
	return false, nil
}

// carry carries at most so many records of the table, and returns how many.
func (a *applying) carry(tx *bolt.Tx, most int) (n int, err error) {
	b := tx.Bucket(tableBuckets[a.table])
	b.FillPercent = 0.9 // queues and page records of a host are filled in order
	put := func(key []byte, p place) error {
		if v := a.mem.value(p); v != nil {
			return b.Put(key, v)
		}
		return b.Delete(key)
	}
	n = min(most, len(a.left.ids)+len(a.left.names))
	if len(a.left.names) > 0 {
		for _, r := range a.left.names[:n] {
			if err := put([]byte(r.key), r.place); err != nil {
				return n, err
			}
		}
		a.left.names = a.left.names[n:]
		return n, nil
	}
	keys := make([]byte, 0, n*idSize) // bbolt keeps them until the commit
	for i := 0; i < n; i++ {
		if run := a.run(i); run > 0 {
			if err := a.sealRun(tx, a.left.ids[i:i+run]); err != nil {
				return n, err
			}
			i += run - 1
			n = max(n, i+1)
			continue
		}
		r := a.left.ids[i]
		at := len(keys)
		keys = r.key.append(keys)
		if err := put(keys[at:len(keys):len(keys)], r.place); err != nil {
			return n, err
		}
	}
	a.left.ids = a.left.ids[n:]
	return n, nil
}

// run returns how many of the records that are left, from the ith on, make up a
// block; 0 if they are too few. Only entries are sealed here: they come once,
// so that no two blocks of theirs overlap. If the log is read again after a
// crash, the same runs begin at the same places.
func (a *applying) run(i int) int {
	if a.table != tableURL {
		return 0
	}
	first, n, size := a.left.ids[i].key, 0, 0
	for _, r := range a.left.ids[i:min(i+sealMost, len(a.left.ids))] {
		next := first
		next.seq += uint32(n)
		if size += int(r.size); r.key != next || r.size == deleted || size > sealBytes {
			break
		}
		n++
	}
	if n < sealLeast {
		return 0
	}
	return n
}

func (a *applying) sealRun(tx *bolt.Tx, run []idPlace) error {
	b := tx.Bucket(bucketSealed)
	b.FillPercent = 0.9
	values := make([][]byte, len(run))
	for i := range run {
		values[i] = a.mem.value(run[i].place)
	}
	return b.Put(sealedKey(a.table, run[0].key.append(nil)), seal(values))
}

// hashesPerBlock makes a block of hashes fill eight pages of bbolt.
const hashesPerBlock = 4090

func (a *applying) finish(tx *bolt.Tx) error {
	hashes := tx.Bucket(bucketHash)
	hashes.FillPercent = 1 // keys only rise
	block := uint32(0)
	for part := range slices.Chunk(<-a.hashes, hashesPerBlock) {
		key := binary.BigEndian.AppendUint64(nil, a.mem.last)
		key = binary.BigEndian.AppendUint32(key, block)
		if err := hashes.Put(key, encodeHashes(part)); err != nil {
			return fmt.Errorf("write hashes: %w", err)
		}
		block++
	}
	c := tx.Bucket(bucketLog).Cursor()
	for k, _ := c.First(); k != nil && binary.BigEndian.Uint64(k) <= a.mem.last; k, _ = c.First() {
		if err := c.Delete(); err != nil {
			return fmt.Errorf("shorten the log: %w", err)
		}
	}
	return nil
}

func encodeHashes(hs []uint64) []byte {
	b := make([]byte, crcSize, crcSize+8*len(hs))
	for _, h := range hs {
		b = binary.BigEndian.AppendUint64(b, h)
	}
	binary.BigEndian.PutUint32(b, crc32.Checksum(b[crcSize:], castagnoli))
	return b
}
