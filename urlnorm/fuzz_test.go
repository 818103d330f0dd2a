package urlnorm

import (
	"errors"
	neturl "net/url"
	"strings"
	"testing"
	"unicode/utf8"

	whatwg "github.com/nlnwa/whatwg-url/url"
)

// seedReferences are the inputs that every fuzz target starts from: the kinds
// that have something to decide.
var seedReferences = []string{
	"http://example.com", "HTTP://User:Pa%20ss@EXAMPLE.com:0080/../a/./b?x=1&utm_source=y#z",
	"http://example.com/?#!a b", "#!é/%c3%a9?x=1&y='2'", "http://e.x/?&_escaped_fragment_=a%2520b'c",
	"?_escaped_fragment_", "../..//x/%2E%2e/y", "//other.example./p%7e%zz|^?q=%u0645%", "\\\\h\\p\\q?a\\b",
	"http:a", "https:/\\x", "http://[::FFFF:1.2.3.4]:443/", "http://0x7f.1/", "http://1.2.3.4.", "http://Bücher.example。/ß?ß#ß",
	"http://a,b.c_d.example/;p=1", "http://h/a?&&b=%26&=&c&gclid=1&", "\thttp://h/a\nb ", "http://h/\xe9?\xe9#!\xe9",
	"http://h/?a=1&_escaped_fragment_=x&b=2#!y", "http://@h:/?", "mailto:a@b", "http://a@b@c/", "x y?z w",
	"http://h/?_escaped_fragment_=%09%20", "#/route", "?a;b=1", "http://xn--a/", "http://h/%", "/a/;jsessionid=0123456789abcdef?SID=0",
}

var seedBases = []string{"", "http://h.example/dir/page?q=1#!s", "https://u:p@h.example:8443", "http://h/a?_escaped_fragment_=b"}

func addSeeds(f *testing.F) {
	for _, ref := range seedReferences {
		for _, base := range seedBases {
			f.Add(base, ref)
		}
	}
}

// resolveBoth resolves a fuzzed pair, and reports false where there is
// nothing to test.
func resolveBoth(n *Normalizer, page, ref string, cs Charset) (*Base, URL, bool) {
	base, err := n.baseOrNone(page)
	if err != nil {
		return nil, URL{}, false
	}
	u, err := n.Resolve(base, ref, cs)
	return base, u, err == nil
}

func FuzzNames(f *testing.F) {
	addSeeds(f)
	n := mustNew(f, Config{})
	wide := mustNew(f, Config{Profile: aggressive})
	gbk, err := CharsetByLabel("gbk")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, page, ref string) {
		checkNames(t, n, page, ref, Charset{})
		checkNames(t, n, page, ref, gbk)
		checkNames(t, wide, page, ref, Charset{})
	})
}

// checkNames holds the invariants of the package comment.
func checkNames(t *testing.T, n *Normalizer, page, ref string, cs Charset) {
	t.Helper()
	base, u, ok := resolveBoth(n, page, ref, cs)
	if !ok {
		return
	}
	fetched, err := n.Resolve(base, u.Fetch, cs)
	if err != nil || fetched.Fetch != u.Fetch || fetched.Key != u.Key {
		t.Errorf("Resolve(%q, %q) = %+v\nits fetch form gives %+v, %v", page, ref, u, fetched, err)
	}
	shown, err := n.Resolve(base, u.Display, cs)
	if err != nil || shown.Key != u.Key || shown.Display != u.Display {
		t.Errorf("Resolve(%q, %q) = %+v\nits display URL gives %+v, %v", page, ref, u, shown, err)
	}
	if strings.Contains(u.Display, "#!") && u.Kind == Pretty && isText(ref) && shown.Fetch != u.Fetch {
		t.Errorf("Resolve(%q, %q) = %+v\nits display URL is requested as %q", page, ref, u, shown.Fetch)
	}
	for _, name := range []string{u.Fetch, u.Key, u.Display} {
		if strings.ContainsAny(name, "\r\n\t") || !utf8.ValidString(name) {
			t.Errorf("Resolve(%q, %q): %q is not one line of text", page, ref, name)
		}
	}
	checkWire(t, u)
	if e := n.Explain(base, ref, cs); e.Key != u.Key || e.Err != nil {
		t.Errorf("Explain(%q, %q) = %+v, want key %q", page, ref, e, u.Key)
	}
}

