package storage

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/hashcrawl/hashcrawl/frontier"
)

// A crawl at the speed of its network client commits so many pages a second.
const exportPace = 2_000

// BenchmarkExportBeside writes at the pace of a crawl, first alone and then with
// exports beside, one after the other, of everything there is; that is how an
// export over the socket reads. It prints how long transactions took, and how long
// the crawl waited to hand a page over.
func BenchmarkExportBeside(b *testing.B) {
	urls, hosts := uint64(scaleNumber(scaleURLs, 200_000)), scaleNumber(scaleHosts, 1_000)
	dir := os.Getenv(scaleDir)
	if dir == "" {
		dir = b.TempDir()
	}
	for b.Loop() {
		path := filepath.Join(dir, "export.db")
		os.Remove(path)
		clock := &commitClock{}
		db, err := open(path, Options{Create: true, Norm: "1 crawl"}, clock.transact)
		if err != nil {
			b.Fatal(err)
		}
		f, web := openScaled(b, db), newSyntheticWeb(hosts)
		f.Add(web.page(), func(ch frontier.Changes) { db.Append(Commit{Changes: ch}) })
		finishPages(b, db, f, web, urls)
		if err := db.Sync(); err != nil {
			b.Fatal(err)
		}
		clock.lap()
		for range 3 {
			alone := atPace(b, db, f, web, clock)
			ctx, stop := context.WithCancel(b.Context())
			var beside latencies
			var wg sync.WaitGroup
			rows, exports := 0, 0
			wg.Go(func() {
				for ctx.Err() == nil {
					rows += exportAll(ctx, b, db)
					exports++
				}
			})
			start := time.Now()
			beside = atPace(b, db, f, web, clock)
			took := time.Since(start)
			stop()
			wg.Wait()
			tell("%9d URLs: alone commit p50 %v p99 %v, hand over p99 %v max %v; beside %d exports (%.0f rows/s) commit p50 %v p99 %v, hand over p99 %v max %v: p99 %.2f ×",
				web.known.Load(), alone.p50, alone.p99, alone.hand99, alone.handMost, exports, float64(rows)/took.Seconds(),
				beside.p50, beside.p99, beside.hand99, beside.handMost, float64(beside.p99)/float64(alone.p99))
		}
		if err := db.Close(); err != nil {
			b.Fatal(err)
		}
		os.Remove(path)
	}
}

type latencies struct{ p50, p99, hand99, handMost time.Duration }

// atPace writes for a while.
func atPace(b *testing.B, db *DB, f *frontier.Frontier, web *syntheticWeb, clock *commitClock) (l latencies) {
	const turns, perTurn = 1500, exportPace / 100
	var hand []time.Duration
	tick := time.NewTicker(time.Second / 100)
	defer tick.Stop()
	for range turns {
		<-tick.C
		for range perTurn {
			links := web.page()
			start := time.Now()
			finishPage(b, db, f, links)
			hand = append(hand, time.Since(start))
		}
	}
	slices.Sort(hand)
	l.p50, l.p99, _ = clock.lap()
	l.hand99, l.handMost = hand[len(hand)*99/100], hand[len(hand)-1]
	return l
}

// exportAll writes all pages as JSON lines to nowhere, and returns how many there
// were.
func exportAll(ctx context.Context, b *testing.B, db *DB) (rows int) {
	out := json.NewEncoder(io.Discard)
	err := db.Pages(func(e frontier.Entry, p Page) error {
		rows++
		if ctx.Err() != nil {
			return errEnough
		}
		return out.Encode(map[string]any{"url": e.URL, "title": p.Title, "status": p.Status, "type": p.ContentType})
	})
	if err != nil && err != errEnough {
		b.Error(err)
	}
	return rows
}
