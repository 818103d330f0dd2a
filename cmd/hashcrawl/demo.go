package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/hashcrawl/hashcrawl/cmd/hashcrawl/demosite"
	"github.com/hashcrawl/hashcrawl/crawler"
	"github.com/hashcrawl/hashcrawl/crawler/export"
)

func demoCommand() *cobra.Command {
	var serve bool
	var addr, dir string
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Crawl a small AJAX site that comes with the program",
		Long: `Start a small AJAX site on this machine, crawl it, and print the pages that were
indexed. With --serve the site is only served, for you to look at and to crawl.`,
		Args: usage(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			l, err := listenLoopback(addr)
			if err != nil {
				return exitf(exitUsage, "--addr: %w", err)
			}
			srv := &http.Server{Handler: demosite.New(demosite.Options{}), ReadHeaderTimeout: 10 * time.Second}
			served := make(chan error, 1)
			go func() { served <- srv.Serve(l) }()
			url := "http://" + l.Addr().String() + "/"
			if serve {
				fmt.Fprintln(cmd.OutOrStdout(), url)
				return <-served
			}
			err = crawlDemo(cmd, url, dir)
			srv.Shutdown(context.Background())
			<-served
			return err
		},
	}
	cmd.Flags().BoolVar(&serve, "serve", false, "only serve the site, and print its URL")
	cmd.Flags().StringVar(&addr, "addr", "127.0.0.1:0", "loopback address to serve on")
	cmd.Flags().StringVar(&dir, "dir", "", "keep the crawl in this directory")
	return cmd
}

// listenLoopback listens on an address of this machine that no other can reach.
func listenLoopback(addr string) (net.Listener, error) {
	tcp, err := net.ResolveTCPAddr("tcp", addr)
	if err != nil {
		return nil, err
	}
	if !tcp.IP.IsLoopback() {
		return nil, fmt.Errorf("%s is no loopback address", addr)
	}
	return net.ListenTCP("tcp", tcp)
}

// crawlDemo crawls the site at url and prints what was indexed.
func crawlDemo(cmd *cobra.Command, url, dir string) error {
	if dir == "" {
		tmp, err := os.MkdirTemp("", "hashcrawl-demo-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(tmp)
		dir = filepath.Join(tmp, "demo.crawl")
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "crawling the demonstration site at %s without delays, because it is on this machine\n", url)
	crawl := crawlCommand()
	crawl.SetArgs([]string{url, "--dir", dir, "--delay", "0"})
	crawl.SetOut(cmd.OutOrStdout())
	crawl.SetErr(cmd.ErrOrStderr())
	crawl.SilenceErrors, crawl.SilenceUsage = true, true
	if err := crawl.ExecuteContext(cmd.Context()); err != nil {
		return err
	}
	return printDemo(cmd, dir)
}

// printDemo prints the pages of the crawl in dir: URLs on stdout.
func printDemo(cmd *cobra.Command, dir string) error {
	db, err := openCrawl(dir, true)
	if err != nil {
		return err
	}
	defer db.Close()
	pretty, pages := 0, 0
	err = crawler.Rows(db, false, func(r *export.Row) error {
		pages++
		if strings.Contains(r.URL, "#!") {
			pretty++
		}
		_, err := fmt.Fprintln(cmd.OutOrStdout(), r.URL)
		return err
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "%d pages are indexed, %d of them under a #! URL\n", pages, pretty)
	return nil
}
