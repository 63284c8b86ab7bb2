// What kernels take beside numbers and pointers. The same for float and double,
// and for those who launch kernels.
#ifndef PACIA_CUDA_ARGUMENTS
#define PACIA_CUDA_ARGUMENTS

#ifdef __CUDACC_RTC__
typedef unsigned char uint8_t;
typedef int int32_t;
typedef unsigned int uint32_t;
typedef long long int64_t;
typedef unsigned long long uint64_t;
#endif

// Reductions over columns are made by blocks of 8 rows of 32 threads, each row
// of threads for its share of the rows of a matrix.
constexpr int kTile = 32, kLines = 8;

// Atoms that one block adds to the gradients of tables, one after the other: so few
// that waiting for memory, of which each of them costs its share, ends soon. And the
// rows that these tables can have: of bonds, and of atoms and chiralities together,
// where 32 columns of doubles take 32 kB of shared memory.
constexpr int kTableChunk = 32, kBondRows = 9, kAtomRows = 126;

// Rows whose sums over columns one block makes, by so many rows of threads: what
// has no more rows takes one launch.
constexpr int kRowChunk = 256, kSumLines = 16;

// Mask is a dropout: p·2³², the key of one place in one step, and where the key
// is read from instead, if it changes from step to step while all else stays.
struct Mask {
  uint32_t threshold;
  uint64_t key, add;
  const uint64_t *where;
};

// Numbers of a parameter that one block updates.
constexpr int kAdamChunk = 4096;

// What Adam keeps on the device from step to step, in double.
enum AdamNumber {
  kAdamSteps,   // updates made
  kAdamHalted,  // 1 after a loss or a norm that was not finite: nothing changes any more
  kAdamClip,    // of the step under way: the factors of the gradient,
  kAdamStep,    // of the update,
  kAdamRoot,    // and of √v
  kAdamCalls,   // steps tried
  kAdamRate,    // the learning rate of the step under way
  kAdamNumbers
};

// AdamParameter is where a parameter, its gradient and its moments are.
struct AdamParameter {
  void *value, *gradient, *m, *v;
};

// AdamChunk is n numbers of a parameter, from first on.
struct AdamChunk {
  int64_t parameter, first, n;
};

// AdamSchedule is how the learning rate goes up over the first steps, in a line, and
// down to a share of itself over all of them, as half a cosine. 0 steps: it does not.
struct AdamSchedule {
  double warm, steps, least;
};

// rate_share is what the learning rate of step t, 1 for the first, is multiplied with.
// In C++ for the host, and in kernels.
#ifdef __CUDACC_RTC__
__device__
#endif
inline double rate_share(const AdamSchedule &s, double t) {
  double share = 1;
  if (s.steps > 0) {
    const double done = t <= s.steps ? (t - 1) / s.steps : 1;
    share = s.least + (1 - s.least) * 0.5 * (1 + ::cos(3.14159265358979323846 * done));
  }
  return t < s.warm ? share * t / s.warm : share;
}

struct AdamOptions {
  double lr, beta1, beta2, eps, weight_decay, clip_norm;
  int decoupled;
  AdamSchedule schedule;
};

// Compared says which pairs of molecules a relation layer compares; kernels/pairs.cu
// has their order. Q graphs (queries) have N support molecules each and B tasks in
// all. Where the graphs of a task share its support, task [Q] is that of each graph
// and start [B+1] the first graph of each task.
struct Compared {
  int64_t Q;
  int32_t B, N;
  bool shared;
  const int32_t *task, *start;
};

// LayerLoss is how the cross entropies of layers become one loss.
enum class LayerLoss { last, expected, uniform };

// Film is how w and b modulate h: h·(1 + w) + b; h·w + b; h·(1 + w/‖w‖) + b/‖b‖.
enum class Film { affine, scale, unit };

#endif
