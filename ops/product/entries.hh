// Lists of the non-zero entries of matrices.
//
// Legend: n rows of x, K columns.
#pragma once

#include <cstdint>
#include <vector>

namespace pacia {

// List has the non-zero entries of a row or column, and their places.
struct List {
  const int32_t *at;
  const float *v;
  int64_t n;
};

// Lists has the lists of several rows or columns.
struct Lists {
  std::vector<int32_t> at;
  std::vector<float> v;
  std::vector<int64_t> begin, end;

  List operator[](int64_t i) const { return {at.data() + begin[i], v.data() + begin[i], end[i] - begin[i]}; }
  void room(int64_t lists, int64_t entries) {
    if (static_cast<int64_t>(begin.size()) < lists) begin.resize(lists), end.resize(lists);
    if (static_cast<int64_t>(at.size()) < entries) at.resize(entries), v.resize(entries);
  }
};

// Source has rows of numbers, l apart, and their factors, which may be null.
struct Source {
  const float *x;
  int64_t l;
  std::vector<const float *> f;
};

// list_rows lists those of K numbers in each of n rows that are not zero, multiplied by their
// factors, and their columns times unit.
void list_rows(const Source &s, int64_t n, int64_t K, int64_t unit, Lists &lists);

// list_columns converts the lists of n rows, by column, to those of K columns, by row times unit.
void list_columns(const Lists &of, int64_t n, int64_t K, int64_t unit, Lists &lists);

}  // namespace pacia
