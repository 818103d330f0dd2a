package crawler

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hashcrawl/hashcrawl/storage"
)

// TestRulesInMemoryAreBounded has many origins with long robots.txt files, as a
// domain under which every name exists can have them.
func TestRulesInMemoryAreBounded(t *testing.T) {
	b := rulebook{cache: map[string]originRules{}}
	body := []byte("User-agent: *\nDisallow: /x\n" + strings.Repeat("#", 400_000))
	now := time.Now()
	for i := range 500 {
		origin := fmt.Sprintf("http://h%d.test", i%400)
		b.put(storage.Robots{Origin: origin, Body: body, Expires: now.Add(time.Hour)})
		if rules, ok, err := b.lookup(origin, now); err != nil || !ok || rules.Test("/x").Allowed {
			t.Fatalf("lookup(%s) = %v, %v, %v; want the rules that were put", origin, rules, ok, err)
		}
	}
	sum := 0
	for _, o := range b.cache {
		sum += o.bytes
	}
	if sum != b.bytes || sum > robotsCacheBytes || sum < robotsCacheBytes/2 {
		t.Errorf("the files of %d origins in memory have %d bytes, %d by the count; want at most %d and not far less",
			len(b.cache), sum, b.bytes, robotsCacheBytes)
	}
}
