package pager_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/hashcrawl/hashcrawl/pagination/pager"
	"github.com/hashcrawl/hashcrawl/pagination/pager/labelled"
)

func parse(t *testing.T, url, body string) *labelled.Page {
	t.Helper()
	p, err := labelled.Parse(url, []byte(body))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// links renders <a href> elements from pairs of href and text; a text without
// href stands between.
func links(pairs ...string) string {
	var b strings.Builder
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i] == "" {
			fmt.Fprintf(&b, "<span>%s</span> ", pairs[i+1])
			continue
		}
		fmt.Fprintf(&b, `<a href="%s">%s</a> `, pairs[i], pairs[i+1])
	}
	return b.String()
}

func TestLabelTellsThePager(t *testing.T) {
	type want struct {
		current, last int
		next, prev    string // hrefs
		pattern       string
		page5         string
	}
	for _, tc := range []struct {
		name, url, body string
		want            want
	}{
		{
			name: "offset", url: "https://f.test/f?id=8&start=50",
			body: "<div>" + links("/f?id=8", "1", "/f?id=8&start=25", "2", "", "3", "/f?id=8&start=75", "4", "/f?id=8&start=75", "Next") + "</div>",
			want: want{3, 4, "/f?id=8&start=75", "", "https://f.test/f?id=8&start={offset}", "https://f.test/f?id=8&start=100"},
		},
		{
			name: "state", url: "https://a.test/#!page=2",
			body: "<div>" + links("#!page=1", "1", "", "2", "#!page=3", "3", "#!page=9", "9", "#!page=3", "Weiter", "#!page=1", "Zurück") + "</div>",
			want: want{2, 9, "#!page=3", "#!page=1", "https://a.test/#!page={page}", "https://a.test/#!page=5"},
		},
		{
			name: "words alone", url: "https://a.test/list?p=3",
			body: "<p>" + links("/list?p=2", "« Previous page", "/list?p=4", "Next page »") + "</p>",
			want: want{3, 4, "/list?p=4", "/list?p=2", "https://a.test/list?p={page}", "https://a.test/list?p=5"},
		},
		{
			name: "first page without a number", url: "https://a.test/news/",
			body: "<div>" + links("", "1", "/news/page/2/", "2", "/news/page/3/", "3", "/news/page/40/", "40", "/news/page/2/", "Next »") + "</div>",
			want: want{1, 40, "/news/page/2/", "", "https://a.test/news/page/{page}/", "https://a.test/news/page/5/"},
		},
		{
			name: "numbers from 0 in the address", url: "https://a.test/n?page=1",
			body: `<ul class="pager"><li>` + strings.Join([]string{links("/n?page=0", "1"), "2", links("/n?page=2", "3"), links("/n?page=2", "next ›")}, "<li>") + "</ul>",
			want: want{2, 3, "/n?page=2", "", "https://a.test/n?page={page}", "https://a.test/n?page=4"},
		},
		{
			name: "beside links that are no pages", url: "https://a.test/l_2.html",
			body: "<div>" + links("/", "Home of all lists", "l_1.html", "首页", "l_1.html", "上一页", "l_1.html", "1", "", "2", "l_3.html", "3", "l_3.html", "下一页", "javascript:jump()", "GO") + "</div>",
			want: want{2, 3, "l_3.html", "l_1.html", "https://a.test/l_{page}.html", "https://a.test/l_5.html"},
		},
		{
			name: "scripts have no pattern", url: "https://a.test/l.aspx",
			body: "<div>" + links("javascript:go('Page$1')", "1", "", "2", "javascript:go('Page$3')", "3", "javascript:go('Page$3')", "Next") + "</div>",
			want: want{2, 3, "javascript:go('Page$3')", "", "", ""},
		},
		{
			name: "attributes carry the addresses", url: "https://a.test/s?start=24",
			body: `<ul class="pagination"><li><a href="javascript:;" data-href="/s?start=0">1</a><li>2<li><a href="javascript:;" data-href="/s?start=48">3</a><li><a href="javascript:;" data-href="/s?start=72">4</a></ul>`,
			want: want{2, 4, "", "", "https://a.test/s?start={offset}", "https://a.test/s?start=96"},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p := parse(t, tc.url, "<body>"+tc.body+"</body>")
			r := pager.Label(p.Doc, p.URL, p.URLs)
			href := func(i int) string {
				if i < 0 {
					return ""
				}
				return p.Doc.Links[i].Href
			}
			got := want{r.Current, r.Last, href(r.Next), href(r.Prev), r.Pattern.String(), r.Pattern.URL(5)}
			if got != tc.want {
				t.Errorf("Label(%s) =\n%+v, want\n%+v", tc.body, got, tc.want)
			}
		})
	}
}

