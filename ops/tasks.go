package ops

import "github.com/sugarme/gotch/ts"

// Legend: n molecules, T tasks, d width.

var taskLogitsOp = named("logits of tasks")

// TaskLogits returns the logits [n, 1, 2] of molecules x [n, d] by the linear
// classifiers w [T, d], b [T], each by that of its own task [n], int32: 0 for
// inactive and ⟨x, w_t⟩ + b_t for active. With a factor [1], x are given length 1
// first, and the logits are multiplied by it. With pairs, w [2T, d] and b [2T] have a row
// for each class of a task, inactive first, and the logits are those of both. With lags
// the gradient of w is sparse, as [Adam.LazyRows] has it.
func TaskLogits(x, w, b, task, factor *ts.Tensor, pairs, lags bool) (*ts.Tensor, error) {
	return taskLogitsOp.one(args{in: []*ts.Tensor{x, w, b, task, factor}, ints: []int64{flag(pairs), flag(lags)}})
}
