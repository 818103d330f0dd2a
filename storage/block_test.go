package storage

import (
	"bytes"
	"math/rand/v2"
	"path/filepath"
	"testing"

	bolt "go.etcd.io/bbolt"
)

// randomRecords returns records of many queues in order, some numbered one after
// the other, with values that are much alike, or not at all, or empty, or large.
func randomRecords(rnd *rand.Rand, n int) (ks []idKey, vs [][]byte) {
	k := idKey{host: rnd.Uint32N(3)}
	for range n {
		switch rnd.IntN(20) {
		case 0:
			k = idKey{host: k.host + 1 + rnd.Uint32N(1000), class: uint8(rnd.IntN(8)), seq: rnd.Uint32N(1 << 20)}
		case 1:
			k.seq += 1 + rnd.Uint32N(300)
		case 2:
			k.class++
			k.seq = 0
		default:
			k.seq++
		}
		v := bytes.Repeat([]byte("abcdefgh"), 6)[rnd.IntN(20):]
		v[rnd.IntN(len(v))] = byte(rnd.IntN(256))
		switch rnd.IntN(100) {
		case 0:
			v = nil
		case 1:
			v = make([]byte, rnd.IntN(30_000))
		}
		if k.class > 7 {
			k = idKey{host: k.host + 1}
		}
		ks, vs = append(ks, k), append(vs, v)
	}
	return ks, vs
}

// TestBlocksHoldWhatWasPacked writes random records as a run and reads them in all
// ways.
func TestBlocksHoldWhatWasPacked(t *testing.T) {
	for seed := range uint64(12) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		ks, vs := randomRecords(rnd, 1+rnd.IntN(2000))
		packing := packedPlain
		if seed%2 == 1 {
			packing = packedZstd
		}
		b, err := bolt.Open(filepath.Join(t.TempDir(), "b"), 0o600, &bolt.Options{NoSync: true})
		if err != nil {
			t.Fatal(err)
		}
		defer b.Close()
		err = b.Update(func(tx *bolt.Tx) error {
			for _, name := range [][]byte{bucketRun, bucketBlock} {
				if _, err := tx.CreateBucket(name); err != nil {
					return err
				}
			}
			w := newRunWriter(tablePage, run{number: 7}, packing)
			for i := range ks {
				if err := w.add(blocksOf(tx).Put, ks[i], vs[i]); err != nil {
					return err
				}
			}
			if err := w.flush(blocksOf(tx).Put); err != nil {
				return err
			}
			return putRuns(tx, tablePage, []run{w.run})
		})
		if err == nil {
			err = b.View(func(tx *bolt.Tx) error { return checkRecords(t, tx, rnd, ks, vs) })
		}
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
}

func checkRecords(t *testing.T, tx *bolt.Tx, rnd *rand.Rand, ks []idKey, vs [][]byte) error {
	for range 6 {
		from := rnd.IntN(len(ks))
		start := ks[from]
		switch rnd.IntN(3) {
		case 0:
			from, start = 0, idKey{}
		case 1:
			from, start = from+1, start.next()
		}
		c, err := cursor(tx, tablePage, start.append(nil))
		if err != nil {
			return err
		}
		n := 0
		for i := from; ; i++ {
			k, v, err := c.next()
			if err != nil {
				return err
			}
			if k == nil {
				n = i
				break
			}
			if i >= len(ks) || !bytes.Equal(k, ks[i].append(nil)) || !bytes.Equal(v, vs[i]) {
				t.Fatalf("record %d is %x %x", i, k, v)
			}
			if s, err := find(tx, tablePage, ks[i]); i%97 == 0 && (err != nil || !bytes.Equal(s.get(tablePage, ks[i]), vs[i])) {
				t.Fatalf("find(%v) = %v, %v", ks[i], s, err)
			}
		}
		if n != len(ks) {
			t.Fatalf("%d records from %d on, want %d", n-from, from, len(ks)-from)
		}
	}
	return nil
}

// FuzzBlock opens anything as a block, and packs what it finds there again.
func FuzzBlock(f *testing.F) {
	for _, packing := range []byte{packedPlain, packedZstd} {
		b := newBlockBuilder(packing)
		ks, vs := randomRecords(rand.New(rand.NewPCG(1, 1)), 20)
		for i := range ks {
			b.add(ks[i], vs[i])
		}
		first, packed := b.finish()
		f.Add(first.host, first.class, first.seq, packed[crcSize:])
	}
	f.Fuzz(func(t *testing.T, host uint32, class uint8, seq uint32, packed []byte) {
		var b, again block
		if b.unpack(packed, idKey{host, seq, class}) != nil {
			return
		}
		build := newBlockBuilder(packedPlain)
		var spans []span
		var buf []byte
		for i := range b.stretches {
			s := &b.stretches[i]
			vs, more, err := b.values(s, nil, nil)
			if err != nil {
				return
			}
			if len(vs) != s.n {
				t.Fatalf("%d values of %d", len(vs), s.n)
			}
			for j, v := range vs {
				k := s.first
				k.seq += uint32(j)
				build.add(k, v.of(more))
			}
			for _, v := range vs {
				spans = append(spans, span{len(buf), len(buf) + v.to - v.from})
				buf = append(buf, v.of(more)...)
			}
		}
		first, packed := build.finish()
		if err := again.unpack(packed[crcSize:], first); err != nil {
			t.Fatalf("packed again it cannot be read: %v", err)
		}
		n := 0
		for i := range again.stretches {
			vs, more, err := again.values(&again.stretches[i], nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, v := range vs {
				if !bytes.Equal(v.of(more), spans[n].of(buf)) {
					t.Fatalf("value %d changed", n)
				}
				n++
			}
		}
		if n != len(spans) {
			t.Fatalf("%d values, want %d", n, len(spans))
		}
	})
}
