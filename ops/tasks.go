package ops

import "github.com/sugarme/gotch/ts"

// Legend: n molecules, T tasks, d width.

var taskLogitsOp = Named("logits of tasks")

// TaskLogits returns the logits [n, 1, 2] of molecules x [n, d] with the linear
// classifiers w [T, d], b [T]. A molecule's classifier is that of its task [n], int32, and its
// logits are 0 for inactive and ⟨x, w_t⟩ + b_t for active. With a factor [1], x are first scaled
// to length 1, and the logits are multiplied by the factor. With pairs, w [2T, d] and b [2T]
// have a row for each class of a task, inactive first, and the logits are those of both. With
// lags the gradient of w is sparse, as [Adam.LazyRows] requires.
func TaskLogits(x, w, b, task, factor *ts.Tensor, pairs, lags bool) (*ts.Tensor, error) {
	return taskLogitsOp.One(Args{In: []*ts.Tensor{x, w, b, task, factor}, Ints: []int64{Flag(pairs), Flag(lags)}})
}
