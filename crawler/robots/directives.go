package robots

import (
	"strings"
	"time"
)

// A Meta is one <meta name=… content=…> of a page, for any name.
type Meta struct{ Name, Content string }

// Directives is what a page asks of crawlers through its robots meta tags and
// its X-Robots-Tag headers [G-META]. The zero value asks nothing.
type Directives struct {
	NoIndex   bool
	NoFollow  bool
	NoArchive bool
	NoSnippet bool
	// UnavailableAfter is when the page stops being indexable; the zero time
	// if it names none.
	UnavailableAfter time.Time
}

// maxDates is how many dates of one page are read: there are many ways to write
// one, and a hostile page has half a million of them.
const maxDates = 16

// Indexable reports whether the page may be indexed at a time.
func (d Directives) Indexable(now time.Time) bool {
	return !d.NoIndex && (d.UnavailableAfter.IsZero() || now.Before(d.UnavailableAfter))
}

// ParseDirectives adds up the directives of a page for the crawler with this
// product token: of the metas those named "robots" or like the token, of the
// X-Robots-Tag values the parts that name no crawler or this one. Of two that
// contradict each other the stricter wins [G-META §combining]. Words that are
// not known count for nothing.
func ParseDirectives(metas []Meta, xRobotsTag []string, productToken string) Directives {
	var d Directives
	dates := maxDates
	for _, m := range metas {
		name := trim(m.Name)
		if strings.EqualFold(name, "robots") || productToken != "" && strings.EqualFold(name, productToken) {
			d.add(m.Content, "", &dates)
		}
	}
	for _, value := range xRobotsTag {
		d.add(value, productToken, &dates)
	}
	return d
}

// add takes in a list of directives. Commas separate them; blanks are taken
// for commas, as many pages write them so and mean it. With a token, a part
// "name:" that is no directive with a value says for which crawler the rest
// of the list is meant, up to the next such part. Of the dates as many are read
// as are left.
func (d *Directives) add(list, token string, dates *int) {
	ours := true
	for list != "" {
		var item string
		item, list = cutItem(list)
		name, value, hasValue := cutName(item)
		for hasValue && token != "" && name != unavailableAfter && !takesValue(name) {
			ours = strings.EqualFold(name, token)
			item = value
			name, value, hasValue = cutName(item)
		}
		switch {
		case name == unavailableAfter && hasValue:
			if *dates--; *dates >= 0 {
				list = d.unavailable(value, list, ours)
			}
		case hasValue && takesValue(name):
		case ours:
			for word := range strings.FieldsSeq(item) {
				d.word(word)
			}
		}
	}
}

// unavailableAfter is the directive with a date.
const unavailableAfter = "unavailable_after"

// cutName splits an item at its first colon; the name is in lower case.
func cutName(item string) (name, value string, hasValue bool) {
	name, value, hasValue = strings.Cut(item, ":")
	return strings.ToLower(trim(name)), value, hasValue
}

// unavailable takes in the date that begins with value, and returns the list
// behind it.
func (d *Directives) unavailable(value, rest string, ours bool) (list string) {
	at, list := cutDate(value, rest)
	if ours && !at.IsZero() && (d.UnavailableAfter.IsZero() || at.Before(d.UnavailableAfter)) {
		d.UnavailableAfter = at
	}
	return list
}

// cutItem splits list at its first comma.
func cutItem(list string) (item, rest string) {
	item, rest, _ = strings.Cut(list, ",")
	return item, rest
}

// takesValue reports whether a directive is written "name:value", apart from
// unavailable_after.
func takesValue(name string) bool {
	return name == "max-snippet" || name == "max-image-preview" || name == "max-video-preview"
}

// word takes in one directive without a value.
func (d *Directives) word(w string) {
	switch strings.ToLower(w) {
	case "noindex":
		d.NoIndex = true
	case "nofollow":
		d.NoFollow = true
	case "none":
		d.NoIndex, d.NoFollow = true, true
	case "noarchive", "nocache":
		d.NoArchive = true
	case "nosnippet":
		d.NoSnippet = true
	}
}

// cutDate reads the date of unavailable_after from the item where it begins
// and, as dates can hold a comma, the item after it. It returns the zero time
// if there is none, and the list behind what it used.
func cutDate(value, rest string) (at time.Time, list string) {
	next, after := cutItem(rest)
	if at, ok := parseDate(value + "," + next); ok {
		return at, after
	}
	at, _ = parseDate(value)
	return at, rest
}

// FollowsRel reports whether links with this rel attribute may be followed:
// not if it holds nofollow, ugc or sponsored [G-REL].
func FollowsRel(rel string) bool {
	for word := range strings.FieldsSeq(rel) {
		switch strings.ToLower(word) {
		case "nofollow", "ugc", "sponsored":
			return false
		}
	}
	return true
}
