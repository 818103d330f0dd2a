package storage

import (
	"slices"
)

// A memtable holds the records of a stretch of the log until they stand in
// their buckets.
type memtable struct {
	tables [numTables]map[string][]byte // a nil value is a deletion
	hashes []uint64
	ops    int
	bytes  int
	logs   int    // log records that went into it
	last   uint64 // number of the last of them
}

func newMemtable() *memtable {
	m := &memtable{}
	for t := range m.tables {
		m.tables[t] = map[string][]byte{}
	}
	return m
}

// get returns the value of a key; known tells whether the memtable says
// anything of it.
func (m *memtable) get(t table, key []byte) (value []byte, known bool) {
	if m == nil {
		return nil, false
	}
	value, known = m.tables[t][string(key)]
	return value, known
}

func (m *memtable) set(t table, key, value []byte) {
	m.tables[t][string(key)] = value
	m.ops++
	m.bytes += len(key) + len(value)
}

// keys returns the keys of a table that start with prefix and are not less
// than from, in order.
func (m *memtable) keys(t table, prefix, from string) []string {
	if m == nil {
		return nil
	}
	var ks []string
	for k := range m.tables[t] {
		if k >= from && len(k) >= len(prefix) && k[:len(prefix)] == prefix {
			ks = append(ks, k)
		}
	}
	slices.Sort(ks)
	return ks
}
