package frontier

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

func TestScheduleGivesTurnsInOrder(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	var s schedule
	var want []turn
	stamp := uint64(0)
	for range 20_000 {
		if rnd.IntN(5) < 3 || len(s) == 0 {
			stamp++
			u := turn{at: time.Duration(rnd.IntN(100)), stamp: stamp}
			s.push(u)
			want = append(want, u)
			continue
		}
		i := 0
		for j := range want {
			if want[j].before(&want[i]) {
				i = j
			}
		}
		if got := s.pop(); got != want[i] {
			t.Fatalf("pop = %+v, want %+v", got, want[i])
		}
		want = slices.Delete(want, i, i+1)
		if len(want) > 300 {
			s, want = nil, nil
		}
	}
}

func TestScheduleDropsTurnsThatNoLongerCount(t *testing.T) {
	var s schedule
	counts := uint64(3)
	stale := func(t *turn) bool { return t.stamp != counts }
	for stamp := range uint64(5) {
		s.push(turn{at: time.Duration(stamp), stamp: stamp, host: 1})
	}
	s.dropStale(stale)
	if len(s) == 0 || s[0].stamp != 3 {
		t.Errorf("schedule = %+v, want the turn with stamp 3 in front", s)
	}
	counts = 0
	if s.dropStale(stale); len(s) != 0 {
		t.Errorf("schedule = %+v, want none", s)
	}
}

func BenchmarkSchedule(b *testing.B) {
	for name, n := range map[string]int{"hosts=10000": 10_000, "hosts=1000000": 1_000_000} {
		b.Run(name, func(b *testing.B) {
			rnd := rand.New(rand.NewPCG(1, 2))
			s := make(schedule, 0, n+1)
			stamp := uint64(0)
			for range n {
				stamp++
				s.push(turn{at: time.Duration(rnd.Int64N(1 << 40)), stamp: stamp})
			}
			b.ReportAllocs()
			for b.Loop() {
				u := s.pop()
				stamp++
				u.at, u.stamp = u.at+time.Duration(rnd.Int64N(1<<40)), stamp
				s.push(u)
			}
		})
	}
}
