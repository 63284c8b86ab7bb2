// Dropout whose mask is a pure function of (key, element): element i of a
// tensor is kept when hash(key, i) ≥ p·2³². No generator has a state that a
// checkpoint would have to carry, and a backward pass can draw the same mask
// again instead of storing it.
#pragma once

#include "launch.hh"

namespace pacia {

// Dropout is the drop probability p and the key of one site in one step.
// Where the steps of a training run are one CUDA graph, the key of each place is
// read from the device at every step; add is added to either.
struct Dropout {
  double p = 0;
  uint64_t key = 0, add = 0;
  const uint64_t *where = nullptr;

  bool on() const { return p > 0; }
  Mask mask() const { return {threshold(), key, add, where}; }
  // at is the dropout of the i-th place of an operation that has several.
  Dropout at(uint64_t i) const { return {p, key, add + i, where}; }
  void save(AutogradContext *ctx) const {
    ctx->saved_data["p"] = p;
    ctx->saved_data["key"] = static_cast<int64_t>(key);
    ctx->saved_data["add"] = static_cast<int64_t>(add);
    ctx->saved_data["where"] = reinterpret_cast<int64_t>(where);
  }
  static Dropout load(AutogradContext *ctx) {
    auto number = [&](const char *name) { return static_cast<uint64_t>(ctx->saved_data[name].toInt()); };
    return {ctx->saved_data["p"].toDouble(), number("key"), number("add"),
            reinterpret_cast<const uint64_t *>(number("where"))};
  }

  uint32_t threshold() const { return static_cast<uint32_t>(p * 4294967296.0); }
  uint32_t low() const { return static_cast<uint32_t>(key + add); }
  uint32_t high() const { return static_cast<uint32_t>((key + add) >> 32); }
};

// dropout_of reads the dropout of an operation, whose key is integer i.
inline Dropout dropout_of(const Args &a, int64_t i) {
  return {a.real(0), static_cast<uint64_t>(a.integer(i)), 0, a.key()};
}

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
  if (!on_cpu(in)) {
    PACIA_LAUNCH(dropout, in, blocks(in.numel()), in, out, in.numel(), d.mask(), 1 / (1 - d.p));
    return out;
  }
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
  static Tensor forward(AutogradContext *ctx, const Tensor &x, const Dropout &d) {
    d.save(ctx);
    return dropped(x, d);
  }
  static variable_list backward(AutogradContext *ctx, variable_list g) {
    return {dropped(g[0], Dropout::load(ctx)), Tensor()};
  }
};

// dropout applies d to x, differentiably.
inline Tensor dropout(const Tensor &x, const Dropout &d) {
  return d.on() ? DropoutFunction::apply(x, d) : x;
}

}  // namespace pacia
