package urlnorm

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// DefaultMaxLength bounds references and fetch forms, in bytes. HTTP asks
// implementations for 8,000 [RFC9110 §4.1]; what is longer than twice that is
// a trap or an accident.
const DefaultMaxLength = 16_384

// Config says which rules are in force. The zero value is the profile crawl
// with the AJAX mapping on.
type Config struct {
	// Profile is "strict", "crawl" or "aggressive"; "" is crawl.
	Profile string
	// Rules switches rules on and off after the profile: "+sort-query",
	// "-tracking". A later one wins.
	Rules []string
	// AJAXOff takes #! for an ordinary fragment, and _escaped_fragment_ for
	// an ordinary parameter.
	AJAXOff bool
	// MaxLength bounds references and fetch forms in bytes; 0 is
	// DefaultMaxLength.
	MaxLength int
	// Lists for all hosts; those of a host are added to them.
	Lists
	// IPDomains maps an IP address to the domain that it counts as.
	IPDomains map[string]string
	// Hosts has rules for single hosts, see ParseHostRules. Of several that
	// match, the most specific counts: a name before a domain, a domain before
	// a wider one.
	Hosts []HostRules
}

// Lists are the lists that some rules work by. Names are in the form that the
// key has them in: escapes in upper case, unreserved bytes decoded.
type Lists struct {
	// UnusedParams are parameters that change nothing; a * at the end stands
	// for any continuation. Rule unused-params.
	UnusedParams []string `yaml:"unused-params" json:",omitempty"`
	// DefaultParams maps parameters to the value that means the same as their
	// absence. Rule default-params.
	DefaultParams map[string]string `yaml:"default-params" json:",omitempty"`
	// DirectoryIndex names index pages, instead of the built-in list. Rule
	// dirindex.
	DirectoryIndex []string `yaml:"directory-index" json:",omitempty"`
	// KeepFragments are prefixes of fragments that name pages of their own,
	// such as "/" for #/route. Exception to the rule fragment.
	KeepFragments []string `yaml:"keep-fragments" json:",omitempty"`
}

// HostRules are the rules of one host.
type HostRules struct {
	// Host is a name, or "*.example.com" for a domain with its subdomains.
	Host string `yaml:"host"`
	// Profile replaces the run's profile, if not empty.
	Profile string `yaml:"profile" json:",omitempty"`
	// Rules come after those of the run.
	Rules []string `yaml:"rules" json:",omitempty"`
	Lists `yaml:",inline"`
}

// directoryIndexes is the built-in list of the rule dirindex.
var directoryIndexes = []string{
	"index.html", "index.htm", "index.shtml", "index.xhtml", "index.php", "index.php3", "index.php5",
	"index.phtml", "index.asp", "index.aspx", "index.jsp", "index.jspx", "index.cgi", "index.pl", "index.cfm",
	"default.html", "default.htm", "default.asp", "default.aspx", "default.php",
}

// A Normalizer resolves references. It is immutable and may be shared by
// goroutines.
type Normalizer struct {
	id        string
	ajaxOff   bool
	maxLength int
	all       ruleset
	hosts     map[string]*ruleset // by host name
	domains   map[string]*ruleset // by domain: of entries with *.
}

// New checks a configuration. Errors are ErrConfig.
func New(c Config) (*Normalizer, error) {
	n := &Normalizer{
		ajaxOff:   c.AJAXOff,
		maxLength: c.MaxLength,
		hosts:     map[string]*ruleset{},
		domains:   map[string]*ruleset{},
	}
	switch {
	case c.MaxLength == 0:
		n.maxLength = DefaultMaxLength
	case c.MaxLength < 0:
		return nil, fmt.Errorf("%w: MaxLength %d", ErrConfig, c.MaxLength)
	}
	var err error
	if n.all, err = compile(c.Profile, c.Rules, c.IPDomains, c.Lists); err != nil {
		return nil, err
	}
	for _, h := range c.Hosts {
		if err := n.addHost(c, h); err != nil {
			return nil, fmt.Errorf("host %q: %w", h.Host, err)
		}
	}
	n.id, err = identify(c)
	return n, err
}

// addHost compiles one entry of host rules.
func (n *Normalizer) addHost(c Config, h HostRules) error {
	name, wild := strings.CutPrefix(h.Host, "*.")
	ascii, err := appendHost(nil, name)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrConfig, err)
	}
	profile := h.Profile
	if profile == "" {
		profile = c.Profile
	}
	lists := Lists{
		UnusedParams:   slices.Concat(c.UnusedParams, h.UnusedParams),
		DefaultParams:  maps.Clone(c.DefaultParams),
		DirectoryIndex: slices.Concat(c.DirectoryIndex, h.DirectoryIndex),
		KeepFragments:  slices.Concat(c.KeepFragments, h.KeepFragments),
	}
	if lists.DefaultParams == nil {
		lists.DefaultParams = map[string]string{}
	}
	maps.Copy(lists.DefaultParams, h.DefaultParams)
	rules, err := compile(profile, slices.Concat(c.Rules, h.Rules), c.IPDomains, lists)
	if err != nil {
		return err
	}
	entries := n.hosts
	if wild {
		entries = n.domains
	}
	key := strings.TrimSuffix(string(ascii), ".")
	if entries[key] != nil {
		return fmt.Errorf("%w: named twice", ErrConfig)
	}
	entries[key] = &rules
	return nil
}

