package storage

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"

	"github.com/klauspost/compress/zstd"
	bolt "go.etcd.io/bbolt"
)

// Entries and page records never go away, and most of them never change. Compact
// packs consecutive ones of a queue into sealed blocks, and the writer does so
// with many new entries of one queue: three quarters of what
// they take in their buckets is keys, bbolt's own bookkeeping, and what each has
// in common with the one before. A record in its bucket goes before a sealed one,
// so that blocks are never changed.

// bucketSealed holds the blocks:
//
//	<1 B table> <ID of the first record> → <4 B CRC32C> zstd( n times <length> <value> )
var bucketSealed = []byte("sealed")

// How many records a block has: with fewer it is not worth it, and with more a
// read of one of them takes too long.
const (
	sealLeast = 8
	sealMost  = 256
)

// maxSealed is how long the records of a block can be. A block ends before it
// is longer than sealBytes, but one record alone can be as long as bbolt takes.
const (
	sealBytes = 1 << 20
	maxSealed = 64 << 20
)

// sealable reports whether the records of a table are packed.
func (t table) sealable() bool { return t == tableURL || t == tablePage }

// A packer compresses blocks and expands them. Its methods may be called by many
// goroutines.
type packer struct {
	enc *zstd.Encoder
	dec *zstd.Decoder
}

// blocks packs and expands all blocks. It is made when the program starts, a
// third of a millisecond, and not when it is first needed: that may be in the
// bubble of one test, and its channels would be of no use in another.
var blocks = newPacker()

func newPacker() packer {
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedDefault), zstd.WithWindowSize(1<<20))
	if err != nil {
		panic("storage: " + err.Error()) // unreachable: the options are valid
	}
	dec, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(2), zstd.WithDecoderMaxMemory(maxSealed))
	if err != nil {
		panic("storage: " + err.Error()) // unreachable: the options are valid
	}
	enc.EncodeAll(nil, nil) // makes its channels
	return packer{enc, dec}
}

// sealedKey returns the key of a block.
func sealedKey(t table, first []byte) []byte { return append([]byte{byte(t)}, first...) }

// seal returns a block of values.
func seal(values [][]byte) []byte {
	var e encoder
	for _, v := range values {
		e.bytes(v)
	}
	block := blocks.enc.EncodeAll(e.b, make([]byte, crcSize, crcSize+len(e.b)/2))
	binary.BigEndian.PutUint32(block, crc32.Checksum(block[crcSize:], castagnoli))
	return block
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
	if len(k) != 1+idSize || !table(k[0]).sealable() {
		return nil, damaged(errShort)
	}
	b := &sealedBlock{table: table(k[0])}
	b.first, _ = b.table.idKey(k[1:])
	packed, err := openLogRecord(v)
	if err != nil {
		return nil, damaged(err)
	}
	plain, err := blocks.dec.DecodeAll(packed, nil)
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

// get returns the value of a key; nil if it is not in the block.
func (b *sealedBlock) get(t table, k idKey) []byte {
	if b == nil || b.table != t || b.first.host != k.host || b.first.class != k.class ||
		k.seq < b.first.seq || uint64(k.seq) >= uint64(b.first.seq)+uint64(len(b.values)) {
		return nil
	}
	return b.values[k.seq-b.first.seq]
}

// key returns the key of the ith record.
func (b *sealedBlock) key(i int) idKey {
	k := b.first
	k.seq += uint32(i)
	return k
}

// sealedAt returns the block in which a record would be; nil if there is none.
func sealedAt(tx *bolt.Tx, t table, key []byte) (*sealedBlock, error) {
	b := tx.Bucket(bucketSealed)
	at := sealedKey(t, key)
	c := b.Cursor()
	k, v := c.Seek(at)
	if !bytes.Equal(k, at) {
		if k == nil {
			k, v = c.Last()
		} else {
			k, v = c.Prev()
		}
	}
	if k == nil || len(k) != 1+idSize || k[0] != byte(t) || !bytes.Equal(k[1:6], key[:5]) {
		return nil, nil
	}
	return openSealed(k, v)
}

// A tableCursor goes through the records of a table in order, sealed or not.
type tableCursor struct {
	t      table
	plain  *bolt.Cursor
	k, v   []byte // where plain is
	sealed *bolt.Cursor
	block  *sealedBlock // nil if there is none left
	i      int          // of the next record of block
}

// cursor returns a cursor at the first record whose key is not less than from.
func cursor(tx *bolt.Tx, t table, from []byte) (*tableCursor, error) {
	c := &tableCursor{t: t, plain: tx.Bucket(tableBuckets[t]).Cursor()}
	c.k, c.v = c.plain.Seek(from)
	if !t.sealable() {
		return c, nil
	}
	c.sealed = tx.Bucket(bucketSealed).Cursor()
	return c, c.seekSealed(from)
}

// seekSealed moves to the first sealed record whose key is not less than from.
func (c *tableCursor) seekSealed(from []byte) error {
	at := sealedKey(c.t, from)
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
func (c *tableCursor) open(k, v []byte) (err error) {
	c.block, c.i = nil, 0
	if k != nil && k[0] == byte(c.t) {
		c.block, err = openSealed(k, v)
	}
	return err
}

// next returns the record at which the cursor is, nil at the end, and moves on.
func (c *tableCursor) next() (k, v []byte, err error) {
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
