package serve

import (
	"testing"
	"time"
)

// SweepEvery sets, until the test ends, the interval at which new servers search for forgotten jobs.
func SweepEvery(t *testing.T, d time.Duration) {
	was := sweepEvery
	sweepEvery = d
	t.Cleanup(func() { sweepEvery = was })
}
