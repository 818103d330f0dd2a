package htmldoc

import (
	"os"
	"strings"
	"testing"

	"golang.org/x/net/html/atom"
)

// sketch writes an outline as nested names with the text of each leaf:
// "div(p'one' p'two')". Unknown elements are "?".
func sketch(o *Outline, i int) string {
	name := o.Nodes[i].Tag.String()
	if o.Nodes[i].Tag == 0 {
		name = "?"
	}
	var inner []string
	for c := range o.Children(i) {
		inner = append(inner, sketch(o, c))
	}
	switch text := o.NodeText(i); {
	case len(inner) > 0:
		return name + "(" + strings.Join(inner, " ") + ")"
	case text != "":
		return name + "'" + text + "'"
	}
	return name
}

func TestOutlineHasTheStructureOfThePage(t *testing.T) {
	for _, tc := range []struct{ name, doc, want string }{
		{"empty", "", "?"},
		{"nested", `<div><p>one</p><p>two</p></div>three`, "?(div(p'one' p'two'))"},
		{"void elements", `<p>a<br>b<img src=x>c</p><hr><p>d`, "?(p(br img) hr p'd')"},
		{"items without ends", `<ul><li>a<li>b<ul><li>c<li>d</ul><li>e</ul>f`, "?(ul(li'a' li(ul(li'c' li'd')) li'e'))"},
		{"terms", `<dl><dt>a<dd>b<dt>c<dd>d</dl>`, "?(dl(dt'a' dd'b' dt'c' dd'd'))"},
		{"paragraphs", `<p>a<p>b<div>c</div>d`, "?(p'a' p'b' div'c')"},
		{"a paragraph in a cell stays open around it", `<p><button><p>a</button>b</p>c`, "?(p(button(p'a')))"},
		{"table without ends", `<table><tr><td>a<td>b<tr><th>c</table>d`, "?(table(tr(td'a' td'b') tr(th'c')))"},
		{
			"table sections", `<table><thead><tr><td>a<tbody><tr><td>b<tfoot><tr><td>c</table>`,
			"?(table(thead(tr(td'a')) tbody(tr(td'b')) tfoot(tr(td'c'))))",
		},
		{"table in a cell", `<table><tr><td><table><tr><td>a</table>b<td>c</table>`, "?(table(tr(td(table(tr(td'a'))) td'c')))"},
		{"options", `<select><option>a<option>b</select>`, "?(select(option'a' option'b'))"},
		{"anchors", `<p><a href=1>a<a href=2>b</p>`, "?(p(a'a' a'b'))"},
		{"stray end tags", `<div><td></b></p></li>a</div>b</div></div>`, "?(div(td'a'))"},
		{"rows without a table", `<div><tr><td>a</td><td>b</td></tr><tr><td>c</div>d`, "?(div(tr(td'a' td'b') tr(td'c')))"},
		{"phrases do not close blocks", `<b><div>a</b>b</div>c`, "?(b(div'ab'))"},
		{"blocks close phrases", `<div><b><i>a</div>b`, "?(div(b(i'a')))"},
		{"custom elements", `<x-a><x-b>a</x-b><x-b>b</x-b></x-a><x-a>c</x-a>`, "?(?(?'a' ?'b') ?'c')"},
		{"empty elements of a drawing", `<svg><path/><path/></svg>a`, "?(svg(path path))"},
		{"template", `<div><template><p>x</p></template>a</div>`, "?(div'a')"},
		{"shadow root", `<div><template shadowrootmode=open><p>x</template>a</div>b`, "?(div(template(p'x')))"},
		{"script", `<div><script>"<p>"</script>a</div>`, "?(div(script))"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			o := Parse([]byte(tc.doc), Options{Outline: true}).Outline
			if got := strings.ReplaceAll(sketch(o, 0), "path", "?"); got != strings.ReplaceAll(tc.want, "path", "?") {
				t.Errorf("outline of %q = %s, want %s", tc.doc, got, tc.want)
			}
		})
	}
}

