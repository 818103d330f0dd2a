package storetest

import (
	"cmp"
	"maps"
	"slices"
	"sync"

	"github.com/hashcrawl/hashcrawl/frontier"
)

// Memory is a store that keeps everything in memory: the double of a crawl
// file. The zero value is empty. Its methods may be called by many goroutines.
type Memory struct {
	mu      sync.Mutex // guards what follows
	hosts   map[frontier.HostID]frontier.Host
	entries map[frontier.ID]frontier.Entry
	retries map[frontier.ID]frontier.Retry
	hashes  []uint64
	counts  frontier.Counts
	fail    error
	reads   int
}

// Append is a frontier.Journal.
func (m *Memory) Append(ch frontier.Changes) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.hosts == nil {
		m.hosts = map[frontier.HostID]frontier.Host{}
		m.entries = map[frontier.ID]frontier.Entry{}
		m.retries = map[frontier.ID]frontier.Retry{}
	}
	for _, h := range ch.Hosts {
		m.hosts[h.ID] = h
	}
	for _, e := range ch.Entries {
		m.entries[e.ID] = e
	}
	if ch.Retry != nil {
		m.retries[ch.Retry.ID] = *ch.Retry
	}
	if !ch.Settled.IsZero() {
		delete(m.retries, ch.Settled)
	}
	m.hashes = append(m.hashes, ch.Hashes...)
	m.counts = ch.Counts
}

// FailReads makes every read return err from now on.
func (m *Memory) FailReads(err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.fail = err
}

// Reads returns how often Entries was called.
func (m *Memory) Reads() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.reads
}

// Hosts implements frontier.Store.
func (m *Memory) Hosts(fn func(frontier.Host) error) error {
	return each(m, func() []frontier.Host { return inOrder(m.hosts, cmp.Compare[frontier.HostID]) }, fn)
}

// Host implements frontier.Store.
func (m *Memory) Host(id frontier.HostID) (h frontier.Host, found bool, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	h, found = m.hosts[id]
	return h, found, m.fail
}

// Retries implements frontier.Store.
func (m *Memory) Retries(fn func(frontier.Retry) error) error {
	return each(m, func() []frontier.Retry { return inOrder(m.retries, compareIDs) }, fn)
}

// Hashes implements frontier.Store.
func (m *Memory) Hashes(fn func([]uint64) error) error {
	return each(m, func() [][]uint64 { return [][]uint64{slices.Clone(m.hashes)} }, fn)
}

// Counts implements frontier.Store.
func (m *Memory) Counts() (frontier.Counts, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.counts, m.fail
}

// Entries implements frontier.Store.
func (m *Memory) Entries(host frontier.HostID, class frontier.Class, from uint32, limit int) ([]frontier.Entry, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.reads++
	var es []frontier.Entry
	for seq := from; len(es) < limit; seq++ {
		e, ok := m.entries[frontier.ID{Host: host, Class: class, Seq: seq}]
		if !ok {
			break
		}
		es = append(es, e)
	}
	return es, m.fail
}

// each calls fn with every record that list returns, without the lock.
func each[T any](m *Memory, list func() []T, fn func(T) error) error {
	m.mu.Lock()
	all, err := list(), m.fail
	m.mu.Unlock()
	for _, v := range all {
		if err == nil {
			err = fn(v)
		}
	}
	return err
}

// inOrder returns the values of a map in the order of its keys.
func inOrder[K comparable, V any](of map[K]V, compare func(K, K) int) []V {
	var vs []V
	for _, k := range slices.SortedFunc(maps.Keys(of), compare) {
		vs = append(vs, of[k])
	}
	return vs
}

func compareIDs(a, b frontier.ID) int {
	return cmp.Or(cmp.Compare(a.Host, b.Host), cmp.Compare(a.Class, b.Class), cmp.Compare(a.Seq, b.Seq))
}
