package ops

import (
	"os"
	"testing"
)

// TestBeyondATensor: a kernel that reads beyond the end of its tensor ends the process if
// memory is guarded. scripts/check-memory checks that it does.
func TestBeyondATensor(t *testing.T) {
	if os.Getenv("PACIA_TEST_BREAK") != "memory" {
		t.Skip("breaks on purpose, for scripts/check-memory")
	}
	locked(t, 1)
	emulated(t)
	l := newLab(t, 1, false)
	g := l.graph(molecules(l.r, [][]int{{3, 4}}))
	if _, err := SegmentMean(l.leaf("h", 0, 1, 7, 40), g, l.ints(2)); err != nil {
		t.Fatal(err)
	}
}
