// Matrix products and the steps after them.
//
// Legend: M rows, K inner size, N columns.
#pragma once

#include "after.hh"

namespace pacia {

// The steps after a product: a bias [N], and After, which may use the signs of like [M, N].
struct Then {
  at::Tensor bias;
  After after = After::nothing;
  at::Tensor like;
};

// times returns x·wᵀ for x [M, K] and w [N, K], or, if transposed is false, x·w for w [K, N],
// with the steps of `then` applied.
at::Tensor times(const at::Tensor &x, const at::Tensor &w, bool transposed, const Then &then = {});

// times_into is times with the result in the rows y [M, N]. It adds the result to y if add_to
// is set.
void times_into(const at::Tensor &y, const at::Tensor &x, const at::Tensor &w, bool transposed,
                const at::Tensor &bias, bool add_to);

// across returns xᵀy for x [M, N1], y [M, N2]. The order of its sums does not depend on the
// number of threads.
at::Tensor across(const at::Tensor &x, const at::Tensor &y);

// product_implementation returns the name of the implementation of products.
const char *product_implementation();

// has_bf16 reports whether the processor has a unit for products of factors in bf16 (8 bits of
// mantissa). round_to_bf16 sets whether this unit computes all float32 products of the process.
// rounds_in_matrices reports whether it does, and is a unit for matrices (AMX).
bool has_bf16();
void round_to_bf16(bool on);
bool rounds_in_matrices();

}  // namespace pacia
