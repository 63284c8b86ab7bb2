// NVRTC, NVIDIA's compiler in the form of a library, which is part of libtorch's packages.
// Functions return NULL, or a message that the caller frees.
#ifndef PACIA_CUDA_COMPILER_H
#define PACIA_CUDA_COMPILER_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// The library, which is never closed.
typedef struct pacia_nvrtc pacia_nvrtc;

typedef struct {
  int major, minor;
  const char *path;
  const int *architectures; // [n], ascending: 86 for sm_86
  int n;
} pacia_nvrtc_info;

char *pacia_nvrtc_open(const char *file, pacia_nvrtc **nvrtc, pacia_nvrtc_info *info);

// The result of a compilation: size bytes of machine code, or of PTX if the options name a
// virtual architecture (compute_86), and the compiler's log. The caller frees both.
typedef struct {
  char *image;
  size_t size;
  char *log;
} pacia_nvrtc_output;

// pacia_nvrtc_compile compiles source. The options are separated by line feeds. If the program
// has errors, the message is the compiler's log.
char *pacia_nvrtc_compile(const pacia_nvrtc *nvrtc, const char *source, const char *options,
                          bool ptx, pacia_nvrtc_output *output);

#ifdef __cplusplus
}
#endif
#endif
