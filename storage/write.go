package storage

import (
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
	Page   *Page   // nil if no page record changes
	Robots *Robots // nil if no robots.txt was read
	Config []byte  // nil if the configuration stays
}

// Append adds c to what the writer makes durable next, after everything that
// was appended before. It waits only while too much is not durable yet. Reads
// see c at once. After a failed write it does nothing; see Failed.
func (db *DB) Append(c Commit) {
	db.mu.Lock()
	defer db.mu.Unlock()
	for db.pending > groupLimit && db.err == nil {
		db.ready.Wait()
	}
	if db.err != nil {
		return
	}
	db.scratch.b = db.scratch.b[:0]
	db.encode(&db.scratch, &c)
	ops := db.place(db.scratch.b)
	if err := db.mem.applyOps(ops); err != nil {
		panic("storage: " + err.Error()) // unreachable unless encode and applyOps differ
	}
	if db.pending >= groupBytes {
		db.wake()
	}
}

// place copies the operations of one commit to where they stay.
func (db *DB) place(ops []byte) []byte {
	n := len(db.group)
	if n == 0 || !db.group[n-1].room(len(ops)) {
		db.group = append(db.group, newLogRecord(max(logRecordSize, len(ops))))
		n++
		if n == 1 {
			db.wakeSoon()
		}
	}
	r := db.group[n-1]
	at := len(r.data)
	r.data = append(r.data, ops...)
	db.pending += len(ops)
	return r.data[at:]
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
	db.wake()
	for db.written < until && db.err == nil {
		db.ready.Wait()
	}
	return db.err
}

// encode appends the operations of a commit.
func (db *DB) encode(e *encoder, c *Commit) {
	var key, val encoder
	put := func(t table) {
		appendPut(e, t, key.b, val.b)
		key.b, val.b = key.b[:0], val.b[:0]
	}
	for i := range c.Entries {
		n := &c.Entries[i]
		key.b = appendID(key.b, n.ID)
		encodeEntry(&val, n, db.hostName(c, n.Host))
		put(tableURL)
	}
	appendHashes(e, c.Hashes)
	for i := range c.Hosts {
		key.b = appendHostKey(key.b, c.Hosts[i].ID)
		encodeHost(&val, &c.Hosts[i])
		put(tableHost)
	}
	if c.Page != nil {
		key.b = appendID(key.b, c.Page.ID)
		encodePage(&val, c.Page)
		put(tablePage)
	}
	if c.Retry != nil {
		key.b = appendID(key.b, c.Retry.ID)
		val.time(c.Retry.Due)
		val.uint(uint64(c.Retry.Attempts))
		put(tableRetry)
	}
	if !c.Settled.IsZero() {
		appendDelete(e, tableRetry, appendID(nil, c.Settled))
	}
	if c.Robots != nil {
		key.b = append(key.b, c.Robots.Origin...)
		encodeRobots(&val, c.Robots)
		put(tableRobots)
	}
	if c.Config != nil {
		key.b, val.b = append(key.b, metaConfig...), append(val.b, c.Config...)
		put(tableMeta)
	}
	key.b = append(key.b, metaCounts...)
	encodeCounts(&val, &c.Counts)
	put(tableMeta)
}

// hostName returns the name of a host that the commit touches. Every commit
// with an entry has the entry's host beside it.
func (db *DB) hostName(c *Commit, id frontier.HostID) string {
	for i := range c.Hosts {
		if c.Hosts[i].ID == id {
			return c.Hosts[i].Name
		}
	}
	return ""
}

// write is the writer: the only goroutine that changes the file.
func (db *DB) write() {
	defer close(db.done)
	var apply *applying
	for {
		closing := false
		if apply == nil {
			select {
			case <-db.kick:
			case <-db.quit:
				closing = true
			}
		} else {
			select {
			case <-db.quit:
				closing = true
			default: // between two slices nothing is waited for
			}
		}
		err := db.step(&apply, closing)
		for err == nil && closing && (apply != nil || db.mem.logs > 0) {
			err = db.step(&apply, closing)
		}
		if err != nil || closing {
			return
		}
	}
}

// step makes the current group durable, together with one slice of what is
// being carried to the buckets, in one transaction.
func (db *DB) step(apply **applying, closing bool) error {
	db.mu.Lock()
	group, size := db.group, db.pending
	db.group = nil
	number := db.current
	if len(group) > 0 {
		db.current++
		db.mem.logs += len(group)
		db.mem.last = db.next + uint64(len(group)) - 1
	}
	if *apply == nil && db.mem.logs > 0 && (closing || db.mem.full()) {
		*apply = startApplying(db.mem)
		db.frozen, db.mem = db.mem, newMemtable()
	}
	db.mu.Unlock()

	finished := false
	err := db.update(func(tx *bolt.Tx) error {
		if err := db.writeGroup(tx, group); err != nil {
			return err
		}
		if *apply == nil {
			return nil
		}
		var err error
		finished, err = (*apply).slice(tx)
		return err
	})

	db.mu.Lock()
	defer db.mu.Unlock()
	db.pending -= size
	if len(group) > 0 {
		db.written = number + 1
	}
	if finished {
		*apply, db.frozen = nil, nil
	}
	if err != nil {
		db.err = err
		close(db.failed)
	}
	db.next += uint64(len(group))
	db.ready.Broadcast()
	return err
}

// update runs fn in a transaction that is durable when it returns. Damage in
// the file at which bbolt panics is returned as an error.
func (db *DB) update(fn func(*bolt.Tx) error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: %v", ErrDamaged, p)
		}
	}()
	return db.bolt.Update(fn)
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

// full reports whether it is time to carry m to the buckets.
func (m *memtable) full() bool {
	return m.ops >= applyOps || m.bytes >= applyBytes || m.logs >= applyLogs
}

// applying is the state of carrying a memtable to the buckets.
type applying struct {
	mem   *memtable
	table table
	keys  []string // of table, sorted; what is left of them
}

// sliceOps is how many records one transaction carries to the buckets.
const sliceOps = 1 << 12

func startApplying(m *memtable) *applying {
	return &applying{mem: m, keys: m.keys(0, "", "")}
}

// slice carries the next records. With the last of them it writes the hashes,
// deletes the log records that are no longer needed, and returns true.
func (a *applying) slice(tx *bolt.Tx) (finished bool, err error) {
	for left := sliceOps; left > 0; {
		for len(a.keys) == 0 {
			if a.table++; a.table == numTables {
				return true, a.finish(tx)
			}
			a.keys = a.mem.keys(a.table, "", "")
		}
		n := min(left, len(a.keys))
		if err := a.carry(tx.Bucket(tableBuckets[a.table]), a.keys[:n]); err != nil {
			return false, fmt.Errorf("write %s: %w", tableBuckets[a.table], err)
		}
		a.keys, left = a.keys[n:], left-n
	}
	return false, nil
}

func (a *applying) carry(b *bolt.Bucket, keys []string) error {
	b.FillPercent = 0.9 // queues and page records of a host are filled in order
	for _, k := range keys {
		var err error
		if v := a.mem.tables[a.table][k]; v == nil {
			err = b.Delete([]byte(k))
		} else {
			err = b.Put([]byte(k), v)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// hashesPerBlock makes a block of hashes fill eight pages of bbolt.
const hashesPerBlock = 4090

func (a *applying) finish(tx *bolt.Tx) error {
	hashes := tx.Bucket(bucketHash)
	hashes.FillPercent = 1 // keys only rise
	block := uint32(0)
	for part := range slices.Chunk(a.mem.hashes, hashesPerBlock) {
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
