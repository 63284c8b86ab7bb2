// NVRTC, NVIDIA's compiler as a library, which comes with libtorch's packages.
// Functions return NULL, or a message that the caller frees.
#ifndef PACIA_CUDA_COMPILER_H
#define PACIA_CUDA_COMPILER_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// One library, which is never closed.
typedef struct pacia_nvrtc pacia_nvrtc;

typedef struct {
  int major, minor;
  const char *path;
  const int *architectures; // [n], ascending: 86 for sm_86
  int n;
} pacia_nvrtc_info;

char *pacia_nvrtc_open(const char *file, pacia_nvrtc **nvrtc, pacia_nvrtc_info *info);

// What became of a program: size bytes of machine code, or of PTX where the
// architecture of the options is a virtual one (compute_86), and what the
// compiler said. The caller frees both.
typedef struct {
  char *image;
  size_t size;
  char *log;
} pacia_nvrtc_output;

// pacia_nvrtc_compile compiles source; the options are separated by line ends.
// The message of a program with errors is the compiler's log.
char *pacia_nvrtc_compile(const pacia_nvrtc *nvrtc, const char *source, const char *options,
                          bool ptx, pacia_nvrtc_output *output);

#ifdef __cplusplus
}
#endif
#endif
