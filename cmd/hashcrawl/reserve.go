package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// A byteSize is a flag that takes a number of bytes, such as 256MiB.
type byteSize uint64

var sizeUnits = []struct {
	name  string
	bytes byteSize
}{{"TiB", 1 << 40}, {"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}, {"TB", 1e12}, {"GB", 1e9}, {"MB", 1e6}, {"kB", 1e3}, {"B", 1}, {"", 1}}

// String implements pflag.Value.
func (s *byteSize) String() string {
	for _, u := range sizeUnits {
		if *s >= u.bytes && *s%u.bytes == 0 {
			return fmt.Sprintf("%d%s", *s/u.bytes, u.name)
		}
	}
	return "0"
}

// Set implements pflag.Value.
func (s *byteSize) Set(text string) error {
	for _, u := range sizeUnits {
		if number, ok := strings.CutSuffix(text, u.name); ok {
			n, err := strconv.ParseUint(strings.TrimSpace(number), 10, 64)
			if err != nil || byteSize(n) > 1<<63/u.bytes {
				return errors.New("want a size such as 256MiB")
			}
			*s = byteSize(n) * u.bytes
			return nil
		}
	}
	return nil // unreachable: every text ends with nothing
}

// Type implements pflag.Value.
func (s *byteSize) Type() string { return "size" }

// errReserve ends a crawl that has come to the reserve of its disk.
var errReserve = errors.New("the disk reserve is reached")

// reserveInterval is how often the disk is looked at. No crawl writes as much
// as the reserve meanwhile.
const reserveInterval = time.Second

// keepReserve returns a context that ends, with errReserve, when less than
// reserve is left on the disk of dir, until stop is called. Where nobody can
// tell how much that is, it does not end.
func keepReserve(ctx context.Context, dir string, reserve byteSize, free func(dir string) (uint64, error)) (_ context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	low := func() bool {
		n, err := free(dir)
		return err == nil && n < uint64(reserve)
	}
	if reserve == 0 {
		return ctx, func() { cancel(nil) }
	}
	if low() {
		cancel(errReserve)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(reserveInterval)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				if low() {
					cancel(errReserve)
				}
			}
		}
	}()
	return ctx, func() {
		cancel(nil)
		<-done
	}
}
