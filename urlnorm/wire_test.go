package urlnorm_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	whatwg "github.com/nlnwa/whatwg-url/url"

	"github.com/hashcrawl/hashcrawl/urlnorm"
)

// wireReferences are references whose fetch form Go's client might rewrite.
var wireReferences = []string{
	"/", "/a%2Fb", "/a%2fb/%7E~", "/100%", "/a|b^c", "/a[b]c", "/a;b=c,d", "/é?é", "/%E9?%e9", "/a b?c d",
	"/?", "/?&a=&&b", "/?q=%zz", "/?q=100%", "/?a=b|c^d`e{f}", "/?u=http://b/c?d", "/?'\"<>", "/x//a//b", "/a/../b//..//c",
	"/*", "/:a", "/a:b@c", "/%00%01", "/$&'()*+,-.!", "/#!a b", "/#!q=R%26D&é=ü", "/?x#!it's/[a]?{b}|c^d`\\",
	"/?_escaped_fragment_=a|b'c", "/%2e%2e%2f", "/.%2e/x", "/?" + strings.Repeat("a=%c3%a9&", 50),
}

// TestFetchFormIsWhatTheServerReceives sends each fetch form through net/http,
// after the parser that colly puts in front of it.
func TestFetchFormIsWhatTheServerReceives(t *testing.T) {
	var received string
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		received = r.RequestURI
	}))
	defer server.Close()
	n, err := urlnorm.New(urlnorm.Config{})
	if err != nil {
		t.Fatal(err)
	}
	base, err := n.Base(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	colly := whatwg.NewParser(whatwg.WithPercentEncodeSinglePercentSign())
	for _, ref := range wireReferences {
		u, err := n.Resolve(base, ref, urlnorm.Charset{})
		if err != nil {
			t.Fatalf("Resolve(%q): %v", ref, err)
		}
		parsed, err := colly.Parse(u.Fetch)
		if err != nil {
			t.Fatalf("colly's parser on %q: %v", u.Fetch, err)
		}
		address, err := url.Parse(parsed.Href(false))
		if err != nil {
			t.Fatalf("net/url.Parse(%q): %v", parsed.Href(false), err)
		}
		resp, err := http.Get(address.String())
		if err != nil {
			t.Fatalf("Get(%q): %v", u.Fetch, err)
		}
		if err := resp.Body.Close(); err != nil {
			t.Fatal(err)
		}
		if received != u.Target() {
			t.Errorf("Resolve(%q).Fetch = %q, but the server received %q", ref, u.Fetch, received)
		}
	}
}
