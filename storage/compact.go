package storage

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	bolt "go.etcd.io/bbolt"
)

// copyBytes is how much one transaction of a copy holds.
const copyBytes = 16 << 20

// Backup writes the file to w, as it is after everything that was appended
// before. It works beside a crawl, which goes on; the space that the crawl
// frees meanwhile is used again only afterwards.
func (db *DB) Backup(w io.Writer) (n int64, err error) {
	if !db.readOnly {
		if err := db.Sync(); err != nil {
			return 0, fmt.Errorf("storage: back up %s: %w", db.path, err)
		}
	}
	to := &recordingWriter{w: w}
	err = db.view(func(tx *bolt.Tx) error {
		n, err = tx.WriteTo(to)
		return err
	})
	if to.err != nil {
		err = to.err // bbolt only quotes it
	}
	if err != nil {
		err = fmt.Errorf("storage: back up %s: %w", db.path, err)
	}
	return n, err
}

// A recordingWriter remembers the error of its writer.
type recordingWriter struct {
	w   io.Writer
	err error
}

func (r *recordingWriter) Write(p []byte) (n int, err error) {
	n, r.err = r.w.Write(p)
	return n, r.err
}

// Compact replaces the file at path by a copy without free space, and returns
// the sizes of both. The copy is compared with the original, record by record,
// before it takes its place; until then the original is untouched.
func Compact(path string) (before, after int64, err error) {
	// To open it for writing and close it leaves nothing in the log.
	db, err := Open(path, Options{})
	if err != nil {
		return 0, 0, err
	}
	if err := db.Close(); err != nil {
		return 0, 0, err
	}
	// It stays open until the copy has its name, so that nobody writes to it.
	db, err = Open(path, Options{ReadOnly: true})
	if err != nil {
		return 0, 0, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	tmp, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return 0, 0, err
	}
	tmp.Close()
	defer os.Remove(tmp.Name())
	if err := db.copyTo(tmp.Name()); err != nil {
		return 0, 0, fmt.Errorf("storage: compact %s: %w", path, err)
	}
	if before, after, err = sizes(path, tmp.Name()); err != nil {
		return 0, 0, err
	}
	if err := os.Rename(tmp.Name(), path); err != nil {
		return 0, 0, err
	}
	return before, after, syncFolder(filepath.Dir(path))
}

// copyTo makes a durable copy and compares it.
func (db *DB) copyTo(path string) (err error) {
	info, err := os.Stat(db.path)
	if err != nil {
		return err
	}
	to, err := bolt.Open(path, info.Mode().Perm(), &bolt.Options{Timeout: lockTimeout, FreelistType: bolt.FreelistMapType, NoSync: true})
	if err != nil {
		return err
	}
	to.AllocSize = copyBytes
	defer func() { err = errors.Join(err, to.Close()) }()
	if err := os.Chmod(path, info.Mode().Perm()); err != nil {
		return err
	}
	err = contained(func() error { return db.pack(to) })
	if err != nil {
		return err
	}
	if err := to.Sync(); err != nil {
		return err
	}
	return db.view(func(tx *bolt.Tx) error {
		return to.View(func(copied *bolt.Tx) error { return compareBuckets(tx, copied) })
	})
}

// pack copies everything, and seals what can be.
func (db *DB) pack(to *bolt.DB) error {
	return db.bolt.View(func(from *bolt.Tx) error {
		c := &copying{to: to}
		for _, name := range allBuckets() {
			if err := c.begin(name); err != nil {
				return err
			}
			if bytes.Equal(name, bucketSealed) {
				continue // sealed again with what was added
			}
			if err := c.bucket(from, name); err != nil {
				return errors.Join(err, c.rollback())
			}
		}
		return c.commit()
	})
}

// A copying is a copy under way.
type copying struct {
	to     *bolt.DB
	tx     *bolt.Tx // under way; nil if none
	b      *bolt.Bucket
	name   []byte
	size   int64 // of what tx holds
	blocks []record
}

// begin goes on with a bucket, which is made if need be.
func (c *copying) begin(name []byte) (err error) {
	if c.tx == nil {
		if c.tx, err = c.to.Begin(true); err != nil {
			return err
		}
	}
	c.name = name
	c.b, err = c.tx.CreateBucketIfNotExists(name)
	if err == nil {
		c.b.FillPercent = 1 // keys only rise
	}
	return err
}

func (c *copying) commit() error {
	tx := c.tx
	c.tx, c.size = nil, 0
	return tx.Commit()
}

func (c *copying) rollback() error {
	if c.tx == nil {
		return nil
	}
	return c.tx.Rollback()
}

func (c *copying) put(k, v []byte) error {
	if c.size += int64(len(k) + len(v)); c.size > copyBytes {
		if err := c.commit(); err != nil {
			return err
		}
		if err := c.begin(c.name); err != nil {
			return err
		}
	}
	return c.b.Put(k, v)
}

