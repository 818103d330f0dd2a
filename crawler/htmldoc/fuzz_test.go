package htmldoc

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/net/html"
)

func FuzzParse(f *testing.F) {
	files, err := filepath.Glob("../../testdata/htmldoc/*.html")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		page, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(page)
	}
	for _, tc := range hostilePages {
		f.Add([]byte(tc.page(200)))
	}
	f.Fuzz(func(t *testing.T, page []byte) {
		saved := bytes.Clone(page)
		o := Options{Outline: true, Text: 64}
		var parser Parser
		p := parser.Parse(page, o)
		if !bytes.Equal(page, saved) {
			t.Errorf("Parse changed its input %q to %q", saved, page)
		}
		anchorHrefs(t, p)
		checkOutline(t, p)
		again := describe("", parser.Parse(page, o))
		if first := describe("", p); !bytes.Equal(first, again) {
			t.Errorf("Parse(%q) =\n%s\nthe second time\n%s", page, first, again)
		}
		if bare := Parse(page, Options{}); len(bare.Links) != len(p.Links) || bare.Fingerprint != p.Fingerprint || bare.OptIn != p.OptIn || !slices.EqualFunc(bare.Loaders, p.Loaders, sameLoader) {
			t.Errorf("Parse(%q) depends on its options", page)
		}
		if utf8.Valid(page) && !utf8.ValidString(p.Title+p.Text+p.Description) {
			t.Errorf("Parse(%q) cut a character: %q, %q, %q", page, p.Title, p.Text, p.Description)
		}
	})
}

// sameLoader compares loaders of a page without an outline and with one.
func sameLoader(a, b Loader) bool {
	a.Node, b.Node = 0, 0
	return a == b
}

// FuzzSourceAttrs holds the reading of attributes from a tag's source to the
// tokenizer's own.
func FuzzSourceAttrs(f *testing.F) {
	for _, s := range []string{
		`<a href=x>`, `<a href="x" b='y' c>`, `<a/b=/c/d>`, `<a =b==c>`, `<a b = "c"d>`, `<a b= >`, `<a b/=c>`, "<a\nb\t=\fc>", `<a "b">`, `<a b='>'>`, `<a b=">`, `<a %=b= b=c>`, "<a\rb=c\r\nd='\r' e=&amp;>",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, doc []byte) {
		z := html.NewTokenizer(bytes.NewReader(doc))
		for tt := z.Next(); tt != html.ErrorToken; tt = z.Next() {
			if tt != html.StartTagToken && tt != html.SelfClosingTagToken {
				continue
			}
			source := bytes.Clone(z.Raw())
			written, ok := sourceAttrs(nil, source)
			if !ok {
				continue
			}
			var got, want []string
			p := Parser{controls: true}
			seen := map[string]bool{}
			for _, a := range written {
				if seen[string(a.key)] {
					continue // the first of a name counts
				}
				seen[string(a.key)] = true
				got = append(got, string(a.key)+" "+string(a.val))
				if p.isCoded(a.val) {
					got[len(got)-1] = string(a.key) + " coded"
				}
			}
			for _, more := z.TagName(); more; {
				var key, val []byte
				key, val, more = z.TagAttr()
				want = append(want, string(key)+" "+string(val))
				if n := len(want) - 1; n < len(got) && strings.HasSuffix(got[n], " coded") {
					want[n] = string(key) + " coded"
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("sourceAttrs(%q) = %q, want %q", source, got, want)
			}
		}
	})
}
