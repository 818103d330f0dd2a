package storage

import (
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	bolt "go.etcd.io/bbolt"

	"github.com/hashcrawl/hashcrawl/frontier"
)

// TestPagesStandStillWhileATransactionIsWritten holds a transaction and looks
// whether an export goes on meanwhile: it would take the processor from it.
func TestPagesStandStillWhileATransactionIsWritten(t *testing.T) {
	const pages = 500
	var hold atomic.Bool
	inside, leave := make(chan struct{}), make(chan struct{})
	db, err := open(filepath.Join(t.TempDir(), "crawl.db"), Options{Create: true}, func(b *bolt.DB, fn func(*bolt.Tx) error) error {
		if hold.Load() {
			inside <- struct{}{}
			<-leave
		}
		return b.Update(fn)
	})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for n := range uint32(pages) {
		db.Append(pageCommit(n))
	}
	if err := db.Sync(); err != nil {
		t.Fatal(err)
	}
	hold.Store(true)
	db.Append(pageCommit(pages))
	<-inside

	var wg sync.WaitGroup
	rows, many := 0, make(chan struct{})
	wg.Go(func() {
		err := db.Pages(func(frontier.Entry, Page) error {
			if rows++; rows == 2*scanTurn {
				close(many)
			}
			return nil
		})
		if err != nil {
			t.Errorf("Pages: %v", err)
		}
	})
	select {
	case <-many:
		t.Errorf("%d pages were read while a transaction was written, want at most %d", 2*scanTurn, scanTurn)
	case <-time.After(50 * time.Millisecond):
	}
	hold.Store(false)
	close(leave)
	wg.Wait()
	if rows != pages+1 {
		t.Errorf("%d pages were read, want %d", rows, pages+1)
	}
}
