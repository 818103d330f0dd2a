package main

import (
	"testing"

	"github.com/hashcrawl/hashcrawl/urlnorm"
)

func TestDefaultDirIsNoFlag(t *testing.T) {
	norm, err := urlnorm.New(urlnorm.Config{})
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct{ seed, want string }{
		{"https://example.com/a", "example.com.crawl"},
		{"http://example.com:8080/", "example.com-8080.crawl"},
		{"http://[2001:db8::7]/", "2001-db8--7.crawl"},
		{"http://[::1]:8080/", "0--1-8080.crawl"},
	} {
		u, err := norm.Resolve(nil, tc.seed, urlnorm.Charset{})
		if err != nil {
			t.Fatal(err)
		}
		if got := defaultDir(u); got != tc.want {
			t.Errorf("defaultDir(%s) = %q; want %q", tc.seed, got, tc.want)
		}
	}
}

func TestGoOnCanBeGivenToAShell(t *testing.T) {
	for _, tc := range []struct {
		dir, want string
		watch     bool
	}{
		{"example.com.crawl", "hashcrawl resume example.com.crawl", false},
		{"/var/crawls/a_b", "hashcrawl watch /var/crawls/a_b", true},
		{"-x", "hashcrawl resume ./-x", false},
		{"my crawls/$1", "hashcrawl resume 'my crawls/$1'", false},
		{"it's", `hashcrawl resume 'it'\''s'`, false},
	} {
		f := &runFlags{watch: tc.watch}
		if got := f.goOn(tc.dir); got != tc.want {
			t.Errorf("goOn(%q), watch %t = %s; want %s", tc.dir, tc.watch, got, tc.want)
		}
	}
}
