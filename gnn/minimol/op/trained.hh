// Parts of plain.cc as loops that keep the values needed for gradients.
//
// Legend: A atoms, E bonds counted in both directions, n molecules, M rows, d width.
#pragma once

#include "network.hh"

namespace pacia::minimol {

// staged returns act(LN(W x + b)) [M, out] for x [M, in].
Tensor staged(const Tensor &x, const Step &s, Act act);

// gathered returns x_v + Σ_u ReLU(x_u + kind) [A, d] for x [A, d], over the bonds of v; kinds
// [kCodes, d].
Tensor gathered(const Tensor &x, const Tensor &kinds, const Molecules &m);

// summed returns the sums [n, d] of the rows of x [A, d] of each molecule; of [A] int32 has the
// molecules' numbers.
Tensor summed(const Tensor &x, const Tensor &of, int64_t n);

}  // namespace pacia::minimol
