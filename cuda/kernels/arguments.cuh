// The types of kernel arguments besides numbers and pointers. They are the same for float and
// double, and in the code that launches kernels.
#ifndef PACIA_CUDA_ARGUMENTS
#define PACIA_CUDA_ARGUMENTS

#ifdef __CUDACC_RTC__
typedef unsigned char uint8_t;
typedef int int32_t;
typedef unsigned int uint32_t;
typedef long long int64_t;
typedef unsigned long long uint64_t;
#endif

// Reductions over columns run in blocks of 8 rows of 32 threads. Each row of threads processes
// a part of a matrix's rows.
constexpr int kTile = 32, kLines = 8;

// The number of atoms that one block adds to the gradients of tables. They are added one after
// the other, each with the latency of memory, so that the number is small. The largest numbers
// of rows of these tables follow: of bonds, and of atoms and chiralities together. 32 columns
// of that many doubles take 32 kB of shared memory.
constexpr int kTableChunk = 32, kBondRows = 9, kAtomRows = 126;

// The number of rows that one block sums over columns, and its number of rows of threads. A
// matrix without more rows needs one launch.
constexpr int kRowChunk = 256, kSumLines = 16;

// Mask is a dropout: p·2³², and the key of one site in one step. If `where` is not null, the
// key is read from there at each step. `add` is added to the key.
struct Mask {
  uint32_t threshold;
  uint64_t key, add;
  const uint64_t *where;
};

// The number of elements of a parameter that one block updates.
constexpr int kAdamChunk = 4096;

// The state of Adam on the device, in double.
enum AdamNumber {
  kAdamSteps,   // updates made
  kAdamHalted,  // 1 after a loss or a norm that was not finite: nothing changes any more
  kAdamClip,    // the factors of the current step: of the gradient,
  kAdamStep,    // of the update,
  kAdamRoot,    // and of √v
  kAdamCalls,   // steps tried
  kAdamRate,    // the learning rate of the current step
  kAdamNumbers
};

// AdamParameter has the addresses of a parameter, its gradient and its moments.
struct AdamParameter {
  void *value, *gradient, *m, *v;
};

// AdamChunk is a range of n elements of a parameter, beginning at first.
struct AdamChunk {
  int64_t parameter, first, n;
};

// AdamSchedule describes the learning rate. It rises linearly over the first `warm` steps, and
// falls to the share `least` over all `steps`, as half a cosine. With 0 steps it does not fall.
struct AdamSchedule {
  double warm, steps, least;
};

// rate_share returns the factor of the learning rate in step t; the first step is 1. Both the
// host and kernels call it.
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

// Compared selects the pairs of molecules that a relation layer compares; kernels/pairs.cu has
// their order. There are Q graphs (queries) with N support molecules each, of B tasks. If the
// graphs of a task share its support, task [Q] holds the task of each graph, and start [B+1]
// the first graph of each task.
struct Compared {
  int64_t Q;
  int32_t B, N;
  bool shared;
  const int32_t *task, *start;
};

// LAYER_LOSSES is the list of losses over layers (Eq. 12), weighted sums of cross entropies. Each
// LOSS has its name; the weight of the entry k of a query in the kernel, for the query's `weight`,
// its entry `last` of the last layer and the number of `tasks`; whether softmax(p) multiplies this
// weight; its text in the explanation of settings. ops/head/depth.cc has the plain forms.
#define LAYER_LOSSES                                                            \
  LOSS(last, k == last ? weight : 0, false, "that of the last layer")           \
  LOSS(expected, weight, true, "cross entropies with weights softmax(p)")       \
  LOSS(uniform, 1 / tasks, false, "their plain sum, which leaves p untrained")

enum class LayerLoss {
#define LOSS(name, ...) name,
  LAYER_LOSSES
#undef LOSS
};

// Film selects how w and b modulate h: h·(1 + w) + b; h·w + b; h·(1 + w/‖w‖) + b/‖b‖.
enum class Film { affine, scale, unit };

#endif
