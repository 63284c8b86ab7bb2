// The pairs of molecules that a relation layer compares. The similarity of i and j is that of j
// and i, so that pairs have i < j. In the first layer, the support molecules of a task are the
// same in the graphs of all its queries, so that their pairs are compared once for each task.
//
// Legend: B tasks, Q queries, N support molecules, n = N+1 nodes of a graph, R rows of the
// table of distinct nodes, P pairs.
#pragma once

#include "core/autograd.hh"

namespace pacia {

// Pairs lists the pairs block by block. The rows of different blocks are disjoint. A block is a
// task in the first layer, and a graph in later layers. An autograd graph can own a Pairs.
struct Pairs : torch::CustomClassHolder {
  Pairs(int64_t N, int64_t Q) : N(N), n(N + 1), Q(Q), block{0} {}

  int64_t N, n, Q;
  std::vector<int32_t> left, right;  // [P] rows of the table
  std::vector<int64_t> block;        // [blocks+1] offsets into the pairs
  std::vector<int64_t> inner, outer; // [Q] first support–support, support–query pair
  std::vector<int32_t> node;         // [Q, n] rows of the table
  std::vector<int64_t> task;         // [B+1] the first graph of each task, if each graph has its own nodes

  int64_t size() const { return static_cast<int64_t>(left.size()); }

  // support_pairs returns the number of pairs of a graph's support molecules. They come first
  // among its pairs, in the same order in every graph.
  int64_t support_pairs() const { return N * (N - 1) / 2; }

  // of returns the pair of nodes i and j ≠ i of graph q.
  int64_t of(int64_t q, int64_t i, int64_t j) const {
    if (i > j) std::swap(i, j);
    return j < N ? inner[q] + j * (j - 1) / 2 + i : outer[q] + i;
  }

  void compare(int64_t a, int64_t b) {
    left.push_back(static_cast<int32_t>(a));
    right.push_back(static_cast<int32_t>(b));
  }
};

// separate_pairs returns the pairs if every graph has its own nodes, rows q·n + i. task [Q] may
// be null; then it is unknown which graphs belong to the same task.
inline Pairs separate_pairs(const int32_t *task, int64_t Q, int64_t N) {
  Pairs p(N, Q);
  for (int64_t q = 0; task && q < Q; q++)
    if (q == 0 || task[q] != task[q - 1]) p.task.push_back(q);
  if (task) p.task.push_back(Q);
  for (int64_t q = 0; q < Q; q++) {
    p.inner.push_back(p.size());
    for (int64_t j = 0; j <= N; j++) {
      p.node.push_back(static_cast<int32_t>(q * p.n + j));
      if (j == N) p.outer.push_back(p.size());
      for (int64_t i = 0; i < j; i++) p.compare(q * p.n + i, q * p.n + j);
    }
    p.block.push_back(p.size());
  }
  return p;
}

// shared_pairs returns the pairs if the graphs of a task share its support. Rows are the
// support of all tasks [B·N], then the queries [Q], in the order of their tasks.
inline Pairs shared_pairs(const int32_t *task, int64_t B, int64_t Q, int64_t N) {
  Pairs p(N, Q);
  int64_t q = 0;
  for (int64_t t = 0; t < B; t++) {
    const int64_t first = p.size();
    for (int64_t j = 0; j < N; j++)
      for (int64_t i = 0; i < j; i++) p.compare(t * N + i, t * N + j);
    for (; q < Q && task[q] == t; q++) {
      p.inner.push_back(first);
      p.outer.push_back(p.size());
      for (int64_t i = 0; i < N; i++) {
        p.node.push_back(static_cast<int32_t>(t * N + i));
        p.compare(t * N + i, B * N + q);
      }
      p.node.push_back(static_cast<int32_t>(B * N + q));
    }
    p.block.push_back(p.size());
  }
  if (q != Q) throw std::invalid_argument("queries are not in the order of their tasks");
  return p;
}

}  // namespace pacia
