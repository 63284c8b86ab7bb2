// Dropout whose mask is a pure function of (key, element): element i of a
// tensor is kept when hash(key, i) ≥ p·2³². No generator has a state that a
// checkpoint would have to carry, and a backward pass can draw the same mask
// again instead of storing it.
#pragma once

#include "base.hh"

namespace pacia {

// Dropout is the drop probability p and the key of one site in one step.
struct Dropout {
  double p = 0;
  uint64_t key = 0;

  bool on() const { return p > 0; }
  uint32_t threshold() const { return static_cast<uint32_t>(p * 4294967296.0); }
  uint32_t low() const { return static_cast<uint32_t>(key); }
  uint32_t high() const { return static_cast<uint32_t>(key >> 32); }
};

// hash mixes an element's number with the two halves of the key: two rounds
// of the 32-bit finaliser "lowbias32", whose bias is below 0.2 % per bit.
PACIA_INLINE uint32_t hash(uint32_t x, uint32_t low, uint32_t high) {
  x ^= low;
  x ^= x >> 16;
  x *= 0x7feb352dU;
  x ^= x >> 15;
  x *= 0x846ca68bU;
  x ^= x >> 16;
  x += high;
  x ^= x >> 16;
  x *= 0x7feb352dU;
  x ^= x >> 15;
  x *= 0x846ca68bU;
  x ^= x >> 16;
  return x;
}

template <class T>
PACIA_INLINE void dropout_loop(const T *x, T *y, int64_t first, int64_t n, uint32_t threshold,
                               uint32_t low, uint32_t high, T scale) {
#pragma omp simd
  for (int64_t i = 0; i < n; i++)
    y[i] = hash(static_cast<uint32_t>(first + i), low, high) >= threshold ? x[i] * scale : T(0);
}

PACIA_SIMD void dropout_rows(const float *x, float *y, int64_t first, int64_t n, uint32_t threshold,
                             uint32_t low, uint32_t high, float scale) {
  dropout_loop(x, y, first, n, threshold, low, high, scale);
}
PACIA_SIMD void dropout_rows(const double *x, double *y, int64_t first, int64_t n,
                             uint32_t threshold, uint32_t low, uint32_t high, double scale) {
  dropout_loop(x, y, first, n, threshold, low, high, scale);
}

// dropped returns x with the mask of d applied, without a graph.
inline Tensor dropped(const Tensor &x, const Dropout &d) {
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

namespace reference {

// mask computes the same hash in 64-bit integers with ATen's own operations,
// on any device: 1/(1−p) where an element is kept, 0 elsewhere.
inline Tensor mask(const Tensor &like, const Dropout &d) {
  const int64_t word = 0xffffffff;
  auto x = at::arange(like.numel(), like.options().dtype(at::kLong)).bitwise_and(word);
  auto shift = [&](const Tensor &t, int64_t n) { return t.bitwise_xor(t.bitwise_right_shift(n)); };
  auto times = [&](const Tensor &t, int64_t c) { return (t * c).bitwise_and(word); };
  auto round = [&](Tensor t) {
    t = times(shift(t, 16), 0x7feb352d);
    t = times(shift(t, 15), 0x846ca68b);
    return shift(t, 16);
  };
  x = round(x.bitwise_xor(static_cast<int64_t>(d.low())));
  x = round((x + static_cast<int64_t>(d.high())).bitwise_and(word));
  auto kept = x.ge(static_cast<int64_t>(d.threshold()));
  return (kept.to(like.scalar_type()) / (1 - d.p)).view_as(like);
}

}  // namespace reference

struct DropoutFunction : torch::autograd::Function<DropoutFunction> {
  static Tensor forward(AutogradContext *ctx, const Tensor &x, double p, int64_t key) {
    ctx->saved_data["p"] = p;
    ctx->saved_data["key"] = key;
    return dropped(x, {p, static_cast<uint64_t>(key)});
  }
  static variable_list backward(AutogradContext *ctx, variable_list g) {
    Dropout d{ctx->saved_data["p"].toDouble(),
              static_cast<uint64_t>(ctx->saved_data["key"].toInt())};
    return {dropped(g[0], d), Tensor(), Tensor()};
  }
};

// dropout applies d to x, differentiably.
inline Tensor dropout(const Tensor &x, const Dropout &d) {
  if (!d.on()) return x;
  if (!on_cpu(x)) return x * reference::mask(x, d);
  return DropoutFunction::apply(x, d.p, static_cast<int64_t>(d.key));
}

}  // namespace pacia