func TestPagerOfARowIsNotThePages(t *testing.T) {
	row := `<li><a href="/t/7">A thread about something</a> <small>` + links("/t/7?p=2", "2", "/t/7?p=3", "3") + "</small></li>"
	p := parse(t, "https://f.test/board", "<ul>"+row+"</ul><div>"+links("", "1", "/board?p=2", "2", "/board?p=2", "Next")+"</div>")
	r := pager.Label(p.Doc, p.URL, p.URLs)
	if len(r.Pagers) != 2 || r.Main != 1 || r.Pagers[0].Own || !r.Pagers[1].Own {
		t.Errorf("Pagers = %+v, Main = %d; want the row's, not the page's own, and then the page's", r.Pagers, r.Main)
	}
}

func TestOtherNumbersAreNoPages(t *testing.T) {
	for name, body := range map[string]string{
		"votes":     links("?rate=1", "1", "?rate=2", "2", "?rate=3", "3"),
		"years":     links("/n?y=2021", "2021", "/n?y=2022", "2022", "/n?y=2023", "2023"),
		"rounds":    links("/cup/round-1", "1", "/cup/round-2", "2", "/cup/round-3", "3"),
		"channels":  links("/tv/1", "1", "/tv/2", "2", "/tv/3", "3"),
		"sizes":     links("?fit=36", "36", "?fit=37", "37", "?fit=38", "38"),
		"footnotes": links("#a", "1", "#b", "2", "#c", "3"),
		"versions": "<p>Changed words of a day " + links("/h?diff=1", "prev", "/h?id=1", "1 May 2021") + "</p>" +
			"<p>Changed words of a day " + links("/h?diff=2", "prev", "/h?id=2", "2 May 2021") + "</p>" +
			"<p>Changed words of a day " + links("/h?diff=3", "prev", "/h?id=3", "3 May 2021") + "</p>" +
			"<p>Changed words of a day " + links("/h?diff=4", "prev", "/h?id=4", "4 May 2021") + "</p>",
		"index": links("/i_B.html", "B", "/i_C.html", "C", "/i_1.html", "1", "/i_2.html", "2", "/i_3.html", "3"),
		"items": `<nav class="pagination-nav"><a class="pagination-prev" href="/docs/topics">Previous Concepts</a> <a class="pagination-next" href="/docs/retries">Next Retries</a></nav>`,
	} {
		p := parse(t, "https://a.test/x", "<body><div>"+body+"</div></body>")
		for i, role := range pager.Label(p.Doc, p.URL, p.URLs).Labels {
			if role != pager.Other {
				t.Errorf("%s: the link %q is %q, want no role", name, p.Doc.Links[i].Text, role)
			}
		}
	}
}

// TestNumbersThatChooseAmongTheItems has rows of numbers by which a search is made
// narrower, of a parameter that is not known.
func TestNumbersThatChooseAmongTheItems(t *testing.T) {
	const doors = 4
	choice := "<p>" + links("/cars?doors=2", "2", "/cars?doors=3", "3", "/cars?doors=4", "4", "/cars?doors=5", "5") + "</p>"
	pages := "<p>" + links("/cars?page=1", "1") + " <b>2</b> " + links("/cars?page=3", "3", "/cars?page=4", "4") + "</p>"
	for _, tc := range []struct {
		name, url, body string
		pages           int
	}{
		{"beside a pager", "https://a.test/cars", choice + "<h2>Cars</h2>" + strings.Replace(pages, "<b>2</b>", links("/cars?page=2", "2"), 1), 4},
		{"on a page with a query", "https://a.test/cars?from=rome&to=oslo&doors=4", choice, 0},
	} {
		p := parse(t, tc.url, "<body>"+tc.body+"</body>")
		n := 0
		for i, role := range pager.Label(p.Doc, p.URL, p.URLs).Labels {
			if role == pager.Page {
				n++
			}
			if i < doors && role != pager.Other {
				t.Errorf("%s: link %d, to %s, is %q, want no role", tc.name, i, p.Doc.Links[i].Href, role)
			}
		}
		if n != tc.pages {
			t.Errorf("%s: %d pages, want %d", tc.name, n, tc.pages)
		}
	}
}

