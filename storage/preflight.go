package storage

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
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
// is as long as they say. It looks at both, because bbolt takes the newer one; and
// at the length last, because another process can make the file longer meanwhile.
func checkMetaPages(f io.ReaderAt) error {
	looksLikeBolt, whole, need := false, false, int64(1)
	for _, at := range metaPageOffsets() {
		m := make([]byte, boltMetaSize)
		if _, err := f.ReadAt(m, at+boltHeader); errors.Is(err, io.EOF) {
			continue
		} else if err != nil {
			return err
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
		pageSize := int64(order.Uint32(m[boltPageSizeAt:]))
		if at != 0 && at != pageSize {
			continue // not a meta page, but the image of one inside a page
		}
		whole = true
		need = max(need, int64(order.Uint64(m[boltHighAt:]))*pageSize)
	}
	switch {
	case !looksLikeBolt:
		return ErrForeign
	case !whole:
		return fmt.Errorf("%w: no meta page is whole", ErrDamaged)
	}
	if _, err := f.ReadAt(make([]byte, 1), need-1); errors.Is(err, io.EOF) {
		return fmt.Errorf("%w: it is cut short of its %d bytes", ErrDamaged, need)
	} else if err != nil {
		return err
	}
	return nil
}

// metaPageOffsets returns where the two meta pages may stand: the second one
// comes a page after the first, which may be too damaged to tell how long a
// page is.
func metaPageOffsets() []int64 {
	offsets := []int64{0}
	for size := int64(1 << 10); size <= 1<<16; size <<= 1 {
		offsets = append(offsets, size)
	}
	return offsets
}

// preflight looks at the file before bbolt does, which dies of a file that is
// cut short. It reports whether there is none, or an empty one.
func preflight(path string) (fresh bool, err error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	if !info.Mode().IsRegular() {
		return false, fmt.Errorf("not a regular file: %w", ErrForeign)
	}
	if info.Size() == 0 {
		return true, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	return false, checkMetaPages(f)
}
