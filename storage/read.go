package storage

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"time"

	bolt "go.etcd.io/bbolt"

	"github.com/hashcrawl/hashcrawl/frontier"
)

// view runs fn in a read transaction, beside which fn may ask the memtables.
// Damage at which bbolt panics is returned as an error.
func (db *DB) view(fn func(*bolt.Tx) error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: %v", ErrDamaged, p)
		}
	}()
	return db.bolt.View(fn)
}

// get returns the value of a key, nil if there is none. The value must not be
// changed, and not be kept beyond tx.
func (db *DB) get(tx *bolt.Tx, t table, key []byte) []byte {
	if v, known := db.recent(t, key); known {
		return v
	}
	return tx.Bucket(tableBuckets[t]).Get(key)
}

// recent returns what the memtables know of a key; nil for a deleted one.
func (db *DB) recent(t table, key []byte) (value []byte, known bool) {
	db.mu.RLock()
	defer db.mu.RUnlock()
	if value, known = db.mem.get(t, key); known {
		return value, true
	}
	return db.frozen.get(t, key)
}

// scanChunk is how many records one read transaction of a scan returns. Long
// transactions keep freed pages from being used again.
const scanChunk = 1024

type record struct{ key, value []byte }

// scan calls fn with the records of a table whose keys start with prefix, in
// order, until fn returns an error. No transaction is open while fn runs.
func (db *DB) scan(t table, prefix []byte, fn func(key, value []byte) error) error {
	from, more := bytes.Clone(prefix), true
	var chunk []record
	for more {
		err := db.view(func(tx *bolt.Tx) error {
			chunk, from, more = db.scanPart(tx, t, prefix, from, chunk[:0])
			return nil
		})
		if err != nil {
			return err
		}
		for _, r := range chunk {
			if err := fn(r.key, r.value); err != nil {
				return err
			}
		}
	}
	return nil
}

// scanPart appends the records from a key on to chunk, as copies, and returns
// the key to go on from. What the memtables know goes before what stands in
// the bucket.
func (db *DB) scanPart(tx *bolt.Tx, t table, prefix, from []byte, chunk []record) (_ []record, next []byte, more bool) {
	db.mu.RLock()
	newest := db.mem.keys(t, string(prefix), string(from))
	newer := db.frozen.keys(t, string(prefix), string(from))
	db.mu.RUnlock()
	c := tx.Bucket(tableBuckets[t]).Cursor()
	k, v := c.Seek(from)
	for range scanChunk {
		if !bytes.HasPrefix(k, prefix) {
			k = nil
		}
		key := leastKey(k, newest, newer)
		if key == nil {
			return chunk, nil, false
		}
		value := v
		if bytes.Equal(k, key) {
			key = bytes.Clone(k)
			k, v = c.Next()
		}
		newest, newer = dropFirst(newest, key), dropFirst(newer, key)
		if recent, known := db.recent(t, key); known {
			value = recent
		}
		if value != nil {
			chunk = append(chunk, record{key, bytes.Clone(value)})
		}
		next = append(bytes.Clone(key), 0) // the next key that there can be
	}
	return chunk, next, true
}

// leastKey returns the least of k and the first keys of the lists; nil if all
// are at their ends.
func leastKey(k []byte, lists ...[]string) []byte {
	for _, l := range lists {
		if len(l) > 0 && (k == nil || l[0] < string(k)) {
			k = []byte(l[0])
		}
	}
	return k
}

func dropFirst(l []string, k []byte) []string {
	if len(l) > 0 && l[0] == string(k) {
		return l[1:]
	}
	return l
}

