// A grouped batch norm on each of the paths; see norm.hh.
#include "core/libtorch.hh"

#include "layers/norm.hh"

#include <ATen/ops/rsqrt.h>

#include "core/autograd.hh"
#include "core/check.hh"
#include "core/launch.hh"
#include "norm_loops.hh"

namespace pacia {

BatchNorm batch_norm_of(Args &a) {
  BatchNorm n{a.tensor(), a.tensor(), a.tensor(), a.tensor(), {a.flag(), a.flag(), dropout_of(a)}, a.flag()};
  if (n.own) {
    n.mean = at::zeros_like(n.mean);
    n.var = at::zeros_like(n.var);
    n.mode.momentum = 1;
  }
  return n;
}

void check_norm(const BatchNorm &n, const Tensor &group, int64_t rows, int64_t d) {
  expect("gamma", n.gamma, {d});
  expect("beta", n.beta, {d});
  expect("mean", n.mean, {d});
  expect("var", n.var, {d});
  expect_offsets("groups", group, rows);
  if (n.like.defined()) expect("like", n.like, {rows});
}

void give_norm(Args &a, const Tensor &y, const BatchNorm &n) {
  a.give(y);
  if (!n.own) return;
  a.give(n.mean);
  a.give(n.var);
}

Tensor norm(Plain, const Tensor &z, const Tensor &group, const BatchNorm &n) {
  const int64_t G = group.size(0) - 1;
  std::vector<Tensor> parts;
  auto ptr = group.cpu();
  for (int64_t g = 0; g < G; g++) {
    auto part = z.slice(0, ptr[g].item<int64_t>(), ptr[g + 1].item<int64_t>());
    const int64_t rows = part.size(0);
    if (rows == 0) continue;
    if (!n.mode.training) {
      part = (part - n.mean) / (n.var + kNormEps).sqrt();
    } else {
      auto m = part.mean(0), v = (part - m).square().mean(0);
      const double a = n.mode.momentum;
      n.mean.mul_(1 - a).add_(m.detach(), a);
      n.var.mul_(1 - a)
          .add_(v.detach(), a * (rows > 1 ? static_cast<double>(rows) / (rows - 1) : 1));
      part = (part - m) / (v + kNormEps).sqrt();
    }
    parts.push_back(part);
  }
  auto y = at::cat(parts) * n.gamma + n.beta;
  if (n.mode.relu) y = y.relu();
  if (!n.mode.drops()) return y;
  auto m = mask(y, n.mode.dropout);
  return y * (n.like.defined() ? m.index_select(0, index(n.like)) : m);
}

namespace {

// statistics returns the statistics for the normalisation. In training, it updates the running
// averages by one group after the other.
Statistics statistics(Loops, const Tensor &z, const Tensor &group, const BatchNorm &n) {
  const int64_t G = group.size(0) - 1, d = z.size(1);
  const int32_t *ptr = ints(group);
  Statistics s{at::zeros({G, d}, z.options()), at::zeros({G, d}, z.options())};
  std::vector<double> v(static_cast<size_t>(G * d));
  AT_DISPATCH_FLOATING_TYPES(z.scalar_type(), "norm_statistics", [&] {
    const auto *x = z.data_ptr<scalar_t>();
    auto *to_mean = s.mean.data_ptr<scalar_t>(), *to_rstd = s.rstd.data_ptr<scalar_t>();
    at::parallel_for(0, G, 1, [&](int64_t begin, int64_t end) {
      std::vector<double> m(static_cast<size_t>(d));
      for (int64_t g = begin; g < end; g++) {
        const int64_t rows = ptr[g + 1] - ptr[g];
        if (rows == 0) continue;
        group_means(x + ptr[g] * d, rows, d, static_cast<const scalar_t *>(nullptr), m.data());
        std::copy(m.begin(), m.end(), to_mean + g * d);
        group_means(x + ptr[g] * d, rows, d, to_mean + g * d, v.data() + g * d);
        for (int64_t i = g * d; i < (g + 1) * d; i++)
          to_rstd[i] = static_cast<scalar_t>(1 / std::sqrt(v[i] + kNormEps));
      }
    });
    auto *average = n.mean.data_ptr<scalar_t>(), *spread = n.var.data_ptr<scalar_t>();
    for (int64_t g = 0; g < G; g++) {
      const double rows = ptr[g + 1] - ptr[g], a = n.mode.momentum;
      const double unbiased = rows > 1 ? rows / (rows - 1) : 1;
      if (rows == 0) continue;
      for (int64_t i = 0; i < d; i++) {
        average[i] = static_cast<scalar_t>((1 - a) * average[i] + a * to_mean[g * d + i]);
        spread[i] = static_cast<scalar_t>((1 - a) * spread[i] + a * unbiased * v[g * d + i]);
      }
    }
  });
  return s;
}

Statistics statistics(Kernels, const Tensor &z, const Tensor &group, const BatchNorm &n) {
  const int64_t G = group.size(0) - 1, d = z.size(1);
  Statistics s{at::empty({G, d}, z.options()), at::empty({G, d}, z.options())};
  auto variance = at::empty({G, d}, z.options().dtype(at::kDouble));
  PACIA_LAUNCH(norm_statistics, z, column_blocks(d, G), z, group, s.mean, s.rstd, variance, d,
               kNormEps);
  PACIA_LAUNCH(norm_running, z, blocks(d), group, s.mean, variance, n.mean, n.var, G, d,
               n.mode.momentum);
  return s;
}

template <class Path>
NormSaved prepared(const Tensor &z, const Tensor &group, const BatchNorm &n) {
  return {z, group, n.gamma, n.beta, n.like,
          n.mode.training ? statistics(Path{}, z, group, n)
                          : Statistics{n.mean.unsqueeze(0), (n.var + kNormEps).rsqrt().unsqueeze(0)},
          n.mode};
}

// norm_of returns the statistics of group g in the form that the loops use.
template <class T>
Norm<T> norm_of(const NormSaved &s, int64_t g) {
  const int64_t d = s.gamma.size(0), at = s.s.mean.size(0) == 1 ? 0 : g * d;
  const Dropout &drop = s.mode.dropout;
  return {s.s.mean.data_ptr<T>() + at, s.s.rstd.data_ptr<T>() + at, s.gamma.data_ptr<T>(),
          s.beta.data_ptr<T>(), s.mode.relu, s.mode.drops(), drop.threshold(), drop.low(),
          drop.high(), static_cast<T>(1 / (1 - drop.p)), s.like.defined() ? ints(s.like) : nullptr};
}

// NormLaunch holds the arguments that all kernels of cuda/kernels/norm.cu take.
struct NormLaunch {
  explicit NormLaunch(const NormSaved &s)
      : G(s.group.size(0) - 1), d(s.s.mean.size(1)), stride(s.s.mean.size(0) == 1 ? 0 : d),
        mask(s.mode.drops() ? s.mode.dropout.mask() : Mask{}),
        scale(s.mode.drops() ? 1 / (1 - s.mode.dropout.p) : 1) {}

