package storage

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	bolt "go.etcd.io/bbolt"
)

// names returns what is in the directory of a file.
func names(t *testing.T, path string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestCompactKeepsEverything(t *testing.T) {
	path := filepath.Join(t.TempDir(), "crawl.db")
	db := create(t, path)
	const commits = 3000
	for n := range uint32(commits) {
		db.Append(numbered(n))
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	before, after, err := Compact(path)
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Size() != after || after >= before || info.Mode().Perm() != 0o644 {
		t.Errorf("Compact made %d of %d bytes, on the disk are %v, %v", after, before, info, err)
	}
	if n := checkNumbered(t, reopen(t, path)); n != commits {
		t.Errorf("%d commits are there, want %d", n, commits)
	}
	if got := names(t, path); len(got) != 1 {
		t.Errorf("left behind are %v", got)
	}
}

func TestCompactLeavesTheFileOfOthersAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "crawl.db")
	db := create(t, path)
	db.Append(numbered(0))
	if _, _, err := Compact(path); !errors.Is(err, ErrInUse) {
		t.Errorf("Compact of a file in use = %v, want ErrInUse", err)
	}
	if _, _, err := Compact(path + "x"); !errors.Is(err, ErrNotFound) {
		t.Errorf("Compact of no file = %v, want ErrNotFound", err)
	}
}

func TestCompactNoticesABadCopy(t *testing.T) {
	dir := t.TempDir()
	files := make([]*bolt.DB, 2)
	for i, value := range []string{"a", "b"} {
		b, err := bolt.Open(filepath.Join(dir, value), 0o600, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer b.Close()
		err = b.Update(func(tx *bolt.Tx) error {
			for _, name := range allBuckets() {
				if _, err := tx.CreateBucket(name); err != nil {
					return err
				}
			}
			return tx.Bucket(bucketLog).Put([]byte("k"), []byte(value))
		})
		if err != nil {
			t.Fatal(err)
		}
		files[i] = b
	}
	compare := func(a, b *bolt.DB) error {
		return a.View(func(x *bolt.Tx) error { return b.View(func(y *bolt.Tx) error { return compareBuckets(x, y) }) })
	}
	if err := compare(files[0], files[0]); err != nil {
		t.Errorf("a file differs from itself: %v", err)
	}
	if compare(files[0], files[1]) == nil || compare(files[1], files[0]) == nil {
		t.Error("two files with different values are taken as the same")
	}
}

// A process that waited for the lock of a file that was compacted meanwhile
// must not write to the old one.
func TestOpenNoticesThatTheFileWasReplaced(t *testing.T) {
	path := filepath.Join(t.TempDir(), "crawl.db")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if !stillAt(path, f) {
		t.Error("the file is taken as replaced")
	}
	if err := os.Rename(path, path+".old"); err != nil {
		t.Fatal(err)
	}
	if stillAt(path, f) {
		t.Error("the file is taken as still there after it was renamed")
	}
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if stillAt(path, f) {
		t.Error("another file is taken for the first")
	}
}

func TestBackupBesideAppends(t *testing.T) {
	dir := t.TempDir()
	db := create(t, filepath.Join(dir, "crawl.db"))
	for n := range uint32(500) {
		db.Append(numbered(n))
	}
	var copied bytes.Buffer
	n, err := db.Backup(&copied)
	if err != nil || n != int64(copied.Len()) {
		t.Fatalf("Backup = %d, %v; it wrote %d", n, err, copied.Len())
	}
	db.Append(numbered(500))
	path := filepath.Join(dir, "copy.db")
	if err := os.WriteFile(path, copied.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	if n := checkNumbered(t, reopen(t, path)); n != 500 {
		t.Errorf("the backup has %d commits, want 500", n)
	}
	full := errors.New("full")
	if _, err := db.Backup(failingWriter{full}); !errors.Is(err, full) {
		t.Errorf("Backup to a full disk = %v", err)
	}
}

type failingWriter struct{ err error }

func (w failingWriter) Write([]byte) (int, error) { return 0, w.err }
