package fetch

import (
	"errors"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/hashcrawl/hashcrawl/crawler/fetch/faultserver"
)

// exactTargets are request targets that net/url, net/http or colly would spell
// otherwise, among some that they leave alone.
var exactTargets = []string{
	"/",
	"/a|b^c`d",
	"/a%2Fb/%2f",
	"/100%",
	"/%zz?%",
	"//",
	"//a//b/",
	"//a|b%",
	"//other.test/a|b",
	"/?",
	"/a?",
	"/a??b",
	"/a?b|c^d{e}\"<>`",
	"/a\"<>{}\\",
	"/a[1]/;v=1,2;(x)!$&'*+=:@",
	"/./../x/.",
	"/%7Euser/~user",
	"/?_escaped_fragment_=",
	"/?_escaped_fragment_=/a?b",
	"/x?p=1&_escaped_fragment_=k=v%26l=w",
	"/%E4%BD%A0/\xe4\xbd\xa0",
	"/*",
	"/a:b/http://c.test/d",
	"/robots.txt",
}

func TestTargetGoesOutByteForByte(t *testing.T) {
	s := startFaults(t, faultserver.Options{})
	c := newTestClient(t, Options{})
	for _, want := range exactTargets {
		if _, err := c.Fetch(t.Context(), Request{URL: s.URL() + want}); err != nil {
			t.Errorf("Fetch(%q): %v", want, err)
			continue
		}
		log := s.Requests()
		if got, want := log[len(log)-1].Line, "GET "+want+" HTTP/1.1"; got != want {
			t.Errorf("request line\n got %q\nwant %q", got, want)
		}
	}
}

// What other engines are given spells the target in the same bytes, or, where
// net/http leaves no other way, in absolute form.
func TestTargetGoesOutByteForByteThroughNetHTTP(t *testing.T) {
	s := startFaults(t, faultserver.Options{})
	tr := &http.Transport{DisableCompression: true}
	defer tr.CloseIdleConnections()
	c := newTestClient(t, Options{Transport: tr})
	for _, want := range exactTargets {
		if _, err := c.Fetch(t.Context(), Request{URL: s.URL() + want}); err != nil {
			t.Errorf("Fetch(%q): %v", want, err)
			continue
		}
		log := s.Requests()
		if got := strings.TrimPrefix(log[len(log)-1].Target(), s.URL()); got != want {
			t.Errorf("request target\n got %q\nwant %q", got, want)
		}
	}
}

func TestAuthorityBecomesHost(t *testing.T) {
	for _, tc := range []struct{ url, authority, host, path string }{
		{"http://a.test", "a.test", "a.test", "/"},
		{"http://a.test:80/", "a.test", "a.test", "/"},
		{"https://a.test:443?x", "a.test", "a.test", "/?x"},
		{"https://a.test:80/", "a.test:80", "a.test", "/"},
		{"http://user:p@w@a.test:8080/@", "a.test:8080", "a.test", "/@"},
		{"http://[2001:db8::1]/", "[2001:db8::1]", "2001:db8::1", "/"},
		{"http://[2001:db8::1]:81/", "[2001:db8::1]:81", "2001:db8::1", "/"},
		{"HTTP://a_b.test/", "a_b.test", "a_b.test", "/"},
		{"http://xn--a.test/", "xn--a.test", "xn--a.test", "/"}, // colly refuses it
	} {
		got, err := parseTarget(tc.url)
		if err != nil || got.authority != tc.authority || got.host != tc.host || got.path != tc.path {
			t.Errorf("parseTarget(%q) = %+v, %v; want authority %q, host %q, path %q", tc.url, got, err, tc.authority, tc.host, tc.path)
		}
	}
}

