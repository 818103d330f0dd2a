package storage

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/hashcrawl/hashcrawl/frontier"
)

// Hosts are found by their names, and listed with those of one domain together.
func TestHostsByName(t *testing.T) {
	path := filepath.Join(t.TempDir(), "crawl.db")
	db, err := Open(path, Options{Create: true})
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"www.b.example", "a.test", "127.0.0.1", "b.example", "x.a.test", "[::1]", "bexample"}
	for i, name := range names {
		db.Append(Commit{Changes: frontier.Changes{Hosts: []frontier.Host{{ID: frontier.HostID(i + 1), Name: name}}}})
	}
	check := func(db *DB) {
		t.Helper()
		var got []string
		if err := db.HostsByName(func(h frontier.Host) error { got = append(got, h.Name); return nil }); err != nil {
			t.Fatal(err)
		}
		want := []string{"127.0.0.1", "[::1]", "bexample", "b.example", "www.b.example", "a.test", "x.a.test"}
		if !slices.Equal(got, want) {
			t.Errorf("HostsByName lists %q; want %q", got, want)
		}
		for i, name := range names {
			if h, found, err := db.HostNamed(name); err != nil || !found || int(h.ID) != i+1 {
				t.Errorf("HostNamed(%q) = host %d, %v, %v; want %d", name, h.ID, found, err, i+1)
			}
		}
		if _, found, err := db.HostNamed("c.test"); found || err != nil {
			t.Errorf("HostNamed of an unknown host = %v, %v", found, err)
		}
	}
	check(db)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if db, err = Open(path, Options{ReadOnly: true}); err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	check(db)
}
