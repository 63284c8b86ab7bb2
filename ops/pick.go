package ops

import (
	"fmt"

	"github.com/sugarme/gotch/ts"
)

// Pick returns pair at[q] of the pairs of columns of row q: from z [Q, 2T] the
// logits [Q, 1, 2] of one of T tasks for each of Q molecules. rows [Q] holds
// q·T + at[q], int64.
func Pick(z, rows *ts.Tensor) (*ts.Tensor, error) {
	naming.Lock()
	defer naming.Unlock()
	pairs, err := z.Reshape([]int64{-1, 2}, false)
	if err != nil {
		return nil, fmt.Errorf("pick: %w", err)
	}
	if pairs, err = pairs.IndexSelect(0, rows, true); err != nil {
		return nil, fmt.Errorf("pick: %w", err)
	}
	if pairs, err = pairs.Reshape([]int64{-1, 1, 2}, true); err != nil {
		return nil, fmt.Errorf("pick: %w", err)
	}
	return pairs, nil
}
