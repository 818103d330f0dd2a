package storage

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"time"

	bolt "go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"

	"github.com/hashcrawl/hashcrawl/frontier"
)

// view runs fn in a read transaction of bbolt. Damage at which bbolt panics is
// returned as an error.
func (db *DB) view(fn func(*bolt.Tx) error) error {
	err := contained(func() error { return db.bolt.View(fn) })
	if errors.Is(err, bolterrors.ErrDatabaseNotOpen) {
		return ErrClosed
	}
	return err
}

// contained returns what fn returns, or the damage at which it panics.
func contained(fn func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer containDamage(func(damage error) { err = damage })
	return fn()
}

// A reader reads records wherever they stand. It finds everything that was
// appended before it was made.
type reader struct {
	db *DB
	// The memtables as they were before any transaction of the reader began:
	// what they do not know then stands in the buckets. The other way round, a
	// memtable could be carried to the buckets in between, and would be missing
	// in both.
	mem, frozen *memtable
	sorted      [numTables][]string // keys of both; nil if not asked for yet
	stretch     *stretchOf          // the last that was read of entries; nil if none was
	only        frontier.HostID     // the host whose keys are asked for; 0 for all
}

func (db *DB) reader() *reader {
	db.mu.RLock()
	defer db.mu.RUnlock()
	return &reader{db: db, mem: db.mem, frozen: db.frozen}
}

// read runs fn in a transaction with a reader.
func (db *DB) read(fn func(*reader, *bolt.Tx) error) error {
	r := db.reader()
	return db.view(func(tx *bolt.Tx) error { return fn(r, tx) })
}

// get returns the value of a key, nil if there is none. The value must not be
// changed, and not be kept beyond tx.
func (r *reader) get(tx *bolt.Tx, t table, key []byte) []byte {
	if v, known := r.recent(t, key); known {
		return v
	}
	return tx.Bucket(tableBuckets[t]).Get(key)
}

// packed is get for the tables whose records are packed.
func (r *reader) packed(tx *bolt.Tx, t table, key []byte) ([]byte, error) {
	id, ok := t.idKey(key)
	if !ok {
		return nil, nil
	}
	// Entries never change, so that what was read of them stays right.
	if v := r.stretch.get(t, id); v != nil {
		return v, nil
	}
	if v, known := r.recent(t, key); known {
		return v, nil
	}
	s, err := find(tx, t, id)
	if err != nil {
		return nil, err
	}
	if t == tableURL && s != nil {
		r.stretch = s
	}
	return s.get(t, id), nil
}

// recent returns what the memtables know of a key; nil for a deleted one.
func (r *reader) recent(t table, key []byte) (value []byte, known bool) {
	r.db.mu.RLock()
	value, known = r.mem.get(t, key)
	r.db.mu.RUnlock()
	if !known && r.frozen != nil { // it does not change any more
		value, known = r.frozen.get(t, key)
	}
	return value, known
}

// keys returns the keys of a table in the memtables that are not less than
// from, in order.
func (r *reader) keys(t table, from []byte) []string {
	if r.sorted[t] == nil {
		r.db.mu.RLock()
		want := func(host uint32) bool { return r.only == 0 || host == uint32(r.only) }
		ks := r.mem.appendKeys([]string{}, t, want)
		r.db.mu.RUnlock()
		if r.frozen != nil { // it does not change any more
			ks = r.frozen.appendKeys(ks, t, want)
		}
		slices.Sort(ks)
		r.sorted[t] = slices.Compact(ks)
	}
	i, _ := slices.BinarySearch(r.sorted[t], string(from))
	return r.sorted[t][i:]
}

// scanChunk is how many records one read transaction of a scan returns. Long
// transactions keep freed pages from being used again.
const scanChunk = 512

// scanTurn is after how many records a scan lets the writer go first.
const scanTurn = 32

type record struct{ key, value []byte }

// scan calls fn with the records of a table whose keys start with prefix, in
// order, until fn returns an error. No transaction is open while fn runs. It
// meets everything that was appended before the reader was made, and of what
// is appended meanwhile some. A long scan, such as an export's, stands still while a
// transaction is written: it would take the processors from the crawl.
func (r *reader) scan(t table, prefix []byte, fn func(key, value []byte) error) error {
	from, more := bytes.Clone(prefix), true
	given := 0
	var chunk []record
	for more {
		err := r.db.view(func(tx *bolt.Tx) (err error) {
			chunk, from, more, err = r.scanPart(tx, t, prefix, from, chunk[:0])
			return err
		})
		if err != nil {
			return err
		}
		for _, c := range chunk {
			if given++; given%scanTurn == 0 {
				r.db.giveWay()
			}
			if err := fn(c.key, c.value); err != nil {
				return err
			}
		}
	}
	return nil
}

// giveWay waits until no transaction is being written.
func (db *DB) giveWay() {
	db.turn.Lock()
	defer db.turn.Unlock()
}

