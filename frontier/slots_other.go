//go:build !linux && !darwin

package frontier

// newSlots returns n free slots.
func newSlots(n int) []uint64 { return make([]uint64, n) }

// freeSlots gives back what newSlots returned.
func freeSlots([]uint64) {}
