// The launch of kernels by ops. The name of a kernel and its number type identify it; package
// cuda has compiled and loaded it.
#ifndef PACIA_CUDA_LAUNCH_H
#define PACIA_CUDA_LAUNCH_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  unsigned blocks_x, blocks_y, threads; // blocks_y is at most 65,535
} pacia_cuda_grid;

// pacia_cuda_launch starts a kernel on libtorch's current stream of a device. arguments points
// to the value of each parameter. It returns NULL, or a message that the caller frees. Later
// calls report errors of the kernel itself.
char *pacia_cuda_launch(const char *kernel, bool doubles, int device,
                        pacia_cuda_grid grid, void **arguments);

#ifdef __cplusplus
}
#endif
#endif
