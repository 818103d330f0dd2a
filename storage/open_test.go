package storage

import (
	"bytes"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	bolt "go.etcd.io/bbolt"

	"github.com/hashcrawl/hashcrawl/frontier"
)

var update = flag.Bool("update", false, "write testdata/crawlfiles of the present format")

// small makes a closed crawl file with n numbered commits.
func small(t *testing.T, n uint32) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "crawl.db")
	db := create(t, path)
	for i := range n {
		db.Append(numbered(i))
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// writeBolt makes a bbolt file that fn has written.
func writeBolt(t *testing.T, fn func(*bolt.Tx) error) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "crawl.db")
	changeBolt(t, path, fn)
	return path
}

func changeBolt(t *testing.T, path string, fn func(*bolt.Tx) error) {
	t.Helper()
	b, err := bolt.Open(path, 0o600, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if err := b.Update(fn); err != nil {
		t.Fatal(err)
	}
}

func write(t *testing.T, content []byte) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "crawl.db")
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestOpenRefusesWhatIsNoCrawlFile(t *testing.T) {
	setFormat := func(n uint32) func(*bolt.Tx) error {
		return func(tx *bolt.Tx) error {
			return tx.Bucket(tableBuckets[tableMeta]).Put([]byte(metaFormat), binary.BigEndian.AppendUint32(nil, n))
		}
	}
	for _, tc := range []struct {
		name string
		make func(*testing.T) string
		want error
	}{
		{"absent", func(t *testing.T) string { return filepath.Join(t.TempDir(), "none.db") }, ErrNotFound},
		{"empty", func(t *testing.T) string { return write(t, nil) }, ErrForeign},
		{"a directory", func(t *testing.T) string { return t.TempDir() }, ErrForeign},
		{"text", func(t *testing.T) string { return write(t, bytes.Repeat([]byte("no crawl\n"), 5000)) }, ErrForeign},
		{"one byte", func(t *testing.T) string { return write(t, []byte{0}) }, ErrForeign},
		{"zeros", func(t *testing.T) string { return write(t, make([]byte, 1<<16)) }, ErrForeign},
		{
			"another program's bbolt file",
			func(t *testing.T) string {
				return writeBolt(t, func(tx *bolt.Tx) error { _, err := tx.CreateBucket([]byte("keys")); return err })
			},
			ErrForeign,
		},
		{
			"another program's meta bucket",
			func(t *testing.T) string {
				return writeBolt(t, func(tx *bolt.Tx) error { _, err := tx.CreateBucket([]byte("meta")); return err })
			},
			ErrForeign,
		},
		{
			"a newer format",
			func(t *testing.T) string { p := small(t, 3); changeBolt(t, p, setFormat(Format+1)); return p },
			ErrNewer,
		},
		{
			"no format",
			func(t *testing.T) string { p := small(t, 3); changeBolt(t, p, setFormat(0)); return p },
			ErrDamaged,
		},
		{
			"a bucket is missing",
			func(t *testing.T) string {
				p := small(t, 3)
				changeBolt(t, p, func(tx *bolt.Tx) error { return tx.DeleteBucket(tableBuckets[tableHost]) })
				return p
			},
			ErrDamaged,
		},
		{
			"the secret is missing",
			func(t *testing.T) string {
				p := small(t, 3)
				changeBolt(t, p, func(tx *bolt.Tx) error {
					return tx.Bucket(tableBuckets[tableMeta]).Delete([]byte(metaSecret))
				})
				return p
			},
			ErrDamaged,
		},
		{
			"a log key of another length",
			func(t *testing.T) string {
				p := small(t, 3)
				changeBolt(t, p, func(tx *bolt.Tx) error { return tx.Bucket(bucketLog).Put([]byte("k"), []byte("v")) })
				return p
			},
			ErrDamaged,
		},
		{
			"a log record without its checksum",
			func(t *testing.T) string {
				p := small(t, 3)
				changeBolt(t, p, func(tx *bolt.Tx) error {
					return tx.Bucket(bucketLog).Put(make([]byte, 8), []byte("\x00\x00\x00\x00\x00\x01k\x00"))
				})
				return p
			},
			ErrDamaged,
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			path := tc.make(t)
			before, _ := os.ReadFile(path)
			for _, opts := range []Options{{}, {ReadOnly: true}, {ReadOnly: true, Create: true}} {
				if db, err := Open(path, opts); !errors.Is(err, tc.want) || db != nil {
					t.Errorf("Open(%+v) = %v, %v; want %v", opts, db, err, tc.want)
				}
			}
			if after, _ := os.ReadFile(path); !bytes.Equal(before, after) {
				t.Error("Open changed a file that it refused")
			}
			if fresh := tc.name == "absent" || tc.name == "empty"; fresh {
				db := create(t, path)
				if !db.Created() || db.Norm() != "1 crawl" {
					t.Errorf("Created, Norm = %v, %q; want a new file", db.Created(), db.Norm())
				}
			} else if _, err := Open(path, Options{Create: true}); !errors.Is(err, tc.want) {
				t.Errorf("Open with Create = %v, want %v", err, tc.want)
			}
		})
	}
}

