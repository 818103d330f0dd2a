package audit

import (
	"context"
	"net/netip"
	"strings"

	"github.com/hashcrawl/hashcrawl/ajaxscheme"
	"github.com/hashcrawl/hashcrawl/crawler/htmldoc"
)

// noSuch is the name of what no site has.
const noSuch = "hashcrawl-check-no-such-page"

// follows reports whether a link is one that a crawler follows.
func follows(l *htmldoc.Link) bool {
	return l.Kind != htmldoc.Canonical && !l.Rel.Has(htmldoc.RelNoFollow|htmldoc.RelUGC|htmldoc.RelSponsored)
}

// usesScheme returns the first page with a state or an opt-in, or nil.
func (s *Survey) usesScheme() *page {
	for _, p := range s.pages {
		if p.state() != "" || p.optedIn() {
			return p
		}
	}
	return nil
}

// probe asks for what cannot exist, and for a snapshot without "=".
func (s *Survey) probe(ctx context.Context) {
	if s.robotsErr != nil {
		return
	}
	if u, err := s.resolve(s.start.Fetch, "/"+noSuch); err == nil {
		s.missing = s.ask(ctx, u)
	}
	for _, p := range s.pages {
		if u, err := s.resolve("", plainOf(p.url)+"#!"+noSuch); err == nil && p.state() != "" && p.snapshot.ok() {
			s.unknown = s.ask(ctx, u)
			break
		}
	}
	for _, p := range s.pages {
		if p.optedIn() && p.snapshot.ok() {
			if u, err := s.resolve("", strings.TrimSuffix(p.snapshot.request, "=")); err == nil {
				s.bare = &barePair{page: p, with: p.snapshot, without: s.ask(ctx, u)}
			}
			return
		}
	}
}

// askVariants asks for the start page under the other scheme and with or without
// www, where names can differ at all.
func (s *Survey) askVariants(ctx context.Context) {
	host := s.start.Host()
	if _, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil || host == "localhost" || !isDefault(s.start.Port()) {
		return
	}
	first := s.pages[0].plain
	if first.err != nil {
		return
	}
	for _, scheme := range []string{"http", "https"} {
		for _, name := range []string{bareHost(s.start), "www." + bareHost(s.start)} {
			path := strings.TrimPrefix(plainOf(s.start), s.start.Origin())
			u, err := s.resolve("", scheme+"://"+name+path)
			if err != nil || u.Origin() == s.start.Origin() {
				continue
			}
			s.variants = append(s.variants, s.askOnce(ctx, u))
		}
	}
}

// uglyOf returns the URL that is requested for a display URL.
func uglyOf(display string) string {
	if ugly, err := ajaxscheme.Ugly(display); err == nil {
		return string(ugly)
	}
	return display
}
