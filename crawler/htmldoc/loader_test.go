package htmldoc

import (
	"fmt"
	"strings"
	"testing"
)

func TestLoaders(t *testing.T) {
	for _, tc := range []struct{ name, page, want string }{
		{"button", `<button class="a-b" hx-get="/x?p=2">Load <b>more</b> </button> of it`, `some hx-get "/x?p=2" "Load more"`},
		{"named as the next one", `<div data-next-url=/x?p=2&amp;q=1></div>`, `next data-next-url "/x?p=2&q=1" ""`},
		{"the name counts more", `<div data-url=/a data-next=/b>x</div>`, `next data-next "/b" "x"`},
		{"seen", `<div data-hx-get="/x" hx-trigger="revealed once"></div>`, `seen data-hx-get "/x" ""`},
		{"in capitals", `<BUTTON DATA-URL="/x">More</BUTTON>`, `some data-url "/x" "More"`},
		{"anchor without an address", `<a up-href=/x>More</a>`, `some up-href "/x" "More"`},
		{"link", `<a href=/y up-href=/x data-next-url=/z>More</a>`, ``},
		{"names that only begin so", `<div data-urls=/x data-next-urls=/x not-data-url=/x x-hx-get=/x data-nextjs=/x>More</div>`, ``},
		{"no address", `<div data-next=false data-next-url="{{ url }}" data-load-more></div>`, ``},
		{"no text", `<img data-url=/x><div data-url=/x></div><div data-link="/x"> </div>`, ``},
		{"long text", `<li data-url=/x>` + strings.Repeat("word ", 30) + `</li><b data-url=/y>More</b>`, `some data-url "/y" "More"`},
		{"nested", `<div data-url=/x>All <div><b data-url=/y>More</b></div></div>`, `some data-url "/x" "All More"; some data-url "/y" "More"`},
		{"item left open", `<ul><li data-url=/x>One<li data-url=/y>Two</ul>three`, `some data-url "/x" "One"; some data-url "/y" "Two"`},
		{"closed by what is around it", `<div><span data-url=/x>One</div>two</span>`, `some data-url "/x" "One"`},
		{"options", `<select data-url=/z><option value=/x?p=1>1<option value="list_2.html">Page 2</option></select>`, `option value "/x?p=1" "1"; option value "list_2.html" "Page 2"`},
		{"options without addresses", `<select><option value=1>1<option value=2>2</select>`, ``},
		{"template", `<template><div data-next-url=/x></div></template>`, ``},
	} {
		kinds := [...]string{LoadsNext: "next", LoadsSeen: "seen", LoadsSome: "some", LoadsOption: "option"}
		for _, outline := range []bool{false, true} {
			p := Parse([]byte(tc.page), Options{Outline: outline})
			var got []string
			for _, l := range p.Loaders {
				got = append(got, fmt.Sprintf("%s %s %q %q", kinds[l.Kind], l.Attr, l.Href, l.Text))
				if (l.Node >= 0) != outline || outline && p.Outline.Attr(l.Node, l.Attr) != l.Href {
					t.Errorf("%s: node %d of %s has another %s", tc.name, l.Node, tc.page, l.Attr)
				}
			}
			if got := strings.Join(got, "; "); got != tc.want {
				t.Errorf("%s: loaders of %s, with an outline %v, are %s; want %s", tc.name, tc.page, outline, got, tc.want)
			}
		}
	}
}
