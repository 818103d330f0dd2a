package frontier

import (
	"math/bits"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/dchest/siphash"
)

// seenSet is the set of the keys that were ever added, as 64-bit SipHashes
// under a secret of the crawl, so that no site can make two of its keys
// collide. The chance that any of n keys is wrongly taken as seen is n²/2⁶⁵.
//
// It is 64 open-addressing tables, each of which grows by a quarter when it
// is 85 % full: 9.4 to 11.8 bytes a key, and no growth stops the crawl for long.
// Fewer would stop it longer, and more would be too small for large pages of
// memory, without which each look at a large set costs a second miss.
//
// One goroutine at a time may change it, while others look which of their links are
// known. So slots are read and written as a whole, and moved only when nobody reads.
type seenSet struct {
	k0, k1 uint64
	moving sync.RWMutex // held for writing while slots are moved, and for reading by those who may not change the set
	shards [1 << seenShardBits]seenShard
}

type seenShard struct {
	slots []uint64 // 0 is free
	n     int
}

const (
	seenShardBits = 6
	seenMinSlots  = 16
	seenMaxFill   = 0.85
	seenGrowth    = 1.25
	seenReserve   = 1 << 26 // keys; more than that is not believed at once
)

// shard returns the table of h.
func (s *seenSet) shard(h uint64) *seenShard { return &s.shards[h>>(64-seenShardBits)] }

// hash returns the keyed hash of key, never 0.
func (s *seenSet) hash(key string) uint64 {
	// siphash only reads the bytes, which so need no copy.
	b := unsafe.Slice(unsafe.StringData(key), len(key))
	return max(1, siphash.Hash(s.k0, s.k1, b))
}

// usualLinks is for how many links there is room on the stack.
const usualLinks = 128

// hashAll appends the hashes of the keys of links. Any goroutine may call it.
func (s *seenSet) hashAll(hs []uint64, links []Link) []uint64 {
	for i := range links {
		h := links[i].hash
		if h == 0 {
			h = s.hash(links[i].Key)
		}
		hs = append(hs, h)
	}
	return hs
}

// leaveOut puts 0 in the place of hashes that are in the set, but of links that may
// carry on for their URLs all the same. That is most of a page's, so that they are not
// looked for while others wait. Any goroutine may call it.
func (s *seenSet) leaveOut(hs []uint64, links []Link) {
	s.moving.RLock()
	defer s.moving.RUnlock()
	s.touch(hs)
	for i, h := range hs {
		if !links[i].Again && s.has(h) {
			hs[i] = 0
		}
	}
	for _, h := range hs {
		if h != 0 { // whoever adds it also looks whether it was refused
			s.look(refusedHash(h))
		}
	}
}

// touch looks at the places of keys. That many reads of memory at once take hardly
// longer than one, and in a large set each takes longer than all else.
func (s *seenSet) touch(hs []uint64) {
	for _, h := range hs {
		s.look(h)
	}
}

// look reads the place of a key.
func (s *seenSet) look(h uint64) {
	if sh := s.shard(h); len(sh.slots) > 0 {
		atomic.LoadUint64(&sh.slots[sh.home(h)]) // the compiler does not leave it out, as it would other reads
	}
}

// addAll adds keys as they are read from a crawl file, many at a time for the same
// reason as touch.
func (s *seenSet) addAll(hs []uint64) {
	for part := range slices.Chunk(hs, 64) {
		s.touch(part)
		for _, h := range part {
			s.add(h)
		}
	}
}

// A key that was only refused stands in the set under another hash, whose last
// bits tell why: so it can still be queued, and counts at one place.
const reasonMask = 1<<4 - 1

// refusedHash derives it from the hash of the key, without the reason.
func refusedHash(h uint64) uint64 {
	h ^= 0x9e3779b97f4a7c15
	h ^= h >> 32
	h *= 0xd6e8feb86659fd93
	h ^= h >> 32
	return h &^ reasonMask
}

// refuse notes the key with hash h as refused for the reason o. It returns the
// hash under which it stands, and whether it was not refused before.
func (s *seenSet) refuse(h uint64, o Outcome) (refused uint64, isNew bool) {
	if s.refusal(h) != Waiting {
		return 0, false
	}
	refused = refusedHash(h) | uint64(o-Robots+1)&reasonMask
	return refused, s.add(refused)
}

// refusal returns why the key with hash h was refused; Waiting if it was not.
func (s *seenSet) refusal(h uint64) Outcome {
	h = refusedHash(h)
	sh := s.shard(h)
	if len(sh.slots) == 0 {
		return Waiting
	}
	_, found := sh.find(h, reasonMask)
	reason := found & reasonMask
	if o := Robots - 1 + Outcome(reason); o.Refused() {
		return o
	}
	return Waiting
}

// has reports whether h is in the set.
func (s *seenSet) has(h uint64) bool {
	sh := s.shard(h)
	if len(sh.slots) == 0 {
		return false
	}
	_, found := sh.find(h, 0)
	return found == h
}

// add puts h in the set and reports whether it is new.
func (s *seenSet) add(h uint64) bool {
	sh := s.shard(h)
	if sh.n >= int(seenMaxFill*float64(len(sh.slots))) {
		s.grow(sh)
	}
	i, found := sh.find(h, 0)
	if found == h {
		return false
	}
	atomic.StoreUint64(&sh.slots[i], h)
	sh.n++
	return true
}

// reserve makes room for n keys, so that they are not moved while they are
// read from a crawl file. The number is only a hint.
func (s *seenSet) reserve(n uint64) {
	slots := min(n, seenReserve) * 4 / 3 / uint64(len(s.shards))
	for i := range s.shards {
		s.shards[i].slots = newSlots(int(max(seenMinSlots, slots)))
	}
}

// find returns the slot that holds h, but for the bits of mask, and what it holds;
// or, if none does, the one to put h in, and 0. The bits of reasonMask never decide
// where that is.
func (s *seenShard) find(h, mask uint64) (slot int, found uint64) {
	for i := s.home(h); ; {
		if v := atomic.LoadUint64(&s.slots[i]); v == 0 || (v^h)&^mask == 0 {
			return i, v
		}
		if i++; i == len(s.slots) {
			i = 0
		}
	}
}

// home returns the slot where the search for h begins.
func (s *seenShard) home(h uint64) int {
	hi, _ := bits.Mul64(h&^reasonMask<<seenShardBits, uint64(len(s.slots)))
	return int(hi)
}

func (s *seenSet) grow(sh *seenShard) {
	old := sh.slots
	larger := seenShard{slots: newSlots(max(seenMinSlots, int(seenGrowth*float64(len(old)))))}
	for _, h := range old {
		if h != 0 {
			i, _ := larger.find(h, 0)
			larger.slots[i] = h
		}
	}
	// Others may read the old slots until now.
	s.moving.Lock()
	defer s.moving.Unlock()
	sh.slots = larger.slots
	freeSlots(old)
}

// free gives back the memory of the set, which is not used any more.
func (s *seenSet) free() {
	for i := range s.shards {
		freeSlots(s.shards[i].slots)
		s.shards[i] = seenShard{}
	}
}
