package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/hashcrawl/hashcrawl/crawler"
	"github.com/hashcrawl/hashcrawl/pagination"
	"github.com/hashcrawl/hashcrawl/storage"
	"github.com/hashcrawl/hashcrawl/urlnorm"
)

// crawlFlags are the flags that say what a crawl is.
type crawlFlags struct {
	dir string
	run runFlags

	scope        string
	include      []string
	exclude      []string
	maxDepth     int
	ajax         string
	uglyLinks    string
	nofollow     bool
	contact      string
	delay        time.Duration
	allowNets    []string
	ignoreRobots []string
	sitemaps     []string
	noSitemaps   bool
	markers      string
	storeText    bool
	proxy        string
	insecureTLS  []string
	trapRules    []string
	listTraps    bool
	norm         normFlags
}

// runFlags are the flags that say how one run is carried out.
type runFlags struct {
	verbosity
	concurrency int
	maxPages    int
	maxTime     time.Duration
	reserve     byteSize // left free on the disk
	visits      pagination.Schedule
	backfill    string
	watch       bool // stay when nothing is left
	cpuProfile  string
}

func (f *runFlags) register(cmd *cobra.Command) {
	f.verbosity.register(cmd)
	cmd.Flags().IntVar(&f.concurrency, "concurrency", 16, "requests under way at a time, over all hosts; never more than one per host")
	cmd.Flags().IntVar(&f.maxPages, "max-pages", 0, "stop after this many pages in this run (0: no limit)")
	cmd.Flags().DurationVar(&f.maxTime, "max-time", 0, "stop after this long, such as 90m (0: no limit)")
	f.reserve = 256 << 20
	cmd.Flags().Var(&f.reserve, "disk-reserve", "stop, to be resumed, when less than this is free on the disk (0: go on until it is full)")
	cmd.Flags().StringVar(&f.cpuProfile, "cpuprofile", "", "write where processor time goes to `FILE`, for go tool pprof")
	cmd.Flags().DurationVar(&f.visits.Min, "min-interval", 15*time.Minute, "least time between two visits to a series")
	cmd.Flags().DurationVar(&f.visits.Max, "max-interval", 7*24*time.Hour, "most time between two visits to a series")
	cmd.Flags().StringVar(&f.backfill, "backfill", string(crawler.BackfillNone), "when nothing is more urgent, read the gaps that visits to series have left (gaps), or also what lies below the first visit (all)")
	cmd.Flags().Lookup("backfill").NoOptDefVal = string(crawler.BackfillGaps)
}

// check returns what is wrong with the flags.
func (f *runFlags) check() error {
	if f.concurrency < 1 || f.maxPages < 0 || f.maxTime < 0 {
		return exitf(exitUsage, "--concurrency is at least 1, --max-pages and --max-time are not negative")
	}
	if err := crawler.Backfill(f.backfill).Check(); err != nil {
		return exitf(exitUsage, "--backfill: %w", err)
	}
	if f.visits.Min <= 0 || f.visits.Max < f.visits.Min {
		return exitf(exitUsage, "--min-interval is more than nothing, and --max-interval not less than it")
	}
	return nil
}

