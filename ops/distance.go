package ops

import "github.com/sugarme/gotch/ts"

// Legend: B tasks, N support molecules of a task, Q queries, d width.

var distanceOp = Named("distances to class means")

// Distances returns the logits [Q, 1, 2] of prototypical networks (Snell, Swersky
// and Zemel 2017, equations 1 and 2): −|x − μ_c|² for each query x [Q, d] and the mean
// μ_c of the molecules of class c, inactive first, of the support [B·N, d] with labels
// [B·N] of its task [Q]. A class without a molecule has no mean: its logits are NaN.
//
// With a factor [1], all vectors are first scaled to length 1, so that the logits depend on
// the angles between them, and the logits are multiplied by the factor.
func Distances(x, support, labels, task, factor *ts.Tensor, n int) (*ts.Tensor, error) {
	return distanceOp.One(Args{In: []*ts.Tensor{support, x, labels, task, factor}, Ints: []int64{int64(n)}})
}
