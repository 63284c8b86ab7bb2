// Rows with common states: shared copies to each of n rows its row of x [R, d]. The gradients
// of rows with the same row of x are added up.
#pragma once

#include "core/autograd.hh"
#include "core/owners.hh"
#include "core/rows.hh"

namespace pacia {

struct SharedLoops : Function<SharedLoops> {
  struct Saved {
    Tensor row;
    int64_t R;
    auto fields() { return std::tie(row, R); }
  };

  static Tensor forward(AutogradContext *ctx, const Tensor &x, const Tensor &row) {
    save(ctx, Saved{row, x.size(0)});
    return spread(x.contiguous(), row);
  }

  static variable_list backward(AutogradContext *ctx, variable_list grads) {
    auto s = saved<Saved>(ctx);
    return {collect(grads[0].contiguous(), s.row, s.R), Tensor()};
  }
};

// shared returns x if row [n] int32 is not defined.
template <class Path>
Tensor shared(Path, const Tensor &x, const Tensor &row) {
  return row.defined() ? x.index_select(0, index(row)) : x;
}
inline Tensor shared(Loops, const Tensor &x, const Tensor &row) {
  return row.defined() ? SharedLoops::apply(x, row) : x;
}

}  // namespace pacia
