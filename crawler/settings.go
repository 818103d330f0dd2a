package crawler

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/hashcrawl/hashcrawl/pagination/listing"
	"github.com/hashcrawl/hashcrawl/urlnorm"
)

// Settings are what a crawl is, as opposed to how one run of it is carried
// out. They are kept in the crawl file, so that it can be resumed without
// saying them again.
type Settings struct {
	Seeds    []string       `json:"seeds"`               // as the user gave them
	Roots    []string       `json:"roots,omitempty"`     // display URLs that seeds redirected to; they count as seeds
	Scope    ScopeKind      `json:"scope"`               // how far from the seeds the crawl goes
	Include  []string       `json:"include,omitempty"`   // patterns of which a URL must match one
	Exclude  []string       `json:"exclude,omitempty"`   // patterns of which it must match none
	MaxDepth int            `json:"max_depth"`           // links from a seed; negative: no limit
	AJAX     AJAXMode       `json:"ajax"`                // how the AJAX crawling scheme is used
	Ugly     UglyLinkMode   `json:"ugly_links"`          // what becomes of links in ugly form
	Nofollow bool           `json:"follow_nofollow"`     // follow links that ask not to be followed
	Contact  string         `json:"contact,omitempty"`   // URL or mail address of who crawls
	Delay    *Duration      `json:"delay,omitempty"`     // least gap per host; nil: the default
	AllowNet []netip.Prefix `json:"allow_net,omitempty"` // addresses allowed although not public
	MaxBody  int64          `json:"max_body,omitempty"`  // bytes kept of a body; 0: the default
	// Sitemaps are to be read beside those that robots.txt files name.
	Sitemaps   []string `json:"sitemaps,omitempty"`
	NoSitemaps bool     `json:"no_sitemaps,omitempty"` // read none but these
	StoreText  bool     `json:"store_text,omitempty"`  // keep the visible text of pages
	// Markers is the text of a file of markers, see listing.ParseMarkers.
	Markers string `json:"markers,omitempty"`
	// Proxy is asked for everything; "" for nothing, whatever the environment says.
	Proxy string `json:"proxy,omitempty"`
	// InsecureTLS are the hosts whose certificates are not verified.
	InsecureTLS []string `json:"insecure_tls,omitempty"`
	// IgnoreRobots are the hosts whose robots.txt is not asked for.
	IgnoreRobots []string `json:"ignore_robots,omitempty"`
	// CleanParams: the robots.txt of some origin has Clean-param lines.
	CleanParams bool                `json:"clean_params,omitempty"`
	Traps       map[string]int      `json:"trap_rules,omitempty"` // changed limits of trap rules, by name; 0: off
	Profile     string              `json:"profile,omitempty"`    // of the normaliser
	NormRules   []string            `json:"norm_rules,omitempty"` // switched rules of the normaliser
	NormHosts   []urlnorm.HostRules `json:"norm_hosts,omitempty"` // rules for single hosts
}

// A Duration is a time.Duration that JSON knows as text.
type Duration time.Duration

