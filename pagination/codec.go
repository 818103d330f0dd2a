package pagination

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"time"
)

// The errors of UnmarshalBinary.
var (
	// ErrVersion says that the bytes were written by a newer version.
	ErrVersion = errors.New("pagination: series of an unknown version")
	// ErrFormat says that the bytes are no series.
	ErrFormat = errors.New("pagination: damaged series")
)

// seriesVersion is the first byte of a series. A change of the layout below it
// takes the next number, and UnmarshalBinary goes on to read the old ones.
//
// Version 1 had no holes in its gaps, and no filling; version 2 no pages in its
// holes, and none in the gaps of series with the newest items last.
const seriesVersion = 3

// MarshalBinary encodes s compactly: numbers as varints, each key of a list as
// what it shares with the one before and the rest, dates as differences in
// milliseconds. A head of 300 items takes about 4 KB.
func (s Series) MarshalBinary() ([]byte, error) {
	e := &encoder{buf: make([]byte, 0, 4096)}
	e.buf = append(e.buf, seriesVersion)
	e.identity(s.ID)
	e.uint(uint64(s.Direction))
	e.int(int64(s.Last))
	e.items(s.Head)
	e.uint(uint64(len(s.Older)))
	for _, h := range s.Older {
		e.buf = binary.LittleEndian.AppendUint32(e.buf, h)
	}
	e.interval(s.Watermark)
	e.uint(uint64(len(s.Segments)))
	for _, seg := range s.Segments {
		e.segment(seg)
	}
	e.uint(uint64(len(s.Constants)))
	for _, c := range s.Constants {
		e.string(c.Key)
		e.int(int64(c.Age))
	}
	e.order(s.Order)
	e.pace(s.Pace)
	e.bool(s.Deep.Read)
	e.items(s.Deep.Above)
	e.place(s.Deep.Hole)
	e.time(s.Begun)
	e.time(s.Tried)
	e.uint(s.PageOne)
	e.bool(s.Complete)
	e.int(int64(s.Failures))
	e.int(int64(s.Broke))
	e.certificate(s.Certificate)
	e.uint(uint64(len(s.Gaps)))
	for _, g := range s.Gaps {
		e.gap(g)
		e.items(g.Hole.Above)
		e.items(g.Hole.Below)
		e.place(g.Hole)
	}
	e.time(s.NextVisit)
	e.time(s.Filling.Tried)
	e.uint(uint64(s.Filling.Reason))
	e.int(int64(s.Filling.Pages))
	e.int(int64(s.Filling.Failures))
	return e.buf, nil
}

// UnmarshalBinary reads what MarshalBinary wrote. The error is [ErrVersion] or
// [ErrFormat]; s is then unchanged. Memory is bounded by
// HeadMax times the length of data.
func (s *Series) UnmarshalBinary(data []byte) error {
	if len(data) == 0 {
		return ErrFormat
	}
	version := data[0]
	if version < 1 || version > seriesVersion {
		return fmt.Errorf("%w: %d", ErrVersion, data[0])
	}
	d := &decoder{rest: data[1:]}
	var r Series
	r.ID = d.identity()
	r.Direction = Direction(d.uint())
	r.Last = d.int()
	r.Head = d.items(HeadMax)
	if n := d.count(OlderMax, 4); n > 0 {
		r.Older = make([]uint32, n)
		for i := range r.Older {
			r.Older[i] = binary.LittleEndian.Uint32(d.take(4))
		}
	}
	r.Watermark = d.interval()
	r.Segments = list(d, SegmentsMax, d.segment)
	r.Constants = list(d, constantsMax, func() Constant { return Constant{Key: d.string(), Age: d.int()} })
	r.Order = d.order()
	r.Pace = d.pace()
	r.Deep.Read = d.bool()
	r.Deep.Hole = Hole{Above: d.items(deepMax)}
	d.place(&r.Deep.Hole, version)
	r.Begun = d.time()
	r.Tried = d.time()
	r.PageOne = d.uint()
	r.Complete = d.bool()
	r.Failures = d.int()
	r.Broke = d.int()
	r.Certificate = d.certificate()
	r.Gaps = list(d, gapsMax, func() Gap {
		g := d.gap()
		if version > 1 {
			g.Hole = Hole{Above: d.items(deepMax), Below: d.items(deepMax)}
			d.place(&g.Hole, version)
		}
		if version == 1 || version == 2 && r.Direction == NewestLast && len(g.Hole.Above) == 0 {
			g.guess(r.Pace.Rows, r.Direction)
		}
		return g
	})
	r.NextVisit = d.time()
	if version > 1 {
		r.Filling = Filling{Tried: d.time(), Reason: Reason(d.uint()), Pages: d.int(), Failures: d.int()}
	}
	if d.failed || len(d.rest) > 0 || r.Direction > NewestLast {
		return ErrFormat
	}
	*s = r
	return nil
}

