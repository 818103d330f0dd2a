package storage

import (
	"encoding/binary"
	"fmt"

	"github.com/hashcrawl/hashcrawl/frontier"
)

// A Lease says which entry is being fetched in a slot. The ones that the file
// has when it is opened are those that were under way when the process died.
type Lease struct {
	Slot  uint32
	ID    frontier.ID // zero if the slot is free
	Alone bool        // no other entry is being fetched
}

// encodeLease appends what stores or deletes a lease.
func (e *commitEncoder) encodeLease(l *Lease) {
	e.key.b = binary.BigEndian.AppendUint32(e.key.b, l.Slot)
	if l.ID.IsZero() {
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
	e.put(tableLease)
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
	if len(k) != 4 || len(v) != idSize+1 {
		return l, false
	}
	l.Slot, l.Alone = binary.BigEndian.Uint32(k), v[idSize] == 1
	l.ID, ok = parseID(v[:idSize])
	return l, ok
}
