package storage

import (
	"fmt"
	"time"

	bolt "go.etcd.io/bbolt"
)

// A Shell is what the crawl file keeps of the page that stands behind the
// states of an application: the document that a browser loads for all of them.
// A snapshot that shows the same is none.
type Shell struct {
	URL      string    // display URL, without a state
	Fetched  time.Time // when it was answered
	Status   int       // of the answer
	Sight    uint64    // hash of what the page shows, 0 if it shows nothing to compare
	BodyHash uint64    // of the body
	ETag     string    // as sent; "" if none was
	Modified string    // Last-Modified, likewise
	// Shared says that states with different snapshots had one validator, so
	// that none of theirs tells whether a snapshot has changed.
	Shared bool
	// Kept says that the answer was asked for ahead of the page's own turn,
	// which then asks no more. Fields and Body are that answer.
	Kept   bool
	Fields []Field
	Body   []byte
}

// A Field is one field of an answer's header.
type Field struct{ Name, Value string }

const (
	flagKept = 1 << iota
	flagShared
)

func encodeShell(e *encoder, s *Shell) {
	e.time(s.Fetched)
	e.count(int64(s.Status))
	e.fixed(s.Sight)
	e.fixed(s.BodyHash)
	e.string(s.ETag)
	e.string(s.Modified)
	flags := byte(0)
	if s.Shared {
		flags |= flagShared
	}
	if s.Kept {
		flags |= flagKept
	}
	if e.byte(flags); !s.Kept {
		return
	}
	e.uint(uint64(len(s.Fields)))
	for _, f := range s.Fields {
		e.string(f.Name)
		e.string(f.Value)
	}
	e.bytes(s.Body)
}

func decodeShell(url string, b []byte) (Shell, error) {
	d := decoder{b: b}
	s := Shell{
		URL: url, Fetched: d.time(), Status: d.int(), Sight: d.fixed(), BodyHash: d.fixed(),
		ETag: d.string(), Modified: d.string(),
	}
	flags := d.byte()
	s.Shared, s.Kept = flags&flagShared != 0, flags&flagKept != 0
	if !s.Kept {
		return s, d.done()
	}
	for n := d.uint(); n > 0 && d.err == nil; n-- {
		s.Fields = append(s.Fields, Field{d.string(), d.string()})
	}
	s.Body = append([]byte{}, d.view()...)
	return s, d.done()
}

// Shell returns what is kept of the page with a display URL; found is false if
// that is nothing.
func (db *DB) Shell(url string) (s Shell, found bool, err error) {
	err = db.read(func(rd *reader, tx *bolt.Tx) error {
		v := rd.get(tx, tableShell, []byte(url))
		if v == nil {
			return nil
		}
		found = true
		if s, err = decodeShell(url, v); err != nil {
			return fmt.Errorf("%w: shell %s: %w", ErrDamaged, url, err)
		}
		return nil
	})
	return s, found, err
}

// Shells calls fn with every shell, by URL.
func (db *DB) Shells(fn func(Shell) error) error {
	return db.reader().scan(tableShell, nil, func(k, v []byte) error {
		s, err := decodeShell(string(k), v)
		if err != nil {
			return fmt.Errorf("%w: shell %s: %w", ErrDamaged, k, err)
		}
		return fn(s)
	})
}
