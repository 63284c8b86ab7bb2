package serve

import (
	"testing"
	"time"
)

// SweepEvery lets servers that are started until the test ends look for forgotten jobs this often.
func SweepEvery(t *testing.T, d time.Duration) {
	was := sweepEvery
	sweepEvery = d
	t.Cleanup(func() { sweepEvery = was })
}
