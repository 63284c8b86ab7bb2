// A chunk of whole molecules in one tower of PNA. Its table has, for each bond type, a row for
// every atom with a bond of this type: W_t h of the atom as a bond's source and as its target.
// A chunk fits into the second-level cache. Atoms whose state is held by another atom have rows
// only as a source.
//
// Legend: A atoms, E bonds, n molecules, H towers of width e, T bond types, p width of an
// aggregate; rows of the table are [source 3p | target 3p].
#pragma once

#include <utility>

#include "aggregate.hh"
#include "product/panels.hh"
#include "product/vector.hh"

namespace pacia {

// kPnaChunk atoms have about 200 rows of 6·64 numbers: 0.3 MB.
constexpr int64_t kPnaChunk = 128;

// pna_chunks cuts the atoms of molecules into runs. Each has about kPnaChunk atoms that are
// ends of a bond into an atom with a place [A] other than −1.
inline std::vector<int64_t> pna_chunks(const PnaGraph &g, const std::vector<int32_t> &place) {
  const int32_t *p = ints(g.mol), *ptr = ints(g.rowptr), *col = ints(g.col);
  std::vector<int64_t> first{0};
  std::vector<char> end(place.size(), 0);
  int64_t ends = 0;
  // A bond that leaves the batch is refused later, in lay.
  auto count = [&](int32_t v) {
    const auto i = static_cast<size_t>(v);
    if (i < end.size()) ends += !std::exchange(end[i], 1);
  };
  for (int64_t i = 1; i < g.mol.size(0); i++) {
    for (int32_t v = p[i - 1]; v < p[i]; v++) {
      if (place[v] < 0) continue;
      count(v);
      for (int32_t k = ptr[v]; k < ptr[v + 1]; k++) count(col[k]);
    }
    if (ends < kPnaChunk) continue;
    first.push_back(p[i]);
    ends = 0;
  }
  if (first.back() != p[g.mol.size(0) - 1]) first.push_back(p[g.mol.size(0) - 1]);
  return first;
}

// TowerPanels has the weights of one tower, cut for products: [e, 6p] for each type and, with
// backward, [6p, e].
template <class T>
struct TowerPanels {
  std::vector<Panels<T>> forward, backward;

  // w is [types, 6p, e].
  TowerPanels(const T *w, int64_t types, int64_t wide, int64_t e, bool back) {
    for (int64_t t = 0; t < types; t++) {
      forward.emplace_back(w + t * wide * e, e, wide, true);
      if (back) backward.emplace_back(w + t * wide * e, wide, e, false);
    }
  }
};

// TowerChunk is the scratch memory of a thread.
template <class T>
class TowerChunk {
 public:
  TowerChunk(const PnaGraph &g, const std::vector<int32_t> &place, const PnaTowers &t, const Tensor &h)
      : ptr_(ints(g.rowptr)), col_(ints(g.col)), code_(g.code.data_ptr<uint8_t>()), place_(place.data()),
        types_(t.types()), p_(t.p()), e_(t.e()), d_(h.size(1)), h_(h.data_ptr<T>()),
        own_(static_cast<size_t>(4 * p_)) {}

  // fill computes the table of atoms first..last in tower k. bias is [types, 6p].
  void fill(int64_t first, int64_t last, int64_t k, const TowerPanels<T> &w, const T *bias) {
    begin_ = first;
    lay(last - first);
    const auto rows = static_cast<int64_t>(atom_.size()), wide = 6 * p_;
    x_.resize(static_cast<size_t>(rows * e_));
    table_.resize(static_cast<size_t>(rows * wide));
    for (int64_t r = 0; r < rows; r++)
      std::copy_n(h_ + (first + atom_[r]) * d_ + k * e_, e_, x_.data() + r * e_);
    for (int64_t t = 0; t < types_; t++)
      w.forward[t].times(x_.data() + start_[t] * e_, e_, 1, start_[t + 1] - start_[t],
                         table_.data() + start_[t] * wide, wide, bias + t * wide, false);
  }

  // aggregate writes the aggregates of atom v of the chunk to x [4p].
  void aggregate(int64_t v, T *x) {
    bonds(v);
    pacia::aggregate(s_.data(), t_.data(), static_cast<int64_t>(s_.size()), p_, x);
  }

  // clear begins the backward pass for the current table.
  void clear() { grad_.assign(table_.size(), T(0)); }

