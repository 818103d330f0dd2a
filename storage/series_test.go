package storage

import (
	"errors"
	"math"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hashcrawl/hashcrawl/frontier"
	"github.com/hashcrawl/hashcrawl/pagination"
)

// A series is read back as it was committed, the last state of each.
func TestSeriesAreReadBack(t *testing.T) {
	path := filepath.Join(t.TempDir(), "crawl.db")
	db, err := Open(path, Options{Create: true})
	if err != nil {
		t.Fatal(err)
	}
	pattern := pagination.Pattern{Before: "http://a.test/news?page=", Step: 1, FirstURL: "http://a.test/news"}
	want := Series{
		Series: pagination.Series{
			ID: pagination.Identify("a.test", pattern, "ul.news>li"), Direction: pagination.NewestFirst,
			Head:      []pagination.Item{{Key: "http://a.test/1"}},
			NextVisit: time.UnixMilli(1_800_000_000_000).UTC(),
		},
		First: "http://a.test/news", ETag: `"x"`, Modified: "Mon, 30 Nov 2026 08:00:00 GMT", Evidence: []string{"dates fall"}, Candidate: 2,
		Entry: frontier.ID{Host: 7, Class: frontier.ClassLink, Seq: 1 << 20},
	}
	older := want
	older.ETag = `"w"`
	db.Append(Commit{Series: []Series{older}})
	db.Append(Commit{Series: []Series{want}})
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if db, err = Open(path, Options{ReadOnly: true}); err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var got []Series
	if err := db.AllSeries(func(s Series) error { got = append(got, s); return nil }); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Series{want}, got); diff != "" {
		t.Errorf("AllSeries differs (-want +got):\n%s", diff)
	}
}

func TestSeriesOfAnImpossibleDepthIsDamaged(t *testing.T) {
	state, err := new(pagination.Series).MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	for depth, want := range map[uint64]error{math.MaxUint16: nil, math.MaxUint16 + 1: errShort} {
		var e encoder
		e.bytes(state)
		e.string("http://a.test/news")
		e.uint(depth)
		e.b = append(e.b, 0, 0, 0, 0) // no flags, validators or evidence
		if s, err := decodeSeries(e.b); !errors.Is(err, want) {
			t.Errorf("decodeSeries with depth %d = %+v, %v; want %v", depth, s, err, want)
		}
	}
}
