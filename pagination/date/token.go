package date

import (
	"unicode"
	"unicode/utf8"
)

// A token is a numeral, a word or a symbol of the text; spaces are none.
type token struct {
	start, end uint32 // bytes of the text
	val        uint32 // the numeral's value or the folded symbol
	lex        uint16 // the word's place in lexicon, 0 if unknown
	kind       tokenKind
	digits     uint8 // of a numeral, at most 255
	spaced     bool  // white space stands before it
	spaceless  bool  // a word of a script that puts no spaces between words
	persian    bool  // a numeral in Persian digits
}

type tokenKind uint8

const (
	kindSymbol tokenKind = iota
	kindNumber
	kindWord
)

func (t *token) entry() *entry        { return &lexicon[t.lex] }
func (t *token) isSymbol(r rune) bool { return t.kind == kindSymbol && t.val == uint32(r) }

// maxWord is the length in folded bytes of the longest word looked up.
const maxWord = 48

// tokenize appends the tokens of text to toks. It reports whether the text
// can hold a date at all: whether it has a numeral or a word that names a day.
func tokenize(text string, toks []token) (_ []token, hopeful bool) {
	spaced, heads := false, false
	for i := 0; i < len(text); {
		r, size := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[i:])
		}
		t := token{start: uint32(i), spaced: spaced}
		spaced = false
		switch class := classify(r); class {
		case classSpace:
			spaced = true
			i += size
			continue
		case classDigit:
			i = t.number(text, i)
			hopeful = true
		case classLetter, classSpaceless:
			t.kind = kindWord
			if class == classSpaceless {
				i = t.segment(text, i)
				t.end = uint32(i)
				if joinUnknown(toks, &t) {
					continue
				}
			} else {
				i = t.word(text, i)
			}
			e := t.entry()
			heads = heads || e.is(roleHead)
			hopeful = hopeful || e.day != 0 || e.weekday != 0 || e.number != 0 || e.unit != 0 || e.is(roleHead|roleNow)
		default:
			t.val = uint32(foldSymbol(r))
			i += size
		}
		t.end = uint32(i)
		toks = append(toks, t)
	}
	if heads {
		toks = joinPhrases(text, toks)
	}
	return toks, hopeful
}

// joinUnknown lengthens the last token by t if both are parts of the same
// unknown word.
func joinUnknown(toks []token, t *token) bool {
	if len(toks) == 0 || t.lex != 0 || t.spaced {
		return false
	}
	last := &toks[len(toks)-1]
	if last.kind != kindWord || last.lex != 0 || !last.spaceless {
		return false
	}
	last.end = t.end
	return true
}

// number reads the numeral at text[i:] and returns where it ends.
func (t *token) number(text string, i int) int {
	t.kind = kindNumber
	for i < len(text) {
		r, size := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[i:])
		}
		d := digit(r)
		if d < 0 {
			break
		}
		t.persian = t.persian || 0x6F0 <= r && r <= 0x6F9
		if t.digits < 9 {
			t.val = t.val*10 + uint32(d)
		}
		if t.digits < 255 {
			t.digits++
		}
		i += size
	}
	return i
}

// word reads the word at text[i:] and returns where it ends.
func (t *token) word(text string, i int) int {
	var buf [maxWord + utf8.UTFMax]byte
	n, h := 0, uint32(hashSeed)
	for i < len(text) {
		r, size := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[i:])
		}
		if classify(r) != classLetter {
			break
		}
		i += size
		if n > maxWord {
			continue
		}
		f := fold(r)
		if f == 0 {
			continue
		}
		if f < utf8.RuneSelf {
			buf[n] = byte(f)
			n++
			h = hashByte(h, byte(f))
			continue
		}
		for end := n + utf8.EncodeRune(buf[n:], f); n < end; n++ {
			h = hashByte(h, buf[n])
		}
	}
	if n <= maxWord {
		t.lex = find(h, buf[:n])
	}
	return i
}