// Hosts calls fn with every host, by ID.
func (db *DB) Hosts(fn func(frontier.Host) error) error {
	return db.scan(tableHost, nil, func(k, v []byte) error {
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
	return db.scan(tableRetry, nil, func(k, v []byte) error {
		id, ok := parseID(k)
		d := decoder{b: v}
		r := frontier.Retry{Due: d.time(), Attempts: int(d.uint())}
		if !ok || d.done() != nil {
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

// Hashes calls fn with the hashes of all known keys, in blocks, in no order.
func (db *DB) Hashes(fn func([]uint64) error) error {
	for _, m := range []*memtable{db.mem, db.frozen} {
		if m != nil && len(m.hashes) > 0 {
			if err := fn(m.hashes); err != nil {
				return err
			}
		}
	}
	block := make([]uint64, 0, hashesPerBlock)
	return db.view(func(tx *bolt.Tx) error {
		return tx.Bucket(bucketHash).ForEach(func(k, v []byte) error {
			ops, err := openLogRecord(v)
			if err != nil {
				return fmt.Errorf("%w: hashes %x: %w", ErrDamaged, k, err)
			}
			block = block[:0]
			for ; len(ops) >= 8; ops = ops[8:] {
				block = append(block, binary.BigEndian.Uint64(ops))
			}
			return fn(block)
		})
	})
}

// Counts returns how many URLs stand at each outcome.
func (db *DB) Counts() (c frontier.Counts, err error) {
	err = db.view(func(tx *bolt.Tx) error {
		c, err = decodeCounts(db.get(tx, tableMeta, []byte(metaCounts)))
		return err
	})
	return c, err
}

// Config returns what was last stored as configuration; nil if nothing was.
func (db *DB) Config() (config []byte, err error) {
	err = db.view(func(tx *bolt.Tx) error {
		config = bytes.Clone(db.get(tx, tableMeta, []byte(metaConfig)))
		return nil
	})
	return config, err
}

// CreatedAt returns when the crawl file was made.
func (db *DB) CreatedAt() (t time.Time, err error) {
	err = db.view(func(tx *bolt.Tx) error {
		if b := db.get(tx, tableMeta, []byte(metaCreated)); len(b) == 8 {
			t = time.UnixMilli(int64(binary.BigEndian.Uint64(b))).UTC()
		}
		return nil
	})
	return t, err
}

// Host returns a host by its ID.
func (db *DB) Host(id frontier.HostID) (h frontier.Host, found bool, err error) {
	err = db.view(func(tx *bolt.Tx) error {
		h, found, err = db.host(tx, id)
		return err
	})
	return h, found, err
}

func (db *DB) host(tx *bolt.Tx, id frontier.HostID) (frontier.Host, bool, error) {
	v := db.get(tx, tableHost, appendHostKey(nil, id))
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
	err = db.view(func(tx *bolt.Tx) error {
		h, ok, err := db.host(tx, id.Host)
		if err != nil || !ok {
			return err
		}
		e, found, err = db.entry(tx, id, h.Name)
		return err
	})
	return e, found, err
}

func (db *DB) entry(tx *bolt.Tx, id frontier.ID, host string) (frontier.Entry, bool, error) {
	v := db.get(tx, tableURL, appendID(nil, id))
	if v == nil {
		return frontier.Entry{}, false, nil
	}
	e, err := decodeEntry(id, v, host)
	if err != nil {
		return e, false, fmt.Errorf("%w: entry %v: %w", ErrDamaged, id, err)
	}
	return e, true, nil
}

// Entries implements frontier.Store.
func (db *DB) Entries(host frontier.HostID, class frontier.Class, from uint32, limit int) (es []frontier.Entry, err error) {
	err = db.view(func(tx *bolt.Tx) error {
		h, ok, err := db.host(tx, host)
		if err != nil || !ok {
			return err
		}
		for seq := from; len(es) < limit; seq++ {
			e, ok, err := db.entry(tx, frontier.ID{Host: host, Class: class, Seq: seq}, h.Name)
			if err != nil || !ok {
				return err
			}
			es = append(es, e)
		}
		return nil
	})
	return es, err
}

// Page returns the page record of an entry.
func (db *DB) Page(id frontier.ID) (p Page, found bool, err error) {
	err = db.view(func(tx *bolt.Tx) error {
		v := db.get(tx, tablePage, appendID(nil, id))
		if v == nil {
			return nil
		}
		found = true
		if p, err = decodePage(id, v); err != nil {
			return fmt.Errorf("%w: page %v: %w", ErrDamaged, id, err)
		}
		return nil
	})
	return p, found, err
}

// Pages calls fn with every page record and its entry, by host in the order of
// discovery, within a host by class and sequence number.
func (db *DB) Pages(fn func(frontier.Entry, Page) error) error {
	return db.scan(tablePage, nil, func(k, v []byte) error {
		id, ok := parseID(k)
		if !ok {
			return fmt.Errorf("%w: page key %x", ErrDamaged, k)
		}
		p, err := decodePage(id, v)
		if err != nil {
			return fmt.Errorf("%w: page %v: %w", ErrDamaged, id, err)
		}
		e, ok, err := db.Entry(id)
		if err == nil && !ok {
			err = fmt.Errorf("%w: page %v has no entry", ErrDamaged, id)
		}
		if err != nil {
			return err
		}
		return fn(e, p)
	})
}

// HostEntries calls fn with every entry of one host, refused ones included.
func (db *DB) HostEntries(h frontier.Host, fn func(frontier.Entry) error) error {
	return db.entries(appendHostKey(nil, h.ID), h.Name, fn)
}

// entries calls fn with the entries of one host whose keys start with prefix.
func (db *DB) entries(prefix []byte, host string, fn func(frontier.Entry) error) error {
	return db.scan(tableURL, prefix, func(k, v []byte) error {
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

// Refused calls fn with every link that was recorded but not queued.
func (db *DB) Refused(fn func(frontier.Entry) error) error {
	return db.Hosts(func(h frontier.Host) error {
		prefix := append(appendHostKey(nil, h.ID), byte(frontier.ClassRefused))
		return db.entries(prefix, h.Name, fn)
	})
}

// Robots returns what is kept of an origin's robots.txt.
func (db *DB) Robots(origin string) (r Robots, found bool, err error) {
	err = db.view(func(tx *bolt.Tx) error {
		v := db.get(tx, tableRobots, []byte(origin))
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
