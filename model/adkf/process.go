package adkf

import (
	"github.com/sugarme/gotch/ts"

	_ "pacia/model/adkf/op" // the operations
	"pacia/ops"
)

// Legend: B tasks, N support molecules of a task, Q queries, M of one task, d width.

var (
	processLossOp = ops.Named("gaussian process loss")
	processFitOp  = ops.Named("gaussian process fit")
	processMeanOp = ops.Named("gaussian process mean")
)

// processOrder selects the dependencies that the gradient of [processLoss] follows.
type processOrder int64

// The forms of the gradient.
const (
	processFirst processOrder = iota // η is constant
	processHeld                      // η depends on the vectors, ℓ₀ is constant, as published
	processFull                      // ℓ₀, the mode of the length scale's prior, also depends on them
)

// processTasks are labelled molecules of tasks.
type processTasks struct {
	support, query           *ts.Tensor // vectors [B·N, d], [Q, d]
	supportLabel, queryLabel *ts.Tensor // [B·N], [Q]
	queryTask                *ts.Tensor // [Q] ascending
	n                        int
}

// processLoss returns ADKF-IFT's loss, one number: the mean over tasks of
// −log N(t_Q; m, V), the joint density of a task's queries under the Gaussian process
// with the numbers η = (η_ν, η_s, η_ℓ) that minimise the loss of its support
// ([fitProcess]). The gradient is computed with the loss, and cannot be differentiated
// again. All calculations are in float64 on the CPU, for vectors on any device.
func processLoss(t processTasks, order processOrder) (*ts.Tensor, error) {
	return processLossOp.One(ops.Args{
		In:   []*ts.Tensor{t.support, t.query, t.supportLabel, t.queryLabel, t.queryTask},
		Ints: []int64{int64(t.n), int64(order)},
	})
}

// process is a Gaussian process fitted to a task's support set. Fields other than weights
// and numbers only describe the fit.
type process struct {
	numbers *ts.Tensor // η [3], float64
	weights *ts.Tensor // α = C⁻¹t [N], float64

	loss     *ts.Tensor // L(η) of the support set
	gradient *ts.Tensor // [3] of L by η
	hessian  *ts.Tensor // [3, 3]
	kernel   *ts.Tensor // s²k [N, N]
}

// drop releases the tensors.
func (p *process) drop() { ops.Drop(p.numbers, p.weights, p.loss, p.gradient, p.hessian, p.kernel) }

// fitProcess returns the process of the support's vectors [N, d] and labels [N] at the
// minimum of L(η) = −[log N(t; 0, C) + log p(ν) + log p(ℓ)]/N, or at the point η [3]
// if that is not nil. C = s²k + νI has Matérn's kernel 5/2 of length scale ℓ;
// ν = 1e-4 + softplus(η_ν), s² = softplus(η_s), ℓ = softplus(η_ℓ); t = ±1.
func fitProcess(support, labels, point *ts.Tensor) (*process, error) {
	out, err := processFitOp.Run(ops.Args{In: []*ts.Tensor{support, labels, point}}, 6)
	return &process{out[0], out[1], out[2], out[3], out[4], out[5]}, err
}

// logits returns the logits [M, 1, 2] of queries [M, d]: −m/2 and m/2, with m the posterior
// mean of the process, given the vectors [N, d] of its support.
func (p *process) logits(support, query *ts.Tensor) (*ts.Tensor, error) {
	return processMeanOp.One(ops.Args{In: []*ts.Tensor{support, p.numbers, p.weights, query}})
}