// rules returns what is in force for a host in its serialised form.
func (n *Normalizer) rules(host []byte) *ruleset {
	if len(n.hosts) == 0 && len(n.domains) == 0 {
		return &n.all
	}
	host = bytes.TrimSuffix(host, []byte{'.'})
	if rules := n.hosts[string(host)]; rules != nil {
		return rules
	}
	for {
		if rules := n.domains[string(host)]; rules != nil {
			return rules
		}
		dot := bytes.IndexByte(host, '.')
		if dot < 0 {
			return &n.all
		}
		host = host[dot+1:]
	}
}

// compile turns names into a ruleset.
func compile(profile string, switches []string, ipDomains map[string]string, lists Lists) (ruleset, error) {
	on, err := profileRules(profile)
	if err != nil {
		return ruleset{}, err
	}
	for _, s := range switches {
		if on, err = switchRule(on, s); err != nil {
			return ruleset{}, err
		}
	}
	rules := ruleset{
		on:            on,
		keepFragments: lists.KeepFragments,
		unused:        lists.UnusedParams,
		defaults:      lists.DefaultParams,
		dirindex:      map[string]bool{},
		ipDomains:     ipDomains,
	}
	if lists.DirectoryIndex == nil {
		lists.DirectoryIndex = directoryIndexes
	}
	for _, name := range lists.DirectoryIndex {
		rules.dirindex[strings.ToLower(name)] = true
	}
	rules.finish()
	return rules, nil
}

// profileRules returns the rules of a profile as bits.
func profileRules(profile string) (uint64, error) {
	if profile == "" {
		profile = crawl
	}
	order := []string{strict, crawl, aggressive}
	level := slices.Index(order, profile)
	if level < 0 {
		return 0, fmt.Errorf("%w: unknown profile %q, there are %s", ErrConfig, profile, strings.Join(order, ", "))
	}
	var on uint64
	for i := range table {
		if l := slices.Index(order, table[i].Profile); l >= 0 && l <= level {
			on |= 1 << i
		}
	}
	return on, nil
}

// switchRule applies "+name" or "-name".
func switchRule(on uint64, s string) (uint64, error) {
	name, plus := strings.CutPrefix(s, "+")
	if !plus {
		var minus bool
		if name, minus = strings.CutPrefix(s, "-"); !minus {
			return 0, fmt.Errorf("%w: rule %q begins with neither + nor -", ErrConfig, s)
		}
	}
	for i := range table {
		if table[i].Name != name {
			continue
		}
		if plus {
			return on | 1<<i, nil
		}
		return on &^ (1 << i), nil
	}
	for i := range parserRules {
		if parserRules[i].Name != name {
			continue
		}
		if plus {
			return on, nil
		}
		return 0, fmt.Errorf("%w: rule %q cannot be switched off: it is a step of every URL parser, and a request without it could not be sent", ErrConfig, name)
	}
	return 0, fmt.Errorf("%w: unknown rule %q", ErrConfig, name)
}

// identify says which rules a configuration stands for: version, profile,
// switches, and a digest of everything else that changes keys.
func identify(c Config) (string, error) {
	profile := c.Profile
	if profile == "" {
		profile = crawl
	}
	id := fmt.Sprintf("%d %s", Version, profile)
	for _, s := range c.Rules {
		id += " " + s
	}
	if c.AJAXOff {
		id += " ajax-off"
	}
	rest := struct {
		Lists     Lists
		IPDomains map[string]string `json:",omitempty"`
		Hosts     []HostRules       `json:",omitempty"`
	}{c.Lists, c.IPDomains, c.Hosts}
	text, err := json.Marshal(rest)
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrConfig, err)
	}
	if string(text) != `{"Lists":{}}` {
		sum := sha256.Sum256(text)
		id += " lists:" + hex.EncodeToString(sum[:6])
	}
	return id, nil
}

// ID names the rules in force, such as "1 crawl +sort-query". Two normalisers
// with one ID make the same keys; a crawl file records it.
func (n *Normalizer) ID() string { return n.id }

// Options are those of the one-shot Resolve.
type Options struct {
	Config
	// Charset is the label of the page's charset; "" is UTF-8.
	Charset string
}

// Resolve resolves one reference against the URL of a page. It is the
// convenient form: whoever resolves many builds a Normalizer and a Base once.
// base may be empty. A base that is itself no http URL serves absolute
// references only, as a page at about:blank does.
func Resolve(base, reference string, o Options) (URL, error) {
	n, err := New(o.Config)
	if err != nil {
		return URL{}, err
	}
	cs, err := CharsetByLabel(o.Charset)
	if err != nil {
		return URL{}, err
	}
	b, err := n.baseOrNone(base)
	if err != nil {
		return URL{}, err
	}
	return n.Resolve(b, reference, cs)
}
