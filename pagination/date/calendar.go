package date

// A calendar counts years and months; the zero value is the Gregorian one.
type calendar uint8

const (
	gregorian calendar = iota
	buddhist
	solarHijri
)

// buddhistEra is the year before the first of the Thai solar calendar's count.
const buddhistEra = 543

// eraYear returns the Gregorian year of year n of a Japanese era or of the
// Republic of China; n itself for no era.
func eraYear(era role, n int) int {
	switch era {
	case roleReiwa:
		return 2018 + n
	case roleHeisei:
		return 1988 + n
	case roleShowa:
		return 1925 + n
	case roleMinguo:
		return 1911 + n
	}
	return n
}

// plausible reports whether a page may be of the Gregorian year.
func plausible(year int) bool { return 1800 <= year && year < 2200 }

// daysIn returns the length of a Gregorian month.
func daysIn(year, month int) int {
	switch month {
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	case 4, 6, 9, 11:
		return 30
	}
	return 31
}

// fromSolarHijri returns the Gregorian date of a Solar Hijri one, by the
// 33-year cycle, which agrees with the observed calendar from 1342 to 1472
// (1963 to 2093).
func fromSolarHijri(year, month, day int) (gYear, gMonth, gDay int) {
	// Days since the Gregorian 1 January 1; Nowruz of year 1 came 226,894 days
	// after that.
	n := 226893 + 365*(year-1) + (8*year+21)/33 + day
	if month <= 7 {
		n += 31 * (month - 1)
	} else {
		n += 30*(month-1) + 6
	}
	gYear = 400*(n/146097) + 1
	n %= 146097
	for {
		length := 365
		if daysIn(gYear, 2) == 29 {
			length = 366
		}
		if n < length {
			break
		}
		n -= length
		gYear++
	}
	for gMonth = 1; n >= daysIn(gYear, gMonth); gMonth++ {
		n -= daysIn(gYear, gMonth)
	}
	return gYear, gMonth, n + 1
}