func crawlCommand() *cobra.Command {
	f := &crawlFlags{}
	cmd := &cobra.Command{
		Use:   "crawl URL…",
		Short: "Crawl a site into a directory; the same line again continues",
		Example: `  hashcrawl crawl https://example.com/ --contact you@example.org
  hashcrawl crawl https://example.com/news/ --scope prefix --max-pages 500
  hashcrawl crawl https://example.com/ --exclude '*/print/*' --exclude 're:\?sort='`,
		Args: usage(func(cmd *cobra.Command, args []string) error {
			if f.listTraps {
				return cobra.NoArgs(cmd, args)
			}
			return cobra.MinimumNArgs(1)(cmd, args)
		}),
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.listTraps {
				return f.printTraps(cmd.OutOrStdout())
			}
			return f.crawl(cmd, args)
		},
	}
	fl := cmd.Flags()
	fl.StringVar(&f.dir, "dir", "", "crawl directory (default ./HOST.crawl)")
	fl.StringVar(&f.scope, "scope", string(crawler.ScopeHost), "how far to go from the seeds: page, prefix, host, domain or any")
	fl.StringArrayVar(&f.include, "include", nil, "fetch only URLs that match this glob, or re:REGEXP; repeatable")
	fl.StringArrayVar(&f.exclude, "exclude", nil, "do not fetch URLs that match this glob, or re:REGEXP; repeatable")
	fl.IntVar(&f.maxDepth, "max-depth", -1, "links from a seed (-1: no limit)")
	fl.StringVar(&f.ajax, "ajax", string(crawler.AJAXAuto), "use of the AJAX crawling scheme: auto, always or off")
	fl.StringVar(&f.uglyLinks, "ugly-links", string(crawler.UglyCount), "links in ugly form: count them, or map them to the pretty URL")
	fl.BoolVar(&f.nofollow, "follow-nofollow", false, "follow links that ask not to be followed")
	fl.StringVar(&f.contact, "contact", "", "your URL or mail address, which the sites see")
	fl.DurationVar(&f.delay, "delay", 2*time.Second, "least gap between two requests to a host")
	fl.StringArrayVar(&f.allowNets, "allow-net", nil, "addresses that may be asked although they are private, such as 10.1.0.0/16; repeatable")
	fl.StringArrayVar(&f.ignoreRobots, "ignore-robots", nil, "a host of yours whose robots.txt is not asked for; repeatable")
	fl.StringArrayVar(&f.sitemaps, "sitemap", nil, "read this sitemap too; repeatable")
	fl.BoolVar(&f.noSitemaps, "no-sitemaps", false, "do not look for sitemaps in robots.txt and at /sitemap.xml")
	fl.BoolVar(&f.storeText, "store-text", false, "keep the visible text of every page, up to 256 KiB, for exports")
	fl.StringVar(&f.proxy, "proxy", "", "send every request through this proxy: http, https, socks5 or socks5h URL (the environment's proxies are not used)")
	fl.StringArrayVar(&f.insecureTLS, "insecure-tls", nil, "a host whose TLS certificate is not verified; repeatable")
	fl.StringArrayVar(&f.trapRules, "trap-rule", nil, "change the limit of a rule against crawler traps: NAME=LIMIT or NAME=off; repeatable")
	fl.BoolVar(&f.listTraps, "trap-rules", false, "list the rules against crawler traps with their limits (those of the crawl in --dir), and do nothing else")
	fl.StringVar(&f.markers, "markers", "", "YAML file that marks pagers, blocks, rows and dates of hosts by CSS selectors")
	f.norm.register(cmd)
	f.run.register(cmd)
	return cmd
}

// printTraps lists the trap rules as the flags change them: those of the crawl
// in --dir, if it is given.
func (f *crawlFlags) printTraps(w io.Writer) error {
	s := &crawler.Settings{}
	if f.dir != "" {
		db, err := openCrawl(f.dir, true)
		if err != nil {
			return err
		}
		s, err = readSettings(db)
		if err = errors.Join(err, db.Close()); err != nil {
			return err
		}
	}
	for _, rule := range f.trapRules {
		if err := s.SetTrapRule(rule); err != nil {
			return exitf(exitUsage, "--trap-rule: %w", err)
		}
	}
	for _, r := range s.TrapRules() {
		limit := "off"
		if r.Limit > 0 {
			limit = fmt.Sprint(r.Limit)
		}
		if _, err := fmt.Fprintf(w, "%-20s %5s  %s\n", r.Name, limit, r.What); err != nil {
			return err
		}
	}
	return nil
}

func resumeCommand() *cobra.Command {
	f := &runFlags{}
	cmd := &cobra.Command{
		Use:   "resume [DIR]",
		Short: "Go on with a crawl that was stopped, interrupted or killed",
		Args:  usage(cobra.MaximumNArgs(1)),
		RunE:  f.resume,
	}
	f.register(cmd)
	return cmd
}

func watchCommand() *cobra.Command {
	f := &runFlags{watch: true}
	cmd := &cobra.Command{
		Use:   "watch [DIR]",
		Short: "Go on with a crawl, and stay: visit its series when news is due",
		Long: `Go on with a crawl as resume does, and then stay: visit every time-ordered series
of index pages when its news can be expected, and read on until what is known is
met. New items are fetched first. Stop it with Ctrl-C.`,
		Args: usage(cobra.MaximumNArgs(1)),
		RunE: f.resume,
	}
	f.register(cmd)
	return cmd
}

// resume goes on with an existing crawl.
func (f *runFlags) resume(cmd *cobra.Command, args []string) error {
	if err := f.check(); err != nil {
		return err
	}
	dir, err := findDir(args)
	if err != nil {
		return err
	}
	db, err := openCrawl(dir, false)
	if err != nil {
		return err
	}
	settings, err := readSettings(db)
	if err != nil {
		return errors.Join(err, db.Close())
	}
	return runCrawl(cmd, dir, db, settings, f, "")
}

// readSettings reads the settings of an existing crawl.
func readSettings(db *storage.DB) (*crawler.Settings, error) {
	config, err := db.Config()
	if err != nil {
		return nil, err
	}
	if config == nil {
		return nil, exitf(exitNoCrawl, "the crawl was never started; start it with hashcrawl crawl URL")
	}
	return crawler.ParseSettings(config)
}

