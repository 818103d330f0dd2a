package labelled_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hashcrawl/hashcrawl/pagination/pager"
	"github.com/hashcrawl/hashcrawl/pagination/pager/labelled"
)

func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func TestReadMatchesLabelsToTheNearestLink(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{
		"html/7.html": `<a href="/x">2</a> <a href="/y">Next</a> <a href="/x">2</a>`,
		"pages.jsonl": `{"page":"7","url":"https://a.test/","group":"a"}`,
		"links.jsonl": `{"page":"7","i":2,"label":"LAST","href":"/x","text":"2"}` + "\n" + `{"page":"7","i":1,"label":"NEXT","href":"/y","text":"Next"}`,
	})
	pages, err := labelled.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	want := []pager.Role{pager.Other, pager.Next, pager.Page}
	if p := pages[0]; !slices.Equal(p.Want, want) || p.Group != "a" || p.Lost != 0 {
		t.Errorf("Read = labels %v of group %q, %d lost; want %v of a, none lost", p.Want, p.Group, p.Lost, want)
	}
}

func TestReadCountsLostLabels(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{
		"html/1.html": `<a href="/x">2</a>`,
		"pages.jsonl": `{"page":"1","url":"https://a.test/","group":"a"}`,
		"links.jsonl": `{"page":"1","i":0,"label":"PAGE","href":"/other","text":"2"}`,
	})
	pages, err := labelled.Read(dir)
	if err != nil || pages[0].Lost != 1 {
		t.Errorf("Read = %v, %v; want one page that lost one label", pages, err)
	}
}

func TestParseInline(t *testing.T) {
	p, err := labelled.ParseInline([]byte("<!-- https://a.test/?p=2 -->\n<a name=x>no link</a><a href=/>Home</a><a want=prev href='?p=1'>1</a>"))
	if err != nil {
		t.Fatal(err)
	}
	if want := []pager.Role{pager.Other, pager.Prev}; p.URL != "https://a.test/?p=2" || !slices.Equal(p.Want, want) {
		t.Errorf("ParseInline = %q with labels %v, want %v", p.URL, p.Want, want)
	}
	for _, src := range []string{"<a href=/>x</a>", "<!-- https://a.test/ -->\n<a want=up href=/>x</a>"} {
		if _, err := labelled.ParseInline([]byte(src)); err == nil {
			t.Errorf("ParseInline(%q) gives no error", src)
		}
	}
}

func TestScore(t *testing.T) {
	p, err := labelled.ParseInline([]byte("<!-- https://a.test/?p=2 -->\n<a want=page href='?p=1'>1</a><a want=next href='?p=3'>n</a>"))
	if err != nil {
		t.Fatal(err)
	}
	var s labelled.Score
	if !s.Add(p, p.Want) {
		t.Error("Add of the right labels reports a fault")
	}
	if s.Add(p, []pager.Role{pager.Page, pager.Other}) {
		t.Error("Add of a missed next reports none")
	}
	if got, want := s.Micro(), (labelled.Count{TP: 3, FN: 1}); got != want {
		t.Errorf("Micro = %+v, want %+v", got, want)
	}
	if got, want := s.Next, (labelled.Count{TP: 1, FN: 1}); got != want || s.Whole() != 0.5 {
		t.Errorf("Next = %+v, Whole = %v; want %+v, 0.5", got, s.Whole(), want)
	}
	if !strings.Contains(s.String(), "whole pages 0.500 (1 of 2)") {
		t.Errorf("String = %q", s.String())
	}
}
