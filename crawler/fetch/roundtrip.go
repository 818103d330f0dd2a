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
	watch  watchdog

	status    int
	answer    http.Header
	proto     string
	remote    netip.Addr
	reused    bool
	body      []byte
	cut       Truncation
	wireBytes int64
	err       error // what ended the exchange; nil while there is a response
}

// exchangeKey is the context key under which the exchange travels through colly.
type exchangeKey struct{}

// A roundTripper stands between colly and the network. It decodes and limits
// bodies, and shows colly nothing that it would act upon: an empty header hides
// redirects from the http.Client, and Content-Type and Content-Encoding from
// colly's own gzip reader and charset conversion.
type roundTripper struct {
	engine http.RoundTripper
	client *Client
}

// RoundTrip performs the exchange in the context of req.
func (rt *roundTripper) RoundTrip(req *http.Request) (*http.Response, error) {
	x := req.Context().Value(exchangeKey{}).(*exchange)
	res, err := rt.engine.RoundTrip(req)
	if err != nil {
		x.err = classify(req.Context(), err)
		return nil, x.err
	}
	x.status, x.answer, x.proto = res.StatusCode, res.Header, res.Proto
	body, err := rt.client.newBody(req.Context(), x, res)
	if err != nil {
		res.Body.Close()
		x.err = err
		return nil, err
	}
	return &http.Response{
		StatusCode:    res.StatusCode,
		Body:          body,
		ContentLength: -1,
		// Set, colly never takes the body for gzip, whatever the path ends in.
		Uncompressed: true,
		Request:      req,
	}, nil
}
