package crawler

import (
	"context"
	"net/netip"
	"strings"
	"testing"

	"github.com/hashcrawl/hashcrawl/crawler/fetch"
	"github.com/hashcrawl/hashcrawl/crawler/fetch/faultserver"
	"github.com/hashcrawl/hashcrawl/storage"
)

// testAgent is the User-Agent of the real crawls of tests.
const testAgent = "hashcrawl/test (+who@a.test)"

// A realCrawl is a crawl over real connections to this machine, without gaps.
type realCrawl struct {
	*crawl
	fetch fetch.Options
}

func newRealCrawl(t *testing.T, seeds ...string) *realCrawl {
	c := &realCrawl{crawl: newCrawl(t, nil, seeds...)}
	zero := Duration(0)
	c.settings.Delay, c.settings.NoSitemaps = &zero, true
	c.fetch = fetch.Options{UserAgent: testAgent, From: "who@a.test", AllowLoopback: true}
	c.fetch.Resolver = fetch.ResolverFunc(func(context.Context, string) ([]netip.Addr, error) {
		return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
	})
	return c
}

// run carries out one run and returns its summary.
func (c *realCrawl) run(opts Options) Summary {
	c.t.Helper()
	client, err := fetch.New(c.fetch)
	if err != nil {
		c.t.Fatal(err)
	}
	defer client.Close()
	db := c.open(storage.Options{Create: true, Norm: c.norm().ID()})
	defer c.close(db)
	opts.Resumed = !db.Created()
	cr, err := New(db, client, &c.settings, opts)
	if err != nil {
		c.t.Fatal(err)
	}
	sum, err := cr.Run(c.t.Context())
	if err != nil {
		c.t.Fatal(err)
	}
	return sum
}

// startFaults starts a fault server without a robots.txt.
func startFaults(t *testing.T) *faultserver.Server {
	t.Helper()
	s, err := faultserver.Start(faultserver.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	s.Handle("/robots.txt", func(c *faultserver.Conn) bool { return c.Answer("404 Not Found", "") })
	return s
}

// localURL returns the URL of a path on a server under one of the names of this
// machine.
func localURL(s *faultserver.Server, name, path string) string {
	return strings.Replace(s.URL(), "127.0.0.1", name, 1) + path
}
