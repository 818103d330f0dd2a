package storage

import (
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"testing"

	bolt "go.etcd.io/bbolt"

	"github.com/hashcrawl/hashcrawl/frontier"
)

// everything returns what a file says, by all ways of reading it.
func everything(t *testing.T, path string) map[string]any {
	t.Helper()
	db := reopen(t, path)
	defer db.Close()
	var pages []Page
	var entries, ofHost []frontier.Entry
	var hosts []frontier.Host
	got := map[string]any{}
	err := errors.Join(
		db.Pages(func(e frontier.Entry, p Page) error {
			pages = append(pages, p)
			entries = append(entries, e)
			return nil
		}),
		db.Hosts(func(h frontier.Host) error {
			hosts = append(hosts, h)
			for c := range frontier.ClassRefused + 1 {
				for _, at := range [][2]int{{0, 2000}, {100, 300}, {255, 1}, {256, 1}, {257, 10}} {
					es, err := db.Entries(h.ID, c, uint32(at[0]), at[1])
					if err != nil {
						return err
					}
					got[fmt.Sprint("entries ", h.ID, c, at)] = es
				}
			}
			return db.HostEntries(h, func(e frontier.Entry) error { ofHost = append(ofHost, e); return nil })
		}),
		db.Refused(func(e frontier.Entry) error { entries = append(entries, e); return nil }),
	)
	if err != nil {
		t.Fatal(err)
	}
	got["pages"], got["entries"], got["of hosts"], got["hosts"] = pages, entries, ofHost, hosts
	return got
}

// queues makes a file whose queues have the given lengths, with a page record
// for every third entry; from says where they go on.
func queues(t *testing.T, path string, from []uint32, to []uint32) {
	t.Helper()
	db := reopenOrCreate(t, path)
	for i := range to {
		h := frontier.Host{ID: frontier.HostID(i + 1), Name: fmt.Sprintf("h%d.test", i)}
		h.Tail[frontier.ClassLink] = to[i]
		c := Commit{Changes: frontier.Changes{Hosts: []frontier.Host{h}}}
		for seq := from[i]; seq < to[i]; seq++ {
			id := frontier.ID{Host: h.ID, Class: frontier.ClassLink, Seq: seq}
			c.Entries = append(c.Entries, frontier.Entry{ID: id, URL: fmt.Sprintf("http://%s/path/%d", h.Name, seq)})
			if seq%1000 < 400 {
				db.Append(Commit{Page: &Page{ID: id, Title: fmt.Sprint("page ", seq)}})
			}
		}
		db.Append(c)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestCompactedRecordsAreReadAsBefore compacts a file with queues of all lengths
// up to several blocks, lets it grow, and compacts it again.
func TestCompactedRecordsAreReadAsBefore(t *testing.T) {
	path := filepath.Join(t.TempDir(), "crawl.db")
	lengths := []uint32{0, 1, 7, 255, 256, 257, 900, 5000, 1, 1, 1, 2}
	queues(t, path, make([]uint32, len(lengths)), lengths)
	longer := make([]uint32, len(lengths))
	for i, n := range lengths {
		longer[i] = n + uint32(i*17)
	}
	for round := range 3 {
		want := everything(t, path)
		if _, _, err := Compact(path); err != nil {
			t.Fatal(err)
		}
		for what, got := range everything(t, path) {
			if !reflect.DeepEqual(got, want[what]) {
				t.Errorf("round %d: %s differ after compacting", round, what)
			}
		}
		if round == 0 {
			queues(t, path, lengths, longer)
		}
	}
	if problems, _, err := verified(t, path); err != nil {
		t.Errorf("Verify: %v, %v", problems, err)
	}
}

// TestNewRecordGoesBeforeTheOld fetches pages again after they were packed.
func TestNewRecordGoesBeforeTheOld(t *testing.T) {
	path := filepath.Join(t.TempDir(), "crawl.db")
	queues(t, path, []uint32{0}, []uint32{300})
	for round := range 2 {
		if _, _, err := Compact(path); err != nil {
			t.Fatal(err)
		}
		db := reopen(t, path)
		for _, seq := range []uint32{0, 100, 299} {
			db.Append(Commit{Page: &Page{ID: frontier.ID{Host: 1, Class: frontier.ClassLink, Seq: seq}, Title: fmt.Sprint("round ", round)}})
		}
		for range 2 { // from memory, and from the bucket
			n := 0
			err := db.Pages(func(_ frontier.Entry, p Page) error {
				want := fmt.Sprint("page ", p.Seq)
				if p.Seq == 0 || p.Seq == 100 || p.Seq == 299 {
					want = fmt.Sprint("round ", round)
				}
				if one, _, err := db.Page(p.ID); err != nil || p.Title != want || one.Title != want {
					t.Errorf("page %v is %q and %q, %v; want %q", p.ID, p.Title, one.Title, err, want)
				}
				n++
				return nil
			})
			if err != nil || n != 300 {
				t.Errorf("Pages found %d, %v; want 300", n, err)
			}
			if err := db.Close(); err != nil {
				t.Fatal(err)
			}
			db = reopen(t, path)
		}
		db.Close()
	}
}

// TestDamagedBlockIsNoticed changes one byte of a block at a time.
func TestDamagedBlockIsNoticed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "crawl.db")
	queues(t, path, []uint32{0}, []uint32{40})
	if _, _, err := Compact(path); err != nil {
		t.Fatal(err)
	}
	b, err := bolt.Open(path, 0o600, nil)
	if err != nil {
		t.Fatal(err)
	}
	err = b.Update(func(tx *bolt.Tx) error {
		k, v := tx.Bucket(bucketBlock).Cursor().First()
		if k == nil {
			t.Fatal("nothing was packed")
		}
		for _, tc := range []struct{ key, value []byte }{
			{k, v[:3]},
			{k, v[:len(v)-1]},
			{k, append([]byte{v[0] ^ 1}, v[1:]...)},
			{[]byte{1, 2}, v},
			{append([]byte{0}, k[1:]...), v},
			{append(k[:len(k)-1:len(k)-1], 9), v},
		} {
			if err := new(block).open(tc.key, tc.value); !errors.Is(err, ErrDamaged) {
				t.Errorf("open(%x, %x) = %v; want ErrDamaged", tc.key, tc.value, err)
			}
		}
		return tx.Bucket(bucketBlock).Put(append([]byte{}, k...), v[:len(v)-1])
	})
	if err := errors.Join(err, b.Close()); err != nil {
		t.Fatal(err)
	}
	db := reopen(t, path)
	if _, err := db.Entries(1, frontier.ClassLink, 0, 1); !errors.Is(err, ErrDamaged) {
		t.Errorf("Entries of a damaged block = %v; want ErrDamaged", err)
	}
	db.Close()
	if _, _, err := verified(t, path); !errors.Is(err, ErrDamaged) {
		t.Errorf("Verify of a damaged block = %v; want ErrDamaged", err)
	}
	if _, _, err := Compact(path); !errors.Is(err, ErrDamaged) {
		t.Errorf("Compact of a damaged block = %v; want ErrDamaged", err)
	}
}
