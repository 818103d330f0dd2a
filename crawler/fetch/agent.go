package fetch

import (
	"context"
	"net/http"

	"github.com/gocolly/colly/v2"
)

// vehicleURL is what colly is asked for in place of the real URL. Its parser
// would re-spell that (`|`, `^`, a stray `%`), refuses hosts that exist (labels
// that start with xn-- and do not decode), and costs more the longer a URL is.
const vehicleURL = "http://fetch/"

// newCollector returns the collector whose HTTP backend every agent shares.
//
// Every field is set after NewCollector because that lets COLLY_* environment
// variables override what its options say, MaxBodySize, cache directory, robots
// and the rest of it.
func newCollector(client *http.Client) *colly.Collector {
	c := colly.NewCollector()
	c.AllowURLRevisit = true        // the frontier decides what is fetched again
	c.ParseHTTPErrorResponse = true // an error page is an answer like others
	c.IgnoreRobotsTxt = true        // robots are kept by the crawler, before Fetch
	c.MaxBodySize = 0               // our limit acts on decoded bytes
	c.MaxDepth = 0
	c.MaxRequests = 0
	c.CacheDir = ""
	c.CacheExpiration = 0
	c.Async = false
	c.CheckHead = false
	c.DetectCharset = false
	c.TraceHTTP = false
	c.AllowedDomains = nil
	c.DisallowedDomains = nil
	c.DisallowedURLFilters = nil
	c.URLFilters = nil
	c.Headers = nil
	// The environment may have put a handler or a jar into the client that
	// colly made; this one takes its place.
	c.SetClient(client)
	return c
}

// newClient returns the http.Client under colly: no jar, no limit of its own,
// and redirects returned. The RoundTripper hides them from colly all the same.
func newClient(rt http.RoundTripper) *http.Client {
	return &http.Client{
		Transport:     rt,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// An agent is a clone of the collector that serves one exchange at a time. A
// clone shares the HTTP backend but has a context of its own, which is how the
// exchange reaches the RoundTripper; agents are kept in a pool, as a clone is
// made of ten allocations (BenchmarkAgent).
type agent struct {
	collector *colly.Collector
	x         *exchange // owned by the Fetch that holds the agent; nil in the pool
}

func newAgent(c *colly.Collector) *agent {
	a := &agent{collector: c.Clone()}
	a.collector.OnRequest(func(r *colly.Request) { *r.URL = *a.x.url })
	return a
}

// run sends x through colly and returns colly's error. What is known of the
// answer stands in x, also after an error.
func (a *agent) run(ctx context.Context, x *exchange) error {
	a.x = x
	a.collector.Context = context.WithValue(ctx, exchangeKey{}, x)
	defer func() {
		a.x = nil
		a.collector.Context = context.Background()
	}()
	return a.collector.Request(http.MethodGet, vehicleURL, nil, nil, x.header)
}
