package ops_test

import (
	"os"
	"testing"

	"pacia/harness/opstest"
	"pacia/ops"
)

// TestBeyondATensor: a kernel that reads beyond the end of its tensor ends the process if
// memory is guarded. scripts/check-memory checks that it does.
func TestBeyondATensor(t *testing.T) {
	if os.Getenv("PACIA_TEST_BREAK") != "memory" {
		t.Skip("breaks on purpose, for scripts/check-memory")
	}
	opstest.Locked(t, 1)
	opstest.Emulated(t)
	l := opstest.New(t, 1, false)
	g := l.Graph(opstest.Molecules(l.Rand, [][]int{{3, 4}}))
	if _, err := ops.SegmentMean(l.Leaf("h", 0, 1, 7, 40), g, l.Ints(2)); err != nil {
		t.Fatal(err)
	}
}
