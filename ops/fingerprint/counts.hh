// h⁰ of molecules from the non-zero entries of their fingerprints:
//
//   h_m = b + Σ_k value_k W[bit_k]        k = ptr[m] … ptr[m+1]
//
// About fifty of 2,048 entries are not 0. Products over the entries skip the others.
//
// Legend: n molecules, C entries, F bits, d width.
#pragma once

#include <ATen/ops/index_add.h>
#include <ATen/ops/repeat_interleave.h>

#include "core/args.hh"
#include "core/autograd.hh"
#include "core/check.hh"
#include "core/registry.hh"
#include "core/rows.hh"
#include "layers/dropout.hh"
#include "product/vector.hh"

namespace pacia {

namespace {

// Counts has the entries of molecules' fingerprints.
struct Counts {
  Tensor ptr, bit, value;  // [n+1], [C], [C]
  auto fields() { return std::tie(ptr, bit, value); }
};

struct CountsLoops : Function<CountsLoops> {
  struct Saved {
    Counts c;
    int64_t bits;
    auto fields() { return std::tie(c, bits); }
  };

  static Tensor forward(AutogradContext *ctx, const Tensor &w, const Tensor &b, const Counts &c) {
    const int64_t n = c.ptr.size(0) - 1, d = w.size(1);
    auto out = at::empty({n, d}, w.options());
    const int32_t *ptr = ints(c.ptr), *bit = ints(c.bit);
    AT_DISPATCH_FLOATING_TYPES(w.scalar_type(), "counts", [&] {
      const auto *from = w.data_ptr<scalar_t>(), *v = c.value.data_ptr<scalar_t>();
      const auto *bias = b.data_ptr<scalar_t>();
      auto *to = out.data_ptr<scalar_t>();
      const int64_t each = d * (c.bit.size(0) / std::max<int64_t>(1, n) + 1);
      rows(n, each, [&](int64_t begin, int64_t end) {
        for (int64_t m = begin; m < end; m++) {
          std::copy_n(bias, d, to + m * d);
          for (int32_t k = ptr[m]; k < ptr[m + 1]; k++) axpy(to + m * d, from + bit[k] * d, v[k], d);
        }
      });
    });
    save(ctx, Saved{c, w.size(0)});
    return out;
  }

  // Each thread has its own columns, so that the sums do not depend on the number of threads.
  static variable_list backward(AutogradContext *ctx, variable_list grads) {
    auto s = saved<Saved>(ctx);
    auto dh = grads[0].contiguous();
    const int64_t n = dh.size(0), d = dh.size(1);
    auto dw = at::zeros({s.bits, d}, dh.options());
    const int32_t *ptr = ints(s.c.ptr), *bit = ints(s.c.bit);
    AT_DISPATCH_FLOATING_TYPES(dh.scalar_type(), "counts_back", [&] {
      const auto *from = dh.data_ptr<scalar_t>(), *v = s.c.value.data_ptr<scalar_t>();
      auto *to = dw.data_ptr<scalar_t>();
      columns(s.c.bit.size(0), d, [&](int64_t first, int64_t width) {
        for (int64_t m = 0; m < n; m++)
          for (int32_t k = ptr[m]; k < ptr[m + 1]; k++)
            axpy(to + bit[k] * d + first, from + m * d + first, v[k], width);
      });
    });
    return {dw, dh.sum(0), Tensor()};
  }
};

Tensor counted(Plain, const Tensor &w, const Tensor &b, const Counts &c) {
  const auto ptr = index(c.ptr);
  const int64_t n = ptr.size(0) - 1;
  auto molecule = at::repeat_interleave(ptr.slice(0, 1) - ptr.slice(0, 0, n));
  auto rows = w.index_select(0, index(c.bit)) * c.value.unsqueeze(1);
  return b.expand({n, -1}).index_add(0, molecule, rows);
}
Tensor counted(Loops, const Tensor &w, const Tensor &b, const Counts &c) {
  return CountsLoops::apply(w, b, c);
}

}  // namespace

// counts_op: inputs ptr [n+1], bit and value [C], W [F, d], b [d]. Integer and real: those of
// dropout_of, for the values.
template <class Path>
void counts_op(Args &a) {
  Counts c{a.tensor(), a.tensor(), a.tensor()};
  const Tensor w = a.tensor(), b = a.tensor();
  if (!c.ptr.defined())
    throw std::invalid_argument("the molecules have no fingerprints");
  expect("bits", c.bit, {kAny});
  expect("values", c.value, {c.bit.size(0)});
  expect_offsets("molecules", c.ptr, c.bit.size(0));
  expect("W", w, {kAny, kAny});
  expect("b", b, {w.size(1)});
  c.value = c.value.to(w.scalar_type());
  const Dropout drop = dropout_of(a);
  if (drop.on()) c.value = dropout(Path{}, c.value, drop);
  a.give(counted(Path{}, w, b, c));
}
PACIA_OP_LOOPS("embed counts", counts_op)

}  // namespace pacia
