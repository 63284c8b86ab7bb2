package ops

import "github.com/sugarme/gotch/ts"

// LayerNorm is the parameters of a layer norm over the width, both [d]. What is added to
// the deviation, and which deviation it is, the layer says that has it.
type LayerNorm struct{ Gamma, Beta *ts.Tensor }
