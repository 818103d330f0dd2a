package date

// A role is something that a word can do in a date besides naming a month, a
// weekday, a unit, a number or a day. The names are those of lexicon.txt.
type role uint64

const (
	roleAgoBefore role = 1 << iota
	roleAgoAfter
	roleAgoWhole // like ago>, but only where the phrase fills the text
	roleAgoPair  // stands before the amount and needs an ago> word after it
	roleInBefore
	roleInAfter
	roleAbout
	roleAnd
	roleHalf      // before a unit, or before its number: "half an hour"
	rolePartitive // between a number and its unit
	roleNow
	roleLastBefore
	roleLastAfter
	roleNextBefore
	roleNextAfter
	roleAt
	roleClockDot // allows a dot between hour and minute
	roleAM
	rolePM
	roleNoon
	roleMidnight
	roleHourMark
	roleMinuteMark
	roleSecondMark
	roleYearMark
	roleMonthMark
	roleDayMark
	roleOf
	roleOrdinal
	roleYearWord
	roleDayWord
	roleMonthWord
	roleBuddhist
	roleReiwa
	roleHeisei
	roleShowa
	roleMinguo
	roleBy      // before an author
	roleLead    // may stand before "yesterday"
	roleVersion // before a numeral: no date
	roleMeasure // after a numeral: no date
	roleZone
	roleJalali // the month is one of the Solar Hijri calendar
	roleHead   // begins a phrase
	roleMore   // the next entry is another meaning of the same word
	roleWeakMonth
	roleYearMonth // a month only with a year
	roleWeakWeekday
	roleWeakUnit
	roleWeakDay // needs a clock
)

// unit is a length of time; the zero value is none.
type unit uint8

const (
	unitNone unit = iota
	unitSecond
	unitMinute
	unitHour
	unitDay
	unitWeek
	unitMonth
	unitYear
	unitDecade
)

// An entry is one word, or one phrase with single spaces, with all that it can
// mean. Where two languages disagree over a word, the second meaning is the
// next entry of the table.
type entry struct {
	word      string // folded
	langs     uint64 // where it has the meanings below; a bit per language, see langBit
	roleLangs uint64 // where it has its roles
	roles     role
	zone      int16 // minutes east of UTC, with roleZone
	month     uint8 // 1 to 12
	weekday   uint8 // 1 is Monday
	unit      unit
	number    uint8
	day       uint8 // 1 is the day before yesterday, 3 today
}

func (e *entry) is(r role) bool { return e.roles&r != 0 }

// hashSeed and hashByte are FNV-1a.
const hashSeed = 2166136261

func hashByte(h uint32, c byte) uint32 { return (h ^ uint32(c)) * 16777619 }

// find returns the index in lexicon of the first meaning of the folded word,
// whose hash is h, or 0.
func find(h uint32, word []byte) uint16 {
	for at := slot(h); ; at = (at + 1) % uint32(len(lexiconIndex)) {
		n := lexiconIndex[at]
		if n == 0 || lexicon[n].word == string(word) {
			return n
		}
	}
}

func slot(h uint32) uint32 { return (h ^ h>>15) % uint32(len(lexiconIndex)) }

// mayStart reports whether a word of a script without spaces may begin with
// the folded rune r.
func mayStart(r rune) bool { return starters[r>>6%64]>>(uint(r)%64)&1 != 0 }

// langBit returns the bit of a language tag's primary subtag, or 0.
func langBit(tag string) uint64 {
	if tag == "" {
		return 0
	}
	primary := tag
	for i := range len(tag) {
		if tag[i] == '-' || tag[i] == '_' {
			primary = tag[:i]
			break
		}
	}
	var lower [3]byte
	if len(primary) > len(lower) {
		return 0
	}
	for i := range len(primary) {
		lower[i] = byte(fold(rune(primary[i])))
	}
	for i, l := range languages {
		if l == string(lower[:len(primary)]) {
			return 1 << i
		}
	}
	return 0
}
