package atencalls

import (
	"testing"

	"github.com/sugarme/gotch"
	"github.com/sugarme/gotch/ts"
)

// TestRecord checks that operators and kept memory are recorded.
func TestRecord(t *testing.T) {
	x := ts.MustOnes([]int64{1000}, gotch.Float, gotch.CPU)
	defer x.MustDrop()
	var kept *ts.Tensor
	calls := Record(func() {
		x.MustSum(gotch.Float, false).MustDrop()
		kept = x.MustNonzero(false)
	})
	for _, name := range []string{"aten::sum", "aten::nonzero"} {
		if calls.Operators[name] == 0 {
			t.Errorf("%s was called and not recorded: %v", name, calls.Operators)
		}
	}
	if calls.Kept < 8000 || calls.Kept > 9000 {
		t.Errorf("%d bytes are kept, want the 8000 of the indices", calls.Kept)
	}
	if calls := Record(kept.MustDrop); len(calls.Operators) != 0 {
		t.Errorf("%v was recorded without a call", calls.Operators)
	}
}
