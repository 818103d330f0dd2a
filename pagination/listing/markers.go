package listing

import (
	"github.com/hashcrawl/hashcrawl/crawler/htmldoc"
	"github.com/hashcrawl/hashcrawl/urlnorm"
)

// Markers are what a user marks of hosts by selectors. Nil marks nothing.
type Markers struct{}

type marks struct{}

func (m *Markers) match(*htmldoc.Page, urlnorm.URL) *marks { return nil }
func (r *reader) usePagerMarker()                          {}
func (r *reader) useBlockMarkers() bool                    { return false }
func (r *reader) markedOrder() Order                       { return Undecided }