// MarshalText implements encoding.TextMarshaler.
func (d Duration) MarshalText() ([]byte, error) { return []byte(time.Duration(d).String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (d *Duration) UnmarshalText(b []byte) error {
	v, err := time.ParseDuration(string(b))
	*d = Duration(v)
	return err
}

// AJAXMode says how the AJAX crawling scheme is used.
type AJAXMode string

// The modes.
const (
	AJAXAuto   AJAXMode = "auto"   // for #! URLs and for pages that opted in
	AJAXAlways AJAXMode = "always" // also for every other page, opted in or not
	AJAXOff    AJAXMode = "off"    // never: #! is a fragment like any other
)

// UglyLinkMode says what becomes of links in ugly form.
type UglyLinkMode string

// The modes.
const (
	UglyCount UglyLinkMode = "count" // recorded, not followed
	UglyMap   UglyLinkMode = "map"   // taken as links to the pretty URL
)

// Normalizer returns the normaliser that the settings ask for.
func (s *Settings) Normalizer() (*urlnorm.Normalizer, error) {
	return urlnorm.New(urlnorm.Config{Profile: s.Profile, Rules: s.NormRules, AJAXOff: s.AJAX == AJAXOff, Hosts: s.NormHosts})
}

// markers returns the markers that the settings hold, nil if none.
func (s *Settings) markers() (*listing.Markers, error) {
	if s.Markers == "" {
		return nil, nil
	}
	return listing.ParseMarkers([]byte(s.Markers))
}

// Check returns what is wrong with the settings; nil if nothing is.
func (s *Settings) Check() error {
	if len(s.Seeds) == 0 {
		return errors.New("no seed URL is given")
	}
	n, err := s.Normalizer()
	if err != nil {
		return err
	}
	for _, seed := range s.Seeds {
		if _, err := n.Resolve(nil, seed, urlnorm.Charset{}); err != nil {
			return fmt.Errorf("seed %q: %w", seed, err)
		}
	}
	for _, at := range s.Sitemaps {
		if _, err := n.Resolve(nil, at, urlnorm.Charset{}); err != nil {
			return fmt.Errorf("sitemap %q: %w", at, err)
		}
	}
	if _, err := newScope(s, n); err != nil {
		return err
	}
	if _, err := s.markers(); err != nil {
		return err
	}
	if err := s.checkTraps(); err != nil {
		return err
	}
	if u := s.ProxyURL(); u != nil && u.Host == "" {
		return errors.New("--proxy: that is no URL of a proxy, such as http://proxy.example.com:3128")
	}
	for _, c := range []struct {
		name, value string
		valid       []string
	}{
		{"scope", string(s.Scope), []string{string(ScopePage), string(ScopePrefix), string(ScopeHost), string(ScopeDomain), string(ScopeAny)}},
		{"ajax", string(s.AJAX), []string{string(AJAXAuto), string(AJAXAlways), string(AJAXOff)}},
		{"ugly-links", string(s.Ugly), []string{string(UglyCount), string(UglyMap)}},
	} {
		if !slices.Contains(c.valid, c.value) {
			return fmt.Errorf("--%s is one of %s, not %q", c.name, strings.Join(c.valid, ", "), c.value)
		}
	}
	return s.checkPoliteness()
}

// ProxyURL returns the proxy to use; nil if there is none.
func (s *Settings) ProxyURL() *url.URL {
	if s.Proxy == "" {
		return nil
	}
	u, err := url.Parse(s.Proxy)
	if err != nil {
		return &url.URL{} // Check tells so
	}
	return u
}

// AddSeeds adds seeds that the crawl does not have yet.
func (s *Settings) AddSeeds(seeds []string) {
	for _, seed := range seeds {
		if !slices.Contains(s.Seeds, seed) {
			s.Seeds = append(s.Seeds, seed)
		}
	}
}

// SeedHosts returns the host names of the seeds; an IPv6 address has no
// brackets.
func (s *Settings) SeedHosts() []string {
	var hosts []string
	n, err := s.Normalizer()
	if err != nil {
		return nil
	}
	for _, seed := range s.Seeds {
		if u, err := n.Resolve(nil, seed, urlnorm.Charset{}); err == nil {
			hosts = append(hosts, strings.Trim(u.Host(), "[]"))
		}
	}
	return hosts
}

// HasLoopbackSeed reports whether a seed is on this machine.
func (s *Settings) HasLoopbackSeed() bool { return slices.ContainsFunc(s.SeedHosts(), isLoopback) }

// OnlyLoopback reports whether all seeds are on this machine.
func (s *Settings) OnlyLoopback() bool {
	return !slices.ContainsFunc(s.SeedHosts(), func(h string) bool { return !isLoopback(h) })
}

// checkPoliteness refuses a gap below the promised one on hosts that are not
// this machine, unless somebody can be asked about it [P10].
func (s *Settings) checkPoliteness() error {
	if s.Delay != nil && *s.Delay < 0 {
		return errors.New("--delay cannot be negative")
	}
	if s.Delay == nil || time.Duration(*s.Delay) >= defaultGap || s.Contact != "" {
		return nil
	}
	for _, host := range s.SeedHosts() {
		if !isLoopback(host) {
			return fmt.Errorf("--delay below %v on %s needs --contact, so that its people can reach you", defaultGap, host)
		}
	}
	return nil
}

// isLoopback reports whether a host name certainly means this machine.
func isLoopback(host string) bool {
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	ip, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return err == nil && ip.Unmap().IsLoopback()
}

// ParseSettings reads settings from a crawl file.
func ParseSettings(b []byte) (*Settings, error) {
	s := &Settings{}
	if err := json.Unmarshal(b, s); err != nil {
		return nil, fmt.Errorf("crawler: settings in the crawl file: %w", err)
	}
	return s, nil
}

// encode returns the settings as a crawl file keeps them.
func (s *Settings) encode() []byte {
	b, err := json.Marshal(s)
	if err != nil {
		panic("crawler: " + err.Error()) // unreachable: every field can be marshalled
	}
	return b
}
