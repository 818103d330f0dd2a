package storage

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
	"math/bits"

	"github.com/klauspost/compress/zstd"
)

// Entries and page records never go away and hardly change, and there are many
// of them: three quarters of what they would take in buckets of their own is
// keys, bbolt's bookkeeping, and what each has in common with the one before. So
// they are packed, in the order of their keys, into blocks:
//
//	<4 B CRC32C> <1 B packing> <payload>
//	payload: <n> n times <stretch> <values of the first stretch> <values of the second> …
//	stretch: <host, less that before> <1 B class> <seq of the first> <records> <bytes of the values>
//	value:   <bytes it begins with like another> <bytes it ends with like it> <n> <n bytes between>
//
// A stretch is at most 16 records of one queue whose numbers follow each other. A value is
// told by that before it, and the first of a stretch by the first of the block,
// so that one stretch can be read without the others.

// The packings of a payload.
const (
	packedPlain byte = iota
	packedZstd       // of what Compact has written
)

// How much goes into a block. Two plain ones, with what bbolt adds, fill four
// pages. A record that is longer has a block of its own.
const (
	blockRoom  = (4*4096-16)/2 - 16 - runKeySize
	zstdRoom   = 24 << 10 // before compression
	blockExtra = crcSize + 1
)

// stretchMost is how many records a stretch has at most: whoever wants one of them
// reads all before it.
const stretchMost = 16

// maxBlock is how long the values of a block can be together.
const maxBlock = 64 << 20

// A zstdPacker compresses blocks and expands them. Its methods may be called by
// many goroutines.
type zstdPacker struct {
	enc *zstd.Encoder
	dec *zstd.Decoder
}

// zstdBlocks packs and expands blocks. It is made when the program starts, a
// third of a millisecond, and not when it is first needed: that may be in the
// bubble of one test, and its channels would be of no use in another.
var zstdBlocks = newZstdPacker()

func newZstdPacker() zstdPacker {
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedDefault), zstd.WithWindowSize(1<<20))
	if err != nil {
		panic("storage: " + err.Error()) // unreachable: the options are valid
	}
	dec, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(2), zstd.WithDecoderMaxMemory(maxBlock))
	if err != nil {
		panic("storage: " + err.Error()) // unreachable: the options are valid
	}
	enc.EncodeAll(nil, nil) // makes its channels
	return zstdPacker{enc, dec}
}

// A blockBuilder packs records, in the order of their keys, into one block at a
// time. It keeps nothing that it is given.
type blockBuilder struct {
	packing    byte
	room       int     // for head and data
	head, data encoder // of the stretches, and of the values so far
	stretches  int
	first      idKey  // of the block
	base       []byte // its value
	at         stretch
	begun      int    // where in data the stretch under way begins
	host       uint32 // of the stretch before
	last       []byte // the value before
}

func newBlockBuilder(packing byte) *blockBuilder {
	room := blockRoom
	if packing == packedZstd {
		room = zstdRoom
	}
	return &blockBuilder{packing: packing, room: room - blockExtra}
}

// most is how much a record can add beside its value: a stretch, three lengths,
// and the number of stretches.
const most = 4*5 + 1 + 3*5 + 5

// fits reports whether a record fits into the block. One always does.
func (b *blockBuilder) fits(value []byte) bool {
	return b.empty() || len(b.head.b)+len(b.data.b)+len(value)+most <= b.room
}

func (b *blockBuilder) empty() bool { return b.at.n == 0 }

// add appends a record.
func (b *blockBuilder) add(k idKey, value []byte) {
	like := b.last
	switch {
	case b.empty():
		b.first, b.host = k, k.host
		b.base, like = append(b.base[:0], value...), nil
		b.at = stretch{first: k}
	case k != b.at.end() || b.at.n == stretchMost:
		b.endStretch()
		b.at, like = stretch{first: k}, b.base
	}
	b.at.n++
	head, tail := affixes(like, value)
	b.data.uint(uint64(head))
	b.data.uint(uint64(tail))
	b.data.bytes(value[head : len(value)-tail])
	b.last = append(b.last[:0], value...)
}

func (b *blockBuilder) endStretch() {
	b.head.uint(uint64(b.at.first.host - b.host))
	b.head.byte(b.at.first.class)
	b.head.uint(uint64(b.at.first.seq))
	b.head.uint(uint64(b.at.n))
	b.head.uint(uint64(len(b.data.b) - b.begun))
	b.host, b.begun = b.at.first.host, len(b.data.b)
	b.stretches++
}

