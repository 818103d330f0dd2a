package urlnorm

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// ownRows reads a table of testdata/urlnorm. Fields are the bodies of Go
// strings in which quotation marks need no backslash.
func ownRows(t testing.TB, name string) [][]string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "testdata", "urlnorm", name))
	if err != nil {
		t.Fatal(err)
	}
	var rows [][]string
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.Split(line, "\t")
		for i, f := range fields {
			s, err := strconv.Unquote(`"` + strings.ReplaceAll(f, `"`, `\"`) + `"`)
			if err != nil {
				t.Fatalf("%s: %q: %v", name, f, err)
			}
			fields[i] = s
		}
		rows = append(rows, fields)
	}
	return rows
}

func TestNames(t *testing.T) {
	n := mustNew(t, Config{})
	for _, r := range ownRows(t, "names.tsv") {
		base, err := n.baseOrNone(r[0])
		if err != nil {
			t.Fatalf("Base(%q): %v", r[0], err)
		}
		u, err := n.Resolve(base, r[1], Charset{})
		if r[2] == "-" {
			if err == nil {
				t.Errorf("Resolve(%q, %q) = %+v, want an error: %s", r[0], r[1], u, r[5])
			}
			continue
		}
		want := URL{Fetch: r[2], Key: r[3], Display: r[4], Kind: u.Kind}
		if want.Key == "=" {
			want.Key = want.Fetch
		}
		if want.Display == "=" {
			want.Display = want.Fetch
		}
		if err != nil || u != want {
			t.Errorf("Resolve(%q, %q) = %+v, %v\nwant %+v: %s", r[0], r[1], u, err, want, r[5])
		}
	}
}

func TestPairs(t *testing.T) {
	for _, r := range ownRows(t, "pairs.tsv") {
		n := mustNew(t, Config{Rules: strings.Fields(r[0])})
		a, erra := n.Resolve(nil, r[2], Charset{})
		b, errb := n.Resolve(nil, r[3], Charset{})
		if erra != nil || errb != nil {
			t.Errorf("Resolve(%q), Resolve(%q): %v, %v", r[2], r[3], erra, errb)
			continue
		}
		if same := a.Key == b.Key; same != (r[1] == "same") {
			t.Errorf("%q: keys of %q and %q are %q and %q, want %s: %s", r[0], r[2], r[3], a.Key, b.Key, r[1], r[4])
		}
	}
}

// TestEveryRuleHasAPair keeps pairs.tsv complete: a rule that no profile has,
// or that is no part of crawl, is shown at work there.
func TestEveryRuleHasAPair(t *testing.T) {
	shown := map[string]bool{}
	for _, r := range ownRows(t, "pairs.tsv") {
		for _, s := range strings.Fields(r[0]) {
			shown[s[1:]] = true
		}
	}
	for i, r := range table {
		if r.Name == "" || r.What == "" || r.Source == "" {
			t.Errorf("rule %d is not described: %+v", i, r)
		}
		if (r.Profile == aggressive || r.Profile == off) && !shown[r.Name] {
			t.Errorf("pairs.tsv has no row for %s", r.Name)
		}
	}
}

func TestErrorsCanBeToldApart(t *testing.T) {
	n := mustNew(t, Config{MaxLength: 100})
	for _, tc := range []struct {
		ref  string
		want error
	}{
		{"ftp://a.test/", ErrScheme},
		{"javascript:void(0)", ErrScheme},
		{"a.test:80", ErrScheme},
		{"", ErrRelative},
		{"/x", ErrRelative},
		{"http://", ErrNoHost},
		{"http:///", ErrNoHost},
		{"https://:443", ErrNoHost},
		{"http://u:p@/x", ErrNoHost},
		{"http://a.test:99999/", ErrPort},
		{"http://a.test:-1/", ErrPort},
		{"http://[::g]/", ErrHost},
		{"http://[::1/", ErrHost},
		{"http://a<b/", ErrHost},
		{"http://1.2.3.4.5/", ErrHost},
		{"http://\u00ad/", ErrHost},
		{"http://a.test/" + strings.Repeat("x", 100), ErrTooLong},
		{"http://a.test/" + strings.Repeat("é", 30), ErrTooLong},
		{"http://a.test/#!" + strings.Repeat(" ", 30) + "x", ErrTooLong},
	} {
		_, err := n.Resolve(nil, tc.ref, Charset{})
		if !errors.Is(err, tc.want) {
			t.Errorf("Resolve(%q) = %v, want %v", tc.ref, err, tc.want)
		}
		for _, other := range []error{ErrScheme, ErrRelative, ErrNoHost, ErrPort, ErrHost, ErrTooLong} {
			if other != tc.want && errors.Is(err, other) {
				t.Errorf("Resolve(%q) = %v, which is %v as well", tc.ref, err, other)
			}
		}
	}
}

func TestPlainFragmentHasNoLength(t *testing.T) {
	n := mustNew(t, Config{MaxLength: 100})
	if u, err := n.Resolve(nil, "http://a.test/#"+strings.Repeat("x", 1000), Charset{}); err != nil || u.Fetch != "http://a.test/" {
		t.Errorf("Resolve = %+v, %v", u, err)
	}
}

