// How inner loops are compiled.
#pragma once

// The inner loops are compiled for three generations of processors; the
// loader picks one. A binary so built still runs everywhere. The levels name
// features (AVX-512; AVX2 with FMA), not one maker's processors.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define PACIA_SIMD \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define PACIA_SIMD
#endif
#define PACIA_INLINE inline __attribute__((always_inline))
