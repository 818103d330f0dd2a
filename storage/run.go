package storage

import (
	"bytes"
	"encoding/binary"
	"fmt"

	bolt "go.etcd.io/bbolt"
)

// A run is a table's records of one memtable, or of several runs that were
// merged, in blocks in the order of their keys. Runs are never changed. Those of
// a table that count are listed in order of age, and of two records with one key the
// newer counts. Blocks of other runs are left over by somebody
// who did not come to their end, and mean nothing.
type run struct {
	number  uint32
	level   uint8 // how often its records were merged
	records uint64
}

// The buckets of the lists and of the blocks; see keys.go and block.go.
var (
	bucketRun   = []byte("run")
	bucketBlock = []byte("block")
)

const (
	runPrefixSize = 5
	runKeySize    = runPrefixSize + idSize
)

// packed reports whether the records of a table stand in runs.
func (t table) packed() bool { return t == tableURL || t == tablePage }

// appendRunPrefix appends what the keys of a run's blocks begin with.
func appendRunPrefix(b []byte, t table, number uint32) []byte {
	return binary.BigEndian.AppendUint32(append(b, byte(t)), number)
}

// blockKey returns the key of a block's first record.
func blockKey(k []byte) (first idKey, ok bool) {
	if len(k) != runKeySize || !table(k[0]).packed() {
		return first, false
	}
	return table(k[0]).idKey(k[runPrefixSize:])
}

// runsOf returns the runs of a table, the oldest first.
func runsOf(tx *bolt.Tx, t table) (runs []run, err error) {
	d := decoder{b: tx.Bucket(bucketRun).Get([]byte{byte(t)})}
	for len(d.b) > 0 && d.err == nil {
		runs = append(runs, run{d.u32(), d.byte(), d.uint()})
	}
	if d.err != nil {
		return nil, fmt.Errorf("%w: runs of %s", ErrDamaged, tableBuckets[t])
	}
	return runs, nil
}

// putAsOnly lists the one run of a table, which was not made by merging others.
func putAsOnly(tx *bolt.Tx, t table, r run) error {
	if r.records == 0 {
		return nil
	}
	for n := r.records; n > runOfLevel0; n /= mergeRuns {
		r.level++ // or it would be merged with the next small ones
	}
	return putRuns(tx, t, []run{r})
}

// runOfLevel0 is about how many records a memtable leaves.
const runOfLevel0 = 1 << 17

func putRuns(tx *bolt.Tx, t table, runs []run) error {
	var e encoder
	for _, r := range runs {
		e.uint(uint64(r.number))
		e.byte(r.level)
		e.uint(r.records)
	}
	return tx.Bucket(bucketRun).Put([]byte{byte(t)}, e.b)
}

// A runWriter writes a run. It is not part of the table before it is listed.
type runWriter struct {
	table table
	run   run
	build *blockBuilder
}

func newRunWriter(t table, r run, packing byte) *runWriter {
	return &runWriter{table: t, run: r, build: newBlockBuilder(packing)}
}

// add writes the next record, when its block is full, to the bucket of blocks.
func (w *runWriter) add(put func(k, v []byte) error, k idKey, value []byte) error {
	w.run.records++
	if !w.build.fits(value) {
		if err := w.flush(put); err != nil {
			return err
		}
	}
	w.build.add(k, value)
	return nil
}

// flush writes what is not written yet.
func (w *runWriter) flush(put func(k, v []byte) error) error {
	if w.build.empty() {
		return nil
	}
	first, block := w.build.finish()
	return put(first.append(appendRunPrefix(make([]byte, 0, runKeySize), w.table, w.run.number)), block)
}

// blocksOf returns the bucket of blocks, to be written to.
func blocksOf(tx *bolt.Tx) *bolt.Bucket {
	b := tx.Bucket(bucketBlock)
	b.FillPercent = 1 // the blocks of a run come in order
	return b
}

