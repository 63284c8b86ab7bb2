// See graphs.hh.
#include "core/libtorch.hh"

#include "graphs.hh"

#include <ATen/ops/tensor.h>

namespace pacia {

namespace {

// Lists is Pairings as they are made.
struct Lists {
  std::vector<int64_t> left, right, pair, node;

  void compare(int64_t a, int64_t b) {
    left.push_back(a);
    right.push_back(b);
  }
  // graph adds a graph with these rows as nodes, and its pairs, by their
  // numbers.
  template <class Row, class Pair>
  void graph(int64_t n, const Row &row, const Pair &of) {
    for (int64_t i = 0; i < n; i++) {
      node.push_back(row(i));
      for (int64_t j = 0; j < n; j++) pair.push_back(i == j ? 0 : of(std::min(i, j), std::max(i, j)));
    }
  }
  Pairings on(const at::TensorOptions &o) const {
    auto make = [&](const std::vector<int64_t> &v) { return at::tensor(v, at::kLong).to(o.device()); };
    return {make(left), make(right), make(pair), make(node)};
  }
};

}  // namespace

Graphs::Graphs(int64_t N, int64_t M, const at::TensorOptions &o)
    : N(N), M(M), G(std::max<int64_t>(M, 1)), n(N + (M > 0)) {
  const int64_t inner = N * (N - 1) / 2, each = n * (n - 1) / 2;
  Lists shared, own;
  for (int64_t j = 1; j < N; j++)
    for (int64_t i = 0; i < j; i++) shared.compare(i, j);
  for (int64_t q = 0; q < M; q++)
    for (int64_t i = 0; i < N; i++) shared.compare(i, N + q);
  for (int64_t g = 0; g < G; g++) {
    for (int64_t j = 1; j < n; j++)
      for (int64_t i = 0; i < j; i++) own.compare(g * n + i, g * n + j);
    shared.graph(n, [&](int64_t i) { return i < N ? i : N + g; },
                 [&](int64_t i, int64_t j) { return j < N ? j * (j - 1) / 2 + i : inner + g * N + i; });
    own.graph(n, [&](int64_t i) { return g * n + i; },
              [&](int64_t i, int64_t j) { return g * each + j * (j - 1) / 2 + i; });
  }
  first = shared.on(o);
  later = own.on(o);
}

}  // namespace pacia
