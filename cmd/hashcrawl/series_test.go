package main

import (
	"strings"
	"testing"
	"time"

	"github.com/hashcrawl/hashcrawl/pagination"
	"github.com/hashcrawl/hashcrawl/storage"
)

// TestReportOfASeries prints what is told beside the certificate: candidates,
// and backfills.
func TestReportOfASeries(t *testing.T) {
	at := time.Date(2026, 11, 30, 8, 0, 0, 0, time.UTC)
	for _, tc := range []struct {
		name      string
		series    storage.Series
		want, not string
	}{
		{"a candidate", storage.Series{Evidence: []string{"5 of 5 rows are dated"}, Candidate: 1}, "page 1 is known: page 2 is to decide together with it\n  it is no series\n", "last pass"},
		{"one that was found to be none", storage.Series{Evidence: []string{"both pages together: even"}, Candidate: 3}, "both pages together: even\n  it is no series\n", "is to decide"},
		{"a backfill that failed", storage.Series{Series: pagination.Series{
			Filling: pagination.Filling{Tried: at, Reason: pagination.ServerError, Pages: 7, Failures: 2},
		}}, "  backfill  stopped by server-error; 7 pages read of what is left, 2 failures in a row\n", "no series"},
		{"a backfill under way", storage.Series{Series: pagination.Series{
			Filling: pagination.Filling{Tried: at, Pages: 1},
		}}, "  backfill  under way or killed; 1 page read of what is left\n", "failure"},
		{"no backfill", storage.Series{}, "last pass not complete", "backfill"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var b strings.Builder
			if err := reportOf(&tc.series, false).print(&b); err != nil {
				t.Fatal(err)
			}
			if got := b.String(); !strings.Contains(got, tc.want) || strings.Contains(got, tc.not) {
				t.Errorf("printed\n%swant %q in it, and no %q", got, tc.want, tc.not)
			}
		})
	}
}
