package storage

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"slices"

	bolt "go.etcd.io/bbolt"
)

// applying is the state of carrying a memtable to where its records belong.
type applying struct {
	mem   *memtable
	table table       // under way
	left  sortedTable // of it
	next  chan sortedTable
	// hashes are those of mem in order, so that they are read in the order of
	// the places where the seen set has them.
	hashes chan []uint64
	run    run                   // of all packed tables, but for the records
	runs   [numTables]*runWriter // of packed tables
}

// A transaction carries this part of a full memtable, but not less than so many
// records: every page of bbolt that it changes takes 12 kB until it ends, and the
// group beside it waits.
const (
	sliceParts   = 48
	sliceRecords = 1 << 12
)

// packedPerRecord is how many records that are packed cost less than one that
// changes a page of its own.
const packedPerRecord = 8

// startApplying begins to carry a memtable. Its tables are put in order meanwhile,
// by a goroutine that waits for nobody.
func startApplying(m *memtable, number uint32) *applying {
	a := &applying{mem: m, next: make(chan sortedTable, numTables), hashes: make(chan []uint64, 1), run: run{number: number}}
	go func() {
		for t := range numTables {
			a.next <- m.sorted(t) // never waits: there is room for all
		}
		a.hashes <- sortedHashes(m.hashes)
	}()
	a.left = <-a.next
	return a
}

// slice carries the next records. With the last of them it lists the new runs,
// writes the hashes, deletes the log records that are no longer needed, and
// returns true.
func (a *applying) slice(tx *bolt.Tx, records int) (finished bool, err error) {
	for records > 0 {
		for len(a.left.ids)+len(a.left.names) == 0 {
			if a.table++; a.table == numTables {
				return true, a.finish(tx)
			}
			a.left = <-a.next
		}
		each := 1
		if a.table.packed() {
			each = packedPerRecord
		}
		n := min(records*each, len(a.left.ids)+len(a.left.names))
		if a.table.packed() {
			err = a.pack(tx, n)
		} else {
			err = a.carry(tx, n)
		}
		if err != nil {
			return false, fmt.Errorf("write %s: %w", tableBuckets[a.table], err)
		}
		records -= (n + each - 1) / each
	}
	return false, nil
}

// pack adds n records of a packed table to its new run.
func (a *applying) pack(tx *bolt.Tx, n int) error {
	w := a.runs[a.table]
	if w == nil {
		w = newRunWriter(a.table, a.run, packedPlain)
		a.runs[a.table] = w
	}
	put := blocksOf(tx).Put
	for _, r := range a.left.ids[:n] {
		if err := w.add(put, r.key, a.mem.value(r.place)); err != nil {
			return err
		}
	}
	a.left.ids = a.left.ids[n:]
	return nil
}

// carry puts n records of a table into its bucket.
func (a *applying) carry(tx *bolt.Tx, n int) error {
	b := tx.Bucket(tableBuckets[a.table])
	b.FillPercent = 0.9 // hosts come in order
	put := func(key []byte, p place) error {
		if v := a.mem.value(p); v != nil {
			return b.Put(key, v)
		}
		return b.Delete(key)
	}
	if len(a.left.names) > 0 {
		for _, r := range a.left.names[:n] {
			if err := put([]byte(r.key), r.place); err != nil {
				return err
			}
		}
		a.left.names = a.left.names[n:]
		return nil
	}
	keys := make([]byte, 0, n*idSize) // bbolt keeps them until the commit
	for _, r := range a.left.ids[:n] {
		at := len(keys)
		keys = r.key.append(keys)
		if err := put(keys[at:len(keys):len(keys)], r.place); err != nil {
			return err
		}
	}
	a.left.ids = a.left.ids[n:]
	return nil
}

// hashesPerBlock makes a block of hashes fill eight pages of bbolt.
const hashesPerBlock = 4090

func (a *applying) finish(tx *bolt.Tx) error {
	for t, w := range a.runs {
		if w == nil {
			continue
		}
		if err := w.flush(blocksOf(tx).Put); err != nil {
			return fmt.Errorf("write %s: %w", tableBuckets[t], err)
		}
		runs, err := runsOf(tx, table(t))
		if err != nil {
			return err
		}
		if err := putRuns(tx, table(t), append(runs, w.run)); err != nil {
			return err
		}
	}
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
