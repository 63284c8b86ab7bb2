// Products of tall matrices with small ones, most of a step's time: a tile of the result stays
// in registers while the weights' panels pass from the first cache, and the steps after the
// product are done as the tile is stored. Every size of the model (widths of 100 to 600, 1,000
// to 100,000 rows) fits this shape; libraries are tuned for others, and MKL not for every
// maker's processors.
//
// Legend: M rows, K inner size, N columns.
#pragma once

#include <cstdint>
#include <memory>

#include "product/after.hh"

namespace pacia {

// Finish lists the steps after a product: a bias [N] or null, After, and the matrix like [M,
// N], which gives After its signs.
struct Finish {
  const float *bias = nullptr;
  After after = After::nothing;
  const float *like = nullptr;
};

// Tiles are the kernels of one generation of processors, on panels of some columns of B [K,
// N]. The last panel is filled up with zeros, and K is also filled up to a whole number of
// depths.
struct Tiles {
  const char *name;
  int64_t rows, columns, depth;  // of a tile
  int64_t block;                 // rows of x that stay in the second cache while panels pass
  int64_t bytes;                 // of a number in a panel

  // pack cuts B into panels. Its rows are sk apart and its columns sn; one of them is 1.
  void (*pack)(const float *b, int64_t sk, int64_t sn, int64_t K, int64_t N, float *panels);

  // rows_times computes M rows of y = x·B, or adds them to y, and does the steps after it.
  // Rows of x are lx apart, their entries sx, one of them 1; rows of y are ly apart.
  void (*rows_times)(const float *x, int64_t lx, int64_t sx, int64_t M, const float *panels,
                     int64_t K, int64_t N, float *y, int64_t ly, bool add, const Finish &f);
};

// kRowBlock is the block of tiles in vector registers.
constexpr int64_t kRowBlock = 96;

// vector_tiles returns the kernels of this processor's vector registers, or null, matrix_tiles
// those of a matrix unit that are as exact, bf16_tiles those that round factors to bf16, and
// tiles those that are to be used.
const Tiles *vector_tiles();
const Tiles *matrix_tiles();
const Tiles *bf16_tiles();
const Tiles *tiles();

// Room for panels, from the start of a cache line on.
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

// filled is n, or the next multiple of so many.
inline int64_t filled(int64_t n, int64_t to) { return (n + to - 1) / to * to; }

// panels_size is the floats that panels of B [K, N] have room in.
int64_t panels_size(int64_t K, int64_t N, const Tiles &t);

// packed is B, wᵀ for w [N, K] or with transposed false w [K, N], as panels.
Room packed(const float *w, int64_t K, int64_t N, bool transposed, const Tiles &t);

}  // namespace pacia
