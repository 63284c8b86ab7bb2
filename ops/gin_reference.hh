// GIN's layer in plain ATen calls: one message per bond, summed by index.
#pragma once

#include "norm_reference.hh"

namespace pacia {

// Bond types (single, double, triple, aromatic, self loop, mask) and
// directions (none, end up right, end down right); a bond's code is
// type·3 + direction.
constexpr int64_t kTypes = 6, kDirections = 3, kCodes = kTypes * kDirections;
constexpr int64_t kSelfLoop = 4 * kDirections;

// Graph is the molecules of a batch as one graph.
struct Graph {
  Tensor rowptr;  // [A+1] int32: the bonds into atom v are rowptr[v]..rowptr[v+1]
  Tensor col;     // [E] int32: their other ends
  Tensor code;    // [E] uint8
  Tensor group;   // [G+1] int32: atoms of each group
};

namespace reference {

inline Tensor gin(const Args &a, const Graph &g, const NormMode &mode) {
  auto h = a.in(0);
  auto code = index(g.code);
  auto e1 = a.in(5), e2 = a.in(6);
  auto type = code.div(kDirections, "floor"), direction = code.remainder(kDirections);
  auto message = h.index_select(0, index(g.col)) + e1.index_select(0, type) +
                 e2.index_select(0, direction);
  auto m = (h + e1[kSelfLoop / kDirections] + e2[0]).index_add(0, segments(g.rowptr), message);
  auto z = at::linear(at::linear(m, a.in(1), a.in(2)).relu(), a.in(3), a.in(4));
  return norm(z, g.group, a.in(7), a.in(8), a.in(9), a.in(10), mode);
}

}  // namespace reference
}  // namespace pacia