// scanPart appends the records from a key on to chunk, as copies, and returns
// the key to go on from. What the memtables know goes before what stands in
// the bucket.
func (r *reader) scanPart(tx *bolt.Tx, t table, prefix, from []byte, chunk []record) (_ []record, next []byte, more bool, err error) {
	recent := r.keys(t, from)
	c, err := cursor(tx, t, from)
	if err != nil {
		return chunk, nil, false, err
	}
	var last []byte
	k, v, err := c.next()
	for range scanChunk {
		if err != nil {
			return chunk, nil, false, err
		}
		var key, value []byte
		inBucket := k != nil && bytes.HasPrefix(k, prefix)
		there := inBucket
		switch {
		case len(recent) > 0 && (!inBucket || recent[0] <= string(k)):
			key = []byte(recent[0])
			if !bytes.HasPrefix(key, prefix) {
				return chunk, nil, false, nil
			}
			recent = recent[1:]
			there = inBucket && bytes.Equal(key, k)
		case inBucket:
			key = k
		default:
			return chunk, nil, false, nil
		}
		if there {
			value = v
		}
		if newer, known := r.recent(t, key); known {
			value = newer
		}
		both := append(append(make([]byte, 0, len(key)+len(value)), key...), value...)
		if last = both[:len(key):len(key)]; value != nil {
			chunk = append(chunk, record{last, both[len(key):]})
		}
		if there {
			k, v, err = c.next()
		}
	}
	return chunk, append(last, 0), true, err // from the next key that there can be
}

// Hosts calls fn with every host, by ID.
func (db *DB) Hosts(fn func(frontier.Host) error) error {
	return db.reader().scan(tableHost, nil, func(k, v []byte) error {
		if len(k) != 4 {
			return fmt.Errorf("%w: host key %x", ErrDamaged, k)
		}
		h, err := decodeHost(frontier.HostID(binary.BigEndian.Uint32(k)), v)
		if err != nil {
			return fmt.Errorf("%w: host %x: %w", ErrDamaged, k, err)
		}
		return fn(h)
	})
}

// Retries calls fn with every entry that waits for another try.
func (db *DB) Retries(fn func(frontier.Retry) error) error {
	return db.reader().scan(tableRetry, nil, func(k, v []byte) error {
		id, ok := parseID(k)
		r, err := decodeRetry(id, v)
		if !ok || err != nil {
			return fmt.Errorf("%w: retry %x", ErrDamaged, k)
		}
		e, found, err := db.Entry(id)
		if err == nil && !found {
			err = fmt.Errorf("%w: retry of %v, which is not there", ErrDamaged, id)
		}
		if err != nil {
			return err
		}
		r.Entry = e
		return fn(r)
	})
}

// Hashes calls fn with the hashes of all known keys, in blocks, in no order;
// some may come twice.
func (db *DB) Hashes(fn func([]uint64) error) error {
	for _, hashes := range db.recentHashes() {
		if len(hashes) == 0 {
			continue
		}
		if err := fn(hashes); err != nil {
			return err
		}
	}
	block := make([]uint64, 0, hashesPerBlock)
	return db.view(func(tx *bolt.Tx) error {
		return tx.Bucket(bucketHash).ForEach(func(k, v []byte) error {
			hs, err := openLogRecord(v)
			if err == nil && len(hs)%8 != 0 {
				err = errShort
			}
			if err != nil {
				return fmt.Errorf("%w: hashes %x: %w", ErrDamaged, k, err)
			}
			block = block[:0]
			for ; len(hs) > 0; hs = hs[8:] {
				block = append(block, binary.BigEndian.Uint64(hs))
			}
			return fn(block)
		})
	})
}

// recentHashes returns the hashes that may not stand in the bucket yet.
func (db *DB) recentHashes() [2][]uint64 {
	db.mu.RLock()
	defer db.mu.RUnlock()
	hs := [2][]uint64{slices.Clip(db.mem.hashes)}
	if db.frozen != nil {
		hs[1] = db.frozen.hashes
	}
	return hs
}

// Counts returns how many URLs stand at each outcome.
func (db *DB) Counts() (c frontier.Counts, err error) {
	err = db.read(func(rd *reader, tx *bolt.Tx) error {
		if c, err = decodeCounts(rd.get(tx, tableMeta, []byte(metaCounts))); err != nil {
			return fmt.Errorf("%w: counts: %w", ErrDamaged, err)
		}
		return nil
	})
	return c, err
}

// Config returns what was last stored as configuration; nil if nothing was.
func (db *DB) Config() (config []byte, err error) {
	err = db.read(func(rd *reader, tx *bolt.Tx) error {
		config = bytes.Clone(rd.get(tx, tableMeta, []byte(metaConfig)))
		return nil
	})
	return config, err
}

// CreatedAt returns when the crawl file was made.
func (db *DB) CreatedAt() (t time.Time, err error) {
	err = db.read(func(rd *reader, tx *bolt.Tx) error {
		if b := rd.get(tx, tableMeta, []byte(metaCreated)); len(b) == 8 {
			t = time.UnixMilli(int64(binary.BigEndian.Uint64(b))).UTC()
		}
		return nil
	})
	return t, err
}

