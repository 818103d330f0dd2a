package pager

import (
	"unicode"
	"unicode/utf8"
)

// A kind is what the whole text of a link says.
type kind uint8

const (
	kindNone     kind = iota // says nothing about pages
	kindNumber               // a page number, perhaps with the word for page
	kindNext                 // directions
	kindPrev                 //
	kindFirst                //
	kindLast                 //
	kindOlder                // directions in time
	kindNewer                //
	kindMore                 // load more
	kindAll                  // all on one page
	kindNextItem             // the next article
	kindPrevItem             //
	kindPage                 // the word for page alone
	kindPageOf               // "page 2 of 7", "1-20"
	kindLetter               // one letter, as in an index from A to Z
	kindArrow                // an arrow alone
	kindEmpty                // nothing
	numKinds
)

// An arrow is the direction in which the arrows of a text point.
type arrow uint8

const (
	arrowNone arrow = iota
	arrowRight
	arrowLeft
	arrowFarRight // doubled, or with a bar
	arrowFarLeft
	arrowBoth
)

func (a arrow) isFar() bool { return a == arrowFarRight || a == arrowFarLeft }

// A reading is what the text of a link says.
type reading struct {
	kind    kind
	arrow   arrow
	exact   bool  // every word of the text is known
	runes   uint8 // length, capped
	unknown uint8 // words that are not known, capped
	page    bool  // a word for page stands beside others
	lone    bool  // it is one word
	loose   bool  // of kindNewer: it may be a section of what is new
	number  int32 // of kindNumber and kindPageOf, else -1
}

// Bounds of a text that can be a pager's.
const (
	maxPagerText  = 96      // bytes
	maxUnknown    = 3       // words that the lexicon does not have
	maxPageNumber = 9999999 // a larger number is an identifier
)

// read returns what the text of a link, with white space folded, says. Texts
// longer than a pager's are not read to their end.
func read(s string) reading {
	if len(s) > maxPagerText {
		return reading{runes: 255, unknown: 255, number: -1}
	}
	if s == "" {
		return reading{kind: kindEmpty, exact: true, number: -1}
	}
	t := scanner{text: s, number: -1}
	if !t.scan() {
		return reading{runes: 255, unknown: 255, number: -1}
	}
	return t.reading()
}

// A scanner reads the words, numbers and arrows of one text.
type scanner struct {
	text  string
	word  [maxPagerText + utf8.UTFMax]byte
	n     int  // of word
	small bool // the word ends in a small letter
	dense bool // the word is of a script without blanks

	senses            sense
	words, unknown    int
	letter            bool // the only word is one letter
	number            int32
	numbers           int
	left, right, bars int
	runes             int
}

// scan reads the text and reports whether it can be a pager's: it gives up at
// the fourth word that it does not know, as a title has them.
func (t *scanner) scan() bool {
	for i := 0; i < len(t.text); {
		if t.unknown > maxUnknown {
			return false
		}
		if n := t.readLetters(t.text[i:]); n > 0 {
			i += n
			continue
		}
		r, size := rune(t.text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(t.text[i:])
		}
		t.runes++
		if d := digit(r); d >= 0 {
			t.endWord()
			i += t.readNumber(t.text[i:])
			continue
		}
		t.take(r)
		i += size
	}
	t.endWord()
	return true
}

// readLetters takes the letters of ASCII that s begins with, most of what links
// say, and returns how many there are.
func (t *scanner) readLetters(s string) int {
	n := 0
	if !t.dense { // small letters go on with the word, whatever it is
		room := t.word[t.n:]
		for n < len(s) && n < len(room) && s[n]-'a' < 26 {
			room[n] = s[n]
			n++
		}
		t.n += n
		t.small = t.small || n > 0
	}
	for ; n < len(s); n++ {
		c := s[n] | 0x20
		if c < 'a' || c > 'z' {
			break
		}
		if t.n > 0 && (n == 0 && t.dense || t.small && s[n] < 'a') {
			t.endWord() // elements without a blank between run together: PageNext
		}
		t.small = s[n] >= 'a'
		if t.n <= maxPagerText {
			t.word[t.n] = c
			t.n++
		}
	}
	if n > 0 {
		t.dense = false
		t.runes += n
	}
	return n
}

