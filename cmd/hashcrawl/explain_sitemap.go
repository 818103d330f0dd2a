package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/hashcrawl/hashcrawl/crawler/sitemap"
	"github.com/hashcrawl/hashcrawl/urlnorm"
)

func explainSitemapCommand() *cobra.Command {
	f := &explainSitemapFlags{}
	cmd := &cobra.Command{
		Use:   "sitemap FILE|URL",
		Short: "Show what a sitemap lists, and under which names hashcrawl knows it",
		Long: `Show the entries of a sitemap: XML, index, text, RSS or Atom, packed with gzip or
not. A URL is fetched if its robots.txt allows that; the sitemaps that an index
lists are not. What is to be said of the whole goes to stderr.`,
		Args: usage(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error { return f.explain(cmd, args[0]) },
	}
	cmd.Flags().StringVar(&f.base, "base", "", "URL of the sitemap, where a file is read (for relative references)")
	cmd.Flags().BoolVar(&f.json, "json", false, "print one JSON object per entry")
	return cmd
}

type explainSitemapFlags struct {
	base string
	json bool
}

// sitemapEntry is what explain sitemap prints of one entry.
type sitemapEntry struct {
	Loc       string     `json:"loc"`     // as written
	URL       string     `json:"url"`     // display URL
	Request   string     `json:"request"` // what is requested
	Kind      string     `json:"kind"`    // plain, pretty or ugly
	Sitemap   bool       `json:"sitemap"` // another sitemap, and no page
	LastMod   *time.Time `json:"lastmod,omitempty"`
	Published *time.Time `json:"published,omitempty"`
	Error     string     `json:"error,omitempty"`
}

func (f *explainSitemapFlags) explain(cmd *cobra.Command, ref string) error {
	norm, err := urlnorm.New(urlnorm.Config{})
	if err != nil {
		return err
	}
	doc, err := f.open(cmd, ref)
	if err != nil {
		return err
	}
	defer doc.Close()
	var base *urlnorm.Base
	if f.base != "" {
		if base, err = norm.Base(f.base); err != nil {
			return exitf(exitUsage, "--base: %w", err)
		}
	}
	out := bufio.NewWriter(cmd.OutOrStdout())
	var failed error
	sum, err := sitemap.Read(doc, func(e sitemap.Entry) bool {
		failed = f.print(out, explainEntry(norm, base, e))
		return failed == nil
	})
	if err = errors.Join(failed, err, out.Flush()); err != nil {
		return err
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "%s: %d entries, %d without a usable URL", sum.Kind, sum.Entries, sum.Dropped)
	if sum.Stop != sitemap.StopNone {
		fmt.Fprintf(cmd.ErrOrStderr(), "; read as far as it goes (%s)", sum.Stop)
	}
	fmt.Fprintln(cmd.ErrOrStderr())
	return nil
}

// open returns the document that ref names. That of a URL is the base of what
// it lists.
func (f *explainSitemapFlags) open(cmd *cobra.Command, ref string) (io.ReadCloser, error) {
	switch lower := strings.ToLower(ref); {
	case ref == "-":
		return io.NopCloser(cmd.InOrStdin()), nil
	case !strings.HasPrefix(lower, "http://") && !strings.HasPrefix(lower, "https://"):
		file, err := os.Open(ref)
		if err != nil {
			return nil, exitf(exitUsage, "%w", err)
		}
		return file, nil
	}
	v, done, err := newVisitor(ref)
	if err != nil {
		return nil, err
	}
	defer done()
	resp, err := v.Get(cmd.Context(), ref, sitemap.MaxBytes)
	if err != nil {
		return nil, err
	}
	if resp.Status != 200 {
		return nil, fmt.Errorf("%s: HTTP status %d", resp.URL, resp.Status)
	}
	if f.base == "" {
		f.base = resp.URL
	}
	return io.NopCloser(bytes.NewReader(resp.Body)), nil
}

// explainEntry returns what is printed of an entry.
func explainEntry(norm *urlnorm.Normalizer, base *urlnorm.Base, e sitemap.Entry) sitemapEntry {
	p := sitemapEntry{Loc: e.Loc, Sitemap: e.Sitemap}
	if !e.LastMod.IsZero() {
		p.LastMod = &e.LastMod
	}
	if !e.Published.IsZero() {
		p.Published = &e.Published
	}
	u, err := norm.Resolve(base, e.Loc, urlnorm.Charset{})
	if err != nil {
		p.Error = err.Error()
		return p
	}
	p.URL, p.Request, p.Kind = u.Display, u.Fetch, u.Kind.String()
	return p
}

func (f *explainSitemapFlags) print(w io.Writer, e sitemapEntry) error {
	if f.json {
		return printJSON(w, e)
	}
	what, notes := e.URL, ""
	switch {
	case e.Error != "":
		what, notes = e.Loc, "  error: "+e.Error
	case e.Sitemap:
		notes = "  sitemap"
	case e.Kind != "plain":
		notes = "  requested as " + e.Request
	}
	if e.LastMod != nil {
		notes += "  changed " + e.LastMod.Format(time.RFC3339)
	}
	if e.Published != nil {
		notes += "  published " + e.Published.Format(time.RFC3339)
	}
	_, err := fmt.Fprintln(w, what+notes)
	return err
}
