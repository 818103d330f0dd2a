package pagination

import "time"

// An Interval is a displayed date: a time not before From and before To, in
// UTC. A date without a time of day is a day long, "2 hours ago" an hour. The
// zero Interval means that no date is displayed.
type Interval struct{ From, To time.Time }

// IsZero tells whether there is no date.
func (iv Interval) IsZero() bool { return iv.From.IsZero() && iv.To.IsZero() }

// Meets tells whether some moment lies in both intervals.
func (iv Interval) Meets(other Interval) bool {
	return iv.From.Before(other.To) && other.From.Before(iv.To)
}

// stored returns iv as the codec keeps it: UTC and whole milliseconds.
func (iv Interval) stored() Interval {
	if iv.IsZero() {
		return Interval{}
	}
	return Interval{storedTime(iv.From), storedTime(iv.To)}
}

// storedTime returns t in UTC and whole milliseconds.
func storedTime(t time.Time) time.Time {
	if t.IsZero() {
		return time.Time{}
	}
	return time.UnixMilli(t.UnixMilli()).UTC()
}

// An Item is one item link in one version: an item whose date has changed, by
// a reply for instance, is another version of the same link.
type Item struct {
	Key  string // of the URL, as urlnorm gives it
	Date Interval
}

// sameVersion tells whether a and b, of one key, can be the same version: the
// dates meet, or one of the two has none.
func sameVersion(a, b Item) bool {
	return a.Date.IsZero() || b.Date.IsZero() || a.Date.Meets(b.Date)
}

// shortKey is the 32-bit FNV-1a hash under which a series remembers links that
// its head has let go. A site that forges collisions hides its own items.
func shortKey(key string) uint32 {
	h := uint32(2166136261)
	for i := range len(key) {
		h = (h ^ uint32(key[i])) * 16777619
	}
	return h
}
