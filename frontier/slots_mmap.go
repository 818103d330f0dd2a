//go:build linux || darwin

package frontier

import (
	"syscall"
	"unsafe"
)

// outside is how many slots are worth memory of their own.
const outside = 1 << 13

// newSlots returns n free slots. Many of them are memory that the garbage
// collector does not know of: it lets the heap grow to twice what is in use, and
// the seen set is the largest part of a crawl and never garbage.
func newSlots(n int) []uint64 {
	if n < outside {
		return make([]uint64, n)
	}
	b, err := syscall.Mmap(-1, 0, 8*n, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return make([]uint64, n)
	}
	preferLargePages(b)
	return unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(b))), n)
}

// freeSlots gives back what newSlots returned.
func freeSlots(slots []uint64) {
	if len(slots) < outside {
		return
	}
	b := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(slots))), 8*len(slots))
	_ = syscall.Munmap(b) // fails for what came from the heap after all, which is collected
}
