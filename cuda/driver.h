// NVIDIA's driver, which runs the kernels. It is installed with a GPU, and the program must
// also start without it. Functions return NULL, or a message that the caller frees.
#ifndef PACIA_CUDA_DRIVER_H
#define PACIA_CUDA_DRIVER_H

#include <stdbool.h>
#include <stdint.h>

#include "launch.h"

#ifdef __cplusplus
extern "C" {
#endif

// The library, which is never closed.
typedef struct pacia_driver pacia_driver;

// version is the newest CUDA version that the driver supports: 13000 for 13.0.
char *pacia_driver_open(const char *file, pacia_driver **driver, int *version);
char *pacia_driver_devices(const pacia_driver *driver, int *devices);

typedef struct {
  char name[256];
  int major, minor; // compute capability
  uint64_t memory;  // bytes
} pacia_device_info;
char *pacia_driver_device(const pacia_driver *driver, int device, pacia_device_info *info);

// pacia_driver_load loads the kernels for one number type onto a device; names holds the names
// of all kernels, separated by blanks.
char *pacia_driver_load(const pacia_driver *driver, int device, bool doubles, const void *image,
                        const char *names);

// paciaCudaPrepare, a Go function, loads kernels for pacia_driver_launch.
char *paciaCudaPrepare(int device, bool doubles);

// pacia_driver_launch starts a kernel on a stream.
char *pacia_driver_launch(const char *kernel, bool doubles, int device, pacia_cuda_grid grid,
                          void **arguments, void *stream);

#ifdef __cplusplus
}
#endif
#endif
