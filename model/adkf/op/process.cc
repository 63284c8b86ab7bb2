// See process.hh.
#include "core/libtorch.hh"

#include "process.hh"

#include <ATen/ops/cholesky_inverse.h>
#include <ATen/ops/exp.h>
#include <ATen/ops/linalg_cholesky_ex.h>
#include <ATen/ops/mv.h>
#include <ATen/ops/outer.h>

namespace pacia {

namespace {

// kSame times the vectors' own squares is the largest distance that counts as 0. Vectors are
// float32; its rounding leaves 4e-15.
constexpr double kSame = 1e-12;

double total(const Tensor &x) { return x.sum().item<double>(); }
double inner(const Tensor &x, const Tensor &y) { return total(x * y); }

}  // namespace

Tensor distances(const Tensor &x) {
  auto c = x - x.mean(0, true), square = (c * c).sum(1);
  auto sums = square.unsqueeze(1) + square;
  auto D = sums - 2 * at::mm(c, c.t());
  D = D.masked_fill(D <= sums * kSame, 0);
  D.fill_diagonal_(0);
  return D;
}

Tensor distances_back(const Tensor &x, const Tensor &G) {
  auto both = G + G.t();
  return 2 * (x * both.sum(1, true) - at::mm(both, x));
}

Kernel::Kernel(const Tensor &D, double length) {
  auto square = D * (5 / (length * length)), r = square.sqrt(), e = at::exp(-r), one = (r + 1) * e;
  k = one + square * e / 3;
  by_l = square * one / (3 * length);
  by_ll = square * (square * e / 3 - one) / (length * length);
  by_D = one * (-5 / (6 * length * length));
  by_Dl = (one * 2 - square * e) * (5 / (6 * length * length * length));
}

Marginal::Marginal(const Kernel &k, const Tensor &t, const Numbers &eta) : sound(false), loss(NAN) {
  auto C = k.k * eta.scale();
  C.diagonal().add_(eta.noise());
  auto [factor, info] = at::linalg_cholesky_ex(C);
  if (info.item<int64_t>() != 0) return;
  inverse = at::cholesky_inverse(factor);
  alpha = at::mv(inverse, t);
  const double normal = 0.5 * std::log(2 * M_PI) * static_cast<double>(t.size(0));
  loss = 0.5 * inner(t, alpha) + total(factor.diagonal().log()) + normal;
  slope = (inverse - at::outer(alpha, alpha)) * 0.5;
  sound = std::isfinite(loss);
}

Three Marginal::by(const Kernel &k, const Numbers &eta) const {
  return {total(slope.diagonal()), inner(slope, k.k), eta.scale() * inner(slope, k.by_l)};
}

Tensor Marginal::turned(const Tensor &dC) const {
  auto moved = at::mm(inverse, dC), a = at::mv(moved, alpha), mixed = at::outer(a, alpha);
  return (mixed + mixed.t() - at::mm(moved, inverse)) * 0.5;
}

Support::Support(const Tensor &D, const Tensor &t)
    : D_(D), t_(t), n_(static_cast<double>(t.size(0))), median_(1), noise_(0.1), length_(1) {
  const int64_t n = t.size(0);
  const double *d = D.data_ptr<double>();
  std::vector<int64_t> positive;
  for (int64_t i = 0; i < n; i++)
    for (int64_t j = i + 1; j < n; j++)
      if (d[i * n + j] > 0) positive.push_back(i * n + j);
  if (positive.empty()) return;  // all vectors are equal: every length scale is equally good
  auto middle = positive.begin() + static_cast<int64_t>(positive.size() - 1) / 2;
  std::nth_element(positive.begin(), middle, positive.end(), [d](int64_t a, int64_t b) { return d[a] < d[b]; });
  left_ = *middle / n, right_ = *middle % n;
  median_ = std::sqrt(d[*middle] / 2);
  length_ = LogNormal(median_);
}

Fitted Support::at(const Three &raw) const {
  const Numbers eta(raw);
  Kernel k(D_, eta.length());
  Marginal m(k, t_, eta);
  Fitted f{raw, eta, k, m, NAN, {NAN, NAN, NAN}, {}, {}};
  if (!m.sound) return f;
  f.loss = (m.loss + noise_.loss(eta.noise()) + length_.loss(eta.length())) / n_;

  // Derivatives with respect to ν, s² and ℓ. A_i = C⁻¹ ∂C/∂i and w_i = ∂C/∂i α give the second
  // derivatives
  //   w_iᵀ C⁻¹ w_j − ½ tr(A_i A_j) + Σ ∂/∂C ∘ ∂²C/∂i∂j.
  Three first = m.by(k, eta);
  Nine second{};
  const auto by_l = k.by_l * eta.scale();
  const std::array<Tensor, 3> A{m.inverse, at::mm(m.inverse, k.k), at::mm(m.inverse, by_l)};
  const std::array<Tensor, 3> w{m.alpha, at::mv(k.k, m.alpha), at::mv(by_l, m.alpha)};
  for (size_t i = 0; i < 3; i++) {
    const auto Aw = at::mv(m.inverse, w[i]);
    for (size_t j = 0; j <= i; j++) second[i][j] = inner(Aw, w[j]) - 0.5 * inner(A[i], A[j].t());
  }
  second[kLength][kScale] += inner(m.slope, k.by_l);
  second[kLength][kLength] += eta.scale() * inner(m.slope, k.by_ll);

  first[kNoise] += noise_.first(eta.noise());
  second[kNoise][kNoise] += noise_.second(eta.noise());
  first[kLength] += length_.first(eta.length());
  second[kLength][kLength] += length_.second(eta.length());
  for (size_t i = 0; i < 3; i++) {
    f.gradient[i] = first[i] * eta.first[i] / n_;
    for (size_t j = 0; j <= i; j++)
      f.hessian[i][j] = f.hessian[j][i] =
          (second[i][j] * eta.first[i] * eta.first[j] + (i == j ? first[i] * eta.second[i] : 0)) / n_;
  }
  return f;
}

Tensor Fitted::correction(const Three &v) const {
  Three move;
  for (size_t i = 0; i < 3; i++) move[i] = v[i] * eta.first[i];
  auto dC = kernel.k * move[kScale] + kernel.by_l * (eta.scale() * move[kLength]);
  dC.diagonal().add_(move[kNoise]);
  const double n = static_cast<double>(marginal.alpha.size(0));
  return (marginal.turned(dC) * (kernel.by_D * eta.scale()) +
          marginal.slope * (kernel.by_D * move[kScale] + kernel.by_Dl * (eta.scale() * move[kLength]))) / n;
}

void Support::scale_back(const Fitted &f, const Three &c, Tensor &G) const {
  if (left_ < 0) return;
  const double D = 2 * median_ * median_;
  G[left_][right_].add_(c[kLength] * f.eta.first[kLength] * length_.moved(f.eta.length()) / (n_ * 2 * D));
}

}  // namespace pacia
