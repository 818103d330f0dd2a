package storage

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"io"
	"os"
)

// The layout of bbolt's two meta pages, format version 2: a page header of 16
// bytes, then these fields in the byte order of the machine.
const (
	boltMagic      = 0xED0CDAED
	boltVersion    = 2
	boltHeader     = 16
	boltMetaSize   = 64
	boltPageSizeAt = 8
	boltHighAt     = 40 // first page number beyond those in use
	boltChecksumAt = 56
)

// checkMetaPages returns nil if at least one meta page is whole and the file
// is as long as it says.
func checkMetaPages(f io.ReaderAt, size int64) error {
	looksLikeBolt := false
	for _, at := range metaPageOffsets(f) {
		m := make([]byte, boltMetaSize)
		if _, err := f.ReadAt(m, at+boltHeader); err != nil {
			continue
		}
		order := binary.NativeEndian
		if order.Uint32(m) != boltMagic {
			continue
		}
		looksLikeBolt = true
		sum := fnv.New64a()
		sum.Write(m[:boltChecksumAt])
		if order.Uint32(m[4:]) != boltVersion || sum.Sum64() != order.Uint64(m[boltChecksumAt:]) {
			continue
		}
		need := int64(order.Uint64(m[boltHighAt:])) * int64(order.Uint32(m[boltPageSizeAt:]))
		if size < need {
			return fmt.Errorf("%w: it is cut short (%d bytes of %d)", ErrDamaged, size, need)
		}
		return nil
	}
	if looksLikeBolt {
		return fmt.Errorf("%w: no meta page is whole", ErrDamaged)
	}
	return ErrForeign
}

// metaPageOffsets returns where the two meta pages may stand: the second one
// comes a page after the first, whose own word for the page size is not to be
// trusted.
func metaPageOffsets(f io.ReaderAt) []int64 {
	offsets := []int64{0, int64(os.Getpagesize())}
	size := make([]byte, 4)
	if _, err := f.ReadAt(size, boltHeader+boltPageSizeAt); err == nil {
		if n := int64(binary.NativeEndian.Uint32(size)); n >= 1<<9 && n <= 1<<16 && n != offsets[1] {
			offsets = append(offsets, n)
		}
	}
	return offsets
}