// segment reads the longest known word at text[i:], or else one letter, and
// returns where it ends.
func (t *token) segment(text string, i int) int {
	t.spaceless = true
	r, size := utf8.DecodeRuneInString(text[i:])
	end := i + size
	if !mayStart(r) {
		return end
	}
	var buf [maxWord + utf8.UTFMax]byte
	n, h := 0, uint32(hashSeed)
	for j := i; j < len(text) && n <= maxWord-utf8.UTFMax; {
		r, size = utf8.DecodeRuneInString(text[j:])
		if !spaceless(r) {
			break
		}
		for next := n + utf8.EncodeRune(buf[n:], r); n < next; n++ {
			h = hashByte(h, buf[n])
		}
		j += size
		if lex := find(h, buf[:n]); lex != 0 {
			t.lex, end = lex, j
		}
	}
	return end
}

// joinPhrases makes one token of each phrase that the lexicon has, the longest
// first. It works in place.
func joinPhrases(text string, toks []token) []token {
	out := toks[:0]
	for i := 0; i < len(toks); i++ {
		t := toks[i]
		if t.kind == kindWord && t.entry().is(roleHead) {
			i += t.extend(text, toks[i+1:])
		}
		out = append(out, t)
	}
	return out
}

// maxPhrase bounds the words of a phrase.
const maxPhrase = 5

// extend lengthens t to the longest phrase that it begins and returns the
// number of tokens of rest that it took.
func (t *token) extend(text string, rest []token) int {
	var buf [maxWord + 1 + utf8.UTFMax]byte
	n, h := 0, uint32(hashSeed)
	add := func(from, to uint32) bool {
		for _, r := range text[from:to] {
			f := fold(r)
			if f == 0 {
				continue
			}
			if n >= maxWord {
				return false
			}
			for end := n + utf8.EncodeRune(buf[n:], f); n < end; n++ {
				h = hashByte(h, buf[n])
			}
		}
		return true
	}
	add(t.start, t.end)
	taken, words := 0, 1
	for k := 0; k < len(rest) && words < maxPhrase; k++ {
		if rest[k].kind == kindSymbol {
			if !joins(&rest[k]) || k+1 == len(rest) || rest[k+1].spaced {
				break
			}
			continue
		}
		buf[n], h = ' ', hashByte(h, ' ')
		n++
		if !add(rest[k].start, rest[k].end) {
			break
		}
		words++
		if lex := find(h, buf[:n]); lex != 0 {
			t.lex, t.end, taken = lex, rest[k].end, k+1
		}
	}
	return taken
}

// joins reports whether t may stand between two words of a phrase.
func joins(t *token) bool {
	return !t.spaced && (t.val == '\'' || t.val == '-' || t.val == '.')
}

type class uint8

const (
	classSymbol class = iota
	classSpace
	classDigit
	classLetter
	classSpaceless
)

// ascii classifies the first 128 runes.
var ascii = [128]class{
	'\t': classSpace, '\n': classSpace, '\v': classSpace, '\f': classSpace, '\r': classSpace, ' ': classSpace,
	'0': classDigit, '1': classDigit, '2': classDigit, '3': classDigit, '4': classDigit,
	'5': classDigit, '6': classDigit, '7': classDigit, '8': classDigit, '9': classDigit,
	'a': classLetter, 'b': classLetter, 'c': classLetter, 'd': classLetter, 'e': classLetter, 'f': classLetter,
	'g': classLetter, 'h': classLetter, 'i': classLetter, 'j': classLetter, 'k': classLetter, 'l': classLetter,
	'm': classLetter, 'n': classLetter, 'o': classLetter, 'p': classLetter, 'q': classLetter, 'r': classLetter,
	's': classLetter, 't': classLetter, 'u': classLetter, 'v': classLetter, 'w': classLetter, 'x': classLetter,
	'y': classLetter, 'z': classLetter,
	'A': classLetter, 'B': classLetter, 'C': classLetter, 'D': classLetter, 'E': classLetter, 'F': classLetter,
	'G': classLetter, 'H': classLetter, 'I': classLetter, 'J': classLetter, 'K': classLetter, 'L': classLetter,
	'M': classLetter, 'N': classLetter, 'O': classLetter, 'P': classLetter, 'Q': classLetter, 'R': classLetter,
	'S': classLetter, 'T': classLetter, 'U': classLetter, 'V': classLetter, 'W': classLetter, 'X': classLetter,
	'Y': classLetter, 'Z': classLetter,
}