func (t *scanner) take(r rune) {
	switch {
	case r == '#', r == '$', r == '€', r == '£', r == '¥', r == '₽', r == '%', r == '°', r == '+', r == '§', r == '№', r == '×', r > '¥' && unicode.Is(unicode.Sc, r): // a number, but no page's
		t.endWord()
		t.unknown++
	case r < utf8.RuneSelf && r != '<' && r != '>' && r != '|':
		if r != '-' && r != '\'' || t.n == 0 {
			t.endWord()
		}
	case r == 'İ':
		t.add('i', false)
	case unicode.IsLetter(r) || unicode.IsMark(r) || r == '\u200c':
		small := unicode.ToLower(r)
		if t.n > 0 && t.small && small != r {
			t.endWord()
		}
		t.add(small, hasNoBlanks(r))
		t.small = small == r
	default:
		t.endWord()
		t.point(r)
	}
}

// add appends a letter to the word; where a script with blanks meets one
// without, a new word begins.
func (t *scanner) add(r rune, dense bool) {
	if t.n > 0 && dense != t.dense {
		t.endWord()
	}
	if t.n > maxPagerText {
		return // unreachable unless lower case is longer than upper case
	}
	t.dense = dense
	t.n += utf8.EncodeRune(t.word[t.n:], r)
}

func (t *scanner) endWord() {
	if t.n == 0 {
		return
	}
	w := t.word[:t.n]
	t.n, t.small = 0, false
	t.words++
	if t.dense {
		senses, unknown := sensesOfRun(w)
		t.senses |= senses
		t.unknown += (unknown + 1) / 2
		return
	}
	is := senseOfWord(w)
	t.senses |= is
	if is == 0 {
		t.unknown++
		t.letter = len(w) <= utf8.UTFMax && utf8.RuneCount(w) == 1
	}
}

// readNumber reads the number at the start of s, with marks between groups of
// three digits, and returns its length.
func (t *scanner) readNumber(s string) int {
	n, digits, i := int64(0), 0, 0
	for i < len(s) {
		r, size := utf8.DecodeRuneInString(s[i:])
		d := digit(r)
		if d < 0 {
			if !groupMark(r) || digits == 0 || digits > 3 && r == ' ' || !threeDigits(s[i+size:]) {
				if r == '.' && startsWithDigit(s[i+size:]) {
					t.unknown++ // a price, a version, a date
				}
				break
			}
			i += size
			continue
		}
		digits++
		n = min(n*10+int64(d), maxPageNumber+1)
		i += size
	}
	t.numbers++
	if t.number < 0 {
		t.number = int32(n)
	}
	t.runes += digits - 1
	return i
}

// threeDigits reports whether exactly three digits lead s.
func threeDigits(s string) bool {
	for n := 0; ; n++ {
		r, size := utf8.DecodeRuneInString(s)
		if size == 0 || digit(r) < 0 {
			return n == 3
		}
		s = s[size:]
	}
}

func startsWithDigit(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return digit(r) >= 0
}

func groupMark(r rune) bool {
	switch r {
	case ',', '.', '\'', ' ', '\u00a0', '\u202f', '\u066c':
		return true
	}
	return false
}

// digit returns the value of a decimal digit of any script that pagers are
// written in, or -1.
func digit(r rune) int {
	switch {
	case r < '0':
		return -1
	case r <= '9':
		return int(r - '0')
	case r < 0x0660:
		return -1
	}
	for _, zero := range digitZeros {
		if zero <= r && r <= zero+9 {
			return int(r - zero)
		}
	}
	return -1
}

// digitZeros are the digits 0: Arabic, Persian, Devanagari, Bengali, Gurmukhi,
// Gujarati, Oriya, Tamil, Telugu, Kannada, Malayalam, Thai, Lao, Tibetan,
// Burmese, Khmer, full width.
var digitZeros = [...]rune{
	0x0660, 0x06F0, 0x0966, 0x09E6, 0x0A66, 0x0AE6, 0x0B66, 0x0BE6, 0x0C66, 0x0CE6, 0x0D66, 0x0E50, 0x0ED0, 0x0F20, 0x1040, 0x17E0, 0xFF10,
}

