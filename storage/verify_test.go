package storage

import (
	"bytes"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	bolt "go.etcd.io/bbolt"

	"github.com/hashcrawl/hashcrawl/frontier"
)

// verified runs Verify on a file and returns the problems and the entries.
func verified(t *testing.T, path string) (problems []string, entries []Audited, err error) {
	t.Helper()
	db, err := Open(path, Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	err = db.Verify(func(a Audited) { entries = append(entries, a) }, func(p string) { problems = append(problems, p) })
	return problems, entries, err
}

// wholeFile makes a file of many commits, with refused links and a retry, in
// several runs.
func wholeFile(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "crawl.db")
	for from := uint32(0); from < 50; from += 5 {
		db := reopenOrCreate(t, path)
		for n := from; n < from+5; n++ {
			c := numbered(n)
			c.Hosts[0].Head[frontier.ClassLink] = n + 1
			c.Hosts[0].Refused = n + 1
			c.Entries = append(c.Entries, frontier.Entry{
				ID: frontier.ID{Host: 1, Class: frontier.ClassRefused, Seq: n}, URL: "http://b.test/", Refusal: frontier.OutOfScope,
			})
			if n%3 == 0 {
				c.Page.Outcome = frontier.Waiting
			}
			if n%3 == 1 {
				p := *numbered(n - 1).Page
				db.Append(Commit{Page: &p, Changes: frontier.Changes{Counts: c.Counts}})
			}
			db.Append(c)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return path
}

func reopenOrCreate(t *testing.T, path string) *DB {
	t.Helper()
	db, err := Open(path, Options{Create: true})
	if err != nil {
		t.Fatal(err)
	}
	return db
}

// rewrite changes a packed table in any way.
func rewrite(tx *bolt.Tx, t table, change func(records map[string][]byte)) error {
	records := map[string][]byte{}
	c, err := cursor(tx, t, nil)
	if err != nil {
		return err
	}
	for {
		k, v, err := c.next()
		if err != nil {
			return err
		}
		if k == nil {
			break
		}
		records[string(k)] = bytes.Clone(v)
	}
	change(records)
	w := newRunWriter(t, run{number: 1 << 20}, packedPlain)
	for _, k := range slices.Sorted(maps.Keys(records)) {
		id, _ := t.idKey([]byte(k))
		if err := w.add(blocksOf(tx).Put, id, records[k]); err != nil {
			return err
		}
	}
	if err := w.flush(blocksOf(tx).Put); err != nil {
		return err
	}
	return putRuns(tx, t, []run{w.run})
}

func TestVerifyFindsNothingInAWholeFile(t *testing.T) {
	problems, entries, err := verified(t, wholeFile(t))
	if err != nil || len(problems) > 0 || len(entries) != 100 {
		t.Errorf("Verify found %d entries, %v, %v; want 100 without problems", len(entries), problems, err)
	}
}

// TestVerifyFindsEveryContradiction breaks one record at a time, in ways that
// no checksum shows.
func TestVerifyFindsEveryContradiction(t *testing.T) {
	link := func(seq uint32) []byte {
		return appendID(nil, frontier.ID{Host: 1, Class: frontier.ClassLink, Seq: seq})
	}
	host := func(change func(*frontier.Host)) func(*bolt.Tx) error {
		return func(tx *bolt.Tx) error {
			b := tx.Bucket(tableBuckets[tableHost])
			h, err := decodeHost(1, b.Get(appendHostKey(nil, 1)))
			if err != nil {
				return err
			}
			change(&h)
			var e encoder
			encodeHost(&e, &h)
			return b.Put(appendHostKey(nil, h.ID), e.b)
		}
	}
	del := func(tb table, key []byte) func(*bolt.Tx) error {
		return func(tx *bolt.Tx) error {
			return rewrite(tx, tb, func(records map[string][]byte) { delete(records, string(key)) })
		}
	}
	put := func(tb table, key []byte, value string) func(*bolt.Tx) error {
		return func(tx *bolt.Tx) error {
			if tb.packed() {
				return rewrite(tx, tb, func(records map[string][]byte) { records[string(key)] = []byte(value) })
			}
			return tx.Bucket(tableBuckets[tb]).Put(key, []byte(value))
		}
	}
	move := func(tb table, from, to []byte) func(*bolt.Tx) error {
		return func(tx *bolt.Tx) error {
			return rewrite(tx, tb, func(records map[string][]byte) { records[string(to)] = records[string(from)] })
		}
	}
	for _, tc := range []struct {
		name, want string // "" if reading ends with ErrDamaged
		damage     func(*bolt.Tx) error
	}{
		{"entry in the middle is gone", "entries 1/4/7 to 7 are missing", del(tableURL, link(7))},
		{"last entry is gone", "entries 1/4/49 to 49 are missing", del(tableURL, link(49))},
		{"refused entry is gone", "entries 1/7/3 to 3 are missing", del(tableURL, appendID(nil, frontier.ID{Host: 1, Class: frontier.ClassRefused, Seq: 3}))},
		{"entry beyond the tail", "beyond the end", move(tableURL, link(4), link(50))},
		{"entry of an unknown class", "beyond the end", move(tableURL, link(4), appendID(nil, frontier.ID{Host: 1, Class: 6}))},
		{"entry without a host", "", move(tableURL, link(4), appendID(nil, frontier.ID{Host: 2}))},
		{"entry is cut", "", put(tableURL, link(4), "x")},
		{"page record is gone", "entry 1/4/4 (http://a.test/4) is lost", del(tablePage, link(4))},
		{"page record without an entry", "page record 1/4/60 has no entry", move(tablePage, link(4), link(60))},
		{"page record before all entries", "page record 1/0/0 has no entry", move(tablePage, link(4), appendID(nil, frontier.ID{Host: 1}))},
		{"page record of a refused link", "refused, and has a page", move(tablePage, link(4), appendID(nil, frontier.ID{Host: 1, Class: frontier.ClassRefused}))},
		{"page record is cut", "", put(tablePage, link(4), "x")},
		{"head behind outcomes", "waits, and has the outcome", host(func(h *frontier.Host) { h.Head[frontier.ClassLink]-- })},
		{"head moved without an outcome", "is lost", del(tablePage, link(20))},
		{"retry of what has an outcome", "waits, and has the outcome", put(tableRetry, link(4), "\x00\x01\x00\x00")},
		{"retry of what is not there", "", put(tableRetry, link(70), "\x00\x01\x00\x00")},
		{"retry of a refused link", "has no queue", put(tableRetry, appendID(nil, frontier.ID{Host: 1, Class: frontier.ClassRefused}), "\x00\x01\x00\x00")},
		{"host with a gap before it", "", host(func(h *frontier.Host) { h.ID = 3 })},
		{"two hosts of a name", "both called a.test", host(func(h *frontier.Host) {
			*h = frontier.Host{ID: 2, Name: "a.test"}
		})},
		{"counts are cut", "", put(tableMeta, []byte(metaCounts), "\xff")},
		{"series is cut", "", put(tableSeries, []byte("a"), "x")},
		{"shell is cut", "", put(tableShell, []byte("a"), "x")},
		{"lease is cut", "", put(tableLease, []byte{0, 0, 0, 1}, "x")},
		{"robots is cut", "", put(tableRobots, []byte("a"), "x")},
	} {
		t.Run(tc.name, func(t *testing.T) {
			path := wholeFile(t)
			b, err := bolt.Open(path, 0o600, nil)
			if err != nil {
				t.Fatal(err)
			}
			if err := errors.Join(b.Update(tc.damage), b.Close()); err != nil {
				t.Fatal(err)
			}
			problems, _, err := verified(t, path)
			if tc.want == "" {
				if !errors.Is(err, ErrDamaged) {
					t.Errorf("Verify = %v with %v; want ErrDamaged", err, problems)
				}
				return
			}
			if err != nil || !strings.Contains(strings.Join(problems, "\n"), tc.want) {
				t.Errorf("Verify found %q, %v; want %q", problems, err, tc.want)
			}
		})
	}
}

// TestVerifyRunsBoltsCheck damages a page that no record is on.
func TestVerifyRunsBoltsCheck(t *testing.T) {
	path := wholeFile(t)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	b, err := bolt.Open(path, 0o600, &bolt.Options{ReadOnly: true, PreLoadFreelist: true})
	if err != nil {
		t.Fatal(err)
	}
	free := -1
	err = b.View(func(tx *bolt.Tx) error {
		for id := range int(tx.Size()) / b.Info().PageSize {
			if p, err := tx.Page(id); err == nil && p != nil && p.Type == "freelist" {
				free = id * b.Info().PageSize
			}
		}
		return nil
	})
	if err := errors.Join(err, b.Close()); err != nil || free < 0 {
		t.Fatalf("no list of free pages: %v", err)
	}
	data[free+16] ^= 3 // the first free page is another one
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	problems, _, err := verified(t, path)
	if err == nil && !strings.Contains(strings.Join(problems, "\n"), "bbolt: ") {
		t.Errorf("Verify found %q, %v; want what bbolt says", problems, err)
	}
}
