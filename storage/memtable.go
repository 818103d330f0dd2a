package storage

import (
	"maps"
	"slices"
)

// A memtable holds the records of a stretch of the log until they stand in
// their buckets. It is guarded by the mutex of its DB until it is frozen, and
// does not change after that.
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

func (m *memtable) set(t table, key, value []byte) {
	m.tables[t][string(key)] = value
	m.ops++
	m.bytes += len(key) + len(value)
}

// sortedKeys returns the keys of a table in order.
func (m *memtable) sortedKeys(t table) []string {
	return slices.Sorted(maps.Keys(m.tables[t]))
}
