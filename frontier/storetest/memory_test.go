package storetest_test

import (
	"testing"

	"github.com/hashcrawl/hashcrawl/frontier/storetest"
)

func TestMemoryIsAStore(t *testing.T) {
	storetest.Run(t, func(*testing.T) storetest.Opened {
		m := &storetest.Memory{}
		return storetest.Opened{Store: m, Reopen: func() storetest.Store { return m }}
	})
}
