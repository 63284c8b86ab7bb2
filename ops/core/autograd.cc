// The state that functions with their own backward pass keep in a context, and their node.
#include "core/libtorch.hh"

#include <ATen/core/LegacyTypeDispatch.h>

#include "core/autograd.hh"
#include "core/waits.h"

namespace pacia {

void Packer::leave(AutogradContext *ctx) {
  ctx->save_for_backward(std::move(tensors));
  if (!numbers.empty()) ctx->saved_data["numbers"] = std::move(numbers);
}

Unpacker::Unpacker(AutogradContext *ctx) : tensors(ctx->get_saved_variables()) {
  const auto found = ctx->saved_data.find("numbers");
  if (found != ctx->saved_data.end()) numbers = found->second.toIntVector();
}

namespace {

// Unrecorded calls operations below autograd, whose layers cost more than a small operation, where
// no gradient of their results is recorded.
struct Unrecorded {
  c10::optional<at::AutoDispatchBelowADInplaceOrView> below;
  Unrecorded() {
    if (!at::GradMode::is_enabled()) below.emplace();
  }
};

// The node of Recorded has only the defined inputs; `at` has their indices among all inputs.
struct Recorded : torch::autograd::Function<Recorded> {
  static variable_list forward(AutogradContext *ctx, at::TensorList, const std::vector<int64_t> &at,
                               const Forward &forward, Backward backward) {
    ctx->saved_data["at"] = at;
    ctx->saved_data["backward"] = reinterpret_cast<int64_t>(backward);
    const Unrecorded unrecorded;
    return forward(ctx);
  }

  static variable_list backward(AutogradContext *ctx, variable_list grads) {
    pacia_fit_waits();
    const auto at = ctx->saved_data["at"].toIntVector();
    const auto own = reinterpret_cast<Backward>(ctx->saved_data["backward"].toInt());
    const Unrecorded unrecorded;
    const auto each = own(ctx, std::move(grads));
    variable_list there(at.size() + 3);  // undefined for the other three arguments of forward
    for (size_t i = 0; i < at.size(); i++) there[i] = each.at(static_cast<size_t>(at[i]));
    return there;
  }
};

}  // namespace

AutogradContext *made_by(const Tensor &t, Backward backward) {
  const auto node = dynamic_cast<torch::autograd::CppNode<Recorded> *>(t.grad_fn().get());
  if (!node) return nullptr;
  const auto found = node->ctx_.saved_data.find("backward");
  const bool own = found != node->ctx_.saved_data.end() && reinterpret_cast<Backward>(found->second.toInt()) == backward;
  return own ? &node->ctx_ : nullptr;
}

variable_list record(const Inputs &inputs, const Forward &forward, Backward backward) {
  variable_list there;
  std::vector<int64_t> at;
  for (size_t i = 0; i < inputs.size(); i++)
    if (inputs[i].defined()) {
      there.push_back(inputs[i]);
      at.push_back(static_cast<int64_t>(i));
    }
  return Recorded::apply(at::TensorList(there), at, forward, backward);
}

}  // namespace pacia