func classify(r rune) class {
	switch {
	case r < 0x80:
		return ascii[r]
	case r < 0xC0:
		return classifyLatin1(r)
	case r == 0xD7 || r == 0xF7 || apostrophe(r):
		return classSymbol
	case r < 0x600:
		return classLetter
	case digit(r) >= 0:
		return classDigit
	case spaceless(r):
		return classSpaceless
	case 0x2000 <= r && r < 0x2C00:
		return classifyPunctuation(r)
	case 0x3000 <= r && r < 0x3040:
		return classifyPunctuation(r)
	case r == 0x60C || r == 0x61B || r == 0x61F || r == 0x6D4 || r == 0x66A || r == 0x964:
		return classSymbol
	case r == 0x1680 || r == 0xFEFF:
		return classSpace
	case 0xFF00 <= r && r < 0xFF21, 0xFF3B <= r && r < 0xFF41, 0xFF5B <= r && r < 0xFF66:
		return classSymbol
	case r >= 0x1F000 || r == utf8.RuneError:
		return classSymbol
	}
	return classLetter
}

func classifyLatin1(r rune) class {
	switch r {
	case 0x85, 0xA0:
		return classSpace
	case 'ª', 'º', 'µ':
		return classLetter
	}
	return classSymbol
}

func classifyPunctuation(r rune) class {
	switch {
	case r == 0x200C || r == 0x200D:
		return classLetter // joiners stand inside words
	case r < 0x2010, 0x2028 <= r && r < 0x2030, 0x205F <= r && r < 0x2070, r == 0x3000:
		return classSpace
	}
	return classSymbol
}

// spaceless reports whether r is of a script that puts no spaces between
// words, or, as Hangul, hangs particles and units on them.
func spaceless(r rune) bool {
	switch {
	case r < 0xE00:
		return false
	case r < 0xE50:
		return true // Thai
	case 0x3040 <= r && r < 0xA000:
		return true
	}
	return 0xAC00 <= r && r < 0xD7B0 || 0xF900 <= r && r < 0xFB00
}

// digit returns the value of a decimal digit, or -1.
func digit(r rune) int {
	if r < 0x80 {
		if '0' <= r && r <= '9' {
			return int(r - '0')
		}
		return -1
	}
	for _, zero := range [...]rune{0x660, 0x6F0, 0x966, 0x9E6, 0xA66, 0xAE6, 0xB66, 0xBE6, 0xC66, 0xCE6, 0xD66, 0xE50, 0xED0, 0x1040, 0x17E0, 0xFF10} {
		if r < zero {
			return -1
		}
		if r <= zero+9 {
			return int(r - zero)
		}
	}
	return -1
}

// apostrophe reports whether r is one of the signs that are written for an
// apostrophe.
func apostrophe(r rune) bool {
	switch r {
	case '\'', '`', '´', 'ʹ', 'ʻ', 'ʼ', 'ʽ', '՚', '‘', '’', '‛', '′', '‵', 'ꞌ', '＇':
		return true
	}
	return false
}

// foldSymbol takes fullwidth and typographic forms for the ASCII ones.
func foldSymbol(r rune) rune {
	switch {
	case r < 0x80:
		return r
	case apostrophe(r):
		return '\''
	case 0xFF01 <= r && r <= 0xFF5E:
		return r - 0xFF01 + '!'
	case 0x2010 <= r && r <= 0x2015 || r == 0x2212:
		return '-'
	case r == '、' || r == '،':
		return ','
	case r == '。' || r == '۔':
		return '.'
	case r == '∶':
		return ':'
	case r == '⁄' || r == '∕':
		return '/'
	case unicode.Is(unicode.Ps, r):
		return '('
	case unicode.Is(unicode.Pe, r):
		return ')'
	}
	return r
}