  // aggregate_back takes x and its gradient g [4p] for atom v.
  void aggregate_back(int64_t v, const T *x, const T *g) {
    bonds(v);
    if (s_.empty()) return;
    ds_.clear();
    dt_.clear();
    for (size_t k = 0; k < s_.size(); k++) {
      ds_.push_back(grad_.data() + (s_[k] - table_.data()));
      dt_.push_back(grad_.data() + (t_[k] - table_.data()));
    }
    pacia::aggregate_back(s_.data(), t_.data(), static_cast<int64_t>(s_.size()), p_, x, g,
                          ds_.data(), dt_.data(), own_.data());
  }

  // finish adds the chunk's contribution to the gradients of the weights [types, 6p, e], of the
  // biases [types, 6p], where only the second half is used, and of h.
  void finish(int64_t k, const TowerPanels<T> &w, T *dw, T *db, T *dh) {
    const int64_t wide = 6 * p_;
    dx_.resize(x_.size());
    for (int64_t t = 0; t < types_; t++) {
      const int64_t rows = start_[t + 1] - start_[t];
      if (rows == 0) continue;
      const T *g = grad_.data() + start_[t] * wide, *x = x_.data() + start_[t] * e_;
      Panels<T>(x, rows, e_, false).times(g, 1, wide, wide, dw + t * wide * e_, e_, nullptr, true);
      for (int64_t r = 0; r < rows; r++) add(db + t * wide, g + r * wide, wide);
      w.backward[t].times(g, wide, 1, rows, dx_.data() + start_[t] * e_, e_, nullptr, false);
    }
    for (size_t r = 0; r < atom_.size(); r++)
      add(dh + (begin_ + atom_[r]) * d_ + k * e_, dx_.data() + r * static_cast<size_t>(e_), e_);
  }

 private:
  int64_t type(int32_t bond) const { return code_[bond] / kDirections; }

  // lay finds the rows of n atoms. Every bond should occur in both directions, but the table
  // does not rely on it.
  void lay(int64_t n) {
    row_.assign(static_cast<size_t>(types_ * n), -1);
    for (int64_t v = 0; v < n; v++) {
      if (place_[begin_ + v] < 0) continue;
      for (int32_t k = ptr_[begin_ + v]; k < ptr_[begin_ + v + 1]; k++) {
        const int64_t u = col_[k] - begin_;
        TORCH_CHECK(u >= 0 && u < n, "a bond leads from atom ", col_[k], " to atom ", begin_ + v,
                    " of another molecule");
        TORCH_CHECK(type(k) < types_, "bond ", k, " has type ", type(k), ", out of range of 0 to ",
                    types_ - 1);
        row_[type(k) * n + v] = row_[type(k) * n + u] = 0;
      }
    }
    atom_.clear();
    start_.assign(1, 0);
    for (int64_t t = 0; t < types_; t++) {
      for (int64_t v = 0; v < n; v++) {
        if (row_[t * n + v] < 0) continue;
        row_[t * n + v] = static_cast<int32_t>(atom_.size());
        atom_.push_back(static_cast<int32_t>(v));
      }
      start_.push_back(static_cast<int64_t>(atom_.size()));
    }
    atoms_ = n;
  }

  // bonds collects the table's rows for the bonds into atom v.
  void bonds(int64_t v) {
    s_.clear();
    t_.clear();
    for (int32_t k = ptr_[begin_ + v]; k < ptr_[begin_ + v + 1]; k++) {
      const int32_t *row = row_.data() + type(k) * atoms_;
      s_.push_back(table_.data() + row[col_[k] - begin_] * 6 * p_);
      t_.push_back(table_.data() + row[v] * 6 * p_ + 3 * p_);
    }
  }

  const int32_t *ptr_, *col_;
  const uint8_t *code_;
  const int32_t *place_;  // [A] −1 if not selected
  const int64_t types_, p_, e_, d_;
  const T *h_;
  int64_t begin_ = 0, atoms_ = 0;
  std::vector<int32_t> row_, atom_;  // [types, atoms] row of the table or −1; the atom of each row
  std::vector<int64_t> start_;       // the first row of each type
  std::vector<T> x_, dx_, table_, grad_, own_;
  std::vector<const T *> s_, t_;
  std::vector<T *> ds_, dt_;
};

}  // namespace pacia
