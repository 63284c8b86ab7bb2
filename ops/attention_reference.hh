// Attention over neighbours in plain ATen calls: one message per edge and head,
// summed by index.
#pragma once

#include "edges_reference.hh"

namespace pacia {

// Slope of the LeakyReLU of scores.
constexpr double kScoreLeak = 0.2;

namespace reference {

// attention returns m [A, d] from z [A, H·d], table [18, H·d], scores
// s [H, A, 2] of an atom as target and as source, and t [H, 18] of a bond; see
// attention.hh.
inline Tensor attention(const Tensor &z, const Tensor &table, const Tensor &s, const Tensor &t,
                        const Graph &g) {
  const int64_t A = z.size(0), H = s.size(0);
  auto e = edges(g);
  auto of = [&](int64_t role, const Tensor &row) {
    return padded(s.select(2, role).t()).index_select(0, row);
  };
  auto score = of(0, e.to) + of(1, e.from) + t.t().index_select(0, e.code);
  score = at::leaky_relu(score, kScoreLeak);
  // A softmax over the edges of one source; no row is without one, but for row A.
  auto source = e.from.unsqueeze(1).expand({-1, H});
  auto none = at::full({A + 1, H}, -std::numeric_limits<double>::infinity(), score.options());
  auto largest = none.scatter_reduce(0, source, score.detach(), "amax");
  auto power = (score - largest.index_select(0, e.from)).exp();
  auto sum = at::zeros_like(none).index_add(0, e.from, power);
  auto p = power / sum.index_select(0, e.from);
  auto message = padded(z).index_select(0, e.from) + table.index_select(0, e.code);
  return summed(message.view({-1, H, z.size(1) / H}) * p.unsqueeze(2), e, A).mean(1);
}

}  // namespace reference
}  // namespace pacia
