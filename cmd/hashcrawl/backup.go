package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/hashcrawl/hashcrawl/storage"
)

func backupCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "backup [DIR] FILE",
		Short: "Copy a crawl to a file, also while it runs",
		Long: `Copy a crawl to a file, in one piece, also while it runs: the copy is the crawl at
one moment. To restore it, put it as crawl.db into a directory of its own, and go on
with hashcrawl resume.`,
		Args: usage(cobra.RangeArgs(1, 2)),
		RunE: func(cmd *cobra.Command, args []string) error {
			file, args := args[len(args)-1], args[:len(args)-1]
			dir := func() (string, error) { return findDir(args) }
			return reading{cmd: cmd, dir: dir, do: func(db *storage.DB) error {
				return backup(cmd, db, pathOf(cmd.Context(), file))
			}}.run()
		},
	}
}

// backup copies the crawl to a file, and looks whether that can be opened.
func backup(cmd *cobra.Command, db *storage.DB, file string) error {
	if at, err := os.Stat(file); err == nil {
		if own, err := os.Stat(db.Path()); err == nil && os.SameFile(at, own) {
			return exitf(exitUsage, "%s is the crawl itself", file)
		}
		// A crawl whose file is replaced goes on in one that nobody can open any more.
		there, err := storage.Open(file, storage.Options{ReadOnly: true})
		switch {
		case err == nil:
			if err := there.Close(); err != nil {
				return err
			}
		case errors.Is(err, storage.ErrInUse):
			return exitf(exitInUse, "%s is a crawl that is in use; choose another file", file)
		}
	}
	var size int64
	err := writeFile(file, func(w io.Writer) (err error) {
		size, err = db.Backup(w)
		return err
	})
	if err != nil {
		return err
	}
	copied, err := storage.Open(file, storage.Options{ReadOnly: true})
	if err != nil {
		return fmt.Errorf("the backup cannot be read: %w", err)
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%d bytes are in %s\n", size, filepath.Clean(file))
	return errors.Join(err, copied.Close())
}
