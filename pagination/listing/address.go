package listing

import (
	"fmt"
	"strconv"
	"strings"
)

// dateInAddress returns the day that the path of a URL names, as
// "2014-05-06", or "" if it names none: /2014/05/06/, /2014-05-06 or /20140506.
func dateInAddress(url string) string {
	path := pathOf(url)
	for i := 0; i+8 <= len(path); i++ {
		if !isDigit(path[i]) || i > 0 && isDigit(path[i-1]) {
			continue
		}
		if d := dateAt(path[i:]); d != "" {
			return d
		}
	}
	return ""
}

// dateAt returns the day that s begins with.
func dateAt(s string) string {
	year, n := leadingNumber(s)
	switch {
	case n == 8 && plausibleDay(year/10000, year/100%100, year%100):
		return fmt.Sprintf("%04d-%02d-%02d", year/10000, year/100%100, year%100)
	case n != 4 || len(s) < 8 || s[4] != '/' && s[4] != '-' && s[4] != '_':
		return ""
	}
	month, m := leadingNumber(s[5:])
	rest := s[5+m:]
	if m == 0 || m > 2 || rest == "" || rest[0] != s[4] {
		return ""
	}
	d, k := leadingNumber(rest[1:])
	if k == 0 || k > 2 || !plausibleDay(year, month, d) {
		return ""
	}
	return fmt.Sprintf("%04d-%02d-%02d", year, month, d)
}

func plausibleDay(year, month, day int) bool {
	return 1990 <= year && year < 2100 && 1 <= month && month <= 12 && 1 <= day && day <= 31
}

// leadingNumber returns the number that s begins with and how many digits it
// has; one of more than nine is taken for none.
func leadingNumber(s string) (n, digits int) {
	for digits < len(s) && isDigit(s[digits]) {
		if digits == 9 {
			return 0, 0
		}
		n = 10*n + int(s[digits]-'0')
		digits++
	}
	return n, digits
}

// pathOf returns what follows the host.
func pathOf(url string) string {
	if i := strings.Index(url, "://"); i >= 0 {
		if j := strings.IndexByte(url[i+3:], '/'); j >= 0 {
			return url[i+3+j:]
		}
		return ""
	}
	return url
}

// maxNumbers is how many of the numbers in an address are looked at, from its
// end.
const maxNumbers = 2

// orderByNumbers decides the order by a number in the addresses of the items,
// if it falls from row to row: sites number what they publish. Rising numbers
// prove nothing, since chapters and lists from A to Z have them too.
func (r *reader) orderByNumbers(b *Block) bool {
	for k := range maxNumbers {
		var buf [usualRows]int64
		values := buf[:0]
		for i := range b.Rows {
			if v, ok := numberFromEnd(b.Rows[i].URL.Display, k); ok && !b.Rows[i].Pinned {
				values = append(values, v)
			}
		}
		if len(values)*10 < len(b.Rows)*9 {
			continue
		}
		t := trendOf(values, maxNumbers)
		if t.order != NewestFirst || !t.clear(maxOdds) || t.values*10 < t.rows*9 {
			continue
		}
		b.Order = NewestFirst
		b.Evidence = append(b.Evidence, fmt.Sprintf("%d numbers in the addresses of the items fall; in random order the odds are %s",
			t.rows, oddsText(t.odds)))
		return true
	}
	return false
}

// numberFromEnd returns the kth number of an address from its end.
func numberFromEnd(url string, k int) (int64, bool) {
	s := pathOf(url)
	for end := len(s); end > 0; end-- {
		if !isDigit(s[end-1]) {
			continue
		}
		from := end
		for from > 0 && isDigit(s[from-1]) {
			from--
		}
		if k--; k < 0 {
			v, err := strconv.ParseInt(s[from:end], 10, 64)
			return v, err == nil
		}
		end = from + 1
	}
	return 0, false
}
