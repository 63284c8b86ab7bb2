// Constants and formulas that are common to the loops for the CPU and the kernels.
#ifndef PACIA_CUDA_SHARED
#define PACIA_CUDA_SHARED

#ifdef __CUDACC_RTC__
#define SHARED __device__ __forceinline__
#else
#define SHARED inline __attribute__((always_inline))
#endif

// Slope of every LeakyReLU: PyTorch's default, which the published code uses.
constexpr double kLeak = 0.01;

// The smallest length that vectors are divided by, as in torch's normalize.
constexpr double kLeastLength = 1e-12;

// Term added to the norm for gradient clipping, as in torch's clip_grad_norm_.
constexpr double kClipSlack = 1e-6;

// Bond types (single, double, triple, aromatic, self loop, mask) and directions
// (none, end up right, end down right), as in Hu et al. (2020). A bond's code is
// type·3 + direction; the self loop has type 4, direction 0.
constexpr int kBondTypes = 6, kBondDirections = 3, kSelfType = 4;

// Multipliers of the 32-bit finaliser "lowbias32", whose bias is below 0.2 % per
// bit.
constexpr uint32_t kMixFirst = 0x7feb352d, kMixSecond = 0x846ca68b;

SHARED uint32_t mix_bits(uint32_t x) {
  x ^= x >> 16;
  x *= kMixFirst;
  x ^= x >> 15;
  x *= kMixSecond;
  x ^= x >> 16;
  return x;
}

// mask_hash mixes an element's number with the two halves of a key of dropout.
SHARED uint32_t mask_hash(uint32_t x, uint32_t low, uint32_t high) {
  return mix_bits(mix_bits(x ^ low) + high);
}

#undef SHARED
#endif