func TestDamagedCountsAreDamage(t *testing.T) {
	path := small(t, 3)
	changeBolt(t, path, func(tx *bolt.Tx) error {
		return tx.Bucket(tableBuckets[tableMeta]).Put([]byte(metaCounts), []byte{0xff})
	})
	db := reopen(t, path)
	defer db.Close()
	if c, err := db.Counts(); !errors.Is(err, ErrDamaged) {
		t.Errorf("Counts = %v, %v; want ErrDamaged", c, err)
	}
}

func TestOpenFinishesAFileThatWasBeingMade(t *testing.T) {
	path := writeBolt(t, func(*bolt.Tx) error { return nil })
	if _, err := Open(path, Options{}); !errors.Is(err, ErrForeign) {
		t.Errorf("Open without Create = %v, want ErrForeign", err)
	}
	if db := create(t, path); !db.Created() {
		t.Error("Created = false, want true")
	}
}

func TestOpenKeepsWhatTheFileIs(t *testing.T) {
	path := filepath.Join(t.TempDir(), "crawl.db")
	db := create(t, path)
	secret := db.Secret()
	made, err := db.CreatedAt()
	if err != nil || made.IsZero() || secret == [2]uint64{} {
		t.Errorf("CreatedAt, Secret = %v, %x, %v; want both", made, secret, err)
	}
	db.Append(Commit{Config: []byte("{}")})
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if db, err = Open(path, Options{Create: true, Norm: "2 strict"}); err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if at, err := db.CreatedAt(); err != nil || !at.Equal(made) || db.Secret() != secret || db.Norm() != "1 crawl" || db.Created() {
		t.Errorf("reopened: %v, %v, %q, created %v; want it as it was made", at, err, db.Norm(), db.Created())
	}
	if c, err := db.Config(); err != nil || string(c) != "{}" {
		t.Errorf("Config = %q, %v; want {}", c, err)
	}
	if other := create(t, filepath.Join(t.TempDir(), "crawl.db")); other.Secret() == secret {
		t.Error("two files have one secret")
	}
}

func TestOpenRefusesATruncatedFile(t *testing.T) {
	path := small(t, 500)
	whole := read(t, path)
	page := os.Getpagesize()
	used := usedBytes(whole, page)
	rnd := rand.New(rand.NewPCG(1, 2))
	var sizes []int
	for n := 0; n <= used; n += page {
		sizes = append(sizes, n)
	}
	for range 30 {
		sizes = append(sizes, rnd.IntN(used))
	}
	for _, n := range sizes {
		cut := write(t, whole[:n])
		db, err := Open(cut, Options{})
		switch {
		case n == used && err == nil:
			checkNumbered(t, db)
			db.Close()
		case n < used && (errors.Is(err, ErrDamaged) || errors.Is(err, ErrForeign) && n < page):
		default:
			t.Errorf("Open of %d bytes of %d = %v, want ErrDamaged", n, used, err)
		}
	}
}

// usedBytes returns how much of a file its newer meta page says is in use.
func usedBytes(file []byte, page int) int {
	high := uint64(0)
	for i := range 2 {
		high = max(high, binary.NativeEndian.Uint64(file[i*page+boltHeader+boltHighAt:]))
	}
	return int(high) * page
}

