package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/hashcrawl/hashcrawl/crawler"
	"github.com/hashcrawl/hashcrawl/storage"
)

// shownProblems is how many problems verify prints.
const shownProblems = 100

// A verdict is what verify prints as JSON.
type verdict struct {
	OK       bool     `json:"ok"`
	Entries  uint64   `json:"entries"`
	Found    int      `json:"found"`    // problems
	Problems []string `json:"problems"` // the first of them
}

func verifyCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "verify [DIR]",
		Short: "Check that a crawl is whole: every index against every record",
		Long: `Check that a crawl is whole: the pages of its file, the form of every record, every
index against every record, and all counts. Nothing is changed. The exit code is 5
if something is wrong; hashcrawl crawl goes on with such a file if it can be opened
at all, but a backup is the better choice.`,
		Args: usage(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			dir, err := findDir(args)
			if err != nil {
				return err
			}
			return verify(cmd, dir, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

func verify(cmd *cobra.Command, dir string, asJSON bool) (err error) {
	db, err := openCrawl(dir, true)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	v := verdict{Problems: []string{}}
	problem := func(what string) {
		if v.Found++; v.Found <= shownProblems {
			v.Problems = append(v.Problems, what)
		}
	}
	v.Entries, err = crawler.Verify(db, problem)
	if errors.Is(err, storage.ErrDamaged) {
		problem(err.Error())
	} else if err != nil {
		return err
	}
	v.OK = v.Found == 0
	out := cmd.OutOrStdout()
	if asJSON {
		err = printJSON(out, v)
	} else {
		for _, p := range v.Problems {
			fmt.Fprintln(out, p)
		}
		if v.OK {
			_, err = fmt.Fprintf(out, "the crawl in %s is whole: %d entries\n", dir, v.Entries)
		}
	}
	if err != nil || v.OK {
		return err
	}
	return exitf(exitNoCrawl, "the crawl in %s has %d faults; restore it from a backup, or crawl into another directory", dir, v.Found)
}
