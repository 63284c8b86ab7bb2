package proto

import (
	"slices"

	"github.com/sugarme/gotch/ts"

	_ "pacia/model/proto/op" // the operations
	"pacia/ops"
)

// Legend: B tasks, N support molecules of a task, Q queries, d width.

var metricOp = ops.Named("metric of class means")

// Metrics that package means does not have, in the order of the operation.
const (
	dot         = "dot"         // inner product
	mahalanobis = "mahalanobis" // minus the squared distance by the covariance of each class
)

var metrics = []string{dot, mahalanobis}

// metricLogits returns [Q, 1, 2] of queries x [Q, d], from the support [B·N, d] with labels [B·N]
// of their tasks [Q], inactive first: ⟨x, μ_c⟩, or −(x − μ_c)ᵀ Q_c (x − μ_c) with
//
//	Q_c = (0.1 Cov(S_c) + 0.9 Cov(S) + 0.1 I)⁻¹
//
// as FS-Mol's prototypical networks (Stanley et al. 2021), in float64. The covariance of a
// class of one molecule is 0. With ofOne it is the one of the published code: the variance
// of the molecule's d numbers, in every entry.
func metricLogits(metric string, x, support, labels, task *ts.Tensor, n int, ofOne bool) (*ts.Tensor, error) {
	return metricOp.One(ops.Args{
		In:   []*ts.Tensor{support, x, labels, task},
		Ints: []int64{int64(n), int64(slices.Index(metrics, metric)), ops.Flag(ofOne)},
	})
}