// The older meta page of a file that has grown fits a file that was cut, and
// bbolt takes the newer one.
func TestOpenLooksAtBothMetaPages(t *testing.T) {
	path := small(t, 3000)
	whole := read(t, path)
	page := os.Getpagesize()
	for newer := range 2 {
		file := bytes.Clone(whole[:usedBytes(whole, page)])
		// set makes a meta page say how many pages are in use, as of a transaction.
		set := func(n int, high, transaction uint64) {
			meta := file[n*page+boltHeader:]
			binary.NativeEndian.PutUint64(meta[boltHighAt:], high)
			binary.NativeEndian.PutUint64(meta[boltHighAt+8:], transaction)
			sum := fnv.New64a()
			sum.Write(meta[:boltChecksumAt])
			binary.NativeEndian.PutUint64(meta[boltChecksumAt:], sum.Sum64())
		}
		set(newer, uint64(len(file)/page), 1000)
		set(1-newer, 4, 999)
		cut := len(file) / page / 2 * page
		if err := checkMetaPages(bytes.NewReader(file[:cut])); !errors.Is(err, ErrDamaged) {
			t.Errorf("meta page %d is the newer: a cut file gives %v, want ErrDamaged", newer, err)
		}
	}
}

// A disk that cannot be read says nothing about what the file is.
func TestUnreadableFileIsNotForeign(t *testing.T) {
	if err := checkMetaPages(badDisk{}); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("checkMetaPages = %v; want the error of the reads", err)
	}
}

type badDisk struct{}

func (badDisk) ReadAt([]byte, int64) (int, error) { return 0, fs.ErrPermission }

// A crawl makes its file longer while another command looks at it.
func TestFileThatGrowsIsNotCutShort(t *testing.T) {
	path := small(t, 3)
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	db := reopen(t, path)
	db.Append(Commit{Robots: &Robots{Origin: "http://a.test", Body: make([]byte, 2*info.Size())}})
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if err := checkMetaPages(f); err != nil {
		t.Errorf("checkMetaPages of a file that has grown since it was opened = %v", err)
	}
}

func TestOpenSurvivesADamagedMetaPage(t *testing.T) {
	path := small(t, 50)
	whole := read(t, path)
	page := os.Getpagesize()
	for at := range boltMetaSize {
		for _, pages := range [][]int{{0}, {1}, {0, 1}} {
			file := bytes.Clone(whole)
			for _, p := range pages {
				file[p*page+boltHeader+at] ^= 0x40
			}
			db, err := Open(write(t, file), Options{})
			switch {
			case len(pages) == 2 && (errors.Is(err, ErrDamaged) || errors.Is(err, ErrForeign) && at < 4):
			case len(pages) == 1 && err == nil: // the other one is one transaction older, or newer
				if n := lastNumbered(t, db); n > 50 {
					t.Errorf("byte %d of meta page %v: %d commits are there", at, pages, n)
				}
				db.Close()
			default:
				t.Errorf("byte %d of meta pages %v flipped: Open = %v", at, pages, err)
			}
		}
	}
}

func lastNumbered(t *testing.T, db *DB) uint32 {
	t.Helper()
	h, _, err := db.Host(1)
	if err != nil {
		t.Fatal(err)
	}
	return h.Tail[frontier.ClassLink]
}

// Damage inside the file is an error of whoever meets it, never a panic or a
// wait without end.
func TestDamageIsContained(t *testing.T) {
	whole := read(t, small(t, 3000))
	page := os.Getpagesize()
	used := usedBytes(whole, page)
	rnd := rand.New(rand.NewPCG(1, 2))
	met := 0
	for i := range 60 {
		file := bytes.Clone(whole[:used])
		for range 1 + rnd.IntN(40) {
			at := 2*page + rnd.IntN(used-2*page)
			if i%2 == 0 { // where a page says what it is
				at = (2+rnd.IntN(used/page-2))*page + rnd.IntN(64)
			}
			file[at] = byte(rnd.Uint32())
		}
		if err := useAll(write(t, file)); err != nil {
			met++
		}
	}
	if met == 0 {
		t.Error("no damage was met: the test tests nothing")
	}
}

