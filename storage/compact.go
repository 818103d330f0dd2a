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

// pack copies everything. Each packed table becomes one run, which is compressed.
func (db *DB) pack(to *bolt.DB) error {
	return db.bolt.View(func(from *bolt.Tx) error {
		c := &copying{to: to}
		err := c.all(from)
		if err != nil {
			return errors.Join(err, c.rollback())
		}
		return c.commit()
	})
}

// A copying is a copy under way.
type copying struct {
	to   *bolt.DB
	tx   *bolt.Tx // under way; nil if none
	b    *bolt.Bucket
	name []byte
	size int64 // of what tx holds
}

func (c *copying) all(from *bolt.Tx) error {
	for _, name := range allBuckets() {
		if err := c.begin(name); err != nil {
			return err
		}
		if bytes.Equal(name, bucketRun) || bytes.Equal(name, bucketBlock) {
			continue
		}
		if err := from.Bucket(name).ForEach(c.put); err != nil {
			return err
		}
	}
	for t := range numTables {
		if !t.packed() {
			continue
		}
		r, err := c.merge(from, t)
		if err == nil {
			err = putAsOnly(c.tx, t, r)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// merge writes all records of a table as one run.
func (c *copying) merge(from *bolt.Tx, t table) (run, error) {
	if err := c.begin(bucketBlock); err != nil {
		return run{}, err
	}
	runs, err := runsOf(from, t)
	if err != nil {
		return run{}, err
	}
	w := newRunWriter(t, run{number: 1}, packedZstd)
	cur, err := openRuns(from, t, runs, idKey{})
	for err == nil {
		k, v, ok, nerr := cur.next()
		if nerr != nil {
			return run{}, nerr
		}
		if !ok {
			return w.run, w.flush(c.put)
		}
		err = w.add(c.put, k, v)
	}
	return run{}, err
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
