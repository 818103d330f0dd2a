package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/hashcrawl/hashcrawl/crawler"
	"github.com/hashcrawl/hashcrawl/crawler/audit"
	"github.com/hashcrawl/hashcrawl/crawler/export"
	"github.com/hashcrawl/hashcrawl/crawler/fetch"
	"github.com/hashcrawl/hashcrawl/crawler/render"
)

// checkFlags are the flags of check.
type checkFlags struct {
	dir      string
	depth    int
	maxPages int
	format   string
	failOn   string
	output   string
	delay    time.Duration
	contact  string
	maxTime  time.Duration
	nets     []string
	insecure []string
	quiet    bool

	render      bool
	browser     string
	renderHosts []string
}

func checkCommand() *cobra.Command {
	f := &checkFlags{}
	cmd := &cobra.Command{
		Use:   "check URL",
		Short: "Report how crawlable a page or a site is",
		Long: `Ask for a page, its snapshot, robots.txt, sitemaps and a handful of probes, as
politely as a crawl does, and report what stands in the way of crawlers: by the
AJAX crawling scheme, if the page uses it, and by what holds for every site. With
--depth the pages that it links to are checked too. Every finding has an ID, which
docs/crawlability.md explains, with what it was seen by and what to do.

Exit code 3 says that there are findings as --fail-on asks for.`,
		Example: `  hashcrawl check https://example.com/ --contact you@example.org
  hashcrawl check https://example.com/ --depth 2 --max-pages 50 --format html -o report.html
  hashcrawl check 'https://example.com/#!/lights' --format junit --fail-on warning
  hashcrawl check https://example.com/ --render`,
		Args: usage(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error { return f.check(cmd, args[0]) },
	}
	fl := cmd.Flags()
	fl.IntVar(&f.depth, "depth", 0, "links to follow from the page (0: the page itself)")
	fl.IntVar(&f.maxPages, "max-pages", 100, "pages to look at, at most")
	fl.StringVar(&f.format, "format", "text", "form of the report: "+strings.Join(audit.Formats(), ", "))
	fl.StringVar(&f.failOn, "fail-on", "error", "findings that make the exit code 3: error, warning (and errors), or none")
	fl.StringVarP(&f.output, "output", "o", "", "write the report to this file")
	fl.StringVar(&f.dir, "dir", "", "check the pages that the crawl in this directory has found, too")
	fl.DurationVar(&f.delay, "delay", 2*time.Second, "least gap between two requests to a host")
	fl.StringVar(&f.contact, "contact", "", "your URL or mail address, which the site sees")
	fl.DurationVar(&f.maxTime, "max-time", 0, "report what is there after this long, such as 10m (0: no limit)")
	fl.StringArrayVar(&f.nets, "allow-net", nil, "addresses that may be asked although they are private, such as 10.1.0.0/16; repeatable")
	fl.StringArrayVar(&f.insecure, "insecure-tls", nil, "a host whose TLS certificate is not verified; repeatable")
	fl.BoolVar(&f.render, "render", false, "compare the pages with what a headless Chromium shows")
	fl.StringVar(&f.browser, "browser", "", "path of the Chromium for --render (default: one that is installed)")
	fl.StringArrayVar(&f.renderHosts, "render-host", nil, "a host that rendered pages may load from, beside the site itself; repeatable")
	fl.BoolVarP(&f.quiet, "quiet", "q", false, "tell only errors")
	return cmd
}

// settings returns how the site is to be treated, or what is wrong with the
// flags.
func (f *checkFlags) settings(cmd *cobra.Command, url string) (*crawler.Settings, error) {
	nets, err := networks(f.nets)
	if err != nil {
		return nil, err
	}
	insecure, err := hostNames("--insecure-tls", f.insecure)
	if err != nil {
		return nil, err
	}
	s := &crawler.Settings{
		Seeds: []string{url}, Scope: crawler.ScopeHost, MaxDepth: -1, AJAX: crawler.AJAXAuto, Ugly: crawler.UglyCount,
		Contact: f.contact, AllowNet: nets, InsecureTLS: insecure,
	}
	if cmd.Flags().Changed("delay") {
		d := crawler.Duration(f.delay)
		s.Delay = &d
	}
	if err := checkSettings(s); err != nil {
		return nil, err
	}
	switch {
	case f.depth < 0 || f.maxPages < 1 || f.maxTime < 0:
		return nil, exitf(exitUsage, "--depth and --max-time are not negative, --max-pages is at least 1")
	case f.failOn != "error" && f.failOn != "warning" && f.failOn != "none":
		return nil, exitf(exitUsage, "--fail-on is error, warning or none, not %q", f.failOn)
	case !slices.Contains(audit.Formats(), f.format):
		return nil, exitf(exitUsage, "--format is one of %s, not %q", strings.Join(audit.Formats(), ", "), f.format)
	}
	return s, nil
}

func (f *checkFlags) check(cmd *cobra.Command, url string) error {
	settings, err := f.settings(cmd, url)
	if err != nil {
		return err
	}
	if f.output != "" { // a report that cannot be written is not worth the requests
		tmp, err := createBeside(f.output)
		if err != nil {
			return err
		}
		tmp.Close()
		os.Remove(tmp.Name())
	}
	known, err := f.known()
	if err != nil {
		return err
	}
	client, err := fetch.New(fetchOptions(settings))
	if err != nil {
		return exitf(exitUsage, "%w", err)
	}
	defer client.Close()
	v, err := crawler.NewVisitorFor(client, settings)
	if err != nil {
		return err
	}
	if settings.Contact == "" && !settings.OnlyLoopback() && !f.quiet {
		fmt.Fprintln(cmd.ErrOrStderr(), "hashcrawl: tell the site how to reach you with --contact")
	}
	ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	interrupts := ctx
	if f.maxTime > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, f.maxTime, audit.ErrOutOfTime)
		defer cancel()
	}
	opts := audit.Options{URL: url, Depth: f.depth, MaxPages: f.maxPages, Known: known}
	if f.render {
		b, err := f.startBrowser(ctx, url, v)
		if err != nil {
			return err
		}
		defer b.Close()
		opts.Renderer = b
	}
	report, err := audit.Run(ctx, f.telling(v, cmd.ErrOrStderr()), opts)
	switch {
	case interrupts.Err() != nil:
		code := exitInterrupted
		if strings.Contains(context.Cause(interrupts).Error(), syscall.SIGTERM.String()) {
			code = exitTerminated
		}
		return exitf(code, "interrupted; there is no report; --max-time ends a check with a report on what is there")
	case err != nil:
		return err
	}
	if err := f.write(cmd.OutOrStdout(), report); err != nil {
		return err
	}
	if f.output != "" && !f.quiet {
		fmt.Fprintln(cmd.ErrOrStderr(), report.Verdict())
	}
	return f.verdict(report)
}

