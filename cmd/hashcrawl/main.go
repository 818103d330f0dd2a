// Command hashcrawl crawls web sites politely, by the AJAX crawling scheme
// where a site uses it, and lists the pages under the URLs that people see.
//
// This package turns flags into settings and errors into exit codes. It
// decides nothing about a crawl; see the packages crawler and frontier.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"

	"github.com/hashcrawl/hashcrawl/crawler"
	"github.com/hashcrawl/hashcrawl/storage"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// The exit codes; the README lists them for users.
const (
	exitOK          = 0
	exitFailure     = 1   // at run time
	exitUsage       = 2   // nothing was requested from any site
	exitFound       = 3   // check or series found what it was told to fail on
	exitInUse       = 4   // the crawl directory is in use and does not answer
	exitNoCrawl     = 5   // no crawl here, damaged, or written by a newer version
	exitNothing     = 6   // every seed failed, was out of scope or refused
	exitStopped     = 7   // hosts that keep refusing, or a full disk; resumable
	exitInterrupted = 130 // SIGINT; state saved
	exitTerminated  = 143 // SIGTERM; state saved
)

// An exitError ends the program with a code of its own.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string { return e.err.Error() }
func (e *exitError) Unwrap() error { return e.err }

// exitf returns an error that ends the program with code.
func exitf(code int, format string, args ...any) error {
	return &exitError{code, fmt.Errorf(format, args...)}
}

// run is the whole program, but for the exit.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	ctx := context.WithValue(context.Background(), invocationKey{}, &invocation{args: args})
	return execute(ctx, args, stdin, stdout, stderr)
}

// execute carries out one command in a context with its invocation.
func execute(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	root := rootCommand()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	if err != nil && strings.HasPrefix(err.Error(), "unknown command") { // cobra has no type for it
		if !strings.Contains(err.Error(), "--help") { // a subcommand's check of arguments has told
			err = fmt.Errorf("%w; see hashcrawl --help", err)
		}
		err = exitf(exitUsage, "%w", err)
	}
	if err == nil {
		return exitOK
	}
	if msg := err.Error(); msg != "" {
		fmt.Fprintln(stderr, "hashcrawl:", msg)
	}
	return exitCode(err)
}

// exitCode returns the code that an error ends the program with.
func exitCode(err error) int {
	if e, ok := errors.AsType[*exitError](err); ok {
		return e.code
	}
	switch {
	case errors.Is(err, crawler.ErrNorm):
		return exitUsage
	case errors.Is(err, storage.ErrInUse):
		return exitInUse
	case errors.Is(err, syscall.ENOSPC):
		return exitStopped
	case errors.Is(err, storage.ErrNotFound), errors.Is(err, storage.ErrForeign),
		errors.Is(err, storage.ErrDamaged), errors.Is(err, storage.ErrNewer):
		return exitNoCrawl
	}
	return exitFailure
}