func TestAccessors(t *testing.T) {
	for _, tc := range []struct {
		fetch, scheme, host string
		port                uint16
		origin, target      string
	}{
		{"http://a.test/", "http", "a.test", 80, "http://a.test", "/"},
		{"https://a.test/x?y@z", "https", "a.test", 443, "https://a.test", "/x?y@z"},
		{"http://u:p@a.test:8080/x", "http", "a.test", 8080, "http://a.test:8080", "/x"},
		{"http://[::1]/", "http", "[::1]", 80, "http://[::1]", "/"},
		{"https://[::1]:65535/", "https", "[::1]", 65535, "https://[::1]:65535", "/"},
		{"", "", "", 0, "", ""},
	} {
		u := URL{Fetch: tc.fetch}
		if u.Scheme() != tc.scheme || u.Host() != tc.host || u.Port() != tc.port || u.Origin() != tc.origin || u.Target() != tc.target {
			t.Errorf("%q: %q %q %d %q %q, want %+v", tc.fetch, u.Scheme(), u.Host(), u.Port(), u.Origin(), u.Target(), tc)
		}
	}
}

func TestResolveSharesNoMemoryWithThePage(t *testing.T) {
	n := mustNew(t, Config{})
	base, err := n.Base("http://a.test/d/")
	if err != nil {
		t.Fatal(err)
	}
	allocs := testing.AllocsPerRun(100, func() {
		if _, err := n.Resolve(base, "x/y?z=1", Charset{}); err != nil {
			t.Fatal(err)
		}
	})
	if allocs != 1 {
		t.Errorf("Resolve makes %v allocations, want the one of its own names", allocs)
	}
}

// TestLongInput resolves inputs of 256 KiB that would be slow for a parser that
// looks back; BenchmarkLong has the times
// for 1 MiB.
func TestLongInput(t *testing.T) {
	n := mustNew(t, Config{Profile: aggressive, Rules: []string{"+tracking-wide", "+unicode-nfc", "+empty-value"}, MaxLength: 8 << 20})
	for _, in := range longInputs(1 << 18) {
		if _, err := n.Resolve(nil, in.url, Charset{}); err != nil && !errors.Is(err, ErrHost) && !errors.Is(err, ErrPort) && !errors.Is(err, ErrNoHost) {
			t.Errorf("%s: %v", in.name, err)
		}
	}
}

type longInput struct{ name, url string }

// longInputs are URLs of about size bytes, each of one kind all through.
func longInputs(size int) []longInput {
	kinds := []longInput{
		{"dots", "../"},
		{"slashes", "/"},
		{"segments", "a/"},
		{"escapes", "%2e"},
		{"stray", "%"},
		{"text", "é"},
		{"invalid", "\xff"},
		{"semicolons", ";jsessionid=0123456789abcdef"},
		{"newlines", "\n"},
		{"spaces", " "},
		{"backslashes", "\\"},
	}
	var inputs []longInput
	add := func(name, head, piece string) {
		inputs = append(inputs, longInput{name, head + strings.Repeat(piece, size/len(piece))})
	}
	for _, k := range kinds {
		add("path="+k.name, "http://a.test/", k.url)
		add("query="+k.name, "http://a.test/?", k.url)
		add("state="+k.name, "http://a.test/#!", k.url)
		add("host="+k.name, "http://", k.url)
		add("user="+k.name, "http://@", k.url)
	}
	add("query=pairs", "http://a.test/?", "a=b&")
	add("query=conditional", "http://a.test/?", "mkt_tok=1&h_sid=2&")
	add("query=tokens", "http://a.test/?", "_escaped_fragment_=1&")
	add("query=stale-tokens", "http://a.test/?a#!x&", "_escaped_fragment_=1&")
	add("user=ats", "http://", "@")
	add("user=colons", "http://u", ":")
	add("host=labels", "http://", "é.")
	add("host=one-label", "http://", "é")
	add("port=digits", "http://a.test:", "0")
	return inputs
}

func BenchmarkLong(b *testing.B) {
	n := mustNew(b, Config{Profile: aggressive, MaxLength: 8 << 20})
	for _, in := range longInputs(1 << 20) {
		b.Run(in.name, func(b *testing.B) {
			b.SetBytes(int64(len(in.url)))
			for b.Loop() {
				_, _ = n.Resolve(nil, in.url, Charset{}) // some are refused
			}
		})
	}
}

func TestNormalizerIsSharedByGoroutines(t *testing.T) {
	n := mustNew(t, Config{Profile: aggressive, Hosts: []HostRules{{Host: "*.test", Rules: []string{"-www"}}}})
	cs, err := CharsetByLabel("gbk")
	if err != nil {
		t.Fatal(err)
	}
	base, err := n.Base("http://www.bücher.test/")
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 100 {
				u, err := n.Resolve(base, "x?b=中&a&utm_source=1#!s", cs)
				if err != nil || u.Key != "http://www.xn--bcher-kva.test/x?a&b=%D6%D0#!s" {
					t.Errorf("Resolve = %+v, %v", u, err)
					return
				}
			}
		})
	}
	wg.Wait()
}
