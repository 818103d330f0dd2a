package storage

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"

	bolt "go.etcd.io/bbolt"
)

// Format 1 had buckets for entries and page records, under their IDs, and a bucket
// of sealed blocks. A record in its bucket went before a sealed one.
//
//	url     <4 B host> <1 B class> <4 B seq> → frontier.Entry
//	page    <4 B host> <1 B class> <4 B seq> → Page
//	sealed  <1 B table> <ID of the first record> → <4 B CRC32C> zstd( n times <length> <value> )
var bucketSealed = []byte("sealed")

// migrateRecords is how many records one transaction of a migration writes.
const migrateRecords = 1 << 17

// migrate brings a file of format 1 to the present layout. What it has written is
// left over, and means nothing, if it does not come to its end.
func migrate(path string) (err error) {
	b, err := openBolt(path, false)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	return contained(func() error {
		switch err := b.Update(prepareMigration); {
		case errors.Is(err, errMigrated):
			return nil
		case err != nil:
			return err
		}
		runs := map[table]run{}
		for t := range numTables {
			if !t.packed() {
				continue
			}
			if runs[t], err = migrateTable(b, t); err != nil {
				return err
			}
		}
		return b.Update(func(tx *bolt.Tx) error { return endMigration(tx, runs) })
	})
}

// errMigrated says that another process has done it since the layout was seen,
// for which the file was not locked.
var errMigrated = errors.New("the crawl file was migrated")

// prepareMigration makes the buckets of runs anew.
func prepareMigration(tx *bolt.Tx) error {
	if format := tx.Bucket(tableBuckets[tableMeta]).Get([]byte(metaFormat)); binary.BigEndian.Uint32(format) != 1 {
		return errMigrated
	}
	for _, name := range [][]byte{bucketRun, bucketBlock} {
		if tx.Bucket(name) != nil {
			if err := tx.DeleteBucket(name); err != nil {
				return err
			}
		}
		if _, err := tx.CreateBucket(name); err != nil {
			return err
		}
	}
	return nil
}

// migrateTable writes all records of a table as one run.
func migrateTable(b *bolt.DB, t table) (run, error) {
	w := newRunWriter(t, run{number: 1}, packedPlain)
	var from []byte
	for more := true; more; {
		var blocks []record
		keep := func(k, v []byte) error {
			blocks = append(blocks, record{k, v})
			return nil
		}
		err := b.View(func(tx *bolt.Tx) error {
			c, err := sealedCursorAt(tx, t, from)
			for range migrateRecords {
				if err != nil {
					return err
				}
				var k, v []byte
				if k, v, err = c.next(); k == nil {
					more = false
					return errors.Join(err, w.flush(keep))
				}
				id, ok := t.idKey(k)
				if !ok {
					return fmt.Errorf("%w: key %x", ErrDamaged, k)
				}
				err = errors.Join(err, w.add(keep, id, v))
				from = append(bytes.Clone(k), 0)
			}
			return err
		})
		if err != nil {
			return run{}, err
		}
		err = b.Update(func(tx *bolt.Tx) error {
			to := blocksOf(tx)
			for _, r := range blocks {
				if err := to.Put(r.key, r.value); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return run{}, err
		}
	}
	return w.run, nil
}

// endMigration lets the new layout take the place of the old one.
func endMigration(tx *bolt.Tx, runs map[table]run) error {
	for t, r := range runs {
		if err := putAsOnly(tx, t, r); err != nil {
			return err
		}
		if err := tx.DeleteBucket(tableBuckets[t]); err != nil {
			return err
		}
	}
	if err := tx.DeleteBucket(bucketSealed); err != nil {
		return err
	}
	return tx.Bucket(tableBuckets[tableMeta]).Put([]byte(metaFormat), binary.BigEndian.AppendUint32(nil, Format))
}

// A sealedBlock is an expanded block.
type sealedBlock struct {
	table  table
	first  idKey
	values [][]byte
}

// openSealed expands a block.
func openSealed(k, v []byte) (*sealedBlock, error) {
	damaged := func(err error) error { return fmt.Errorf("%w: sealed block %x: %w", ErrDamaged, k, err) }
	if len(k) != 1+idSize || !table(k[0]).packed() {
		return nil, damaged(errShort)
	}
	b := &sealedBlock{table: table(k[0])}
	var ok bool
	if b.first, ok = b.table.idKey(k[1:]); !ok {
		return nil, damaged(errShort)
	}
	packed, err := openLogRecord(v)
	if err != nil {
		return nil, damaged(err)
	}
	plain, err := zstdBlocks.dec.DecodeAll(packed, nil)
	if err != nil {
		return nil, damaged(err)
	}
	d := decoder{b: plain}
	for len(d.b) > 0 && d.err == nil {
		b.values = append(b.values, d.view())
	}
	if d.err != nil || len(b.values) == 0 {
		return nil, damaged(errShort)
	}
	return b, nil
}

// key returns the key of the ith record.
func (b *sealedBlock) key(i int) idKey {
	k := b.first
	k.seq += uint32(i)
	return k
}

// A sealedCursor goes through the records of a table in order, sealed or not.
type sealedCursor struct {
	t      table
	plain  *bolt.Cursor
	k, v   []byte // where plain is
	sealed *bolt.Cursor
	block  *sealedBlock // nil if there is none left
	i      int          // of the next record of block
}

// sealedCursorAt returns a cursor at the first record whose key is not less than from.
func sealedCursorAt(tx *bolt.Tx, t table, from []byte) (*sealedCursor, error) {
	c := &sealedCursor{t: t, plain: tx.Bucket(tableBuckets[t]).Cursor()}
	c.k, c.v = c.plain.Seek(from)
	c.sealed = tx.Bucket(bucketSealed).Cursor()
	return c, c.seekSealed(from)
}

// seekSealed moves to the first sealed record whose key is not less than from.
func (c *sealedCursor) seekSealed(from []byte) error {
	at := append([]byte{byte(c.t)}, from...)
	k, v := c.sealed.Seek(at)
	if !bytes.Equal(k, at) {
		// The record can be inside the block before.
		pk, pv := c.sealed.Prev()
		if k == nil {
			pk, pv = c.sealed.Last()
		}
		if pk != nil && pk[0] == byte(c.t) {
			if err := c.open(pk, pv); err != nil {
				return err
			}
			for c.i = 0; c.i < len(c.block.values); c.i++ {
				if string(c.block.key(c.i).append(nil)) >= string(from) {
					return nil
				}
			}
		}
		k, v = c.sealed.Seek(at)
	}
	return c.open(k, v)
}

// open expands the block at which the cursor is.
func (c *sealedCursor) open(k, v []byte) (err error) {
	c.block, c.i = nil, 0
	if k != nil && k[0] == byte(c.t) {
		c.block, err = openSealed(k, v)
	}
	return err
}

// next returns the record at which the cursor is, nil at the end, and moves on.
func (c *sealedCursor) next() (k, v []byte, err error) {
	if c.block != nil {
		sealed := c.block.key(c.i).append(nil)
		order := 1
		if c.k != nil {
			order = bytes.Compare(c.k, sealed)
		}
		if order >= 0 {
			k, v = sealed, c.block.values[c.i]
			if c.i++; c.i == len(c.block.values) {
				if err := c.open(c.sealed.Next()); err != nil {
					return nil, nil, err
				}
			}
			if c.k == nil || order > 0 {
				return k, v, nil
			}
		}
	}
	k, v = c.k, c.v
	if k != nil {
		c.k, c.v = c.plain.Next()
	}
	return k, v, nil
}
