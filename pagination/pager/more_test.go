package pager_test

import (
	"testing"

	"github.com/hashcrawl/hashcrawl/crawler/htmldoc"
	"github.com/hashcrawl/hashcrawl/pagination/pager"
	"github.com/hashcrawl/hashcrawl/pagination/pager/labelled"
)

// TestMayContinueSeesWhatLoadsMore asks pages without links, parsed without an
// outline, whether they may continue.
func TestMayContinueSeesWhatLoadsMore(t *testing.T) {
	for _, tc := range []struct {
		body string
		want bool
	}{
		{`<button hx-get="/x?p=2">Load more</button>`, true},
		{`<div hx-get="/x?p=2" hx-trigger=revealed></div>`, true},
		{`<div data-next-url="/x?p=2"></div>`, true},
		{`<select><option value="/x">1</option><option value="/x?p=2">2</option></select>`, true},
		{`<button hx-get="/x/5">Details</button>`, false},
		{`<div class="share" data-href="https://a.test/x">Share this page</div>`, false},
		{`<div data-next="false">Load more</div>`, false},
		{`<select><option value="/en/">English</option><option value="/cs/">česky</option></select>`, false},
		{`<select><option value="1">1</option><option value="2">2</option></select>`, false},
	} {
		p := htmldoc.Parse([]byte("<title>x</title>"+tc.body), htmldoc.Options{})
		if got := pager.MayContinue(p); got != tc.want {
			t.Errorf("MayContinue of %s = %v, want %v", tc.body, got, tc.want)
		}
	}
}

// TestMayContinueMissesNothing holds the quick look to the thorough one, on all
// pages that are labelled here.
func TestMayContinueMissesNothing(t *testing.T) {
	for _, dir := range []string{"held", "train"} {
		pages, err := labelled.ReadInline(testdata("pagination", "pager", dir))
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range pages {
			r := pager.Label(p.Doc, p.URL, p.URLs)
			if found := r.Main >= 0 || r.Next >= 0 || len(r.More) > 0; found && !pager.MayContinue(p.Doc) {
				t.Errorf("%s: MayContinue sees nothing, and Label finds pager %d, next %d, more %v", p.Name, r.Main, r.Next, r.More)
			}
		}
	}
}
