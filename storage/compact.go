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
	err = contained(func() error { return bolt.Compact(to, db.bolt, copyBytes) })
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

// compareBuckets returns nil if two files hold the same.
func compareBuckets(a, b *bolt.Tx) error {
	for fault := range b.Check() {
		return fmt.Errorf("the copy is not whole: %w", fault)
	}
	for _, name := range allBuckets() {
		from, to := a.Bucket(name), b.Bucket(name)
		if to == nil {
			return fmt.Errorf("the copy has no bucket %s", name)
		}
		x, y := from.Cursor(), to.Cursor()
		k, v := x.First()
		l, w := y.First()
		for k != nil || l != nil {
			if !bytes.Equal(k, l) || !bytes.Equal(v, w) {
				return fmt.Errorf("the copy differs in bucket %s at %x", name, k)
			}
			k, v = x.Next()
			l, w = y.Next()
		}
	}
	return nil
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
