package ops

import "github.com/sugarme/gotch/ts"

// LayerNorm is the parameters of a layer norm over the width, both [d]. The layer that
// has it documents the deviation and the number added to it.
type LayerNorm struct{ Gamma, Beta *ts.Tensor }

// NormedLinear is a linear layer W [out, in] without bias, followed by batch norm and
// LeakyReLU: scale γ, offset β and running averages, all [out].
type NormedLinear struct{ W, Gamma, Beta, Mean, Var *ts.Tensor }

// Tensors lists the parameters and the averages in the order in which operations read them.
func (l NormedLinear) Tensors() []*ts.Tensor {
	return []*ts.Tensor{l.W, l.Gamma, l.Beta, l.Mean, l.Var}
}
