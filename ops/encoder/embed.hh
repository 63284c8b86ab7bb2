// h⁰, the sum of the embeddings of an atom's two categories. The tables of Hu et al. only have
// rows for tetrahedral chiralities. Other chiralities (such as those of square planar metals)
// count as unspecified.
//
// Legend: A atoms, T and C rows of the two tables, d width.
#pragma once

#include <ATen/ops/embedding.h>

#include "core/autograd.hh"
#include "core/check.hh"
#include "core/registry.hh"
#include "tables.hh"

namespace pacia {

namespace {

struct EmbedKernels : Function<EmbedKernels> {
  struct Saved {
    Tensor atoms;
    int64_t numbers, chiralities;
    auto fields() { return std::tie(atoms, numbers, chiralities); }
  };

  static Tensor forward(AutogradContext *ctx, const Tensor &atoms, const Tensor &numbers,
                        const Tensor &chirality) {
    const int64_t A = atoms.size(0), C = chirality.size(0), d = numbers.size(1);
    auto h = at::empty({A, d}, numbers.options());
    PACIA_LAUNCH(embed, h, row_blocks(A, d), atoms, numbers, chirality, C, h, d);
    save(ctx, Saved{atoms, numbers.size(0), C});
    return h;
  }

  static variable_list backward(AutogradContext *ctx, variable_list grads) {
    auto s = saved<Saved>(ctx);
    auto dh = grads[0].contiguous();
    const int64_t T = s.numbers, C = s.chiralities, A = dh.size(0), d = dh.size(1);
    auto part = at::empty({chunks_of(A), T + C, d}, dh.options());
    PACIA_LAUNCH(embed_back, dh, column_chunks(d, A), s.atoms, dh, part, A, d, T, C);
    auto sum = sum_of_chunks(part);
    return {Tensor(), sum.slice(0, 0, T), sum.slice(0, T)};
  }
};

Tensor embed(Plain, const Tensor &atoms, const Tensor &numbers, const Tensor &chirality) {
  auto codes = index(atoms), chiral = codes.select(1, 1);
  chiral = chiral.masked_fill(chiral.ge(chirality.size(0)), 0);
  return at::embedding(numbers, codes.select(1, 0)) + at::embedding(chirality, chiral);
}

Tensor embed(Kernels, const Tensor &atoms, const Tensor &numbers, const Tensor &chirality) {
  TORCH_CHECK(numbers.size(0) + chirality.size(0) <= kAtomRows, "tables of more than ", kAtomRows,
              " rows");
  return EmbedKernels::apply(atoms, numbers, chirality);
}

}  // namespace

// embed_op: inputs atoms [A, 2] uint8, tables [T, d] and [C, d]. Integer: the largest atomic
// number.
template <class Path>
void embed_op(Args &a) {
  auto atoms = a.tensor(), numbers = a.tensor(), chirality = a.tensor();
  const int64_t largest = a.integer();
  expect("atoms", atoms, {kAny, 2});
  expect("atomic numbers", numbers, {kAny, kAny});
  expect("chiralities", chirality, {kAny, numbers.size(1)});
  if (largest >= numbers.size(0))
    throw std::invalid_argument("atomic number " + std::to_string(largest) +
                                " is out of range of a table of " + std::to_string(numbers.size(0)) +
                                " rows");
  a.give(embed(Path{}, atoms, numbers, chirality));
}
PACIA_OP_KERNELS("embed", embed_op)

}  // namespace pacia
