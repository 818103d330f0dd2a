package frontier

import "runtime"

// Keys are the keys that a crawl has seen, for those who check a crawl file.
type Keys struct{ seen *seenSet }

// ReadKeys reads the keys that a store knows.
func ReadKeys(store Store, secret [2]uint64) (*Keys, error) {
	counts, err := store.Counts()
	if err != nil {
		return nil, err
	}
	k := &Keys{seen: &seenSet{}}
	runtime.AddCleanup(k, (*seenSet).free, k.seen)
	k.seen.k0, k.seen.k1 = secret[0], secret[1]
	k.seen.reserve(counts.Known())
	return k, store.Hashes(func(hs []uint64) error {
		k.seen.addAll(hs)
		return nil
	})
}

// Queued reports whether a key was ever queued.
func (k *Keys) Queued(key string) bool {
	defer runtime.KeepAlive(k) // or its memory could be given back in the middle
	return k.seen.has(k.seen.hash(key))
}

// Refusal returns why a key was refused; Waiting if it was not. It may have been
// queued later.
func (k *Keys) Refusal(key string) Outcome {
	defer runtime.KeepAlive(k)
	return k.seen.refusal(k.seen.hash(key))
}

// Len returns how many there are. One that was first refused and later queued
// counts twice.
func (k *Keys) Len() uint64 {
	n := 0
	for i := range k.seen.shards {
		n += k.seen.shards[i].n
	}
	return uint64(n)
}
