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