// A runCursor goes through a run.
type runCursor struct {
	c      *bolt.Cursor
	prefix []byte
	block  block
	at     int    // the stretch of block that was read
	spans  []span // its values, in buf
	buf    []byte
	i      int // the value at which it is
}

// seek moves to the first record whose key is not less than from.
func (c *runCursor) seek(from idKey) error {
	k, v := c.before(from)
	if err := c.open(k, v); err != nil || k == nil {
		return err
	}
	for ; c.at < len(c.block.stretches); c.at++ {
		s := &c.block.stretches[c.at]
		if !s.holds(from) && s.first.compare(from) < 0 {
			continue
		}
		if err := c.read(); err != nil {
			return err
		}
		if s.holds(from) {
			c.i = int(from.seq - s.first.seq)
		}
		return nil
	}
	return c.open(c.inRun(c.c.Next()))
}

// before returns the last block whose first key is not greater than k, or the
// first of the run.
func (c *runCursor) before(k idKey) (key, value []byte) {
	at := k.append(bytes.Clone(c.prefix))
	key, value = c.c.Seek(at)
	if bytes.Equal(key, at) {
		return key, value
	}
	if key == nil {
		key, value = c.c.Last()
	} else {
		key, value = c.c.Prev()
	}
	if bytes.HasPrefix(key, c.prefix) {
		return key, value
	}
	return c.inRun(c.c.Seek(c.prefix))
}

func (c *runCursor) inRun(k, v []byte) (key, value []byte) {
	if !bytes.HasPrefix(k, c.prefix) {
		return nil, nil
	}
	return k, v
}

// open reads a block from its beginning; k is nil at the end of the run.
func (c *runCursor) open(k, v []byte) error {
	c.at, c.spans = 0, c.spans[:0]
	if k == nil {
		c.block.stretches = c.block.stretches[:0]
		return nil
	}
	if err := c.block.open(k, v); err != nil {
		return err
	}
	return c.read()
}

// read reads the values of a stretch.
func (c *runCursor) read() (err error) {
	c.i = 0
	c.spans, c.buf, err = c.block.values(&c.block.stretches[c.at], c.spans[:0], c.buf[:0])
	if err != nil {
		err = fmt.Errorf("%w: block of run %x: %w", ErrDamaged, c.prefix, err)
	}
	return err
}

// done reports whether the cursor is at the end.
func (c *runCursor) done() bool { return c.at >= len(c.block.stretches) }

func (c *runCursor) key() idKey {
	k := c.block.stretches[c.at].first
	k.seq += uint32(c.i)
	return k
}

// value is valid until the cursor moves.
func (c *runCursor) value() []byte { return c.spans[c.i].of(c.buf) }

// next moves on.
func (c *runCursor) next() error {
	if c.i++; c.i < len(c.spans) {
		return nil
	}
	if c.at++; c.at < len(c.block.stretches) {
		return c.read()
	}
	return c.open(c.inRun(c.c.Next()))
}

// A runsCursor goes through several runs of a table as if they were one.
type runsCursor struct {
	runs  []*runCursor // the newest last
	from  *runCursor   // whose record was returned before, and which has not moved on; nil at first
	bound idKey        // the least key of the others; of no meaning if alone
	alone bool         // the others are at their ends
}

// openRuns returns a cursor at the first record of some runs whose key is not less
// than from.
func openRuns(tx *bolt.Tx, t table, runs []run, from idKey) (*runsCursor, error) {
	c := &runsCursor{}
	for _, r := range runs {
		rc := &runCursor{c: tx.Bucket(bucketBlock).Cursor(), prefix: appendRunPrefix(nil, t, r.number)}
		if err := rc.seek(from); err != nil {
			return nil, err
		}
		c.runs = append(c.runs, rc)
	}
	return c, nil
}

