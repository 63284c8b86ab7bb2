// What kernels take beside numbers and pointers. The same for float and double,
// and for those who launch kernels.

#ifdef __CUDACC_RTC__
typedef unsigned char uint8_t;
typedef int int32_t;
typedef unsigned int uint32_t;
typedef long long int64_t;
typedef unsigned long long uint64_t;
#endif

// Mask is a dropout: p·2³², the key of one place in one step, and where the key
// is read from instead, if it changes from step to step while all else stays.
struct Mask {
  uint32_t threshold;
  uint64_t key, add;
  const uint64_t *where;
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
