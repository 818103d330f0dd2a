package main

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func TestByteSize(t *testing.T) {
	for _, tc := range []struct {
		text, shown string
		want        byteSize // with "" as shown: an error
	}{
		{"0", "0", 0},
		{"1", "1B", 1},
		{"256MiB", "256MiB", 256 << 20},
		{"10 MB", "10MB", 10e6},
		{"1024KiB", "1MiB", 1 << 20},
		{"8388607TiB", "8388607TiB", 8388607 << 40},
		{"", "", 0},
		{"-1", "", 0},
		{"1.5GB", "", 0},
		{"many", "", 0},
		{"99999999TiB", "", 0},
	} {
		var s byteSize
		if err := s.Set(tc.text); (err != nil) != (tc.shown == "") {
			t.Errorf("Set(%q) = %v", tc.text, err)
		} else if err == nil && (s != tc.want || s.String() != tc.shown) {
			t.Errorf("Set(%q) = %d, shown as %s; want %d, %s", tc.text, uint64(s), s.String(), uint64(tc.want), tc.shown)
		}
	}
}

func TestKeepReserve(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var left atomic.Uint64
		left.Store(1000)
		free := func(string) (uint64, error) { return left.Load(), nil }
		ctx, stop := keepReserve(t.Context(), "d", 500, free)
		time.Sleep(time.Hour)
		if ctx.Err() != nil {
			t.Errorf("with 1000 bytes of 500 the crawl ended: %v", context.Cause(ctx))
		}
		left.Store(499)
		start := time.Now()
		<-ctx.Done()
		if took := time.Since(start); took > reserveInterval || !errors.Is(context.Cause(ctx), errReserve) {
			t.Errorf("with 499 bytes of 500 it ended after %v with %v", took, context.Cause(ctx))
		}
		stop()

		if ctx, stop := keepReserve(t.Context(), "d", 500, free); !errors.Is(context.Cause(ctx), errReserve) {
			t.Error("a crawl began with the reserve gone")
		} else {
			stop()
		}
		for name, tc := range map[string]struct {
			reserve byteSize
			err     error
		}{"no reserve": {0, nil}, "a disk that does not tell": {500, errors.ErrUnsupported}} {
			ctx, stop := keepReserve(t.Context(), "d", tc.reserve, func(string) (uint64, error) { return 0, tc.err })
			time.Sleep(time.Hour)
			if ctx.Err() != nil {
				t.Errorf("%s: the crawl ended", name)
			}
			stop()
		}
	})
}

// TestDiskReserveStopsAndResumes asks for more than any disk has.
func TestDiskReserveStopsAndResumes(t *testing.T) {
	if _, err := freeSpace("."); err != nil {
		t.Skip("the free space cannot be told here")
	}
	dir, _ := crawled(t)
	said := failsWith(t, exitStopped, "is free", "resume", dir, "-q", "--disk-reserve", "1000000TiB")
	if !strings.Contains(said, "hashcrawl resume "+dir) {
		t.Errorf("it says %q; want how to go on", said)
	}
	output(t, "", "resume", dir, "-q", "--disk-reserve", "0")
	failsWith(t, exitUsage, "disk-reserve", "resume", dir, "--disk-reserve", "much")
}
