package date

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"go/format"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite lexicon_table.go")

// TestTableIsCompiledFromLexicon holds lexicon_table.go to lexicon.txt.
func TestTableIsCompiledFromLexicon(t *testing.T) {
	src, err := os.ReadFile("lexicon.txt")
	if err != nil {
		t.Fatal(err)
	}
	c := newCompiler()
	for n, line := range strings.Split(string(src), "\n") {
		if err := c.line(line); err != nil {
			t.Fatalf("lexicon.txt:%d: %v", n+1, err)
		}
	}
	want, err := c.source()
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("lexicon_table.go", want, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile("lexicon_table.go")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("lexicon_table.go is not what lexicon.txt says; run this test with -update")
	}
}

// indexSize is a power of two, so that the modulus is a mask.
const indexSize = 1 << 14

var kindRoles = map[string]role{
	"ago<": roleAgoBefore, "ago>": roleAgoAfter, "agowhole": roleAgoWhole, "agopair": roleAgoPair, "in<": roleInBefore, "in>": roleInAfter,
	"about": roleAbout, "and": roleAnd, "half": roleHalf, "partitive": rolePartitive, "now": roleNow,
	"last<": roleLastBefore, "last>": roleLastAfter, "next<": roleNextBefore, "next>": roleNextAfter,
	"at": roleAt, "clockdot": roleClockDot, "am": roleAM, "pm": rolePM, "noon": roleNoon, "midnight": roleMidnight,
	"hourmark": roleHourMark, "minutemark": roleMinuteMark, "secondmark": roleSecondMark,
	"yearmark": roleYearMark, "monthmark": roleMonthMark, "daymark": roleDayMark,
	"of": roleOf, "ordinal": roleOrdinal, "yearword": roleYearWord, "dayword": roleDayWord, "monthword": roleMonthWord,
	"buddhist": roleBuddhist, "reiwa": roleReiwa, "heisei": roleHeisei, "showa": roleShowa, "minguo": roleMinguo,
	"by": roleBy, "lead": roleLead, "version": roleVersion, "measure": roleMeasure,
}

// weakRoles says what the suffixes "~" and "!" mean for a kind.
var weakRoles = map[string][2]role{
	"month": {roleWeakMonth, roleYearMonth}, "weekday": {roleWeakWeekday, 0}, "unit": {roleWeakUnit, 0}, "day": {roleWeakDay, 0},
}

// dialects are languages whose words are taken for those of a larger one, so
// that the languages fit the bits of a word.
var dialects = map[string]string{"bs": "hr", "as": "bn", "ne": "hi", "mr": "hi", "hsb": "cs", "ast": "es"}

// spokenOf are the languages that rules speak of.
var spokenOf = []string{"en", "fa", "ja", "ko", "th", "tl", "zh"}

type compiler struct {
	langs   []string
	entries []entry
	at      map[string][]int // word → its meanings, in file order
}

func newCompiler() *compiler { return &compiler{at: make(map[string][]int)} }

func (c *compiler) line(line string) error {
	line, _, _ = strings.Cut(line, "#")
	if strings.TrimSpace(line) == "" {
		return nil
	}
	head, body, ok := strings.Cut(line, ":")
	kind, lang, ok2 := strings.Cut(head, " ")
	if !ok || !ok2 {
		return fmt.Errorf("no KIND LANG: in %q", line)
	}
	for n, group := range strings.Split(body, "|") {
		for _, word := range strings.Fields(group) {
			if word == "-" {
				continue
			}
			e, err := c.meaning(kind, lang, n, &word)
			if err != nil {
				return err
			}
			c.add(word, e)
		}
	}
	return nil
}

// meaning returns what the n-th group of a line says about a word, and takes
// the suffix off the word.
func (c *compiler) meaning(kind, lang string, n int, word *string) (entry, error) {
	var e entry
	if kind == "zone" {
		east, err := strconv.Atoi(lang)
		e.roles, e.zone = roleZone, int16(east)
		return e, err
	}
	if _, ok := kindRoles[kind]; ok {
		e.roleLangs = c.lang(lang)
	} else {
		e.langs = c.lang(lang)
	}
	ordinal := uint8(n + 1)
	switch kind {
	case "month":
		e.month = ordinal
	case "jalali":
		e.month, e.roles = ordinal, roleJalali
	case "weekday":
		e.weekday = ordinal
	case "unit":
		e.unit = unit(ordinal)
	case "number":
		e.number = ordinal
	case "dual":
		e.unit, e.number = unit(ordinal), 2
	case "halfhour":
		e.unit, e.number = unitMinute, 30
	case "single":
		e.unit, e.number = unit(ordinal), 1
	case "day":
		e.day = ordinal
	default:
		r, ok := kindRoles[kind]
		if !ok || n > 0 {
			return e, fmt.Errorf("kind %q, group %d", kind, n)
		}
		e.roles = r
	}
	weak := weakRoles[kind]
	if w, ok := strings.CutSuffix(*word, "~"); ok {
		*word, e.roles = w, e.roles|weak[0]
	} else if w, ok := strings.CutSuffix(*word, "!"); ok {
		*word, e.roles = w, e.roles|weak[1]
	}
	return e, nil
}

func (c *compiler) lang(lang string) uint64 {
	if larger, ok := dialects[lang]; ok {
		lang = larger
	}
	i := slices.Index(c.langs, lang)
	if i < 0 {
		i = len(c.langs)
		c.langs = append(c.langs, lang)
	}
	return 1 << i
}

