package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/hashcrawl/hashcrawl/crawler"
	"github.com/hashcrawl/hashcrawl/storage"
)

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
				if live := invocationOf(cmd.Context()).live; live != nil {
					s.Leased = live.report().Leased
				}
				if asJSON {
					return printJSON(cmd.OutOrStdout(), s)
				}
				printStatus(cmd.OutOrStdout(), s)
				return nil
			}}.run()
		},
	}
	cmd.Flags().BoolVar(&hosts, "hosts", false, "add the figures of every host: requests, errors, bytes, gap, pause")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

func printStatus(w io.Writer, s *crawler.Status) {
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
	for _, h := range s.PerHost {
		fmt.Fprintf(w, "%-40s %8d requests %6d errors %12d bytes  gap %gs", h.Host, h.Requests, h.Errors, h.Bytes, h.Gap)
		if h.Paused != "" {
			fmt.Fprintf(w, "  paused (%s) until %s", h.Paused, h.Until)
		}
		fmt.Fprintln(w)
	}
}
