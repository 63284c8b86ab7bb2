// Pooling: a vector of each molecule from those of its atoms, as their sum, mean or maximum.
//
// Legend: A atoms, R rows, which atoms share, n molecules, d width.
#pragma once

#include "core/args.hh"

namespace pacia {

// The forms of pool.
constexpr int64_t kPoolMean = 0, kPoolSum = 1, kPoolMax = 2;

// pool returns [n, d] from h [A, d] and the atom offsets mol.
Tensor pool(Plain, const Tensor &h, const Tensor &mol, int64_t form);

// With loops, several atoms may share a row of h [R, d]: row [A] is the row of each atom.
Tensor pool(Loops, const Tensor &h, const Tensor &mol, int64_t form, const Tensor &row = {});

}  // namespace pacia
