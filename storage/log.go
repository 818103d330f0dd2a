package storage

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

const crcSize = 4

// A logRecord is being filled with commits. Its bytes never move, so that the
// memtable can point into them.
type logRecord struct {
	data []byte // starts with room for the checksum
}

// The room of a log record. A group of many commits gets larger and larger
// ones, and one of few does not keep much memory from use. Values in bbolt that
// are larger than this are written as a whole for any change beside them.
const (
	logRecordFirst = 4 << 10
	logRecordMost  = 64 << 10
)

func newLogRecord(size int) *logRecord {
	return &logRecord{data: make([]byte, crcSize, crcSize+size)}
}

// room reports whether n more bytes fit.
func (r *logRecord) room(n int) bool { return cap(r.data)-len(r.data) >= n }

// seal writes the checksum and returns the record as it is stored.
func (r *logRecord) seal() []byte {
	binary.BigEndian.PutUint32(r.data, crc32.Checksum(r.data[crcSize:], castagnoli))
	return r.data
}

// Log records are a sequence of operations:
//
//	<table> <key> <0>              delete
//	<table> <key> <1> <value>      put
//	<hashOp> <n> n times <8 B>     hashes of new keys

func appendPut(e *encoder, t table, key, value []byte) {
	e.byte(byte(t))
	e.bytes(key)
	e.byte(1)
	e.bytes(value)
}

func appendDelete(e *encoder, t table, key []byte) {
	e.byte(byte(t))
	e.bytes(key)
	e.byte(0)
}

func appendHashes(e *encoder, hs []uint64) {
	if len(hs) == 0 {
		return
	}
	e.byte(byte(hashOp))
	e.uint(uint64(len(hs)))
	for _, h := range hs {
		e.fixed(h)
	}
}

var errChecksum = errors.New("checksum does not match")

// openLogRecord checks a stored record and returns its operations.
func openLogRecord(stored []byte) ([]byte, error) {
	if len(stored) < crcSize {
		return nil, errShort
	}
	ops := stored[crcSize:]
	if binary.BigEndian.Uint32(stored) != crc32.Checksum(ops, castagnoli) {
		return nil, errChecksum
	}
	return ops, nil
}

// apply carries the operations that stand in block from some place on into m.
// The block is one that m has seen before, longer by these operations, or the
// next one.
func (m *memtable) apply(block []byte, from int) error {
	if n := len(m.blocks); n > 0 && len(m.blocks[n-1]) > 0 && &m.blocks[n-1][0] == &block[0] {
		m.blocks[n-1] = block
	} else {
		m.blocks = append(m.blocks, block)
	}
	number := uint32(len(m.blocks) - 1)
	d := decoder{b: block[from:]}
	for len(d.b) > 0 && d.err == nil {
		t := table(d.byte())
		if t == hashOp {
			for n := d.uint(); n > 0 && d.err == nil; n-- {
				m.hashes = append(m.hashes, d.fixed())
				m.bytes += 8
			}
			continue
		}
		if t >= numTables {
			return errShort
		}
		key := d.view()
		p := place{block: number, size: deleted}
		switch d.byte() {
		case 0:
			if t.packed() { // nothing that is packed is ever deleted
				d.fail()
			}
		case 1:
			value := d.view()
			p.size = uint32(len(value))
			p.at = uint32(len(block) - len(d.b) - len(value))
		default:
			d.fail()
		}
		if len(key) == 0 {
			d.fail()
		}
		if d.err == nil && !m.set(t, key, p) {
			d.fail()
		}
	}
	return d.err
}
