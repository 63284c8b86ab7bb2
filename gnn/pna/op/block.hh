// One block of FS-Mol's PNA, principal neighbourhood aggregation (Corso et al. 2020).
//
//   1. A node's vector is split into H towers. In each tower, a bond from u to v of
//      type t gives m = ReLU(W_t [h_u | h_v] + b_t), 3p numbers; atom v gets
//        sum    Σ m           of the first third
//        mean   Σ m / n       of the second third; n is the number of bonds into v
//        std    √Σ (ReLU(m² − mean²) + 1e-7)   a sum, as in the benchmark
//        max    of the last third; 0 without bonds
//      x = [sum | mean | std | max], joined with x·log(n+1)/δ and x·δ/(log(n+1) + 1e-7).
//   2. r = h + α·dropout(W [all towers] + b), where α is the block's own scalar (ReZero)
//   3. y = r + α·dropout(W2 dropout(LeakyReLU(W1 norm(r) + b1)) + b2)
//
// Legend: A atoms, R atoms whose states are used by all others with the same state, E bonds
// counted in both directions, n molecules, H towers of width e, d = H·e, T bond types, p width
// of an aggregate in a tower.
#pragma once

#include <tuple>

#include "core/args.hh"
#include "core/graph.hh"
#include "layers/dropout.hh"

namespace pacia {

// Constants of the benchmark: δ, the ε of the attenuating scaler and of the deviation; and
// PyTorch's ε of LayerNorm.
constexpr double kPnaDelta = 1.1515, kPnaEps = 1e-7, kLayerNormEps = 1e-5;

struct PnaGraph {
  Tensor rowptr;  // [A+1] int32: the bonds into atom v are rowptr[v]..rowptr[v+1]
  Tensor col;     // [E] int32: their other ends
  Tensor code;    // [E] uint8: type·kDirections + direction
  Tensor mol;     // [n+1] int32: atoms of each molecule
  Tensor self;    // [R] int32: atoms with computed states, ascending; undefined if all are computed
  Tensor row;     // [A] int32: the row with the state of each atom; undefined if it is its own

  auto fields() { return std::tie(rowptr, col, code, mol, self, row); }
};

struct PnaTowers {
  Tensor w, b;      // [H, T, 3p, 2e], [H, T, 3p]
  Tensor out, ob;   // [d, H·12p], [d]

  auto fields() { return std::tie(w, b, out, ob); }

  int64_t H() const { return w.size(0); }
  int64_t types() const { return w.size(1); }
  int64_t p() const { return w.size(2) / 3; }
  int64_t e() const { return w.size(3) / 2; }
};

// PnaBoom has the last layer of a block, with the LayerNorm before it.
struct PnaBoom {
  Tensor gamma, beta;     // [d]
  Tensor w1, b1, w2, b2;  // [f, d], [f], [d, f], [d]
};

// pna_scalers returns the scalers of an atom with n bonds.
inline std::pair<double, double> pna_scalers(int64_t n) {
  const double l = std::log(static_cast<double>(n + 1));
  return {l / kPnaDelta, kPnaDelta / (l + kPnaEps)};
}

// towers returns the aggregates of h [A, d] after W [all towers] + b: [R, d].
Tensor towers(Loops, const Tensor &h, const PnaGraph &g, const PnaTowers &t);

// boom computes the end of a block, from h [R, d] and the result z of towers.
Tensor boom(Loops, const Tensor &h, const Tensor &z, const Tensor &alpha, const PnaBoom &m,
            const Dropout &d);

}  // namespace pacia
