// The functions of NVIDIA's driver that this package calls, with the prototypes of cuda.h of
// CUDA 11 to 13. Its handles are pointers, except that of a device, which is an int. CUresult is
// also an int.
#pragma once

#include <cstddef>
#include <string>

#include "library.hh"

namespace pacia {

using Handle = void *;

enum { kCapabilityMajor = 75, kCapabilityMinor = 76 };  // values of CUdevice_attribute
enum { kBlockingSync = 4 };                             // a value of CUctx_flags

}  // namespace pacia

struct pacia_driver {
  pacia::Library library;

  int (*init)(unsigned flags);
  int (*version)(int *);
  int (*error_name)(int, const char **);
  int (*error_text)(int, const char **);
  int (*device_count)(int *);
  int (*device_get)(int *device, int ordinal);
  int (*device_name)(char *, int size, int device);
  int (*device_attribute)(int *value, int attribute, int device);
  int (*device_memory)(size_t *, int device);
  int (*context_flags)(int device, unsigned flags);
  int (*context_retain)(pacia::Handle *context, int device);
  int (*context_get)(pacia::Handle *);
  int (*context_set)(pacia::Handle);
  int (*module_load)(pacia::Handle *module, const void *image);
  int (*module_function)(pacia::Handle *function, pacia::Handle module, const char *name);
  int (*launch)(pacia::Handle function, unsigned blocks_x, unsigned blocks_y, unsigned blocks_z,
                unsigned threads_x, unsigned threads_y, unsigned threads_z, unsigned shared,
                pacia::Handle stream, void **arguments, void **extra);

  explicit pacia_driver(const char *file) : library(file) {
    library.find("cuInit", init);
    library.find("cuDriverGetVersion", version);
    library.find("cuGetErrorName", error_name);
    library.find("cuGetErrorString", error_text);
    library.find("cuDeviceGetCount", device_count);
    library.find("cuDeviceGet", device_get);
    library.find("cuDeviceGetName", device_name);
    library.find("cuDeviceGetAttribute", device_attribute);
    library.find("cuDeviceTotalMem_v2", device_memory);
    library.find("cuDevicePrimaryCtxSetFlags_v2", context_flags);
    library.find("cuDevicePrimaryCtxRetain", context_retain);
    library.find("cuCtxGetCurrent", context_get);
    library.find("cuCtxSetCurrent", context_set);
    library.find("cuModuleLoadData", module_load);
    library.find("cuModuleGetFunction", module_function);
    library.find("cuLaunchKernel", launch);
  }

  // check throws the driver's description of a result that is an error.
  void check(int result, const std::string &what) const {
    if (result == 0) return;
    const char *name = nullptr, *text = nullptr;
    error_name(result, &name);
    error_text(result, &text);
    throw std::runtime_error(what + ": " +
                             (name ? name : "error " + std::to_string(result)) + ": " +
                             (text ? text : "unknown to the driver"));
  }
};
