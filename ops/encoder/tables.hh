// Gradients of embedding tables by kernels: each chunk of atoms has its own sums, which are
// then added in order.
//
// Legend: d width.
#pragma once

#include "core/args.hh"
#include "core/launch.hh"

namespace pacia {

// chunks_of returns the number of chunks for a number of atoms.
inline unsigned chunks_of(int64_t atoms) {
  return static_cast<unsigned>((atoms + kTableChunk - 1) / kTableChunk);
}

// column_chunks assigns a block of one warp to each 32 of d columns of each chunk.
inline pacia_cuda_grid column_chunks(int64_t d, int64_t atoms) {
  return {static_cast<unsigned>((d + kTile - 1) / kTile), chunks_of(atoms), kTile};
}

// sum_of_chunks returns the sum of the parts [chunks, rows, d].
inline Tensor sum_of_chunks(const Tensor &part) {
  auto sum = at::empty({part.size(1), part.size(2)}, part.options());
  PACIA_LAUNCH(chunks_sum, part, blocks(sum.numel()), part, sum, part.size(0), sum.numel());
  return sum;
}

}  // namespace pacia
