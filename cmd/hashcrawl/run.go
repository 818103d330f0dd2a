package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"runtime/pprof"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/hashcrawl/hashcrawl/crawler"
	"github.com/hashcrawl/hashcrawl/crawler/export"
	"github.com/hashcrawl/hashcrawl/crawler/fetch"
	"github.com/hashcrawl/hashcrawl/frontier"
	"github.com/hashcrawl/hashcrawl/storage"
)

// runCrawl carries out one run of a crawl and closes db. created is what to
// remove if nothing could be crawled; "" if the crawl existed before.
func runCrawl(cmd *cobra.Command, dir string, db *storage.DB, s *crawler.Settings, f *runFlags, created string) error {
	defer announce(dir)()
	stopProfile, err := startProfile(f.cpuProfile)
	if err != nil {
		return errors.Join(exitf(exitUsage, "--cpuprofile: %w", err), db.Close())
	}
	defer stopProfile()
	log := f.logger(cmd.ErrOrStderr())
	client, err := fetch.New(fetchOptions(s))
	if err != nil {
		return errors.Join(exitf(exitUsage, "%w", err), db.Close())
	}
	defer client.Close()
	again := f.goOn(dir)
	ctx, caught := catchSignals(cmd, again)
	defer caught.stop()
	ctx, stopWatch := keepReserve(ctx, dir, f.reserve, freeSpace)
	defer stopWatch()
	if s.Contact == "" && !s.OnlyLoopback() {
		log.Info("tell the sites how to reach you with --contact")
	}
	c, err := crawler.New(db, client, s, crawler.Options{
		Workers: f.concurrency, MaxPages: f.maxPages, MaxTime: f.maxTime, Resumed: !db.Created(), Visits: f.visits, Backfill: crawler.Backfill(f.backfill),
		Rand: rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64())), Log: log,
	})
	if err == nil && !db.Created() {
		_, err = c.Rejudge(db.Refused)
	}
	if err != nil {
		return errors.Join(err, db.Close())
	}
	beside, err := receive(dir, &live{db, c.Report})
	if err != nil {
		log.Warn("other commands cannot look at the crawl while it runs", "why", err)
	}
	stop := make(chan struct{})
	done := make(chan struct{})
	go func() {
		defer close(done)
		reportProgress(c, log.Info, stop)
	}()
	crawl := c.Run
	if f.watch {
		crawl = c.Watch
	}
	sum, err := crawl(ctx)
	close(stop)
	<-done
	nothing := ""
	if err == nil && created != "" && !sum.Interrupted && sum.Limit == "" && noPage(&sum.Counts) {
		nothing, err = whyNothing(db)
	}
	if beside != nil {
		beside.leave()
		defer beside.wait()
	}
	if closed := db.Close(); err == nil { // a store that failed says so again when it is closed
		err = closed
	}
	if err != nil {
		return exitf(exitCode(err), "%w; what was done is saved, go on with: %s", err, again)
	}
	if nothing != "" {
		os.RemoveAll(created)
		return exitf(exitNothing, "nothing was crawled: %s", nothing)
	}
	printSummary(cmd.ErrOrStderr(), f, again, &sum)
	if errors.Is(context.Cause(ctx), errReserve) {
		return exitf(exitStopped, "less than %s is free on the disk; make room, then go on with: %s", &f.reserve, again)
	}
	return ending(again, &sum, caught)
}

// startProfile begins a profile of the processor in a file; "" is none. stop ends
// it.
func startProfile(name string) (stop func(), err error) {
	if name == "" {
		return func() {}, nil
	}
	f, err := os.Create(name)
	if err != nil {
		return nil, err
	}
	if err := pprof.StartCPUProfile(f); err != nil {
		f.Close()
		return nil, err
	}
	return func() { pprof.StopCPUProfile(); f.Close() }, nil
}

// fetchOptions returns how the HTTP client is to behave.
func fetchOptions(s *crawler.Settings) fetch.Options {
	agent, from := "hashcrawl/"+version+" (+https://github.com/hashcrawl/hashcrawl)", ""
	if s.Contact != "" {
		agent = "hashcrawl/" + version + " (+" + s.Contact + ")"
		if strings.Contains(s.Contact, "@") && !strings.Contains(s.Contact, "://") {
			from = s.Contact
		}
	}
	var insecure []string
	for _, h := range s.InsecureTLS {
		insecure = append(insecure, strings.Trim(h, "[]")) // an IPv6 address has no brackets there
	}
	return fetch.Options{
		UserAgent: agent, From: from, MaxBody: s.MaxBody, AllowNets: s.AllowNet,
		AllowLoopback: s.HasLoopbackSeed(), AllowHosts: s.SeedHosts(), InsecureTLSHosts: insecure,
		Proxy: s.ProxyURL(),
	}
}

