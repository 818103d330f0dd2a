package simulate

import (
	"slices"
	"time"
)

// An oracle reads a site with knowledge of the whole list: page 1, or the last
// page, and every page that has an item it has not read, and no other.
type oracle struct {
	site *Site
	read map[int32]bool // by post
}

// newOracle returns an oracle that knows what stands on the list now.
func newOracle(s *Site) *oracle {
	o := &oracle{site: s, read: make(map[int32]bool)}
	for i := range s.posts {
		o.read[int32(i)] = true
	}
	return o
}

// visit reads what is new at the beginning of visit v and returns the number
// of pages that took, with the items found.
func (o *oracle) visit(v int) (pages int, found []string) {
	begun := o.site.VisitAt(v)
	o.site.AdvanceTo(begun)
	next, ok := o.due(begun)
	if !o.site.sc.NewestLast && (!ok || next != 1) {
		found = append(found, o.take(1)...)
		pages++
		next, ok = o.due(begun)
	}
	for ok {
		found = append(found, o.take(next)...)
		pages++
		next, ok = o.due(begun)
	}
	return max(1, pages), found
}

// take reads page n.
func (o *oracle) take(n int) (found []string) {
	shown := o.site.window(n)
	if n == 1 || o.site.sc.Everywhere {
		shown = slices.Concat(o.site.pinned, shown)
	}
	for _, p := range shown {
		if !o.read[p] {
			o.read[p] = true
			found = append(found, o.site.posts[p].key)
		}
	}
	o.site.AdvanceTo(o.site.now.Add(o.site.sc.Fetch))
	return found
}

// due returns the first page that has an item which was there at begun and has
// not been read.
func (o *oracle) due(begun time.Time) (page int, ok bool) {
	if slices.ContainsFunc(o.site.pinned, func(p int32) bool { return o.unread(p, begun) }) {
		return 1, true
	}
	list := o.site.list
	for i := range list {
		p := list[len(list)-1-i]
		if o.site.sc.NewestLast {
			p = list[i]
		}
		if o.unread(p, begun) {
			return i/o.site.sc.PageRows + 1, true
		}
	}
	return 0, false
}

func (o *oracle) unread(p int32, begun time.Time) bool {
	return !o.read[p] && !o.site.posts[p].born.After(begun)
}