// useAll opens a file, reads and writes everything, and closes it.
func useAll(path string) error {
	db, err := Open(path, Options{})
	if err != nil {
		return err
	}
	var errs []error
	keep := func(err error) { errs = append(errs, err) }
	keep(db.Hosts(func(frontier.Host) error { return nil }))
	keep(db.Retries(func(frontier.Retry) error { return nil }))
	keep(db.Hashes(func([]uint64) error { return nil }))
	keep(db.Pages(func(frontier.Entry, Page) error { return nil }))
	keep(db.Refused(func(frontier.Entry) error { return nil }))
	_, err = db.Entries(1, frontier.ClassLink, 0, 5000)
	keep(err)
	for n := range uint32(4000) {
		db.Append(numbered(n))
	}
	keep(db.Sync())
	keep(db.Close())
	return errors.Join(errs...)
}

func TestOneProcessAtATime(t *testing.T) {
	path := small(t, 3)
	p := start(t, "hold", path)
	if line := p.line(); line != "open" {
		t.Fatalf("the process says %q", line)
	}
	for _, opts := range []Options{{}, {ReadOnly: true}, {Create: true}} {
		if _, err := Open(path, opts); !errors.Is(err, ErrInUse) {
			t.Errorf("Open(%+v) beside another process = %v, want ErrInUse", opts, err)
		}
	}
	p.in.Close()
	if err := p.Wait(); err != nil {
		t.Fatal(err)
	}
	reopen(t, path)
}

func TestReadersBesideEachOther(t *testing.T) {
	path := small(t, 1200)
	var open []*DB
	for range 3 {
		db, err := Open(path, Options{ReadOnly: true})
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		open = append(open, db)
		if n := checkNumbered(t, db); n != 1200 {
			t.Errorf("%d commits are there, want 1200", n)
		}
		if err := db.Sync(); err != nil {
			t.Errorf("Sync without a write = %v", err)
		}
	}
	if _, err := Open(path, Options{}); !errors.Is(err, ErrInUse) {
		t.Errorf("Open beside readers = %v, want ErrInUse", err)
	}
	defer func() {
		if recover() == nil {
			t.Error("Append to a file that is open for reads alone did not panic")
		}
	}()
	open[0].Append(numbered(1200))
}

// What a process left in the log is seen by readers too.
func TestReaderSeesTheLog(t *testing.T) {
	path := filepath.Join(t.TempDir(), "crawl.db")
	db, err := open(path, Options{Create: true}, failing(4, false))
	if err != nil {
		t.Fatal(err)
	}
	for n := range uint32(2) {
		db.Append(numbered(n))
		if err := db.Sync(); err != nil {
			t.Fatal(err)
		}
	}
	db.Close() // fails, and leaves the log
	reader, err := Open(path, Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	if n := checkNumbered(t, reader); n != 2 {
		t.Errorf("%d commits are there, want 2", n)
	}
}

// A crawl file of every format that there was opens for ever.
func TestCrawlFilesOfEveryFormatOpen(t *testing.T) {
	dir := filepath.Join("..", "testdata", "crawlfiles")
	if *update {
		compact(t, small(t, 20), filepath.Join(dir, fmt.Sprintf("format-%d.db", Format)))
	}
	for format := 1; format <= Format; format++ {
		path := write(t, read(t, filepath.Join(dir, fmt.Sprintf("format-%d.db", format))))
		for _, opts := range []Options{{ReadOnly: true}, {}} {
			db, err := Open(path, opts)
			if err != nil {
				t.Fatalf("format %d: %v", format, err)
			}
			if n := checkNumbered(t, db); n != 20 {
				t.Errorf("format %d: %d commits are there, want 20", format, n)
			}
			if err := db.Close(); err != nil {
				t.Errorf("format %d: %v", format, err)
			}
		}
	}
}

// compact copies a bbolt file to a small one.
func compact(t *testing.T, from, to string) {
	t.Helper()
	src, err := bolt.Open(from, 0o600, &bolt.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(to); err != nil {
		t.Fatal(err)
	}
	dst, err := bolt.Open(to, 0o644, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer dst.Close()
	if err := bolt.Compact(dst, src, 0); err != nil {
		t.Fatal(err)
	}
}
