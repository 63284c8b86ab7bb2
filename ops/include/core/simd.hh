// How inner loops are compiled.
#pragma once

// The inner loops are compiled for three generations of processors; the loader picks one. A
// binary built this way still runs everywhere. The levels name features (AVX-512; AVX2 with
// FMA), not one maker's processors. With PACIA_WITHOUT_AVX512 a build does everywhere what it
// would on a processor that lacks it, for measurements.
//
// PACIA_WIDTHS(signature, body) is a function with a body compiled with bytes, the size of a
// vector register. Vectors of a size that a processor lacks come out as loops over numbers in
// memory. It is for callers in the same file: others get the version that runs everywhere.
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
