package fetch

import (
	"testing"

	"go.uber.org/goleak"
)

// No goroutine outlives the tests, whatever servers did to the clients.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
