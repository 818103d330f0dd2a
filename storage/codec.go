package storage

import (
	"encoding/binary"
	"errors"
	"math"
	"time"
)

// errShort is the error of a record that ends too early or does not end where
// it should.
var errShort = errors.New("record is damaged")

// An encoder appends the fields of a record. Numbers are varints.
type encoder struct{ b []byte }

func (e *encoder) uint(v uint64)            { e.b = binary.AppendUvarint(e.b, v) }
func (e *encoder) count(n int64)            { e.uint(uint64(max(n, 0))) }
func (e *encoder) byte(v byte)              { e.b = append(e.b, v) }
func (e *encoder) fixed(v uint64)           { e.b = binary.BigEndian.AppendUint64(e.b, v) }
func (e *encoder) string(s string)          { e.uint(uint64(len(s))); e.b = append(e.b, s...) }
func (e *encoder) bytes(s []byte)           { e.uint(uint64(len(s))); e.b = append(e.b, s...) }
func (e *encoder) duration(d time.Duration) { e.uint(uint64(max(d, 0) / time.Microsecond)) }

// maxMillis is the last millisecond of the year 9999.
const maxMillis = 253402300799999

// time writes milliseconds since 1970, in UTC; the zero time as 0.
func (e *encoder) time(t time.Time) {
	if t.IsZero() {
		e.uint(0)
		return
	}
	e.uint(uint64(min(max(t.UnixMilli(), 1), maxMillis)))
}

// notBefore writes a time that something is due at: rounded up, so that it is
// not done too early.
func (e *encoder) notBefore(t time.Time) {
	if !t.IsZero() {
		t = t.Add(time.Millisecond - 1)
	}
	e.time(t)
}

// A decoder reads what an encoder wrote. After the first fault it returns
// zeros, and err tells.
type decoder struct {
	b   []byte
	err error
}

func (d *decoder) fail() {
	d.b, d.err = nil, errShort
}

func (d *decoder) uint() uint64 {
	if len(d.b) > 0 && d.b[0] < 0x80 { // most are small
		v := d.b[0]
		d.b = d.b[1:]
		return uint64(v)
	}
	v, n := binary.Uvarint(d.b)
	if n <= 0 {
		d.fail()
		return 0
	}
	d.b = d.b[n:]
	return v
}

// upTo returns the next number, which must not be above limit.
func (d *decoder) upTo(limit uint64) uint64 {
	v := d.uint()
	if v > limit {
		d.fail()
		return 0
	}
	return v
}

func (d *decoder) count() int64 { return int64(d.upTo(math.MaxInt64)) }
func (d *decoder) int() int     { return int(d.upTo(math.MaxInt)) }
func (d *decoder) u32() uint32  { return uint32(d.upTo(math.MaxUint32)) }

func (d *decoder) byte() byte {
	if len(d.b) == 0 {
		d.fail()
		return 0
	}
	v := d.b[0]
	d.b = d.b[1:]
	return v
}

func (d *decoder) fixed() uint64 {
	if len(d.b) < 8 {
		d.fail()
		return 0
	}
	v := binary.BigEndian.Uint64(d.b)
	d.b = d.b[8:]
	return v
}

// view returns the next string's bytes without a copy, and nil only after a
// fault.
func (d *decoder) view() []byte {
	n := d.uint()
	if n > uint64(len(d.b)) {
		d.fail()
		return nil
	}
	v := d.b[:n:n]
	d.b = d.b[n:]
	return v
}

func (d *decoder) string() string { return string(d.view()) }

func (d *decoder) duration() time.Duration {
	return time.Duration(d.upTo(math.MaxInt64/uint64(time.Microsecond))) * time.Microsecond
}

func (d *decoder) time() time.Time {
	ms := d.upTo(maxMillis)
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(int64(ms)).UTC()
}

// done returns the first fault, or errShort if bytes are left over.
func (d *decoder) done() error {
	if d.err == nil && len(d.b) > 0 {
		d.fail()
	}
	return d.err
}
