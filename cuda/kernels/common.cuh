// Common definitions of all kernels. Files of kernels are compiled for float and for double, as
// the type real: by NVRTC for a GPU, and by the C++ compiler for the emulator. They include
// nothing; see sources.go for their order.
//
// Conventions: the order of a sum depends only on the shapes, and there are no
// atomic additions, so that runs are repeatable bit for bit. Offsets and row
// numbers have been checked in Go. A grid may have more threads than there is work;
// surplus threads return.

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

// interval returns the k with ptr[k] ≤ row < ptr[k+1] among n intervals, which may be empty, or
// n for a row after the last of them.
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

// warp_sum adds up the values of the 32 threads of a warp; all of them get the sum.
DEVICE real warp_sum(real v) {
  for (unsigned m = 16; m > 0; m /= 2) v += __shfl_xor_sync(0xffffffffu, v, m);
  return v;
}

// lines_sum adds up the values of the 8 rows of threads of a block; all threads get the sum of
// their column.
DEVICE double lines_sum(double v, double (&part)[kLines][kTile]) {
  const int x = threadIdx.x % kTile, y = threadIdx.x / kTile;
  part[y][x] = v;
  __syncthreads();
  double sum = 0;
  for (int i = 0; i < kLines; i++) sum += part[i][x];
  __syncthreads();
  return sum;
}

// Sum adds up many numbers: runs of 32 in their own type, and the runs in double, since a group
// may have a million rows and doubles are slow on most GPUs.
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

// chunks_sum: y[i] = Σ_c part[c, i] for i < n; one thread for each i.
KERNEL chunks_sum(const real *part, real *y, int chunks, int64_t n) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n) return;
  real sum = 0;
  for (int c = 0; c < chunks; c++) sum += part[c * n + i];
  y[i] = sum;
}

// warp_number returns the number of the thread's warp in the grid.
DEVICE int64_t warp_number() {
  return int64_t(blockIdx.x) * (blockDim.x / 32) + threadIdx.x / 32;
}
