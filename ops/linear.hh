// A linear layer with the LeakyReLU that follows it, as one operation: on the
// CPU on the products of product.hh, on a GPU with all that may follow it
// between the products of libtorch.
//
// Legend: R rows, in and out widths.
#pragma once

#include "check.hh"
#include "dropout.hh"
#include "product.hh"

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

// LinearKernels saves what LeakyReLU made beside the input and the weights; the
// mask of the dropout is drawn again.
struct LinearKernels : torch::autograd::Function<LinearKernels> {
  static Tensor forward(AutogradContext *ctx, const Tensor &x, const Tensor &w, const Optional &b,
                        const Follow &f) {
    auto z = at::mm(x, w.t()), y = after_product(z, b.value_or(Tensor()), x, f);
    ctx->save_for_backward({x, w, f.leaks ? z : Tensor()});
    ctx->saved_data["bias"] = b.has_value();
    ctx->saved_data["residual"] = f.residual;
    f.dropout.save(ctx);
    return y;
  }

  static variable_list backward(AutogradContext *ctx, variable_list grads) {
    auto s = ctx->get_saved_variables();
    const auto drop = Dropout::load(ctx);
    const bool residual = ctx->saved_data["residual"].toBool();
    auto g = grads[0].contiguous(), dz = g, sum = g;
    if (s[2].defined() || drop.on()) {
      dz = at::empty_like(g);
      if (residual && drop.on()) sum = at::empty_like(g);
      PACIA_LAUNCH(after_linear_back, g, blocks(g.numel()), g, s[2], g.numel(),
                   residual && drop.on() ? sum : Tensor(), dz, drop.mask(), 1 / (1 - drop.p));
    }
    Tensor dx;
    if (ctx->needs_input_grad(0)) dx = residual ? at::addmm(sum, dz, s[1]) : at::mm(dz, s[1]);
    return {dx, at::mm(dz.t(), s[0]), ctx->saved_data["bias"].toBool() ? dz.sum(0) : Tensor(),
            Tensor()};
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
