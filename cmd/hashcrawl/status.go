package main

import (
	"bufio"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/hashcrawl/hashcrawl/crawler"
	"github.com/hashcrawl/hashcrawl/storage"
)

// A statusReport is what status prints.
type statusReport struct {
	*crawler.Status
	Running bool `json:"running"` // somebody is crawling
}

func statusCommand() *cobra.Command {
	var asJSON, hosts bool
	cmd := &cobra.Command{
		Use:   "status [DIR]",
		Short: "Tell what a crawl knows, has fetched and still waits for",
		Args:  usage(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			dir := func() (string, error) { return findDir(args) }
			return reading{cmd: cmd, dir: dir, do: func(db *storage.DB) error {
				s, err := crawler.ReadStatus(db)
				if err == nil && hosts {
					err = s.AddHosts(db)
				}
				if err != nil {
					return err
				}
				r := statusReport{Status: s}
				if live := invocationOf(cmd.Context()).live; live != nil {
					r.Running, s.Leased = true, live.report().Leased
				}
				if asJSON {
					return printJSON(cmd.OutOrStdout(), r)
				}
				out := bufio.NewWriter(cmd.OutOrStdout())
				r.print(out)
				return out.Flush()
			}}.run()
		},
	}
	cmd.Flags().BoolVar(&hosts, "hosts", false, "add the figures of every host: requests, errors, bytes, gap, pause")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

// print writes the report. Errors are those of w.
func (s statusReport) print(w *bufio.Writer) {
	row := func(indent, name string, n uint64) { fmt.Fprintf(w, "%-28s %10d\n", indent+name, n) }
	rows := func(counts map[string]uint64) {
		for _, k := range sortedKeys(counts) {
			row("    ", k, counts[k])
		}
	}
	row("", "known", s.Known)
	row("  ", "indexed", s.Indexed)
	row("  ", "fetched, not indexed", s.Fetched-s.Indexed)
	rows(s.Other)
	row("  ", "waiting", s.Waiting)
	var refused uint64
	for _, n := range s.Refused {
		refused += n
	}
	row("  ", "refused", refused)
	rows(s.Refused)
	for _, k := range sortedKeys(s.Traps) {
		row("        ", k, s.Traps[k])
	}
	row("  ", "failed", s.Failed)
	rows(s.Failures)
	row("", "hosts", s.Hosts)
	row("", "series", s.Series)
	if s.Running {
		fmt.Fprintf(w, "process %d is crawling, %s under way\n", os.Getpid(), counted(s.Leased, "request is", "requests are"))
	}
	for _, p := range s.Paused {
		state := "paused"
		if p.Unreachable {
			state = "unreachable and paused"
		}
		fmt.Fprintf(w, "  %s is %s (%s) until %s, %d URLs wait\n", p.Host, state, p.Why, p.Until, p.Waiting)
	}
	for _, h := range s.Settings.InsecureTLS {
		fmt.Fprintf(w, "TLS certificates of %s are not verified, as the user asked\n", h)
	}
	for _, h := range s.Settings.IgnoreRobots {
		fmt.Fprintf(w, "robots.txt of %s is ignored, as the user asked\n", h)
	}
	for _, n := range s.Settings.AllowNet {
		fmt.Fprintf(w, "addresses in %s are asked though they are private, as the user asked\n", n)
	}
	if p := s.Settings.ProxyURL(); p != nil {
		fmt.Fprintf(w, "requests go through the proxy %s, as the user asked\n", p.Redacted())
	}
	for _, h := range s.PerHost {
		fmt.Fprintf(w, "%-40s %8d requests %6d errors %12d bytes  gap %gs", h.Host, h.Requests, h.Errors, h.Bytes, h.Gap)
		if h.Paused != "" {
			fmt.Fprintf(w, "  paused (%s) until %s", h.Paused, h.Until)
		}
		fmt.Fprintln(w)
	}
}
