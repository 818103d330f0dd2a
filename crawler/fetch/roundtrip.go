package fetch

import (
	"net/http"
	"net/netip"
	"net/url"
	"time"
)

// An exchange is one fetch: what is asked, and what is known of the answer. One
// goroutine works on it at a time, but for watch.
type exchange struct {
	raw    string
	target target
	url    *url.URL
	addr   netip.Addr  // to dial; zero: resolve
	header http.Header // of the request
	start  time.Time
	limit  int64 // of the decoded body
	lend   bool  // the body may be in a buffer of the client
	watch  watchdog

	status    int
	answer    http.Header
	proto     string
	remote    netip.Addr
	reused    bool
	body      []byte
	lent      *[]byte // the buffer of body, if it is lent
	cut       Truncation
	wireBytes int64
	err       error // what ended the exchange; nil while there is a response
}

// exchangeKey is the context key under which the exchange travels through colly.
type exchangeKey struct{}

// A roundTripper stands between colly and the network. It reads, decodes and
// limits the body, and shows colly a response with a status and nothing else:
// the missing header hides redirects from the http.Client, and Content-Type and
// Content-Encoding from colly's charset conversion and gzip reader. The missing
// body saves colly's io.ReadAll, which makes garbage of twice the page's size.
type roundTripper struct {
	engine http.RoundTripper
	client *Client
}

// RoundTrip performs the exchange in the context of req. What is known of the
// answer stands in the exchange, also after an error.
func (rt *roundTripper) RoundTrip(req *http.Request) (*http.Response, error) {
	x := req.Context().Value(exchangeKey{}).(*exchange)
	res, err := rt.engine.RoundTrip(req)
	if err != nil {
		x.err = classify(req.Context(), err)
		return nil, x.err
	}
	x.status, x.answer, x.proto = res.StatusCode, res.Header, res.Proto
	x.err = rt.client.readBody(req.Context(), x, res)
	res.Body.Close()
	if x.err != nil {
		return nil, x.err
	}
	return &http.Response{
		StatusCode:   res.StatusCode,
		Body:         http.NoBody,
		Uncompressed: true, // or colly takes a path that ends in .xml.gz for gzip
		Request:      req,
	}, nil
}
