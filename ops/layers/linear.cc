// A linear layer. The loops' path uses the products of product.hh. The kernels' path uses the
// products of libtorch, with kernels for the steps between them.
#include "core/libtorch.hh"

#include "layers/linear.hh"

#include <ATen/ops/leaky_relu_backward.h>

#include "core/autograd.hh"
#include "core/check.hh"
#include "core/launch.hh"
#include "product/product.hh"
#include "product/sparse.hh"

namespace pacia {

namespace {

struct LinearLoops : Function<LinearLoops> {
  struct Saved {
    Tensor x, w, leaky;
    bool bias;
    auto fields() { return std::tie(x, w, leaky, bias); }
  };

  static Tensor forward(AutogradContext *ctx, const Tensor &x, const Tensor &w, const Optional &b,
                        bool leaks) {
    auto y = times(x, w, true,
                   {b.value_or(Tensor()), leaks ? After::leaky : After::nothing, {}});
    save(ctx, Saved{x, w, leaks ? y : Tensor(), b.has_value()});
    return y;
  }

  static variable_list backward(AutogradContext *ctx, variable_list grads) {
    auto s = saved<Saved>(ctx);
    auto g = grads[0];
    if (s.leaky.defined()) g = at::leaky_relu_backward(g, s.leaky, kLeak, true);
    return {ctx->needs_input_grad(0) ? times(g, s.w, false) : Tensor(), across(g, s.x),
            s.bias ? g.sum(0) : Tensor(), Tensor()};
  }
};

// SparseLinear is x Wᵀ + b for x that is mostly zeros.
struct SparseLinear : Function<SparseLinear> {
  struct Saved {
    Tensor x, w;
    auto fields() { return std::tie(x, w); }
  };

  static Tensor forward(AutogradContext *ctx, const Tensor &x, const Tensor &w, const Tensor &b) {
    const PaddedMatrix y(x.size(0), w.size(0));
    Sparse{x, {}, {}}.times_transposed(w, b.view({1, -1}), y);
    save(ctx, Saved{x, w});
    return y.narrow(x);
  }

  static variable_list backward(AutogradContext *ctx, variable_list grads) {
    auto s = saved<Saved>(ctx);
    const auto g = grads[0].contiguous();
    const PaddedMatrix dy(g);
    const Sparse x{s.x, {}, {}};
    return {ctx->needs_input_grad(0) ? x.where_left(dy, s.w) : Tensor(), x.across(dy), g.sum(0)};
  }
};

}  // namespace

Tensor after_product(const Tensor &z, const Tensor &b, const Tensor &x, const Follow &f) {
  if (!b.defined() && !f.leaks && !f.residual && !f.dropout.on()) return z;
  auto y = f.residual ? at::empty_like(z) : z;
  PACIA_LAUNCH(after_linear, z, warp_blocks(z.size(0)), z, b, z.size(0), z.size(1), f.leaks,
               f.residual ? x : Tensor(), y, f.dropout.mask(), 1 / (1 - f.dropout.p));
  return y;
}

Tensor sums_back(const Tensor &g, const Slope &after, const Dropout &drop,
                        const Tensor &masked, const Tensor &dz) {
  const int64_t R = g.size(0), d = g.size(1);
  const auto chunks = static_cast<unsigned>(std::max<int64_t>(1, (R + kRowChunk - 1) / kRowChunk));
  auto part = at::empty({chunks, d}, g.options());
  const pacia_cuda_grid grid{static_cast<unsigned>((d + kTile - 1) / kTile), chunks,
                             kTile * kSumLines};
  PACIA_LAUNCH(linear_back, g, grid, g, after.like, after.slope, R, d, masked, dz, part,
               drop.mask(), 1 / (1 - drop.p));
  if (chunks == 1) return part.squeeze(0);
  auto sum = at::empty({d}, g.options());
  PACIA_LAUNCH(chunks_sum, g, blocks(d), part, sum, chunks, d);
  return sum;
}

namespace {

// LinearKernels saves the output of LeakyReLU besides the input and the weights. The mask of
// the dropout is computed again.
struct LinearKernels : Function<LinearKernels> {
  struct Saved {
    Tensor x, w, leaky;
    bool bias, residual;
    Dropout drop;
    auto fields() { return std::tie(x, w, leaky, bias, residual, drop); }
  };

