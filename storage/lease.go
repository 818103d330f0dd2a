package storage

import (
	"encoding/binary"
	"fmt"

	"github.com/hashcrawl/hashcrawl/frontier"
)

// A Lease says what is being fetched in a slot. The ones that the file has when it
// is opened are those that were under way when the process died.
type Lease struct {
	Slot   uint32
	ID     frontier.ID // of the entry; zero for an errand, or if the slot is free
	Errand string      // the URL of the errand; "" for an entry, or if the slot is free
	Alone  bool        // nothing else is being fetched
}

// An ErrandCrashes says how often the process died while an errand was under way.
type ErrandCrashes struct {
	URL     string
	Crashes frontier.Crashes // the zero value forgets it
}

// encodeLease appends what stores or deletes a lease.
func (e *commitEncoder) encodeLease(l *Lease) {
	e.key.b = binary.BigEndian.AppendUint32(e.key.b, l.Slot)
	if l.ID.IsZero() && l.Errand == "" {
		appendDelete(&e.ops, tableLease, e.key.b)
		e.key.b = e.key.b[:0]
		return
	}
	e.val.b = appendID(e.val.b, l.ID)
	alone := byte(0)
	if l.Alone {
		alone = 1
	}
	e.val.byte(alone)
	e.val.b = append(e.val.b, l.Errand...)
	e.put(tableLease)
}

// maxErrandURL is how long the URL of an errand is whose crashes are counted. A key
// of bbolt cannot be of any length.
const maxErrandURL = 8 << 10

func (e *commitEncoder) encodeErrandCrashes(c *ErrandCrashes) {
	if len(c.URL) > maxErrandURL {
		return
	}
	e.key.b = append(append(e.key.b, metaErrand...), c.URL...)
	if c.Crashes == (frontier.Crashes{}) {
		appendDelete(&e.ops, tableMeta, e.key.b)
		e.key.b = e.key.b[:0]
		return
	}
	e.val.byte(c.Crashes.Company)
	e.val.byte(c.Crashes.Alone)
	e.put(tableMeta)
}

// ErrandCrashes returns the errands under which the process died.
func (db *DB) ErrandCrashes() (all []ErrandCrashes, err error) {
	err = db.reader().scan(tableMeta, []byte(metaErrand), func(k, v []byte) error {
		if len(v) != 2 {
			return fmt.Errorf("%w: crashes of errand %q", ErrDamaged, k)
		}
		url := string(k[len(metaErrand):])
		all = append(all, ErrandCrashes{URL: url, Crashes: frontier.Crashes{Company: v[0], Alone: v[1]}})
		return nil
	})
	return all, err
}

// Leases returns the leases, by slot.
func (db *DB) Leases() (leases []Lease, err error) {
	err = db.reader().scan(tableLease, nil, func(k, v []byte) error {
		l, ok := decodeLease(k, v)
		if !ok {
			return fmt.Errorf("%w: lease %x", ErrDamaged, k)
		}
		leases = append(leases, l)
		return nil
	})
	return leases, err
}

func decodeLease(k, v []byte) (l Lease, ok bool) {
	if len(k) != 4 || len(v) <= idSize {
		return l, false
	}
	l.Slot, l.Alone = binary.BigEndian.Uint32(k), v[idSize] == 1
	l.ID, ok = parseID(v[:idSize])
	l.Errand = string(v[idSize+1:])
	return l, ok
}