// bucket copies a bucket. The blocks of a sealable one come after it.
func (c *copying) bucket(from *bolt.Tx, name []byte) error {
	t, ok := sealableBucket(name)
	if !ok {
		return from.Bucket(name).ForEach(c.put)
	}
	s := &sealer{t: t, keep: c.put}
	s.seal = func(k, v []byte) { c.blocks = append(c.blocks, record{k, v}) }
	cur, err := cursor(from, t, nil)
	if err != nil {
		return err
	}
	for {
		k, v, err := cur.next()
		if err != nil {
			return err
		}
		if k == nil {
			break
		}
		if err := s.add(k, v); err != nil {
			return err
		}
		if err := c.putBlocks(name, 64); err != nil {
			return err
		}
	}
	if err := s.flush(); err != nil {
		return err
	}
	return c.putBlocks(name, 0)
}

// putBlocks writes the blocks if there are more than some, and goes on with the
// bucket that was being copied.
func (c *copying) putBlocks(name []byte, more int) error {
	if len(c.blocks) <= more {
		return nil
	}
	if err := c.begin(bucketSealed); err != nil {
		return err
	}
	for _, b := range c.blocks {
		if err := c.put(b.key, b.value); err != nil {
			return err
		}
	}
	c.blocks = c.blocks[:0]
	return c.begin(name)
}

func sealableBucket(name []byte) (t table, ok bool) {
	for t := range numTables {
		if bytes.Equal(name, tableBuckets[t]) {
			return t, t.sealable()
		}
	}
	return 0, false
}

// A sealer packs consecutive records of a table.
type sealer struct {
	t     table
	seal  func(k, v []byte)
	keep  func(k, v []byte) error // takes what is too little for a block
	first []byte                  // key of the first of values
	last  idKey
	run   [][]byte
	size  int
}

// add takes the next record.
func (s *sealer) add(k, v []byte) error {
	id, ok := s.t.idKey(k)
	if !ok {
		return fmt.Errorf("%w: key %x", ErrDamaged, k)
	}
	follows := len(s.run) > 0 && id.host == s.last.host && id.class == s.last.class && id.seq == s.last.seq+1
	if !follows || len(s.run) == sealMost || s.size+len(v) > sealBytes {
		if err := s.flush(); err != nil {
			return err
		}
		s.first = append([]byte{}, k...)
	}
	s.last, s.size = id, s.size+len(v)
	s.run = append(s.run, v)
	return nil
}

// flush ends a block.
func (s *sealer) flush() error {
	defer func() { s.run, s.size = s.run[:0], 0 }()
	if len(s.run) >= sealLeast {
		s.seal(sealedKey(s.t, s.first), seal(s.run))
		return nil
	}
	id, _ := s.t.idKey(append([]byte{}, s.first...))
	for _, v := range s.run {
		if err := s.keep(id.append(nil), v); err != nil {
			return err
		}
		id.seq++
	}
	return nil
}

// compareBuckets returns nil if two files hold the same.
func compareBuckets(a, b *bolt.Tx) error {
	for fault := range b.Check() {
		return fmt.Errorf("the copy is not whole: %w", fault)
	}
	for _, name := range allBuckets() {
		if b.Bucket(name) == nil {
			return fmt.Errorf("the copy has no bucket %s", name)
		}
	}
	for _, name := range [][]byte{bucketLog, bucketHash} {
		x, y := a.Bucket(name).Cursor(), b.Bucket(name).Cursor()
		xk, xv := x.First()
		yk, yv := y.First()
		err := compareAll(name, func() (k, v []byte, err error) {
			k, v = xk, xv
			if k != nil {
				xk, xv = x.Next()
			}
			return k, v, nil
		}, func() (k, v []byte, err error) {
			k, v = yk, yv
			if k != nil {
				yk, yv = y.Next()
			}
			return k, v, nil
		})
		if err != nil {
			return err
		}
	}
	for t := range numTables {
		x, err := cursor(a, t, nil)
		if err != nil {
			return err
		}
		y, err := cursor(b, t, nil)
		if err != nil {
			return err
		}
		if err := compareAll(tableBuckets[t], x.next, y.next); err != nil {
			return err
		}
	}
	return nil
}

// compareAll returns nil if two sequences of records, which end with a nil key,
// are the same.
func compareAll(name []byte, a, b func() (k, v []byte, err error)) error {
	for {
		k, v, err := a()
		if err != nil {
			return err
		}
		l, w, err := b()
		if err != nil {
			return err
		}
		if !bytes.Equal(k, l) || !bytes.Equal(v, w) {
			return fmt.Errorf("the copy differs in %s at %x", name, k)
		}
		if k == nil {
			return nil
		}
	}
}

func sizes(a, b string) (sizeA, sizeB int64, err error) {
	infoA, err := os.Stat(a)
	if err != nil {
		return 0, 0, err
	}
	infoB, err := os.Stat(b)
	if err != nil {
		return 0, 0, err
	}
	return infoA.Size(), infoB.Size(), nil
}