// telling returns an asker that tells on w how far a long check has come.
func (f *checkFlags) telling(a audit.Asker, w io.Writer) audit.Asker {
	if f.quiet {
		return a
	}
	return &tellingAsker{Asker: a, w: w, told: time.Now()}
}

// A tellingAsker tells every few seconds what is asked for.
type tellingAsker struct {
	audit.Asker
	w    io.Writer
	told time.Time
}

// Ask implements [audit.Asker].
func (a *tellingAsker) Ask(ctx context.Context, url string, maxBody int64) (*fetch.Response, error) {
	if now := time.Now(); now.Sub(a.told) >= progressInterval {
		a.told = now
		fmt.Fprintf(a.w, "hashcrawl: checking, %s so far, next %s\n", counted(a.Requests(), "request", "requests"), url)
	}
	return a.Asker.Ask(ctx, url, maxBody)
}

// startBrowser starts the browser for --render.
func (f *checkFlags) startBrowser(ctx context.Context, url string, v *crawler.Visitor) (*render.Browser, error) {
	path, err := render.Find(f.browser)
	if err != nil {
		return nil, exitf(exitUsage, "--render: %w; install one (Debian and Ubuntu: apt install chromium), or name it with --browser PATH", err)
	}
	allow, err := audit.MayLoad(url, f.renderHosts)
	if err != nil {
		return nil, exitf(exitUsage, "%w", err)
	}
	b, err := render.Start(ctx, render.Options{Path: path, Loader: v, Allow: allow})
	if err != nil {
		return nil, fmt.Errorf("--render: %w; see that it runs by itself, or name another with --browser PATH", err)
	}
	return b, nil
}

// known returns the pages of the crawl that --dir names.
func (f *checkFlags) known() ([]string, error) {
	if f.dir == "" {
		return nil, nil
	}
	db, err := openCrawl(f.dir, true)
	if err != nil {
		return nil, err
	}
	var urls []string
	err = crawler.Rows(db, false, func(r *export.Row) error {
		if len(urls) < f.maxPages {
			urls = append(urls, r.URL)
		}
		return nil
	})
	return urls, errors.Join(err, db.Close())
}

// write writes the report where it is wanted. A file is complete or not there.
func (f *checkFlags) write(stdout io.Writer, r *audit.Report) error {
	if f.output == "" {
		return r.Write(stdout, f.format)
	}
	return writeFile(f.output, func(w io.Writer) error {
		b := bufio.NewWriter(w)
		return errors.Join(r.Write(b, f.format), b.Flush())
	})
}

// verdict returns the error with which the command ends, if any: the report has
// said everything, so it is an exit code without words.
func (f *checkFlags) verdict(r *audit.Report) error {
	worst, ok := r.Worst()
	least := map[string]audit.Severity{"error": audit.Error, "warning": audit.Warning}[f.failOn]
	if f.failOn != "none" && ok && worst >= least {
		return exitf(exitFound, "")
	}
	return nil
}
