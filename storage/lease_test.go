package storage

import (
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/hashcrawl/hashcrawl/frontier"
)

// Leases that were not ended are there at the next start, and with them alone
// the counts stay as they were.
func TestLeasesOutliveTheProcess(t *testing.T) {
	path := filepath.Join(t.TempDir(), "crawl.db")
	db := create(t, path)
	id := func(seq uint32) frontier.ID { return frontier.ID{Host: 1, Class: frontier.ClassLink, Seq: seq} }
	counts := frontier.Counts{frontier.Waiting: 5}
	db.Append(Commit{Changes: frontier.Changes{Counts: counts}})
	for slot := range uint32(3) {
		db.Append(Commit{Lease: &Lease{Slot: slot, ID: id(slot)}})
	}
	db.Append(Commit{Lease: &Lease{Slot: 1}})
	db.Append(Commit{Lease: &Lease{Slot: 2, ID: id(7), Alone: true}})
	want := []Lease{{Slot: 0, ID: id(0)}, {Slot: 2, ID: id(7), Alone: true}}
	for _, when := range []string{"at once", "reopened"} {
		if got, err := db.Leases(); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: Leases = %+v, %v; want %+v", when, got, err, want)
		}
		if got, err := db.Counts(); err != nil || got != counts {
			t.Errorf("%s: Counts = %v, %v; want %v", when, got, err, counts)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		db = reopen(t, path)
	}
}

// What is known of errands under which the process died outlives it, until it is
// forgotten; the other names of their table are not taken for errands.
func TestCrashesOfErrandsAreKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "crawl.db")
	db := create(t, path)
	a := ErrandCrashes{URL: "http://a.test/robots.txt", Crashes: frontier.Crashes{Company: 2, Alone: 1}}
	b := ErrandCrashes{URL: "http://b.test/robots.txt", Crashes: frontier.Crashes{Company: 1}}
	db.Append(Commit{Errand: &b, Config: []byte("{}")})
	db.Append(Commit{Errand: &a, Lease: &Lease{Slot: 3, Errand: "http://c.test/list", Alone: true}})
	db.Append(Commit{Errand: &ErrandCrashes{URL: b.URL}})
	db.Append(Commit{Errand: &ErrandCrashes{URL: "http://" + strings.Repeat("x", 40_000), Crashes: b.Crashes}}) // is not kept
	for _, when := range []string{"at once", "after reopening"} {
		if got, err := db.ErrandCrashes(); err != nil || !reflect.DeepEqual(got, []ErrandCrashes{a}) {
			t.Errorf("%s: ErrandCrashes = %+v, %v; want %+v", when, got, err, a)
		}
		want := []Lease{{Slot: 3, Errand: "http://c.test/list", Alone: true}}
		if got, err := db.Leases(); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: Leases = %+v, %v; want %+v", when, got, err, want)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		db = reopen(t, path)
	}
}
