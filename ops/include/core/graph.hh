// The graph of a batch of molecules, and its edges as index vectors for plain calls of ATen.
// These functions do not wait for the device.
//
// Legend: A atoms, R rows, G groups, E bonds.
#pragma once

#include <tuple>

#include "args.hh"

namespace pacia {

// A bond's code is type·3 + direction.
constexpr int64_t kTypes = kBondTypes, kDirections = kBondDirections;
constexpr int64_t kCodes = kTypes * kDirections, kSelfLoop = kSelfType * kDirections;
static_assert(kTypes == PACIA_BOND_TYPES && kDirections == PACIA_BOND_DIRECTIONS);

// Graph is the structure that a layer runs on. Each of R rows sums up rows of the previous
// states. Rows are the atoms of a batch, or the distinct environments of its atoms up to a given
// number of bonds.
struct Graph {
  Tensor rowptr;  // [R+1] int32: the bonds into row r are rowptr[r]..rowptr[r+1]
  Tensor col;     // [E] int32: rows of the previous states at the other ends of the bonds
  Tensor code;    // [E] uint8
  Tensor self;    // [R] int32: the row of the previous states for each row; none if it is the same
  Tensor spread;  // [A] int32: the row of each atom, if the layer goes from rows to atoms
  Tensor group;   // [G+1] int32: rows of each group, or atoms after such a layer

  auto fields() { return std::tie(rowptr, col, code, self, spread, group); }
};

// graph_of takes the tensors of a graph. bonds_of takes those of a graph with atoms as rows:
// its bonds, and the groups.
inline Graph graph_of(Args &a) {
  return {a.tensor(), a.tensor(), a.tensor(), a.tensor(), a.tensor(), a.tensor()};
}
inline Graph bonds_of(Args &a) { return {a.tensor(), a.tensor(), a.tensor(), {}, {}, a.tensor()}; }

// bond_table [18, d] holds the term that each bond of a code adds to a message.
inline Tensor bond_table(const Tensor &e1, const Tensor &e2) {
  return (e1.unsqueeze(1) + e2.unsqueeze(0)).view({kCodes, -1});
}

// degrees [A] returns the number of edges into each atom, including its self loop.
inline Tensor degrees(const Graph &g, const Tensor &like) {
  return (g.rowptr.slice(0, 1) - g.rowptr.slice(0, 0, -1) + 1).to(like.scalar_type());
}

// Edges has E + A edges between rows 0 to A. Row A is the target of bonds that are padding,
// which come after the bonds of the last atom.
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

// padded appends row A, which is zero.
inline Tensor padded(const Tensor &x) {
  auto shape = x.sizes().vec();
  shape[0] = 1;
  return at::cat({x, at::zeros(shape, x.options())});
}

// summed [A, …] returns the sum of the messages of each atom's edges.
inline Tensor summed(const Tensor &message, const Edges &e, int64_t A) {
  auto shape = message.sizes().vec();
  shape[0] = A + 1;
  return at::zeros(shape, message.options()).index_add(0, e.to, message).slice(0, 0, A);
}

}  // namespace pacia
