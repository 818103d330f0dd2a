package pager_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"html"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/hashcrawl/hashcrawl/pagination/pager"
	"github.com/hashcrawl/hashcrawl/pagination/pager/labelled"
	"github.com/hashcrawl/hashcrawl/urlnorm"
)

// readCases reads a file of one JSON value per line.
func readCases[T any](t *testing.T, file string) []T {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []T
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var c T
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		out = append(out, c)
	}
	return out
}

// A parameterCase is numbers in a row, some of them links.
type parameterCase struct {
	Test    string
	Case    int
	URL     string
	Content []struct {
		Num   int
		URL   string
		Break bool
	}
	Expect struct {
		Type    string
		Pages   [][2]any
		Formula []int
		Next    string
	}
}

func (c *parameterCase) name() string { return fmt.Sprintf("%s/%d", c.Test, c.Case) }

// page renders the numbers; a break is a paragraph between two rows.
func (c *parameterCase) page() string {
	var b strings.Builder
	b.WriteString("<body><div>")
	for _, item := range c.Content {
		switch {
		case item.Break:
			b.WriteString("</div><p>Some words of an article that stand between.</p><div>")
		case item.URL != "":
			fmt.Fprintf(&b, `<a href="%s">%d</a> `, html.EscapeString(item.URL), item.Num)
		default:
			fmt.Fprintf(&b, "%d ", item.Num)
		}
	}
	b.WriteString("</div></body>")
	return b.String()
}

// pages returns the addresses that the case has links to and that are expected
// to be pages, and the address of the page after the current one.
func (c *parameterCase) pages(p *labelled.Page) []string {
	var want []string
	for _, page := range c.Expect.Pages {
		u, _ := page[1].(string)
		isLink := slices.ContainsFunc(p.URLs, func(v urlnorm.URL) bool { return v.Display == u })
		if isLink && !slices.Contains(want, u) {
			want = append(want, u)
		}
	}
	return want
}

// differs holds a case to its verdict: it must agree with us unless it is
// named as one in which we differ on purpose, and then it must differ.
func differs(t *testing.T, intended map[string]string, name string, got, want any) {
	t.Helper()
	equal := fmt.Sprint(got) == fmt.Sprint(want)
	switch why, named := intended[name]; {
	case named && equal:
		t.Errorf("%s is named as a difference (%s) but agrees: %v", name, why, got)
	case !named && !equal:
		t.Errorf("%s: got %v, want %v", name, got, want)
	}
}

func TestCorpusPageParameters(t *testing.T) {
	intended := map[string]string{
		"testBadPageParamName/0":              "a series of a tag is a series",
		"testPatternValidation/0":             "a pager may have other addresses than its page, as where they are rewritten",
		"testPatternValidation/1":             "the same",
		"testPatternValidation/3":             "the same",
		"testInsertFirstPage/2":               "page 1 has no number, and is a page",
		"testRejectMultiPageNumberPatterns/0": "two pagers are two series",
	}
	for _, c := range readCases[parameterCase](t, corpus(t, "pagination", "domdistiller", "page_parameter_cases.jsonl")) {
		p, err := labelled.Parse(c.URL, []byte(c.page()))
		if err != nil {
			t.Fatal(err)
		}
		r := pager.Label(p.Doc, p.URL, p.URLs)
		var got []string
		for i, l := range r.Labels {
			if u := p.Doc.Links[i].Href; l == pager.Page && !slices.Contains(got, u) {
				got = append(got, u)
			}
		}
		differs(t, intended, c.name(), got, c.pages(p))
		if _, named := intended[c.name()]; !named && c.Expect.Next != "" {
			differs(t, intended, c.name()+" next", r.Pattern.URL(r.Current+1), c.Expect.Next)
		}
	}
}

// An anchorCase is links whose texts name a direction.
type anchorCase struct {
	Test        string
	URL         string
	ParentClass string `json:"parent_class"`
	Anchors     []struct{ Href, Text string }
	Next, Prev  string
}

func TestCorpusPrevNext(t *testing.T) {
	intended := map[string]string{
		"1PageNumberedLink":          "a number is a page, no direction",
		"PagingParent":               "a class alone says no direction",
		"FirstPageLinkAsFolderUrl":   "a link back to the folder is as often the way up",
		"NextArticle bans same href": "each link has its own role",
		"Chinese next page":          "next is not previous",
	}
	for _, c := range readCases[anchorCase](t, corpus(t, "pagination", "domdistiller", "prev_next_cases.jsonl")) {
		var b strings.Builder
		fmt.Fprintf(&b, `<body><div class="%s">`, c.ParentClass)
		for _, a := range c.Anchors {
			fmt.Fprintf(&b, `<a href="%s">%s</a> `, html.EscapeString(a.Href), html.EscapeString(a.Text))
		}
		b.WriteString("</div></body>")
		p, err := labelled.Parse(c.URL, []byte(b.String()))
		if err != nil {
			t.Fatal(err)
		}
		r := pager.Label(p.Doc, p.URL, p.URLs)
		next, prev := "", ""
		for i, l := range r.Labels {
			switch {
			case l == pager.Next && next == "":
				next = p.Doc.Links[i].Href
			case l == pager.Prev && prev == "":
				prev = p.Doc.Links[i].Href
			}
		}
		differs(t, intended, c.Test, "next "+strings.ToLower(next)+", prev "+prev, "next "+c.Next+", prev "+c.Prev)
	}
}

// A patternCase asks whether an address belongs to a pattern, or whether a page
// at that address can have a pager with the pattern.
type patternCase struct {
	Kind, Fn, URL, Pattern string
	Expect                 bool
}

func TestCorpusPagePatterns(t *testing.T) {
	intended := map[string]string{
		"http://www.google.com/thread/12/foo http://www.google.com/thread/12/page/[*!]/foo":       "a number may be inserted anywhere",
		"http://www.foo.com/a/b.htm http://www.foo.com/a/b?page=[*!]":                             "an address without its ending is another",
		"http://www.foo.com/a/b.html http://www.foo.com/a/b?page=[*!]":                            "the same",
		"http://www.foo.com/a/b?queryA=v1 http://www.foo.com/a/b?queryA=v1&queryB=[*!]&queryC=v3": "a session may join with the number",
	}
	for _, c := range readCases[patternCase](t, corpus(t, "pagination", "domdistiller", "page_pattern_cases.jsonl")) {
		sample := strings.Replace(c.Pattern, "[*!]", "8", 1)
		var got bool
		if c.Fn == "is_paging_url" {
			got = pager.SamePattern(c.URL, sample)
		} else {
			got = pager.Continues(sample, c.URL)
		}
		differs(t, intended, c.URL+" "+c.Pattern, got, c.Expect)
	}
}