// isText reports whether a display URL can hold all of s.
func isText(s string) bool {
	return utf8.ValidString(s) && strings.IndexFunc(s, func(r rune) bool { return r < 0x20 || r == 0x7F }) < 0
}

// collyParser is the parser that colly puts in front of net/url.
var collyParser = whatwg.NewParser(whatwg.WithPercentEncodeSinglePercentSign())

// checkWire tests that Go's client and colly's parser send the fetch form.
func checkWire(t *testing.T, u URL) {
	t.Helper()
	if c, err := collyParser.Parse(u.Fetch); err == nil && libraryHost(u.Host()) && c.Href(false) != u.Fetch {
		t.Errorf("colly makes %q of %q", c.Href(false), u.Fetch)
	}
	sent, err := neturl.Parse(u.Fetch)
	if err != nil {
		// net/url takes fewer bytes in hosts than the standard, which a name
		// of the DNS cannot have either.
		if host := u.Host(); strings.IndexFunc(host, func(r rune) bool { return r > 0x7F || !is(byte(r), inHost) }) < 0 {
			t.Errorf("net/url.Parse(%q): %v", u.Fetch, err)
		}
		return
	}
	if got := sent.RequestURI(); got != u.Target() {
		t.Errorf("net/url sends %q for %q", got, u.Target())
	}
}

// FuzzFastKey holds the fast pass against the pipeline.
func FuzzFastKey(f *testing.F) {
	addSeeds(f)
	configs := []Config{{}, {Profile: strict}, {Rules: []string{"+tracking-wide", "-empty-pairs"}}, {Rules: []string{"-empty-query", "-userinfo"}}}
	var fast, slow []*Normalizer
	for _, c := range configs {
		n := mustNew(f, c)
		if !n.all.fast {
			f.Fatalf("New(%+v) has no fast pass", c)
		}
		fast = append(fast, n)
		s := *n
		s.all.fast = false
		slow = append(slow, &s)
	}
	f.Fuzz(func(t *testing.T, page, ref string) {
		for i := range fast {
			_, a, _ := resolveBoth(fast[i], page, ref, Charset{})
			_, b, _ := resolveBoth(slow[i], page, ref, Charset{})
			if a != b {
				t.Errorf("%s: Resolve(%q, %q)\n fast %+v\n slow %+v", fast[i].ID(), page, ref, a, b)
			}
		}
	})
}

// FuzzAgainstLibrary holds the parser against nlnwa/whatwg-url where that is
// known to follow the standard.
func FuzzAgainstLibrary(f *testing.F) {
	addSeeds(f)
	n := mustNew(f, asStandard)
	f.Fuzz(func(t *testing.T, page, ref string) {
		if !libraryKnows(page) || !libraryKnows(ref) {
			return
		}
		base, ours, ok := resolveBoth(n, page, ref, Charset{})
		own, _ := split(nil, page) // the page's URL has no base itself
		r, _ := split(base, ref)
		if !libraryHost(strings.ToLower(unescape(own.host))) || !libraryHost(strings.ToLower(unescape(r.host))) {
			return
		}
		if page != "" && base == nil {
			return
		}
		theirs, err := whatwg.ParseRef(page, ref)
		if err == nil && (theirs.Scheme() != "http" && theirs.Scheme() != "https" || !libraryHost(theirs.Hostname())) {
			return
		}
		if err != nil || !ok {
			if ok != (err == nil) && !(ok && !libraryHost(ours.Host())) {
				t.Errorf("Resolve(%q, %q) = %q, %v; library %v, %v", page, ref, ours.Fetch, ok, theirs, err)
			}
			return
		}
		if want := theirs.Href(true); ours.Fetch != want && libraryHost(ours.Host()) {
			t.Errorf("Resolve(%q, %q) = %q, library %q", page, ref, ours.Fetch, want)
		}
	})
}

