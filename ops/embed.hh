// h⁰, the sum of an atom's embeddings of its two categories. The tables of Hu
// et al. have no row for a chirality other than the tetrahedral ones (square
// planar metals, say): it counts as unspecified.
//
// Legend: A atoms, T and C rows of the two tables, d width.
#pragma once

#include "check.hh"
#include "gin.hh"

namespace pacia {

// EmbedFunction is for kernels; elsewhere ATen's gathers do.
struct EmbedFunction : torch::autograd::Function<EmbedFunction> {
  static Tensor forward(AutogradContext *ctx, const Tensor &atoms, const Tensor &numbers,
                        const Tensor &chirality) {
    const int64_t A = atoms.size(0), C = chirality.size(0), d = numbers.size(1);
    auto h = at::empty({A, d}, numbers.options());
    PACIA_LAUNCH(embed, h, row_blocks(A, d), atoms, numbers, chirality, C, h, d);
    ctx->save_for_backward({atoms});
    ctx->saved_data["numbers"] = numbers.size(0);
    ctx->saved_data["chiralities"] = C;
    return h;
  }

  static variable_list backward(AutogradContext *ctx, variable_list grads) {
    auto atoms = ctx->get_saved_variables()[0], dh = grads[0].contiguous();
    const int64_t T = ctx->saved_data["numbers"].toInt(), C = ctx->saved_data["chiralities"].toInt();
    const int64_t A = dh.size(0), d = dh.size(1);
    auto part = at::empty({chunks_of(A), T + C, d}, dh.options());
    auto sum = at::empty({T + C, d}, dh.options());
    PACIA_LAUNCH(embed_back, dh, column_chunks(d, A), atoms, dh, part, A, d, T, C);
    PACIA_LAUNCH(chunks_sum, dh, blocks((T + C) * d), part, sum, part.size(0), (T + C) * d);
    return {Tensor(), sum.slice(0, 0, T), sum.slice(0, T)};
  }
};

// embed_op: inputs atoms [A, 2] uint8, tables [T, d] and [C, d]. Integer: the
// largest atomic number.
inline void embed_op(const Args &a) {
  auto atoms = a.in(0), numbers = a.in(1), chirality = a.in(2);
  expect("atoms", atoms, {kAny, 2});
  expect("atomic numbers", numbers, {kAny, kAny});
  expect("chiralities", chirality, {kAny, numbers.size(1)});
  if (a.integer(0) >= numbers.size(0))
    throw std::invalid_argument("atomic number " + std::to_string(a.integer(0)) +
                                " is out of range of a table of " + std::to_string(numbers.size(0)) +
                                " rows");
  if (!on_cpu(atoms)) {
    TORCH_CHECK(numbers.size(0) + chirality.size(0) <= kAtomRows, "tables of more than ", kAtomRows,
                " rows");
    return a.out(0, EmbedFunction::apply(atoms, numbers, chirality));
  }
  auto codes = index(atoms), chiral = codes.select(1, 1);
  chiral = chiral.masked_fill(chiral.ge(chirality.size(0)), 0);
  a.out(0, at::embedding(numbers, codes.select(1, 0)) + at::embedding(chirality, chiral));
}

}  // namespace pacia
