// Means over the atoms of molecules: READOUT of Eq. 2, and the inputs of the
// encoder's hypernetworks (Eq. 6).
//
// Legend: A atoms, m molecules asked for, d width.
#pragma once

#include "check.hh"
#include "launch.hh"

namespace pacia {

namespace reference {

// segment_mean averages the rows of h [A, d] over the molecules which [m],
// whose atoms are ptr[k]..ptr[k+1].
inline Tensor segment_mean(const Tensor &h, const Tensor &ptr, const Tensor &which) {
  auto counts = index(ptr).slice(0, 1) - index(ptr).slice(0, 0, -1);
  auto sums = at::zeros({counts.size(0), h.size(1)}, h.options()).index_add(0, segments(ptr), h);
  auto means = sums / counts.unsqueeze(1).to(h.scalar_type());
  return means.index_select(0, index(which));
}

}  // namespace reference

struct SegmentMeanFunction : torch::autograd::Function<SegmentMeanFunction> {
  static Tensor forward(AutogradContext *ctx, const Tensor &h, const Tensor &ptr,
                        const Tensor &which) {
    const int64_t m = which.size(0), d = h.size(1);
    auto in = h.contiguous(), out = at::empty({m, d}, h.options());
    ctx->save_for_backward({ptr, which});
    ctx->saved_data["atoms"] = h.size(0);
    if (!on_cpu(in)) {
      PACIA_LAUNCH(segment_mean, in, row_blocks(m, d), in, ptr, which, out, d);
      return out;
    }
    out.zero_();
    const int32_t *p = ints(ptr), *w = ints(which);
    AT_DISPATCH_FLOATING_TYPES(h.scalar_type(), "segment_mean", [&] {
      const auto *x = in.data_ptr<scalar_t>();
      auto *y = out.data_ptr<scalar_t>();
      rows(m, 16 * d, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; i++) {
          const int64_t first = p[w[i]], last = p[w[i] + 1];
          for (int64_t r = first; r < last; r++)
            for (int64_t k = 0; k < d; k++) y[i * d + k] += x[r * d + k];
          const scalar_t n = static_cast<scalar_t>(last - first);
          for (int64_t k = 0; k < d; k++) y[i * d + k] /= n;
        }
      });
    });
    return out;
  }

  static variable_list backward(AutogradContext *ctx, variable_list grads) {
    auto s = ctx->get_saved_variables();
    auto dy = grads[0].contiguous();
    const int64_t m = dy.size(0), d = dy.size(1);
    auto dh = at::empty({ctx->saved_data["atoms"].toInt(), d}, dy.options());
    if (!on_cpu(dy)) {
      PACIA_LAUNCH(segment_mean_back, dy, row_blocks(dh.size(0), d), dy, s[0], s[1], dh,
                   s[0].size(0) - 1, m, d);
      return {dh, Tensor(), Tensor()};
    }
    dh.zero_();
    const int32_t *p = ints(s[0]), *w = ints(s[1]);
    AT_DISPATCH_FLOATING_TYPES(dy.scalar_type(), "segment_mean_backward", [&] {
      const auto *g = dy.data_ptr<scalar_t>();
      auto *to = dh.data_ptr<scalar_t>();
      for (int64_t i = 0; i < m; i++) {
        const int64_t first = p[w[i]], last = p[w[i] + 1];
        const scalar_t scale = scalar_t(1) / static_cast<scalar_t>(last - first);
        for (int64_t r = first; r < last; r++)
          for (int64_t k = 0; k < d; k++) to[r * d + k] += g[i * d + k] * scale;
      }
    });
    return {dh, Tensor(), Tensor()};
  }
};

// segment_mean_op: inputs h, atom offsets, molecules.
inline void segment_mean_op(const Args &a, bool plain) {
  expect("h", a.in(0), {kAny, kAny});
  expect_offsets("molecules", a.in(1), a.in(0).size(0));
  expect_below("which", a.in(2), a.in(1).size(0) - 1);
  if (plain)
    a.out(0, reference::segment_mean(a.in(0), a.in(1), a.in(2)));
  else
    a.out(0, SegmentMeanFunction::apply(a.in(0), a.in(1), a.in(2)));
}

}  // namespace pacia
