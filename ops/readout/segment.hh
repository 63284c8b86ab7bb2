// Means over the atoms of molecules: READOUT of Eq. 2, and the inputs of the
// encoder's hypernetworks (Eq. 9).
//
// Legend: A atoms, m selected molecules, with atoms ptr[k]..ptr[k+1], d width.
#pragma once

#include "core/args.hh"
#include "core/autograd.hh"
#include "core/check.hh"
#include "core/registry.hh"
#include "core/launch.hh"
#include "core/rows.hh"

namespace pacia {

namespace {

// means [m, d] averages the rows of h [A, d] over the molecules which [m].
Tensor means(Loops, const Tensor &h, const Tensor &ptr, const Tensor &which) {
  const int64_t m = which.size(0), d = h.size(1);
  auto out = at::zeros({m, d}, h.options());
  const int32_t *p = ints(ptr), *w = ints(which);
  AT_DISPATCH_FLOATING_TYPES(h.scalar_type(), "segment_mean", [&] {
    const auto *x = h.data_ptr<scalar_t>();
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

Tensor means(Kernels, const Tensor &h, const Tensor &ptr, const Tensor &which) {
  const int64_t m = which.size(0), d = h.size(1);
  auto out = at::empty({m, d}, h.options());
  PACIA_LAUNCH(segment_mean, h, row_blocks(m, d), h, ptr, which, out, d);
  return out;
}

// means_back [A, d] is the gradient of h from that of the means.
Tensor means_back(Loops, const Tensor &dy, const Tensor &ptr, const Tensor &which, int64_t A) {
  const int64_t m = dy.size(0), d = dy.size(1);
  auto dh = at::zeros({A, d}, dy.options());
  const int32_t *p = ints(ptr), *w = ints(which);
  AT_DISPATCH_FLOATING_TYPES(dy.scalar_type(), "segment_mean_backward", [&] {
    const auto *g = dy.data_ptr<scalar_t>();
    auto *to = dh.data_ptr<scalar_t>();
    columns(A, d, [&](int64_t from, int64_t width) {
      for (int64_t i = 0; i < m; i++) {
        const int64_t first = p[w[i]], last = p[w[i] + 1];
        const scalar_t scale = scalar_t(1) / static_cast<scalar_t>(last - first);
        for (int64_t r = first; r < last; r++) axpy(to + r * d + from, g + i * d + from, scale, width);
      }
    });
  });
  return dh;
}

Tensor means_back(Kernels, const Tensor &dy, const Tensor &ptr, const Tensor &which, int64_t A) {
  const int64_t m = dy.size(0), d = dy.size(1);
  auto dh = at::empty({A, d}, dy.options());
  PACIA_LAUNCH(segment_mean_back, dy, row_blocks(A, d), dy, ptr, which, dh, ptr.size(0) - 1, m, d);
  return dh;
}

template <class Path>
struct SegmentMeanFunction : Function<SegmentMeanFunction<Path>> {
  struct Saved {
    Tensor ptr, which;
    int64_t atoms;
    auto fields() { return std::tie(ptr, which, atoms); }
  };

  static Tensor forward(AutogradContext *ctx, const Tensor &h, const Tensor &ptr,
                        const Tensor &which) {
    save(ctx, Saved{ptr, which, h.size(0)});
    return means(Path{}, h.contiguous(), ptr, which);
  }

  static variable_list backward(AutogradContext *ctx, variable_list grads) {
    auto s = saved<Saved>(ctx);
    return {means_back(Path{}, grads[0].contiguous(), s.ptr, s.which, s.atoms), Tensor(), Tensor()};
  }
};

Tensor segment_mean(Plain, const Tensor &h, const Tensor &ptr, const Tensor &which) {
  auto counts = index(ptr).slice(0, 1) - index(ptr).slice(0, 0, -1);
  auto sums = at::zeros({counts.size(0), h.size(1)}, h.options()).index_add(0, segments(ptr), h);
  auto means = sums / counts.unsqueeze(1).to(h.scalar_type());
  return means.index_select(0, index(which));
}

template <class Path>
Tensor segment_mean(Path, const Tensor &h, const Tensor &ptr, const Tensor &which) {
  return SegmentMeanFunction<Path>::apply(h, ptr, which);
}

}  // namespace

// segment_mean_op: inputs h, atom offsets, molecules.
template <class Path>
void segment_mean_op(Args &a) {
  auto h = a.tensor(), ptr = a.tensor(), which = a.tensor();
  expect("h", h, {kAny, kAny});
  expect_offsets("molecules", ptr, h.size(0));
  expect_below("which", which, ptr.size(0) - 1);
  a.give(segment_mean(Path{}, h, ptr, which));
}
PACIA_OP_ALL("segment mean", segment_mean_op)

}  // namespace pacia
