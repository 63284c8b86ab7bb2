// Weighted sums over neighbours in plain ATen calls: one message per edge,
// summed by index.
#pragma once

#include "edges_reference.hh"

namespace pacia::reference {

// mean returns m [A, d] with m_v = Σ_u α_v β_u (z_u + table[code]) over v's
// neighbours u and v itself; z [A, d], table [18, d], α and β [A].
inline Tensor mean(const Tensor &z, const Tensor &table, const Tensor &alpha, const Tensor &beta,
                   const Graph &g) {
  auto e = edges(g);
  auto weight = padded(alpha).index_select(0, e.to) * padded(beta).index_select(0, e.from);
  auto message = padded(z).index_select(0, e.from) + table.index_select(0, e.code);
  return summed(message * weight.unsqueeze(1), e, z.size(0));
}

}  // namespace pacia::reference