// finish returns the key of the first record and the block, and begins another.
// There must be a record.
func (b *blockBuilder) finish() (first idKey, packed []byte) {
	b.endStretch()
	e := encoder{b: make([]byte, blockExtra, blockExtra+5+len(b.head.b)+len(b.data.b))}
	e.uint(uint64(b.stretches))
	e.b = append(append(e.b, b.head.b...), b.data.b...)
	if b.packing == packedZstd {
		e.b = zstdBlocks.enc.EncodeAll(e.b[blockExtra:], make([]byte, blockExtra, blockExtra+len(e.b)/2))
	}
	e.b[crcSize] = b.packing
	binary.BigEndian.PutUint32(e.b, crc32.Checksum(e.b[crcSize:], castagnoli))
	b.head.b, b.data.b, b.stretches, b.begun, b.at = b.head.b[:0], b.data.b[:0], 0, 0, stretch{}
	return b.first, e.b
}

// affixes returns how many bytes two values have in common at their beginnings
// and, of the rest, at their ends.
func affixes(a, b []byte) (head, tail int) {
	n := min(len(a), len(b))
	for head+8 <= n {
		if x := binary.LittleEndian.Uint64(a[head:]) ^ binary.LittleEndian.Uint64(b[head:]); x != 0 {
			head += bits.TrailingZeros64(x) / 8
			break
		}
		head += 8
	}
	for head < n && a[head] == b[head] {
		head++
	}
	for tail+8 <= n-head {
		if x := binary.LittleEndian.Uint64(a[len(a)-tail-8:]) ^ binary.LittleEndian.Uint64(b[len(b)-tail-8:]); x != 0 {
			return head, tail + bits.LeadingZeros64(x)/8
		}
		tail += 8
	}
	for tail < n-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	return head, tail
}

// A stretch is records of one queue in a block, numbered one after the other.
type stretch struct {
	first    idKey
	n        int
	at, size int    // where its values stand among all of the block
	data     []byte // these
}

// end returns the key after the last one.
func (s *stretch) end() idKey {
	k := s.first
	k.seq += uint32(s.n)
	return k
}

// holds reports whether a key is one of the stretch.
func (s *stretch) holds(k idKey) bool {
	return k.host == s.first.host && k.class == s.first.class && k.seq >= s.first.seq && uint64(k.seq) < uint64(s.first.seq)+uint64(s.n)
}

// A block is one that was opened. It can be used again for another, and what it
// returns is only valid until then.
type block struct {
	stretches []stretch
	base      []byte // the first value
	plain     []byte // the payload, if it was compressed
}

// open reads the stretches of a block, which stay valid as long as it does.
func (b *block) open(k, v []byte) error {
	first, ok := blockKey(k)
	if !ok {
		return fmt.Errorf("%w: block key %x", ErrDamaged, k)
	}
	packed, err := openLogRecord(v)
	if err == nil {
		err = b.unpack(packed, first)
	}
	if err != nil {
		return fmt.Errorf("%w: block %x: %w", ErrDamaged, k, err)
	}
	return nil
}

func (b *block) unpack(packed []byte, first idKey) error {
	payload, err := b.expand(packed)
	if err != nil {
		return err
	}
	b.stretches, b.base = b.stretches[:0], nil
	h := stretchReader{next: first}
	if err := h.begin(payload); err != nil {
		return err
	}
	for h.left > 0 {
		s, err := h.read()
		if err != nil {
			return err
		}
		b.stretches = append(b.stretches, s)
	}
	if b.stretches[0].first != first {
		return errShort
	}
	b.base, err = h.place(b.stretches)
	return err
}

// expand returns the payload of a block without its checksum.
func (b *block) expand(packed []byte) (payload []byte, err error) {
	if len(packed) == 0 {
		return nil, errShort
	}
	switch packed[0] {
	case packedPlain:
		return packed[1:], nil
	case packedZstd:
		b.plain, err = zstdBlocks.dec.DecodeAll(packed[1:], b.plain[:0])
		return b.plain, err
	}
	return nil, errShort
}

