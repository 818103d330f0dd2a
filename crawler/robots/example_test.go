package robots_test

import (
	"fmt"

	"github.com/hashcrawl/hashcrawl/crawler/robots"
)

func Example() {
	file := robots.Parse([]byte("User-agent: *\nCrawl-delay: 2\nDisallow: /*?\nAllow: /*?_escaped_fragment_=\n"))
	rules := file.Rules("hashcrawl")
	for _, target := range []string{"/?_escaped_fragment_=/news", "/?page=2"} {
		v := rules.Test(target)
		fmt.Printf("%s %v: line %d, %s\n", target, v.Allowed, v.Line, v.Rule)
	}
	delay, _ := rules.CrawlDelay()
	fmt.Println(delay)
	// Output:
	// /?_escaped_fragment_=/news true: line 4, Allow: /*?_escaped_fragment_=
	// /?page=2 false: line 3, Disallow: /*?
	// 2s
}
