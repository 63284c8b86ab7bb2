// What all kernels share. A file of kernels is compiled for float and for
// double, as the type real: by NVRTC for a GPU, and by the C++ compiler for the
// emulator. It includes nothing; see sources.go for the order of the files.
//
// Rules of the house: sums are made in an order that depends on the shapes
// alone, without atomic additions, so that a run can be repeated bit for bit.
// Offsets and row numbers were checked where Go made them. A grid covers at
// least what is to be done, and threads beyond it leave.

#ifdef __CUDACC_RTC__
#define KERNEL extern "C" __global__ void
#define DEVICE __device__ __forceinline__
#define SHARED(type, name, size) __shared__ type name size
#else
#define KERNEL inline void
#define DEVICE inline
#define SHARED(type, name, size)       \
  static thread_local type name size; \
  emulator::Block::mine().shared(&name, sizeof name)
#define __restrict__ __restrict
#endif

DEVICE real leaky_of(real z) { return z > 0 ? z : real(kLeak) * z; }
DEVICE real leaky_slope(real z) { return z > 0 ? real(1) : real(kLeak); }

// interval returns the k with ptr[k] ≤ row < ptr[k+1] among n intervals, empty
// ones passed over, or n for a row after the last of them.
DEVICE int interval(const int32_t *ptr, int n, int row) {
  if (row >= ptr[n]) return n;
  int low = 0, high = n;
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    if (ptr[middle] <= row)
      low = middle;
    else
      high = middle;
  }
  return low;
}

// warp_sum adds up what the 32 threads of a warp give; all of them get the sum.
DEVICE real warp_sum(real v) {
  for (unsigned m = 16; m > 0; m /= 2) v += __shfl_xor_sync(0xffffffffu, v, m);
  return v;
}

// lines_sum adds up over the 8 rows of threads of a block; all of them get the
// sums.
DEVICE double lines_sum(double v, double (&part)[kLines][kTile]) {
  const int x = threadIdx.x % kTile, y = threadIdx.x / kTile;
  part[y][x] = v;
  __syncthreads();
  double sum = 0;
  for (int i = 0; i < kLines; i++) sum += part[i][x];
  __syncthreads();
  return sum;
}

// Sum adds up many numbers: runs of 32 in their own type, the runs in double,
// for a group may have a million rows, and doubles are slow on most GPUs.
struct Sum {
  double total;
  real run;
  int n;

  DEVICE void add(real v) {
    run += v;
    if (++n % 32 == 0) {
      total += run;
      run = 0;
    }
  }
  DEVICE double value() const { return total + run; }
};

// chunks_sum: y[i] = Σ_c part[c, i], for i < n; a thread each.
KERNEL chunks_sum(const real *part, real *y, int chunks, int64_t n) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n) return;
  real sum = 0;
  for (int c = 0; c < chunks; c++) sum += part[c * n + i];
  y[i] = sum;
}

// warp_number is that of a thread's warp in the grid.
DEVICE int64_t warp_number() {
  return int64_t(blockIdx.x) * (blockDim.x / 32) + threadIdx.x / 32;
}