// TestHiddenTextInAScriptOfManyBytes has what a forum hides between two numbers, in
// letters of two bytes.
func TestHiddenTextInAScriptOfManyBytes(t *testing.T) {
	const numbers = 3
	p := parse(t, "https://f.test/t/page-2", "<body><ul><li>"+links("/t/", "1")+"<li>2<li>"+links("/t/page-3", "3")+
		"<li>… <b>Μετάβαση σε σελίδα</b> <b>Μετάβαση</b><li>"+links("/t/page-17", "17")+"</ul></body>")
	r := pager.Label(p.Doc, p.URL, p.URLs)
	if len(r.Pagers) != 1 || r.Last != 17 || len(p.Doc.Links) != numbers {
		t.Errorf("Label = %d pagers with last page %d, want one with 17", len(r.Pagers), r.Last)
	}
}

// TestOthersBesideAPager has what stands beside directions, in their element or on
// their page.
func TestOthersBesideAPager(t *testing.T) {
	menu := ""
	for i, word := range strings.Fields("Ring Stone Wall Iron Rope Salt Wool Clay Sand Corn Foto") {
		menu += fmt.Sprintf(`<li class="navigation--entry"><a class="navigation--link link--go-forward" href="/road-%d/">%s<span class="is--icon-right"><i class="icon--arrow-right"></i></span></a></li>`, i+3, word)
	}
	const wiki = "/w/index.php?title=X&limit="
	for _, tc := range []struct{ name, url, body string }{
		{"rows", "https://a.test/wiki/X?limit=50&from=480", "<p>View (" + links(wiki+"50&dir=prev&offset=0|481", "previous 50", wiki+"50&dir=next&offset=0|910", "next 50") + ") (" +
			links(wiki+"20&offset=0|480", "20", wiki+"50&offset=0|480", "50", wiki+"100&offset=0|480", "100", wiki+"250&offset=0|480", "250", wiki+"500&offset=0|480", "500") + ")</p>"},
		{"menu", "https://a.test/herbs/?p=2&o=1&n=24", `<aside class="sidebar-main"><ul class="sidebar--navigation">` + menu + `</ul></aside><div><form>` +
			`<a class="paging--link paging--prev" href="/herbs/?p=1" title="Previous"><i class="icon--arrow-left"></i></a><a>2</a><a class="paging--link paging--next" href="/herbs/?p=3" title="Next"><i class="icon--arrow-right"></i></a></form></div>`},
	} {
		p := parse(t, tc.url, "<body>"+tc.body+"</body>")
		var got []string
		for i, role := range pager.Label(p.Doc, p.URL, p.URLs).Labels {
			if role != pager.Other {
				got = append(got, role.String()+" "+p.Doc.Links[i].Href)
			}
		}
		if len(got) != 2 {
			t.Errorf("%s: the links of a pager are %q, want one previous and one next", tc.name, got)
		}
	}
}

func TestHeadNamesNext(t *testing.T) {
	p := parse(t, "https://a.test/x", `<head><link rel="next" href="/x?p=2"></head><body><p>Nothing else.</p></body>`)
	r := pager.Label(p.Doc, p.URL, p.URLs)
	if r.Next != 0 || r.Main != -1 || r.Labels[0] != pager.Next {
		t.Errorf("Next = %d, Main = %d, Labels = %v; want the link of the head and no pager", r.Next, r.Main, r.Labels)
	}
}

func TestMoreElements(t *testing.T) {
	const pages = `<option value="list_1.html">1</option><option value="list_2.html">2</option><option value="list_3.html">Page 3</option>`
	for _, tc := range []struct {
		name, url, body string
		want            []string // attribute and address
	}{
		{"next address", "https://a.test/x", `<button class="more" data-next-url="/x?p=2&amp;ajax=1">More</button><div data-next="false"></div>`, []string{"data-next-url /x?p=2&ajax=1"}},
		{"button that says more", "https://a.test/x", `<button data-url="/x?p=2">Show more</button>`, []string{"data-url /x?p=2"}},
		{"button that says something else", "https://a.test/x", `<button data-url="/x?p=2">Add to cart</button>`, nil},
		{"when it comes into sight", "https://a.test/x", `<div data-hx-get="/x?p=2" data-hx-trigger="revealed"></div>`, []string{"data-hx-get /x?p=2"}},
		{"when it is clicked", "https://a.test/x", `<div data-hx-get="/x?p=2" data-hx-trigger="click"></div>`, nil},
		{"without the prefix", "https://a.test/x", `<div hx-get="/x?p=2" hx-trigger="intersect once"></div>`, []string{"hx-get /x?p=2"}},
		{"a button that says more", "https://a.test/x", `<a hx-get="/x?p=2">Load more</a>`, []string{"hx-get /x?p=2"}},
		{"a link of another kind", "https://a.test/x", `<button up-href="/x/5">Details</button>`, nil},
		{"list of pages", "https://a.test/n/list_2.html", `<select>` + pages + `</select>`, []string{"value list_3.html"}},
		{"list of pages on its last page", "https://a.test/n/list_3.html", `<select>` + pages + `</select>`, nil},
		{"list of pages on a page that is not in it", "https://a.test/other", `<select>` + pages + `</select>`, nil},
		{"list on a first page without a number", "https://a.test/n", `<select><option value="/n">1</option><option value="/n?start=20">2</option></select>`, []string{"value /n?start=20"}},
		{"list of sizes", "https://a.test/n?limit=1", `<select><option value="/n?limit=1">1</option><option value="/n?limit=2">2</option></select>`, nil},
		{"list of words", "https://a.test/n?p=1", `<select><option value="/n?p=1">red</option><option value="/n?p=2">blue</option></select>`, nil},
		{"list of numbers without addresses", "https://a.test/n?p=1", `<select><option value="1">1</option><option value="2">2</option></select>`, nil},
	} {
		p := parse(t, tc.url, "<body>"+tc.body+"</body>")
		var got []string
		for _, m := range pager.Label(p.Doc, p.URL, p.URLs).More {
			got = append(got, m.Attribute+" "+m.Href)
		}
		if !slices.Equal(got, tc.want) {
			t.Errorf("%s: More of %s = %q, want %q", tc.name, tc.body, got, tc.want)
		}
	}
}

