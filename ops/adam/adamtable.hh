// Adam by the kernels of cuda/kernels/adam.cu: a step is three launches for all parameters
// together, and does not wait for the device. adam.hh returns the loss and the norm to its caller. The kernels
// write them to a log on the device, and also record whether one of them was not finite.
//
// Legend: n parameters, C chunks.
#pragma once

#include <ATen/core/grad_mode.h>
#include <ATen/ops/from_blob.h>

#include "adam.h"
#include "core/launch.hh"

namespace pacia {

// AdamTable holds the addresses of the parameters. Parameters without a defined gradient at the
// launch of a step are not updated.
class AdamTable {
 public:
  AdamTable(std::vector<Tensor> params, std::vector<Tensor> ms, std::vector<Tensor> vs)
      : params_(std::move(params)), ms_(std::move(ms)), vs_(std::move(vs)) {
    int64_t chunks = 0;
    for (auto &p : params_) chunks += (p.numel() + kAdamChunk - 1) / kAdamChunk;
    auto bytes = params_.at(0).options().dtype(at::kByte).requires_grad(false);
    const auto n = static_cast<int64_t>(params_.size());
    table_ = at::zeros({n * static_cast<int64_t>(sizeof(AdamParameter))}, bytes);
    chunks_ = at::zeros({chunks * static_cast<int64_t>(sizeof(AdamChunk))}, bytes);
    squares_ = at::zeros({chunks}, bytes.dtype(at::kDouble));
  }

  // launch starts a step. During the capture of a CUDA graph, nothing can be copied to the
  // device. In that case, a call of place must copy the table before the graph runs.
  void launch(const Tensor &loss, const Tensor &numbers, const Tensor &log, const AdamOptions &o,
              bool clear, bool capturing) {
    at::NoGradGuard no_grad;
    list();
    if (!capturing) place();
    const auto like = params_.at(0).detach();
    const auto C = static_cast<unsigned>(chunk_.size());
    const auto *table = static_cast<const AdamParameter *>(table_.data_ptr());
    const auto *chunks = static_cast<const AdamChunk *>(chunks_.data_ptr());
    const pacia_cuda_grid each{C, 1, kThreads};
    PACIA_LAUNCH(adam_squares, like, each, table, chunks, squares_);
    PACIA_LAUNCH(adam_plan, like, (pacia_cuda_grid{1, 1, kThreads}), squares_, C,
                 loss.defined() ? loss.detach() : loss, numbers, log, log.size(0), o);
    PACIA_LAUNCH(adam_update, like, each, table, chunks, numbers, o, clear);
  }

  // place copies the table of the last launch to the device, unless it is already there.
  void place() {
    copy(table_, row_, placed_row_);
    copy(chunks_, chunk_, placed_chunk_);
  }

 private:
  // list records the addresses of the parameters with gradients.
  void list() {
    row_.clear();
    chunk_.clear();
    for (size_t i = 0; i < params_.size(); i++) {
      auto &g = params_[i].mutable_grad();
      if (!g.defined()) continue;
      if (!g.is_contiguous()) g = g.contiguous();
      const auto row = static_cast<int64_t>(row_.size());
      row_.push_back({params_[i].data_ptr(), g.data_ptr(), ms_[i].data_ptr(), vs_[i].data_ptr()});
      for (int64_t k = 0, n = g.numel(); k < n; k += kAdamChunk)
        chunk_.push_back({row, k, std::min<int64_t>(kAdamChunk, n - k)});
    }
  }

  template <class T>
  static void copy(const Tensor &to, const std::vector<T> &from, std::vector<T> &placed) {
    const size_t bytes = from.size() * sizeof(T);
    if (from.empty() ||
        (placed.size() == from.size() && std::memcmp(placed.data(), from.data(), bytes) == 0))
      return;
    auto host = at::from_blob(const_cast<T *>(from.data()), {static_cast<int64_t>(bytes)}, at::kByte);
    to.slice(0, 0, host.size(0)).copy_(host);
    placed = from;
  }

  std::vector<Tensor> params_, ms_, vs_;
  Tensor table_, chunks_, squares_;
  std::vector<AdamParameter> row_, placed_row_;
  std::vector<AdamChunk> chunk_, placed_chunk_;
};

inline AdamOptions adam_options(const pacia_adam_options &o) {
  return {o.lr, o.beta1, o.beta2, o.eps, o.weight_decay, o.clip_norm, o.decoupled,
          {o.warm, o.steps, o.least}};
}

}  // namespace pacia
