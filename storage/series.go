package storage

import (
	"fmt"
	"math"

	bolt "go.etcd.io/bbolt"

	"github.com/hashcrawl/hashcrawl/frontier"
	"github.com/hashcrawl/hashcrawl/pagination"
)

// A Series is what the crawl file keeps of a paginated series.
type Series struct {
	pagination.Series
	First    string   // display URL of the index page that a pass begins with
	Depth    uint16   // of that page: links from a seed
	Snapshot bool     // its pages opted in: their snapshots are read
	ETag     string   // of that page, as last sent; "" if none was
	Modified string   // Last-Modified, likewise
	Evidence []string // why it is taken as ordered by time, for people
	// Candidate is 0 for a series. It says of a list that may be one which page is
	// known, 1 or 2, and is 3 for a list that was found to be none.
	Candidate int

	Entry frontier.ID // of the page at First, where the items of visits are found; zero if it is not known
}

func encodeSeries(e *encoder, s *Series) {
	state, err := s.Series.MarshalBinary()
	if err != nil {
		panic("storage: " + err.Error()) // unreachable: a series can be encoded whatever it holds
	}
	e.bytes(state)
	e.string(s.First)
	e.uint(uint64(s.Depth))
	flags := byte(0)
	if s.Snapshot {
		flags |= flagSnapshot
	}
	e.byte(flags)
	e.string(s.ETag)
	e.string(s.Modified)
	e.uint(uint64(len(s.Evidence)))
	for _, text := range s.Evidence {
		e.string(text)
	}
	e.count(int64(s.Candidate))
	e.uint(uint64(s.Entry.Host))
	e.byte(byte(s.Entry.Class))
	e.uint(uint64(s.Entry.Seq))
}

func decodeSeries(b []byte) (Series, error) {
	d := decoder{b: b}
	var s Series
	if err := s.Series.UnmarshalBinary(d.view()); err != nil {
		return s, err
	}
	s.First = d.string()
	s.Depth = uint16(d.upTo(math.MaxUint16))
	s.Snapshot = d.byte()&flagSnapshot != 0
	s.ETag, s.Modified = d.string(), d.string()
	for n := d.uint(); n > 0 && d.err == nil; n-- {
		s.Evidence = append(s.Evidence, d.string())
	}
	if len(d.b) > 0 { // files that were written before candidates end here
		s.Candidate = d.int()
	}
	if len(d.b) > 0 { // and those before entries here
		s.Entry = frontier.ID{Host: frontier.HostID(d.u32()), Class: frontier.Class(d.byte()), Seq: d.u32()}
	}
	return s, d.done()
}

// Series returns the series whose identity has the given key.
func (db *DB) Series(key string) (s Series, found bool, err error) {
	err = db.read(func(rd *reader, tx *bolt.Tx) error {
		v := rd.get(tx, tableSeries, []byte(key))
		if v == nil {
			return nil
		}
		found = true
		if s, err = decodeSeries(v); err != nil {
			return fmt.Errorf("%w: series %s: %w", ErrDamaged, key, err)
		}
		return nil
	})
	return s, found, err
}

// AllSeries calls fn with every series, by the key of its identity.
func (db *DB) AllSeries(fn func(Series) error) error {
	return db.reader().scan(tableSeries, nil, func(k, v []byte) error {
		s, err := decodeSeries(v)
		if err != nil {
			return fmt.Errorf("%w: series %s: %w", ErrDamaged, k, err)
		}
		return fn(s)
	})
}
