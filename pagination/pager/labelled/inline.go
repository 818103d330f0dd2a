package labelled

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/net/html"
)

// ReadInline reads a folder of pages that carry their labels themselves: the
// first line of NAME.html is a comment with the URL of the page, and a link of
// the pager has an attribute want with the value page, next or prev, which
// package pager does not see. Every page is a group of its own.
func ReadInline(dir string) ([]*Page, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.html"))
	if err != nil {
		return nil, err
	}
	var out []*Page
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("labelled: %w", err)
		}
		p, err := ParseInline(src)
		if err != nil {
			return nil, fmt.Errorf("labelled: %s: %w", file, err)
		}
		p.Name = strings.TrimSuffix(filepath.Base(file), ".html")
		p.Group, p.Invented = p.Name, true
		out = append(out, p)
	}
	return out, nil
}

// ParseInline reads one page as [ReadInline] does.
func ParseInline(src []byte) (*Page, error) {
	first, rest, _ := bytes.Cut(src, []byte("\n"))
	url, opens := strings.CutPrefix(string(first), "<!-- ")
	url, closes := strings.CutSuffix(url, " -->")
	if !opens || !closes {
		return nil, fmt.Errorf("no comment with the URL in the first line")
	}
	p, err := Parse(url, rest)
	if err != nil {
		return nil, err
	}
	byIndex := make(map[int]int)
	for i, link := range p.Doc.Links {
		if link.Index >= 0 {
			byIndex[link.Index] = i
		}
	}
	index := 0
	for z := html.NewTokenizer(bytes.NewReader(rest)); z.Next() != html.ErrorToken; {
		tag := z.Token()
		if tag.Data != "a" || tag.Type != html.StartTagToken {
			continue
		}
		isLink, want := false, "other"
		for _, a := range tag.Attr {
			isLink = isLink || a.Key == "href"
			if a.Key == "want" {
				want = a.Val
			}
		}
		if !isLink {
			continue
		}
		if p.Want[byIndex[index]], err = ParseRole(strings.ToUpper(want)); err != nil {
			return nil, err
		}
		index++
	}
	return p, nil
}
