package crawler

import (
	"testing"

	"go.uber.org/goleak"
)

// No goroutine of a crawl outlives it, over real connections either.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
