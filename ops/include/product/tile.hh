// Products of tall matrices with small ones, which are most of a step's time. A tile of the
// result stays in registers while the panels of the weights are read from the first-level
// cache, and the steps after the product are done when the tile is stored. All products in the
// model (widths of 100 to 600, 1,000 to 100,000 rows) have this shape. Libraries are tuned for
// other shapes, and MKL not for all manufacturers' processors.
//
// Legend: M rows, K inner size, N columns.
#pragma once

#include <cstdint>
#include <memory>

#include "product/after.hh"

namespace pacia {

// Finish has the steps after a product: a bias [N] or null, After, and the matrix like [M, N]
// with the signs for After.
struct Finish {
  const float *bias = nullptr;
  After after = After::nothing;
  const float *like = nullptr;
};

// Tiles has the kernels for one generation of processors, on panels of a fixed number of
// columns of B [K, N]. The last panel is padded with zeros, and K is padded to a multiple of
// depth.
struct Tiles {
  const char *name;
  int64_t rows, columns, depth;  // of a tile
  int64_t block;                 // number of rows of x that stay in the second-level cache while panels are read
  int64_t bytes;                 // size of a number in a panel

  // pack cuts B into panels. Its rows are sk apart and its columns sn; one of the two is 1.
  void (*pack)(const float *b, int64_t sk, int64_t sn, int64_t K, int64_t N, float *panels);

  // rows_times computes M rows of y = x·B, or adds them to y, and does the steps after it. Rows
  // of x are lx apart and their entries sx, one of the two 1; rows of y are ly apart.
  void (*rows_times)(const float *x, int64_t lx, int64_t sx, int64_t M, const float *panels,
                     int64_t K, int64_t N, float *y, int64_t ly, bool add, const Finish &f);
};

// kRowBlock is the block of tiles in vector registers.
constexpr int64_t kRowBlock = 96;

// vector_tiles returns the kernels for this processor's vector registers, or null. matrix_tiles
// returns those of an equally exact matrix unit, bf16_matrix_tiles and bf16_vector_tiles those that
// round factors to bf16, and tiles those that are in use.
const Tiles *vector_tiles();
const Tiles *matrix_tiles();
const Tiles *bf16_matrix_tiles();
const Tiles *bf16_vector_tiles();
const Tiles *tiles();

// Room is memory for panels, which begins at a cache line.
class Room {
 public:
  explicit Room(int64_t floats) : data_(new float[static_cast<size_t>(floats + 16)]) {}
  float *get() const {
    auto at = reinterpret_cast<uintptr_t>(data_.get());
    return data_.get() + (64 - at % 64) % 64 / sizeof(float);
  }

 private:
  std::unique_ptr<float[]> data_;
};

// filled returns n, rounded up to a multiple of `to`.
inline int64_t filled(int64_t n, int64_t to) { return (n + to - 1) / to * to; }

// panels_size returns the number of floats that hold the panels of B [K, N].
int64_t panels_size(int64_t K, int64_t N, const Tiles &t);

// packed returns B as panels: wᵀ for w [N, K], or w [K, N] if transposed is false.
Room packed(const float *w, int64_t K, int64_t N, bool transposed, const Tiles &t);

}  // namespace pacia
