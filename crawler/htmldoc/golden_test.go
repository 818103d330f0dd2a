package htmldoc

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashcrawl/hashcrawl/ajaxscheme"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestGoldenPages reads pages of several scripts, charsets and ages. A page's
// golden file shows all that Parse says of it.
func TestGoldenPages(t *testing.T) {
	files, err := filepath.Glob("../../testdata/htmldoc/*.html")
	if err != nil || len(files) == 0 {
		t.Fatalf("no pages: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".html"), func(t *testing.T) {
			body, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			doc, charset := Decode(body, "text/html", "")
			got := describe(charset, Parse(doc, Options{Text: 1 << 10}))
			golden := strings.TrimSuffix(file, ".html") + ".golden"
			if *update {
				if err := os.WriteFile(golden, got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("Parse(%s) =\n%s\nwant\n%s", file, got, want)
			}
		})
	}
}

// describe writes a page as a person would read it; what is empty is left out.
func describe(charset string, p *Page) []byte {
	var b bytes.Buffer
	field := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&b, "%s: %q\n", name, value)
		}
	}
	field("charset", charset)
	field("title", p.Title)
	field("lang", p.Lang)
	field("description", p.Description)
	field("base", p.Base)
	for _, c := range p.Canonicals {
		field("canonical", c)
	}
	for _, m := range p.RobotsMeta {
		field("robots "+m.Name, m.Content)
	}
	if p.Refresh != nil {
		field("refresh "+p.Refresh.Delay.String(), p.Refresh.URL)
	}
	if p.OptIn != ajaxscheme.OptInNone {
		fmt.Fprintf(&b, "opt-in: %v %s\n", p.OptIn, p.OptInFault)
	}
	field("published", p.Published)
	fmt.Fprintf(&b, "fingerprint: %016x\n", p.Fingerprint)
	for _, l := range p.Links {
		fmt.Fprintf(&b, "%d %v %q %q", l.Index, l.Kind, l.Href, l.Text)
		if l.Rel != 0 {
			fmt.Fprintf(&b, " rel=%v", l.Rel)
		}
		if l.Hreflang+l.Media != "" {
			fmt.Fprintf(&b, " hreflang=%q media=%q", l.Hreflang, l.Media)
		}
		b.WriteByte('\n')
	}
	for _, l := range p.Loaders {
		fmt.Fprintf(&b, "loader %d %s %q %q\n", l.Kind, l.Attr, l.Href, l.Text)
	}
	field("text", p.Text)
	return b.Bytes()
}
