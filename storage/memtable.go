package storage

import (
	"cmp"
	"encoding/binary"
	"maps"
	"math/bits"
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
	ids    [numTables]idTable          // of the tables whose keys are numbers
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
	if k.host != o.host {
		return cmp.Compare(k.host, o.host)
	}
	if k.class != o.class {
		return cmp.Compare(k.class, o.class)
	}
	return cmp.Compare(k.seq, o.seq)
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
			if before != nil {
				m.ids[t].reserve(len(before.ids[t].records))
			}
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
		m.ids[t].set(k, p)
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
		p, known = m.ids[t].get(k)
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
		n += len(m.ids[t].records) + len(m.names[t])
	}
	return n
}

// An idTable finds places by keys. The keys are numbers that we gave, so that nobody
// can make them collide.
type idTable struct {
	records []idPlace // in the order in which the keys came first
	slots   []uint32  // open addressing, a power of two: places in records, plus one; 0 is free
}

// reserve makes room in an empty table.
func (t *idTable) reserve(n int) {
	t.records = make([]idPlace, 0, n)
	t.spread(n)
}

// spread makes slots for n records, and puts those that there are into them.
func (t *idTable) spread(n int) {
	t.slots = make([]uint32, max(16, 1<<bits.Len(uint(n+n/2))))
	for i := range t.records {
		t.slots[t.find(t.records[i].key)] = uint32(i + 1)
	}
}

// find returns the slot of a key, or the free one in which it would be.
func (t *idTable) find(k idKey) int {
	h := (uint64(k.host)<<32 | uint64(k.seq) ^ uint64(k.class)<<29) * 0x9e3779b97f4a7c15
	h = (h ^ h>>32) * 0xd6e8feb86659fd93
	for i := int(h>>32) & (len(t.slots) - 1); ; i = (i + 1) & (len(t.slots) - 1) {
		if at := t.slots[i]; at == 0 || t.records[at-1].key == k {
			return i
		}
	}
}

func (t *idTable) set(k idKey, p place) {
	if 4*(len(t.records)+1) > 3*len(t.slots) {
		t.spread(2 * len(t.records))
	}
	i := t.find(k)
	if at := t.slots[i]; at != 0 {
		t.records[at-1].place = p
		return
	}
	t.records = append(t.records, idPlace{k, p})
	t.slots[i] = uint32(len(t.records))
}

func (t *idTable) get(k idKey) (p place, known bool) {
	if len(t.slots) == 0 {
		return p, false
	}
	at := t.slots[t.find(k)]
	if at == 0 {
		return p, false
	}
	return t.records[at-1].place, true
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
		s.ids = sortedIDs(m.ids[t].records)
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
	for i := range m.ids[t].records {
		if k := m.ids[t].records[i].key; want(k.host) {
			ks = append(ks, string(k.append(make([]byte, 0, idSize))))
		}
	}
	return ks
}
