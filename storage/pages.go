package storage

import (
	"bytes"
	"fmt"

	bolt "go.etcd.io/bbolt"

	"github.com/hashcrawl/hashcrawl/frontier"
)

// Page returns the page record of an entry.
func (db *DB) Page(id frontier.ID) (p Page, found bool, err error) {
	err = db.read(func(rd *reader, tx *bolt.Tx) error {
		v, verr := rd.packed(tx, tablePage, appendID(nil, id))
		if v == nil {
			return verr
		}
		found = true
		if p, err = decodePage(id, v); err != nil {
			return fmt.Errorf("%w: page %v: %w", ErrDamaged, id, err)
		}
		return nil
	})
	return p, found, err
}

// Pages calls fn with every page record and its entry, by host in the order of
// discovery, within a host by class and sequence number. As a long scan does, it
// stands still while a transaction is written.
func (db *DB) Pages(fn func(frontier.Entry, Page) error) error {
	rd := db.reader()
	var host frontier.Host // of the page before, whose name is often needed again
	var pages, entries []record
	from, more := []byte(nil), true
	given := 0
	for more {
		err := db.view(func(tx *bolt.Tx) (err error) {
			if pages, from, more, err = rd.scanPart(tx, tablePage, nil, from, pages[:0]); err == nil {
				entries, err = rd.entriesOf(tx, pages, entries[:0])
			}
			return err
		})
		if err != nil {
			return err
		}
		for i := range pages {
			if given++; given%scanTurn == 0 {
				db.giveWay()
			}
			e, p, err := rd.page(pages[i], entries[i], &host)
			if err == nil {
				err = fn(e, p)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// entriesOf appends the entries of page records, which are in order, to entries: a
// nil value for one that has none.
func (r *reader) entriesOf(tx *bolt.Tx, pages, entries []record) ([]record, error) {
	if len(pages) == 0 {
		return entries, nil
	}
	c, err := cursor(tx, tableURL, pages[0].key)
	if err != nil {
		return entries, err
	}
	k, v, err := c.next()
	for _, p := range pages {
		value, known := r.recent(tableURL, p.key)
		for !known && err == nil && k != nil && bytes.Compare(k, p.key) <= 0 {
			if bytes.Equal(k, p.key) {
				value, known = v, true
				break // the value is valid until the next one is asked for
			}
			k, v, err = c.next()
		}
		if err != nil {
			return entries, err
		}
		entries = append(entries, record{p.key, bytes.Clone(value)})
	}
	return entries, nil
}

// page decodes a page record and its entry. host is that of the one before, and
// becomes its own.
func (r *reader) page(page, entry record, host *frontier.Host) (e frontier.Entry, p Page, err error) {
	id, ok := parseID(page.key)
	if !ok {
		return e, p, fmt.Errorf("%w: page key %x", ErrDamaged, page.key)
	}
	if p, err = decodePage(id, page.value); err != nil {
		return e, p, fmt.Errorf("%w: page %v: %w", ErrDamaged, id, err)
	}
	if ok = entry.value != nil; ok && id.Host != host.ID {
		err = r.db.view(func(tx *bolt.Tx) (err error) {
			*host, ok, err = r.host(tx, id.Host)
			return err
		})
	}
	switch {
	case err != nil:
		return e, p, err
	case !ok:
		return e, p, fmt.Errorf("%w: page %v has no entry", ErrDamaged, id)
	}
	if e, err = decodeEntry(id, entry.value, host.Name); err != nil {
		err = fmt.Errorf("%w: entry %v: %w", ErrDamaged, id, err)
	}
	return e, p, err
}
