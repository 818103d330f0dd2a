package crawler

import (
	"fmt"
	"hash/maphash"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/hashcrawl/hashcrawl/urlnorm"
)

// A TrapRule is a bound beyond which a URL is taken for one of a trap: a site
// that makes up ever new URLs, by mistake or on purpose. The bounds are far
// above what people's sites have.
type TrapRule struct {
	Name  string
	Limit int    // what is still followed; 0: the rule is off
	What  string // what is counted
}

// The names of the rules. They are stored in crawl files.
const (
	trapDeepPath          = "deep-path"
	trapRepeatedSegment   = "repeated-segment"
	trapManyParameters    = "many-parameters"
	trapRepeatedParameter = "repeated-parameter"
	trapQueryPermutation  = "query-permutation"
	trapSessionID         = "session-id"
	trapCalendar          = "calendar"
	trapSameBody          = "same-body"
	trapSameText          = "same-text"
)

// trapRules are all rules with the limits that they have unless the user says
// otherwise.
var trapRules = [...]TrapRule{
	{trapDeepPath, 20, "segments in the path, or in the path of a state"},
	{trapRepeatedSegment, 3, "times that one segment stands in it"},
	{trapManyParameters, 48, "parameters in the query"},
	{trapRepeatedParameter, 3, "times that one name=value stands in it"},
	{trapQueryPermutation, 4, "orders in which one set of parameters is seen"},
	{trapSessionID, 1, "URLs that differ by nothing but the session id of known software"},
	{trapCalendar, 5, "years that the month in a URL lies ahead"},
	{trapSameBody, 50, "pages of a host with one body; the links of further ones are not followed"},
	{trapSameText, 200, "pages of a host with one text, numbers and names of months and days apart; likewise"},
}

// TrapRules returns every rule with the limit that the settings give it.
func (s *Settings) TrapRules() []TrapRule {
	rules := slices.Clone(trapRules[:])
	for i := range rules {
		if limit, changed := s.Traps[rules[i].Name]; changed {
			rules[i].Limit = limit
		}
	}
	return rules
}

// SetTrapRule changes one rule, given as name=limit or name=off.
func (s *Settings) SetTrapRule(arg string) error {
	name, value, ok := strings.Cut(arg, "=")
	limit := 0
	if ok && value != "off" {
		n, err := strconv.Atoi(value)
		ok = err == nil && n > 0
		limit = n
	}
	if !ok {
		return fmt.Errorf("%q is neither name=limit nor name=off, with a limit of 1 or more", arg)
	}
	traps := maps.Clone(s.Traps)
	if traps == nil {
		traps = map[string]int{}
	}
	traps[name] = limit
	s.Traps = traps
	return s.checkTraps()
}

// checkTraps refuses rules that do not exist and limits that mean nothing.
func (s *Settings) checkTraps() error {
	for _, name := range slices.Sorted(maps.Keys(s.Traps)) {
		if !slices.ContainsFunc(trapRules[:], func(r TrapRule) bool { return r.Name == name }) {
			return fmt.Errorf("there is no trap rule %q; --trap-rules lists them", name)
		}
		if s.Traps[name] < 0 {
			return fmt.Errorf("trap rule %s: the limit %d is negative", name, s.Traps[name])
		}
	}
	return nil
}

// traps judge URLs and pages by the trap rules. What they remember is bounded
// and is not stored: a new run learns it again, at the cost of the limits.
type traps struct {
	limit  map[string]int // read only; 0: off
	strip  func(display string) (key string, ok bool)
	queued func(key string) bool
	seed   maphash.Seed // a site cannot make hashes collide

	mu       sync.Mutex // guards what follows
	orders   variants   // of one set of parameters
	sessions variants   // of one URL without session id
	bodies   map[string]*bodyCounts
}

