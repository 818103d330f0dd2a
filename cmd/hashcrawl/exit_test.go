package main

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/hashcrawl/hashcrawl/storage"
)

// Whatever keeps a crawl from being opened is one line that says what to do,
// with the exit code of its kind.
func TestExplainOpen(t *testing.T) {
	for _, tc := range []struct {
		err  error
		code int
		says string
	}{
		{storage.ErrNotFound, exitNoCrawl, "hashcrawl crawl URL --dir x.crawl"},
		{storage.ErrInUse, exitInUse, "in use by another process"},
		{storage.ErrForeign, exitNoCrawl, "choose another directory"},
		{storage.ErrDamaged, exitNoCrawl, "restore it from a backup"},
		{storage.ErrNewer, exitNoCrawl, "use that version"},
		{errors.New("permission denied"), exitFailure, "permission denied"},
	} {
		got := explainOpen("x.crawl", fmt.Errorf("storage: x.crawl/crawl.db: %w", tc.err))
		if exitCode(got) != tc.code || !strings.Contains(got.Error(), tc.says) || strings.Contains(got.Error(), "\n") {
			t.Errorf("explainOpen(%v) = %q with exit code %d; want %d, one line, and %q", tc.err, got, exitCode(got), tc.code, tc.says)
		}
	}
	if err := explainOpen("x.crawl", nil); err != nil {
		t.Errorf("explainOpen(nil) = %v", err)
	}
}