// point takes an arrow; other signs say nothing.
func (t *scanner) point(r rune) {
	switch r {
	case '>', '›', '→', '▶', '►', '❯', '＞', '❱', '⟩', '〉', '▸', '▷', '➡', '➜', '➔', '➤', '➝', '🡒', '⮞', '⇨', '⟶', '˃', '⏵':
		t.right++
	case '»', '≫', '⇒', '⏩', '⨠', '》':
		t.right += 2
	case '<', '‹', '←', '◀', '◄', '❮', '＜', '❰', '⟨', '〈', '◂', '◁', '⬅', '🡐', '⮜', '⇦', '⟵', '˂', '⏴':
		t.left++
	case '«', '≪', '⇐', '⏪', '《':
		t.left += 2
	case '|', '｜', '⏐':
		t.bars++
	case '⇥', '⏭':
		t.right, t.bars = t.right+1, t.bars+1
	case '⇤', '⏮':
		t.left, t.bars = t.left+1, t.bars+1
	}
}

func (t *scanner) arrow() arrow {
	switch {
	case t.left > 0 && t.right > 0:
		return arrowBoth
	case t.right > 2 || t.right > 0 && t.bars > 0:
		return arrowFarRight
	case t.left > 2 || t.left > 0 && t.bars > 0:
		return arrowFarLeft
	case t.right > 0:
		return arrowRight
	case t.left > 0:
		return arrowLeft
	}
	return arrowNone
}

func (t *scanner) reading() reading {
	r := reading{
		arrow: t.arrow(), exact: t.unknown == 0, number: -1,
		runes: uint8(min(t.runes, 255)), unknown: uint8(min(t.unknown, 255)),
	}
	r.kind = t.kind(r.arrow)
	r.lone = t.words == 1 && t.numbers == 0
	r.loose = t.senses&(senseLoose|senseMore) == senseLoose
	r.page = t.senses&sensePage != 0 && r.kind != kindPage
	if r.kind == kindNumber || r.kind == kindPageOf {
		r.number = t.number
	}
	return r
}

func (t *scanner) kind(a arrow) kind {
	s := t.senses
	switch {
	case t.words == 0 && t.numbers == 0 && a != arrowNone:
		return kindArrow
	case t.words == 0 && t.numbers == 0:
		return kindNone
	case t.numbers == 1 && s&^(sensePage|senseFill) == 0 && t.number <= maxPageNumber && (t.unknown == 0 || t.unknown == 1 && s == sensePage):
		return kindNumber
	case t.numbers == 1 && s&senseRows != 0 && s&^(sensePage|senseFill|senseRows) == 0:
		return kindNone
	case t.unknown == 0 && t.numbers > 1 && s&^(sensePage|senseFill|senseOf|senseRows) == 0:
		return kindPageOf
	case t.numbers == 0 && t.words == 1 && t.letter:
		return kindLetter
	case t.unknown > 2:
		return kindNone
	}
	return directed(s)
}

// directed returns the kind of a text whose words say s together.
func directed(s sense) kind {
	if s&senseBoth != 0 && s&(senseOlder|senseNewer) == 0 {
		s |= senseItem
	}
	if s&senseItem != 0 {
		switch {
		case s&(senseNext|senseNewer) != 0:
			return kindNextItem
		case s&(sensePrev|senseOlder) != 0:
			return kindPrevItem
		}
		return kindNone
	}
	for _, d := range [...]struct {
		is   sense
		kind kind
	}{
		{senseAll, kindAll},
		{senseOlder, kindOlder},
		{senseNewer, kindNewer},
		{senseNext, kindNext},
		{sensePrev, kindPrev},
		{senseFirst, kindFirst},
		{senseLast, kindLast},
		{senseMore, kindMore},
		{sensePage, kindPage},
	} {
		if s&d.is != 0 {
			return d.kind
		}
	}
	return kindNone
}

// blind makes r what it would be if no word in it were known.
func (r *reading) blind() {
	switch r.kind {
	case kindNumber, kindPageOf, kindLetter, kindArrow, kindEmpty, kindNone:
		return
	}
	r.kind, r.exact, r.page = kindNone, false, false
	r.unknown = max(r.unknown, 1)
}
