package storage

import (
	"bytes"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"sync"
	"time"

	bolt "go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

// Errors that a caller can test for: of Open, and ErrClosed of what comes after
// Close.
var (
	ErrNotFound = errors.New("there is no crawl file")
	ErrInUse    = errors.New("another process is using the crawl file")
	ErrForeign  = errors.New("not a crawl file")
	ErrDamaged  = errors.New("the crawl file is damaged")
	ErrNewer    = errors.New("the crawl file was written by a newer version of hashcrawl")
	ErrClosed   = errors.New("the crawl file is closed")
)

// Options say how a crawl file is opened.
type Options struct {
	// Create makes a new crawl file if there is none, or an empty one.
	Create bool
	// ReadOnly opens the file for reads alone, beside other readers.
	ReadOnly bool
	// Norm is written to a new file as the ID of the normaliser whose keys the
	// crawl uses.
	Norm string
}

const (
	lockTimeout  = 500 * time.Millisecond
	commitWindow = 100 * time.Millisecond
	groupBytes   = 4 << 20  // a group this large is written at once
	groupLimit   = 32 << 20 // Append waits while more than this is not durable
)

// A DB is an open crawl file. Its methods may be called by many goroutines.
type DB struct {
	path     string
	bolt     *bolt.DB
	transact transaction
	readOnly bool
	created  bool
	secret   [2]uint64
	norm     string

	turn sync.Mutex // held while a transaction is written; long scans wait for it

	encoders sync.Pool // of *commitEncoder

	mu      sync.RWMutex // guards what follows
	ready   *sync.Cond   // on mu: the state of the group or of the writer changed
	group   []*logRecord // appended, not yet durable
	pending int          // bytes in group and in the transaction under way
	written uint64       // groups that became durable or failed
	current uint64       // number of the group that Append fills
	mem     *memtable    // takes what is appended
	frozen  *memtable    // on its way to the buckets; nil if none
	limits  limits       // when mem is full
	err     error        // of the writer; nothing is written after it
	closed  bool

	kick   chan struct{} // tells the writer that there is something to do now
	quit   chan struct{} // closed by Close
	done   chan struct{} // closed when the writer has ended; nil if there is none
	failed chan struct{} // closed when err is set

	writing // owned by the writer
}

// A transaction runs fn in a read-write transaction of bbolt, and returns when
// that is durable. Tests put one in its place that fails.
type transaction func(b *bolt.DB, fn func(*bolt.Tx) error) error

// Open opens the crawl file at path. The errors are those above, wrapped, or
// what the file system says; a file that is refused is left as it was.
func Open(path string, opts Options) (*DB, error) {
	db, err := open(path, opts, (*bolt.DB).Update)
	if err != nil {
		return nil, fmt.Errorf("storage: %s: %w", path, err)
	}
	return db, nil
}

func open(path string, opts Options, transact transaction) (*DB, error) {
	create := opts.Create && !opts.ReadOnly
	fresh, err := preflight(path)
	if err != nil {
		return nil, err
	}
	if fresh && !create {
		if _, err := os.Stat(path); err == nil {
			return nil, fmt.Errorf("the file is empty: %w", ErrForeign)
		}
		return nil, ErrNotFound
	}
	b, err := openBolt(path, opts.ReadOnly)
	if errors.Is(err, errReplaced) {
		return open(path, opts, transact)
	}
	if err != nil {
		return nil, err
	}
	db := &DB{
		path: path, bolt: b, transact: transact, readOnly: opts.ReadOnly, mem: newMemtable(nil),
		kick: make(chan struct{}, 1), quit: make(chan struct{}), failed: make(chan struct{}),
	}
	db.ready, db.limits = sync.NewCond(&db.mu), limitsFor(0)
	db.encoders.New = func() any { return &commitEncoder{} }
	if create {
		err = db.initialise(opts.Norm)
	}
	if err == nil {
		err = db.load()
	}
	if errors.Is(err, errOlder) {
		b.Close()
		if err := migrate(path); err != nil {
			return nil, err
		}
		return open(path, opts, transact)
	}
	if err != nil {
		b.Close()
		return nil, err
	}
	if !opts.ReadOnly {
		db.done = make(chan struct{})
		go db.write()
	}
	return db, nil
}

// openBolt opens the bbolt file, and turns the panics with which bbolt answers
// some damage into errors.
func openBolt(path string, readOnly bool) (b *bolt.DB, err error) {
	var file *os.File
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer containDamage(func(damage error) {
		file.Close() // releases the lock
		b, err = nil, damage
	})
	b, err = bolt.Open(path, 0o644, &bolt.Options{
		Timeout: lockTimeout, ReadOnly: readOnly,
		FreelistType: bolt.FreelistMapType, InitialMmapSize: initialMmapSize,
		OpenFile: func(name string, flag int, perm os.FileMode) (f *os.File, err error) {
			file, err = os.OpenFile(name, flag, perm)
			return file, err
		},
	})
	switch {
	case errors.Is(err, bolterrors.ErrTimeout):
		return nil, ErrInUse
	case errors.Is(err, bolterrors.ErrInvalid), errors.Is(err, bolterrors.ErrVersionMismatch), errors.Is(err, bolterrors.ErrChecksum):
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	case err != nil:
		return nil, err
	}
	if !stillAt(path, file) {
		return nil, errors.Join(errReplaced, b.Close())
	}
	if !readOnly {
		b.AllocSize = 1 << 20
	}
	return b, nil
}

// errReplaced says that another file has taken the place of the one that was
// opened, while its lock was waited for: Compact does so. What is written to it
// would be lost.
var errReplaced = errors.New("the crawl file was replaced")

// stillAt reports whether path leads to the open file.
func stillAt(path string, file *os.File) bool {
	opened, err := file.Stat()
	if err != nil {
		return false
	}
	there, err := os.Stat(path)
	return err == nil && os.SameFile(opened, there)
}

// containDamage is deferred around what bbolt does with a file: its panics, and
// reads beyond the end of the file, go to found as errors instead.
func containDamage(found func(error)) {
	if p := recover(); p != nil {
		found(fmt.Errorf("%w: %v", ErrDamaged, p))
	}
}

// initialise writes what every crawl file has, if there is nothing in the file:
// it is new, or somebody ended while making it.
func (db *DB) initialise(norm string) error {
	blank := false
	err := db.view(func(tx *bolt.Tx) error {
		first, _ := tx.Cursor().First()
		blank = first == nil
		return nil
	})
	if err != nil || !blank {
		return err
	}
	err = db.update(func(tx *bolt.Tx) error {
		for _, name := range allBuckets() {
			if _, err := tx.CreateBucketIfNotExists(name); err != nil {
				return err
			}
		}
		secret := make([]byte, 16)
		rand.Read(secret)
		meta := tx.Bucket(tableBuckets[tableMeta])
		for _, kv := range []struct {
			name  string
			value []byte
		}{
			{metaFormat, binary.BigEndian.AppendUint32(nil, Format)},
			{metaSecret, secret},
			{metaCreated, binary.BigEndian.AppendUint64(nil, uint64(time.Now().UnixMilli()))},
			{metaNorm, []byte(norm)},
		} {
			if err := meta.Put([]byte(kv.name), kv.value); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	db.created = true
	return syncFolder(filepath.Dir(db.path))
}

// syncFolder makes the name of a new file durable, where the file system can.
func syncFolder(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	_ = f.Sync() // some cannot, and then nobody can do more
	return f.Close()
}

func allBuckets() [][]byte {
	names := [][]byte{bucketLog, bucketHash, bucketRun, bucketBlock}
	for t := range numTables {
		if !t.packed() {
			names = append(names, tableBuckets[t])
		}
	}
	return names
}

// errOlder says that the file has the layout of an earlier format.
var errOlder = errors.New("the crawl file has an older layout")

// load checks that the file is a crawl file that this program can go on with,
// and reads the log.
func (db *DB) load() error {
	return db.view(func(tx *bolt.Tx) error {
		meta := tx.Bucket(tableBuckets[tableMeta])
		if meta == nil || len(meta.Get([]byte(metaFormat))) != 4 {
			return ErrForeign
		}
		switch format := binary.BigEndian.Uint32(meta.Get([]byte(metaFormat))); {
		case format > Format:
			return fmt.Errorf("%w (format %d, this one knows %d)", ErrNewer, format, Format)
		case format == 0:
			return fmt.Errorf("%w: format 0", ErrDamaged)
		case format < Format:
			return errOlder
		}
		for _, name := range allBuckets() {
			if tx.Bucket(name) == nil {
				return fmt.Errorf("%w: bucket %s is missing", ErrDamaged, name)
			}
		}
		secret := meta.Get([]byte(metaSecret))
		if len(secret) != 16 {
			return fmt.Errorf("%w: the key of the hashes is missing", ErrDamaged)
		}
		db.norm, db.limits = string(meta.Get([]byte(metaNorm))), limitsFor(tx.Size())
		db.secret = [2]uint64{binary.BigEndian.Uint64(secret), binary.BigEndian.Uint64(secret[8:])}
		if err := db.resume(tx); err != nil {
			return err
		}
		return db.readLog(tx)
	})
}

// readLog fills the memtable with what the log holds, and finds the number to
// go on with. No number is used again after the log was emptied, because the
// hashes stand under them.
func (db *DB) readLog(tx *bolt.Tx) error {
	if k, _ := tx.Bucket(bucketHash).Cursor().Last(); k != nil {
		if len(k) != hashKeySize {
			return fmt.Errorf("%w: hash key %x", ErrDamaged, k)
		}
		db.next = binary.BigEndian.Uint64(k) + 1
	}
	c := tx.Bucket(bucketLog).Cursor()
	for k, v := c.First(); k != nil; k, v = c.Next() {
		if len(k) != 8 {
			return fmt.Errorf("%w: log key %x", ErrDamaged, k)
		}
		number := binary.BigEndian.Uint64(k)
		record := bytes.Clone(v)
		_, err := openLogRecord(record)
		if err == nil && len(record) > crcSize {
			err = db.mem.apply(record, crcSize)
		}
		if err != nil {
			return fmt.Errorf("%w: log record %d: %w", ErrDamaged, number, err)
		}
		db.mem.logs++
		db.mem.last, db.next = number, number+1
	}
	return nil
}

// Path returns where the file is.
func (db *DB) Path() string { return db.path }

// Created reports whether Open made the file.
func (db *DB) Created() bool { return db.created }

// Norm returns the ID of the normaliser whose keys the file was made with.
func (db *DB) Norm() string { return db.norm }

// Secret returns the key of the hashes in the seen set. It never changes.
func (db *DB) Secret() [2]uint64 { return db.secret }

// Failed is closed when a write failed. Nothing that was appended after the
// last durable group is in the file then; Err tells why.
func (db *DB) Failed() <-chan struct{} { return db.failed }

// Err returns the error of the first write that failed, or nil.
func (db *DB) Err() error {
	db.mu.RLock()
	defer db.mu.RUnlock()
	return db.err
}

// Close makes everything that was appended durable and closes the file. It
// returns the first error that a write met. What is appended after it is lost,
// and a second Close does nothing.
func (db *DB) Close() error {
	db.mu.Lock()
	if db.closed {
		db.mu.Unlock()
		return nil
	}
	db.closed = true
	db.ready.Broadcast()
	db.mu.Unlock()
	if db.done != nil {
		close(db.quit)
		<-db.done
	}
	err := db.Err()
	if cerr := db.bolt.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return fmt.Errorf("storage: close %s: %w", db.path, err)
	}
	return nil
}