// guess makes the hole of a gap of which only the ends are known.
func (g *Gap) guess(size int, d Direction) {
	if g.After != "" {
		g.Hole = Hole{Above: []Item{{Key: g.After}}, Rows: max(0, g.Page-1) * max(size, 1)}
		if d == NewestLast {
			g.Hole.Rows, g.Hole.Page = 0, g.Page+1
		}
	}
	if g.Before != "" {
		g.Hole.Below = []Item{{Key: g.Before}}
	}
}

// place writes where a hole is, apart from its ends.
func (e *encoder) place(h Hole) {
	e.int(int64(h.Rows))
	e.int(int64(h.Page))
	e.string(h.NextURL)
}

// place reads where a hole is.
func (d *decoder) place(h *Hole, version byte) {
	h.Rows = d.int()
	if version > 2 {
		h.Page = d.int()
	}
	h.NextURL = d.string()
}

// An encoder appends values to buf.
type encoder struct{ buf []byte }

func (e *encoder) uint(v uint64) { e.buf = binary.AppendUvarint(e.buf, v) }
func (e *encoder) int(v int64)   { e.buf = binary.AppendVarint(e.buf, v) }
func (e *encoder) float(v float64) {
	e.buf = binary.LittleEndian.AppendUint64(e.buf, math.Float64bits(v))
}
func (e *encoder) string(v string) { e.uint(uint64(len(v))); e.buf = append(e.buf, v...) }
func (e *encoder) identity(id Identity) {
	for _, v := range []string{id.Host, id.Pattern.Before, id.Pattern.After, id.Pattern.FirstURL, id.Sort, id.Block} {
		e.string(v)
	}
	e.int(int64(id.Pattern.Origin))
	e.int(int64(id.Pattern.Step))
}

func (e *encoder) bool(v bool) {
	b := byte(0)
	if v {
		b = 1
	}
	e.buf = append(e.buf, b)
}

// time writes whether t is a time, and its milliseconds.
func (e *encoder) time(t time.Time) {
	e.bool(!t.IsZero())
	if !t.IsZero() {
		e.int(t.UnixMilli())
	}
}

func (e *encoder) interval(iv Interval) {
	e.time(iv.From)
	e.time(iv.To)
}

// items writes a list of item links. A date is 0 for none, or 1 + its length,
// and then the difference of its beginning to the one before.
func (e *encoder) items(items []Item) {
	e.uint(uint64(len(items)))
	key, from := "", int64(0)
	for _, it := range items {
		shared := commonPrefix(key, it.Key)
		e.uint(uint64(shared))
		e.string(it.Key[shared:])
		key = it.Key
		if it.Date.IsZero() {
			e.uint(0)
			continue
		}
		ms := it.Date.From.UnixMilli()
		e.uint(1 + uint64(it.Date.To.UnixMilli()-ms))
		e.int(ms - from)
		from = ms
	}
}

func (e *encoder) segment(s Segment) {
	e.items(s.Front)
	e.int(int64(s.Omitted))
	e.items(s.Back)
	e.string(s.NextURL)
	e.time(s.Begun)
}

func (e *encoder) order(o Order) {
	e.float(o.Moved)
	e.float(o.Above)
	e.float(o.Ranks)
	e.int(int64(o.DatePairs))
	e.int(int64(o.Inversions))
}

func (e *encoder) pace(p Pace) {
	e.int(int64(p.Passes))
	e.float(p.Items)
	e.float(p.Deep)
	e.float(p.Seconds)
	e.float(p.Between)
	e.int(int64(p.Rows))
}

func (e *encoder) certificate(c Certificate) {
	e.uint(uint64(c.Reason))
	e.int(int64(c.Pages))
	e.int(int64(c.Rows))
	e.int(int64(c.New))
	e.uint(uint64(len(c.Met)))
	for _, m := range c.Met {
		e.string(m.Key)
		e.int(int64(m.Page))
		e.int(int64(m.Rank))
	}
	e.int(int64(c.Absent))
	e.bool(c.Gap != nil)
	if c.Gap != nil {
		e.gap(*c.Gap)
	}
}

