#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <vector>

#include <SimDivPickers/MaxMinPicker.h>

#include "guard.h"
#include "rdkit.h"

namespace {

// Distance returns 1 - Σ min / Σ max of the counts of two molecules. It is 0 for equal molecules, and for two
// without any counts.
struct Distance {
  const int32_t *ptr;
  const uint16_t *bit, *count;
  std::vector<int64_t> total;  // [n] sums of all counts

  Distance(const int32_t *p, const uint16_t *b, const uint16_t *c, int32_t n) : ptr(p), bit(b), count(c), total(n) {
    for (int32_t i = 0; i < n; i++) {
      for (int32_t e = ptr[i]; e < ptr[i + 1]; e++) total[i] += count[e];
    }
  }

  double operator()(unsigned int i, unsigned int j) const {
    int64_t common = 0;
    for (int32_t a = ptr[i], b = ptr[j]; a < ptr[i + 1] && b < ptr[j + 1];) {
      if (bit[a] == bit[b]) {
        common += std::min(count[a++], count[b++]);
      } else if (bit[a] < bit[b]) {
        a++;
      } else {
        b++;
      }
    }
    const int64_t all = total[i] + total[j] - common;
    return all > 0 ? 1 - static_cast<double>(common) / static_cast<double>(all) : 0;
  }
};

}  // namespace

int32_t pacia_rdkit_max_min(const int32_t *ptr, const uint16_t *bit, const uint16_t *count,
                            int32_t n, int32_t picks, int32_t *picked, char *reason,
                            int32_t reason_capacity) {
  return pacia::guarded(PACIA_REFUSED, reason, reason_capacity, [&]() -> int32_t {
    const pacia::Quiet quiet;
    Distance distance(ptr, bit, count, n);
    const RDKit::INT_VECT first(1, 0);  // so that the picks do not depend on a random number
    const RDKit::INT_VECT all = RDPickers::MaxMinPicker().lazyPick(
        distance, static_cast<unsigned int>(n), static_cast<unsigned int>(picks), first);
    if (all.size() != static_cast<size_t>(picks)) throw std::runtime_error("RDKit picked fewer molecules than requested");
    std::copy(all.begin(), all.end(), picked);
    return PACIA_OK;
  });
}
