package remembered

import (
	"testing"

	"pacia/ops"
)

// TestFilter: a filter has all skeletons that were added, and at most a few others. Without molecules it has none.
func TestFilter(t *testing.T) {
	const n = 5000
	f := make(Skeletons, words(n))
	for i := range uint64(n) {
		f.add(ops.MixBits(i + 1))
	}
	others := 0
	for i := range uint64(n) {
		if !f.has(ops.MixBits(i + 1)) {
			t.Fatalf("skeleton %d was added", i)
		}
	}
	for i := range uint64(100_000) {
		if f.has(ops.MixBits(i + 1_000_000)) {
			others++
		}
	}
	if others > 40 { // ten are expected
		t.Errorf("%d of 100,000 other skeletons seem to be there", others)
	}
	if none := make(Skeletons, words(0)); len(none) > 0 && none.has(1) {
		t.Error("an empty filter has a skeleton")
	}
}
