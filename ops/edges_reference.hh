// The edges of a batch of molecules, self loops among them, as index vectors
// for plain ATen calls. Nothing here waits for the device.
//
// Legend: A atoms, E bonds.
#pragma once

#include "gin_reference.hh"

namespace pacia {

// bond_table [18, d] is what each bond of a code adds to a message.
inline Tensor bond_table(const Tensor &e1, const Tensor &e2) {
  return (e1.unsqueeze(1) + e2.unsqueeze(0)).view({kCodes, -1});
}

// degrees [A] count the edges into each atom, its self loop among them.
inline Tensor degrees(const Graph &g, const Tensor &like) {
  return (g.rowptr.slice(0, 1) - g.rowptr.slice(0, 0, -1) + 1).to(like.scalar_type());
}

namespace reference {

// Edges [E + A] go between rows 0 to A: row A is where the bonds belong that
// are padding, after those of the last atom.
struct Edges {
  Tensor from, to, code;
};

inline Edges edges(const Graph &g) {
  const int64_t A = g.rowptr.size(0) - 1, E = g.col.size(0);
  auto bond = at::arange(E, g.rowptr.options()), ends = g.rowptr.slice(0, 1).contiguous();
  auto to = at::bucketize(bond, ends, /*out_int32=*/false, /*right=*/true);
  auto from = at::where(to.eq(A), to, index(g.col));
  auto loops = at::arange(A, to.options());
  return {at::cat({from, loops}), at::cat({to, loops}),
          at::cat({index(g.code), at::full({A}, kSelfLoop, to.options())})};
}

// padded adds row A, of zeros.
inline Tensor padded(const Tensor &x) {
  auto shape = x.sizes().vec();
  shape[0] = 1;
  return at::cat({x, at::zeros(shape, x.options())});
}

// summed [A, …] adds up what comes in on each edge.
inline Tensor summed(const Tensor &message, const Edges &e, int64_t A) {
  auto shape = message.sizes().vec();
  shape[0] = A + 1;
  return at::zeros(shape, message.options()).index_add(0, e.to, message).slice(0, 0, A);
}

}  // namespace reference
}  // namespace pacia
