package main

import (
	"encoding/json"
	"io"
	"log/slog"
	"os"
	"time"

	"github.com/lmittmann/tint"
	"github.com/spf13/cobra"
)

// version is what --version and the User-Agent say.
const version = "0.1.0"

func rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "hashcrawl",
		Short: "A polite web crawler that understands the AJAX crawling scheme",
		Long: `hashcrawl crawls web sites politely and lists their pages under the URLs that
people see. Where a site uses the AJAX crawling scheme (#! URLs, or pages with
<meta name="fragment" content="!">), it fetches the HTML snapshots.

Everything that a crawl knows is in its directory. Kill it at any moment and
resume it: nothing is lost.`,
		Version:       version,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return exitf(exitUsage, "%w; see %s --help", err, cmd.CommandPath())
	})
	root.AddCommand(
		crawlCommand(), resumeCommand(), watchCommand(), exportCommand(), statusCommand(), seriesCommand(), checkCommand(),
		explainCommand(), verifyCommand(), compactCommand(), backupCommand(), mapCommand(), demoCommand(), versionCommand(),
	)
	return root
}

func versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  usage(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := io.WriteString(cmd.OutOrStdout(), "hashcrawl "+version+"\n")
			return err
		},
	}
}

// usage gives the error of a check of arguments the exit code for usage.
func usage(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if err := check(cmd, args); err != nil {
			return exitf(exitUsage, "%w; see %s --help", err, cmd.CommandPath())
		}
		return nil
	}
}

// verbosity are the flags that say how much is told on stderr.
type verbosity struct{ quiet, verbose bool }

func (v *verbosity) register(cmd *cobra.Command) {
	cmd.Flags().BoolVarP(&v.quiet, "quiet", "q", false, "tell only errors")
	cmd.Flags().BoolVarP(&v.verbose, "verbose", "v", false, "tell what becomes of every URL")
}

// logger returns a logger to w for the verbosity asked for.
func (v *verbosity) logger(w io.Writer) *slog.Logger {
	level := slog.LevelInfo
	switch {
	case v.quiet:
		level = slog.LevelError
	case v.verbose:
		level = slog.LevelDebug
	}
	return slog.New(tint.NewTextHandler(w, &tint.Options{Level: level, TimeFormat: time.TimeOnly, NoColor: !isTerminal(w)}))
}

// isTerminal reports whether w is a terminal.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// printJSON prints one object on a line. URLs keep their &.
func printJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}
