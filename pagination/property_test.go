package pagination

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// A ledger is a list with what happens to it, read from bytes, and a walker on
// it. It knows which items must have been emitted.
type ledger struct {
	t       *testing.T
	ops     []byte
	keys    []string // newest first
	born    int
	size    int
	dated   bool
	bumps   bool
	moved   map[string]time.Time
	known   map[string]bool // there at the first pass, or emitted
	series  Series
	now     time.Time
	history []string
}

// take returns the next byte, 0 at the end.
func (l *ledger) take() int {
	if len(l.ops) == 0 {
		return 0
	}
	b := l.ops[0]
	l.ops = l.ops[1:]
	return int(b)
}

func (l *ledger) insert(n int) {
	for range n {
		l.born++
		key := fmt.Sprint("i", l.born)
		l.moved[key] = l.now
		l.keys = slices.Insert(l.keys, 0, key)
	}
}

// change changes the list by one operation.
func (l *ledger) change(op, arg int) {
	l.history = append(l.history, fmt.Sprint(op, " ", arg))
	switch {
	case op < 3:
		l.insert(arg % (3 * l.size))
	case op == 3 && len(l.keys) > 0:
		i := arg % len(l.keys)
		l.keys = slices.Delete(l.keys, i, i+1)
	case op == 4: // a purge of the head
		l.keys = slices.Delete(l.keys, 0, min(arg%(4*l.size), len(l.keys)))
	case op == 5 && l.bumps && len(l.keys) > 0:
		i := arg % len(l.keys)
		key := l.keys[i]
		l.moved[key] = l.now
		l.keys = slices.Insert(slices.Delete(l.keys, i, i+1), 0, key)
	}
	l.now = l.now.Add(time.Minute)
}

func (l *ledger) page(n int) PageSeen {
	keys := l.keys
	if l.series.Direction == NewestLast {
		keys = slices.Clone(keys)
		slices.Reverse(keys)
	}
	p := shelf{keys, l.size}.page(n)
	if l.dated {
		p.Slack = time.Minute
		for i, r := range p.Rows {
			at := l.moved[r.Key]
			p.Rows[i].Date = Interval{at, at.Add(time.Minute)}
		}
	}
	return p
}

// visit makes a pass that is killed, or fails, at the page after the given
// number of pages, or never if it is 0. During the pass items may be inserted.
func (l *ledger) visit(kill, inserts int) {
	l.now = l.now.Add(time.Hour)
	there := slices.Clone(l.keys)
	p := Begin(l.series, l.now, Limits{MaxPages: 30, Patience: -1})
	first := l.series.Begun.IsZero()
	for read := 1; !p.Next().Done; read++ {
		if read > 40 {
			l.t.Fatal("the pass does not end")
		}
		if read == kill && inserts%2 == 0 {
			l.history = append(l.history, fmt.Sprint("killed at ", p.Next().Page))
			return
		}
		if read == kill {
			p.Fail(ServerError)
			l.series = stored(l.t, p.Series())
			break
		}
		for _, it := range p.Page(l.page(p.Next().Page)).New {
			l.known[it.Key] = true
		}
		l.series = stored(l.t, p.Series())
		l.insert(inserts % 4)
	}
	c := l.series.Certificate
	l.history = append(l.history, fmt.Sprint("visit ", c.Reason, " ", c.Pages))
	if c.Reason.Gap() && len(l.series.Gaps) == 0 {
		l.t.Fatalf("stopped by %v, and no gap is told", c.Reason)
	}
	switch {
	case first || c.Reason.Gap():
		// What a gap hides is told, and not for this test.
		for _, k := range there {
			l.known[k] = true
		}
	case l.series.Complete:
		l.judge(there)
	}
}

// judge fails if an item of there is not known.
func (l *ledger) judge(there []string) {
	for _, k := range there {
		if !l.known[k] {
			l.t.Fatalf("complete, but %s, of %v, was not emitted; certificate %+v\nhistory %q",
				k, there[:min(len(there), 4*l.size)], l.series.Certificate, l.history)
		}
	}
}

// play plays ops. It is the model under which no item is missed: items are
// inserted at the head at any time, also during a pass; deleted, singly or by
// purge, between passes; bumped between passes if their dates show it. Passes
// are killed, and fail, at any page. Outside of it are items deleted during a
// pass above the page that is read next, which pull unread rows over the edge
// of a page that was read, and undated bumps that restore the old order by
// chance: docs/pagination.md.
func play(t *testing.T, ops []byte, dated bool, direction Direction) {
	l := &ledger{
		t: t, ops: ops, dated: dated, bumps: dated && direction == NewestFirst, now: day0,
		moved: make(map[string]time.Time), known: make(map[string]bool), series: numbered(),
	}
	l.series.Direction = direction
	l.size = 3 + l.take()%10
	l.insert(l.take())
	l.now = l.now.Add(time.Hour)
	l.visit(0, 0)
	for len(l.ops) > 0 {
		switch op := l.take() % 9; {
		case op < 6:
			l.change(op, l.take())
		case op == 6:
			l.visit(1+l.take()%6, l.take())
		default:
			l.visit(0, l.take())
		}
	}
}

func FuzzPassNeverClaimsWhatItHasNotSeen(f *testing.F) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		ops := make([]byte, 120)
		for i := range ops {
			ops[i] = byte(rng.Uint32())
		}
		f.Add(ops, true, false)
		f.Add(ops, false, false)
		f.Add(ops, false, true)
	}
	f.Fuzz(func(t *testing.T, ops []byte, dated, last bool) {
		if len(ops) > 400 {
			t.Skip("long enough")
		}
		play(t, ops, dated, directions[last])
	})
}

// FuzzPassEnds gives a pass pages that belong to no list at all: it ends after
// MaxPages at the latest, and what it leaves can be stored and begun again.
func FuzzPassEnds(f *testing.F) {
	f.Add([]byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, false)
	f.Add([]byte{0, 200, 7, 0, 90, 3, 0, 0, 0, 16, 255, 31, 64, 2, 250}, true)
	f.Fuzz(func(t *testing.T, ops []byte, last bool) {
		l := ledger{ops: ops}
		s := numbered()
		s.Direction = directions[last]
		for visit := range 5 {
			p := Begin(s, day0.Add(time.Duration(visit)*time.Hour), Limits{MaxPages: 8})
			for read := 0; !p.Next().Done; read++ {
				if read > 200 {
					t.Fatal("the pass does not end")
				}
				kind := l.take()
				if kind%7 == 0 {
					p.Fail(Reason(l.take()))
				} else {
					from := l.take()
					p.Page(PageSeen{
						Rows:    rows(count("i", from, from+l.take()%12-3)...),
						HasNext: kind%2 == 0, Last: kind % 30, NotModified: kind == 255,
					})
				}
				s = stored(t, p.Series())
			}
			if s.Complete != s.Certificate.Reason.Complete() {
				t.Fatalf("complete %v by %v", s.Complete, s.Certificate.Reason)
			}
		}
	})
}

var directions = map[bool]Direction{false: NewestFirst, true: NewestLast}

func TestRandomListsAreNeverFalselyComplete(t *testing.T) {
	for seed := range uint64(400) {
		rng := rand.New(rand.NewPCG(seed, 7))
		ops := make([]byte, 100)
		for i := range ops {
			ops[i] = byte(rng.Uint32())
		}
		dated, last := seed%2 == 0, seed%3 == 0
		t.Run(fmt.Sprint(seed), func(t *testing.T) { play(t, ops, dated, directions[last]) })
	}
}