// find opens a block for the one stretch that holds a key; ok is false if none does.
func (b *block) find(k, v []byte, key idKey) (s stretch, ok bool, err error) {
	first, ok := blockKey(k)
	if !ok {
		return s, false, fmt.Errorf("%w: block key %x", ErrDamaged, k)
	}
	packed, err := openLogRecord(v)
	if err == nil {
		s, ok, err = b.findIn(packed, first, key)
	}
	if err != nil {
		return s, false, fmt.Errorf("%w: block %x: %w", ErrDamaged, k, err)
	}
	return s, ok, nil
}

func (b *block) findIn(packed []byte, first, key idKey) (found stretch, ok bool, err error) {
	payload, err := b.expand(packed)
	if err != nil {
		return found, false, err
	}
	h := stretchReader{next: first}
	if err := h.begin(payload); err != nil {
		return found, false, err
	}
	// The first is needed in any case, for the value that others are told by.
	b.stretches = b.stretches[:0]
	for h.left > 0 {
		s, err := h.read()
		if err != nil {
			return found, false, err
		}
		if len(b.stretches) == 0 {
			b.stretches = append(b.stretches, s)
		}
		if s.holds(key) {
			found, ok = s, true
		} else if !ok && s.first.compare(key) > 0 {
			return found, false, nil // it would have come before
		}
	}
	if !ok {
		return found, false, nil
	}
	b.stretches = append(b.stretches, found)
	if b.base, err = h.place(b.stretches); err != nil {
		return found, false, err
	}
	return b.stretches[1], true, nil
}

// A stretchReader reads the stretches of a payload, of which it knows where their
// values are only after the last.
type stretchReader struct {
	d       decoder
	payload int
	left    uint64 // stretches not read yet
	next    idKey  // the host that the next counts from, and the least key it may have
	size    int    // of the values of those that were read
	any     bool   // one was read
}

func (r *stretchReader) begin(payload []byte) error {
	r.d, r.payload = decoder{b: payload}, len(payload)
	if r.left = r.d.upTo(uint64(len(payload))); r.left == 0 {
		return errShort
	}
	return nil
}

// read returns the next stretch, with the place of its values instead of them.
func (r *stretchReader) read() (s stretch, err error) {
	k := idKey{host: r.next.host + r.d.u32(), class: r.d.byte(), seq: r.d.u32()}
	n := r.d.upTo(uint64(math.MaxUint32-k.seq) + 1)
	size := r.d.upTo(uint64(r.payload - r.size))
	if r.d.err != nil || n == 0 || n > size/3 || k.host < r.next.host || r.any && k.compare(r.next) < 0 {
		return s, errShort
	}
	s = stretch{first: k, n: int(n), at: r.size, size: int(size)}
	r.size += int(size)
	r.next = k
	r.next.seq += uint32(n - 1)
	r.next, r.any = r.next.next(), true
	if r.next.host != k.host {
		return s, errShort
	}
	r.left--
	return s, nil
}

// place gives the stretches their values, after all were read, and returns the first
// value.
func (r *stretchReader) place(stretches []stretch) (base []byte, err error) {
	values := r.d.b
	if len(values) != r.size {
		return nil, errShort
	}
	for i := range stretches {
		s := &stretches[i]
		s.data = values[s.at : s.at+s.size : s.at+s.size]
	}
	d := decoder{b: values}
	if head, tail := d.uint(), d.uint(); head+tail != 0 {
		return nil, errShort
	}
	base = d.view()
	return base, d.err
}

// values appends the values of a stretch to vs. They stand one after the other
// in buf, which is returned longer.
func (b *block) values(s *stretch, vs []span, buf []byte) ([]span, []byte, error) {
	d := decoder{b: s.data}
	like := b.base
	if s.at == 0 {
		like = nil // it is the first of the block
	}
	for range s.n {
		head, tail := d.upTo(uint64(len(like))), d.upTo(uint64(len(like)))
		between := d.view()
		if d.err != nil || head+tail > uint64(len(like)) || len(buf) > maxBlock {
			return vs, buf, errShort
		}
		from := len(buf)
		buf = append(buf, like[:head]...)
		buf = append(buf, between...)
		buf = append(buf, like[uint64(len(like))-tail:]...)
		like = buf[from:]
		vs = append(vs, span{from, len(buf)})
	}
	return vs, buf, d.done()
}

// A span is where a value stands in a buffer.
type span struct{ from, to int }

func (s span) of(buf []byte) []byte { return buf[s.from:s.to:s.to] }