// newTraps returns the traps of a crawl. queued reports whether a key was ever
// queued.
func newTraps(s *Settings, queued func(key string) bool) (*traps, error) {
	t := &traps{
		limit: map[string]int{}, queued: queued, seed: maphash.MakeSeed(), bodies: map[string]*bodyCounts{},
		orders: newVariants(), sessions: newVariants(),
	}
	for _, r := range s.TrapRules() {
		t.limit[r.Name] = r.Limit
	}
	stripped := *s
	stripped.NormRules = append(slices.Clone(s.NormRules), "+session")
	n, err := stripped.Normalizer()
	if err != nil {
		return nil, err
	}
	t.strip = func(display string) (string, bool) {
		u, err := n.Resolve(nil, display, urlnorm.Charset{})
		return u.Key, err == nil
	}
	return t, nil
}

// judge returns the name of the rule that takes u for a URL of a trap, or "".
// A URL that redirects sent us to is not held to be another one's double: it
// is where that other one lives.
func (t *traps) judge(u urlnorm.URL, redirected bool, now time.Time) string {
	path, query, _ := strings.Cut(u.Target(), "?")
	if rule := t.judgePath(path); rule != "" {
		return rule
	}
	if _, state, ok := strings.Cut(u.Display, "#!"); ok {
		state, _, _ = strings.Cut(state, "?")
		if rule := t.judgePath(state); rule != "" {
			return rule
		}
	}
	if limit := t.limit[trapCalendar]; limit > 0 && monthAfter(path, query, now.Year()+limit) {
		return trapCalendar
	}
	if rule := t.judgeSession(u, redirected); rule != "" {
		return rule
	}
	if strings.IndexByte(query, '&') >= 0 {
		return t.judgeQuery(u, path, query)
	}
	return ""
}

// judgePath applies the rules that count segments.
func (t *traps) judgePath(path string) string {
	n := strings.Count(path, "/")
	if limit := t.limit[trapDeepPath]; limit > 0 && n > limit {
		return trapDeepPath
	}
	if limit := t.limit[trapRepeatedSegment]; limit > 0 && n > limit && repeats(path, "/") > limit {
		return trapRepeatedSegment
	}
	return ""
}

// judgeQuery applies the rules that compare parameters, of which there are at
// least two.
func (t *traps) judgeQuery(u urlnorm.URL, path, query string) string {
	n := strings.Count(query, "&") + 1
	if limit := t.limit[trapManyParameters]; limit > 0 && n > limit {
		return trapManyParameters
	}
	if limit := t.limit[trapRepeatedParameter]; limit > 0 && n > limit && repeats(query, "&") > limit {
		return trapRepeatedParameter
	}
	limit := t.limit[trapQueryPermutation]
	if limit == 0 {
		return ""
	}
	params := strings.Split(query, "&")
	slices.Sort(params)
	params = slices.Compact(params)
	set := t.hash(append(params, path, u.Origin())...)
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.orders.admit(set, t.hash(u.Key), limit) {
		return trapQueryPermutation
	}
	return ""
}

// hash returns a hash of strings in their order.
func (t *traps) hash(ss ...string) uint64 {
	var h maphash.Hash
	h.SetSeed(t.seed)
	for _, s := range ss {
		h.WriteString(s)
		h.WriteByte(0)
	}
	return h.Sum64()
}

// sessionNames are the session ids, in lower case, that never name a page. The
// shapes of their values are urlnorm's to know.
var sessionNames = []string{"jsessionid", "phpsessid", "aspsessionid", "cfid", "cftoken", "/(s("}

