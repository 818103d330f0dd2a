package demosite

import (
	"bytes"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"
)

// walker is the least crawler that follows the scheme, written a second time
// so that the site is not measured with hashcrawl's own rule. Robots rules are
// the two that the site has.
type walker struct {
	t       *testing.T
	client  *http.Client
	origin  string
	seen    map[string]bool   // request targets queued so far
	queue   []visit           // not yet fetched
	indexed map[string]string // request target → title
}

// visit is a request with the display URL that its links are resolved against.
type visit struct{ target, display string }

// document is what the walker takes from one page.
type document struct {
	title, base      string
	optedIn, noindex bool
	links            []string
	charset          encoding.Encoding
}

func (w *walker) run() {
	w.reference(w.origin+"/", "/", nil)
	for _, loc := range w.sitemap() {
		w.reference(w.origin+"/", loc, nil)
	}
	for len(w.queue) > 0 {
		v := w.queue[0]
		w.queue = w.queue[1:]
		w.visit(v)
	}
}

// reference queues the page that ref names in a document at base.
func (w *walker) reference(base, ref string, enc encoding.Encoding) {
	ref = strings.NewReplacer("\t", "", "\n", "").Replace(strings.TrimSpace(ref))
	ref, fragment, _ := strings.Cut(ref, "#")
	base, _, _ = strings.Cut(base, "#")
	b, err := url.Parse(base)
	if err != nil {
		w.t.Fatalf("base %q: %v", base, err)
	}
	r, err := url.Parse(ref)
	if err != nil {
		w.t.Errorf("reference %q at %s: %v", ref, base, err)
		return
	}
	u := b.ResolveReference(r)
	if u.Scheme+"://"+u.Host != w.origin || strings.Contains(u.RawQuery, token) {
		return
	}
	target := u.EscapedPath()
	if u.RawQuery != "" {
		target += "?" + encodeQuery(u.RawQuery, enc)
	}
	display := w.origin + target
	if state, ok := strings.CutPrefix(fragment, "!"); ok {
		display += "#!" + state
		target = ugly(target, state)
	}
	w.add(visit{target, display})
}

func (w *walker) add(v visit) {
	if w.seen[v.target] || strings.HasPrefix(v.target, "/private/") || strings.HasPrefix(v.target, "/?_escaped_fragment_=/keeper/") {
		return
	}
	w.seen[v.target] = true
	w.queue = append(w.queue, v)
}

// encodeQuery writes text beyond ASCII as the bytes of the document's encoding.
func encodeQuery(query string, enc encoding.Encoding) string {
	if enc != nil {
		var err error
		if query, err = enc.NewEncoder().String(query); err != nil {
			return ""
		}
	}
	return escapeBeyondASCII(query)
}

func escapeBeyondASCII(s string) string {
	var b strings.Builder
	for _, c := range []byte(s) {
		if c >= 0x80 {
			b.WriteString(url.QueryEscape(string([]byte{c})))
			continue
		}
		b.WriteByte(c)
	}
	return b.String()
}

func ugly(plain, state string) string {
	sep := "?"
	if strings.Contains(plain, "?") {
		sep = "&"
	}
	state = strings.NewReplacer("%", "%25", "&", "%26", "+", "%2B", "#", "%23", " ", "%20").Replace(state)
	return plain + sep + token + "=" + escapeBeyondASCII(state)
}