func (e *encoder) gap(g Gap) {
	e.string(g.After)
	e.string(g.Before)
	e.int(int64(g.Page))
	e.time(g.Since)
}

// A decoder takes values from rest. After a failure all values are zero.
type decoder struct {
	rest   []byte
	failed bool
}

func (d *decoder) fail() {
	d.failed = true
	d.rest = nil
}

// take returns the next n bytes, or n zeros after a failure.
func (d *decoder) take(n int) []byte {
	if n > len(d.rest) {
		d.fail()
		return make([]byte, n)
	}
	b := d.rest[:n]
	d.rest = d.rest[n:]
	return b
}

func (d *decoder) uint() uint64 {
	v, n := binary.Uvarint(d.rest)
	if n <= 0 {
		d.fail()
		return 0
	}
	d.rest = d.rest[n:]
	return v
}

func (d *decoder) int64() int64 {
	v, n := binary.Varint(d.rest)
	if n <= 0 {
		d.fail()
		return 0
	}
	d.rest = d.rest[n:]
	return v
}

func (d *decoder) int() int { return int(d.int64()) }

// float reads a count or a time: a number, and not negative.
func (d *decoder) float() float64 {
	v := math.Float64frombits(binary.LittleEndian.Uint64(d.take(8)))
	if !(v >= 0) || math.IsInf(v, 0) {
		d.fail()
		return 0
	}
	return v
}

func (d *decoder) bool() bool {
	switch d.take(1)[0] {
	case 0:
		return false
	case 1:
		return true
	default:
		d.fail()
		return false
	}
}

// count reads the length of a list of at most limit elements of at least size
// bytes each.
func (d *decoder) count(limit, size int) int {
	n := d.uint()
	if n > uint64(limit) || n > uint64(len(d.rest)/size) {
		d.fail()
		return 0
	}
	return int(n)
}

func (d *decoder) string() string {
	return string(d.take(d.count(len(d.rest), 1)))
}

func (d *decoder) time() time.Time {
	if !d.bool() {
		return time.Time{}
	}
	return time.UnixMilli(d.int64()).UTC()
}

func (d *decoder) interval() Interval { return Interval{d.time(), d.time()} }

func (d *decoder) identity() (id Identity) {
	for _, v := range []*string{&id.Host, &id.Pattern.Before, &id.Pattern.After, &id.Pattern.FirstURL, &id.Sort, &id.Block} {
		*v = d.string()
	}
	id.Pattern.Origin, id.Pattern.Step = d.int(), d.int()
	return id
}

func (d *decoder) items(limit int) []Item {
	n := d.count(limit, 3)
	if n == 0 {
		return nil
	}
	items := make([]Item, n)
	key, from := "", int64(0)
	for i := range items {
		shared := d.uint()
		if shared > uint64(len(key)) {
			d.fail()
			return nil
		}
		key = key[:shared] + d.string()
		items[i].Key = key
		if length := d.uint(); length > 0 {
			from += d.int64()
			items[i].Date = Interval{time.UnixMilli(from).UTC(), time.UnixMilli(from + int64(length-1)).UTC()}
		}
		if d.failed {
			return nil
		}
	}
	return items
}

// list reads a list of at most limit elements.
func list[T any](d *decoder, limit int, element func() T) []T {
	var out []T
	for range d.count(limit, 1) {
		out = append(out, element())
	}
	return out
}

func (d *decoder) segment() Segment {
	return Segment{
		Front: d.items(segmentMax), Omitted: max(0, d.int()), Back: d.items(segmentMax), NextURL: d.string(), Begun: d.time(),
	}
}

func (d *decoder) order() Order {
	return Order{Moved: d.float(), Above: d.float(), Ranks: d.float(), DatePairs: d.int(), Inversions: d.int()}
}

func (d *decoder) pace() Pace {
	return Pace{Passes: d.int(), Items: d.float(), Deep: d.float(), Seconds: d.float(), Between: d.float(), Rows: d.int()}
}

func (d *decoder) certificate() Certificate {
	c := Certificate{Reason: Reason(d.uint()), Pages: d.int(), Rows: d.int(), New: d.int()}
	c.Met = list(d, metMax, func() Met { return Met{Key: d.string(), Page: d.int(), Rank: d.int()} })
	c.Absent = d.int()
	if d.bool() {
		g := d.gap()
		c.Gap = &g
	}
	return c
}

func (d *decoder) gap() Gap {
	return Gap{After: d.string(), Before: d.string(), Page: d.int(), Since: d.time()}
}