// libraryKnows reports whether the library treats all of s as the standard
// does. It decodes bytes that are no UTF-8, leaves ^ in paths, checks xn--
// labels, and takes a second [ inside an IPv6 address.
func libraryKnows(s string) bool {
	return utf8.ValidString(s) && strings.Count(s, "[") < 2 && !strings.ContainsAny(s, "^\x00\uFFFD") && !strings.Contains(strings.ToLower(s), "xn--") && len(s) < 4000
}

// libraryHost reports whether a host is of a kind that both map alike. The
// library reads +1, 0-0 and 1_0 as numbers of an IPv4 address, and whatever
// begins with more digits than 64 bits hold. Names that are not ASCII it maps
// under stricter rules; those the suites of IDNA test.
func libraryHost(host string) bool {
	if len(host) > maxHost { // which we refuse
		return false
	}
	if strings.IndexFunc(host, func(r rune) bool { return r >= utf8.RuneSelf }) >= 0 {
		return false
	}
	for label := range strings.SplitSeq(host, ".") {
		signs := strings.Trim(label, "0123456789abcdefx+-_") == "" && strings.ContainsAny(label, "+-_")
		huge := len(label) > 16 && label[0] >= '0' && label[0] <= '9'
		if strings.HasPrefix(label, "xn--") || signs || huge {
			return false
		}
	}
	return true
}

func FuzzSSURT(f *testing.F) {
	addSeeds(f)
	n := mustNew(f, Config{})
	f.Fuzz(func(t *testing.T, page, ref string) {
		if back, err := FromSSURT(ref); err == nil {
			if s, err := SSURT(back); err != nil || s != ref {
				t.Errorf("SSURT(FromSSURT(%q)) = %q, %v", ref, s, err)
			}
		}
		_, u, ok := resolveBoth(n, page, ref, Charset{})
		if !ok {
			return
		}
		for _, name := range []string{u.Fetch, u.Key} {
			s, err := SSURT(name)
			if err != nil {
				t.Errorf("SSURT(%q): %v", name, err)
				continue
			}
			if back, err := FromSSURT(s); err != nil || back != name {
				t.Errorf("FromSSURT(%q) = %q, %v; want %q", s, back, err, name)
			}
		}
	})
}

func FuzzState(f *testing.F) {
	for _, ref := range seedReferences {
		f.Add(ref)
	}
	f.Fuzz(func(t *testing.T, s string) {
		escaped := EscapeState(s)
		if back := UnescapeState(escaped); utf8.ValidString(s) && back != s {
			t.Errorf("UnescapeState(EscapeState(%q)) = %q", s, back)
		}
		if i := strings.IndexFunc(escaped, func(r rune) bool { return r >= 0x7F || !is(byte(r), inState) && r != '%' }); i >= 0 {
			t.Errorf("EscapeState(%q) = %q leaves a byte raw at %d", s, escaped, i)
		}
	})
}

func FuzzParseHostRules(f *testing.F) {
	f.Add("hosts:\n  - host: a.test\n    rules: [+www]\n")
	f.Add("hosts:\n- {host: '*.a', default-params: {a: b}, keep-fragments: [/]}\n- host: [&a *a]\n")
	f.Add("hosts: &x [*x]\n<<: 1\n---\n? a\n: !!b |\n")
	f.Fuzz(func(t *testing.T, text string) {
		rules, err := ParseHostRules([]byte(text))
		if err != nil {
			if !errors.Is(err, ErrConfig) {
				t.Errorf("ParseHostRules(%q): %v", text, err)
			}
			return
		}
		if _, err := New(Config{Hosts: rules}); err != nil {
			t.Errorf("ParseHostRules(%q) gives rules that New refuses: %v", text, err)
		}
	})
}

func FuzzCleanParam(f *testing.F) {
	f.Add("a&b /x*y$", "?a=1&c=2&b#!s")
	n := mustNew(f, Config{})
	f.Fuzz(func(t *testing.T, line, tail string) {
		c, ok := ParseCleanParam(line)
		u, err := n.Resolve(nil, "http://h/"+tail, Charset{})
		if !ok || err != nil {
			return
		}
		once := n.Clean(u, []CleanParam{c})
		if twice := n.Clean(once, []CleanParam{c}); twice != once || len(once.Key) > len(u.Key) {
			t.Errorf("Clean of %+v by %q is %+v, then %+v", u, line, once, twice)
		}
	})
}
