// Finds hidden units of the pair network that may have another sign than at a pair's anchor.
// pieces.hh has the bounds.
//
// Legend: m axes, n units.
#pragma once

#include "pieces.hh"
#include "product/vector.hh"

#ifdef PACIA_HAS_AVX512
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include <immintrin.h>
#endif

namespace pacia {

// Bounds has, for the hidden units of a layer, their distances from 0, the changes of these
// distances by steps of length 1 on the m axes, and their largest changes by a rest of δ of
// length 1. n is a multiple of the run length.
template <class T>
struct Bounds {
  const T *far, *along, *reach;
  int64_t n;
};

// doubtful writes to `which` the units that may have another sign after steps t and a rest of
// length r. It returns their number, or −1 if there are more than kDoubts.
template <int bytes, int m, class T>
PACIA_INLINE int64_t doubtful_loop(const Bounds<T> &of, const T *t, T r, int32_t *which) {
  typedef typename Lanes<T, bytes>::type V;
  constexpr int64_t w = Lanes<T, bytes>::n;
  auto of_half = [&](int64_t j) __attribute__((always_inline)) {
    T left[kRun / 2];
    for (int64_t i = 0; i < kRun / 2; i += w) {
      auto at = [&](const T *x) __attribute__((always_inline)) -> const V & { return *reinterpret_cast<const V *>(x + i); };
      V y = at(of.far + j) - r * at(of.reach + j);
#pragma GCC unroll 8
      for (int64_t a = 0; a < m; a++) y += t[a] * at(of.along + j * m + a * kRun / 2);
      *reinterpret_cast<V *>(left + i) = y;
    }
    uint32_t bits = 0;
#pragma omp simd reduction(| : bits)
    for (uint32_t i = 0; i < kRun / 2; i++) bits |= static_cast<uint32_t>(left[i] <= 0) << i;
    return bits;
  };
  int64_t found = 0;
  for (int64_t j = 0; j < of.n; j += kRun)
    for (uint64_t bits = of_half(j) | static_cast<uint64_t>(of_half(j + kRun / 2)) << (kRun / 2); bits != 0; bits &= bits - 1) {
      if (found == kDoubts) return -1;
      which[found++] = static_cast<int32_t>(j) + __builtin_ctzll(bits);
    }
  return found;
}
#ifdef PACIA_HAS_AVX512
// doubtful_masks is doubtful with the comparisons of a register directly as bits.
template <int m>
__attribute__((target("arch=x86-64-v4"))) static int64_t doubtful_masks(const Bounds<float> &of, const float *t, float r,
                                                                         int32_t *which) {
  constexpr int64_t w = 16, half = kRun / 2;
  const __m512 rest = _mm512_set1_ps(r), zero = _mm512_setzero_ps();
  __m512 step[m > 0 ? m : 1];
  for (int a = 0; a < m; a++) step[a] = _mm512_set1_ps(t[a]);
  int64_t found = 0;
  for (int64_t j = 0; j < of.n; j += kRun) {
    uint64_t bits = 0;
#pragma GCC unroll 4
    for (int64_t i = 0; i < kRun; i += w) {
      const float *along = of.along + (j + i / half * half) * m + i % half;
      __m512 y = _mm512_fnmadd_ps(rest, _mm512_loadu_ps(of.reach + j + i), _mm512_loadu_ps(of.far + j + i));
#pragma GCC unroll 8
      for (int a = 0; a < m; a++) y = _mm512_fmadd_ps(step[a], _mm512_loadu_ps(along + a * half), y);
      bits |= static_cast<uint64_t>(_mm512_cmp_ps_mask(y, zero, _CMP_LE_OQ)) << i;
    }
    for (; bits != 0; bits &= bits - 1) {
      if (found == kDoubts) return -1;
      which[found++] = static_cast<int32_t>(j) + __builtin_ctzll(bits);
    }
  }
  return found;
}
#else
template <int m>
int64_t doubtful_masks(const Bounds<float> &of, const float *t, float r, int32_t *which) {
  return doubtful_loop<32, m>(of, t, r, which);
}
#endif

PACIA_WIDTHS(int64_t doubtful(const Bounds<float> &of, int64_t m, const float *t, float r, int32_t *which),
             if constexpr (bytes == 64) return m > 0 ? doubtful_masks<kAxes>(of, t, r, which) : doubtful_masks<0>(of, t, r, which);
             else return m > 0 ? doubtful_loop<bytes, kAxes>(of, t, r, which) : doubtful_loop<bytes, 0>(of, t, r, which);)
PACIA_WIDTHS(int64_t doubtful(const Bounds<double> &of, int64_t m, const double *t, double r, int32_t *which),
             return m > 0 ? doubtful_loop<bytes, kAxes>(of, t, r, which) : doubtful_loop<bytes, 0>(of, t, r, which);)

}  // namespace pacia