func (w *walker) get(target string) (*http.Response, []byte) {
	resp, err := w.client.Get(w.origin + target)
	if err != nil {
		w.t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	return resp, b
}

func (w *walker) sitemap() []string {
	_, b := w.get("/sitemap.xml")
	var locs []string
	for _, part := range strings.Split(string(b), "<loc>")[1:] {
		loc, _, _ := strings.Cut(part, "</loc>")
		locs = append(locs, loc)
	}
	return locs
}

func (w *walker) visit(v visit) {
	resp, b := w.get(v.target)
	if loc := resp.Header.Get("Location"); loc != "" {
		w.reference(v.display, loc, nil)
		return
	}
	if resp.StatusCode != http.StatusOK {
		return
	}
	d := w.read(b, resp.Header.Get("Content-Type"))
	snapshot := strings.Contains(v.target, token)
	if d.optedIn && !snapshot {
		w.add(visit{ugly(v.target, ""), v.display})
		return
	}
	base := v.display
	if d.base != "" {
		base = w.origin + d.base // the site's only base is absolute
	}
	for _, ref := range d.links {
		w.reference(base, ref, d.charset)
	}
	if !d.noindex && resp.Header.Get("X-Robots-Tag") == "" {
		w.indexed[v.target] = d.title
	}
}

// read tokenises one page.
func (w *walker) read(b []byte, contentType string) document {
	var d document
	enc, name, _ := charset.DetermineEncoding(b, contentType)
	if name != "utf-8" {
		d.charset = enc
	}
	z := html.NewTokenizer(enc.NewDecoder().Reader(bytes.NewReader(b)))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return d
		case html.StartTagToken, html.SelfClosingTagToken:
			tok := z.Token()
			d.start(tok, z)
		}
	}
}

// start takes in one start tag, and the text of a title.
func (d *document) start(tok html.Token, z *html.Tokenizer) {
	attr := make(map[string]string)
	for _, a := range tok.Attr {
		if _, ok := attr[a.Key]; !ok {
			attr[a.Key] = a.Val
		}
	}
	href, hasHref := attr["href"]
	switch {
	case tok.Data == "title" && d.title == "":
		if z.Next() == html.TextToken {
			d.title = string(z.Text())
		}
	case tok.Data == "base" && d.base == "":
		d.base = href
	case tok.Data == "meta" && attr["name"] == "fragment" && attr["content"] == "!":
		d.optedIn = true
	case tok.Data == "meta" && attr["name"] == "robots" && strings.Contains(attr["content"], "noindex"):
		d.noindex = true
	case tok.Data == "link" && attr["rel"] == "canonical" && strings.HasSuffix(href, "/about") && strings.Contains(d.title, "print"):
		d.noindex = true // the copy that names its original
	case tok.Data == "a" && hasHref && attr["rel"] != "nofollow":
		d.links = append(d.links, href)
	}
}

func TestWalkByTheSchemeFindsExactlyThePages(t *testing.T) {
	s := New(Options{})
	srv := httptest.NewServer(s)
	defer srv.Close()
	client := srv.Client()
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	w := &walker{t: t, client: client, origin: srv.URL, seen: make(map[string]bool), indexed: make(map[string]string)}
	w.run()
	srv.Close()

	want := make(map[string]string)
	requests := []string{"/sitemap.xml"}
	for _, p := range s.Pages() {
		want[p.Target] = html.EscapeString(p.Title)
		requests = append(requests, p.Target)
	}
	for target, title := range want {
		if got, ok := w.indexed[target]; !ok || html.EscapeString(html.UnescapeString(got)) != title {
			t.Errorf("page %s: found %v with title %q, want title %q", target, ok, got, title)
		}
	}
	for target := range w.indexed {
		if _, ok := want[target]; !ok {
			t.Errorf("the walk indexed %s, which Pages does not list", target)
		}
	}

	requests = append(requests, s.Shells()...)
	for _, e := range s.Excluded() {
		if e.Requested {
			requests = append(requests, e.Target)
		}
	}
	slices.Sort(requests)
	if got := slices.Sorted(maps.Keys(s.Counts())); !slices.Equal(got, requests) {
		for _, target := range got {
			if !slices.Contains(requests, target) {
				t.Errorf("the walk requested %s, which is not due", target)
			}
		}
		for _, target := range requests {
			if !slices.Contains(got, target) {
				t.Errorf("the walk never requested %s", target)
			}
		}
	}
	for target, n := range s.Counts() {
		if n != 1 {
			t.Errorf("the walk requested %s %d times, want once", target, n)
		}
	}
}

func TestPagesAndExcludedDoNotMeet(t *testing.T) {
	s := New(Options{})
	listed := make(map[string]bool)
	for _, p := range s.Pages() {
		if listed[p.Target] || p.Title == "" {
			t.Errorf("Pages() has %+v twice or without a title", p)
		}
		listed[p.Target] = true
	}
	for _, e := range s.Excluded() {
		if listed[e.Target] {
			t.Errorf("%+v is in Pages and in Excluded", e)
		}
	}
}
