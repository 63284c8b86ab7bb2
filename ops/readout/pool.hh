// Pooling: one vector of a molecule from those of its atoms, by sum, mean or
// maximum.
//
// Legend: A atoms, R rows that they share, n molecules, d width.
#pragma once

#include "core/args.hh"

namespace pacia {

// The forms of pool.
constexpr int64_t kPoolMean = 0, kPoolSum = 1, kPoolMax = 2;

// pool returns [n, d] of h [A, d] and the atom offsets mol.
Tensor pool(Plain, const Tensor &h, const Tensor &mol, int64_t form);

// For loops, h [R, d] may have one row for several atoms: row [A] is the row of each atom.
Tensor pool(Loops, const Tensor &h, const Tensor &mol, int64_t form, const Tensor &row = {});

}  // namespace pacia
