package frontier

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
)

func TestSeenSetForgetsNothing(t *testing.T) {
	var s seenSet
	rnd := rand.New(rand.NewPCG(1, 2))
	model := map[uint64]bool{}
	for range 200_000 {
		h := (rnd.Uint64()%(1<<17) + 1) * 0x9e3779b97f4a7c15 // many twice
		if s.add(h) == model[h] {
			t.Fatalf("add(%x) says new = %v, the model says the opposite", h, !model[h])
		}
		model[h] = true
		if h++; s.has(h) != model[h] {
			t.Fatalf("has(%x) = %v, want %v", h, s.has(h), model[h])
		}
	}
	for h := range model {
		if !s.has(h) {
			t.Fatalf("has(%x) = false after all, want true", h)
		}
	}
}

func TestSeenSetIsCompact(t *testing.T) {
	var s seenSet
	rnd := rand.New(rand.NewPCG(1, 2))
	for n := 1; n <= 1_000_000; n++ {
		s.add(rnd.Uint64() | 1)
		if n >= 100_000 && n%10_000 == 0 {
			if perKey := float64(s.bytes()) / float64(n); perKey > 12 {
				t.Fatalf("%d keys take %.2f bytes each, want at most 12", n, perKey)
			}
		}
	}
	for i := range s.shards {
		if fill := float64(s.shards[i].n) / float64(len(s.shards[i].slots)); fill > seenMaxFill {
			t.Errorf("shard %d is filled to %.3f, want at most %.2f", i, fill, seenMaxFill)
		}
	}
}

// bytes returns the memory of the tables.
func (s *seenSet) bytes() (n int) {
	for i := range s.shards {
		n += 8 * cap(s.shards[i].slots)
	}
	return n
}

func TestSeenHashIsKeyed(t *testing.T) {
	a, b := seenSet{k0: 1}, seenSet{k0: 1, k1: 1}
	for _, key := range []string{"", "k", "http://a.test/a-key-longer-than-thirty-two-bytes"} {
		if a.hash(key) == b.hash(key) || a.hash(key) == 0 {
			t.Errorf("hash(%q) = %x under two keys, want two hashes", key, a.hash(key))
		}
	}
	if n := testing.AllocsPerRun(100, func() { a.hash("http://a.test/a-key-longer-than-thirty-two-bytes") }); n != 0 {
		t.Errorf("hash allocates %v times, want none", n)
	}
}

func TestSeenSetRemembersWhyAKeyWasRefused(t *testing.T) {
	var s seenSet
	rnd := rand.New(rand.NewPCG(1, 2))
	keys := map[uint64]Outcome{}
	for range 50_000 {
		h := rnd.Uint64()
		o := Robots + Outcome(rnd.IntN(int(NumOutcomes-Robots)))
		if _, isNew := s.refuse(h, o); !isNew {
			t.Fatalf("refuse(%x) says not new", h)
		}
		keys[h] = o
	}
	for h, want := range keys {
		if got := s.refusal(h); got != want {
			t.Fatalf("refusal(%x) = %v, want %v", h, got, want)
		}
		if _, isNew := s.refuse(h, Robots); isNew || s.has(h) {
			t.Fatalf("refuse(%x) again: new, or seen; want neither", h)
		}
		if got := s.refusal(h + 1); got != Waiting {
			t.Fatalf("refusal(%x) = %v for a key that was not refused", h+1, got)
		}
	}
	if most := NumOutcomes - Robots; most > reasonMask {
		t.Errorf("%d reasons do not fit in the bits of reasonMask", most)
	}
}

// A refused key is found whatever its reason, also where the last bits of its
// hash would move it to the next slot.
func TestReasonDoesNotMoveARefusedKey(t *testing.T) {
	for slots := 16; slots < 5000; slots++ {
		sh := seenShard{slots: make([]uint64, slots)}
		for i := range uint64(slots) {
			edge := (i<<56/uint64(slots) + 1) &^ reasonMask // about where one slot ends
			a, _ := sh.find(edge|1, 0)
			if b, _ := sh.find(edge|15, 0); a != b {
				t.Fatalf("in %d slots %x stands at %d and %x at %d", slots, edge|1, a, edge|15, b)
			}
		}
	}
}

func BenchmarkSeen(b *testing.B) {
	keys := make([]string, 1<<16)
	for i := range keys {
		keys[i] = fmt.Sprintf("https://www.example.test/category/%d/article-%d.html", i%100, i)
	}
	b.Run("op=hash", func(b *testing.B) {
		var s seenSet
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			s.hash(keys[i%len(keys)])
		}
	})
	b.Run("op=add", func(b *testing.B) {
		var s seenSet
		rnd := rand.New(rand.NewPCG(1, 2))
		n := 0
		for b.Loop() {
			s.add(rnd.Uint64() | 1)
			n++
		}
		b.ReportMetric(float64(s.bytes())/float64(n), "B/key")
	})
	for _, op := range []string{"has", "miss"} {
		b.Run("op="+op, func(b *testing.B) {
			const n = 4_000_000
			var s seenSet
			for i := range uint64(n) {
				s.add(i*0x9e3779b97f4a7c15 | 1)
			}
			first := uint64(0)
			if op == "miss" {
				first = n
			}
			i := uint64(0)
			for b.Loop() {
				s.has((first+i*7919%n)*0x9e3779b97f4a7c15 | 1)
				i++
			}
			b.ReportMetric(float64(s.bytes())/n, "B/key")
		})
	}
}

// TestLinksAreLeftOutWhileTheSetGrows looks for keys while others are added and
// slots are moved: none that was added before may be missed, and none found that
// never was.
func TestLinksAreLeftOutWhileTheSetGrows(t *testing.T) {
	const added, each = 200_000, 50
	hash := func(n uint64) uint64 { return (n + 1) * 0x9e3779b97f4a7c15 }
	var s seenSet
	var known atomic.Uint64 // keys that were added
	var wg sync.WaitGroup
	wg.Go(func() {
		for n := range uint64(added) {
			s.add(hash(n))
			known.Store(n + 1)
		}
	})
	for seed := range uint64(2) {
		wg.Go(func() {
			rnd := rand.New(rand.NewPCG(seed, 2))
			links, hs := make([]Link, each), make([]uint64, each)
			for known.Load() < added {
				most := known.Load()
				for i := range hs {
					links[i].Again = i%10 == 0
					if hs[i] = hash(added + rnd.Uint64N(added)); i%2 == 0 && most > 0 {
						hs[i] = hash(rnd.Uint64N(most))
					}
				}
				s.leaveOut(hs, links)
				for i, h := range hs {
					if out, want := h == 0, i%2 == 0 && i%10 != 0 && most > 0; out != want {
						t.Errorf("link %d with %d keys added: left out = %v, want %v", i, most, out, want)
						return
					}
				}
			}
		})
	}
	wg.Wait()
}