// Host returns a host by its ID.
func (db *DB) Host(id frontier.HostID) (h frontier.Host, found bool, err error) {
	err = db.read(func(rd *reader, tx *bolt.Tx) error {
		h, found, err = rd.host(tx, id)
		return err
	})
	return h, found, err
}

func (rd *reader) host(tx *bolt.Tx, id frontier.HostID) (frontier.Host, bool, error) {
	v := rd.get(tx, tableHost, appendHostKey(nil, id))
	if v == nil {
		return frontier.Host{}, false, nil
	}
	h, err := decodeHost(id, v)
	if err != nil {
		return h, false, fmt.Errorf("%w: host %d: %w", ErrDamaged, id, err)
	}
	return h, true, nil
}

// Entry returns an entry by its ID.
func (db *DB) Entry(id frontier.ID) (e frontier.Entry, found bool, err error) {
	err = db.read(func(rd *reader, tx *bolt.Tx) error {
		h, ok, err := rd.host(tx, id.Host)
		if err != nil || !ok {
			return err
		}
		e, found, err = rd.entry(tx, id, h.Name)
		return err
	})
	return e, found, err
}

func (rd *reader) entry(tx *bolt.Tx, id frontier.ID, host string) (frontier.Entry, bool, error) {
	v, err := rd.packed(tx, tableURL, appendID(nil, id))
	if v == nil {
		return frontier.Entry{}, false, err
	}
	e, err := decodeEntry(id, v, host)
	if err != nil {
		return e, false, fmt.Errorf("%w: entry %v: %w", ErrDamaged, id, err)
	}
	return e, true, nil
}

// Entries implements frontier.Store.
func (db *DB) Entries(host frontier.HostID, class frontier.Class, from uint32, limit int) (es []frontier.Entry, err error) {
	err = db.read(func(rd *reader, tx *bolt.Tx) error {
		h, ok, err := rd.host(tx, host)
		if err != nil || !ok {
			return err
		}
		for seq := from; len(es) < limit; seq++ {
			e, ok, err := rd.entry(tx, frontier.ID{Host: host, Class: class, Seq: seq}, h.Name)
			if err != nil || !ok {
				return err
			}
			es = append(es, e)
		}
		return nil
	})
	return es, err
}

// HostEntries calls fn with every entry of one host, refused ones included.
func (db *DB) HostEntries(h frontier.Host, fn func(frontier.Entry) error) error {
	rd := db.reader()
	rd.only = h.ID
	return rd.entries(appendHostKey(nil, h.ID), h.Name, fn)
}

// AllEntries calls fn with every entry, refused ones included, in the order of
// their IDs.
func (db *DB) AllEntries(fn func(frontier.Entry) error) error {
	rd := db.reader()
	return db.Hosts(func(h frontier.Host) error { return rd.entries(appendHostKey(nil, h.ID), h.Name, fn) })
}

// entries calls fn with the entries of one host whose keys start with prefix.
func (rd *reader) entries(prefix []byte, host string, fn func(frontier.Entry) error) error {
	return rd.scan(tableURL, prefix, func(k, v []byte) error {
		id, ok := parseID(k)
		if !ok {
			return fmt.Errorf("%w: entry key %x", ErrDamaged, k)
		}
		e, err := decodeEntry(id, v, host)
		if err != nil {
			return fmt.Errorf("%w: entry %v: %w", ErrDamaged, id, err)
		}
		return fn(e)
	})
}

// Refused calls fn with every link that was recorded but not queued, also if
// it was queued later, for a better reason.
func (db *DB) Refused(fn func(frontier.Entry) error) error {
	rd := db.reader() // one for all hosts, because it sorts keys
	return db.Hosts(func(h frontier.Host) error {
		prefix := append(appendHostKey(nil, h.ID), byte(frontier.ClassRefused))
		return rd.entries(prefix, h.Name, fn)
	})
}

// Robots returns what is kept of an origin's robots.txt.
func (db *DB) Robots(origin string) (r Robots, found bool, err error) {
	err = db.read(func(rd *reader, tx *bolt.Tx) error {
		v := rd.get(tx, tableRobots, []byte(origin))
		if v == nil {
			return nil
		}
		found = true
		if r, err = decodeRobots(origin, v); err != nil {
			return fmt.Errorf("%w: robots of %s: %w", ErrDamaged, origin, err)
		}
		return nil
	})
	return r, found, err
}

// AllRobots calls fn with what is kept of every origin's robots.txt.
func (db *DB) AllRobots(fn func(Robots) error) error {
	return db.reader().scan(tableRobots, nil, func(k, v []byte) error {
		r, err := decodeRobots(string(k), v)
		if err != nil {
			return fmt.Errorf("%w: robots of %s: %w", ErrDamaged, k, err)
		}
		return fn(r)
	})
}
