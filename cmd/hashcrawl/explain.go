package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/hashcrawl/hashcrawl/crawler"
	"github.com/hashcrawl/hashcrawl/storage"
	"github.com/hashcrawl/hashcrawl/urlnorm"
)

func explainCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "explain url|robots|page|sitemap",
		Short: "Show how hashcrawl sees a URL, a robots.txt, a page or a sitemap",
		Args:  usage(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return exitf(exitUsage, "say what to explain; see %s --help", cmd.CommandPath())
		},
	}
	cmd.AddCommand(explainURLCommand(), explainRobotsCommand(), explainPageCommand(), explainSitemapCommand())
	return cmd
}

// normFlags are the flags that say which rules of normalisation are in force.
type normFlags struct {
	profile string
	rules   []string
	file    string
}

func (f *normFlags) register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.profile, "profile", "", "rules of URL normalisation: strict, crawl or aggressive (default crawl)")
	cmd.Flags().StringArrayVar(&f.rules, "norm-rule", nil, "switch a rule of URL normalisation: +NAME or -NAME; repeatable")
	cmd.Flags().StringVar(&f.file, "norm-file", "", "YAML file with rules for single hosts")
}

// hosts reads the file of host rules, if there is one.
func (f *normFlags) hosts() ([]urlnorm.HostRules, error) {
	if f.file == "" {
		return nil, nil
	}
	data, err := os.ReadFile(f.file)
	if err != nil {
		return nil, exitf(exitUsage, "--norm-file: %w", err)
	}
	hosts, err := urlnorm.ParseHostRules(data)
	if err != nil {
		return nil, exitf(exitUsage, "--norm-file %s: %w", f.file, err)
	}
	return hosts, nil
}

type explainURLFlags struct {
	normFlags
	base    string
	charset string
	ajaxOff bool
	json    bool
	list    bool
	dir     string
}

