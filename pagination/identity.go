package pagination

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"
)

// An Identity tells one series from all others. Two lists under one page
// parameter differ in Block, two orders of one list in Pattern and Sort.
type Identity struct {
	Host    string
	Pattern Pattern
	Sort    string // what the address says of the order, "name=value" by name; "" if nothing
	Block   string // signature of the item block
}

// Key returns a short name of the identity, the same in every run: 16
// hexadecimal digits.
func (id Identity) Key() string {
	h := sha256.New()
	for _, part := range []string{id.Host, id.Pattern.canonical(), id.Sort, id.Block} {
		h.Write([]byte(part))
		h.Write([]byte{0})
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// Numbered tells whether the pages have numbers, so that the address of any of
// them is known. Otherwise each page is known by the one before only.
func (id Identity) Numbered() bool { return id.Pattern.Step != 0 }

// Identify returns the identity of the series with pages under pattern and
// items in a block with the given signature. The pattern's own parameters say
// how it is sorted.
func Identify(host string, pattern Pattern, block string) Identity {
	return Identity{Host: host, Pattern: pattern, Sort: pattern.sortMode(), Block: block}
}

// A Pattern is the address of the pages of a series with the page number left
// out: Before, the number, After. The number in the address of page n is
// Origin + Step×n, so that offsets are numbers too; Step is 0 where pages have
// no numbers. The number may stand in a #! state.
type Pattern struct {
	Before, After string
	Origin, Step  int
	// FirstURL is the address of page 1 where it is not that of the pattern:
	// most lists leave the number of their first page out.
	FirstURL string
}

// URL returns the address of page n, or "" where pages have no numbers.
func (pt Pattern) URL(n int) string {
	if n == 1 && pt.FirstURL != "" {
		return pt.FirstURL
	}
	if pt.Step == 0 {
		return ""
	}
	return pt.Before + strconv.Itoa(pt.Origin+pt.Step*n) + pt.After
}

// Page returns the number of the page at url.
func (pt Pattern) Page(url string) (n int, ok bool) {
	if pt.FirstURL != "" && url == pt.FirstURL {
		return 1, true
	}
	if pt.Step == 0 || len(url) < len(pt.Before)+len(pt.After) {
		return 0, false
	}
	rest, ok := strings.CutPrefix(url, pt.Before)
	if !ok {
		return 0, false
	}
	if rest, ok = strings.CutSuffix(rest, pt.After); !ok {
		return 0, false
	}
	value, err := strconv.Atoi(rest)
	if err != nil || strconv.Itoa(value) != rest || (value-pt.Origin)%pt.Step != 0 {
		return 0, false
	}
	if n = (value - pt.Origin) / pt.Step; n < 1 {
		return 0, false
	}
	return n, true
}

// PatternOf returns the pattern of two pages of one series, numbered pageA and
// pageB, which must differ. It fails if the addresses differ in anything but
// one number that grows evenly with the page.
func PatternOf(pageA int, urlA string, pageB int, urlB string) (Pattern, bool) {
	before := commonPrefix(urlA, urlB)
	// Digits that both share belong to the number.
	for before > 0 && isDigit(urlA[before-1]) {
		before--
	}
	a, b := urlA[before:], urlB[before:]
	na, nb := digits(a), digits(b)
	if pageA == pageB || na == 0 || nb == 0 || a[na:] != b[nb:] {
		return Pattern{}, false
	}
	va, errA := strconv.Atoi(a[:na])
	vb, errB := strconv.Atoi(b[:nb])
	if errA != nil || errB != nil || (vb-va)%(pageB-pageA) != 0 {
		return Pattern{}, false
	}
	step := (vb - va) / (pageB - pageA)
	if step <= 0 {
		return Pattern{}, false
	}
	return Pattern{Before: urlA[:before], After: a[na:], Step: step, Origin: va - step*pageA}, true
}

// PatternBetween returns the pattern of a page and the one after it, and the
// number of the first, from their addresses alone: the addresses must differ in
// one number that is one more in the second, and stands where [PatternAt] finds
// page numbers.
func PatternBetween(here, next string) (pt Pattern, n int, ok bool) {
	before := commonPrefix(here, next)
	for before > 0 && isDigit(here[before-1]) {
		before--
	}
	n, err := strconv.Atoi(here[before : before+digits(here[before:])])
	if err != nil || n < 1 {
		return Pattern{}, 0, false
	}
	pt, ok = PatternAt(n+1, next)
	if !ok || pt.URL(n) != here {
		return Pattern{}, 0, false
	}
	return pt, n, true
}

// pageNames are the names of parameters that hold page numbers, most certain
// first.
var pageNames = []string{"page", "paged", "p", "pg", "pagenumber", "pageno", "pagina", "seite", "currentpage", "pn"}

// PatternAt returns the pattern of a series from the address of one page, page
// n: the parameter that is named as page numbers are and has the value n, in
// the query or in a #! state, or else the last part of the path that is n or
// ends with it after a letter, hyphen or underscore.
func PatternAt(n int, url string) (Pattern, bool) {
	number := strconv.Itoa(n)
	for _, name := range pageNames {
		for i := 0; i < len(url); i++ {
			at := i + len(name) + 1
			if i == 0 || !strings.ContainsRune("?&;!/", rune(url[i-1])) || at+len(number) > len(url) {
				continue
			}
			if strings.EqualFold(url[i:at-1], name) && (url[at-1] == '=' || url[at-1] == '/') && numberAt(url, at, number) {
				return cutNumber(url, at, n), true
			}
		}
	}
	end := len(url)
	if q := strings.IndexAny(url, "?#"); q >= 0 {
		end = q
	}
	path := 0
	if i := strings.Index(url, "://"); i >= 0 {
		if path = strings.IndexByte(url[i+3:], '/'); path < 0 {
			return Pattern{}, false
		}
		path += i + 3
	}
	for at := end - len(number); at > path; at-- {
		if numberAt(url, at, number) && at+len(number) <= end {
			return cutNumber(url, at, n), true
		}
	}
	return Pattern{}, false
}

// numberAt tells whether number stands at url[at:] and is no part of a longer
// one.
func numberAt(url string, at int, number string) bool {
	after := at + len(number)
	return strings.HasPrefix(url[at:], number) && !isDigit(url[at-1]) && (after == len(url) || !isDigit(url[after]))
}

func cutNumber(url string, at, n int) Pattern {
	return Pattern{Before: url[:at], After: url[at+len(strconv.Itoa(n)):], Step: 1}
}

// sortNames are the names of parameters that say how a list is ordered.
var sortNames = []string{
	"sort", "sortby", "sort_by", "order", "orderby", "order_by", "ordering", "sortorder", "sort_order", "dir", "direction", "sd", "sk", "o",
}

// sortMode returns the parameters of the pattern that say how the list is
// ordered, "name=value" sorted by name and joined by "&".
func (pt Pattern) sortMode() string {
	_, query, state := pt.split()
	var found []string
	for _, param := range append(params(query), params(state)...) {
		name, _, _ := strings.Cut(param, "=")
		if slices.Contains(sortNames, strings.ToLower(name)) {
			found = append(found, param)
		}
	}
	slices.Sort(found)
	return strings.Join(found, "&")
}

// slot stands for the page number in a canonical pattern. It cannot occur in
// an address.
const slot = "\x00"

// canonical returns the pattern with its parameters sorted: filters and page
// sizes are part of it, their order is not.
func (pt Pattern) canonical() string {
	path, query, state := pt.split()
	q, s := params(query), params(state)
	slices.Sort(q)
	slices.Sort(s)
	return path + "?" + strings.Join(q, "&") + "#" + strings.Join(s, "&")
}

// split returns the path, the query and the state or fragment of the pattern,
// with slot for the page number.
func (pt Pattern) split() (path, query, state string) {
	whole := pt.Before
	if pt.Step != 0 {
		whole += slot + pt.After
	}
	path, state, _ = strings.Cut(whole, "#")
	path, query, _ = strings.Cut(path, "?")
	return path, query, state
}

// params returns the parameters of a query or of a state.
func params(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune("&;?!", r) })
}

func commonPrefix(a, b string) int {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	return i
}

// digits returns how many digits s begins with.
func digits(s string) int {
	i := 0
	for i < len(s) && isDigit(s[i]) {
		i++
	}
	return i
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
