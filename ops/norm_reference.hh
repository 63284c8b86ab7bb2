// Grouped batch norm, ReLU and dropout in plain ATen calls: what norm.hh is
// tested against, and what runs where norm.hh has no loops.
#pragma once

#include "dropout.hh"

namespace pacia {

// Of torch's BatchNorm1d, which the published code uses.
constexpr double kNormEps = 1e-5;
constexpr double kMomentum = 0.1;

// NormMode says what follows the normalisation. Dropout is active in training.
// A group moves the running averages by momentum; by 1, they become its own.
struct NormMode {
  bool training, relu;
  Dropout dropout;
  double momentum = kMomentum;

  bool drops() const { return training && dropout.on(); }

  void save(AutogradContext *ctx) const {
    ctx->saved_data["training"] = training;
    ctx->saved_data["relu"] = relu;
    dropout.save(ctx);
  }
  static NormMode load(AutogradContext *ctx) {
    auto &s = ctx->saved_data;
    return {s["training"].toBool(), s["relu"].toBool(), Dropout::load(ctx)};
  }
};

namespace reference {

inline Tensor norm(const Tensor &z, const Tensor &group, const Tensor &gamma, const Tensor &beta,
                   const Tensor &mean, const Tensor &var, const NormMode &mode) {
  const int64_t G = group.size(0) - 1;
  std::vector<Tensor> parts;
  auto ptr = group.cpu();
  for (int64_t g = 0; g < G; g++) {
    auto part = z.slice(0, ptr[g].item<int64_t>(), ptr[g + 1].item<int64_t>());
    const int64_t n = part.size(0);
    if (n == 0) continue;
    if (!mode.training) {
      part = (part - mean) / (var + kNormEps).sqrt();
    } else {
      auto m = part.mean(0), v = (part - m).square().mean(0);
      mean.mul_(1 - mode.momentum).add_(m.detach(), mode.momentum);
      var.mul_(1 - mode.momentum)
          .add_(v.detach(), mode.momentum * (n > 1 ? static_cast<double>(n) / (n - 1) : 1));
      part = (part - m) / (v + kNormEps).sqrt();
    }
    parts.push_back(part);
  }
  auto y = at::cat(parts) * gamma + beta;
  if (mode.relu) y = y.relu();
  return mode.drops() ? y * mask(y, mode.dropout) : y;
}

}  // namespace reference
}  // namespace pacia
