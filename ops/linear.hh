// A linear layer with the LeakyReLU that follows it, as one operation on the
// products of product.hh.
//
// Legend: R rows, in and out widths.
#pragma once

#include "product.hh"

namespace pacia {

struct LinearFunction : torch::autograd::Function<LinearFunction> {
  static Tensor forward(AutogradContext *ctx, const Tensor &x, const Tensor &w,
                        const c10::optional<Tensor> &b, bool leaks) {
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

// layer is x Wᵀ + b for x [..., in], W [out, in], then LeakyReLU if it leaks.
inline Tensor layer(const Tensor &x, const Tensor &w, const Tensor &b, bool leaks) {
  auto matrix = w.dim() == 2 ? w : w.flatten(1);
  if (!on_cpu(x)) {
    auto y = at::linear(x, matrix, b);
    return leaks ? leaky(y) : y;
  }
  auto y = LinearFunction::apply(x.reshape({-1, x.size(-1)}), matrix,
                                 b.defined() ? c10::make_optional(b) : c10::nullopt, leaks);
  auto shape = x.sizes().vec();
  shape.back() = matrix.size(0);
  return y.view(shape);
}

}  // namespace pacia
