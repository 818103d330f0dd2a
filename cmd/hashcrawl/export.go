package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hashcrawl/hashcrawl/crawler"
	"github.com/hashcrawl/hashcrawl/crawler/export"
	"github.com/hashcrawl/hashcrawl/storage"
)

type exportFlags struct {
	format string
	fields []string
	out    string
	all    bool
	maps   sitemapFlags
}

func exportCommand() *cobra.Command {
	f := &exportFlags{}
	names, abouts := export.Fields()
	var fields strings.Builder
	for i := range names {
		fmt.Fprintf(&fields, "\n  %-14s %s", names[i], abouts[i])
	}
	cmd := &cobra.Command{
		Use:   "export [DIR]",
		Short: "List the indexed pages under their display URLs",
		Long:  "List the indexed pages of a crawl under their display URLs: pretty or plain, never\nugly. The fields are:" + fields.String(),
		Args:  usage(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.check(); err != nil {
				return err
			}
			dir := func() (string, error) { return findDir(args) }
			return reading{cmd: cmd, dir: dir, do: func(db *storage.DB) error { return f.export(cmd, db) }}.run()
		},
	}
	cmd.Flags().StringVar(&f.format, "format", string(export.URLs), strings.Join(export.Formats(), ", "))
	cmd.Flags().StringSliceVar(&f.fields, "fields", nil, "fields to write, separated by commas")
	cmd.Flags().StringVarP(&f.out, "output", "o", "", "file to write, in one piece; it is replaced only when all went well")
	cmd.Flags().BoolVar(&f.all, "all", false, "list every URL that was discovered, whatever became of it")
	f.maps.register(cmd)
	return cmd
}

// check returns what is wrong with the flags, before anything is opened.
func (f *exportFlags) check() error {
	if len(f.fields) > 0 && f.format == string(export.URLs) {
		return exitf(exitUsage, "a list of URLs has no fields to choose; add --format csv, tsv or jsonl")
	}
	if _, err := export.NewWriter(io.Discard, export.Format(f.format), f.fields); err != nil {
		return exitf(exitUsage, "%w", err)
	}
	if f.all && f.format == string(export.Sitemap) {
		return exitf(exitUsage, "a sitemap lists indexed pages only; leave --all away")
	}
	return f.maps.check(f)
}

// export writes the crawl to the file asked for, or to stdout.
func (f *exportFlags) export(cmd *cobra.Command, db *storage.DB) error {
	write := func(w io.Writer) error {
		out, err := export.NewWriter(w, export.Format(f.format), f.fields)
		if err != nil {
			return err
		}
		row := out.Write
		if slices.Contains(f.fields, export.Parent) {
			row = crawler.WithParents(db, row)
		}
		if err := crawler.Rows(db, f.all, row); err != nil {
			return err
		}
		return out.Close()
	}
	switch {
	case f.out == "":
		return write(cmd.OutOrStdout())
	case f.format == string(export.Sitemap):
		return f.maps.write(pathOf(cmd.Context(), f.out), db)
	}
	return writeFile(pathOf(cmd.Context(), f.out), write)
}

// writeFile writes a file in one piece: whoever looks sees the old one or the
// new one, whatever happens meanwhile.
func writeFile(path string, write func(io.Writer) error) (err error) {
	tmp, err := createBeside(path)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			tmp.Close()
			os.Remove(tmp.Name())
		}
	}()
	for _, step := range []func() error{
		func() error { return write(tmp) },
		func() error { return tmp.Chmod(0o644) },
		tmp.Sync,
		tmp.Close,
		func() error { return os.Rename(tmp.Name(), path) },
	} {
		if err := step(); err != nil {
			return fmt.Errorf("write %s: %w", path, err)
		}
	}
	return nil
}

// createBeside makes a file that is to take the place of the one at path.
func createBeside(path string) (*os.File, error) {
	if at, err := os.Stat(path); err == nil && at.IsDir() {
		return nil, exitf(exitUsage, "%s is a directory; name the file in it", path)
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if failed, ok := errors.AsType[*fs.PathError](err); ok {
		err = failed.Err // the name beside is not the user's
	}
	if err != nil {
		return nil, exitf(exitUsage, "cannot write %s: %w", path, err)
	}
	return tmp, nil
}

// sortedKeys returns the keys of counts, the largest count first.
func sortedKeys(counts map[string]uint64) []string {
	var keys []string
	for k := range counts {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b string) int {
		if counts[a] != counts[b] {
			return int(min(counts[b], 1<<40)) - int(min(counts[a], 1<<40))
		}
		return strings.Compare(a, b)
	})
	return keys
}