// crawl starts a crawl, or goes on with the one in the directory, with those
// settings changed that flags were given for.
func (f *crawlFlags) crawl(cmd *cobra.Command, seeds []string) error {
	if err := f.run.check(); err != nil {
		return err
	}
	if f.maxDepth < -1 {
		return exitf(exitUsage, "--max-depth is a number of links, or -1 for no limit")
	}
	fresh := &crawler.Settings{}
	if err := f.apply(cmd, fresh, true); err != nil {
		return err
	}
	fresh.Seeds = seeds
	if err := checkSettings(fresh); err != nil {
		return err
	}
	for _, seed := range seedsWithUser(seeds) {
		f.run.logger(cmd.ErrOrStderr()).Warn("user names and passwords are sent to nobody", "seed", seed)
	}
	norm, err := fresh.Normalizer()
	if err != nil {
		return exitf(exitUsage, "%w", err)
	}
	dir := f.dir
	if dir == "" {
		u, err := norm.Resolve(nil, seeds[0], urlnorm.Charset{})
		if err != nil {
			return exitf(exitUsage, "seed %q: %w", seeds[0], err)
		}
		dir = defaultDir(u)
	}
	db, created, err := createCrawl(dir, norm.ID())
	if err != nil {
		return err
	}
	settings := fresh
	config, err := db.Config()
	if err == nil && config != nil {
		settings, err = f.merge(cmd, config, seeds)
	}
	if err != nil {
		return errors.Join(err, db.Close())
	}
	return runCrawl(cmd, dir, db, settings, &f.run, created)
}

// merge returns the settings of an existing crawl with what the command line
// adds to them.
func (f *crawlFlags) merge(cmd *cobra.Command, config []byte, seeds []string) (*crawler.Settings, error) {
	s, err := crawler.ParseSettings(config)
	if err != nil {
		return nil, err
	}
	if err := f.apply(cmd, s, false); err != nil {
		return nil, err
	}
	s.AddSeeds(seeds)
	if err := checkSettings(s); err != nil {
		return nil, err
	}
	return s, nil
}

// apply sets what flags say: all of them, or those that were given.
func (f *crawlFlags) apply(cmd *cobra.Command, s *crawler.Settings, all bool) error {
	nets, err := networks(f.allowNets)
	if err != nil {
		return err
	}
	ignored, err := hostNames("--ignore-robots", f.ignoreRobots)
	if err != nil {
		return err
	}
	insecure, err := hostNames("--insecure-tls", f.insecureTLS)
	if err != nil {
		return err
	}
	hosts, err := f.norm.hosts()
	if err != nil {
		return err
	}
	var markers []byte
	if f.markers != "" {
		if markers, err = os.ReadFile(f.markers); err != nil {
			return exitf(exitUsage, "--markers: %w", err)
		}
	}
	for flag, set := range map[string]func(){
		"scope":           func() { s.Scope = crawler.ScopeKind(f.scope) },
		"include":         func() { s.Include = f.include },
		"exclude":         func() { s.Exclude = f.exclude },
		"max-depth":       func() { s.MaxDepth = f.maxDepth },
		"ajax":            func() { s.AJAX = crawler.AJAXMode(f.ajax) },
		"ugly-links":      func() { s.Ugly = crawler.UglyLinkMode(f.uglyLinks) },
		"follow-nofollow": func() { s.Nofollow = f.nofollow },
		"contact":         func() { s.Contact = f.contact },
		"allow-net":       func() { s.AllowNet = nets },
		"ignore-robots":   func() { s.IgnoreRobots = ignored },
		"sitemap":         func() { s.Sitemaps = f.sitemaps },
		"no-sitemaps":     func() { s.NoSitemaps = f.noSitemaps },
		"store-text":      func() { s.StoreText = f.storeText },
		"proxy":           func() { s.Proxy = f.proxy },
		"insecure-tls":    func() { s.InsecureTLS = insecure },
		"markers":         func() { s.Markers = string(markers) },
		"profile":         func() { s.Profile = f.norm.profile },
		"norm-rule":       func() { s.NormRules = f.norm.rules },
		"norm-file":       func() { s.NormHosts = hosts },
	} {
		if all || cmd.Flags().Changed(flag) {
			set()
		}
	}
	for _, rule := range f.trapRules {
		if err := s.SetTrapRule(rule); err != nil {
			return exitf(exitUsage, "--trap-rule: %w", err)
		}
	}
	if cmd.Flags().Changed("delay") {
		d := crawler.Duration(f.delay)
		s.Delay = &d
	}
	return nil
}
