// How inner loops are compiled.
#pragma once

// Inner loops are compiled for three generations of processors, and the loader selects one. A
// binary therefore runs on every processor. The levels refer to features (AVX-512; AVX2 with
// FMA), not to processors of one manufacturer. A build with PACIA_WITHOUT_AVX512 does the same
// on every processor as on one without AVX-512, for measurements.
//
// PACIA_WIDTHS(signature, body) defines a function with a body that is compiled with `bytes`,
// the size of a vector register. On processors with smaller registers, such vectors would
// become loops over numbers in memory. Only callers in the same file get the version for the
// processor; others get the version that runs everywhere.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define PACIA_WIDTH(level, size, signature, ...) \
  __attribute__((target(level))) signature {     \
    constexpr int bytes = size;                  \
    __VA_ARGS__                                  \
  }
#define PACIA_NARROW(signature, ...)                             \
  PACIA_WIDTH("arch=x86-64-v3", 32, signature, __VA_ARGS__)      \
  PACIA_WIDTH("default", 32, signature, __VA_ARGS__)
#ifdef PACIA_WITHOUT_AVX512
#define PACIA_SIMD __attribute__((target_clones("arch=x86-64-v3", "default")))
#define PACIA_WIDTHS(signature, ...) PACIA_NARROW(signature, __VA_ARGS__)
#define PACIA_HAS_AVX512() false
#else
#define PACIA_SIMD \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#define PACIA_WIDTHS(signature, ...)                        \
  PACIA_WIDTH("arch=x86-64-v4", 64, signature, __VA_ARGS__) \
  PACIA_NARROW(signature, __VA_ARGS__)
#define PACIA_HAS_AVX512() __builtin_cpu_supports("x86-64-v4")
#endif
#else
#define PACIA_SIMD
#define PACIA_WIDTHS(signature, ...) \
  signature {                        \
    constexpr int bytes = 32;        \
    __VA_ARGS__                      \
  }
#endif
#define PACIA_INLINE inline __attribute__((always_inline))
