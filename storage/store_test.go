package storage

import (
	"path/filepath"
	"testing"

	"github.com/hashcrawl/hashcrawl/frontier"
	"github.com/hashcrawl/hashcrawl/frontier/storetest"
)

// A journalled DB is a store with its journal.
type journalled struct{ *DB }

func (j journalled) Append(ch frontier.Changes) { j.DB.Append(Commit{Changes: ch}) }

// create makes a new crawl file that is closed when the test ends.
func create(t testing.TB, path string) *DB {
	t.Helper()
	db, err := Open(path, Options{Create: true, Norm: "1 crawl"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// reopen opens a crawl file that is there.
func reopen(t testing.TB, path string) *DB {
	t.Helper()
	db, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func TestDBIsAStore(t *testing.T) {
	storetest.Run(t, func(t *testing.T) storetest.Opened {
		path := filepath.Join(t.TempDir(), "crawl.db")
		db := create(t, path)
		return storetest.Opened{Store: journalled{db}, Reopen: func() storetest.Store {
			if err := db.Close(); err != nil {
				t.Fatal(err)
			}
			return journalled{reopen(t, path)}
		}}
	})
}