func TestLabelWithoutOutline(t *testing.T) {
	p := parse(t, "https://a.test/x", links("/x?p=2", "Next"))
	p.Doc.Outline = nil
	if r := pager.Label(p.Doc, p.URL, p.URLs); r.Main != -1 || !reflect.DeepEqual(r.Labels, []pager.Role{pager.Other}) {
		t.Errorf("Label without an outline = %+v, want nothing found", r)
	}
}

func TestLabelerKeepsNothing(t *testing.T) {
	l := pager.New(nil)
	pages, err := labelled.ReadInline(testdata("pagination", "pager", "held"))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range slices.Backward(pages) {
		again := l.Label(p.Doc, p.URL, p.URLs)
		if fresh := pager.Label(p.Doc, p.URL, p.URLs); !reflect.DeepEqual(again, fresh) {
			t.Errorf("%s: a labeler that was used before gives another result", p.Name)
		}
	}
}

// TestLabelIsLinear labels hostile pages whose cost would show if any step took
// time with the square of their size.
func TestLabelIsLinear(t *testing.T) {
	const n = 50000
	for name, body := range map[string]string{
		"one group":  strings.Repeat(`<a href="?p=1">1</a>`, n),
		"nested":     strings.Repeat(`<div><a href="?p=1">1</a>`, n),
		"no text":    strings.Repeat(`<a class=next href="?p=1"></a>`, n),
		"long URLs":  strings.Repeat(`<a href="?p=`+strings.Repeat("1,", 500)+`">1</a>`, n/100),
		"long texts": strings.Repeat(`<a href="?p=1">`+strings.Repeat("next ", 500)+`</a>`, n/100),
		"lists":      strings.Repeat(`<select><option value="/?p=1">1</option>`, n/2),
		"many looks": strings.Repeat(`<a class=next href="?p=1">zzz</a>`, n),
		"many rows":  strings.Repeat(`<a href="/b/?p=2">2</a><a href="/c?q=1">1</a>`, n/2),
	} {
		p := parse(t, "https://a.test/", body)
		if r := pager.Label(p.Doc, p.URL, p.URLs); len(r.Labels) != len(p.Doc.Links) {
			t.Errorf("%s: %d labels for %d links", name, len(r.Labels), len(p.Doc.Links))
		}
	}
}

func TestPattern(t *testing.T) {
	p := pager.Pattern{Prefix: "https://a.test/?start=", Slope: 20, Shift: -20, First: "https://a.test/"}
	for page, u := range map[int]string{1: "https://a.test/", 2: "https://a.test/?start=20", 11: "https://a.test/?start=200"} {
		if got := p.URL(page); got != u {
			t.Errorf("URL(%d) = %q, want %q", page, got, u)
		}
		if got := p.Page(u); got != page {
			t.Errorf("Page(%q) = %d, want %d", u, got, page)
		}
	}
	for _, u := range []string{"https://a.test/?start=21", "https://a.test/?start=", "https://a.test/?start=20&x=1", "https://b.test/", "https://a.test/?start=99999999999"} {
		if got := p.Page(u); got != 0 {
			t.Errorf("Page(%q) = %d, want 0", u, got)
		}
	}
	if u := (pager.Pattern{}).URL(2); u != "" {
		t.Errorf("URL of no pattern = %q, want none", u)
	}
}
