// The end of a block of PNA as one operation; block.hh has the equations:
//
//   r = h + α·z                  z the towers' output
//   u = (r − mean) / √(variance + 1e-5) · γ + β    of each row
//   y = r + α·(W2 dropout(LeakyReLU(W1 u + b1)) + b2)
//
// Dropout of z and of the last summand is included.
//
// Legend: A atoms, d width, f inner width.
#include "core/libtorch.hh"

#include <ATen/ops/add.h>
#include <ATen/ops/leaky_relu_backward.h>

#include "block.hh"
#include "core/autograd.hh"
#include "core/rows.hh"
#include "product/product.hh"

namespace pacia {

namespace {

// rezero_norm computes a row of r and u, and returns its mean and 1/√(variance + ε).
template <class T>
PACIA_INLINE void rezero_norm_loop(const T *h, const T *z, T alpha, const T *gamma, const T *beta,
                                   int64_t d, T *r, T *u, T *mean, T *rstd) {
  T sum = 0, squares = 0;
#pragma omp simd reduction(+ : sum)
  for (int64_t i = 0; i < d; i++) sum += r[i] = h[i] + alpha * z[i];
  const T m = sum / static_cast<T>(d);
#pragma omp simd reduction(+ : squares)
  for (int64_t i = 0; i < d; i++) squares += (r[i] - m) * (r[i] - m);
  const T s = 1 / std::sqrt(squares / static_cast<T>(d) + T(kLayerNormEps));
#pragma omp simd
  for (int64_t i = 0; i < d; i++) u[i] = (r[i] - m) * s * gamma[i] + beta[i];
  *mean = m;
  *rstd = s;
}
PACIA_SIMD void rezero_norm(const float *h, const float *z, float alpha, const float *gamma,
                            const float *beta, int64_t d, float *r, float *u, float *mean,
                            float *rstd) {
  rezero_norm_loop(h, z, alpha, gamma, beta, d, r, u, mean, rstd);
}
PACIA_SIMD void rezero_norm(const double *h, const double *z, double alpha, const double *gamma,
                            const double *beta, int64_t d, double *r, double *u, double *mean,
                            double *rstd) {
  rezero_norm_loop(h, z, alpha, gamma, beta, d, r, u, mean, rstd);
}

// rezero_norm_back converts the gradients of a row, g of y and du of u, to that of r, and adds
// to those of γ and β. It returns the row's contribution to that of α.
template <class T>
PACIA_INLINE T rezero_norm_back_loop(const T *g, const T *du, const T *r, const T *z, const T *y,
                                     T mean, T rstd, const T *gamma, int64_t d, T *dr, T *dgamma,
                                     T *dbeta) {
  T sum = 0, along = 0, alpha = 0;
#pragma omp simd reduction(+ : sum, along)
  for (int64_t i = 0; i < d; i++) {
    const T n = (r[i] - mean) * rstd, dn = du[i] * gamma[i];
    sum += dn;
    along += dn * n;
    dgamma[i] += du[i] * n;
    dbeta[i] += du[i];
  }
  sum /= static_cast<T>(d);
  along /= static_cast<T>(d);
#pragma omp simd reduction(+ : alpha)
  for (int64_t i = 0; i < d; i++) {
    const T n = (r[i] - mean) * rstd;
    dr[i] = g[i] + rstd * (du[i] * gamma[i] - sum - n * along);
    alpha += dr[i] * z[i] + g[i] * y[i];
  }
  return alpha;
}
PACIA_SIMD float rezero_norm_back(const float *g, const float *du, const float *r, const float *z,
                                  const float *y, float mean, float rstd, const float *gamma,
                                  int64_t d, float *dr, float *dgamma, float *dbeta) {
  return rezero_norm_back_loop(g, du, r, z, y, mean, rstd, gamma, d, dr, dgamma, dbeta);
}
PACIA_SIMD double rezero_norm_back(const double *g, const double *du, const double *r,
                                   const double *z, const double *y, double mean, double rstd,
                                   const double *gamma, int64_t d, double *dr, double *dgamma,
                                   double *dbeta) {
  return rezero_norm_back_loop(g, du, r, z, y, mean, rstd, gamma, d, dr, dgamma, dbeta);
}

// BoomLoops keeps the output of LeakyReLU, and computes the masks again.
struct BoomLoops : Function<BoomLoops> {
  struct Saved {
    Tensor z, alpha, gamma, r, u, mean, rstd, w1, a, w2, y;
    Dropout d;
    auto fields() { return std::tie(z, alpha, gamma, r, u, mean, rstd, w1, a, w2, y, d); }
  };

