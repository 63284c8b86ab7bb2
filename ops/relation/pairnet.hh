// The pair network of a relation layer (Eq. 4), evaluated as defined:
//
//   a_ij = sigmoid(MLP(exp(−|h_i − h_j|)))      d → d' → d'' → 1, LeakyReLU
//
// Pairs are processed in chunks that fit a core's cache, one chunk for each thread. Only the P
// values are kept. The backward pass computes the chunks again, only for pairs with a gradient.
#pragma once

#include <ATen/ops/leaky_relu_backward.h>

#include "pairs.hh"
#include "product/product.hh"
#include "product/vector.hh"
#include "relation.hh"

namespace pacia {

constexpr int64_t kChunk = 1024;  // pairs; 1024·(128+256+128) floats are 2 MB

// lowest returns the lower limit of the inputs of exp_negative. It hides the number from the
// compiler, which would otherwise branch on it, so that the loop would not be vectorised.
template <class T>
PACIA_INLINE T lowest() {
  T x = -87;
  asm("" : "+m"(x));
  return x;
}

// exp_negative is exp for x ≤ 0: 2^k·2^f with a polynomial for 2^f on [−½, ½] (degree 6,
// relative error 3e-8), in a form that compilers vectorise.
PACIA_INLINE float exp_negative(float x, float least) {
  x = x < least ? least : x;
  const float t = x * 1.44269504f;
  const float k = (t + 12582912.0f) - 12582912.0f;
  const float f = t - k;
  float p = 1.54035304e-4f;
  p = p * f + 1.33335581e-3f;
  p = p * f + 9.61812911e-3f;
  p = p * f + 5.55041087e-2f;
  p = p * f + 2.40226507e-1f;
  p = p * f + 6.93147181e-1f;
  p = p * f + 1.0f;
  const int32_t bits = (static_cast<int32_t>(k) + 127) << 23;
  float scale;
  std::memcpy(&scale, &bits, sizeof scale);
  return p * scale;
}
PACIA_INLINE double exp_negative(double x, double) { return std::exp(x); }

template <class T>
PACIA_INLINE void distance_loop(const T *a, const T *b, T *y, int64_t d) {
  const T least = lowest<T>();
#pragma omp simd
  for (int64_t i = 0; i < d; i++) y[i] = exp_negative(-std::abs(a[i] - b[i]), least);
}
PACIA_SIMD void distance(const float *a, const float *b, float *y, int64_t d) {
  distance_loop(a, b, y, d);
}
PACIA_SIMD void distance(const double *a, const double *b, double *y, int64_t d) {
  distance_loop(a, b, y, d);
}

// displacement computes δ = exp(−|a − b|) − D.
template <class T>
PACIA_INLINE void displacement_loop(const T *a, const T *b, const T *D, T *delta, int64_t d) {
  const T least = lowest<T>();
#pragma omp simd
  for (int64_t i = 0; i < d; i++) delta[i] = exp_negative(-std::abs(a[i] - b[i]), least) - D[i];
}
PACIA_SIMD void displacement(const float *a, const float *b, const float *D, float *delta, int64_t d) {
  displacement_loop(a, b, D, delta, d);
}
PACIA_SIMD void displacement(const double *a, const double *b, const double *D, double *delta, int64_t d) {
  displacement_loop(a, b, D, delta, d);
}

// distance_back adds to da and db the gradients that follow from the gradient g of
// y = exp(−|a − b|).
template <class T>
PACIA_INLINE void distance_back_loop(const T *a, const T *b, const T *y, const T *g, T *da, T *db,
                                     int64_t d) {
#pragma omp simd
  for (int64_t i = 0; i < d; i++) {
    const T x = a[i] - b[i], m = g[i] * y[i];
    const T t = x > 0 ? -m : x < 0 ? m : T(0);
    da[i] += t;
    db[i] -= t;
  }
}
PACIA_SIMD void distance_back(const float *a, const float *b, const float *y, const float *g,
                              float *da, float *db, int64_t d) {
  distance_back_loop(a, b, y, g, da, db, d);
}
PACIA_SIMD void distance_back(const double *a, const double *b, const double *y, const double *g,
                              double *da, double *db, int64_t d) {
  distance_back_loop(a, b, y, g, da, db, d);
}

// Chunk has the pair network's values for c pairs.
struct Chunk {
  Tensor D, z1, z2;  // [c, d], [c, d'], [c, d'']
};

// hidden returns LeakyReLU(x Wᵀ + b).
inline Tensor hidden(const Tensor &x, const Tensor &w, const Tensor &b) {
  return times(x, w, true, {b, After::leaky, {}});
}

// pair_chunk evaluates the c pairs `which`.
inline Chunk pair_chunk(const Tensor &x, const Pairs &p, const int64_t *which, int64_t c,
                        const PairNet &net) {
  const int64_t d = x.size(1);
  auto D = at::empty({c, d}, x.options());
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "pair_chunk", [&] {
    const auto *h = x.data_ptr<scalar_t>();
    auto *to = D.data_ptr<scalar_t>();
    for (int64_t k = 0; k < c; k++) {
      const int64_t q = which[k];
      distance(h + p.left[q] * d, h + p.right[q] * d, to + k * d, d);
    }
  });
  auto z1 = hidden(D, net.w1, net.b1);
  return {D, z1, hidden(z1, net.w2, net.b2)};
}

// Worker has the sums of one thread over its blocks.
class Worker {
 public:
  Worker(const Tensor &x, const Pairs &p, const PairNet &net, const Tensor &dx)
      : x_(x), dx_(dx), p_(p), net_(net) {
    for (auto &w : {net.w1, net.b1, net.w2, net.b2, net.w3, net.b3})
      sums_.push_back(w.defined() ? at::zeros_like(w) : Tensor());
  }

  // chunk adds the gradients of the c pairs `which`, given the gradients ds [c] of their logits.
  void chunk(const int64_t *which, int64_t c, const Tensor &ds) {
    auto z = pair_chunk(x_, p_, which, c, net_);
    sums_[4].addmm_(ds.unsqueeze(0), z.z2);
    if (net_.b3.defined()) sums_[5].add_(ds.sum());
    auto g2 = at::leaky_relu_backward(ds.unsqueeze(1) * net_.w3, z.z2, kLeak, true);
    sums_[2].add_(across(g2, z.z1));
    if (net_.b2.defined()) sums_[3].add_(g2.sum(0));
    auto g1 = times(g2, net_.w2, false, {{}, After::leaky_back, z.z1});
    sums_[0].add_(across(g1, z.D));
    if (net_.b1.defined()) sums_[1].add_(g1.sum(0));
    scatter(which, c, z.D, times(g1, net_.w1, false));
  }

  const std::vector<Tensor> &sums() const { return sums_; }

 private:
  void scatter(const int64_t *which, int64_t c, const Tensor &D, const Tensor &g) {
    const int64_t d = x_.size(1);
    AT_DISPATCH_FLOATING_TYPES(x_.scalar_type(), "scatter", [&] {
      const auto *h = x_.data_ptr<scalar_t>();
      auto *to = dx_.data_ptr<scalar_t>();
      for (int64_t k = 0; k < c; k++) {
        const int64_t i = p_.left[which[k]] * d, j = p_.right[which[k]] * d;
        distance_back(h + i, h + j, D.data_ptr<scalar_t>() + k * d, g.data_ptr<scalar_t>() + k * d,
                      to + i, to + j, d);
      }
    });
  }

  Tensor x_, dx_;
  const Pairs &p_;
  const PairNet &net_;
  std::vector<Tensor> sums_;
};

}  // namespace pacia
