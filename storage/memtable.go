package storage

import (
	"cmp"
	"encoding/binary"
	"maps"
	"slices"
	"strings"
)

// A memtable holds the records of a stretch of the log until they stand in
// their buckets. It is guarded by the mutex of its DB until it is frozen, and
// does not change after that.
//
// A crawl of millions of URLs has a million records in it, so it points into
// the log records by number, not by pointer: what the garbage collector has to
// look at is a handful of maps without pointers and the blocks.
type memtable struct {
	ids    [numTables]map[idKey]place  // of the tables whose keys are numbers
	names  [numTables]map[string]place // of the others
	blocks [][]byte                    // the operations of log records
	hashes []uint64
	ops    int    // so far, those of records that came again included
	bytes  int    // of their keys and values
	logs   int    // log records that went into it
	last   uint64 // number of the last of them
}

// An idKey is a key of 9 or 4 bytes as a number; see keys.go.
type idKey struct {
	host, seq uint32
	class     uint8
}

// hostClass stands for the class of keys that are a host's or a slot's alone.
const hostClass = 0xff

func (k idKey) compare(o idKey) int {
	return cmp.Or(cmp.Compare(k.host, o.host), cmp.Compare(k.class, o.class), cmp.Compare(k.seq, o.seq))
}

// next returns the key after all that are not greater than k.
func (k idKey) next() idKey {
	if k.seq++; k.seq == 0 {
		if k.class++; k.class == 0 {
			k.host++
		}
	}
	return k
}

// append appends the key as it stands in its bucket.
func (k idKey) append(b []byte) []byte {
	b = binary.BigEndian.AppendUint32(b, k.host)
	if k.class == hostClass {
		return b
	}
	return binary.BigEndian.AppendUint32(append(b, k.class), k.seq)
}

// numbered reports whether the keys of a table are numbers.
func (t table) numbered() bool {
	switch t {
	case tableHost, tableURL, tablePage, tableRetry, tableLease:
		return true
	}
	return false
}

// idKey returns a key of a numbered table; false if it is none.
func (t table) idKey(key []byte) (k idKey, ok bool) {
	switch t {
	case tableHost, tableLease:
		if len(key) != 4 {
			return k, false
		}
		return idKey{host: binary.BigEndian.Uint32(key), class: hostClass}, true
	}
	if len(key) != idSize || key[4] == hostClass {
		return k, false
	}
	return idKey{host: binary.BigEndian.Uint32(key), class: key[4], seq: binary.BigEndian.Uint32(key[5:])}, true
}

// A place is where a value stands in the blocks of a memtable.
type place struct{ block, at, size uint32 }

// deleted is the size of a record that was deleted.
const deleted = 1<<32 - 1

// newMemtable returns an empty memtable with room for about as many records as the
// one before it had; nil if there was none.
func newMemtable(before *memtable) *memtable {
	m := &memtable{}
	for t := range numTables {
		if t.numbered() {
			n := 0
			if before != nil {
				n = len(before.ids[t])
			}
			m.ids[t] = make(map[idKey]place, n)
		} else {
			m.names[t] = map[string]place{}
		}
	}
	return m
}

// set stores where the value of a key is. It returns false if the key cannot be
// one of the table.
func (m *memtable) set(t table, key []byte, p place) bool {
	if t.numbered() {
		k, ok := t.idKey(key)
		if !ok {
			return false
		}
		m.ids[t][k] = p
	} else {
		m.names[t][string(key)] = p
	}
	m.ops++
	m.bytes += len(key)
	if p.size != deleted {
		m.bytes += int(p.size)
	}
	return true
}

// get returns the value of a key, nil if it was deleted.
func (m *memtable) get(t table, key []byte) (value []byte, known bool) {
	var p place
	if t.numbered() {
		k, ok := t.idKey(key)
		if !ok {
			return nil, false
		}
		p, known = m.ids[t][k]
	} else {
		p, known = m.names[t][string(key)]
	}
	if !known {
		return nil, false
	}
	return m.value(p), true
}

// value returns what stands at a place, nil for a deleted record.
func (m *memtable) value(p place) []byte {
	if p.size == deleted {
		return nil
	}
	return m.blocks[p.block][p.at : p.at+p.size : p.at+p.size]
}

// records returns how many records there are.
func (m *memtable) records() (n int) {
	for t := range numTables {
		n += len(m.ids[t]) + len(m.names[t])
	}
	return n
}

// A sortedTable is a table of a memtable in the order of the keys.
type sortedTable struct {
	ids   []idPlace // of a numbered table
	names []namePlace
}

type idPlace struct {
	key idKey
	place
}

type namePlace struct {
	key string
	place
}

// sorted returns a table in order.
func (m *memtable) sorted(t table) (s sortedTable) {
	if t.numbered() {
		s.ids = make([]idPlace, 0, len(m.ids[t]))
		for k, p := range m.ids[t] {
			s.ids = append(s.ids, idPlace{k, p})
		}
		slices.SortFunc(s.ids, func(a, b idPlace) int { return a.key.compare(b.key) })
		return s
	}
	for k, p := range m.names[t] {
		s.names = append(s.names, namePlace{k, p})
	}
	slices.SortFunc(s.names, func(a, b namePlace) int { return strings.Compare(a.key, b.key) })
	return s
}

// appendKeys appends the keys of a table that want says yes to, in no order.
func (m *memtable) appendKeys(ks []string, t table, want func(host uint32) bool) []string {
	if !t.numbered() {
		return slices.AppendSeq(ks, maps.Keys(m.names[t]))
	}
	for k := range m.ids[t] {
		if want(k.host) {
			ks = append(ks, string(k.append(make([]byte, 0, idSize))))
		}
	}
	return ks
}
