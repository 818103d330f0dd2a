package sitemap_test

import (
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/hashcrawl/hashcrawl/crawler/sitemap"
)

func ExampleRead() {
	doc := "<urlset><url><loc>http://a.test/#!/news</loc></url><url><loc>http://a.test/#!/old"
	sum, err := sitemap.Read(strings.NewReader(doc), func(e sitemap.Entry) bool {
		fmt.Println(e.Loc)
		return true
	})
	fmt.Println(sum.Kind, sum.Entries, sum.Stop, err)
	// Output:
	// http://a.test/#!/news
	// urlset 1 cut <nil>
}

func ExampleNewWriter() {
	w := sitemap.NewWriter(sitemap.WriteOptions{Open: sitemap.SinglePart(os.Stdout)})
	if err := w.Add("http://a.test/#!/news?a=1&b=2", time.Time{}); err != nil {
		fmt.Println(err)
	}
	if err := w.Close(); err != nil {
		fmt.Println(err)
	}
	// Output:
	// <?xml version="1.0" encoding="UTF-8"?>
	// <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
	// <url><loc>http://a.test/#!/news?a=1&amp;b=2</loc></url>
	// </urlset>
}
