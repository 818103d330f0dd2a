package main

import (
	"net/netip"
	"net/url"
	"strings"

	"github.com/hashcrawl/hashcrawl/crawler"
	"github.com/hashcrawl/hashcrawl/urlnorm"
)

// checkSettings returns what is wrong with settings, and with seeds that people
// write as their browser lets them, what they may have meant.
func checkSettings(s *crawler.Settings) error {
	err := s.Check()
	if err == nil {
		return nil
	}
	norm, normErr := s.Normalizer()
	for _, seed := range s.Seeds {
		if normErr != nil || strings.Contains(seed, "://") {
			continue
		}
		u, guess := norm.Resolve(nil, "https://"+seed, urlnorm.Charset{})
		if guess == nil && (strings.Contains(u.Host(), ".") || u.Host() == "localhost") {
			return exitf(exitUsage, "seed %q has no scheme; did you mean %s", seed, u.Fetch)
		}
	}
	return exitf(exitUsage, "%w", err)
}

// seedsWithUser returns the seeds that bring a user name or password along,
// without the password.
func seedsWithUser(seeds []string) (redacted []string) {
	for _, seed := range seeds {
		if u, err := url.Parse(seed); err == nil && u.User != nil {
			redacted = append(redacted, u.Redacted())
		}
	}
	return redacted
}

// networks reads the networks that --allow-net names; an address by itself is
// a network of one.
func networks(given []string) ([]netip.Prefix, error) {
	var nets []netip.Prefix
	for _, s := range given {
		p, err := netip.ParsePrefix(s)
		if err != nil {
			a, addrErr := netip.ParseAddr(s)
			if addrErr != nil {
				return nil, exitf(exitUsage, "--allow-net: %q is no network such as 10.1.0.0/16, and no address", s)
			}
			p = netip.PrefixFrom(a.Unmap(), a.Unmap().BitLen())
		}
		nets = append(nets, p)
	}
	return nets, nil
}

// hostNames reads the hosts that a flag names, as URLs in normal form have
// them. A URL or a port would never be met, and the flag would do nothing.
func hostNames(flag string, given []string) ([]string, error) {
	norm, err := urlnorm.New(urlnorm.Config{})
	if err != nil {
		return nil, err
	}
	var names []string
	for _, s := range given {
		authority := s
		if _, err := netip.ParseAddr(s); err == nil && strings.Contains(s, ":") {
			authority = "[" + s + "]"
		}
		u, err := norm.Resolve(nil, "http://"+authority, urlnorm.Charset{})
		if err != nil || strings.ContainsAny(s, "/?#@") || u.Port() != 80 || strings.HasSuffix(s, ":80") {
			return nil, exitf(exitUsage, "%s names a host, such as www.example.com, without scheme, port and path; not %q", flag, s)
		}
		names = append(names, u.Host())
	}
	return names, nil
}
