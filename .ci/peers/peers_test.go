// Package peers times other libraries on our own lists, so that the main
// module does not depend on them. It is run by hand:
//
//	go -C .ci/peers test -run '^$' -bench . -benchtime 2000000x
package peers

import (
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/PuerkitoBio/purell"
)

// references returns the absolute http and https URLs of the list that
// urlnorm's own benchmarks read.
func references(b *testing.B) []string {
	b.Helper()
	data, err := os.ReadFile("../../testdata/urlnorm/references.txt")
	if err != nil {
		b.Fatal(err)
	}
	var base *url.URL
	var urls []string
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if page, ok := strings.CutPrefix(line, "> "); ok {
			if base, err = url.Parse(page); err != nil {
				b.Fatal(err)
			}
			continue
		}
		if line == "" || strings.HasPrefix(line, "# ") || base == nil {
			continue
		}
		if u, err := base.Parse(line); err == nil && strings.HasPrefix(u.Scheme, "http") {
			urls = append(urls, u.String())
		}
	}
	return urls
}

func BenchmarkAbsolute(b *testing.B) {
	urls := references(b)
	b.Run("by=purell", func(b *testing.B) {
		b.ReportAllocs()
		i := 0
		for b.Loop() {
			purell.NormalizeURLString(urls[i%len(urls)], purell.FlagsSafe|purell.FlagRemoveDotSegments|purell.FlagRemoveFragment)
			i++
		}
	})
}
