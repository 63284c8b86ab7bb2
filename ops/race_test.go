package ops

import (
	"context"
	"os"
	"testing"
)

// TestRaceOfLanes: two lanes of a GPU count without a lock, which the race detector reports.
// scripts/check-threads checks that it does.
func TestRaceOfLanes(t *testing.T) {
	if os.Getenv("PACIA_TEST_BREAK") != "race" {
		t.Skip("breaks on purpose, for scripts/check-threads")
	}
	n := 0
	err := Pinned(1, func() error {
		return Share(context.Background(), device, 1000, func(int) error {
			n++
			return nil
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Log(n)
}