func TestUnusableURLsAreRefused(t *testing.T) {
	c := newTestClient(t, Options{Transport: unreachable{t}})
	for _, tc := range []struct {
		url  string
		kind Kind
	}{
		{"", KindURL},
		{"/a", KindURL},
		{"http://", KindURL},
		{"http:///a", KindURL},
		{"http://a.test/#x", KindURL},
		{"http://a.test/a b", KindURL},
		{"http://a.test/a\r\nX: y", KindURL},
		{"http://a.test:0/", KindURL},
		{"http://a.test:99999/", KindURL},
		{"http://a.test:x/", KindURL},
		{"http://[::1:80/%zz", KindURL},
		{"http://[fe80::1%25eth0]/", KindURL},
		{"http://a%2eb.test/", KindURL},
		{"http://a:b:c/", KindURL},
		{"ftp://a.test/", KindScheme},
		{"file:///etc/passwd", KindScheme},
	} {
		_, err := c.Fetch(t.Context(), Request{URL: tc.url})
		e, ok := errors.AsType[*Error](err)
		if !ok || e.Kind != tc.kind || e.Retry || e.URL != tc.url {
			t.Errorf("Fetch(%q) = %+v; want a final error of kind %s", tc.url, err, tc.kind)
		}
	}
}

// unreachable fails the test when something is requested.
type unreachable struct{ t *testing.T }

func (u unreachable) RoundTrip(r *http.Request) (*http.Response, error) {
	u.t.Errorf("requested %s", r.URL)
	return nil, errors.New("unreachable")
}

func TestEveryRequestCarriesTheSameFields(t *testing.T) {
	s := startFaults(t, faultserver.Options{})
	c, err := New(Options{UserAgent: "hashcrawl/1 (+https://a.test/)", From: "crawler@a.test", AllowLoopback: true})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	want := []string{
		"Host: " + s.Addr(),
		"User-Agent: hashcrawl/1 (+https://a.test/)",
		"From: crawler@a.test",
		"Accept: " + acceptField,
		"Accept-Encoding: " + acceptEncodingField,
	}
	for _, r := range []Request{
		{URL: s.URL() + "/C01"}, // sets a cookie
		{URL: s.URL() + "/C01"},
		{URL: s.URL() + "/R09"}, // a redirect
		{URL: strings.Replace(s.URL(), "://", "://user:pw@", 1) + "/"},
		{URL: s.URL() + "/", IfNoneMatch: `W/"a"`, IfModifiedSince: "Mon, 30 Nov 2026 12:00:00 GMT"},
	} {
		if _, err := c.Fetch(t.Context(), r); err != nil {
			t.Fatalf("Fetch(%+v): %v", r, err)
		}
		want := want
		if r.IfNoneMatch != "" {
			want = append(slices.Clone(want), `If-None-Match: W/"a"`, "If-Modified-Since: Mon, 30 Nov 2026 12:00:00 GMT")
		}
		log := s.Requests()
		if got := log[len(log)-1].Fields; !slices.Equal(got, want) {
			t.Errorf("Fetch(%+v) sent\n%q\nwant\n%q", r, got, want)
		}
	}
}

func TestValidatorCannotBreakOut(t *testing.T) {
	c := newTestClient(t, Options{Transport: unreachable{t}})
	for _, r := range []Request{
		{URL: "http://a.test/", IfNoneMatch: "\"a\"\r\nCookie: b"},
		{URL: "http://a.test/", IfModifiedSince: "\n"},
	} {
		if _, err := c.Fetch(t.Context(), r); err == nil {
			t.Errorf("Fetch(%+v) gave no error", r)
		}
	}
}

