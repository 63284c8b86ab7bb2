// Matrix products with the steps after them.
//
// Legend: M rows, K inner size, N columns.
#pragma once

#include "after.hh"

namespace pacia {

// Steps after a product: a bias [N], and After, which may go by the signs of
// like [M, N].
struct Then {
  at::Tensor bias;
  After after = After::nothing;
  at::Tensor like;
};

// times is x·wᵀ for x [M, K] and w [N, K], or with transposed false x·w for w
// [K, N], and then the steps after it.
at::Tensor times(const at::Tensor &x, const at::Tensor &w, bool transposed, const Then &then = {});

// times_into is times with a place for the result, the rows y [M, N], to which
// it is added where add_to says so.
void times_into(const at::Tensor &y, const at::Tensor &x, const at::Tensor &w, bool transposed,
                const at::Tensor &bias, bool add_to);

// across is xᵀy for x [M, N1], y [M, N2]. The order of its sums does not depend
// on the number of threads.
at::Tensor across(const at::Tensor &x, const at::Tensor &y);

// product_maker names the maker of the products.
const char *product_maker();

// has_bf16 says whether the processor has a unit for products of factors in
// bf16 (8 bits of mantissa); round_to_bf16 has the products of float32 made by
// it, for the whole process.
bool has_bf16();
void round_to_bf16(bool on);

}  // namespace pacia
