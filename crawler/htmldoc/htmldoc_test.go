package htmldoc

import "testing"

func TestParseFindsLinks(t *testing.T) {
	p := Parse([]byte(`<html lang=de><title> A &amp; B </title><a href="/x?a=1&amp;b=2" rel=nofollow> X <b>y</b><a href=#!z><img alt=zed></a>`), Options{Outline: true})
	if p.Title != "A & B" || p.Lang != "de" || len(p.Links) != 2 {
		t.Fatalf("Parse = %+v", p)
	}
	if l := p.Links[0]; l.Href != "/x?a=1&b=2" || l.Text != "X y" || !l.Rel.Has(RelNoFollow) || l.Index != 0 {
		t.Errorf("link 0 = %+v", l)
	}
	if l := p.Links[1]; l.Href != "#!z" || l.Text != "zed" || l.Index != 1 {
		t.Errorf("link 1 = %+v", l)
	}
}
