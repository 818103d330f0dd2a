package storage

import (
	"encoding/binary"
	"fmt"
	"strings"

	bolt "go.etcd.io/bbolt"

	"github.com/hashcrawl/hashcrawl/frontier"
	"github.com/hashcrawl/hashcrawl/urlnorm"
)

// nameKey returns a host name with its labels reversed, as in a SSURT, so that
// the hosts of a domain stand together. What is no host name is its own key.
func nameKey(host string) string {
	ssurt, err := urlnorm.SSURT("http://" + host + "/")
	if err != nil {
		return host
	}
	key, _, _ := strings.Cut(ssurt, "//")
	return key
}

// HostNamed returns a host by its name.
func (db *DB) HostNamed(name string) (h frontier.Host, found bool, err error) {
	rd := db.reader()
	var id []byte
	err = db.view(func(tx *bolt.Tx) error {
		id = append(id, rd.get(tx, tableName, []byte(nameKey(name)))...)
		return nil
	})
	if err != nil || len(id) != 4 {
		return h, false, err
	}
	return db.Host(frontier.HostID(binary.BigEndian.Uint32(id)))
}

// HostsByName calls fn with every host, those of one domain together: by the
// reversed name.
func (db *DB) HostsByName(fn func(frontier.Host) error) error {
	return db.reader().scan(tableName, nil, func(k, v []byte) error {
		if len(v) != 4 {
			return fmt.Errorf("%w: name %q", ErrDamaged, k)
		}
		h, found, err := db.Host(frontier.HostID(binary.BigEndian.Uint32(v)))
		if err == nil && (!found || nameKey(h.Name) != string(k)) {
			err = fmt.Errorf("%w: name %q leads to host %q", ErrDamaged, k, h.Name)
		}
		if err != nil {
			return err
		}
		return fn(h)
	})
}
