package htmldoc

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
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
		if bare := Parse(page, Options{}); len(bare.Links) != len(p.Links) || bare.Fingerprint != p.Fingerprint || bare.OptIn != p.OptIn {
			t.Errorf("Parse(%q) depends on its options", page)
		}
		if utf8.Valid(page) && !utf8.ValidString(p.Title+p.Text+p.Description) {
			t.Errorf("Parse(%q) cut a character: %q, %q, %q", page, p.Title, p.Text, p.Description)
		}
	})
}

// FuzzPlainAttrs holds the reading of attributes from a tag's source to the
// tokenizer's own.
func FuzzPlainAttrs(f *testing.F) {
	for _, s := range []string{
		`<a href=x>`, `<a href="x" b='y' c>`, `<a/b=/c/d>`, `<a =b==c>`, `<a b = "c"d>`, `<a b= >`, `<a b/=c>`, "<a\nb\t=\fc>", `<a "b">`, `<a b='>'>`, `<a b=">`, `<a %=b= b=c>`,
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
			plain, ok := plainAttrs(nil, source)
			if !ok {
				continue
			}
			var got, want []string
			seen := map[string]bool{}
			for _, a := range plain {
				if key := string(a.key); !seen[key] { // the first of a name counts
					seen[key] = true
					got = append(got, key+" "+string(a.val))
				}
			}
			for _, more := z.TagName(); more; {
				var key, val []byte
				key, val, more = z.TagAttr()
				want = append(want, string(key)+" "+string(val))
			}
			if !slices.Equal(got, want) {
				t.Errorf("plainAttrs(%q) = %q, want %q", source, got, want)
			}
		}
	})
}