// judgeSession refuses what differs from a URL seen before by nothing but a
// session id.
func (t *traps) judgeSession(u urlnorm.URL, redirected bool) string {
	limit := t.limit[trapSessionID]
	if limit == 0 || !strings.ContainsAny(u.Target(), "=(") {
		return ""
	}
	lower := strings.ToLower(u.Target())
	if !slices.ContainsFunc(sessionNames, func(name string) bool { return strings.Contains(lower, name) }) {
		return ""
	}
	key, ok := t.strip(u.Display)
	if !ok || key == u.Key {
		return ""
	}
	if !redirected && t.queued(key) && !t.queued(u.Key) {
		return trapSessionID
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.sessions.admit(t.hash(key), t.hash(u.Key), limit) {
		return trapSessionID
	}
	return ""
}

// repeats returns how often the part of s that stands in it most often does.
// Empty parts do not count, nor what comes behind the first 64, so that the
// time is bounded also where the rules that bound their number are off.
func repeats(s, sep string) int {
	var buf [64]string
	parts := buf[:0]
	for p := range strings.SplitSeq(s, sep) {
		if p != "" && len(parts) < cap(parts) {
			parts = append(parts, p)
		}
	}
	most := 0
	for i, p := range parts {
		n := 1
		for _, q := range parts[i+1:] {
			if p == q {
				n++
			}
		}
		most = max(most, n)
	}
	return most
}

// A variants counts the members of groups, up to the limit of a group.
type variants struct {
	counts  map[uint64]int
	members map[uint64]bool // by group and member
}

// maxVariants bounds how many members are remembered. Beyond it all of them
// are forgotten, and learnt again.
const maxVariants = 1 << 18

func newVariants() variants { return variants{map[uint64]int{}, map[uint64]bool{}} }

// admit reports whether member belongs to the first limit ones of its group.
func (v *variants) admit(group, member uint64, limit int) bool {
	member = group*31 + member
	if v.members[member] {
		return true
	}
	if v.counts[group] >= limit {
		return false
	}
	if len(v.members) >= maxVariants {
		*v = newVariants()
	}
	v.counts[group]++
	v.members[member] = true
	return true
}

// monthAfter reports whether a month in a URL, with its year, lies after the
// given year: /2031/05/, 2031-05-01, year=2031&month=5.
func monthAfter(path, query string, year int) bool {
	return datedAfter(path, year) || datedAfter(query, year) || parametersAfter(query, year)
}

// calendarSpan is how many years behind the limit count as far ahead. A
// calendar comes through all of them; what lies further on is no year.
const calendarSpan = 100

// datedAfter looks for a year and a month with one separator between, and
// neither letter nor digit beside them.
func datedAfter(s string, year int) bool {
	for i := 0; i+len("2031/5") <= len(s); i++ {
		y, end := digits(s, i)
		if end == i {
			continue
		}
		alone := i == 0 || !isAlnum(s[i-1])
		if alone && end-i == 4 && y > year && y <= year+calendarSpan && end < len(s) && (s[end] == '/' || s[end] == '-') {
			m, after := digits(s, end+1)
			if n := after - end - 1; n >= 1 && n <= 2 && m >= 1 && m <= 12 && (after == len(s) || !isAlnum(s[after])) {
				return true
			}
		}
		i = end
	}
	return false
}

func isAlnum(c byte) bool { return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' }

// digits reads the number that s has from i on. What does not fit in four
// digits is no part of a date.
func digits(s string, i int) (n, end int) {
	for end = i; end < len(s) && s[end] >= '0' && s[end] <= '9'; end++ {
		if end-i < 5 {
			n = n*10 + int(s[end]-'0')
		}
	}
	return n, end
}

// parametersAfter looks for a year and a month in parameters of their own.
func parametersAfter(query string, year int) bool {
	late, month := false, false
	for param := range strings.SplitSeq(query, "&") {
		name, value, _ := strings.Cut(param, "=")
		n, end := digits(value, 0)
		if end == 0 || end != len(value) {
			continue
		}
		switch strings.ToLower(name) {
		case "y", "yr", "year", "cal_year", "jahr", "annee", "ano":
			late = late || n > year && n <= year+calendarSpan
		case "m", "mo", "mon", "month", "cal_month", "monat", "mois", "mes":
			month = month || n >= 1 && n <= 12
		}
	}
	return late && month
}