// next returns the record at which the cursor is and moves on; ok is false at the
// end. The value is valid until the next call.
func (c *runsCursor) next() (k idKey, value []byte, ok bool, err error) {
	if r := c.from; r != nil {
		if err := r.next(); err != nil {
			return k, nil, false, err
		}
		if !r.done() && (c.alone || r.key().compare(c.bound) < 0) {
			return r.key(), r.value(), true, nil
		}
		c.from = nil
	}
	for _, r := range c.runs {
		if r.done() {
			continue
		}
		if at := r.key(); c.from == nil || at.compare(k) <= 0 {
			c.from, k = r, at
		}
	}
	if c.from == nil {
		return k, nil, false, nil
	}
	c.alone = true
	for _, r := range c.runs {
		if r == c.from || r.done() {
			continue
		}
		if r.key() == k { // an older record of the same key does not count
			if err := r.next(); err != nil {
				return k, nil, false, err
			}
			if r.done() {
				continue
			}
		}
		if at := r.key(); c.alone || at.compare(c.bound) < 0 {
			c.bound, c.alone = at, false
		}
	}
	return k, c.from.value(), true, nil
}

// A stretchOf is a stretch of a table that was read for one of its records.
type stretchOf struct {
	table
	stretch
	values []span
	buf    []byte
}

// get returns the value of a key; nil if it is not there.
func (s *stretchOf) get(t table, k idKey) []byte {
	if s == nil || s.table != t || !s.holds(k) {
		return nil
	}
	return s.values[k.seq-s.first.seq].of(s.buf)
}

// find returns the stretch in which the newest record with a key stands; nil if
// there is none.
func find(tx *bolt.Tx, t table, k idKey) (*stretchOf, error) {
	runs, err := runsOf(tx, t)
	if err != nil {
		return nil, err
	}
	c := runCursor{c: tx.Bucket(bucketBlock).Cursor()}
	for i := range runs {
		r := runs[len(runs)-1-i]
		if t == tableURL {
			r = runs[i] // they come once, and most of those that are asked for are old
		}
		c.prefix = appendRunPrefix(c.prefix[:0], t, r.number)
		key, value := c.before(k)
		if key == nil {
			continue
		}
		s, ok, err := c.block.find(key, value, k)
		if err != nil {
			return nil, err
		}
		if !ok {
			continue
		}
		found := &stretchOf{table: t, stretch: s}
		if found.values, found.buf, err = c.block.values(&s, make([]span, 0, s.n), nil); err != nil {
			return nil, fmt.Errorf("%w: block %x: %w", ErrDamaged, key, err)
		}
		found.data = nil // is only valid in the transaction
		return found, nil
	}
	return nil, nil
}

// A tableCursor goes through the records of a table in order, packed or not.
type tableCursor struct {
	plain *bolt.Cursor
	k, v  []byte      // where plain is
	runs  *runsCursor // of a packed table
	key   []byte
}

// cursor returns a cursor at the first record whose key is not less than from.
func cursor(tx *bolt.Tx, t table, from []byte) (c *tableCursor, err error) {
	c = &tableCursor{}
	if !t.packed() {
		c.plain = tx.Bucket(tableBuckets[t]).Cursor()
		c.k, c.v = c.plain.Seek(from)
		return c, nil
	}
	runs, err := runsOf(tx, t)
	if err != nil {
		return nil, err
	}
	c.runs, err = openRuns(tx, t, runs, atLeast(from))
	return c, err
}

// atLeast returns the least key of a packed table that is not less than from.
func atLeast(from []byte) idKey {
	var b [idSize]byte
	copy(b[:], from)
	k := idKey{host: binary.BigEndian.Uint32(b[:]), class: b[4], seq: binary.BigEndian.Uint32(b[5:])}
	if len(from) > idSize {
		k = k.next()
	}
	return k
}

// next returns the record at which the cursor is, nil at the end, and moves on.
// Both are valid until the next call.
func (c *tableCursor) next() (k, v []byte, err error) {
	if c.runs == nil {
		k, v = c.k, c.v
		if k != nil {
			c.k, c.v = c.plain.Next()
		}
		return k, v, nil
	}
	id, v, ok, err := c.runs.next()
	if !ok || err != nil {
		return nil, nil, err
	}
	c.key = id.append(c.key[:0])
	return c.key, v, nil
}