  int64_t G, d, stride;
  Mask mask;
  double scale;
};

}  // namespace

Tensor norm_forward(Loops, const Tensor &z, const Tensor &group, const BatchNorm &n, NormSaved &s) {
  s = prepared<Loops>(z, group, n);
  auto y = at::empty_like(z);
  const int64_t G = group.size(0) - 1, d = z.size(1);
  const int32_t *ptr = ints(group);
  AT_DISPATCH_FLOATING_TYPES(z.scalar_type(), "norm_forward", [&] {
    const auto *x = z.data_ptr<scalar_t>();
    auto *to = y.data_ptr<scalar_t>();
    rows(z.size(0), d, [&](int64_t begin, int64_t end) {
      for (int64_t g = 0; g < G; g++) {
        const int64_t first = std::max<int64_t>(begin, ptr[g]), last = std::min<int64_t>(end, ptr[g + 1]);
        if (first < last)
          norm_rows(x + first * d, to + first * d, last - first, first, d, norm_of<scalar_t>(s, g));
      }
    });
  });
  return y;
}

Tensor norm_forward(Kernels, const Tensor &z, const Tensor &group, const BatchNorm &n, NormSaved &s) {
  TORCH_CHECK(!n.like.defined(), "kernels do not support dropout masks that atoms share");
  s = prepared<Kernels>(z, group, n);
  auto y = at::empty_like(z);
  const NormLaunch l(s);
  PACIA_LAUNCH(norm_forward, z, row_blocks(z.size(0), l.d), z, group, s.s.mean, s.s.rstd, s.gamma,
               s.beta, y, l.G, l.d, l.stride, s.mode.relu, l.mask, l.scale);
  return y;
}

NormGradients norm_backward(Loops, const Tensor &dy, const NormSaved &s) {
  const Tensor &z = s.z;
  const int64_t G = s.group.size(0) - 1, d = z.size(1);
  auto dz = at::empty_like(z);
  auto sum = at::zeros({G, d}, z.options().dtype(at::kDouble)), dot = at::zeros_like(sum);
  const int32_t *ptr = ints(s.group);
  auto *ps = sum.data_ptr<double>(), *pd = dot.data_ptr<double>();
  AT_DISPATCH_FLOATING_TYPES(z.scalar_type(), "norm_backward", [&] {
    at::parallel_for(0, G, 1, [&](int64_t begin, int64_t end) {
      for (int64_t g = begin; g < end; g++)
        if (ptr[g + 1] > ptr[g])
          group_back(dy.data_ptr<scalar_t>(), z.data_ptr<scalar_t>(), dz.data_ptr<scalar_t>(),
                     ptr[g + 1] - ptr[g], ptr[g], d, norm_of<scalar_t>(s, g), s.mode.training,
                     ps + g * d, pd + g * d);
    });
  });
  return {dz, dot.sum(0).to(z.scalar_type()), sum.sum(0).to(z.scalar_type())};
}

NormGradients norm_backward(Kernels, const Tensor &dy, const NormSaved &s) {
  const Tensor &z = s.z;
  const NormLaunch l(s);
  auto dz = at::empty_like(z);
  auto sum = at::empty({l.G, l.d}, z.options().dtype(at::kDouble)), dot = at::empty_like(sum);
  auto mean_g = at::empty({l.G, l.d}, z.options()), mean_gx = at::empty_like(mean_g);
  auto dgamma = at::empty({l.d}, z.options()), dbeta = at::empty({l.d}, z.options());
  PACIA_LAUNCH(norm_back_sums, z, column_blocks(l.d, l.G), dy, z, s.group, s.s.mean, s.s.rstd,
               s.gamma, s.beta, sum, dot, mean_g, mean_gx, l.d, l.stride, s.mode.relu, s.mode.training,
               l.mask, l.scale);
  PACIA_LAUNCH(norm_back, z, row_blocks(z.size(0), l.d), dy, z, s.group, s.s.mean, s.s.rstd, s.gamma,
               s.beta, mean_g, mean_gx, dz, l.G, l.d, l.stride, s.mode.relu, l.mask, l.scale);
  PACIA_LAUNCH(norm_back_groups, z, blocks(l.d), sum, dot, l.G, l.d, dgamma, dbeta);
  return {dz, dgamma, dbeta};
}

namespace {

template <class Path>
struct NormFunction : Function<NormFunction<Path>> {
  static Tensor forward(AutogradContext *ctx, const Tensor &z, const Tensor &gamma,
                        const Tensor &beta, const Tensor &group, const BatchNorm &n) {
    NormSaved s;
    auto y = norm_forward(Path{}, z, group, n, s);
    save(ctx, s);
    return y;
  }

  static variable_list backward(AutogradContext *ctx, variable_list grads) {
    auto g = norm_backward(Path{}, grads[0].contiguous(), saved<NormSaved>(ctx));
    return {g.dz, g.dgamma, g.dbeta, Tensor(), Tensor()};
  }
};

}  // namespace

Tensor norm(Loops, const Tensor &z, const Tensor &group, const BatchNorm &n) {
  return NormFunction<Loops>::apply(z.contiguous(), n.gamma, n.beta, group, n);
}
Tensor norm(Kernels, const Tensor &z, const Tensor &group, const BatchNorm &n) {
  return NormFunction<Kernels>::apply(z.contiguous(), n.gamma, n.beta, group, n);
}

}  // namespace pacia