func explainURLCommand() *cobra.Command {
	f := &explainURLFlags{}
	cmd := &cobra.Command{
		Use:   "url URL…",
		Short: "Show the names of URLs, the rules that made them, and what a crawl knows of them",
		Long: `Show the fetch form, the key, the display URL and the request of each URL, and
every rule that fired. Without arguments the URLs are read from stdin, one per
line. With --dir, show what the crawl there knows of each, with its history.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.list {
				return listRules(cmd.OutOrStdout())
			}
			if f.dir == "" {
				return f.explain(cmd, args, nil)
			}
			dir := func() (string, error) { return f.dir, nil }
			return reading{cmd: cmd, dir: dir, stdin: len(args) == 0, do: func(db *storage.DB) error { return f.explain(cmd, args, db) }}.run()
		},
	}
	f.register(cmd)
	cmd.Flags().StringVar(&f.base, "base", "", "URL of the page on which the references stand")
	cmd.Flags().StringVar(&f.charset, "charset", "", "charset of that page (default UTF-8)")
	cmd.Flags().BoolVar(&f.ajaxOff, "ajax-off", false, "take #! for a fragment like any other")
	cmd.Flags().BoolVar(&f.json, "json", false, "print one JSON object per URL")
	cmd.Flags().BoolVar(&f.list, "list-rules", false, "list all rules with their profile, danger and source")
	cmd.Flags().StringVar(&f.dir, "dir", "", "crawl directory to look the URLs up in")
	return cmd
}

// listRules prints every rule of normalisation.
func listRules(w io.Writer) error {
	for _, r := range urlnorm.Rules() {
		fmt.Fprintf(w, "%s (%s): %s\n", r.Name, r.Profile, r.What)
		if r.Danger != "" {
			fmt.Fprintf(w, "    danger: %s\n", r.Danger)
		}
		if _, err := fmt.Fprintf(w, "    source: %s\n", r.Source); err != nil {
			return err
		}
	}
	return nil
}

// explained is what explain url prints of one URL: with --dir, also what the
// crawl there knows.
type explained struct {
	urlnorm.Explanation
	Outcome string        `json:"outcome,omitempty"` // "unknown" if the crawl never saw it
	History []historyItem `json:"history,omitempty"`
}

type historyItem struct {
	URL     string     `json:"url"`
	Found   time.Time  `json:"found"`
	Via     string     `json:"via"`
	Parent  string     `json:"parent,omitempty"`
	Depth   int        `json:"depth"`
	Outcome string     `json:"outcome"`
	Reason  string     `json:"reason,omitempty"`
	Status  int        `json:"status,omitempty"`
	Fetched *time.Time `json:"fetched,omitempty"`
	Tries   int        `json:"tries,omitempty"`
	Target  string     `json:"redirect,omitempty"`
}

// explain explains URLs, also by the crawl in db unless that is nil.
func (f *explainURLFlags) explain(cmd *cobra.Command, args []string, db *storage.DB) error {
	norm, lookup, err := f.rulesOf(db)
	if err != nil {
		return err
	}
	var base *urlnorm.Base
	if f.base != "" {
		if base, err = norm.Base(f.base); err != nil {
			return exitf(exitUsage, "--base: %w", err)
		}
	}
	cs, err := urlnorm.CharsetByLabel(f.charset)
	if err != nil {
		return exitf(exitUsage, "--charset: %w", err)
	}
	out := bufio.NewWriter(cmd.OutOrStdout())
	one := func(ref string) error {
		e := explained{Explanation: norm.Explain(base, ref, cs)}
		if lookup != nil && e.Err == nil {
			if err := lookup(&e, base, cs); err != nil {
				return err
			}
		}
		if f.json {
			return printJSON(out, e)
		}
		return e.print(out)
	}
	return errors.Join(eachOf(args, cmd.InOrStdin(), one), out.Flush())
}

// rulesOf returns the normaliser to explain by: that of the crawl in db, then with
// a function that looks up what the crawl knows, or that of the flags.
func (f *explainURLFlags) rulesOf(db *storage.DB) (*urlnorm.Normalizer, func(*explained, *urlnorm.Base, urlnorm.Charset) error, error) {
	if db == nil {
		hosts, err := f.hosts()
		if err != nil {
			return nil, nil, err
		}
		norm, err := urlnorm.New(urlnorm.Config{Profile: f.profile, Rules: f.normFlags.rules, AJAXOff: f.ajaxOff, Hosts: hosts})
		if err != nil {
			return nil, nil, exitf(exitUsage, "%w", err)
		}
		return norm, nil, nil
	}
	settings, err := readSettings(db)
	if err != nil {
		return nil, nil, err
	}
	norm, err := settings.Normalizer()
	if err != nil {
		return nil, nil, err
	}
	lookup := func(e *explained, base *urlnorm.Base, cs urlnorm.Charset) error {
		u, err := norm.Resolve(base, e.Input, cs)
		if err != nil {
			return err
		}
		records, err := crawler.History(db, norm, u)
		if err != nil {
			return err
		}
		e.Outcome = "unknown"
		for _, r := range records {
			e.History = append(e.History, historyOf(&r))
		}
		if len(e.History) > 0 {
			e.Outcome = crawler.OutcomeOf(records).String()
		}
		return nil
	}
	return norm, lookup, nil
}

// historyOf returns what is printed of one entry of a URL's history.
func historyOf(r *crawler.Record) historyItem {
	h := historyItem{
		URL: r.URL, Found: r.Found, Via: r.Via.String(), Parent: r.Parent, Depth: int(r.Depth),
		Outcome: r.Outcome().String(), Reason: r.Rule,
	}
	if p := r.Page; p != nil {
		h.Reason, h.Status, h.Fetched, h.Tries, h.Target = p.Reason, p.Status, &p.Fetched, p.Attempts, p.Target
	}
	return h
}

func (e *explained) print(w io.Writer) error {
	fmt.Fprintf(w, "%s\n", e.Input)
	if e.Err != nil {
		_, err := fmt.Fprintf(w, "  error    %s\n", e.Error)
		return err
	}
	fmt.Fprintf(w, "  fetch    %s\n  key      %s\n  display  %s\n  request  %s\n  kind     %s\n", e.Fetch, e.Key, e.Display, e.Request, e.Kind)
	for _, r := range e.Rules {
		fmt.Fprintf(w, "  rule     %s: %q → %q\n", r.Name, r.From, r.To)
	}
	if e.Outcome != "" {
		fmt.Fprintf(w, "  outcome  %s\n", e.Outcome)
	}
	for _, h := range e.History {
		fmt.Fprintf(w, "  %s  found by %s at depth %d", h.Found.Format(time.RFC3339), h.Via, h.Depth)
		if h.Parent != "" {
			fmt.Fprintf(w, " on %s", h.Parent)
		}
		fmt.Fprintln(w)
		if h.Fetched != nil {
			fmt.Fprintf(w, "  %s  ", h.Fetched.Format(time.RFC3339))
		} else {
			fmt.Fprintf(w, "  %20s  ", "")
		}
		fmt.Fprint(w, h.Outcome)
		if h.Status != 0 {
			fmt.Fprintf(w, ", HTTP status %d", h.Status)
		}
		if h.Reason != "" {
			fmt.Fprintf(w, ", %s", h.Reason)
		}
		if h.Target != "" {
			fmt.Fprintf(w, ", to %s", h.Target)
		}
		fmt.Fprintln(w)
	}
	return nil
}

// readInput reads a file, or stdin if its name is "-".
func readInput(name string, stdin io.Reader) ([]byte, error) {
	if name == "-" {
		return io.ReadAll(stdin)
	}
	return os.ReadFile(name)
}
