package crawler

import (
	"strings"

	"github.com/hashcrawl/hashcrawl/frontier"
)

// trackedBodies is how many bodies of one host are counted at a time, and
// trackedHosts of how many hosts.
const (
	trackedBodies = 8
	trackedHosts  = 1 << 14
)

// bodyCounts tell which bodies and texts a host sends again and again.
type bodyCounts struct{ bodies, texts frequent }

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

// sawPage counts a page of a host by the hashes of its body and of what its
// text says. It returns the rule by which the page's links are not to be
// followed, or "".
func (t *traps) sawPage(host string, body, text uint64) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	c := t.bodies[host]
	if c == nil {
		if len(t.bodies) >= trackedHosts {
			for other := range t.bodies { // any one will do
				delete(t.bodies, other)
				break
			}
		}
		c = &bodyCounts{}
		t.bodies[host] = c
	}
	bodies, texts := c.bodies.add(body), c.texts.add(text)
	switch {
	case t.limit[trapSameBody] > 0 && bodies > t.limit[trapSameBody]:
		return trapSameBody
	case t.limit[trapSameText] > 0 && texts > t.limit[trapSameText]:
		return trapSameText
	}
	return ""
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
		if !isLetter(text[i]) {
			continue
		}
		before, start := h, i
		for ; i < len(text) && isLetter(text[i]); i++ {
			h = (h ^ uint64(text[i])) * 1099511628211 // as FNV-1a
		}
		if isCalendarWord(text[start:i]) {
			h = before
			continue
		}
		h *= 31 // words end
	}
	return h
}

// isLetter takes everything beyond ASCII for letters.
func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80 }

// calendarWords are the English names of months and days. In other languages
// the names make gists differ; then the other rules are what is left.
var calendarWords = [...]string{
	"january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december",
	"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
}

// isCalendarWord reports whether a word is the name of a month or a day, in
// full or in its first two or three letters.
func isCalendarWord(word string) bool {
	if len(word) < 2 || len(word) > len("september") || !strings.ContainsRune("jfmasondtw", rune(word[0]|0x20)) {
		return false
	}
	for _, name := range calendarWords {
		if (len(word) <= 3 || len(word) == len(name)) && strings.EqualFold(word, name[:min(len(word), len(name))]) {
			return true
		}
	}
	return false
}
