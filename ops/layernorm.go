package ops

import "github.com/sugarme/gotch/ts"

// LayerNorm is the parameters of a layer norm over the width, both [d]. The layer that
// has it documents the deviation and the number added to it.
type LayerNorm struct{ Gamma, Beta *ts.Tensor }
