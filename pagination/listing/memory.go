package listing

import (
	"slices"

	"github.com/hashcrawl/hashcrawl/pagination/date"
	"github.com/hashcrawl/hashcrawl/pagination/pager"
)

// A Reader reads pages one after another and reuses its memory; what it returns
// is independent of it. It must not be used by two goroutines at once.
type Reader struct {
	labeler *pager.Labeler
	memory  memory
}

// NewReader returns a reader whose links l labels.
func NewReader(l *pager.Labeler) *Reader {
	return &Reader{labeler: l, memory: memory{words: make(map[string]int)}}
}

// memory is what a reader of pages keeps from one to the next, for its size
// alone.
type memory struct {
	columns date.Columns
	dates   [2][]date.Date // of the best column, and of the one being read
	sampled []date.Date

	linksBefore []int32        // item links in nodes before each node, and in all
	itemNodes   []int32        // nodes that are item links, in order
	shapes      []uint32       // of nodes, 0 for not asked yet
	frames      []uint8        // of nodes, see isFrame
	words       map[string]int // what classes tell, see wordsWorth
	excepted    []int          // blocks that the pager in question does not drive

	found  []candidate
	drafts stack[draft]
	offers []offer
	ends   []int

	addresses, texts    numbering[string] // of the links of the page
	places              numbering[uint32] // in the rows of a candidate
	urlCount, textCount []int32           // by number
	total               []int             // worth, by place
	taken               []bool            // by address

	slotList  []slot
	slotIndex map[uint64]int
	slotTexts stack[string]
	slotNodes stack[int32]
}

// forget lets go of the page that was read.
func (m *memory) forget() {
	m.words = emptied(m.words)
	m.addresses.reset()
	m.texts.reset()
	m.slotIndex = emptied(m.slotIndex)
	m.forgetSlots()
	for _, dates := range [...][]date.Date{m.dates[0], m.dates[1], m.sampled} {
		clear(dates[:cap(dates)])
	}
}

// maxEntries is how many entries a map may have to be used again: emptying one
// takes as long as it ever was large.
const maxEntries = 4096

// emptied returns an empty map, m if it is small.
func emptied[K comparable, V any](m map[K]V) map[K]V {
	if m == nil || len(m) > maxEntries {
		return make(map[K]V)
	}
	clear(m)
	return m
}

// zeros returns n zero values in the memory of buf, if there is enough.
func zeros[T any](buf *[]T, n int) []T {
	*buf = slices.Grow((*buf)[:0], n)[:n]
	clear(*buf)
	return *buf
}

// A numbering numbers what it is asked about, from 0 on.
type numbering[K comparable] struct{ numbers map[K]int32 }

func (n *numbering[K]) number(of K) int32 {
	k, known := n.numbers[of]
	if !known {
		k = int32(len(n.numbers))
		if n.numbers == nil {
			n.numbers = make(map[K]int32)
		}
		n.numbers[of] = k
	}
	return k
}

// len returns how many numbers were given.
func (n *numbering[K]) len() int { return len(n.numbers) }

func (n *numbering[K]) reset() { n.numbers = emptied(n.numbers) }

// A stack holds slices one behind the other. The last one is open to be
// appended to until it is closed.
type stack[T any] struct{ all []T }

func (s *stack[T]) open() []T { return s.all[len(s.all):] }

func (s *stack[T]) close(last []T) {
	if cap(last) > cap(s.all)-len(s.all) { // it grew out of the memory that the others are in
		s.all = last
		return
	}
	s.all = s.all[:len(s.all)+len(last)]
}

// take returns a slice of n zero values.
func (s *stack[T]) take(n int) []T {
	last := slices.Grow(s.open(), n)[:n]
	clear(last)
	s.close(last)
	return last[:n:n]
}

// reset forgets all slices. Their memory is used again.
func (s *stack[T]) reset() { s.all = s.all[:0] }
