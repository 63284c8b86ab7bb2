// The relation layer in plain ATen calls, every pair of every graph at once:
// [Q, n, n, d] in memory, nothing shared.
#pragma once

#include "core/positional.hh"

namespace pacia {

// Floor of a row's sum in the L1 normalisation, torch's own.
constexpr double kNormFloor = 1e-12;

namespace reference {

// graphs joins the support [B·N, d] of each query's task with the query.
inline Tensor graphs(const Tensor &support, const Tensor &query, const Tensor &task, int64_t N) {
  auto s = support.view({-1, N, support.size(1)}).index_select(0, task);
  return at::cat({s, query.unsqueeze(1)}, 1);
}

// relation returns [h | Â h] as [Q·n, 2d], and A's kept entries [Q, n, n].
inline std::pair<Tensor, Tensor> relation(const Tensor &h, const std::vector<Tensor> &net,
                                          int64_t K) {
  const int64_t n = h.size(1);
  auto x = at::exp(-(h.unsqueeze(2) - h.unsqueeze(1)).abs());
  for (size_t i = 0; i < 2; i++) x = leaky(linear(x, net[2 * i], net[2 * i + 1]));
  auto a = linear(x, net[4], net[5]).squeeze(-1).sigmoid();
  auto self = at::eye(n, h.options().dtype(at::kBool));
  a = a.masked_fill(self, 0);
  auto top = std::get<1>(a.masked_fill(self, -1).topk(K, 2));
  auto kept = a * at::zeros_like(a).scatter(2, top, 1);
  auto weights = kept / kept.sum(2, true).clamp_min(kNormFloor);
  return {at::cat({h, at::bmm(weights, h)}, 2).flatten(0, 1), kept};
}

}  // namespace reference
}  // namespace pacia