// add merges e into the first meaning of the word that it does not contradict.
func (c *compiler) add(word string, e entry) {
	e.word = foldWord(word)
	if first, _, phrase := strings.Cut(e.word, " "); phrase {
		c.add(first, entry{roles: roleHead})
	}
	for _, i := range c.at[e.word] {
		if merge(&c.entries[i], e) {
			return
		}
	}
	c.at[e.word] = append(c.at[e.word], len(c.entries))
	c.entries = append(c.entries, e)
}

func foldWord(word string) string {
	var b strings.Builder
	for _, r := range word {
		switch {
		case r == '_' || apostrophe(r):
			b.WriteByte(' ')
		case fold(r) != 0:
			b.WriteRune(fold(r))
		}
	}
	return b.String()
}

func merge(into *entry, e entry) bool {
	fits := func(a, b uint8) bool { return a == 0 || b == 0 || a == b }
	counts := func(e *entry) [2]uint8 { return [2]uint8{uint8(e.unit), e.number} }
	if a, b := counts(into), counts(&e); a != b && a != [2]uint8{} && b != [2]uint8{} {
		return false // "an" is a number or a unit, "seminggu" is both
	}
	if !fits(into.month, e.month) || !fits(into.weekday, e.weekday) || !fits(into.day, e.day) {
		return false
	}
	// A word is as strong as its strongest use.
	strong := func(has func(entry) bool, weak role) role {
		if has(*into) && into.roles&weak == 0 || has(e) && e.roles&weak == 0 {
			return weak
		}
		return 0
	}
	isMonth := func(e entry) bool { return e.month != 0 }
	drop := strong(isMonth, roleYearMonth) | strong(func(e entry) bool { return e.weekday != 0 }, roleWeakWeekday) |
		strong(func(e entry) bool { return e.unit != 0 }, roleWeakUnit)
	into.month = max(into.month, e.month)
	into.weekday = max(into.weekday, e.weekday)
	into.unit = max(into.unit, e.unit)
	into.number = max(into.number, e.number)
	into.day = max(into.day, e.day)
	into.langs |= e.langs
	into.roleLangs |= e.roleLangs
	into.roles |= e.roles
	if e.roles&roleZone != 0 {
		into.zone = e.zone
	}
	into.roles &^= drop
	return true
}

func (c *compiler) source() ([]byte, error) {
	if len(c.langs) > 64 {
		return nil, fmt.Errorf("%d languages, but 64 bits", len(c.langs))
	}
	table := []entry{{}} // index 0 is "no word"
	words := slices.SortedFunc(mapsKeys(c.at), cmp.Compare[string])
	var index [indexSize]int
	var start [64]uint64
	for _, w := range words {
		place(&index, w, len(table))
		roles, langs := c.sharedRoles(w)
		for k, i := range c.at[w] {
			e := c.entries[i]
			e.roles |= roles
			e.roleLangs = langs
			if k+1 < len(c.at[w]) {
				e.roles |= roleMore
			}
			table = append(table, e)
		}
		r := []rune(w)[0]
		if spaceless(r) {
			start[r>>6%64] |= 1 << (uint(r) % 64)
		}
	}
	var b bytes.Buffer
	fmt.Fprint(&b, "// Code generated from lexicon.txt by TestTableIsCompiledFromLexicon -update; DO NOT EDIT.\n\npackage date\n\n")
	fmt.Fprintf(&b, "// languages names the bits of entry.langs.\nvar languages = [...]string{")
	for _, l := range c.langs {
		fmt.Fprintf(&b, "%q, ", l)
	}
	fmt.Fprint(&b, "}\n\nconst (\n")
	for _, l := range spokenOf {
		fmt.Fprintf(&b, "lang%s uint64 = 1 << %d\n", strings.ToUpper(l), slices.Index(c.langs, l))
	}
	fmt.Fprint(&b, ")\n\nvar lexicon = [...]entry{\n")
	for _, e := range table {
		fmt.Fprintf(&b, "{%q, %#x, %#x, %#x, %d, %d, %d, %d, %d, %d},\n",
			e.word, e.langs, e.roleLangs, uint64(e.roles), e.zone, e.month, e.weekday, e.unit, e.number, e.day)
	}
	fmt.Fprint(&b, "}\n\n// starters has a bit for every first rune of a word in a script without spaces.\nvar starters = [...]uint64{")
	for i, s := range start {
		if i%8 == 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "%#x, ", s)
	}
	fmt.Fprint(&b, "\n}\n\n// lexiconIndex is an open hash table of places in lexicon.\nvar lexiconIndex = [...]uint16{")
	for i, n := range index {
		if i%32 == 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "%d, ", n)
	}
	fmt.Fprint(&b, "\n}\n")
	return format.Source(b.Bytes())
}

// sharedRoles returns the roles of a word and where it has them: whatever it
// means, it may also play its roles.
func (c *compiler) sharedRoles(word string) (roles role, langs uint64) {
	const ofMeaning = roleWeakMonth | roleYearMonth | roleWeakWeekday | roleWeakUnit | roleWeakDay | roleJalali
	for _, i := range c.at[word] {
		roles |= c.entries[i].roles &^ ofMeaning
		langs |= c.entries[i].roleLangs
	}
	return roles, langs
}

func place(index *[indexSize]int, word string, n int) {
	h := uint32(hashSeed)
	for i := range len(word) {
		h = hashByte(h, word[i])
	}
	at := (h ^ h>>15) % indexSize
	for index[at] != 0 {
		at = (at + 1) % indexSize
	}
	index[at] = n
}

func mapsKeys(m map[string][]int) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}
