package storage

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A shell is found before and after a restart, in its last state.
func TestShellsAreReadBack(t *testing.T) {
	path := filepath.Join(t.TempDir(), "crawl.db")
	db, err := Open(path, Options{Create: true})
	if err != nil {
		t.Fatal(err)
	}
	want := Shell{URL: "http://a.test/", Status: 200, Sight: 7, Kept: true, Fields: []Field{{"Content-Type", "text/html"}}, Body: []byte("x")}
	db.Append(Commit{Shell: &Shell{URL: want.URL, Status: 404}})
	db.Append(Commit{Shell: &want})
	check := func() {
		t.Helper()
		got, found, err := db.Shell(want.URL)
		if diff := cmp.Diff(want, got); err != nil || !found || diff != "" {
			t.Errorf("Shell: %v, %v; differs (-want +got):\n%s", found, err, diff)
		}
		var all []Shell
		err = db.Shells(func(s Shell) error { all = append(all, s); return nil })
		if diff := cmp.Diff([]Shell{want}, all); err != nil || diff != "" {
			t.Errorf("Shells: %v; differ (-want +got):\n%s", err, diff)
		}
	}
	check()
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if db, err = Open(path, Options{ReadOnly: true}); err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	check()
	if _, found, err := db.Shell("http://a.test/other"); found || err != nil {
		t.Errorf("Shell of another page: %v, %v; want none", found, err)
	}
}
