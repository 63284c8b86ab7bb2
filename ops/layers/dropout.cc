// Dropout of a tensor on each of the paths; see dropout.hh.
#include "core/libtorch.hh"

#include "core/autograd.hh"
#include "core/launch.hh"
#include "core/registry.hh"
#include "layers/dropout.hh"

namespace pacia {

template <class T>
PACIA_INLINE void dropout_loop(const T *x, T *y, int64_t first, int64_t n, uint32_t threshold,
                               uint32_t low, uint32_t high, T scale) {
#pragma omp simd
  for (int64_t i = 0; i < n; i++)
    y[i] = mask_hash(static_cast<uint32_t>(first + i), low, high) >= threshold ? x[i] * scale : T(0);
}

PACIA_SIMD void dropout_rows(const float *x, float *y, int64_t first, int64_t n, uint32_t threshold,
                             uint32_t low, uint32_t high, float scale) {
  dropout_loop(x, y, first, n, threshold, low, high, scale);
}
PACIA_SIMD void dropout_rows(const double *x, double *y, int64_t first, int64_t n,
                             uint32_t threshold, uint32_t low, uint32_t high, double scale) {
  dropout_loop(x, y, first, n, threshold, low, high, scale);
}

Tensor dropped(Loops, const Tensor &x, const Dropout &d) {
  auto in = x.contiguous(), out = at::empty_like(in);
  AT_DISPATCH_FLOATING_TYPES(in.scalar_type(), "dropout", [&] {
    auto *from = in.data_ptr<scalar_t>();
    auto *to = out.data_ptr<scalar_t>();
    at::parallel_for(0, in.numel(), kGrain, [&](int64_t a, int64_t b) {
      dropout_rows(from + a, to + a, a, b - a, d.threshold(), d.low(), d.high(),
                   static_cast<scalar_t>(1 / (1 - d.p)));
    });
  });
  return out;
}

Tensor dropped(Kernels, const Tensor &x, const Dropout &d) {
  auto in = x.contiguous(), out = at::empty_like(in);
  PACIA_LAUNCH(dropout, in, blocks(in.numel()), in, out, in.numel(), d.mask(), 1 / (1 - d.p));
  return out;
}

// mask computes mask_hash in 64-bit integers by operations of ATen, on any device.
Tensor mask(const Tensor &like, const Dropout &d) {
  const int64_t word = 0xffffffff;
  auto x = at::arange(like.numel(), like.options().dtype(at::kLong)).bitwise_and(word);
  auto shift = [&](const Tensor &t, int64_t n) { return t.bitwise_xor(t.bitwise_right_shift(n)); };
  auto times = [&](const Tensor &t, int64_t c) { return (t * c).bitwise_and(word); };
  auto round = [&](Tensor t) {
    t = times(shift(t, 16), kMixFirst);
    t = times(shift(t, 15), kMixSecond);
    return shift(t, 16);
  };
  x = round(x.bitwise_xor(static_cast<int64_t>(d.low())));
  x = round((x + static_cast<int64_t>(d.high())).bitwise_and(word));
  auto kept = x.ge(static_cast<int64_t>(d.threshold()));
  return (kept.to(like.scalar_type()) / (1 - d.p)).view_as(like);
}

namespace {

template <class Path>
struct DropoutFunction : Function<DropoutFunction<Path>> {
  static Tensor forward(AutogradContext *ctx, const Tensor &x, const Dropout &d) {
    save(ctx, d);
    return dropped(Path{}, x, d);
  }
  static variable_list backward(AutogradContext *ctx, variable_list g) {
    return {dropped(Path{}, g[0], saved<Dropout>(ctx)), Tensor()};
  }
};

}  // namespace

Tensor dropout(Plain, const Tensor &x, const Dropout &d) { return d.on() ? x * mask(x, d) : x; }
Tensor dropout(Loops, const Tensor &x, const Dropout &d) {
  return d.on() ? DropoutFunction<Loops>::apply(x, d) : x;
}
Tensor dropout(Kernels, const Tensor &x, const Dropout &d) {
  return d.on() ? DropoutFunction<Kernels>::apply(x, d) : x;
}

// dropout_op: input x. Integer and real: those of dropout_of.
template <class Path>
void dropout_op(Args &a) {
  auto x = a.tensor();
  a.give(dropout(Path{}, x, dropout_of(a)));
}
PACIA_OP_ALL("dropout", dropout_op)

}  // namespace pacia
