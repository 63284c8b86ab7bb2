// See graphs.hh.
#include "core/libtorch.hh"

#include "graphs.hh"

#include <ATen/ops/tensor.h>

#include <map>
#include <mutex>
#include <string>
#include <tuple>

namespace pacia {

namespace {

// Lists has Pairings under construction.
struct Lists {
  std::vector<int64_t> left, right, pair, node;

  void compare(int64_t a, int64_t b) {
    left.push_back(a);
    right.push_back(b);
  }
  // graph adds a graph with the given rows as nodes, and the numbers of its pairs.
  template <class Row, class Pair>
  void graph(int64_t n, const Row &row, const Pair &of) {
    for (int64_t i = 0; i < n; i++) {
      node.push_back(row(i));
      for (int64_t j = 0; j < n; j++) pair.push_back(i == j ? 0 : of(std::min(i, j), std::max(i, j)));
    }
  }
  Pairings on(at::Device where) const {
    auto make = [&](const std::vector<int64_t> &v) { return at::tensor(v, at::kLong).to(where); };
    return {make(left), make(right), make(pair), make(node)};
  }
};

}  // namespace

Graphs::Graphs(int64_t N, int64_t M, at::Device where)
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
  first = shared.on(where);
  later = own.on(where);
}

// A cached object is never deleted, because another stream may read it. Beyond the limit,
// objects are not cached, and the caller owns them.
std::shared_ptr<const Graphs> Graphs::of(int64_t N, int64_t M, at::Device where) {
  constexpr size_t kMost = 64;
  static std::mutex one;
  static auto &kept = *new std::map<std::tuple<int64_t, int64_t, std::string>, std::shared_ptr<const Graphs>>;
  const std::lock_guard<std::mutex> mine(one);
  const std::tuple key(N, M, where.str());
  if (const auto found = kept.find(key); found != kept.end()) return found->second;
  auto made = std::make_shared<const Graphs>(N, M, where);
  if (kept.size() < kMost) kept.emplace(key, made);
  return made;
}

}  // namespace pacia
