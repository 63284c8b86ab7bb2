// A linear layer with the LeakyReLU that follows it, as one operation: on the
// CPU on the products of product.hh, on a GPU with all that may follow it
// between the products of libtorch.
//
// Legend: R rows, in and out widths.
#pragma once

#include "check.hh"
#include "dropout.hh"
#include "product/product.hh"

namespace pacia {

// Follow is what follows y = x Wᵀ + b: LeakyReLU, then x is added, then dropout.
struct Follow {
  bool leaks = false, residual = false;
  Dropout dropout;
};

using Optional = c10::optional<Tensor>;
inline Optional optional(const Tensor &t) { return t.defined() ? Optional(t) : c10::nullopt; }

struct LinearFunction : torch::autograd::Function<LinearFunction> {
  static Tensor forward(AutogradContext *ctx, const Tensor &x, const Tensor &w, const Optional &b,
                        bool leaks) {
    auto y = times(x, w, true,
                   {b.value_or(Tensor()), leaks ? After::leaky : After::nothing, {}});
    ctx->save_for_backward({x, w, leaks ? y : Tensor()});
    ctx->saved_data["bias"] = b.has_value();
    return y;
  }

  static variable_list backward(AutogradContext *ctx, variable_list grads) {
    auto s = ctx->get_saved_variables();
    auto g = grads[0];
    if (s[2].defined()) g = at::leaky_relu_backward(g, s[2], kLeak, true);
    return {ctx->needs_input_grad(0) ? times(g, s[1], false) : Tensor(), across(g, s[0]),
            ctx->saved_data["bias"].toBool() ? g.sum(0) : Tensor(), Tensor()};
  }
};

// warp_blocks gives each of R rows a warp.
inline pacia_cuda_grid warp_blocks(int64_t R) {
  return {static_cast<unsigned>((R + kThreads / 32 - 1) / (kThreads / 32)), 1, kThreads};
}

// after_product makes of z = x Wᵀ [R, out], in place unless x is added, the
// layer's output.
inline Tensor after_product(const Tensor &z, const Tensor &b, const Tensor &x, const Follow &f) {
  if (!b.defined() && !f.leaks && !f.residual && !f.dropout.on()) return z;
  auto y = f.residual ? at::empty_like(z) : z;
  PACIA_LAUNCH(after_linear, z, warp_blocks(z.size(0)), z, b, z.size(0), z.size(1), f.leaks,
               f.residual ? x : Tensor(), y, f.dropout.mask(), 1 / (1 - f.dropout.p));
  return y;
}

// Slope is what a gradient is multiplied with where the activation's output, of
// the signs of like, is not positive; like may be undefined.
struct Slope {
  Tensor like;
  double slope;
};

// sums_back makes of g [R, d] the gradient before an activation and a
// dropout, dz, and, where it is defined, masked, that before the dropout alone.
// dz may be g, or undefined where only its sums are wanted. It returns these,
// over the rows, in an order of their own: [d].
inline Tensor sums_back(const Tensor &g, const Slope &after, const Dropout &drop,
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

// LinearKernels saves what LeakyReLU made beside the input and the weights; the
// mask of the dropout is drawn again.
struct LinearKernels : torch::autograd::Function<LinearKernels> {
  static Tensor forward(AutogradContext *ctx, const Tensor &x, const Tensor &w, const Optional &b,
                        const Follow &f) {
    const bool plain = b && !f.leaks && !f.residual && !f.dropout.on();
    auto z = plain ? at::addmm(*b, x, w.t()) : at::mm(x, w.t());
    auto y = plain ? z : after_product(z, b.value_or(Tensor()), x, f);
    ctx->save_for_backward({x, w, f.leaks ? z : Tensor()});
    ctx->saved_data["bias"] = b.has_value();
    ctx->saved_data["residual"] = f.residual;
    f.dropout.save(ctx);
    return y;
  }

  // With a residual the gradient of the sum, in a tensor of its own, becomes dx.
  static variable_list backward(AutogradContext *ctx, variable_list grads) {
    auto s = ctx->get_saved_variables();
    const auto drop = Dropout::load(ctx);
    const bool residual = ctx->saved_data["residual"].toBool();
    auto g = grads[0].contiguous(), dz = g, dx = Tensor(), db = Tensor();
    const bool changes = s[2].defined() || drop.on(), wanted = ctx->needs_input_grad(0);
    if (changes) dz = at::empty_like(g);
    if (residual && wanted) dx = at::empty_like(g);
    if (ctx->saved_data["bias"].toBool())
      db = sums_back(g, {s[2], kLeak}, drop, dx, changes ? dz : Tensor());
    else if (changes || dx.defined())
      PACIA_LAUNCH(after_linear_back, g, blocks(g.numel()), g, s[2], g.numel(), dx, dz, drop.mask(),
                   1 / (1 - drop.p));
    if (dx.defined())
      dx.addmm_(dz, s[1]);
    else if (wanted)
      dx = at::mm(dz, s[1]);
    return {dx, at::mm(dz.t(), s[0]), db, Tensor()};
  }
};

// layer is x Wᵀ + b for x [..., in], W [out, in], and what follows.
inline Tensor layer(const Tensor &x, const Tensor &w, const Tensor &b, const Follow &f) {
  auto matrix = w.dim() == 2 ? w : w.flatten(1), rows = x.reshape({-1, x.size(-1)});
  auto shape = x.sizes().vec();
  shape.back() = matrix.size(0);
  if (!on_cpu(x)) {
    if (b.defined()) expect("b", b, {shape.back()});
    if (f.residual)
      expect("W of a layer that its input is added to", matrix, {x.size(-1), x.size(-1)});
    return LinearKernels::apply(rows, matrix, optional(b), f).view(shape);
  }
  auto y = LinearFunction::apply(rows, matrix, optional(b), f.leaks).view(shape);
  if (f.residual) y = y + x;
  return dropout(y, f.dropout);
}

}  // namespace pacia
