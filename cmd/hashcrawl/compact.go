package main

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/hashcrawl/hashcrawl/storage"
)

func compactCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "compact [DIR]",
		Short: "Make the file of a crawl as small as it can be",
		Long: `Make the file of a crawl as small as it can be. A copy is written beside it, compared
with it and then put in its place; whatever happens meanwhile, one of the two is
there in full. The crawl must not be running.`,
		Args: usage(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			dir, err := findDir(args)
			if err != nil {
				return err
			}
			before, after, err := storage.Compact(filepath.Join(dir, crawlFile))
			if err != nil {
				return explainOpen(dir, err)
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%d bytes are now %d\n", before, after)
			return err
		},
	}
}
