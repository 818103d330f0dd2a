// Package labelled reads folders of pages whose pager links are labelled, and
// scores a labelling against them. It serves the training program and the
// tests of package pager; the crawler does not use it.
//
// A folder has the layout of the corpus of autopager:
//
//	pages.jsonl   {"page":"7","url":"http://…","group":"example"} per page
//	links.jsonl   {"page":"7","i":45,"label":"NEXT","href":"…","text":"…"} per labelled link
//	html/7.html   the page, in UTF-8
//
// i counts the <a href> of the page from 0, by whatever parser labelled it; so
// a label belongs to the link with the same href and text that is nearest to
// i. Links that are not listed are OTHER. FIRST and LAST count as PAGE. Pages
// of one site share a group, and no group may be in training and test at once.
package labelled

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/hashcrawl/hashcrawl/crawler/htmldoc"
	"github.com/hashcrawl/hashcrawl/pagination/pager"
	"github.com/hashcrawl/hashcrawl/urlnorm"
)

// A Page is a labelled page, ready for [pager.Role].
type Page struct {
	Name  string
	Group string
	URL   string
	Doc   *htmldoc.Page
	URLs  []urlnorm.URL // of Doc.Links; zero if unresolvable

	// Want are the labels of Doc.Links. Only anchors are judged.
	Want []pager.Role

	// Invented says that the page carries its labels itself.
	Invented bool

	// Lost counts the labels whose link Doc does not have.
	Lost int
}

// A pageRow is a line of pages.jsonl.
type pageRow struct{ Page, URL, Group string }

// A linkRow is a line of links.jsonl.
type linkRow struct {
	Page, Label, Href, Text string
	I                       int
}

// Read reads the folder dir, in the layout of autopager if it has a
// pages.jsonl, else as [ReadInline] does.
func Read(dir string) ([]*Page, error) {
	if _, err := os.Stat(filepath.Join(dir, "pages.jsonl")); err != nil {
		return ReadInline(dir)
	}
	pages, err := readLines[pageRow](filepath.Join(dir, "pages.jsonl"))
	if err != nil {
		return nil, err
	}
	links, err := readLines[linkRow](filepath.Join(dir, "links.jsonl"))
	if err != nil {
		return nil, err
	}
	byPage := make(map[string][]linkRow)
	for _, l := range links {
		byPage[l.Page] = append(byPage[l.Page], l)
	}
	var out []*Page
	for _, row := range pages {
		html, err := os.ReadFile(filepath.Join(dir, "html", row.Page+".html"))
		if err != nil {
			return nil, fmt.Errorf("labelled: %w", err)
		}
		p, err := Parse(row.URL, html)
		if err != nil {
			return nil, fmt.Errorf("labelled: page %s: %w", row.Page, err)
		}
		p.Name, p.Group = row.Page, row.Group
		if err := p.label(byPage[row.Page]); err != nil {
			return nil, fmt.Errorf("labelled: page %s: %w", row.Page, err)
		}
		out = append(out, p)
	}
	return out, nil
}

func readLines[T any](name string) ([]T, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("labelled: %w", err)
	}
	var out []T
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var row T
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			return nil, fmt.Errorf("labelled: %s: %w", name, err)
		}
		out = append(out, row)
	}
	return out, lines.Err()
}

// Parse returns the page at pageURL without labels.
func Parse(pageURL string, html []byte) (*Page, error) {
	doc := htmldoc.Parse(html, htmldoc.Options{Outline: true})
	p := &Page{URL: pageURL, Doc: doc, URLs: make([]urlnorm.URL, len(doc.Links)), Want: make([]pager.Role, len(doc.Links))}
	n, err := urlnorm.New(urlnorm.Config{})
	if err != nil {
		return nil, err
	}
	base, err := n.Base(pageURL)
	if err != nil {
		return nil, err
	}
	if u, err := n.Resolve(base, pageURL, urlnorm.Charset{}); err == nil {
		p.URL = u.Display
	}
	if doc.Base != "" {
		if u, err := n.Resolve(base, doc.Base, urlnorm.Charset{}); err == nil {
			if b, err := n.Base(u.Display); err == nil {
				base = b
			}
		}
	}
	for i := range doc.Links {
		if u, err := n.Resolve(base, doc.Links[i].Href, urlnorm.Charset{}); err == nil {
			p.URLs[i] = u
		}
	}
	return p, nil
}

// label gives the links of p their labels.
func (p *Page) label(rows []linkRow) error {
	for _, row := range rows {
		l, err := ParseRole(row.Label)
		if err != nil {
			return err
		}
		best := -1
		for i, link := range p.Doc.Links {
			if link.Index < 0 || p.Want[i] != pager.Other || !sameText(link.Href, row.Href) || !sameText(link.Text, row.Text) {
				continue
			}
			if best < 0 || distance(link.Index, row.I) < distance(p.Doc.Links[best].Index, row.I) {
				best = i
			}
		}
		if best < 0 {
			best = p.nearestHref(row)
		}
		if best < 0 {
			p.Lost++
			continue
		}
		p.Want[best] = l
	}
	return nil
}

// nearestHref returns the unlabelled link with the href of row that is nearest
// to it, -1 if there is none. Parsers differ in what the text of a link is.
func (p *Page) nearestHref(row linkRow) int {
	best := -1
	for i, link := range p.Doc.Links {
		if link.Index < 0 || p.Want[i] != pager.Other || !sameText(link.Href, row.Href) {
			continue
		}
		if best < 0 || distance(link.Index, row.I) < distance(p.Doc.Links[best].Index, row.I) {
			best = i
		}
	}
	return best
}

// ParseRole returns the label called name in links.jsonl.
func ParseRole(name string) (pager.Role, error) {
	switch name {
	case "PAGE", "FIRST", "LAST":
		return pager.Page, nil
	case "NEXT":
		return pager.Next, nil
	case "PREV":
		return pager.Prev, nil
	case "OTHER", "O":
		return pager.Other, nil
	}
	return 0, fmt.Errorf("unknown label %q", name)
}

func distance(a, b int) int { return max(a-b, b-a) }

// sameText compares without white space, which parsers treat differently.
func sameText(a, b string) bool {
	return a == b || strings.Join(strings.Fields(a), "") == strings.Join(strings.Fields(b), "")
}
