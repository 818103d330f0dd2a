package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hashcrawl/hashcrawl/crawler"
	"github.com/hashcrawl/hashcrawl/crawler/fetch"
	"github.com/hashcrawl/hashcrawl/crawler/robots"
	"github.com/hashcrawl/hashcrawl/urlnorm"
)

type explainRobotsFlags struct {
	file  string
	url   string
	agent string
	json  bool
}

func explainRobotsCommand() *cobra.Command {
	f := &explainRobotsFlags{}
	cmd := &cobra.Command{
		Use:   "robots --file FILE|--url URL URL…",
		Short: "Show what a robots.txt allows, and the line that decides",
		Long: `Show what a robots.txt allows, and the group and line that decide. The rules are
matched against what is requested, so for a #! URL against its ugly form. With
--url the robots.txt of that URL's origin is fetched: one request, and one for
each redirect. Without arguments the URLs are read from stdin, one per line.`,
		RunE: func(cmd *cobra.Command, args []string) error { return f.explain(cmd, args) },
	}
	cmd.Flags().StringVar(&f.file, "file", "", "robots.txt file (- for stdin)")
	cmd.Flags().StringVar(&f.url, "url", "", "a URL of the site whose robots.txt is to be fetched")
	cmd.Flags().StringVar(&f.agent, "agent", "hashcrawl", "product token of the crawler")
	cmd.Flags().BoolVar(&f.json, "json", false, "print one JSON object per URL")
	return cmd
}

// robotsVerdict is what explain robots prints of one URL.
type robotsVerdict struct {
	URL        string  `json:"url"`
	Allowed    bool    `json:"allowed"`
	Group      string  `json:"group"`
	Rule       string  `json:"rule"`
	Line       int     `json:"line"`
	CrawlDelay float64 `json:"crawl_delay"` // seconds; 0 if none is asked for
	Error      string  `json:"error,omitempty"`
}

func (f *explainRobotsFlags) explain(cmd *cobra.Command, args []string) error {
	file, err := f.read(cmd, args)
	if err != nil {
		return err
	}
	norm, err := urlnorm.New(urlnorm.Config{})
	if err != nil {
		return err
	}
	rules := file.Rules(f.agent)
	delay, _ := rules.CrawlDelay()
	out := bufio.NewWriter(cmd.OutOrStdout())
	one := func(ref string) error {
		v := robotsVerdict{URL: ref, CrawlDelay: delay.Seconds()}
		if u, err := norm.Resolve(nil, ref, urlnorm.Charset{}); err != nil {
			v.Error = err.Error()
		} else {
			t := rules.Test(u.Target())
			v.Allowed, v.Group, v.Rule, v.Line = t.Allowed, t.Group, t.Rule, t.Line
		}
		if f.json {
			return printJSON(out, v)
		}
		return v.print(out)
	}
	return errors.Join(eachOf(args, cmd.InOrStdin(), one), out.Flush())
}

// read returns the robots.txt that the flags name.
func (f *explainRobotsFlags) read(cmd *cobra.Command, args []string) (*robots.File, error) {
	if (f.file == "") == (f.url == "") || f.file == "-" && len(args) == 0 {
		return nil, exitf(exitUsage, "name the robots.txt with --file or the site with --url, and the URLs as arguments")
	}
	if f.file != "" {
		body, err := readInput(f.file, cmd.InOrStdin())
		if err != nil {
			return nil, exitf(exitUsage, "--file: %w", err)
		}
		return robots.Parse(body), nil
	}
	v, done, err := newVisitor(f.url)
	if err != nil {
		return nil, err
	}
	defer done()
	r, err := v.Robots(cmd.Context(), f.url)
	if err != nil {
		return nil, err
	}
	if r.Means == robots.AllowAll {
		fmt.Fprintf(cmd.ErrOrStderr(), "there is no robots.txt (HTTP status %d): everything is allowed\n", r.Status)
	}
	return r.File, nil
}

// newVisitor returns who asks the site of a URL, and how to end that.
func newVisitor(url string) (v *crawler.Visitor, done func(), err error) {
	s := &crawler.Settings{Seeds: []string{url}}
	if s.SeedHosts() == nil {
		return nil, nil, exitf(exitUsage, "%q is no http or https URL", url)
	}
	client, err := fetch.New(fetchOptions(s))
	if err != nil {
		return nil, nil, err
	}
	if v, err = crawler.NewVisitor(client); err != nil {
		client.Close()
		return nil, nil, err
	}
	return v, client.Close, nil
}

func (v *robotsVerdict) print(w io.Writer) error {
	var b strings.Builder
	switch {
	case v.Error != "":
		fmt.Fprintf(&b, "error      %s: %s", v.URL, v.Error)
	case v.Allowed:
		fmt.Fprintf(&b, "allowed    %s", v.URL)
	default:
		fmt.Fprintf(&b, "forbidden  %s", v.URL)
	}
	if v.Line > 0 {
		fmt.Fprintf(&b, "  (line %d: %s; group %s)", v.Line, v.Rule, v.Group)
	}
	if v.CrawlDelay > 0 {
		fmt.Fprintf(&b, "  crawl delay %gs", v.CrawlDelay)
	}
	_, err := fmt.Fprintln(w, b.String())
	return err
}
