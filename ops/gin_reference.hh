// GIN's layer in plain ATen calls: one message per bond, summed by index.
#pragma once

#include "norm_reference.hh"

namespace pacia {

// A bond's code is type·3 + direction.
constexpr int64_t kTypes = PACIA_BOND_TYPES, kDirections = PACIA_BOND_DIRECTIONS;
constexpr int64_t kCodes = kTypes * kDirections, kSelfLoop = 4 * kDirections;

// Graph is what a layer runs on: R rows, each of which sums up rows of the
// states before it. Rows are the atoms of a batch, or its distinct
// surroundings up to so many bonds away.
struct Graph {
  Tensor rowptr;  // [R+1] int32: the bonds into row r are rowptr[r]..rowptr[r+1]
  Tensor col;     // [E] int32: rows before, at their other ends
  Tensor code;    // [E] uint8
  Tensor self;    // [R] int32: the row before of each row; none where it is the same
  Tensor spread;  // [A] int32: the row of each atom, where the layer goes from rows to atoms
  Tensor group;   // [G+1] int32: rows of each group, or atoms after such a layer
};

namespace reference {

inline Tensor gin(const Args &a, const Graph &g, Tensor mean, Tensor var, const NormMode &mode) {
  auto h = a.in(0), e1 = a.in(5), e2 = a.in(6);
  auto code = index(g.code);
  auto type = code.div(kDirections, "floor"), direction = code.remainder(kDirections);
  auto message = h.index_select(0, index(g.col)) + e1.index_select(0, type) +
                 e2.index_select(0, direction);
  auto self = g.self.defined() ? h.index_select(0, index(g.self)) : h;
  auto m = (self + e1[kSelfLoop / kDirections] + e2[0]).index_add(0, segments(g.rowptr), message);
  auto z = at::linear(at::linear(m, a.in(1), a.in(2)).relu(), a.in(3), a.in(4));
  if (g.spread.defined()) z = z.index_select(0, index(g.spread));
  return norm(z, g.group, a.in(7), a.in(8), mean, var, mode);
}

}  // namespace reference
}  // namespace pacia