  static Tensor forward(AutogradContext *ctx, const Tensor &x, const Tensor &w, const Optional &b,
                        const Follow &f) {
    const bool plain = b && !f.leaks && !f.residual && !f.dropout.on();
    auto z = plain ? at::addmm(*b, x, w.t()) : at::mm(x, w.t());
    auto y = plain ? z : after_product(z, b.value_or(Tensor()), x, f);
    save(ctx, Saved{x, w, f.leaks ? z : Tensor(), b.has_value(), f.residual, f.dropout});
    return y;
  }

  // With a residual, dx begins as the gradient of the sum, in a tensor of its own.
  static variable_list backward(AutogradContext *ctx, variable_list grads) {
    auto s = saved<Saved>(ctx);
    auto g = grads[0].contiguous(), dz = g, dx = Tensor(), db = Tensor();
    const bool changes = s.leaky.defined() || s.drop.on(), wanted = ctx->needs_input_grad(0);
    if (changes) dz = at::empty_like(g);
    if (s.residual && wanted) dx = at::empty_like(g);
    if (s.bias)
      db = sums_back(g, {s.leaky, kLeak}, s.drop, dx, changes ? dz : Tensor());
    else if (changes || dx.defined())
      PACIA_LAUNCH(after_linear_back, g, blocks(g.numel()), g, s.leaky, g.numel(), dx, dz,
                   s.drop.mask(), 1 / (1 - s.drop.p));
    if (dx.defined())
      dx.addmm_(dz, s.w);
    else if (wanted)
      dx = at::mm(dz, s.w);
    return {dx, at::mm(dz.t(), s.x), db, Tensor()};
  }
};

// Rows has a layer's input and weights as matrices, and the shape of its output.
struct Rows {
  Tensor x, w;
  std::vector<int64_t> shape;

  Rows(const Tensor &in, const Tensor &weight)
      : x(in.reshape({-1, in.size(-1)})), w(weight.dim() == 2 ? weight : weight.flatten(1)),
        shape(in.sizes().vec()) {
    shape.back() = w.size(0);
  }
};

}  // namespace

Tensor layer(Plain, const Tensor &x, const Tensor &w, const Tensor &b, const Follow &f) {
  auto y = linear(x, w, b);
  if (f.leaks) y = leaky(y);
  if (f.residual) y = y + x;
  return dropout(Plain{}, y, f.dropout);
}

Tensor layer(Loops, const Tensor &x, const Tensor &w, const Tensor &b, const Follow &f) {
  const Rows r(x, w);
  auto y = LinearLoops::apply(r.x, r.w, optional(b), f.leaks).view(r.shape);
  if (f.residual) y = y + x;
  return dropout(Loops{}, y, f.dropout);
}

Tensor layer_of_left(Loops, const Tensor &x, const Tensor &w, const Tensor &b, double share) {
  if (x.scalar_type() != at::kFloat || !sparse_pays(x.size(0), share)) return layer(Loops{}, x, w, b, {});
  return SparseLinear::apply(x.contiguous(), w.contiguous(), b);
}

Tensor layer(Kernels, const Tensor &x, const Tensor &w, const Tensor &b, const Follow &f) {
  const Rows r(x, w);
  if (b.defined()) expect("b", b, {r.shape.back()});
  if (f.residual)
    expect("W of a residual layer", r.w, {x.size(-1), x.size(-1)});
  return LinearKernels::apply(r.x, r.w, optional(b), f).view(r.shape);
}

}  // namespace pacia
