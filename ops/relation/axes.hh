// The directions in which a pair's D varies most between the graphs of a task. A query moves
// the support's nodes in few directions: eight of them have nine tenths of δ. The first kAxes
// directions are used, and of the rest of δ only its length.
//
// Legend: g samples of δ, d width, m axes.
#pragma once

#include <cmath>
#include <numeric>

#include "pairnet.hh"
#include "pieces.hh"
#include "product/vector.hh"

namespace pacia {

// orthonormal orthonormalises the rows of y [m, d] in order. A row that depends on previous
// rows becomes zero. Two passes are necessary for rows that are nearly parallel.
template <class T>
void orthonormal(T *y, int64_t m, int64_t d) {
  for (int64_t a = 0; a < m; a++) {
    T *row = y + a * d;
    const T before = dot(row, row, d);
    for (int pass = 0; pass < 2; pass++)
      for (int64_t b = 0; b < a; b++) axpy(row, y + b * d, -dot(row, y + b * d, d), d);
    const T left = dot(row, row, d);
    const T scale = left > T(kSlack) * before ? 1 / std::sqrt(left) : T(0);
    for (int64_t i = 0; i < d; i++) row[i] *= scale;
  }
}

// Axes computes the axes by one step of subspace iteration (Halko et al. 2011, algorithm 4.4),
// from sums of the samples with signs. Each thread has one.
template <class T>
class Axes {
 public:
  explicit Axes(int64_t d) : d_(d), x_(room(kSamples)), y_(room(kAxes)), all_(kSamples) {
    std::iota(all_.begin(), all_.end(), 0);
  }

  // sample returns the memory for sample s [d].
  T *sample(int64_t s) { return x_.data() + s * d_; }

  // find writes the axes [kAxes, d] to `to`.
  void find(T *to) {
    sums([](int64_t s, int64_t a) { return __builtin_parityll(static_cast<uint64_t>(s & (2 * a + 1))) ? T(-1) : T(1); }, y_.data());
    orthonormal(y_.data(), kAxes, d_);
    const T *rows[kAxes];
    for (int64_t a = 0; a < kAxes; a++) rows[a] = y_.data() + a * d_;
    T along[kSamples][kAxes];
    for (int64_t s = 0; s < kSamples; s++) dots(rows, kAxes, sample(s), d_, along[s]);
    sums([&](int64_t s, int64_t a) { return along[s][a]; }, to);
    orthonormal(to, kAxes, d_);
  }

 private:
  std::vector<T> room(int64_t rows) const { return std::vector<T>(static_cast<size_t>(rows * d_)); }

  // sums writes weighted sums of the samples [kAxes, d] to `to`.
  template <class F>
  void sums(const F &weight, T *to) {
    T fours[4 * kSamples];
    for (int64_t a = 0; a < kAxes; a += 4) {
      for (int64_t s = 0; s < kSamples; s++)
        for (int64_t c = 0; c < 4; c++) fours[4 * s + c] = weight(s, a + c);
      T *y[4] = {to + a * d_, to + (a + 1) * d_, to + (a + 2) * d_, to + (a + 3) * d_};
      weighted_fours(x_.data(), all_.data(), fours, kSamples, d_, y);
    }
  }

  const int64_t d_;
  std::vector<T> x_, y_;
  std::vector<int32_t> all_;  // the numbers of all samples
};

// axes_of computes t.axes from the graphs first..last of each task. Their anchors begin at row.
template <class T>
void axes_of(Pieces &t, const T *h, const Pairs &p, int64_t row, int64_t first, int64_t last) {
  const int64_t d = t.D.size(1), S = p.support_pairs();
  const T *D = t.D.data_ptr<T>();
  T *to = t.axes.data_ptr<T>();
  at::parallel_for(0, S, 16, [&](int64_t begin, int64_t end) {
    Axes<T> axes(d);
    for (int64_t k = begin; k < end; k++) {
      for (int64_t s = 0; s < kSamples; s++) {
        const int64_t pair = p.inner[first + (last - first) * s / kSamples] + k;
        displacement(h + p.left[pair] * d, h + p.right[pair] * d, D + (row + k) * d, axes.sample(s), d);
      }
      axes.find(to + (row + k) * kAxes * d);
    }
  });
}

}  // namespace pacia
