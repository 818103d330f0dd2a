package pager_test

import (
	"testing"

	"github.com/hashcrawl/hashcrawl/crawler/htmldoc"
	"github.com/hashcrawl/hashcrawl/pagination/pager"
)

func TestMayContinueByTextOfALink(t *testing.T) {
	for text, want := range map[string]bool{
		"More":            true,
		"Load more posts": true,
		"More notes »":    true,
		"2":               true,
		"Older entries":   true,
		"Next steps":      true, // the elements tell
		"More about cats": false,
		"All of Belgium":  false,
		"All":             false,
		"Home":            false,
		"First page":      false, // and no other
		"A page of mine":  false,
		"Cats":            false,
	} {
		p := htmldoc.Parse([]byte("<p><a href=/x>"+text+"</a>"), htmldoc.Options{})
		if got := pager.MayContinue(p); got != want {
			t.Errorf("MayContinue with a link %q = %v, want %v", text, got, want)
		}
	}
}