// The environment steers neither colly nor net/http.
func TestEnvironmentChangesNothing(t *testing.T) {
	dir := t.TempDir()
	for k, v := range map[string]string{
		"COLLY_ALLOWED_DOMAINS":           "other.test",
		"COLLY_DISALLOWED_DOMAINS":        "127.0.0.1,fetch.invalid",
		"COLLY_CACHE_DIR":                 dir,
		"COLLY_DETECT_CHARSET":            "yes",
		"COLLY_FOLLOW_REDIRECTS":          "no",
		"COLLY_IGNORE_ROBOTSTXT":          "no",
		"COLLY_MAX_BODY_SIZE":             "1",
		"COLLY_MAX_DEPTH":                 "0",
		"COLLY_MAX_REQUESTS":              "1",
		"COLLY_PARSE_HTTP_ERROR_RESPONSE": "no",
		"COLLY_TRACE_HTTP":                "yes",
		"COLLY_USER_AGENT":                "other/1",
		"HTTP_PROXY":                      "http://127.0.0.1:1",
		"http_proxy":                      "http://127.0.0.1:1",
		"ALL_PROXY":                       "http://127.0.0.1:1",
	} {
		t.Setenv(k, v)
	}
	s := startFaults(t, faultserver.Options{})
	s.Handle("/gbk", func(c *faultserver.Conn) bool {
		return c.Answer("404 Not Found", "\xc4\xe3\xba\xc3", "Content-Type: text/html; charset=gbk")
	})
	c := newTestClient(t, Options{})
	for range 3 { // a cache and a request counter would show from the second on
		if got, want := fetchOutcome(t, c, s.URL()+"/gbk"), (outcome{status: 404, body: "\xc4\xe3\xba\xc3"}); got != want {
			t.Errorf("got %+v, want %+v", got, want)
		}
		if got, want := fetchOutcome(t, c, s.URL()+"/R01"), (outcome{status: 302, body: "moved"}); got != want {
			t.Errorf("got %+v, want %+v", got, want)
		}
	}
	var paths []string
	for _, r := range s.Requests() {
		paths = append(paths, r.Path())
		if ua := r.Field("User-Agent"); ua != "hashcrawl/test (+https://a.test/)" {
			t.Errorf("User-Agent %q", ua)
		}
	}
	if want := []string{"/gbk", "/R01", "/gbk", "/R01", "/gbk", "/R01"}; !slices.Equal(paths, want) {
		t.Errorf("requests %q, want %q: no robots.txt, no repeat, no cache", paths, want)
	}
}

func TestRedirectGivesLocationAsItCame(t *testing.T) {
	s := startFaults(t, faultserver.Options{})
	c := newTestClient(t, Options{})
	for path, want := range map[string]string{
		"/R01":       "/R01",
		"/R05-js":    "javascript:alert(1)",
		"/R06":       "http://[::1:80/%zz",
		"/R06-none":  "",
		"/R06-empty": "",
		"/R07":       "http://169.254.169.254/latest/meta-data/",
	} {
		r, err := c.Fetch(t.Context(), Request{URL: s.URL() + path})
		if err != nil || r.Status != 302 || r.Location != want {
			t.Errorf("Fetch(%q) = %+v, %v; want Location %q", path, r, err, want)
		}
	}
	if n := len(s.Requests()); n != 6 {
		t.Errorf("%d requests, want 6: redirects are not followed", n)
	}
}

func TestProxyIsUsedOnlyWhenGiven(t *testing.T) {
	s := startFaults(t, faultserver.Options{})
	proxy := mustURL(t, s.URL())
	c := newTestClient(t, Options{Proxy: proxy})
	for _, url := range []string{"http://site.invalid/a|b?x", "http://site.invalid//x%", "http://site.invalid/plain"} {
		if _, err := c.Fetch(t.Context(), Request{URL: url}); err != nil {
			t.Fatalf("Fetch(%q): %v", url, err)
		}
		log := s.Requests()
		if got := log[len(log)-1]; got.Target() != url || got.Field("Host") != "site.invalid" {
			t.Errorf("the proxy saw %q, Host %q; want %q", got.Target(), got.Field("Host"), url)
		}
	}
}

// closedAddr returns an address that nobody listens on.
func closedAddr(t *testing.T) string {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ln.Close()
	return ln.Addr().String()
}
