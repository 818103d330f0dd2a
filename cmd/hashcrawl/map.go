package main

import (
	"bufio"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/hashcrawl/hashcrawl/ajaxscheme"
)

// maxLine is the longest line that is read from standard input.
const maxLine = 16 << 20

func mapCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "map pretty|ugly",
		Short: "Convert URLs on stdin, one per line, to their pretty or ugly form",
		Long: `Read URLs from standard input, one per line, and print each in its pretty or ugly
form. A line that has no such form is printed as it is.`,
		Args: usage(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return exitf(exitUsage, "say which way: %s pretty or %s ugly", cmd.CommandPath(), cmd.CommandPath())
		},
	}
	for _, m := range []struct {
		name, short string
		line        func(string) (string, bool)
	}{
		{"pretty", "Ugly URLs to pretty URLs", ajaxscheme.PrettyLine},
		{"ugly", "Pretty URLs to ugly URLs", ajaxscheme.UglyLine},
	} {
		cmd.AddCommand(&cobra.Command{
			Use: m.name, Short: m.short, Args: usage(cobra.NoArgs),
			RunE: func(cmd *cobra.Command, _ []string) error {
				return mapLines(cmd.InOrStdin(), cmd.OutOrStdout(), m.line)
			},
		})
	}
	return cmd
}

// mapLines writes every line of r as line returns it.
func mapLines(r io.Reader, w io.Writer, line func(string) (string, bool)) error {
	out := bufio.NewWriter(w)
	err := eachLine(r, func(s string) error {
		mapped, _ := line(s)
		_, err := fmt.Fprintln(out, mapped)
		return err
	})
	if err != nil {
		return err
	}
	return out.Flush()
}

// eachOf calls fn with every argument, or with every line of r if there are
// none.
func eachOf(args []string, r io.Reader, fn func(string) error) error {
	if len(args) == 0 {
		return eachLine(r, fn)
	}
	for _, arg := range args {
		if err := fn(arg); err != nil {
			return err
		}
	}
	return nil
}

// eachLine calls fn with every line of r, without its end.
func eachLine(r io.Reader, fn func(string) error) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	for lines.Scan() {
		if err := fn(lines.Text()); err != nil {
			return err
		}
	}
	return lines.Err()
}
