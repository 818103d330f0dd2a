package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/hashcrawl/hashcrawl/ajaxscheme"
	"github.com/hashcrawl/hashcrawl/crawler/htmldoc"
	"github.com/hashcrawl/hashcrawl/crawler/robots"
	"github.com/hashcrawl/hashcrawl/pagination"
	"github.com/hashcrawl/hashcrawl/pagination/listing"
	"github.com/hashcrawl/hashcrawl/pagination/pager"
	"github.com/hashcrawl/hashcrawl/urlnorm"
)

type explainPageFlags struct {
	url     string
	charset string
	markers string
	fetched string
	next    string
	nextURL string
	json    bool
}

func explainPageCommand() *cobra.Command {
	f := &explainPageFlags{}
	cmd := &cobra.Command{
		Use:   "page --url URL FILE",
		Short: "Show what a page is to a crawl: its links, its pager, its items and their order",
		Long: `Show what a page is to a crawl: what it says of itself, its links with their place
in a pager, the series that it belongs to, and its blocks of items with their
dates and their order, with the evidence for it. Nothing is requested. FILE is
the HTML as it was fetched (- for stdin).

With --next FILE the page that follows is held against it: which blocks change
from page to page, and so are driven by the pager, and whether both pages
together show an order that one alone does not.`,
		Args: usage(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error { return f.explain(cmd, args[0]) },
	}
	cmd.Flags().StringVar(&f.url, "url", "", "URL of the page (required)")
	cmd.Flags().StringVar(&f.charset, "charset", "", "charset of the page, whatever it declares")
	cmd.Flags().StringVar(&f.markers, "markers", "", "YAML file of CSS selectors that mark pagers, blocks, rows, dates and order")
	cmd.Flags().StringVar(&f.fetched, "fetched", "", "when the page was fetched, RFC 3339; relative dates count from it (default now)")
	cmd.Flags().StringVar(&f.next, "next", "", "file with the HTML of the page that follows, to be held against this one")
	cmd.Flags().StringVar(&f.nextURL, "next-url", "", "URL of the page that follows (default where the pager leads)")
	cmd.Flags().BoolVar(&f.json, "json", false, "print one JSON object")
	return cmd
}

// pageReport is what explain page prints.
type pageReport struct {
	URL       string        `json:"url"`
	Base      string        `json:"base"`
	OptIn     bool          `json:"opt_in"`
	Canonical string        `json:"canonical"`
	NoIndex   bool          `json:"noindex"`
	NoFollow  bool          `json:"nofollow"`
	Title     string        `json:"title"`
	Lang      string        `json:"lang"`
	Links     []linkReport  `json:"links"`
	Series    pageSeries    `json:"series"`
	Blocks    []blockReport `json:"blocks"`
	Next      *nextReport   `json:"next,omitempty"` // with --next
}

type linkReport struct {
	Index   int    `json:"index"` // of <a href>, -1 for frames and areas
	Href    string `json:"href"`
	Text    string `json:"text"`
	URL     string `json:"url"` // on the wire, "" if there is none
	Display string `json:"display"`
	Rel     string `json:"rel"`
	Follow  bool   `json:"follow"`
	Skip    string `json:"skip"` // why it is not followed
	Pager   string `json:"pager"`
}

// pageSeries tells of the series whose pager drives the page; all is empty if
// there is none.
type pageSeries struct {
	Pattern string `json:"pattern"`
	Page    int    `json:"page"`
	Pages   int    `json:"pages"`
	Next    string `json:"next"`
	Prev    string `json:"prev"`
}

type blockReport struct {
	Path     string      `json:"path"`
	Pager    bool        `json:"pager"`
	Order    string      `json:"order"`
	Evidence []string    `json:"evidence"`
	Items    []rowReport `json:"items"`
}

type rowReport struct {
	URL      string `json:"url"`
	Text     string `json:"text"`
	Date     string `json:"date"` // a day, or the beginning of a shorter interval
	DateText string `json:"date_text"`
	Pinned   bool   `json:"pinned,omitempty"`
}

func (f *explainPageFlags) explain(cmd *cobra.Command, file string) error {
	if f.url == "" {
		return exitf(exitUsage, "say with --url at which URL the page stands")
	}
	if f.next == "" && f.nextURL != "" {
		return exitf(exitUsage, "--next-url says where the page of --next stands")
	}
	o := listing.Options{Now: time.Now(), Always: true}
	var err error
	if f.fetched != "" {
		if o.Now, err = time.Parse(time.RFC3339, f.fetched); err != nil {
			return exitf(exitUsage, "--fetched: %w", err)
		}
	}
	if o.Markers, err = readMarkers(f.markers); err != nil {
		return err
	}
	body, err := readInput(file, cmd.InOrStdin())
	if err != nil {
		return exitf(exitUsage, "%w", err)
	}
	if _, err := urlnorm.CharsetByLabel(f.charset); err != nil {
		return exitf(exitUsage, "--charset: %w", err)
	}
	report, read, err := reportPage(f.url, body, f.charset, o)
	if err == nil && f.next != "" {
		err = f.hold(cmd, report, read, o)
	}
	if err != nil {
		return err
	}
	out := bufio.NewWriter(cmd.OutOrStdout())
	if f.json {
		err = printJSON(out, report)
	} else {
		report.print(out)
	}
	return errors.Join(err, out.Flush())
}

// readMarkers reads the file that --markers names, if any.
func readMarkers(file string) (*listing.Markers, error) {
	if file == "" {
		return nil, nil
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, exitf(exitUsage, "--markers: %w", err)
	}
	m, err := listing.ParseMarkers(data)
	if err != nil {
		return nil, exitf(exitUsage, "--markers %s: %w", file, err)
	}
	return m, nil
}

// reportPage reads the page at url as a crawl would.
func reportPage(url string, body []byte, charset string, o listing.Options) (*pageReport, *listing.Page, error) {
	norm, err := urlnorm.New(urlnorm.Config{})
	if err != nil {
		return nil, nil, err
	}
	at, err := norm.Resolve(nil, url, urlnorm.Charset{})
	if err != nil {
		return nil, nil, exitf(exitUsage, "--url: %w", err)
	}
	text, charset := htmldoc.Decode(body, "", charset)
	doc := htmldoc.Parse(text, htmldoc.Options{Outline: true, Agent: "hashcrawl"})
	base, err := baseOf(norm, at, doc)
	if err != nil {
		return nil, nil, err
	}
	cs, err := urlnorm.CharsetByLabel(charset)
	if err != nil {
		cs = urlnorm.Charset{} // one that URLs do not know; their queries are then in UTF-8
	}
	o.Resolve = func(ref string) (urlnorm.URL, error) { return norm.Resolve(base.of, ref, cs) }
	r := &pageReport{URL: at.Display, Base: base.display, OptIn: doc.OptIn == ajaxscheme.OptInValid, Title: doc.Title, Lang: doc.Lang}
	r.Canonical = canonicalOf(doc, o.Resolve)
	metas := make([]robots.Meta, 0, len(doc.RobotsMeta))
	for _, m := range doc.RobotsMeta {
		metas = append(metas, robots.Meta(m))
	}
	directives := robots.ParseDirectives(metas, nil, "hashcrawl")
	r.NoIndex, r.NoFollow = directives.NoIndex, directives.NoFollow
	urls := make([]urlnorm.URL, len(doc.Links))
	r.Links = make([]linkReport, 0, len(doc.Links))
	faults := make([]error, len(doc.Links))
	for i := range doc.Links {
		urls[i], faults[i] = o.Resolve(doc.Links[i].Href)
	}
	page := listing.Read(doc, at, urls, o)
	for i := range doc.Links {
		switch doc.Links[i].Kind {
		case htmldoc.Anchor, htmldoc.Area, htmldoc.Frame, htmldoc.IFrame:
			r.Links = append(r.Links, r.link(&doc.Links[i], urls[i], faults[i], at, page.Pager.Labels[i]))
		}
	}
	r.Series = seriesOf(&page, urls)
	r.Blocks = make([]blockReport, 0, len(page.Blocks))
	for i := range page.Blocks {
		r.Blocks = append(r.Blocks, blockOf(&page.Blocks[i]))
	}
	return r, &page, nil
}

// pageBase is what the references of a page resolve against.
type pageBase struct {
	of      *urlnorm.Base
	display string
}

func baseOf(norm *urlnorm.Normalizer, at urlnorm.URL, doc *htmldoc.Page) (pageBase, error) {
	own, err := norm.Base(at.Display)
	if err != nil {
		return pageBase{}, err
	}
	if doc.Base != "" {
		if u, err := norm.Resolve(own, doc.Base, urlnorm.Charset{}); err == nil {
			if b, err := norm.Base(u.Display); err == nil {
				return pageBase{b, u.Display}, nil
			}
		}
	}
	return pageBase{own, at.Display}, nil
}

// canonicalOf returns the page that a page names as its canonical, "" if it
// names none or several.
func canonicalOf(doc *htmldoc.Page, resolve func(string) (urlnorm.URL, error)) string {
	var named urlnorm.URL
	for _, href := range doc.Canonicals {
		u, err := resolve(href)
		if err != nil || named.Key != "" && u.Key != named.Key {
			return ""
		}
		named = u
	}
	return named.Display
}

func (r *pageReport) link(l *htmldoc.Link, u urlnorm.URL, fault error, at urlnorm.URL, role pager.Role) linkReport {
	p := linkReport{
		Index: l.Index, Href: l.Href, Text: l.Text, URL: u.Fetch, Display: u.Display, Rel: l.Rel.String(), Pager: role.String(),
	}
	switch {
	case fault != nil:
		p.Skip = fault.Error()
	case u.Key == at.Key:
		p.Skip = "this page"
	case r.NoFollow:
		p.Skip = "the page says nofollow"
	case l.Rel.Has(htmldoc.RelNoFollow | htmldoc.RelUGC | htmldoc.RelSponsored):
		p.Skip = "nofollow"
	}
	p.Follow = p.Skip == ""
	return p
}

func seriesOf(page *listing.Page, urls []urlnorm.URL) pageSeries {
	p := &page.Pager
	s := pageSeries{Pattern: p.Pattern.String(), Page: p.Current, Pages: p.Last}
	if p.Next >= 0 {
		s.Next = urls[p.Next].Display
	}
	if p.Prev >= 0 {
		s.Prev = urls[p.Prev].Display
	}
	if len(page.Listings) > 0 {
		l := &page.Listings[0]
		s.Page, s.Pages, s.Next = l.Number, max(l.Last, s.Pages), l.Next.Display
	}
	return s
}

func blockOf(b *listing.Block) blockReport {
	r := blockReport{Path: b.Path, Pager: b.Pager, Order: b.Order.String(), Evidence: b.Evidence, Items: make([]rowReport, 0, len(b.Rows))}
	if r.Evidence == nil {
		r.Evidence = []string{}
	}
	for i := range b.Rows {
		row := &b.Rows[i]
		r.Items = append(r.Items, rowReport{
			URL: row.URL.Display, Text: row.Text, Date: dateOf(row.Date), DateText: row.DateText, Pinned: row.Pinned,
		})
	}
	return r
}

// dateOf writes a date as exactly as it is known.
func dateOf(iv pagination.Interval) string {
	switch {
	case iv.IsZero():
		return ""
	case iv.To.Sub(iv.From) >= 24*time.Hour:
		return iv.From.Format(time.DateOnly)
	}
	return iv.From.Format(time.RFC3339)
}

// print writes the report for people: of the links only those of pagers.
func (r *pageReport) print(w io.Writer) {
	fmt.Fprintf(w, "%s\n  title      %s\n", r.URL, r.Title)
	if r.Base != r.URL {
		fmt.Fprintf(w, "  base       %s\n", r.Base)
	}
	if r.Canonical != "" {
		fmt.Fprintf(w, "  canonical  %s\n", r.Canonical)
	}
	if r.OptIn {
		fmt.Fprintln(w, "  opted in to the AJAX crawling scheme")
	}
	if r.NoIndex || r.NoFollow {
		fmt.Fprintf(w, "  noindex %t, nofollow %t\n", r.NoIndex, r.NoFollow)
	}
	follow := 0
	for i := range r.Links {
		if r.Links[i].Follow {
			follow++
		}
	}
	fmt.Fprintf(w, "  links      %d, of which %d are followed\n", len(r.Links), follow)
	for _, l := range r.Links {
		if l.Pager != "" {
			fmt.Fprintf(w, "    %-5s %s  %s\n", l.Pager, l.Display, l.Text)
		}
	}
	if s := r.Series; s != (pageSeries{}) {
		fmt.Fprintf(w, "  series     %s, page %d of %d\n", s.Pattern, s.Page, s.Pages)
	}
	for _, b := range r.Blocks {
		b.print(w)
	}
	if r.Next != nil {
		r.Next.print(w)
	}
}

func (b *blockReport) print(w io.Writer) {
	driven := ""
	if b.Pager {
		driven = ", driven by the pager"
	}
	fmt.Fprintf(w, "  block      %s: %d items, %s%s\n", b.Path, len(b.Items), b.Order, driven)
	for _, e := range b.Evidence {
		fmt.Fprintf(w, "    because %s\n", e)
	}
	for _, it := range b.Items {
		pin := ""
		if it.Pinned {
			pin = "  pinned"
		}
		fmt.Fprintf(w, "    %s\n", strings.TrimRight(fmt.Sprintf("%-20s  %s  %s%s", it.Date, it.URL, it.Text, pin), " "))
	}
}