  static Tensor forward(AutogradContext *ctx, const Tensor &h, const Tensor &towers,
                        const Tensor &alpha, const Tensor &gamma, const Tensor &beta,
                        const Tensor &w1, const Tensor &b1, const Tensor &w2, const Tensor &b2,
                        const Dropout &d) {
    auto in = h.contiguous(), z = kept(towers.contiguous(), d.at(0));
    const int64_t A = h.size(0), width = h.size(1);
    auto r = at::empty_like(in), u = at::empty_like(in);
    auto mean = at::empty({A}, h.options()), rstd = at::empty({A}, h.options());
    AT_DISPATCH_FLOATING_TYPES(h.scalar_type(), "rezero_norm", [&] {
      const auto *x = in.data_ptr<scalar_t>(), *t = z.data_ptr<scalar_t>();
      const auto a = *alpha.data_ptr<scalar_t>();
      const auto *scale = gamma.data_ptr<scalar_t>(), *shift = beta.data_ptr<scalar_t>();
      auto *to_r = r.data_ptr<scalar_t>(), *to_u = u.data_ptr<scalar_t>();
      auto *m = mean.data_ptr<scalar_t>(), *s = rstd.data_ptr<scalar_t>();
      rows(A, 4 * width, [&](int64_t begin, int64_t end) {
        for (int64_t v = begin; v < end; v++)
          rezero_norm(x + v * width, t + v * width, a, scale, shift, width, to_r + v * width,
                      to_u + v * width, m + v, s + v);
      });
    });
    auto a = times(u, w1, true, {b1, After::leaky, {}});
    auto y = kept(times(kept(a, d.at(1)), w2, true, {b2, After::nothing, {}}), d.at(2));
    save(ctx, Saved{z, alpha, gamma, r, u, mean, rstd, w1, a, w2, y, d});
    return at::add(r, y, alpha.item());
  }

  static variable_list backward(AutogradContext *ctx, variable_list grads) {
    auto s = saved<Saved>(ctx);
    auto g = grads[0].contiguous(), u = s.u, a = s.a;
    const auto d = s.d;
    const auto alpha = s.alpha.item();
    auto dy = kept(g * alpha, d.at(2));
    auto da = d.on() ? at::leaky_relu_backward(kept(times(dy, s.w2, false), d.at(1)), a, kLeak, true)
                     : times(dy, s.w2, false, {{}, After::leaky_back, a});
    auto [dr, sums] = norm_back(g, times(da, s.w1, false), s);
    const int64_t width = g.size(1);
    return {dr, kept(dr * alpha, d.at(0)), sums.slice(0, 2 * width), sums.slice(0, 0, width),
            sums.slice(0, width, 2 * width), across(da, u), da.sum(0),
            across(dy, kept(a, d.at(1))), dy.sum(0), Tensor()};
  }

 private:
  static Tensor kept(const Tensor &x, const Dropout &d) { return d.on() ? dropped(Loops{}, x, d) : x; }

  // The number of consecutive rows that one thread sums for the gradients of γ, β and α.
  static constexpr int64_t kPart = 256;

  // norm_back returns the gradient of r, and those of γ, β and α in one row.
  static std::pair<Tensor, Tensor> norm_back(const Tensor &g, const Tensor &du,
                                             const Saved &s) {
    const int64_t A = g.size(0), d = g.size(1), P = (A + kPart - 1) / kPart, each = 2 * d + 1;
    auto dr = at::empty_like(g), parts = at::zeros({P, each}, g.options());
    auto sums = at::zeros({each}, g.options());
    AT_DISPATCH_FLOATING_TYPES(g.scalar_type(), "rezero_norm_back", [&] {
      auto of = [](const Tensor &t) { return t.data_ptr<scalar_t>(); };
      at::parallel_for(0, P, 1, [&](int64_t begin, int64_t end) {
        for (int64_t v = begin * kPart; v < std::min(A, end * kPart); v++) {
          auto *part = of(parts) + v / kPart * each;
          const int64_t i = v * d;
          part[2 * d] += rezero_norm_back(of(g) + i, of(du) + i, of(s.r) + i, of(s.z) + i, of(s.y) + i,
                                          of(s.mean)[v], of(s.rstd)[v], of(s.gamma), d, of(dr) + i, part,
                                          part + d);
        }
      });
      for (int64_t p = 0; p < P; p++) add(of(sums), of(parts) + p * each, each);
    });
    return {dr, sums};
  }
};

}  // namespace

Tensor boom(Loops, const Tensor &h, const Tensor &z, const Tensor &alpha, const PnaBoom &m,
            const Dropout &d) {
  return BoomLoops::apply(h, z, alpha, m.gamma, m.beta, m.w1, m.b1, m.w2, m.b2, d);
}

}  // namespace pacia
