package storage

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"path/filepath"
	"reflect"
	"testing"

	bolt "go.etcd.io/bbolt"
)

// toFormat1 gives a file the layout of format 1: seven of eight stretches sealed,
// and what would be sealed last in its bucket, beside an older sealed one.
func toFormat1(t *testing.T, path string) {
	t.Helper()
	changeBolt(t, path, func(tx *bolt.Tx) error {
		sealed, err := tx.CreateBucket(bucketSealed)
		if err != nil {
			return err
		}
		for _, tb := range []table{tableURL, tablePage} {
			plain, err := tx.CreateBucket(tableBuckets[tb])
			if err != nil {
				return err
			}
			if err := spread(tx, tb, plain, sealed); err != nil {
				return err
			}
		}
		return errors.Join(tx.DeleteBucket(bucketRun), tx.DeleteBucket(bucketBlock),
			tx.Bucket(tableBuckets[tableMeta]).Put([]byte(metaFormat), binary.BigEndian.AppendUint32(nil, 1)))
	})
}

func spread(tx *bolt.Tx, t table, plain, sealed *bolt.Bucket) error {
	c, err := cursor(tx, t, nil)
	if err != nil {
		return err
	}
	var first, at idKey
	var values encoder
	n, blocks := 0, 0
	end := func() error {
		if n == 0 {
			return nil
		}
		packed := zstdBlocks.enc.EncodeAll(values.b, make([]byte, crcSize))
		binary.BigEndian.PutUint32(packed, crc32.Checksum(packed[crcSize:], castagnoli))
		n, values.b = 0, nil
		blocks++
		return sealed.Put(append([]byte{byte(t)}, first.append(nil)...), packed)
	}
	for {
		k, v, err := c.next()
		if err != nil || k == nil {
			return errors.Join(err, end())
		}
		id, _ := t.idKey(k)
		if n == 100 || id != at {
			if err := end(); err != nil {
				return err
			}
			first = id
		}
		at = id
		at.seq++
		if blocks%8 == 7 {
			err = plain.Put(bytes.Clone(k), bytes.Clone(v))
			first = at
		} else if n++; n%50 == 0 { // it was fetched again since it was sealed
			err = plain.Put(bytes.Clone(k), bytes.Clone(v))
			values.bytes(v[:1])
		} else {
			values.bytes(v)
		}
		if err != nil {
			return err
		}
		if blocks%8 == 7 && id.seq%100 == 99 {
			blocks++
		}
	}
}

func TestFormat1IsMigrated(t *testing.T) {
	path := filepath.Join(t.TempDir(), "crawl.db")
	lengths := []uint32{0, 1, 7, 900, 100, 1, 5000, 3}
	queues(t, path, make([]uint32, len(lengths)), lengths)
	want := everything(t, path)
	for _, tc := range []struct {
		name   string
		before func()
	}{
		{"at once", func() {}},
		{"after one that was broken off", func() {
			b, err := bolt.Open(path, 0o600, nil)
			if err != nil {
				t.Fatal(err)
			}
			err = b.Update(prepareMigration)
			if err == nil {
				_, err = migrateTable(b, tableURL)
			}
			if err := errors.Join(err, b.Close()); err != nil {
				t.Fatal(err)
			}
		}},
		{"by a reader", func() {
			db, err := Open(path, Options{ReadOnly: true})
			if err != nil {
				t.Fatal(err)
			}
			db.Close()
		}},
	} {
		toFormat1(t, path)
		tc.before()
		for what, got := range everything(t, path) {
			if !reflect.DeepEqual(got, want[what]) {
				t.Errorf("%s: %s differ after the migration", tc.name, what)
			}
		}
		checkBolt(t, path)
	}
}

// Two commands can find the old layout at once: the one that gets the lock second
// must not take away what the first has made.
func TestMigrationByTwoAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "crawl.db")
	queues(t, path, []uint32{0, 0}, []uint32{300, 5})
	want := everything(t, path)
	toFormat1(t, path)
	for range 2 {
		if err := migrate(path); err != nil {
			t.Fatalf("migrate = %v", err)
		}
	}
	for what, got := range everything(t, path) {
		if !reflect.DeepEqual(got, want[what]) {
			t.Errorf("%s differ after the migration", what)
		}
	}
}

func TestSealedBlockOfNoKeyIsDamaged(t *testing.T) {
	var values encoder
	values.string("value")
	sealed := zstdBlocks.enc.EncodeAll(values.b, make([]byte, crcSize))
	binary.BigEndian.PutUint32(sealed, crc32.Checksum(sealed[crcSize:], castagnoli))
	key := append([]byte{byte(tableURL)}, idKey{host: 1, class: 4}.append(nil)...)
	if _, err := openSealed(key, sealed); err != nil {
		t.Fatalf("openSealed of a whole block = %v", err)
	}
	key[5] = hostClass
	if b, err := openSealed(key, sealed); !errors.Is(err, ErrDamaged) {
		t.Errorf("openSealed(%x) = %+v, %v; want ErrDamaged", key, b, err)
	}
}