func TestOutlineKnowsAttributesAndLinks(t *testing.T) {
	const doc = `<body class="home page"><nav ID=pager aria-label="Pages" data-next='?p=2&amp;q' style="x" data-long=` +
		"\"" + "é" + `"><a href=1 class=c rel=next>1</a><link rel=next href=2><time datetime=2026-03-28>x</time></nav>`
	p := Parse([]byte(doc), Options{Outline: true})
	o := p.Outline
	find := func(tag atom.Atom) int {
		for i, n := range o.Nodes {
			if n.Tag == tag {
				return i
			}
		}
		t.Fatalf("no %v in the outline of %q", tag, doc)
		return 0
	}
	for _, tc := range []struct {
		tag       atom.Atom
		key, want string
	}{
		{atom.Body, "class", "home page"},
		{atom.Nav, "id", "pager"},
		{atom.Nav, "aria-label", "Pages"},
		{atom.Nav, "data-next", "?p=2&q"},
		{atom.Nav, "style", ""},
		{atom.A, "rel", "next"},
		{atom.A, "href", ""},
		{atom.Time, "datetime", "2026-03-28"},
	} {
		if got := o.Attr(find(tc.tag), tc.key); got != tc.want {
			t.Errorf("attribute %s of <%v> = %q, want %q", tc.key, tc.tag, got, tc.want)
		}
	}
	for tag, want := range map[atom.Atom]string{atom.A: "1", atom.Link: "2"} {
		if l := o.Nodes[find(tag)].Link; l < 0 || p.Links[l].Href != want {
			t.Errorf("<%v> is link %d, want that to %q", tag, l, want)
		}
	}
	if l := o.Nodes[find(atom.Nav)].Link; l != -1 {
		t.Errorf("<nav> is link %d, want none", l)
	}
	if Parse([]byte(doc), Options{}).Outline != nil {
		t.Error("Parse made an outline that nobody asked for")
	}
}

func TestOutlineIsBounded(t *testing.T) {
	deep := Parse([]byte(strings.Repeat("<div>", 100_000)+"<a href=/end>x</a>"+strings.Repeat("</div>", 100_000)+"<p>after"), Options{Outline: true})
	checkOutline(t, deep)
	last := deep.Outline.Nodes[len(deep.Outline.Nodes)-1]
	if last.Tag != atom.P || last.Parent != 0 {
		t.Errorf("the paragraph after the deep part is %v below node %d, want p below the root", last.Tag, last.Parent)
	}
	wide := Parse([]byte(strings.Repeat("<p>", 2*maxOutlineNodes)), Options{Outline: true})
	checkOutline(t, wide)
	if n := len(wide.Outline.Nodes); n != maxOutlineNodes || !wide.Outline.Truncated {
		t.Errorf("outline of a wide page has %d nodes, truncated %t; want %d, true", n, wide.Outline.Truncated, maxOutlineNodes)
	}
}

// checkOutline fails the test unless the outline is a tree in document order
// whose texts lie inside each other as its nodes do.
func checkOutline(tb testing.TB, p *Page) {
	tb.Helper()
	o := p.Outline
	depth := make([]int, len(o.Nodes))
	for i, n := range o.Nodes {
		if i == 0 {
			if n.Parent != -1 || int(n.End) != len(o.Nodes) {
				tb.Fatalf("root = %+v of %d nodes", n, len(o.Nodes))
			}
			continue
		}
		up := o.Nodes[n.Parent]
		depth[i] = depth[n.Parent] + 1
		if int(n.Parent) >= i || int(n.End) <= i || n.End > up.End || depth[i] > maxOutlineDepth {
			tb.Fatalf("node %d = %+v at depth %d below %+v", i, n, depth[i], up)
		}
		if n.TextStart > n.TextEnd || n.TextStart < up.TextStart || n.TextEnd > up.TextEnd || int(n.TextEnd) > len(o.Text) {
			tb.Fatalf("text of node %d = %+v below %+v of %d bytes", i, n, up, len(o.Text))
		}
		if n.AttrStart > n.AttrEnd || int(n.AttrEnd) > len(o.Attrs) || int(n.Link) >= len(p.Links) {
			tb.Fatalf("node %d = %+v", i, n)
		}
	}
}

func TestOutlinesOfRealPagesHoldEveryLink(t *testing.T) {
	for _, file := range corpusPages(t) {
		body, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		p := Parse(body, Options{Outline: true})
		checkOutline(t, p)
		seen := 0
		for _, n := range p.Outline.Nodes {
			if n.Link >= 0 {
				seen++
			}
		}
		if seen != len(p.Links) {
			t.Errorf("outline of %s holds %d of %d links", file, seen, len(p.Links))
		}
	}
}
