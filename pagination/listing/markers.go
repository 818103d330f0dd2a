package listing

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/andybalholm/cascadia"
	"github.com/goccy/go-yaml"
)

// maxMarkersFile is the largest file of markers that is read.
const maxMarkersFile = 1 << 20

// ErrMarkers is what is wrong with a file of markers.
var ErrMarkers = errors.New("listing: bad markers")

// Markers tell by CSS selectors what the pages of hosts are made of. They
// override what would be guessed. Nil marks nothing. Markers are immutable and
// may be shared by goroutines.
type Markers struct{ hosts []hostMarkers }

// A markersFile is the form of a file of markers.
type markersFile struct {
	Hosts []hostMarkers `yaml:"hosts"`
}

type hostMarkers struct {
	Host      string   `yaml:"host"`
	Path      string   `yaml:"path"`
	Pager     selector `yaml:"pager"`
	Block     selector `yaml:"block"`
	Row       selector `yaml:"row"`
	Link      selector `yaml:"link"`
	Date      selector `yaml:"date"`
	Order     order    `yaml:"order"`
	OrderWhen selector `yaml:"order-when"`
}

// A selector is a CSS selector, nil where none is given.
type selector struct{ cascadia.Matcher }

// UnmarshalYAML reads the text of a selector.
func (s *selector) UnmarshalYAML(data []byte) error {
	var text string
	if err := yaml.Unmarshal(data, &text); err != nil {
		return err
	}
	group, err := cascadia.ParseGroup(text)
	if err != nil {
		return fmt.Errorf("%q is no selector: %w", text, err)
	}
	s.Matcher = group
	return nil
}

type order Order

// UnmarshalYAML reads the word for an order.
func (o *order) UnmarshalYAML(data []byte) error {
	var text string
	if err := yaml.Unmarshal(data, &text); err != nil {
		return err
	}
	for _, known := range [...]Order{NewestFirst, OldestFirst, Unordered} {
		if text == known.String() {
			*o = order(known)
			return nil
		}
	}
	return fmt.Errorf("%q is no order: say newest-first, oldest-first or unordered", text)
}

// ParseMarkers reads a file of markers:
//
//	hosts:
//	  - host: "*.example.com"       # example.com and all below it
//	    path: /forum/               # only addresses that begin so
//	    pager: "div.pages"
//	    block: "#threads"
//	    row: "tr.thread"
//	    link: "a.title"             # the item link of a row
//	    date: "td.last time"        # the date of a row
//	    order: newest-first         # or oldest-first, or unordered
//	    order-when: ".sort .date.active"
//
// Host is all that an entry must have; what it leaves out is guessed. The order
// holds for pages with an element that order-when selects, or for all. The
// first entry that fits an address counts.
//
// Selectors are those of package cascadia. They are matched against the
// elements as they are written: an element that only a browser would add, such
// as a tbody, is not there. Of attributes there are class, id, rel, role, name,
// value, type, title, datetime, onclick, href and all of aria-*, data-* and
// item*; elements that HTML does not know have no name, and there is no text.
//
// An unknown or doubled key, a selector or an order that cannot be read, and an
// entry without a host are [ErrMarkers], with the line.
func ParseMarkers(data []byte) (m *Markers, err error) {
	if len(data) > maxMarkersFile {
		return nil, fmt.Errorf("%w: the file has over %d bytes", ErrMarkers, maxMarkersFile)
	}
	// The library has panicked on files that are no YAML; to the user that is a
	// mistake in the file like any other.
	defer func() {
		if r := recover(); r != nil {
			m, err = nil, fmt.Errorf("%w: the file cannot be read as YAML: %v", ErrMarkers, r)
		}
	}()
	var f markersFile
	d := yaml.NewDecoder(bytes.NewReader(data), yaml.Strict(), yaml.DisallowUnknownField())
	if err := d.Decode(&f); err != nil && !errors.Is(err, io.EOF) {
		var y yaml.Error
		if errors.As(err, &y) && y.GetToken() != nil {
			return nil, fmt.Errorf("line %d: %w: %s", y.GetToken().Position.Line, ErrMarkers, y.GetMessage())
		}
		return nil, fmt.Errorf("%w: %w", ErrMarkers, err)
	}
	for i, h := range f.Hosts {
		if h.Host == "" {
			return nil, fmt.Errorf("%w: entry %d has no host", ErrMarkers, i+1)
		}
	}
	return &Markers{hosts: f.Hosts}, nil
}

// of returns the markers of the pages at a display URL, nil if there are none.
func (m *Markers) of(host, url string) *hostMarkers {
	if m == nil {
		return nil
	}
	i := slices.IndexFunc(m.hosts, func(h hostMarkers) bool {
		return hostFits(h.Host, host) && strings.HasPrefix(pathOf(url), h.Path)
	})
	if i < 0 {
		return nil
	}
	return &m.hosts[i]
}

func hostFits(pattern, host string) bool {
	if domain, ok := strings.CutPrefix(pattern, "*."); ok {
		return strings.EqualFold(host, domain) ||
			len(host) > len(domain) && strings.EqualFold(host[len(host)-len(domain)-1:], pattern[1:])
	}
	return strings.EqualFold(host, pattern)
}
