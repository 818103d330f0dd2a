package crawler

import (
	"strings"

	"github.com/hashcrawl/hashcrawl/frontier"
)

// gistText is how much of a page's text makes its gist: far more than the frame
// that all pages of a site have in common.
const gistText = 8 << 10

// trackedBodies is how many bodies of one host are counted at a time, and
// trackedHosts of how many hosts.
const (
	trackedBodies = 8
	trackedHosts  = 1 << 14
)

// bodyCounts tell which bodies and texts a host sends again and again.
type bodyCounts struct {
	bodies, texts frequent

	// The gist of a page takes longer than most that is done with it. So the
	// firstTexts pages of a host are looked at, and the watchedTexts that follow
	// one whose text was seen before; of all others each sampledTexts-th.
	watch, pages int
}

const (
	firstTexts   = 16
	watchedTexts = 64
	sampledTexts = 8
)

// looks counts a page and reports whether its text is to be counted.
func (c *bodyCounts) looks() bool {
	c.pages++
	if c.watch > 0 {
		c.watch--
		return true
	}
	return c.pages%sampledTexts == 0
}

// A frequent counts the values of a stream that make up more than a ninth of
// it, in fixed space: a value that finds no place lowers all counts (the
// algorithm of Misra and Gries). A count is never too high.
type frequent []struct {
	value uint64
	count int
}

// add counts v and returns its count.
func (f *frequent) add(v uint64) int {
	for i := range *f {
		if c := &(*f)[i]; c.value == v && c.count > 0 {
			c.count++
			return c.count
		}
	}
	for i := range *f {
		if c := &(*f)[i]; c.count == 0 {
			c.value, c.count = v, 1
			return 1
		}
	}
	if len(*f) < trackedBodies {
		*f = append(*f, struct {
			value uint64
			count int
		}{v, 1})
		return 1
	}
	for i := range *f {
		(*f)[i].count--
	}
	return 0
}

// sawPage counts a page of a host by the hash of its body and, where the host
// does not always say something else, by that of what its text says. It returns
// the rule by which the page's links are not to be followed, or "".
func (t *traps) sawPage(host string, body uint64, text func() uint64) string {
	if rule, looks := t.sawBody(host, body); rule != "" || !looks {
		return rule
	}
	return t.sawText(host, text())
}

// sawBody counts a page by its body. looks says whether its text is to be
// counted too.
func (t *traps) sawBody(host string, hash uint64) (rule string, looks bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	c := t.counts(host)
	if n := c.bodies.add(hash); t.limit[trapSameBody] > 0 && n > t.limit[trapSameBody] {
		return trapSameBody, false
	}
	return "", t.limit[trapSameText] > 0 && c.looks()
}

// sawText counts a page by what its text says.
func (t *traps) sawText(host string, hash uint64) (rule string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	c := t.counts(host)
	n := c.texts.add(hash)
	if n > 1 {
		c.watch = watchedTexts
	}
	if n > t.limit[trapSameText] {
		return trapSameText
	}
	return ""
}

// counts returns the counts of a host. t.mu is held.
func (t *traps) counts(host string) *bodyCounts {
	c := t.bodies[host]
	if c == nil {
		if len(t.bodies) >= trackedHosts {
			for other := range t.bodies { // any one will do
				delete(t.bodies, other)
				break
			}
		}
		c = &bodyCounts{watch: firstTexts}
		t.bodies[host] = c
	}
	return c
}

// refuseAll makes a page's links ones of a trap, where they would be followed.
func refuseAll(links []frontier.Link, rule string) {
	for i := range links {
		if l := &links[i]; l.Refusal == frontier.Waiting && !l.Again {
			l.Refusal, l.Rule = frontier.Trap, rule
		}
	}
}

// gist returns a hash of what a text says, numbers and names of months and
// days apart: the pages of a calendar that nobody fills all have one gist. A
// site that brings about equal gists harms itself alone.
func gist(h uint64, text string) uint64 {
	for i := 0; i < len(text); i++ {
		if !letters[text[i]] {
			continue
		}
		before, start := h, i
		last := uint64(0) // letters of the word, eight at most
		for ; i < len(text) && letters[text[i]]; i++ {
			if last >= 1<<56 {
				h, last = mix(h, last), 0
			}
			last = last<<8 | uint64(text[i])
		}
		if isCalendarWord(text[start:i]) {
			h = before
			continue
		}
		h = mix(h, last)
	}
	return h
}

// letters takes everything beyond ASCII for letters.
var letters = func() (is [256]bool) {
	for c := range is {
		is[c] = 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c >= 0x80
	}
	return is
}()

// calendarName returns the English name of a month or a day that begins with
// the three letters at the end of prefix, in lower case; "" if there is none.
// In other languages the names make gists differ; then the other rules are
// what is left.
func calendarName(prefix uint32) string {
	switch prefix {
	case 'j'<<16 | 'a'<<8 | 'n':
		return "january"
	case 'f'<<16 | 'e'<<8 | 'b':
		return "february"
	case 'm'<<16 | 'a'<<8 | 'r':
		return "march"
	case 'a'<<16 | 'p'<<8 | 'r':
		return "april"
	case 'm'<<16 | 'a'<<8 | 'y':
		return "may"
	case 'j'<<16 | 'u'<<8 | 'n':
		return "june"
	case 'j'<<16 | 'u'<<8 | 'l':
		return "july"
	case 'a'<<16 | 'u'<<8 | 'g':
		return "august"
	case 's'<<16 | 'e'<<8 | 'p':
		return "september"
	case 'o'<<16 | 'c'<<8 | 't':
		return "october"
	case 'n'<<16 | 'o'<<8 | 'v':
		return "november"
	case 'd'<<16 | 'e'<<8 | 'c':
		return "december"
	case 'm'<<16 | 'o'<<8 | 'n':
		return "monday"
	case 't'<<16 | 'u'<<8 | 'e':
		return "tuesday"
	case 'w'<<16 | 'e'<<8 | 'd':
		return "wednesday"
	case 't'<<16 | 'h'<<8 | 'u':
		return "thursday"
	case 'f'<<16 | 'r'<<8 | 'i':
		return "friday"
	case 's'<<16 | 'a'<<8 | 't':
		return "saturday"
	case 's'<<16 | 'u'<<8 | 'n':
		return "sunday"
	}
	return ""
}

// isCalendarWord reports whether a word is the name of a month or a day, in
// full or in its first three letters, or a day in its first two.
func isCalendarWord(word string) bool {
	switch len(word) {
	case 0, 1:
		return false
	case 2:
		switch uint32(word[0]|0x20)<<8 | uint32(word[1]|0x20) {
		case 'm'<<8 | 'o', 't'<<8 | 'u', 'w'<<8 | 'e', 't'<<8 | 'h', 'f'<<8 | 'r', 's'<<8 | 'a', 's'<<8 | 'u':
			return true
		}
		return false
	}
	name := calendarName(uint32(word[0]|0x20)<<16 | uint32(word[1]|0x20)<<8 | uint32(word[2]|0x20))
	return name != "" && (len(word) == 3 || len(word) == len(name) && strings.EqualFold(word, name))
}
