package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
)

// A caughtSignal remembers the signal that interrupted a crawl.
type caughtSignal struct {
	ch  chan os.Signal
	end chan struct{}
	got os.Signal // valid once the context is done
}

// catchSignals returns a context that the first SIGINT or SIGTERM ends. The
// second one ends the program at once, as if nobody had caught it. again is the
// command that goes on.
func catchSignals(cmd *cobra.Command, again string) (context.Context, *caughtSignal) {
	ctx, cancel := context.WithCancel(cmd.Context())
	c := &caughtSignal{ch: make(chan os.Signal, 1), end: make(chan struct{})}
	signal.Notify(c.ch, os.Interrupt, syscall.SIGTERM)
	go func() {
		defer cancel()
		select {
		case c.got = <-c.ch:
			signal.Stop(c.ch)
			fmt.Fprintf(cmd.ErrOrStderr(), "hashcrawl: finishing what is under way; once more to stop at once; later go on with: %s\n", again)
		case <-c.end:
		}
	}()
	return ctx, c
}

func (c *caughtSignal) stop() {
	signal.Stop(c.ch)
	close(c.end)
}

func (c *caughtSignal) exitCode() int {
	if c.got == syscall.SIGTERM {
		return exitTerminated
	}
	return exitInterrupted
}
