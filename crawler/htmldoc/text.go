package htmldoc

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// A foldedText collects text with runs of white space folded to one blank and
// none at either end. Unlike HTML's own folding it takes all white space of
// Unicode, since a no-break space between "Next" and "»" tells a crawler
// nothing.
type foldedText struct {
	buf []byte
	gap bool // white space is due before the next word
}

// reset empties the buffer for the next page.
func (t *foldedText) reset() {
	t.buf, t.gap = recycled(t.buf, keepBytes), false
}

// breakWord parts the words before and after it.
func (t *foldedText) breakWord() { t.gap = true }

// add appends s. NULs vanish, as they do in the body of a document
// [WHATWG-HTML §13.2.6.4.7].
func (t *foldedText) add(s []byte) {
	for len(s) > 0 {
		if n := blank(s); n > 0 {
			t.gap = t.gap || s[0] != 0
			s = s[n:]
			continue
		}
		n := words(s)
		if t.gap && len(t.buf) > 0 {
			t.buf = append(t.buf, ' ')
		}
		t.gap = false
		t.buf = append(t.buf, s[:n]...)
		s = s[n:]
	}
}

// Classes of bytes in text.
const (
	inWord   = iota
	isBlank  // ASCII white space and NUL
	mayBlank // first byte of a longer character that may be white space
)

var byteClass = [256]uint8{
	0: isBlank, '\t': isBlank, '\n': isBlank, '\v': isBlank, '\f': isBlank, '\r': isBlank, ' ': isBlank,
	0xC2: mayBlank, 0xE1: mayBlank, 0xE2: mayBlank, 0xE3: mayBlank,
}

// words returns the length of the longest prefix of s, which does not start
// with white space, that needs no folding: words with single blanks between.
func words(s []byte) int {
	for i := 0; i < len(s); {
		if n := plainWords(s[i:]); n > 0 {
			i += n
			continue
		}
		for end := min(i+8, len(s)); i < end; i++ {
			switch byteClass[s[i]] {
			case isBlank:
				if s[i] != ' ' || i+1 == len(s) || byteClass[s[i+1]] != inWord {
					return i
				}
			case mayBlank:
				if i > 0 && blank(s[i:]) > 0 {
					return i
				}
			}
		}
	}
	return len(s)
}

// plainWords looks at the first eight bytes of s at once and returns how many of
// them are words of ASCII with single blanks between, which is most of what
// pages say: 8, or 7 where the last is a blank of which it is not known what
// follows; 0 for anything else. What stands before s is no blank.
func plainWords(s []byte) int {
	if len(s) < 8 {
		return 0
	}
	const ones, tops = 0x0101010101010101, 0x8080808080808080 // one in each byte, the top bit of each
	x := binary.LittleEndian.Uint64(s)
	// A byte's top bit stays set by the subtraction where the byte is not less.
	low := ^((x | tops) - 0x21*ones) & tops
	blanks := ^(((x ^ 0x20*ones) | tops) - ones) & tops
	if x&tops != 0 || low != blanks || blanks&(blanks<<8) != 0 {
		return 0
	}
	return 8 - int(blanks>>63)
}

// blank returns the length of the white space character or NUL that s starts
// with, 0 if it starts with another.
func blank(s []byte) int {
	switch byteClass[s[0]] {
	case isBlank:
		return 1
	case mayBlank:
		switch r, n := utf8.DecodeRune(s); {
		case r == 0x85, r == 0xA0, r == 0x1680, 0x2000 <= r && r <= 0x200A,
			r == 0x2028, r == 0x2029, r == 0x202F, r == 0x205F, r == 0x3000:
			return n
		}
	}
	return 0
}

// cut returns the longest prefix of s of at most n bytes that does not end
// inside a rune.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// fingerprint returns a 64-bit hash of s that never changes: it is stored in
// crawl files. Each 8 bytes are mixed in by one 64×64 multiplication whose
// halves are folded together, the construction of wyhash; 0 means no text.
func fingerprint(s []byte) uint64 {
	if len(s) == 0 {
		return 0
	}
	const k0, k1 = 0xa0761d6478bd642f, 0xe7037ed1a0b428db // odd, half of the bits set
	h := uint64(len(s)) ^ k0
	for len(s) >= 8 {
		h = mix(h^binary.LittleEndian.Uint64(s), k1)
		s = s[8:]
	}
	var tail [8]byte
	copy(tail[:], s)
	return max(mix(mix(h^binary.LittleEndian.Uint64(tail[:]), k1), k0), 1)
}

func mix(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return hi ^ lo
}
