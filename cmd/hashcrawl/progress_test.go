package main

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hashcrawl/hashcrawl/crawler"
	"github.com/hashcrawl/hashcrawl/crawler/fetch"
	"github.com/hashcrawl/hashcrawl/frontier"
)

// TestProgressTellsWhyNothingMoves has crawls that are at work, wait for a host,
// and have nothing to do until a series is due.
func TestProgressTellsWhyNothingMoves(t *testing.T) {
	now := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	var waiting, idle frontier.Counts
	waiting[frontier.Waiting], idle[frontier.Indexed] = 3, 7
	for _, tc := range []struct {
		name   string
		report frontier.Report
		tells  bool
		wait   string // "" if none is told
	}{
		{"at work", frontier.Report{Counts: waiting, Leased: 1}, true, ""},
		{"in the usual gap", frontier.Report{Counts: waiting, NextDue: now.Add(300 * time.Millisecond)}, true, ""},
		{"the lease is due", frontier.Report{Counts: waiting, NextDue: now.Add(-time.Second)}, true, ""},
		{"the host is paused", frontier.Report{Counts: waiting, NextDue: now.Add(90 * time.Second)}, true, "1m30s"},
		{"one host is at work, one paused", frontier.Report{Counts: waiting, Leased: 1, NextDue: now.Add(time.Hour)}, true, ""},
		{"pages of a series wait", frontier.Report{Counts: idle, NextDue: now.Add(5 * time.Second)}, true, "5s"},
		{"nothing until the next visit", frontier.Report{Counts: idle}, false, ""},
	} {
		got := progress(&tc.report, now)
		text := fmt.Sprint(got...)
		if (got != nil) != tc.tells || strings.Contains(text, "next request in") != (tc.wait != "") || !strings.HasSuffix(text, tc.wait) {
			t.Errorf("%s: progress = %v; want it told: %t, with a wait of %q", tc.name, got, tc.tells, tc.wait)
		}
	}
}

// A slowAsker takes four seconds for an answer.
type slowAsker struct{ requests int }

func (a *slowAsker) Ask(context.Context, string, int64) (*fetch.Response, error) {
	time.Sleep(4 * time.Second)
	a.requests++
	return nil, nil
}

func (a *slowAsker) Robots(context.Context, string) (*crawler.RobotsFile, error) { return nil, nil }

func (a *slowAsker) Requests() int { return a.requests }

func TestLongCheckTellsThatItIsAlive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var told strings.Builder
		a := (&checkFlags{}).telling(&slowAsker{}, &told)
		for n := range 7 {
			if _, err := a.Ask(t.Context(), fmt.Sprintf("http://a.test/%d", n), 0); err != nil {
				t.Fatal(err)
			}
		}
		want := "hashcrawl: checking, 3 requests so far, next http://a.test/3\nhashcrawl: checking, 6 requests so far, next http://a.test/6\n"
		if told.String() != want {
			t.Errorf("a check of 28 seconds tells\n%swant\n%s", told.String(), want)
		}
	})
}
