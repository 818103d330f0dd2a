package storage

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	bolt "go.etcd.io/bbolt"
)

// Each memtable leaves a run of its own, and a read has to look into all of them.
// So the writer merges runs in the background, mergeRuns of one level into one of
// the next: of n runs there are some 3 log₄ n, and each record was written anew
// log₄ n times, in the order of the keys, which costs a fraction of what it
// would cost to put each where it belongs.
const mergeRuns = 4

// How much of a merge one transaction does: so many bytes of values, or more if the
// list of free pages is long, which every transaction writes, and a quarter while
// commits are few; and how many blocks that are no longer needed it deletes.
const (
	mergeLeast = 4 << 20
	mergeMost  = 12 << 20
	dropBlocks = 1 << 10
)

// mergeBytes returns how much one transaction does of a merge in a file with so many
// free pages, which are listed with eight bytes each.
func mergeBytes(free int, calm bool) int {
	n := min(max(mergeLeast, 4*8*free), mergeMost)
	if calm {
		n /= calmPart
	}
	return n
}

// A merging is a merge under way.
type merging struct {
	table table
	from  []run
	to    *runWriter
	next  idKey // the first that is not merged yet
}

// mergeable returns the runs to be merged next, those of the lowest level of which
// there are enough; none if there are too few of any. The oldest of a level go
// first, so that levels never rise from an old run to a newer one.
func mergeable(runs []run) []run {
	for end := len(runs); end > 0; {
		from := end
		for from > 0 && runs[from-1].level == runs[end-1].level {
			from--
		}
		if end-from >= mergeRuns {
			return runs[from : from+mergeRuns]
		}
		end = from
	}
	return nil
}

// startMerging begins a merge under a number; nil if none is due.
func startMerging(tx *bolt.Tx, number uint32) (*merging, error) {
	for t := range numTables {
		if !t.packed() {
			continue
		}
		runs, err := runsOf(tx, t)
		if err != nil {
			return nil, err
		}
		if from := mergeable(runs); from != nil {
			to := run{number: number, level: from[0].level + 1}
			return &merging{table: t, from: from, to: newRunWriter(t, to, packedPlain)}, nil
		}
	}
	return nil, nil
}

// slice merges the next records, so many bytes. With the last of them the new run takes the place
// of those that it was made of.
func (m *merging) slice(tx *bolt.Tx, most int) (finished bool, err error) {
	c, err := openRuns(tx, m.table, m.from, m.next)
	if err != nil {
		return false, err
	}
	// Cursors do not outlive a change of their bucket: it comes after all reads.
	var blocks []record
	keep := func(k, v []byte) error {
		blocks = append(blocks, record{k, v})
		return nil
	}
	for size := 0; size < most; {
		k, v, ok, err := c.next()
		if err != nil {
			return false, err
		}
		if !ok {
			if err := m.to.flush(keep); err != nil {
				return false, err
			}
			finished = true
			break
		}
		if err := m.to.add(keep, k, v); err != nil {
			return false, err
		}
		m.next = k.next()
		size += len(v) + idSize
	}
	b := blocksOf(tx)
	for _, r := range blocks {
		if err := b.Put(r.key, r.value); err != nil {
			return false, err
		}
	}
	if finished {
		err = m.finish(tx)
	}
	return finished, err
}

// finish lists the new run.
func (m *merging) finish(tx *bolt.Tx) error {
	runs, err := runsOf(tx, m.table)
	if err != nil {
		return err
	}
	at := slices.Index(runs, m.from[0])
	return putRuns(tx, m.table, slices.Replace(runs, at, at+len(m.from), m.to.run))
}

// A runRef names a run whose blocks are no longer needed.
type runRef struct {
	table  table
	number uint32
}

// leftOver returns the runs that have blocks and do not count, and the number after
// all of runs.
func leftOver(tx *bolt.Tx) (left []runRef, next uint32, err error) {
	next = 1
	for t := range numTables {
		if !t.packed() {
			continue
		}
		runs, err := runsOf(tx, t)
		if err != nil {
			return nil, 0, err
		}
		found := 0 // of runs
		c := tx.Bucket(bucketBlock).Cursor()
		k, _ := c.Seek([]byte{byte(t)})
		for len(k) == runKeySize && k[0] == byte(t) {
			number := binary.BigEndian.Uint32(k[1:])
			if number == math.MaxUint32 {
				return nil, 0, fmt.Errorf("%w: block key %x", ErrDamaged, k)
			}
			next = max(next, number+1)
			if slices.ContainsFunc(runs, func(r run) bool { return r.number == number }) {
				found++
			} else {
				left = append(left, runRef{t, number})
			}
			k, _ = c.Seek(appendRunPrefix(nil, t, number+1))
		}
		if found != len(runs) { // what seems to be left over may be what is missing
			return nil, 0, fmt.Errorf("%w: of %d runs of %s only %d are there", ErrDamaged, len(runs), tableBuckets[t], found)
		}
	}
	return left, next, nil
}

// drop deletes blocks of a run, at most some. It reports whether none is left.
func drop(tx *bolt.Tx, r runRef) (finished bool, err error) {
	c := tx.Bucket(bucketBlock).Cursor()
	prefix := appendRunPrefix(nil, r.table, r.number)
	for range dropBlocks {
		k, _ := c.Seek(prefix)
		if !bytes.HasPrefix(k, prefix) {
			return true, nil
		}
		if err := c.Delete(); err != nil {
			return false, err
		}
	}
	return false, nil
}
