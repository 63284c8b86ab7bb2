package ops

import "github.com/sugarme/gotch/ts"

// Legend: B tasks, N support molecules of a task, Q queries, M of one task, d width.

var (
	processLossOp = Named("gaussian process loss")
	processFitOp  = Named("gaussian process fit")
	processMeanOp = Named("gaussian process mean")
)

// ProcessOrder selects the dependencies that the gradient of [ProcessLoss] follows.
type ProcessOrder int64

// The forms of the gradient.
const (
	ProcessFirst ProcessOrder = iota // η is constant
	ProcessHeld                      // η depends on the vectors, ℓ₀ is constant, as published
	ProcessFull                      // ℓ₀, the mode of the length scale's prior, also depends on them
)

// ProcessTasks are labelled molecules of tasks.
type ProcessTasks struct {
	Support, Query           *ts.Tensor // vectors [B·N, d], [Q, d]
	SupportLabel, QueryLabel *ts.Tensor // [B·N], [Q]
	QueryTask                *ts.Tensor // [Q] ascending
	N                        int
}

// ProcessLoss returns ADKF-IFT's loss, one number: the mean over tasks of
// −log N(t_Q; m, V), the joint density of a task's queries under the Gaussian process
// with the numbers η = (η_ν, η_s, η_ℓ) that minimise the loss of its support
// ([FitProcess]). The gradient is computed with the loss, and cannot be differentiated
// again. All calculations are in float64 on the CPU, for vectors on any device.
func ProcessLoss(t ProcessTasks, order ProcessOrder) (*ts.Tensor, error) {
	return processLossOp.One(Args{
		In:   []*ts.Tensor{t.Support, t.Query, t.SupportLabel, t.QueryLabel, t.QueryTask},
		Ints: []int64{int64(t.N), int64(order)},
	})
}

// Process is a Gaussian process fitted to a task's support set. Fields other than Weights
// and Numbers only describe the fit.
type Process struct {
	Numbers *ts.Tensor // η [3], float64
	Weights *ts.Tensor // α = C⁻¹t [N], float64

	Loss     *ts.Tensor // L(η) of the support set
	Gradient *ts.Tensor // [3] of L by η
	Hessian  *ts.Tensor // [3, 3]
	Kernel   *ts.Tensor // s²k [N, N]
}

// Drop releases the tensors.
func (p *Process) Drop() { Drop(p.Numbers, p.Weights, p.Loss, p.Gradient, p.Hessian, p.Kernel) }

// FitProcess returns the process of the support's vectors [N, d] and labels [N] at the
// minimum of L(η) = −[log N(t; 0, C) + log p(ν) + log p(ℓ)]/N, or at the point η [3]
// if that is not nil. C = s²k + νI has Matérn's kernel 5/2 of length scale ℓ;
// ν = 1e-4 + softplus(η_ν), s² = softplus(η_s), ℓ = softplus(η_ℓ); t = ±1.
func FitProcess(support, labels, point *ts.Tensor) (*Process, error) {
	out, err := processFitOp.Run(Args{In: []*ts.Tensor{support, labels, point}}, 6)
	return &Process{out[0], out[1], out[2], out[3], out[4], out[5]}, err
}

// Logits returns the logits [M, 1, 2] of queries [M, d]: −m/2 and m/2, with m the posterior
// mean of the process, given the vectors [N, d] of its support.
func (p *Process) Logits(support, query *ts.Tensor) (*ts.Tensor, error) {
	return processMeanOp.One(Args{In: []*ts.Tensor{support, p.Numbers, p.Weights, query}})
}