// ending returns the error with which a run that went well ends, if any. again
// is the command that goes on.
func ending(again string, sum *crawler.Summary, caught *caughtSignal) error {
	switch {
	case sum.Interrupted:
		return exitf(caught.exitCode(), "interrupted; go on with: %s", again)
	case len(sum.Stuck) > 0:
		var names []string
		for _, h := range sum.Stuck {
			names = append(names, h.Name)
		}
		return exitf(exitStopped, "gave up on hosts that keep failing (%s); try again later with: %s", strings.Join(names, ", "), again)
	}
	return nil
}

// noPage reports whether a crawl has found no page at all: sitemaps, which are
// looked for uncalled, and redirects are none. What still waits may be one,
// if anything was answered.
func noPage(c *frontier.Counts) bool {
	fetched := c.Sum(frontier.Outcome.Fetched)
	return fetched == 0 || fetched == c[frontier.SitemapRead]+c[frontier.Redirect] && c[frontier.Waiting] == 0
}

// errSeedWaits ends the search for a seed that waits.
var errSeedWaits = errors.New("a seed waits")

// whyNothing returns what became of the seeds; "" if one still waits, such as for
// a host that cannot be reached now: the crawl is worth resuming.
func whyNothing(db *storage.DB) (string, error) {
	var reasons []string
	err := crawler.Rows(db, true, func(r *export.Row) error {
		if r.Class != frontier.ClassRefused && r.Via == frontier.ViaSeed && r.Page.Outcome == frontier.Waiting {
			return errSeedWaits
		}
		return nil
	})
	if errors.Is(err, errSeedWaits) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	err = db.Pages(func(e frontier.Entry, p storage.Page) error {
		if len(reasons) == 5 || p.Outcome == frontier.SitemapRead {
			return nil
		}
		became := fmt.Sprintf("%s: %v", e.URL, p.Outcome)
		switch {
		case p.Outcome == frontier.Redirect:
			became += " to " + p.Target
		case p.Reason != "":
			became += " (" + p.Reason + ")"
		}
		reasons = append(reasons, became)
		return nil
	})
	return strings.Join(reasons, "; "), err
}

// progressInterval is how often a long run tells that it is alive.
const progressInterval = 10 * time.Second

// reportProgress tells every few seconds where the crawl stands, until stop is
// closed.
func reportProgress(c *crawler.Crawler, tell func(string, ...any), stop <-chan struct{}) {
	tick := time.NewTicker(progressInterval)
	defer tick.Stop()
	for {
		select {
		case <-stop:
			return
		case <-tick.C:
			r := c.Report()
			if figures := progress(&r, time.Now()); figures != nil {
				tell("crawling", figures...)
			}
		}
	}
}

// progress returns the figures to tell of a crawl, for a log; nil if it only waits
// for the next visit to a series, which can be days away and was told. Where
// every host has to wait, such as for its pause to end, it tells how long.
func progress(r *frontier.Report, now time.Time) []any {
	if r.Leased == 0 && r.Counts[frontier.Waiting] == 0 && r.NextDue.IsZero() {
		return nil
	}
	figures := []any{
		"indexed", r.Counts[frontier.Indexed], "waiting", r.Counts[frontier.Waiting],
		"failed", r.Counts[frontier.Failed], "hosts", r.Hosts, "under way", r.Leased,
	}
	if wait := r.NextDue.Sub(now); r.Leased == 0 && wait >= time.Second {
		figures = append(figures, "next request in", wait.Round(time.Second))
	}
	return figures
}

// printSummary tells how a run ended. again is the command that goes on.
func printSummary(w io.Writer, f *runFlags, again string, sum *crawler.Summary) {
	if f.quiet {
		return
	}
	c := &sum.Counts
	fmt.Fprintf(w, "%s, %s, %.1f MB; %s: %d indexed, %d fetched but not indexed, %d waiting, %d refused, %d failed\n",
		counted(int(sum.Requests), "request", "requests"), counted(int(sum.Pages), "page", "pages"), float64(sum.Bytes)/1e6,
		counted(int(c.Known()), "known URL", "known URLs"), c[frontier.Indexed], c.Sum(frontier.Outcome.Fetched)-c[frontier.Indexed],
		c[frontier.Waiting], c.Sum(frontier.Outcome.Refused), c[frontier.Failed])
	if sum.Limit != "" {
		fmt.Fprintf(w, "%s; go on with: %s\n", sum.Limit, again)
	}
	if sum.Limit != "" || sum.Interrupted || len(sum.Stuck) > 0 || c[frontier.Waiting] > 0 {
		return
	}
	switch {
	case f.watch:
		fmt.Fprintln(w, "there is nothing to watch: the crawl has no time-ordered series; hashcrawl series --all lists what may be one")
	case sum.Requests == 0:
		fmt.Fprintln(w, "nothing is due: what was fetched is not fetched again, but for series (see hashcrawl series); for a fresh look crawl into another --dir")
	}
}
